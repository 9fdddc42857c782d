"""Tell whether a filter behind a command hides what it prints: `env | sed 's/=.*/=set/'` shows names only.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.secret_values import SECRETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_OUTPUTS = ("terraform", "tofu")
_KEYS = ("keys", "keys[]", "keys_unsorted", "keys|.[]", "keys | .[]")  # filters of `jq` that print no values
_FILTERS = frozenset("jq grep egrep fgrep rg head tail sort uniq sed cut awk wc cat column".split())


def is_masked(command: SimpleCommand, analysis_of: Callable[[SimpleCommand], EffectAnalysis]) -> bool:
    """Return whether each line that the command prints passes a filter that hides the values in it, and goes nowhere
    else.

    Filters after that one print what it lets through; those before it may only be filters themselves. The command
    stands once in the line, so that what is fed by its name is fed by it.
    """
    behind = [one for one in command.line if command.name in one.piped_from]
    if sum(one.name == command.name for one in command.line) != 1 or command.redirects:
        return False
    if not behind or any(one.name not in _FILTERS or one.redirects for one in behind):
        return False
    if command.name in _OUTPUTS:
        return any(one.name == "jq" and one.argv[-1] in _KEYS for one in behind)
    if command.name == "systemctl" and any(map(_picks_properties, behind)):
        return True
    targets = command.name in ("make", "gmake") and any(map(_picks_targets, behind))
    return targets or any(hides_values(one, analysis_of) for one in behind)


def _picks_properties(command: SimpleCommand) -> bool:
    """Return whether `grep` picks properties of a unit by parts of their names (`ActiveState`), not its environment."""
    words = [word for word in command.argv[1:] if word not in ("-E", "-e")]
    names = words[0].split("|") if len(words) == 1 and command.name in ("grep", "egrep", "rg") else [""]
    plain = [name.removeprefix("^").removesuffix("=") for name in names]
    return all(
        len(name) > 3 and name.isalpha() and name[0].isupper() and not name.isupper()
        and name not in "Environment" and "Environ" not in name
        for name in plain
    )  # fmt: skip


def _picks_targets(command: SimpleCommand) -> bool:
    """Return whether `grep` or `awk` picks lines that begin with a name and `:`, which is no `NAME = value`."""
    words = [word for word in command.argv[1:] if word not in ("-E", "-o", "-oE", "-F:", "-F", ":")]
    if command.name not in ("grep", "egrep", "awk") or len(words) != 1:
        return False
    pattern = words[0].lstrip("/").replace("\\+", "+")
    letters, bracket, rest = pattern.removeprefix("^[").partition("]")
    plain = pattern[:2] == "^[" and letters[:1] != "^" and set(letters).isdisjoint(" =[:")
    while rest[:1] == "[" and (rest[1:2] == "^") == ("=" in rest.partition("]")[0]):
        rest = rest.partition("]")[2].lstrip("*+")
    return bool(plain and bracket) and rest.lstrip("*+")[:1] == ":"


def sets_up(command: SimpleCommand) -> bool:
    """Return whether `eval` takes all that a command prints as settings of its shell, so that nothing of it is shown.

    The command stands once in the line, so that the one that `eval` takes is this one.
    """
    plain = tuple(command.text.replace("2>/dev/null", "").split()) == command.argv
    if not plain or not command.substituted or sum(one.name == command.name for one in command.line) != 1:
        return False
    takers = [one for one in command.line if one is not command and command.text in one.text]
    return bool(takers) and all(one.argv == ("eval", ":") for one in takers)


def names_only(command: SimpleCommand) -> bool:
    """Return whether `cut` or `awk` prints the names of assignments in files that are called like environments."""
    words = list(command.argv[1:])
    files = [words.pop() for word in command.argv[:0:-1] if word.rpartition("/")[2].startswith(".env")]
    return bool(files) and _is_first_field(command.name, tuple(words))


def _is_first_field(name: str, words: tuple[str, ...]) -> bool:
    if name == "cut":
        return "".join(words) in ("-d=-f1", "-f1-d=")
    return words in (("-F=", "{print $1}"), ("-F", "=", "{print $1}"), ("-F=", "{ print $1 }"))


def hides_values(command: SimpleCommand, analysis_of: Callable[[SimpleCommand], EffectAnalysis]) -> bool:
    """Return whether a filter prints of lines `NAME=value` the names, or their number, and nothing of the values."""
    words = command.argv[1:]
    if not all(map(is_known, words)):
        return False
    if command.name == "sed":
        try:
            return analysis_of(command).looks
        except Undecided:
            return False
    if command.name in ("cut", "awk"):
        return _is_first_field(command.name, words)
    if command.name == "wc":
        return words in (("-l",), ())
    if command.name not in ("grep", "egrep", "rg"):
        return False
    return any(word in ("-c", "-q", "--count", "--quiet") for word in words) or _picks_variables(words)


def _picks_variables(words: tuple[str, ...]) -> bool:
    """Return whether a pattern of `grep` picks variables by their whole names (`^(CI|LANG)=`), none called like a
    secret.
    """
    pattern = words[-1] if words else ""
    names = pattern[1:-1].removeprefix("(").removesuffix(")").split("|")
    grouped = ("|" in pattern) == ("(" in pattern)
    if set(words[:-1]) - {"-E", "-e"} or not grouped or (pattern[:1], pattern[-1:]) != ("^", "="):
        return False
    return all(name.isidentifier() and not any(part in name.upper() for part in SECRETS) for name in names)
