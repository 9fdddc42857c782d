"""The variables with which managers of git hooks are switched off. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.partial import is_known

_NEGATED = ("HUSKY", "LEFTHOOK")  # off where they say so
_OFF = ("0", "false", "off", "no")
_GENERAL = ("SKIP", "NO_VERIFY")  # names that other programs use for something else
_SET = (
    "HUSKY_SKIP_HOOKS", "OVERCOMMIT_DISABLE", "PRE_COMMIT_ALLOW_NO_CONFIG", "LEFTHOOK_EXCLUDE", "PREK_SKIP",
    "SKIP_SIMPLE_GIT_HOOKS", "SKIP_GIT_HOOKS", "GIT_NO_VERIFY", "HUSKY_DISABLE",
)  # fmt: skip
# that start git themselves in some of their calls
STARTS_GIT = frozenset(
    "npm pnpm yarn bun lerna changeset release-it np standard-version semantic-release gh hub".split()
)


def switches_hooks_off(env: dict[str, str], general: bool = True) -> bool | None:
    """Return whether variables switch hooks off; None if that is not known.

    Args:
        env: the variables that a command is given.
        general: whether names that other programs use for something else count.
    """
    names = (*_SET, *(_GENERAL if general else ()))
    if any(env.get(name, "1").lower() in _OFF for name in _NEGATED):
        return True
    if any(env.get(name) and is_known(env[name]) for name in names):
        return True
    return None if any(not is_known(env.get(name, "")) for name in (*_NEGATED, *names)) else False
