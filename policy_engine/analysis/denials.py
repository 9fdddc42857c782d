"""Find a rule that certainly refuses an action, by program and folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from policy_engine.analysis.demands import Deed, refuses
from policy_engine.analysis.formula import Form
from policy_engine.analysis.literals import Among, Clause, Exists, Text, Words
from policy_engine.checker.tree import GlobPattern, Listen
from policy_engine.filesystem.globs import literal_prefix

Denial = tuple[str, tuple[Listen, ...], Form]
_OPEN = ""  # the key of what names neither a program nor a folder
_TRIED = 64  # denials that are tried for one deed


class Denials:
    """An index over (name, points, form of the violation)."""

    def __init__(self, denials: Iterable[Denial]) -> None:
        self._filed: dict[str, list[Denial]] = {}
        self._answers: dict[tuple[Deed, str], str | None] = {}
        for denial in denials:
            if any(listen.point == "before_tool" for listen in denial[1]):
                for key in {key for clause in denial[2] for key in _keys(clause)}:
                    self._filed.setdefault(key, []).append(denial)

    def refusing(self, deed: Deed, besides: str) -> str | None:
        """Return a rule other than `besides` that refuses every call that does this; None if none is known."""
        asked = (deed, besides)
        if asked not in self._answers:
            self._answers[asked] = self._refusing(deed, besides)
        return self._answers[asked]

    def _refusing(self, deed: Deed, besides: str) -> str | None:
        tried = 0
        for key in dict.fromkeys(_shown(deed)):
            for name, listens, form in self._filed.get(key, ()):
                tried += 1
                if tried > _TRIED:
                    return None
                if name != besides and refuses(listens, form, deed):
                    return name
        return None


def _keys(clause: Clause) -> Iterator[str]:
    """Yield what a call must show for the clause to be true."""
    for literal in clause:
        if not isinstance(literal.test, Exists) or not literal.positive:
            continue
        for one in literal.test.clause:
            match one.test:
                case Words(pattern=pattern):
                    yield from (f"run {tokens[0].rpartition('/')[2]}" for tokens in pattern.include)
                    return
                case Among(values=values) if one.term.key == "#0.program":
                    yield from (f"run {value}" for value in values)
                    return
                case Text(value=GlobPattern() as pattern) if one.term.key == "#0":
                    yield from (f"in {literal_prefix(text)}" for text in pattern.include)
                    return
    yield _OPEN


def _shown(deed: Deed) -> Iterator[str]:
    if deed.tokens:
        yield f"run {deed.tokens[0].rpartition('/')[2]}"
        yield from ("run *", "run ...")
    if deed.glob is not None:
        folder = literal_prefix(deed.glob.include[0])
        while True:
            yield f"in {folder}"
            if not folder:
                break
            folder = folder.rpartition("/")[0]
    yield _OPEN
