"""Why a run does not count is said truly, as the line was typed, with what would count in its place."""

from __future__ import annotations

import json

import pytest

from tests.unit.test_runs.test_lines import passes, proofs

UNSEEN = "its exit status is that of `tail`, and the result shows no summary of the tests"
ENDED = {"ok": False, "status": "failed"}


@pytest.mark.parametrize(
    ("line", "text", "code", "reason"),
    [
        ("pytest -q", "no tests ran in 0.01s", 5, "no test ran, or all of them were skipped"),
        ("pytest -q", "1 failed in 0.01s", 1, "tests failed"),
        ("timeout 5 pytest -q", "....", 124, "it was stopped before it ended, since it took too long"),
        ("npm test", "1 passed", 143, "it was stopped before it ended (exit status 143)"),
        ("tox -e lint", "", 0, "`-e lint` is no environment of the tests"),
        *((f"{line} {flag}", "", 0,
           f"with `{flag}` it writes snapshots anew, so that tests of them pass whatever the source does")
          for line, flag in (("npx jest", "-u"), ("npx vitest run", "--update"), ("npm test --", "-u"),
                             ("pytest", "--snapshot-update"))),
        ("cargo test -pcli --exclude=core", "", 0, "`--exclude=core` leaves tests out, or hides how they end"),
        ("npx vitest list", "", 0, "it runs no tests"),
        ("npx vitest related --run src/a.ts", "", 0, "it leaves tests out"),
        ("uv run pytest -q | tail -2", "", 0, UNSEEN),
        ("npx turbo run test | tail", "", 0, UNSEEN),
        ("go test -v ./... | grep -v FAIL", "ok  \tx\t0.004s", 0,
         "its exit status is that of `grep`, and `grep -v FAIL` may leave out that tests failed"),
    ],
)  # fmt: skip
def test_the_reason_is_true_of_the_line(line: str, text: str, code: int, reason: str) -> None:
    found = proofs(
        line, {"package.json": "{}"} if "npx" in line else {}, text, exit_code=code, **(ENDED if code else {})
    )
    assert [proof.reason for proof in found] == [reason]


@pytest.mark.parametrize(
    ("line", "usual"),
    [
        ("ctest --test-dir build -R none", "ctest --test-dir build --output-on-failure"),
        ("meson test -C out --suite a", "meson test -C out"),
        ("make -C backend test X=1", "make -C backend test"),
        ("go -C api test -run X ./...", "go test -C api ./..."),
        ("timeout 9 npx vitest related a.ts", "timeout 9 npx vitest run"),
    ],
)
def test_what_is_advised_runs_where_the_line_did(line: str, usual: str) -> None:
    assert [proof.run.usual for proof in proofs(line, {}, "")] == [usual]


OK = "OK (6 tests, 11 assertions)"
COMPOSER = {"lint": "phpcs", "fix": ["php-cs-fixer fix", "phpcbf"], "odd": ["@php x.php"], "loop": "composer loop"}


@pytest.mark.parametrize(
    ("script", "counts"), [("lint", True), ("run fix", True), ("odd", False), ("loop", False), ("none", False)]
)
def test_a_script_beside_a_run_is_as_quiet_as_what_it_runs(script: str, counts: bool) -> None:
    files = {"composer.json": json.dumps({"scripts": COMPOSER})}
    assert passes(f"composer {script} && vendor/bin/phpunit | tail -4", files, OK) is counts


def test_what_a_script_beside_a_run_takes_code_from_is_known() -> None:
    files = {"package.json": json.dumps({"scripts": {"lint": "npx eslint .", "test": "jest"}})}
    (proof,) = proofs("npm run lint && npm test | tail -3", files, "Tests:       5 passed, 5 total")
    assert proof.outcome == "passed" and ("eslint", "/workspace/eslint.config.") in proof.beside
