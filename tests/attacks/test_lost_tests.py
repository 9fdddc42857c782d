"""Tests that are still written down, and that nothing runs any more or that cannot fail; sources made for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine.filesystem.file_system import Disk, FileSystem
from policy_engine.test_runs.lost_tests import is_on, lost_tests
from policy_engine.test_runs.other_builds import other_in_tests
from policy_engine.test_runs.session_changes import Changes
from tests.attacks.test_runner_settings import changed
from tests.attacks.test_runs_of_tests import finish, ran, write
from tests.attacks.test_tests_taken_out import GIT, TEXT

LIBRARY = (
    "mod calc;\n\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n"
    "#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    "    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n"
)
CALC = (
    "pub fn one() -> i32 {\n    1\n}\n\n"
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn ones() {\n        assert!(true);\n    }\n}\n"
)
OUTER = "mod common;\n\n#[test]\nfn outer() {\n    assert_eq!(1, 1);\n}\n"
CARGO = "[package]\nname = 'a'\n[features]\ndefault = ['std']\nstd = []\nslow = []\n"
CASES = (
    "CASES = [\n    (1, 2),\n    (3, 4),\n]\nKNOWN = {'a'}\n\n\n"
    "@pytest.mark.parametrize('case', CASES)\ndef test_case(case):\n    assert case not in KNOWN\n"
)
JS_CASES = "const cases = [\n  [1, 2],\n];\ntest.each(cases)('adds', (a, b) => {});\nconst seen = ['a'];\n"
GO_CASES = (
    "func TestAdd(t *testing.T) {\n\ttests := []struct {\n\t\ta int\n\t}{\n\t\t{1},\n\t}\n"
    "\tfor _, tt := range tests {\n\t\tt.Log(tt)\n\t}\n}\n"
)
FILES = {
    "Cargo.toml": CARGO, "src/lib.rs": LIBRARY, "src/calc.rs": CALC, "tests/outer.rs": OUTER,
    "tests/common/mod.rs": "pub fn help() {}\n", "tests/test_app.py": TEXT, "tests/test_cases.py": CASES,
    "tests/cases.json": '[{"a": 1}]\n', "tests/answer.json": '[{"a": 1}]\n', "test/a.test.js": JS_CASES,
    "calc/calc_test.go": GO_CASES,
}  # fmt: skip
MARKED = CASES.replace("{'a'}", "{{'a'}}").replace("@pytest", "{}\n\n\n@slow\n@pytest")
GONE = ""
LOST = {
    "a feature": ({"src/lib.rs": LIBRARY.replace("#[cfg(test)]", '#[cfg(all(test, feature = "slow"))]')}, "adds"),
    "a feature of the file": ({"tests/outer.rs": f'#![cfg(feature = "slow")]\n{OUTER}'}, "outer"),
    "a feature of a module": ({"src/lib.rs": '#[cfg(feature = "slow")]\n' + LIBRARY}, "mod calc"),
    "out of mod": ({"src/lib.rs": LIBRARY.replace("mod calc;\n", "")}, "mod calc"),
    "a folder that is not built": ({"tests/outer.rs": GONE, "tests/more/outer.rs": OUTER}, "outer in tests/more"),
    "no mark": ({"src/lib.rs": LIBRARY.replace("    #[test]\n", "")}, "adds without"),
    "a panic": ({"src/lib.rs": LIBRARY.replace("#[test]", "#[test]\n    #[should_panic]")}, "adds: #[should_panic]"),
    "a second function": ({"tests/test_app.py": f"{TEXT}\n\ndef test_zero():\n    pass\n"}, "test_zero, hidden"),
    "another value": ({"tests/test_app.py": f"{TEXT}\n\ntest_zero = None\n"}, "test_zero, hidden"),
    "a decorator": (
        {"tests/test_cases.py": MARKED.format("def slow(f):\n    return lambda: None")},
        "test_case, which",
    ),
    "a decorator of its name": (
        {"tests/test_cases.py": MARKED.format(
            "def slow(f):\n    @wraps(f)\n    def inner():\n        pass\n    return inner")},
        "test_case, which",
    ),
    "a lambda": ({"tests/test_cases.py": MARKED.format("slow = lambda f: print")}, "test_case, which"),
    "a made decorator": (
        {"tests/test_cases.py": MARKED.replace("@slow", "@slow(1)").format(
            "def slow(n):\n    def made(f):\n        return print\n    return made")},
        "test_case, which",
    ),
    "no cases": ({"tests/test_cases.py": CASES.replace("    (1, 2),\n    (3, 4),\n", "")}, "CASES without"),
    "cases cut": ({"tests/test_cases.py": CASES.replace("KNOWN", "CASES = CASES[:0]\nKNOWN", 1)}, "CASES without"),
    "cases cleared": ({"tests/test_cases.py": CASES.replace("KNOWN", "CASES.clear()\nKNOWN", 1)}, "CASES without"),
    "no data": ({"tests/cases.json": "[]\n"}, "cases.json without"),
    "no cases of JavaScript": ({"test/a.test.js": JS_CASES.replace("\n  [1, 2],\n", "")}, "cases without"),
    "no cases of Go": ({"calc/calc_test.go": GO_CASES.replace("\t\t{1},\n", "")}, "tests without"),
}  # fmt: skip
KEPT = {
    "a feature that is on": {"src/lib.rs": LIBRARY.replace("#[cfg(test)]", '#[cfg(all(test, feature = "std"))]')},
    "a new test behind a feature": {
        "src/lib.rs": f'{LIBRARY}\n#[cfg(feature = "slow")]\n#[test]\nfn more() {{\n    assert!(true);\n}}\n',
    },
    "another folder": {
        "src/lib.rs": LIBRARY.replace("mod calc;", "mod math;"), "src/math/mod.rs": "mod calc;\n",
        "src/math/calc.rs": CALC, "src/calc.rs": GONE,
    },
    "a folder with its main": {
        "tests/outer.rs": GONE, "tests/more/main.rs": "mod outer;\n", "tests/more/outer.rs": OUTER,
    },
    "a folder that a file names": {
        "tests/outer.rs": GONE, "tests/all.rs": "mod more;\n", "tests/more/mod.rs": "mod outer;\n",
        "tests/more/outer.rs": OUTER,
    },
    "a panic that is new": {
        "src/lib.rs": LIBRARY.replace("#[test]", "#[test]\n    #[should_panic]").replace("add(1,", "add(i32::MAX,"),
    },
    "another test": {"tests/test_app.py": f"{TEXT}\n\nclass TestZero:\n    def test_zero(self):\n        pass\n"},
    "a list that no test goes through": {"tests/test_cases.py": CASES.replace("{'a'}", "set()")},
    "a decorator that marks": {"tests/test_cases.py": MARKED.format("def slow(f):\n    return pytest.mark.slow(f)")},
    "a decorator that calls": {
        "tests/test_cases.py": MARKED.format(
            "def slow(f):\n    @wraps(f)\n    def inner(case):\n        return f(case)\n    return inner"),
    },
    "a made mark": {
        "tests/test_cases.py": MARKED.replace("@slow", "@slow(1)").format("def slow(n):\n    return pytest.mark.x(n)"),
    },
    "an answer": {"tests/answer.json": "[]\n"},
    "fewer cases": {"tests/test_cases.py": CASES.replace("    (3, 4),\n", "")},
    "another list": {"test/a.test.js": JS_CASES.replace("['a']", "[]")},
}  # fmt: skip


def committed(folder: Path, files: dict[str, str]) -> tuple[FileSystem, str]:
    put(folder, files)
    for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *line], cwd=folder, check=True)
    filesystem = Disk(str(folder), str(folder))
    return filesystem, filesystem.repository().ask("rev-parse", "HEAD").decode().strip()


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink() if text == GONE else path.write_text(text)


@pytest.mark.parametrize("what", LOST)
def test_tests_that_nothing_runs_any_more(tmp_path: Path, what: str) -> None:
    filesystem, commit = committed(tmp_path, FILES)
    files, line = LOST[what]
    put(tmp_path, files)
    lost = [one.line for one in lost_tests(commit, filesystem)]
    assert lost and line in lost[0], lost


@pytest.mark.parametrize("what", KEPT)
def test_tests_that_still_run(tmp_path: Path, what: str) -> None:
    filesystem, commit = committed(tmp_path, FILES)
    put(tmp_path, KEPT[what])
    assert lost_tests(commit, filesystem) == []


def test_a_run_with_the_feature_has_its_tests(tmp_path: Path) -> None:
    filesystem, commit = committed(tmp_path, FILES)
    put(tmp_path, LOST["a feature"][0])
    (one,) = lost_tests(commit, filesystem)
    lines = ("cargo test", "cargo test --all-features", "cargo test --features std,slow", "cargo test -F slower")
    assert [is_on(one, line) for line in lines] == [False, True, True, False]


RUST = {name: FILES[name] for name in ("Cargo.toml", "src/lib.rs", "src/calc.rs", "tests/outer.rs")}
OK = (
    "running 2 tests\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
)


def test_a_run_without_tests_that_are_lost_is_no_proof_until_a_person_goes_on(tmp_path: Path) -> None:
    session = changed(tmp_path, RUST)
    write(session, "src/lib.rs", LOST["a panic"][0]["src/lib.rs"])
    told = ran(session, "cargo test", OK, "one")
    assert "this session switched off tests that ran before (`adds: #[should_panic]`)" in told, told
    assert finish(session) == "refused"
    session.host.call(session.host.payload("UserPromptSubmit", prompt="That is what I asked for."))
    told = ran(session, "cargo test", OK, "two")
    assert finish(session) == "accepted", told


BODY = "    a + b\n"
OTHER = {
    "an early return": "    if cfg!(debug_assertions) { return a + b; }\n    a - b\n",
    "either": "    if cfg!(test) { a + b } else { a - b }\n",
    "a statement": "    #[cfg(test)]\n    return a + b;\n    a - b\n",
    "a block": "    #[cfg(not(debug_assertions))]\n    { return a - b; }\n    a + b\n",
}
SAME = {
    "a check": "    if cfg!(debug_assertions) { assert!(a > 0); }\n    a + b\n",
    "a log": "    #[cfg(debug_assertions)]\n    println!(\"{a}\");\n    debug_assert!(a > 0);\n    a + b\n",
}  # fmt: skip
TWICE = "#[cfg(test)]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n#[cfg(not(test))]\npub fn add"


@pytest.mark.parametrize("text", [LIBRARY.replace(BODY, one) for one in OTHER.values()]
                         + [LIBRARY.replace("pub fn add", TWICE)])  # fmt: skip
def test_sources_that_do_something_else_where_tests_run(tmp_path: Path, text: str) -> None:
    filesystem, commit = committed(tmp_path, RUST)
    put(tmp_path, {"src/lib.rs": text})
    assert list(other_in_tests(Changes(commit, lambda _: True, filesystem)))


@pytest.mark.parametrize("text", [LIBRARY.replace(BODY, one) for one in SAME.values()]
                         + [f"{LIBRARY}\n{TWICE.replace('fn add', 'fn now')}(a: i32) {{}}\n"])  # fmt: skip
def test_checks_logs_and_new_functions_are_what_they_are(tmp_path: Path, text: str) -> None:
    filesystem, commit = committed(tmp_path, RUST)
    put(tmp_path, {"src/lib.rs": text})
    assert list(other_in_tests(Changes(commit, lambda _: True, filesystem))) == []


def test_a_source_made_for_tests_is_no_proof(tmp_path: Path) -> None:
    session = changed(tmp_path, RUST)
    write(session, "src/lib.rs", LIBRARY.replace(BODY, OTHER["either"]))
    told = ran(session, "cargo test", OK, "one")
    assert "which does something else where tests run" in told, told
    assert finish(session) == "refused"
    write(session, "src/lib.rs", LIBRARY.replace(BODY, SAME["a check"]))
    told = ran(session, "cargo test", OK, "two")
    assert finish(session) == "accepted", told
