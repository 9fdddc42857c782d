"""What counts as a run of the whole suite: honest lines do, lines that prove nothing do not, in every ecosystem."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.facts import facts_of
from policy_engine.model.event import Event
from policy_engine.shell.parse import parse
from policy_engine.test_runs.counting import counts_for
from policy_engine.test_runs.evidence import Proof
from policy_engine.test_runs.summaries import SUMMARIES, count

DATA = Path(__file__).parents[2] / "data" / "test_runs"
REPOSITORIES: dict[str, dict[str, str]] = json.loads((DATA / "repositories.json").read_text("utf-8"))
ROWS = [
    json.loads(line)
    for name in ("honest", "traps")
    for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
]


def proofs(line: str, files: dict[str, str], text: str | None = None, **result: Any) -> list[Proof]:
    """What the runs of a line prove in a repository, by the facts of its event."""
    filesystem = Virtual()
    for name, content in files.items():
        filesystem.write(filesystem.resolve(name, filesystem.workspace), content.encode())
    ended = {"ok": True, "exit_code": 0, "status": "completed", **({} if text is None else {"text": text}), **result}
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    base = {"session": "s", "id": "e", "cwd": "/workspace", "workspace": "/workspace"}
    event = Event.from_dict({**base, "hook": "after_tool", "tool": tool, "result": ended})
    commands = parse(line, "/workspace", filesystem)
    return [fact.value for fact in facts_of(event, filesystem, commands) if fact.kind == "tests"]


def passes(line: str, files: dict[str, str], text: str | None = None, folder: str = "", strict: bool = False) -> bool:
    return any(counts_for(proof, "", folder, strict) == "passed" for proof in proofs(line, files, text))


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['ecosystem']}: {row['line'][:70]}" for row in ROWS])
def test_a_line_counts_or_does_not(row: dict[str, str]) -> None:
    files = REPOSITORIES.get(row["ecosystem"], {})
    assert passes(row["line"], files, row.get("text")) is (row["counts"] == "yes")


MEMBERS = {
    "package.json": '{"private": true, "workspaces": ["a", "b"]}', "a/a.test.js": "", "b/b.test.js": "",
    "a/package.json": '{"name": "a", "scripts": {"test": "node --test"}}',
    "b/package.json": '{"name": "b", "scripts": {"test": "node --test"}}',
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "changed", "counts"),
    [
        ("npm test --workspaces", {}, True),
        ("npm test -ws", {}, True),
        ("npm run test -ws --if-present", {}, True),
        ("yarn workspaces run test", {}, True),
        ("npm test", {}, False),
        ("npm test -- --workspaces", {}, False),
        ("npm test --workspaces", {"a/package.json": "{}", "b/package.json": "{}"}, False),
        ("npm run test -ws --if-present", {"b/package.json": '{"name": "b"}'}, False),
        ("npm run test -ws --if-present", {"b/package.json": '{"name": "b"}', "b/b.test.js": None}, True),
    ],
)
def test_the_scripts_of_members(line: str, changed: dict[str, str | None], counts: bool) -> None:
    files = {name: text for name, text in {**MEMBERS, **changed}.items() if text is not None}
    assert passes(line, files) is counts


CONDITIONS = (
    '{"imports": {"#calc": {"stub": "./old.js", "default": "./calc.js"}}, "scripts": {"test": "node --test%s"}}'
)


@pytest.mark.parametrize(
    ("line", "script", "counts"),
    [
        ("node --conditions=stub --test", "", False),
        ("node -C stub --test", "", False),
        ("node --conditions=other --test", "", True),
        ("node --conditions=stub --test", " --conditions=stub", True),
    ],
)
def test_conditions_that_lead_imports_elsewhere(line: str, script: str, counts: bool) -> None:
    assert passes(line, {"package.json": CONDITIONS % script, "a.test.js": ""}) is counts


MONOREPO = {
    "backend/pyproject.toml": "", "web/package.json": json.dumps({"scripts": {"test": "vitest run"}}), "api/go.mod": "",
    "package.json": json.dumps({"scripts": {"test": "turbo run test"}}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "folder", "counts"),
    [
        ("cd backend && pytest", "backend", True),
        ("(cd backend && uv run pytest -q)", "backend", True),
        ("pytest backend", "backend", True),
        ("pytest backend/tests", "backend", True),
        ("pytest", "backend", True),
        ("pytest backend/tests/test_a.py", "backend", False),
        ("pytest backend/tests/test_a.py", "backend/tests/test_a.py", True),
        ("cd backend && pytest -k one", "backend", False),
        ("cd backend && pytest", "", False),
        ("cd backend && pytest", "web", False),
        ("cd web && npm test", "web", True),
        ("npm --prefix web test", "web", True),
        ("pnpm --filter web test", "web", True),
        ("npm test -w web", "web", True),
        ("npm test", "web", False),
        ("pnpm -r test", "web", True),
        ("cd api && go test ./...", "api", True),
        ("go test ./api/...", "api", True),
        ("go -C api test ./...", "api", True),
        ("go test ./...", "api", False),
        ("cargo test -p core", "crates/core", True),
        ("make -C backend test", "backend", True),
        ("uv run --directory backend pytest", "backend", True),
        ("uv --directory backend run pytest", "backend", True),
    ],
)
def test_a_run_counts_for_the_folder_that_it_covers(line: str, folder: str, counts: bool) -> None:
    assert passes(line, MONOREPO, folder=folder) is counts


def test_a_summary_is_no_exit_status() -> None:
    line, text = "pytest -q 2>&1 | tail -5", "3 passed in 0.1s"
    assert passes(line, {}, text)
    assert not passes(line, {}, text, strict=True)
    assert passes("set -o pipefail; " + line, {}, text, strict=True)


@pytest.mark.parametrize(
    ("line", "text", "outcome"),
    [
        ("pytest -q", "1 failed in 0.1s", "failed"),
        ("pytest -q | tail -3", "1 failed, 2 passed in 0.1s", "failed"),
        ("pytest -q | tail -3", "", "unproven"),
        ("pytest -q tests/test_a.py", "no tests ran in 0.01s", "unproven"),
    ],
)
def test_only_a_failure_that_is_known_is_one(line: str, text: str, outcome: str) -> None:
    code = 1 if outcome == "failed" and "|" not in line else 5 if "no tests" in text else 0
    found = proofs(line, {}, text, exit_code=code, ok=code == 0, status="completed" if code == 0 else "failed")
    assert [proof.outcome for proof in found] == [outcome]


@pytest.mark.parametrize("name", sorted(SUMMARIES))
def test_the_failing_line_of_a_reader_is_read_as_failing(name: str) -> None:
    found = count(SUMMARIES[name].failing_line.replace("\\t", "\t"), (name,))
    assert found is not None and found.failed


def test_a_module_beside_the_tests_is_not_the_runner() -> None:
    assert passes("python -m pytest", {})
    assert not passes("python -m pytest", {"pytest.py": ""})
    assert not passes("python -m pytest", {"pytest/__init__.py": ""})
    assert not passes("PYTHONPATH=src python -m pytest", {"src/pytest.py": ""})
    assert passes("pytest", {"pytest.py": ""})


def test_a_target_that_is_a_folder_is_no_target() -> None:
    assert not passes("make test", {"Makefile": "build:\n\tcc a.c\n", "test/a.c": ""})
    assert passes("make test", {"Makefile": "include rules.mk\n"})


@pytest.mark.parametrize(
    ("config", "hooks", "counts"),
    [
        ('[core]\n\tbare = false\n[remote "origin"]\n\turl = x\n', "pre-commit.sample", True),
        ("[core]\n\tbare = false\n", "pre-commit", False),
        ("[core]\n\thooksPath = .husky\n", "pre-commit.sample", False),
        ("[format]\n\tpretty = %s\n", "pre-commit.sample", False),
        ("[include]\n\tpath = ../x\n", "pre-commit.sample", False),
    ],
)
def test_what_git_prints_beside_a_run_depends_on_its_settings(config: str, hooks: str, counts: bool) -> None:
    files = {".git/config": config, f".git/hooks/{hooks}": "", "a.py": ""}
    line = "pytest -q | tail -3 && git commit -qam x"
    assert passes(line, files, "3 passed in 0.1s") is counts


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("pytest -q && git commit -qam x && git tag v1.2", True), ("pytest -q && git tag -a v1.2 -m 'r 1.2'", True),
        ("pytest -q | tail -3 && git switch -q x", True), ("git branch; pytest -q | tail -3", True),
        ("pytest -q | tail -3 && git push origin v1.2", True), ("pytest -q | tail -3; git tag -n", False),
        ("pytest -q | tail -3; git tag", False), ("pytest -q | tail -3; git branch -vv", False),
    ],
)  # fmt: skip
def test_what_git_makes_beside_a_run_hides_no_summary(line: str, counts: bool) -> None:
    files = {".git/config": "[core]\n\tbare = false\n", ".git/hooks/pre-push.sample": "", "a.py": ""}
    assert passes(line, files, "3 passed in 0.1s") is counts


@pytest.mark.parametrize(
    "text",
    [
        "TAP version 13\nok 1 - add # SKIP\n1..1\n# tests 1\n# pass 0\n# fail 0\n# skipped 1",
        "ok 1 - add # todo later\n1..1", "Ran 3 tests in 0.01s\n\nOK (skipped=3)", "2 examples, 0 failures, 2 pending",
        "Tests run: 4, Failures: 0, Errors: 0, Skipped: 4", "3 tests, 0 failures, 3 skipped",
        "DONE 3 tests, 3 skipped in 0.1s",
        "3 runs, 0 assertions, 0 failures, 0 errors, 3 skips",
    ],
)  # fmt: skip
def test_tests_that_were_skipped_did_not_pass(text: str) -> None:
    counts = count(text, ())
    assert counts is not None and counts.passed == 0 and not counts.failed


def test_a_linter_that_a_module_of_the_workspace_shadows_may_print_anything() -> None:
    line, text = "python -m ruff check .; python -m pytest -q | tail -3", "24 passed in 1.20s"
    assert passes(line, {"pyproject.toml": ""}, text)
    assert not passes(line, {"pyproject.toml": "", "ruff.py": ""}, text)


NODE_TAP = "ok 1 - sum\n  ---\n  ...\nok 2 - neg\n1..2\n# tests 2\n# pass 2\n# fail 0\n# duration_ms 60.1"


@pytest.mark.parametrize("readers", [("node", "tap"), ("tap",), ()])
@pytest.mark.parametrize("text", [NODE_TAP, NODE_TAP[NODE_TAP.index("1..2") :]])
def test_tests_that_a_summary_counts_twice_are_counted_once(text: str, readers: tuple[str, ...]) -> None:
    counts = count(text, readers)
    assert counts is not None and (counts.passed, counts.failed) == (2, False)
