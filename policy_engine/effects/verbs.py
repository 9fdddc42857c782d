"""Judge a client of a service by the verb among its words, where no row of the table knows it.

`NAME NOUN delete X` deletes X elsewhere, whatever NAME is, unless NAME is known to work on this machine only; with
`NAME rm X` a tool may as well tidy up here. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.programs._rows import VERBS
from policy_engine.programs.base import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_SETS = {kind: frozenset(text.split()) for kind, text in VERBS.items()}
_SERVICES = named("service")
_TRIALS = frozenset("--help -h --dry-run --dryrun --dry_run --plan --check --preview --version help --local".split())
_TEXTS = frozenset(
    "-m --message -t --title -b --body --description --notes --comment".split()
)  # whose values are prose
_MOST_NAMES = 4  # words of which one may be the verb
_CUTS = {ord(mark): " " for mark in "=,:\"'[]{}()"}


def judge_verbs(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Doubt what a program without a model, or a service's client with one, may do elsewhere by its verb."""
    name, words = command.name, command.argv[1:]
    client = name in _SERVICES
    if not (analysis.opaque or client) or not is_known(name) or "/" in command.argv[0] or analysis.runs:
        return
    if name in _SETS["here"] or not _TRIALS.isdisjoint(words):
        return
    kind = _verb(name, words, client)
    reason = f"`{name[:80]}` is not known, and its words say that it changes what lies elsewhere"
    if kind in ("destroys", "deploys") and (analysis.opaque or kind not in analysis.words):
        _doubt(kind, reason, analysis)
    if kind == "sends":
        given = [value for word in words for value in (word, word.partition("=")[2] if word[:1] == "-" else "")]
        paths = [
            analysis.path(text, "read", True)
            for text in given
            if text not in ("", "/") and text[:1] != "-" and is_known(text)
        ]
        there = [path for path in paths if path.known and analysis.filesystem.present(path)]
        if there:
            analysis.opaque = False
            analysis.send(there)
    if kind != "looks" and any(not _SETS["exposes"].isdisjoint(word.translate(_CUTS).split()) for word in words):
        _doubt("exposes", f"`{name[:80]}` may open something to everybody", analysis)
    if any(" " in word for word in words):
        from policy_engine.programs.sql import is_emptying

        given = [word for before, word in zip(("", *words), words, strict=False) if before not in _TEXTS]
        if any(map(is_emptying, given)):
            _doubt("destroys", f"`{name[:80]}` is not known, and is given a statement that drops or empties", analysis)


def _doubt(kind: str, reason: str, analysis: EffectAnalysis) -> None:
    analysis.opaque = False  # this much is known of it
    analysis.doubt(kind, reason)


def _verb(name: str, words: tuple[str, ...], client: bool) -> str:
    """Return what the first verb among the program's first words does, "" if there is none; its name may be one."""
    names = 0
    for word in (name, *words):
        plain = word[:1].isalpha() and "".join(char for char in word if char not in "-_:.").isalnum()
        if word[:1] == "-" or not is_known(word) or not plain:
            if names > 1 and word[:1].isalnum() and "=" not in word and "/" not in word:
                return ""
            continue
        names += 1
        whole, first, last = _parts(word)
        if not client and (names == 2 or not whole & _SETS["weak"]) and (whole | first | last) & _SETS["weak"]:
            continue  # `NAME remove X`
        ends = first | last
        judged = {"looks": first, "makes": first, "destroys": ends, "deploys": whole | last, "sends": ends}
        for kind, parts in judged.items():
            if parts & _SETS[kind] and (names > 1 or kind == "sends"):
                return kind
        if names > _MOST_NAMES:
            break
    return ""


def _parts(word: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the parts of a word that may be verbs, whole, by their beginnings, by their ends: `sites:delete`,
    `delete-table`, `service-delete`, `DeleteBucket`.
    """
    if not (word.isupper() or word.islower()):
        word = "".join(f"-{char}" if char.isupper() else char for char in word).lstrip("-")
    whole = word.lower().split(":")
    pieces = [part.replace("_", "-").replace(".", "-").strip("-").split("-") for part in whole]
    return frozenset(whole), frozenset(one[0] for one in pieces), frozenset(one[-1] for one in pieces)
