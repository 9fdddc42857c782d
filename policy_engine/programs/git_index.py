"""Find what commands of git take out of its index while the file stays. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.partial import GLOB, is_known
from policy_engine.model.test_names import ecosystem_of, is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis

_FOLDERS = frozenset(("test", "tests", "spec", "__tests__"))


def dropped_tests(words: list[str], recursive: bool, analysis: EffectAnalysis) -> list[PathValue]:
    """Return the files of tests among those that the next commit lacks though they stay on the disk: it deletes them.

    Other files are taken out of the index since they never belonged there: `node_modules`, `.env`.
    """
    places = [word.rpartition(")")[2] if word[:2] == ":(" else word.removeprefix(":/") for word in words]
    return [analysis.path(one, "delete", recursive, follow=False) for one in places if _names_tests(one, recursive)]


def _names_tests(word: str, recursive: bool) -> bool:
    """Return whether a word names a file of tests, or a folder of them, by its name."""
    text = word.replace(GLOB, "").rstrip("/")
    if not is_known(text):
        return False
    last = text.rpartition("/")[2]
    return is_test(text) or (
        not _FOLDERS.isdisjoint(text.split("/")) and (recursive or "*" in last or bool(ecosystem_of(text)))
    )
