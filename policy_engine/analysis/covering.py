"""Find the few forms that one may imply by their rarest literal, without trying all.

A form is filed once per way, under the keys of one literal of that way; whoever implies the way must show one of these
keys. What is found is a superset of what `order.clause_implies` would find, up to CANDIDATES of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from policy_engine.analysis.formula import Form
from policy_engine.analysis.literals import Among, Clause, Exists, Literal, Range, Text, Words
from policy_engine.analysis.order import PROGRAM, started_by
from policy_engine.checker.tree import GlobPattern, RegexPattern
from policy_engine.filesystem.globs import literal_prefix

CANDIDATES = 64
TEXTS = 40
Key = tuple[object, ...]
_ALWAYS: Key = ("always",)


class Covering:
    """An index over numbered forms."""

    def __init__(self, forms: dict[int, Form]) -> None:
        self.forms = forms
        self._filed: dict[Key, list[int]] = {}
        self._lengths: dict[Key, set[int]] = {}
        self._texts: dict[str, list[Key]] = {}
        every = (one for form in forms.values() for clause in form for one in clause)
        counts = Counter(key for one in every for keys in _filings(one) for key in keys)
        for number, form in forms.items():
            for clause in form:
                for key in self._rarest(clause, counts):
                    self._filed.setdefault(key, []).append(number)

    def _rarest(self, clause: Clause, counts: Counter[Key]) -> list[Key]:
        """Return the keys of the literal that fewest other forms share."""
        if not clause:
            return [_ALWAYS]
        every = (keys for one in clause for keys in _filings(one))
        keys = min(every, key=lambda candidate: max(counts[key] for key in candidate))
        for key in keys:
            if key[-2] in ("part", "prefix", "suffix"):
                self._lengths.setdefault(key[-3:-1], set()).add(len(str(key[-1])))
            if key[-2] in ("part", "prefix", "suffix", "regex"):
                self._texts.setdefault(str(key[-3]), []).append(key[-3:])
        return keys

    def implied_by(self, clause: Clause) -> Iterator[int]:
        """Yield forms that a way may imply, each once, its own form among them."""
        seen = set[int]()
        for key in (_ALWAYS, *(key for literal in clause for key in self._shown(literal))):
            for other in self._filed.get(key, ()):
                if other not in seen:
                    seen.add(other)
                    yield other
                    if len(seen) > CANDIDATES:
                        return

    def _shown(self, literal: Literal) -> Iterator[Key]:
        """Yield every key under which something implied by the literal may be filed."""
        subject = literal.term.key
        for keys in _filings(literal):
            yield from keys
        yield (subject, "any", literal.test.__class__.__name__)
        yield (subject, "any", Among.__name__)
        if subject.endswith(PROGRAM):
            yield (subject.removesuffix(PROGRAM), "any", Words.__name__)
        if not literal.positive:
            if isinstance(literal.test, Among):
                yield from ((subject, "is", word) for word in literal.term.members or ())
            return
        match literal.test:
            case Exists(clause=clause):
                for one in clause:
                    for key in self._shown(one):
                        yield (subject, *key)
            case Among(values=values):
                yield (subject, "any", Range.__name__)
                yield (subject, "any", Text.__name__)
                yield from ((subject, "is", value) for value in values)
                for value in values:
                    if isinstance(value, str):
                        yield from self._pieces(subject, value)
            case Text(value=str() as text):
                yield from self._pieces(subject, text)
            case Text(kind="regex"):
                yield from self._few(subject)
            case Words(pattern=command):
                first, second = _words(command.include[0])
                yield from ((subject, "words", *words) for words in ((first, second), (first, ""), ("", "")))
                named = started_by(literal)
                yield from self._shown(named) if named is not None else ()
            case Text(value=GlobPattern() as pattern):
                yield from ((subject, "folder", folder) for folder in _above(pattern.include[0]))

    def _few(self, subject: str) -> list[Key]:
        """Return all that a term's text is searched for; where it is much, nothing: each regex is compared with
        itself.
        """
        candidates = self._texts.get(subject, [])
        return candidates if len(candidates) <= TEXTS else []

    def _pieces(self, subject: str, text: str) -> Iterator[Key]:
        """Keys of the parts of a text, of those lengths only that something is filed under."""
        yield from self._few(subject)
        for length in self._lengths.get((subject, "prefix"), ()):
            yield (subject, "prefix", text[:length])
        for length in self._lengths.get((subject, "suffix"), ()):
            yield (subject, "suffix", text[-length:])
        for length in self._lengths.get((subject, "part"), ()):
            for start in range(len(text) - length + 1):
                yield (subject, "part", text[start : start + length])


def _filings(literal: Literal) -> list[list[Key]]:
    """Sets of keys, of each of which whatever implies the literal shows at least one."""
    subject = literal.term.key
    if literal.positive:
        match literal.test:
            case Exists(clause=clause):
                return [[(subject, *key) for key in keys] for one in clause for keys in _filings(one)]
            case Among(values=values) if values:
                return [[(subject, "is", value) for value in values]]
            case Text(kind="part" | "prefix" | "suffix" as kind, value=str() as text) if text:
                return [[(subject, kind, text)]]
            case Words(pattern=command):
                return [[(subject, "words", *_words(tokens)) for tokens in command.include]]
            case Text(value=RegexPattern() as regex):
                return [[(subject, "regex", regex)]]
            case Text(value=GlobPattern() as pattern):
                return [[(subject, "folder", folder) for folder in dict.fromkeys(map(literal_prefix, pattern.include))]]
    return [[(subject, "any", literal.test.__class__.__name__)]]


def _above(glob: str) -> list[str]:
    """Return the literal folder of a glob and every folder above it."""
    folder = literal_prefix(glob)
    folders = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        folders.append(folder)
    return folders


def _words(tokens: tuple[str, ...]) -> tuple[str, str]:
    """Return the first two words of a command pattern, as far as they are literal: whoever is covered has the same."""
    plain = [word if "*" not in word and word != "..." else "" for word in (*tokens[:2], "", "")]
    return (plain[0], plain[1]) if plain[0] else ("", "")
