"""Find what commands of git take out of its index while the file stays. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.partial import GLOB, is_known, shown
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
    return [analysis.path(one, "delete", recursive, follow=False) for one in words if names_tests(one, recursive)]


def removed_tests(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return what `git update-index` takes out by `--force-remove`, or perhaps does where a word is not known."""
    place = words.index("--force-remove") + 1 if "--force-remove" in words else 0
    hidden = next((word for word in words[place:] if not is_known(word)), "")
    if hidden and (place or all(word == "--" or word[:1] != "-" for word in words)):
        reason = f"what `{shown(hidden)[:80]}` stands for is not known"
        return [analysis.may_touch("what leaves the index", reason, "delete")]
    return dropped_tests([word for word in words[place:] if word[:1] != "-"], False, analysis) if place else []


def names_tests(word: str, recursive: bool) -> bool:
    """Return whether a word names a file of tests, or a folder of them, by its name."""
    text = word.replace(GLOB, "").rstrip("/")
    if not is_known(text):
        return False
    last = text.rpartition("/")[2]
    return is_test(text) or (
        not _FOLDERS.isdisjoint(text.split("/")) and (recursive or "*" in last or bool(ecosystem_of(text)))
    )
