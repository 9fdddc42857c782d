"""Build a `Diagnostic` from code, place and words, with advice for a misspelt word."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.syntax.diagnostic_builder import listing as plain_listing
from policy_engine.syntax.diagnostic_builder import nearest as nearest_word

_INSTEAD = {
    "len length size": "count elements with `count x in LIST { … }`, or compare with the empty list: `LIST != []`",
    "env environ getenv environment": "a policy does not read the environment; assignments of a command are `c.env`",
    "regex regexp re match matches_regex": "write `x matches /…/`",
    "startswith starts_with has_prefix": 'write `x starts_with "…"`',
    "endswith ends_with has_suffix": 'write `x ends_with "…"`',
    "contains includes include": 'write `x contains "…"`',
    "lower upper tolower toupper": "a regex ignores case with the flag `i`: `x matches /…/i`",
    "all forall for_all": "write `every x in LIST { … }`",
    "some exists_in for foreach filter": "write `any x in LIST { … }`",
    "now today date datetime timestamp": "the time is `time.now`, `time.hour`, `time.weekday`",
    "cmd command line argv args program": 'the commands of a shell line: `any c in commands { c.program == "…" }`',
    "file path filename file_path files": 'the paths of a call: `any p in paths { p matches "…" }`',
    "changed_files modified_files changes": 'the files that changed: `changed("**") != []`',
    "input event": "the parts of an event are fields, such as `tool.name`, `paths`, `commands`, `prompt`",
    "c": "`c` is the command in `when`, `unless` and the message of `on command`; `require` is asked of the event",
    "null none nil undefined": "a value that may be absent is asked for with `has x`, or replaced with `x else …`",
}
"""Words of other languages -> what to write here, where another construct stands for them."""


def error(
    code: str, place: Place, message: str, advice: str = "", related: tuple[tuple[str, Place], ...] = ()
) -> Diagnostic:
    """Return an error at a place; `related` are other places with what they have to do with it."""
    others = tuple(Related(text, other.source, other.span) for text, other in related)
    return Diagnostic(code, "error", message, place.source, place.span, advice, "", others)


def nearest(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """`did you mean …?` with the nearest known word, or `otherwise`. Looks only when something is wrong."""
    words = sorted(known)
    suggestion = nearest_word(word, words)
    if not suggestion:
        last = word.rpartition(".")[2]
        suggestion = next((known_word for known_word in words if known_word.rpartition(".")[2] == last), "")
    return f"did you mean `{suggestion}`?" if suggestion and suggestion != word else otherwise


def listing(words: Iterable[str]) -> str:
    """`a`, `b` or `c`, in backticks."""
    return plain_listing(f"`{word}`" for word in words)


def instead_of(word: str, known: Iterable[str]) -> str:
    """Return what to write for a word that means nothing here: another construct, or the nearest known word."""
    return next((advice for words, advice in _INSTEAD.items() if word in words.split()), "") or nearest(word, known)
