"""Pathspecs where git cannot be asked: the files that are there are compared as git does."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.programs.git_pathspecs import PRESENT, TRACKED, files_fitted, fitted, is_pattern

FILES = (".git/config", ".policy/a.policy", "README.md", "docs/a.md", "docs/deep/b.md", "src/a.py", "src/x[1].py")


@pytest.fixture
def filesystem() -> Virtual:
    made = Virtual()
    for name in FILES:
        made.write(made.resolve(name, "/workspace"), b"x\n")
    return made


@pytest.mark.parametrize(
    ("words", "folder", "env", "found"),
    [
        (["*.md"], "", {}, ["README.md", "docs/a.md", "docs/deep/b.md"]),
        (["docs/*.md"], "", {}, ["docs/a.md", "docs/deep/b.md"]),
        (["*.md"], "docs", {}, ["docs/a.md", "docs/deep/b.md"]),
        (["../*.policy"], "docs", {}, [".policy/a.policy"]),
        ([":/*.policy"], "docs", {}, [".policy/a.policy"]),
        ([":(top)src"], "docs", {}, ["src/a.py", "src/x[1].py"]),
        ([":(icase).POLICY"], "", {}, [".policy/a.policy"]),
        ([":(icase)DOCS/deep/*"], "", {}, ["docs/deep/b.md"]),
        ([":(glob)**/*.policy"], "", {}, [".policy/a.policy"]),
        ([":(literal)*.md"], "", {}, []),
        ([":(attr:x)src"], "", {}, ["src/a.py", "src/x[1].py"]),
        ([r"src/x\[1].py"], "", {}, ["src/x[1].py"]),
        (["*.md", ":!docs"], "", {}, ["README.md"]),
        ([":^*.md", ":(exclude)src"], "", {}, [".policy/a.policy"]),
        (["*.md", ":(exclude,attr:x)docs"], "", {}, ["README.md", "docs/a.md", "docs/deep/b.md"]),
        (["SRC/A.py"], "", {"GIT_ICASE_PATHSPECS": "1"}, ["src/a.py"]),
        (["*.md"], "", {"GIT_LITERAL_PATHSPECS": "1"}, []),
        (["nowhere/*"], "", {}, []),
    ],
)
def test_files_fit_as_git_says(
    filesystem: Virtual, words: list[str], folder: str, env: dict[str, str], found: list[str]
) -> None:
    cwd = filesystem.resolve(folder or ".", "/workspace")
    real = files_fitted(words, cwd, filesystem, env, PRESENT)
    assert sorted(name.removeprefix("/workspace/") for name in real) == sorted(found)


def _named(filesystem: Virtual, words: list[str], access: str, files: tuple[str, ...]) -> list[str]:
    analysis = EffectAnalysis(PathValue(".", "/workspace"), filesystem, "git-rm")
    return [path.text for path in fitted(words, access, analysis, files)]


def test_a_plain_name_stays_one_and_what_is_left_out_is_none(filesystem: Virtual) -> None:
    assert _named(filesystem, ["docs/a.md"], "delete", PRESENT) == ["docs/a.md"]
    assert _named(filesystem, ["*.policy", ":!docs"], "delete", PRESENT) == ["*.policy", ".policy/a.policy"]
    assert _named(filesystem, [".", ":!docs"], "read", TRACKED) == ["."]


def test_too_many_files_are_not_known_to_be_harmless(filesystem: Virtual) -> None:
    for number in range(2_100):
        filesystem.files[f"/workspace/out/{number}.txt"] = b""
    analysis = EffectAnalysis(PathValue(".", "/workspace"), filesystem, "git-rm")
    assert not all(path.known for path in fitted(["out/*"], "delete", analysis))
    assert all(path.known for path in fitted(["out/*"], "read", analysis))


def test_only_magic_and_signs_make_a_pattern() -> None:
    assert all(map(is_pattern, (":(icase)x", ":/x", ":!x", "*.py", "x?", r"\x")))
    assert not any(map(is_pattern, ("x", "HEAD:x", ":x", "src/a.py")))
