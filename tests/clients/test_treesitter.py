"""The tree-sitter grammar, compiled: each leaf of each policy here is what the parser takes it for, and is coloured."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policy_engine.language_server.highlighting import read_tokens
from policy_engine.model.source import Source
from policy_engine.syntax.grammar import language
from policy_engine.syntax.parser import parse
from tests.house.sources import ROOT
from tools.treesitter import FOLDER

COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
KINDS = {"integer": "INT", "label": "NAME"}
Place = tuple[int, int]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled grammar, as an editor makes it."""
    made = tmp_path_factory.mktemp("grammar") / "policy.so"
    source = FOLDER / "src"
    files = [str(source / name) for name in ("parser.c", "scanner.c")]
    command = [str(COMPILER), "-shared", "-fPIC", "-O0", "-I", str(source)]
    done = subprocess.run([*command, *files, "-o", str(made)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return made


@pytest.fixture(scope="module")
def parser(library: Path) -> Any:
    tree_sitter = pytest.importorskip("tree_sitter")
    make = ctypes.CDLL(str(library)).tree_sitter_policy
    make.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return tree_sitter.Parser(tree_sitter.Language(capsule(make(), b"tree_sitter.Language", None)))


def _policies() -> list[Path]:
    """Every policy in the repository that can be read."""
    command = ["git", "ls-files", "-z", "*.policy"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and not parse(Source(name, (ROOT / name).read_text("utf-8")))[1]]


def _leaves(node: Any, data: bytes) -> Iterator[tuple[str, str, int]]:
    """Give the kind, the text and the place of each leaf; a label is a name and a colon."""
    if node.children:
        for child in node.children:
            yield from _leaves(child, data)
        return
    text = data[node.start_byte : node.end_byte].decode().rstrip()
    if node.type == "comment":
        return
    if node.type == "label":
        yield "NAME", text[:-1].rstrip(), node.start_byte
        yield ":", ":", node.start_byte + len(text) - 1
        return
    yield KINDS.get(node.type, node.type.upper()) if node.is_named else node.type, text, node.start_byte


def _taken(text: str) -> list[tuple[str, str, int]]:
    """Return the same of the parser's tokens."""
    words = language().scanner.words
    signs = language().scanner.signs
    names = {**words, **signs}
    return [
        (names.get(token.kind, token.kind), token.text.rstrip(), len(text[: token.start].encode()))
        for token in read_tokens(Source("x", text))
    ]


ODD = """\
language 1
rule a { on command git push --force, "x y",
    docker stop when-it-is, stop x y fail slow  # why
  deny "no" }
rule b { on command rm -r on shutdown stop done "it" }
rule cc { on command npm stop when true deny }
rule c { on command a when true deny }
rule d { on command a timeout 5s deny }
rule e { on command make test fail open shadow warn "é" }
rule f { on before_tool(write, "Bash") when f(any: 1, count: count(x), in: 2) deny }
rule g { on before_tool when count x in y { x } > 1 and z == 2026-01-01
  and u == 2026-01-01T10:00Z and v in [1m, 3 rounds] deny }
"""


@pytest.mark.parametrize("text", [pytest.param(ODD, id="odd")])
def test_the_words_of_a_command_end_where_a_clause_begins(parser: Any, text: str) -> None:
    data = text.encode()
    tree = parser.parse(data)
    assert not tree.root_node.has_error, tree.root_node
    assert list(_leaves(tree.root_node, data)) == _taken(text)


def test_every_leaf_is_what_the_parser_takes_it_for(parser: Any) -> None:
    policies = _policies()
    wrong = []
    for path in policies:
        text = path.read_text("utf-8")
        tree = parser.parse(text.encode())
        if tree.root_node.has_error or list(_leaves(tree.root_node, text.encode())) != _taken(text):
            wrong.append(str(path.relative_to(ROOT)))
    assert len(policies) > 60
    assert wrong == []


def test_every_leaf_has_at_most_one_colour(parser: Any) -> None:
    """Editors differ in whether the first or the last capture counts: no leaf has two."""
    tree_sitter = pytest.importorskip("tree_sitter")
    query = tree_sitter.Query(parser.language, (FOLDER / "queries" / "highlights.scm").read_text("utf-8"))
    captures = tree_sitter.QueryCursor(query).captures(parser.parse(ODD.encode()).root_node)
    colours = [(node.start_byte, node.end_byte) for nodes in captures.values() for node in nodes]
    assert len(colours) == len(set(colours))
    assert {"keyword", "keyword.return", "keyword.operator", "string.special", "type.definition"} <= set(captures)


@pytest.mark.skipif(
    shutil.which("tree-sitter") is None, reason="the CLI is not installed: `npm install -g tree-sitter-cli`"
)
def test_the_parser_is_generated_again_as_it_is_kept(tmp_path: Path) -> None:
    kept = FOLDER / "src"
    shutil.copytree(kept, tmp_path / "src")
    shutil.copy(FOLDER / "tree-sitter.json", tmp_path)
    words = json.loads((FOLDER / "package.json").read_text("utf-8"))["scripts"]["generate"].split()
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("parser.c", "node-types.json"):
        assert (tmp_path / "src" / name).read_text("utf-8") == (kept / name).read_text("utf-8"), name


STORY = """\
local language, query = vim.treesitter.language, vim.treesitter.query
;(language.add or vim.treesitter.require_language)('policy')
vim.cmd('edit ' .. vim.env.POLICY_FILE)
local root = vim.treesitter.get_parser(0, 'policy'):parse()[1]:root()
io.stdout:write(tostring(root:has_error()) .. '\\n')
local colours = (query.get or query.get_query)('policy', 'highlights')
for id, node in colours:iter_captures(root, 0, 0, -1) do
  local line, start, _, last = node:range()
  io.stdout:write(line .. ':' .. start .. '-' .. last .. ' ' .. colours.captures[id] .. '\\n')
end
vim.cmd('quitall!')
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed: `apt-get install neovim`")
def test_neovim_colours_with_it(library: Path, tmp_path: Path) -> None:
    for name, source in (
        ("parser/policy.so", library),
        ("queries/policy/highlights.scm", FOLDER / "queries/highlights.scm"),
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(source, tmp_path / name)
    file = tmp_path / "main.policy"
    file.write_text('language 1\nrule a { on command git push\n  deny "no" }\n')
    story = tmp_path / "story.lua"
    story.write_text(STORY)
    command = ["nvim", "--headless", "--clean", "-n", "--cmd", f"set runtimepath+={tmp_path}", "-S", str(story)]
    environment = {**os.environ, "POLICY_FILE": str(file), "XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    shown = done.stdout.splitlines()
    assert shown[:1] == ["false"], done.stdout + done.stderr
    assert {"0:0-8 keyword", "1:5-6 type.definition", "1:12-28 string.special", "2:2-6 keyword.return"} <= set(shown)


@pytest.mark.skipif(
    shutil.which("hx") is None, reason="Helix is not installed: `apt-get install hx`, from Debian 13 on"
)
def test_helix_finds_grammar_queries_server_and_debugger(library: Path, tmp_path: Path) -> None:
    own = FOLDER.parent / "helix"
    settings, runtime = tmp_path / "helix", tmp_path / "helix" / "runtime"
    shutil.copytree(own / "queries", runtime / "queries")
    (runtime / "grammars").mkdir()
    shutil.copy(library, runtime / "grammars" / "policy.so")
    shutil.copy(own / "languages.toml", settings)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "PATH": path}
    environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HELIX_RUNTIME": str(runtime)}
    done = subprocess.run(["hx", "--health", "policy"], env=environment, capture_output=True, text=True, check=False)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).splitlines()
    found = {"Tree-sitter parser: ✓", "Highlight queries: ✓", "Textobject queries: ✓", "Indent queries: ✓"}
    assert found - set(shown) == set(), done.stdout + done.stderr
    assert sum("✓" in line and line.rstrip().endswith("/policy") for line in shown) == 2, done.stdout


def test_the_queries_of_each_editor_name_what_the_grammar_has(parser: Any) -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    queries = [*FOLDER.glob("queries/*.scm"), *FOLDER.parent.glob("*/**/policy/*.scm")]
    assert len(queries) == 9
    for path in queries:
        assert tree_sitter.Query(parser.language, path.read_text("utf-8")).pattern_count, path
