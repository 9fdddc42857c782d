"""The TextMate grammar in the engine of VS Code: each token of each policy here is what the parser takes it for."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from policy_engine.language_server.highlighting import read_tokens
from policy_engine.model.source import Source
from policy_engine.syntax.grammar import language
from policy_engine.syntax.parser import parse
from tests.clients.packages import Absent, install, node, offline
from tests.house.sources import ROOT
from tools.textmate import FILE

PACKAGES = (("vscode-textmate", "9.3.2"), ("vscode-oniguruma", "2.0.1"))
CLASSES = {
    "keyword.operator.policy": "sign",
    "string.quoted": "STRING",
    "string.regexp": "REGEX",
    "support.type": "TYPE",
    "string.unquoted.command": "COMMAND_LINE",
    "constant.numeric.date": "DATE",
    "constant.numeric.duration": "DURATION",
    "constant.numeric.integer": "INT",
    "keyword": "keyword",
    "constant.language": "keyword",
    "entity.name": "NAME",
    "variable": "NAME",
    "comment": "comment",
    "source": "",
}
Place = tuple[int, int, int]


def _policies() -> list[Path]:
    """Every policy in the repository that can be read; the ones with mistakes colour as they may."""
    command = ["git", "ls-files", "-z", "*.policy"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and not parse(_source(ROOT / name))[1]]


def _source(path: Path) -> Source:
    return Source(str(path), path.read_text("utf-8"))


def _taken(path: Path) -> Iterator[tuple[Place, str]]:
    """Give the tokens of the parser with their class, one for each line that they stand on."""
    words, source = language().scanner.words, _source(path)
    for token in read_tokens(source):
        kind = "keyword" if token.kind in words else "DATE" if token.kind == "MOMENT" else token.kind
        kind = (
            kind if kind == "keyword" or kind in CLASSES.values() else "" if token.text in set("()[]{},:.") else "sign"
        )
        start = source.text.rfind("\n", 0, token.start) + 1
        yield (source.text.count("\n", 0, token.start), token.start - start, token.end - start), kind


def _class(scopes: list[str]) -> str:
    """Return the class of a token of VS Code: that of the outermost scope behind the file's."""
    scope = scopes[1] if len(scopes) > 1 else scopes[0]
    return next(kind for name, kind in CLASSES.items() if scope.startswith(name))


def test_every_token_is_coloured_as_the_parser_takes_it(tmp_path: Path) -> None:
    try:
        modules = [str(install(name, version)) for name, version in PACKAGES]
        program = str(node() / "node")
    except Absent as why:
        (pytest.skip if offline() else pytest.fail)(str(why))
    policies = _policies()
    done = subprocess.run(
        [program, str(Path(__file__).with_name("textmate.cjs")), str(FILE), *map(str, policies)],
        env={**os.environ, "NODE_PATH": os.pathsep.join(modules)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    coloured = json.loads(done.stdout)
    wrong = []
    for path in policies:
        classes = {(line, at): _class(scopes) for line, a, b, scopes in coloured[str(path)] for at in range(a, b)}
        lines = path.read_text("utf-8").splitlines()
        for (line, start, end), kind in _taken(path):
            found = {classes[line, at] for at in range(start, end)}
            if found != {kind}:
                wrong.append(f"{path.relative_to(ROOT)}:{line + 1}: {lines[line][start:end]} is {kind}, not {found}")
    assert len(policies) > 60
    assert wrong == [], "\n".join(wrong[:60])
