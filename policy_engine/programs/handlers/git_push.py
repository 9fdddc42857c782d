"""`git push`: which branches of the remote it forces or deletes, and whether it leaves out the hook.

A branch is rewritten if it is forced (`-f`, `+ref`, a lease), deleted (`-d`, `:ref`) or mirrored. Forced without a
refspec it depends on what is checked out and configured, which is a doubt; with a lease, which keeps what others
pushed, git is asked (effects/checked_out.py).
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.effects import OF_HEAD, OF_HEAD_NOW
from policy_engine.model.partial import BRANCH, GLOB, NAME, is_known, shown
from policy_engine.programs.base import Arguments, EffectAnalysis

_DEPLOYING = ("heroku", "dokku", "https://git.heroku.com/")  # remotes that run what they are given
_TRUE = ("true", "yes", "on", "1", "")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if not arguments.on(("--verify",), ("--no-verify",)) and arguments.has("--no-verify"):
        analysis.does("skips-hooks")
    if arguments.on(("-n", "--dry-run"), ("--no-dry-run",)):
        return []
    plain = arguments.on(("-f", "--force"), ("--no-force",))
    leased = not plain and arguments.on(("--force-with-lease",), ("--no-force-with-lease",))
    forced = plain or leased
    deletes = arguments.on(("-d", "--delete"), ("--no-delete",))
    specs = arguments.operands if arguments.has("--repo") else arguments.operands[1:]
    remote = (arguments.operands or [""])[0]
    if remote.startswith(_DEPLOYING):
        analysis.does("deploys")
    mirrors = any(value[-1].lower() in _TRUE for key, value in analysis.settings.items() if key.endswith(".mirror"))
    if mirrors or arguments.on(("--mirror",), ("--no-mirror",)):
        analysis.rewrites("*")
    if arguments.on(("--prune",), ("--no-prune",)):
        analysis.rewrites("*")
    if forced and arguments.on(("--all", "--branches"), ("--no-all", "--no-branches")):
        analysis.rewrites("*")
    if forced and arguments.on(("--tags",), ("--no-tags",)):
        analysis.may_rewrite("a tag that is forced may be a release that others use")
    if not specs:
        specs = _configured(remote, analysis)
        if forced and not specs and not arguments.has("--all", "--branches", "--mirror", "--tags"):
            analysis.may_rewrite(OF_HEAD if leased else OF_HEAD_NOW)
    for spec in _joined(specs):
        _refspec(spec, forced, deletes, analysis, leased and len(specs) == 1)
    return []


def _configured(remote: str, analysis: EffectAnalysis) -> list[str]:
    """Refspecs that the call itself configures for the remote."""
    return [
        value
        for key, values in analysis.settings.items()
        if key.startswith("remote.") and key.endswith(".push") and key[7:-5] in (remote.lower(), "origin")
        for value in values
    ]


def _joined(specs: list[str]) -> list[str]:
    """`tag NAME` is one refspec."""
    return [spec for place, spec in enumerate(specs) if spec != "tag" and specs[place - 1 : place] != ["tag"]]


def _refspec(spec: str, forced: bool, deletes: bool, analysis: EffectAnalysis, of_head: bool) -> None:
    plus = spec[:1] == "+"
    text = spec[plus:].replace(GLOB, "")  # a pattern of git's, as long as no file is called so
    target = text.rpartition(":")[2]
    if not is_known(text) and (forced or plus) and target not in ("", text) and is_known(target):
        text = f"HEAD:{target}"  # whatever is put there
    if not is_known(text):
        if forced or deletes or plus or text[:1] == ":" or (text[:1] == "\0" and text[:2] not in (NAME, BRANCH)):
            analysis.may_rewrite(f"which branch `{shown(spec)[:80]}` is, is not known")
        return
    source, colon, target = text.partition(":")
    if not (forced or plus or deletes or (colon and not source and target)):
        return
    if deletes or (target and not source):
        analysis.does("destroys")
    if colon and not source and not target:
        analysis.rewrites("*")  # `+:` pushes every branch that both sides have
        return
    branch = target if colon else source
    if branch.startswith("refs/tags/"):
        analysis.may_rewrite(f"the tag `{branch[10:80]}` may be a release that others use")
        return
    branch = branch.removeprefix("refs/heads/").removeprefix("heads/")
    if "*" in branch:
        analysis.rewrites("*")
    elif text in ("HEAD", "@") and not deletes:
        analysis.may_rewrite(OF_HEAD if of_head and not plus else OF_HEAD_NOW)
    elif branch in ("", "HEAD", "@") or not _valid(branch):
        analysis.may_rewrite(f"which branch `{spec[:80]}` means depends on what is checked out")
    else:
        analysis.rewrites(branch)


def _valid(branch: str) -> bool:
    parts = branch.split("/")
    plain = not any(char in branch for char in "~^:?[\\ ") and "@{" not in branch and ".." not in branch
    return plain and all(part and part[0] != "." and not part.endswith((".lock", ".")) for part in parts)
