"""Tell whether a runner of tasks only shows what it would run. Imported by the hook path."""

from __future__ import annotations

_SHOWING = {
    "make": "--dry-run --just-print --recon --question -n -q",
    "just": "--dry-run -n --list -l --show -s --summary --dump",
    "task": "--dry -n --list -l --list-all -a --summary",
    "turbo": "--dry --dry-run",
    "ninja": "-n",
}
_NAMES = {"gmake": "make", "go-task": "task"}
_FLAGS = frozenset("bBdehikLmnpqrRsStvwl")
"""Letters of options without a value, of which one word may hold several."""


def shows_only(name: str, words: tuple[str, ...] | list[str]) -> bool:
    """Return whether an option of a call says that its recipes are only printed.

    Args:
        name: the program.
        words: its arguments.
    """
    showing = _SHOWING.get(_NAMES.get(name, name), "").split()
    letters = {option[1] for option in showing if len(option) == 2}
    for place, word in enumerate(words):
        if word == "--":
            return False
        if word[:1] != "-" or words[place - 1 : place] in (["-f"], ["-C"], ("-f",), ("-C",)):
            continue
        if word.partition("=")[0] in showing:
            return True
        bundle = word[1 : next((end for end in range(1, len(word)) if word[end] not in _FLAGS), len(word))]
        if word[1:2] != "-" and not letters.isdisjoint(bundle):
            return True
    return False
