"""Every module has a docstring in plain words; nothing is left for later; nothing names an index or a machine."""

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
_TEXT = {"", *".py .md .toml .ini .cfg .yml .yaml .json .jsonl .policy .case .lark .sh .txt .html .css .js".split()}


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


_AT_THE_ROOT = frozenset(
    ".gitignore .importlinter .pre-commit-hooks.yaml CHANGELOG.md CONTRIBUTING.md Containerfile LICENSE Makefile"
    " README.md action.yml mkdocs.yml pyproject.toml".split()
)


def test_nothing_stray_lies_at_the_root() -> None:
    """A file that some command left there was committed twice."""
    assert {str(path) for path in _tracked() if len(path.parts) == 1} - _AT_THE_ROOT == set()


def test_every_module_has_a_docstring() -> None:
    silent = [str(path) for path in python_files(*CODE) if not (ast.get_docstring(tree_of(path)) or "").strip()]
    assert silent == []


_OLD_FORM = re.compile(r"(Whether|What|Whatever|Which|Who|Whoever|Where|When|Why|How|If) |[^\n]*→")


def test_docstrings_begin_with_a_verb_or_a_name() -> None:
    """Style, rule 10: "Return whether …", not "Whether …"; "Parse a text to a tree", not "Text → tree"."""
    assert {str(path): found for path in python_files("policy_engine") if (found := _old_docstrings(path))} == {}


def _old_docstrings(path: Path) -> list[str]:
    """Return the first lines of the docstrings of a file that begin otherwise."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    texts = [ast.get_docstring(node) or "" for node in ast.walk(tree_of(path)) if isinstance(node, kinds)]
    return [text.splitlines()[0] for text in texts if _OLD_FORM.match(text)]


def test_modules_about_shell_lines_have_no_arrows() -> None:
    rooms = [f"policy_engine/{room}" for room in ("shell", "effects", "inline", "programs")]
    arrows = [str(path) for path in python_files(*rooms) if "→" in (ast.get_docstring(tree_of(path)) or "")]
    assert arrows == []


def test_nothing_is_left_for_later() -> None:
    found = []
    for path in python_files(*CODE):
        for token in tokenize.generate_tokens(io.StringIO(text_of(path)).readline):
            if token.type == tokenize.COMMENT and _LATER.search(token.string):
                found.append(f"{path}:{token.start[0]}: {token.string}")
    assert found == []


def test_no_file_names_a_package_index() -> None:
    table = ("policy_engine/programs/programs.toml:", "policy_engine/programs/_rows.py:")  # names what everybody uses
    table += ("rules/security/no-unasked-dependency.policy:", "tests/unit/effects/test_package_sources.py:")
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


_OWN_WORDS = {"policy_engine/inline/effect_analysis.py": "a word of our own programs, misspelt: their tests find it"}


def _narrows(test: ast.expr) -> bool:
    text = ast.unparse(test)
    return text.startswith("isinstance(") or text.endswith(" is not None")
