"""Every module says what it is for; nothing is left for later; nothing names a package index or someone's machine."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from pathlib import Path

import pytest

from tests.house.sources import CODE, ROOT, python_files, text_of, tree_of

_LATER = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b")
# Spelt in pieces, so that this file does not find itself.
_INDEXES = re.compile(
    r"py" + r"pi\.org|pythonhosted\.or" + r"g|registry\.npm" + r"js|crates\.i" + r"o|--(extra-)?index" + r"-url"
)
_MACHINE = re.compile(r"/wo" + r"rk/(main|shared|issues)|/tm" + r"p/team")
_MAKERS = re.compile(r"(co-authored|generated|written)[ -](by|with):? *(claude|gpt|copilot|an? (ai|llm))", re.I)
_TEXT = {"", *".py .md .toml .ini .cfg .yml .yaml .json .jsonl .policy .case .lark .sh .txt .html .css".split()}


def _tracked() -> list[Path]:
    """The text files that git knows or would add; without git, all that are not hidden."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        names = [Path(name) for name in done.stdout.split("\0") if name]
    else:
        found = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        names = [path for path in found if not any(part.startswith(".") for part in path.parts)]
    return [path for path in names if path.suffix in _TEXT and (ROOT / path).is_file()]


def _hits(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in _tracked():
        text = (ROOT / path).read_bytes().decode("utf-8", "replace")
        found += [f"{path}:{text.count(chr(10), 0, hit.start()) + 1}: {hit[0]}" for hit in pattern.finditer(text)]
    return found


def test_every_module_says_what_goes_in_and_comes_out() -> None:
    silent = [str(path) for path in python_files(*CODE) if not (ast.get_docstring(tree_of(path)) or "").strip()]
    assert silent == []


def test_modules_of_the_shell_wing_say_in_a_sentence_what_they_do() -> None:
    rooms = [f"policy_engine/{room}" for room in ("shell", "effects", "inline", "programs")]
    riddles = [str(path) for path in python_files(*rooms) if "→" in (ast.get_docstring(tree_of(path)) or "")]
    assert riddles == []


def test_nothing_is_left_for_later() -> None:
    found = []
    for path in python_files(*CODE):
        for token in tokenize.generate_tokens(io.StringIO(text_of(path)).readline):
            if token.type == tokenize.COMMENT and _LATER.search(token.string):
                found.append(f"{path}:{token.start[0]}: {token.string}")
    assert found == []


def test_no_file_names_a_package_index() -> None:
    table = ("policy_engine/programs/programs.toml:", "policy_engine/programs/_rows.py:")  # it names options, no index
    assert [hit for hit in _hits(_INDEXES) if not hit.startswith(table)] == []


def test_no_file_names_the_machine_it_was_written_on() -> None:
    assert _hits(_MACHINE) == []


def test_people_are_the_authors() -> None:
    assert _hits(_MAKERS) == []


@pytest.mark.fault(106)
@pytest.mark.requirement("R18")
def test_an_assertion_only_tells_the_type_checker_what_holds() -> None:
    """`PYTHONOPTIMIZE` takes assertions away: nothing may rest on one."""
    found = []
    for path in python_files("policy_engine"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Assert) and not _narrows(node.test) and str(path) not in _OWN_WORDS:
                found.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    assert found == []


_OWN_WORDS = {"policy_engine/model/scene.py": "a word of our own programs, misspelt: their tests find it"}


def _narrows(test: ast.expr) -> bool:
    text = ast.unparse(test)
    return text.startswith("isinstance(") or text.endswith(" is not None")
