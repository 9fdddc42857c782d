"""Compute which folders and files of the workspace a snapshot must cover, from the globs that rules ask for.

Imported by the hook path.
"""

from __future__ import annotations

from _blake2 import blake2b

from policy_engine.filesystem.globs import expand_braces, literal_prefix
from policy_engine.history.suite import watched_tests
from policy_engine.test_runs.runners import WATCHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy_engine.history.monitors import MonitorSpec

    Pattern = tuple[tuple[str, ...], tuple[str, ...]]
    Parts = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], Pattern | None, bool, str]

WRITTEN = ("wrote", "deleted")
_WILD = "*?[]"


class Watch:
    """The coverage of a snapshot, as paths relative to the workspace.

    `roots` are folders ("" the workspace itself) none of which lies in another, `suffixes` the ends of the file names
    that could match, () for every name, `literals` the files that globs name in full, also if git ignores them.
    `noise` are the folders that are left out; None: the usual ones where there is no git. `outside`: some rule asks for
    writes elsewhere, which no snapshot sees. `scope` names all of it.
    """

    __slots__ = ("roots", "suffixes", "literals", "noise", "outside", "scope")

    def __init__(self, parts: Parts) -> None:
        self.roots, self.suffixes, self.literals, self.noise, self.outside, self.scope = parts

    def covers(self, relative: str) -> bool:
        """Return whether a file there would be seen, as far as its name tells."""
        if relative in self.literals:
            return True
        if self.suffixes and not relative.endswith(self.suffixes):
            return False
        return any(not root or relative.startswith(root + "/") for root in self.roots)


def watched(specs: Iterable[MonitorSpec], noise: Pattern | None = None) -> Parts | None:
    """Return what the monitors of a Program make necessary to look at, plain values for `Watch`; None: no rule asks."""
    patterns: list[Pattern] = []
    for _, form, atoms, extra in specs:
        if form == "changed":
            patterns.append(extra[0])
        resets = extra[2] if form == "count" else ()
        patterns += [pattern for kind, pattern, _ in (*atoms, *resets) if kind in WRITTEN]
        asked = [pattern[0] for kind, pattern, _ in (*atoms, *resets) if kind == "tests_passed"]
        patterns += [((*WATCHED, watched_tests(ecosystem)), ()) for ecosystem in asked]
    texts = sorted({one for include, _ in patterns for text in include for one in expand_braces(text)})
    inside = [text for text in texts if text[0] not in "/~"]
    literals = tuple(text for text in inside if not any(char in text for char in _WILD))
    wild = [text for text in inside if any(char in text for char in _WILD)]
    if not inside:
        return None
    roots, ends = _outermost({literal_prefix(text) for text in wild}), {end_of(text) for text in wild}
    suffixes = () if "" in ends else tuple(sorted(ends))
    scope = blake2b(repr((roots, suffixes, literals, noise)).encode(), digest_size=12).hexdigest()
    return roots, suffixes, literals, noise, len(inside) < len(texts), scope


def end_of(text: str) -> str:
    """Return the ending of every file name that matches: `.py` for `**/*.py`, "" for `src/**`."""
    name = text.rpartition("/")[2]
    return name[max(name.rfind(char) for char in _WILD) + 1 :]


def _outermost(folders: set[str]) -> tuple[str, ...]:
    if "" in folders:
        return ("",)
    return tuple(sorted(one for one in folders if not any(one.startswith(other + "/") for other in folders)))
