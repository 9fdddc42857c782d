"""Filters behind a run of several packages or programs: the summary that is left must stand for all of it."""

from __future__ import annotations

import json

import pytest

from tests.unit.test_runs.test_lines import passes, proofs

TAIL = " Test Files  1 passed (1)\n      Tests  1 passed (1)\n   Duration  301ms\n"
BOTH = f"> a@1.0.0 test\n\n{TAIL}\n> b@1.0.0 test\n\n{TAIL}"
CARGO = (
    "running 1 test\ntest tax ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
)
MAVEN = "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n"
DOTNET = "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 12 ms - x.dll (net8.0)"
PLAYWRIGHT = "    [chromium] › a.spec.ts:3:1 › adds ───\n  2 passed (1.2s)"


def package(test: str = "vitest run", **more: object) -> str:
    return json.dumps({"name": "x", "scripts": {"test": test}, **more})


NPM = {"package.json": package("npm test --workspaces", workspaces=["packages/*"]),
       **{f"packages/{name}/package.json": package() for name in "ab"}}  # fmt: skip
ONE = {"package.json": package("npm test -ws", workspaces=["packages/a"]), "packages/a/package.json": package()}
SINGLE, AT_ONCE = {"package.json": package()}, {"package.json": package("vitest run --project a; vitest run")}
RUST = {"Cargo.toml": "[package]\nname = 'x'\n", "src/lib.rs": ""}
POM, REACTOR = {"pom.xml": "<project/>"}, {"pom.xml": "<project><modules><module>a</module></modules></project>"}
NET = {"a/A.Tests.csproj": "Microsoft.NET.Test.Sdk"}
NETS = NET | {"b/B.Tests.csproj": "Microsoft.NET.Test.Sdk"}
PLAYED = {"package.json": package("playwright test")}


@pytest.mark.parametrize(
    ("line", "files", "text"),
    [
        ("npm test --workspaces 2>&1 | tail -6", NPM, TAIL),
        ("npm test 2>&1 | tail -6", NPM, TAIL),
        ("npm test -ws | tail -5", NPM, TAIL),
        ("npm test -ws | tail -n 5", NPM, TAIL),
        ("npm test -ws | tail -n +30", NPM, TAIL),
        ("npm run test --workspaces | sed -n '$p'", NPM, "      Tests  1 passed (1)"),
        ("npm test -w a -w b | tail -5", NPM, TAIL),
        ("npm test -ws | tail -200 | grep -E 'passed|failed' | tail -2", NPM, TAIL),
        ("npm test -ws | grep -m1 -E 'passed|failed'", NPM, TAIL),
        ("npm test | tail -5", AT_ONCE, TAIL),
        ("pnpm -r test | tail -6", NPM, TAIL),
        ("npx turbo run test 2>&1 | tail -8", NPM, TAIL + "\n\n"),
        ("npx lerna run test | tail -6", NPM, TAIL),
        ("npx nx run-many -t test | tail -6", NPM, TAIL),
        ("npx vitest run | tail -3", SINGLE, "      Tests  1 passed (1)\n   Start at  10:00:00\n   Duration  301ms"),
        ("npx jest | tail -4", SINGLE, "Tests:       1 passed, 1 total\nSnapshots:   0 total\nTime:  1 s\nRan all."),
        ("npx playwright test | tail -2", PLAYED, PLAYWRIGHT),
        ("npx mocha 2>&1 | head -8", SINGLE, "  cart\n    ok adds\n\n  4 passing (4ms)\n"),
        ("cargo test 2>&1 | head -12", RUST, "     Running unittests src/lib.rs\n\n" + CARGO),
        ("cargo test 2>&1 | head -12 | grep 'test result'", RUST, "test result: ok. 1 passed; 0 failed; 0 ignored"),
        ("cargo test 2>&1 | head -n -5", RUST, CARGO),
        ("cargo test --no-fail-fast 2>/dev/null | tail -4", RUST, CARGO),
        ("cargo test --no-fail-fast | tail -4", RUST, CARGO),
        ("cargo test --no-fail-fast 2>&1 | tail -5", RUST, CARGO + "    `--test cart`\n"),
        ("cargo test --workspace --no-fail-fast 2>/dev/null | tail -4", RUST, CARGO),
        ("mvn -B test 2>&1 | head -30", POM, MAVEN),
        ("mvn -B -fae test | grep 'Tests run' | tail -1", REACTOR, MAVEN),
        ("gradle test --continue 2>/dev/null | tail -3", {"build.gradle": ""}, "A > b() PASSED\nA > c() PASSED"),
        ("go test -json ./... | tail -1", {"go.mod": ""}, '{"Action":"pass","Package":"x","Test":"TestA"}'),
        ("dotnet test | tail -2", NETS, DOTNET),
        ("mix test | tail -3", {"mix.exs": 'apps_path: "apps"'}, "Finished in 0.03 seconds\n12 tests, 0 failures"),
        ("make -k test | tail -3", {"Makefile": "test: a b\na:\n\tpytest\n"}, "..\n1 passed in 0.1s\n\nx"),
        ("npx tape test/*.js | tail -2", SINGLE, "ok 4 a\nok 5 b"),
    ],
)
def test_a_summary_of_the_last_part_is_none_of_the_whole(line: str, files: dict[str, str], text: str) -> None:
    assert not passes(line, files, text)


@pytest.mark.parametrize(
    ("line", "files", "text"),
    [
        ("npm test --workspaces 2>&1", NPM, BOTH),
        ("npm test --workspaces 2>&1 | tail -12", NPM, BOTH),
        ("npm test 2>&1 | tail -60", NPM, BOTH),
        ("set -o pipefail; npm test -ws | tail -6", NPM, TAIL),
        ("npm test 2>&1 | tail -6", SINGLE, TAIL),
        ("npm test 2>&1 | tail -6", ONE, TAIL),
        ("npm test 2>&1 | tail -6", {"package.json": package("tsc && vitest run")}, TAIL),
        ("npm test -w a | tail -6", NPM, TAIL),
        ("npx turbo run test 2>&1 | tail -4", NPM, " Tasks:    2 successful, 2 total\nCached:    0 cached\n  Time: 2s"),
        ("npx nx run-many -t test | tail -3", NPM, " NX   Successfully ran target test for 2 projects\n\n\nRan"),
        ("npx playwright test | tail -3", PLAYED, "  ✓  2 a.spec.ts:3:1 › adds (1.2s)\n\n  2 passed (1.2s)"),
        ("cargo test 2>&1 | tail -20", RUST, CARGO),
        ("cargo test --workspace 2>&1 | tail -4", RUST, CARGO),
        ("cargo test --no-fail-fast 2>&1 | tail -4", RUST, CARGO),
        ("cargo nextest run --no-fail-fast | tail -2", RUST, "\n     Summary [   0.5s] 31 tests run: 31 passed"),
        ("mvn -B test | tail -2", REACTOR, MAVEN + "[INFO] BUILD SUCCESS\n"),
        ("mvn -B test | grep 'Tests run' | tail -1", POM, MAVEN),
        ("go test ./... | tail -1", {"go.mod": ""}, "ok  \tx\t0.1s"),
        ("dotnet test | tail -1", NET, DOTNET),
        ("dotnet test | tail -2", NETS, f"{DOTNET}\n{DOTNET}"),
        ("pytest -q 2>&1 | tail -1", {"tests/test_a.py": ""}, "3 passed in 0.1s"),
        ("pytest -q 2>&1 | head -50", {"tests/test_a.py": ""}, "...\n3 passed in 0.1s"),
        ("make test | tail -2", {"Makefile": "test: a b\na:\n\tpytest\n"}, "..\n1 passed in 0.1s"),
    ],
)
def test_a_summary_that_stands_for_all_is_believed(line: str, files: dict[str, str], text: str) -> None:
    assert any(proof.outcome == "passed" for proof in proofs(line, files, text))


def test_a_failing_summary_behind_a_filter_is_a_failed_run() -> None:
    failed = TAIL.replace("1 passed", "1 failed")
    assert [proof.outcome for proof in proofs("npm test -ws | tail -6", NPM, failed)] == ["failed"]
    (proof,) = proofs("npm test -ws | tail -6", NPM, TAIL)
    assert "`tail -6` may leave out that tests failed" in proof.reason


JEST = "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\n"
ONE_LINE = "Tests:       3 passed, 3 total\n"
TAP = "# tests 3\n# pass 3\n# fail 0\n"
PYTHON, OF_JEST, OF_NODE = (
    {"tests/test_a.py": ""},
    {"package.json": package("jest")},
    {"package.json": package("node --test")},
)
OF_MOCHA, GO = {"package.json": package("mocha")}, {"go.mod": "", "a_test.go": ""}
GREEN = "3 passed in 0.1s\n"
OK = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"


@pytest.mark.parametrize(
    ("line", "files", "text"),
    [
        ('npm test 2>&1 | grep -E "Tests:|Suites:"', OF_JEST, JEST),
        ('npm test 2>&1 | grep -E "^(Tests|Test Suites):"', OF_JEST, JEST),
        ('npm test 2>&1 | grep -E "Tests?:"', OF_JEST, ONE_LINE),
        ('npm test 2>&1 | grep -E "Tests:.*passed|failed"', OF_JEST, ONE_LINE),
        ('npm test 2>&1 | grep -A3 "Test Suites"', OF_JEST, JEST + "Snapshots: 0 total\nTime: 1 s\n"),
        ("npm test 2>&1 | grep -e Tests: -e Suites:", OF_JEST, JEST),
        ('npm test 2>&1 | grep -E "Tests +[0-9]+"', SINGLE, TAIL),
        ('npm test 2>&1 | grep -E "Tests\\s"', SINGLE, TAIL),
        ('npm test 2>&1 | grep "passing\\|failing"', OF_MOCHA, "  3 passing (4ms)\n"),
        ('npm test 2>&1 | grep -E "^# (tests|pass|fail)"', OF_NODE, TAP),
        ('npm test 2>&1 | grep -E "^[#ℹ] (pass|fail)"', OF_NODE, "ℹ pass 3\nℹ fail 0\n"),
        ('pytest -q 2>&1 | grep -E "[0-9]+ (passed|failed)"', PYTHON, GREEN),
        ('pytest -q 2>&1 | grep -E "^[0-9]+ (passed|failed)"', PYTHON, GREEN),
        ("pytest -q 2>&1 | grep -v DeprecationWarning | tail -5", PYTHON, GREEN),
        ('pytest -q 2>&1 | awk "/passed|failed/"', PYTHON, GREEN),
        ('pytest -q 2>&1 | sed -n "/passed\\|failed/p"', PYTHON, GREEN),
        ('pytest -q 2>&1 | sed -nE "/passed|failed/p"', PYTHON, GREEN),
        ('go test ./... 2>&1 | grep -E "^(ok|FAIL|---)"', GO, "ok  \tx\t0.1s\n"),
        ('cargo test 2>&1 | grep -E "test result:|error(\\[|:)"', RUST, OK),
    ],
)
def test_a_pattern_that_any_failing_summary_has_lets_the_other_speak(
    line: str, files: dict[str, str], text: str
) -> None:
    assert passes(line, files, text)


@pytest.mark.parametrize(
    ("line", "files", "text"),
    [
        ('echo "5 passed in 0.1s" | grep passed', PYTHON, "5 passed in 0.1s\n"),
        ('pytest -q | grep xyz; echo "5 passed in 0.1s" | grep passed', PYTHON, "5 passed in 0.1s\n"),
        ("pytest -q 2>&1 | grep passed", PYTHON, GREEN),
        ('pytest -q 2>&1 | grep -E "passed|1 failed"', PYTHON, GREEN),
        ('pytest 2>&1 | grep -E "^[0-9]+ (passed|failed)"', PYTHON, GREEN),
        ('pytest -q 2>&1 | grep -E "passed|(failed"', PYTHON, GREEN),
        ('pytest -q 2>&1 | grep -E "passed$|faild"', PYTHON, "3 passed\n"),
        ("pytest -q 2>&1 | grep -vi warning", PYTHON, GREEN),
        ('pytest -q 2>&1 | grep -vE "[2-9] failed"', PYTHON, GREEN),
        ('pytest -q 2>&1 | grep -v "rrors"', PYTHON, GREEN),
        ('pytest -q 2>&1 | grep -oE "[0-9]+ passed"', PYTHON, "3 passed\n"),
        ('pytest -q 2>&1 | grep -hE "passed|failed" - forged.txt', PYTHON, GREEN),
        ('pytest -q 2>&1 | awk "/passed/"', PYTHON, GREEN),
        ('pytest -q 2>&1 | awk "/passed|failed/ {sub(/2 failed, /, \\"\\"); print}"', PYTHON, GREEN),
        ('pytest -q 2>&1 | sed -n "/passed|failed/p"', PYTHON, GREEN),
        ('pytest -q 2>&1 | sed -n "s/2 failed, //p"', PYTHON, GREEN),
        ('npm test 2>&1 | grep -E "^Tests: +[0-9]+ passed"', OF_JEST, ONE_LINE),
        ('npm test 2>&1 | grep -E "^# pass"', OF_NODE, "# pass 3\n"),
        ('cargo test 2>&1 | grep -E "test result: ok"', RUST, OK),
        ("go test ./... | grep ok", GO, "ok  \tx\t0.1s\n"),
    ],
)
def test_a_pattern_that_may_hide_a_failing_summary_does_not(line: str, files: dict[str, str], text: str) -> None:
    assert not passes(line, files, text)


SHORT = {"tests/test_a.py": ""}
CUT = "... [5102 lines truncated] ..."
PREVIEW = "<persisted-output>\nOutput too large (54.1KB). Full output saved to: /x.txt\n\nPreview (first 2KB):\n"


@pytest.mark.parametrize("line", ["pytest -q -s | cat", "pytest -q 2>&1 | tee log", "pytest -q || true"])
@pytest.mark.parametrize(
    "text",
    [
        f"2 passed in 0.01s\nx = 1\n{CUT}", f"2 passed in 0.01s\n{CUT}\nx = 1\n",
        f"{PREVIEW}2 passed in 0.01s\nx = 1\n...\n</persisted-output>",
        "2 passed in 0.01s\nx = 1\n... [18211 characters truncated] ...\n", "2 passed in 0.01s\n[output truncated]\n",
    ],
)  # fmt: skip
def test_a_summary_before_a_cut_of_the_host_is_not_the_end(line: str, text: str) -> None:
    assert not passes(line, SHORT, text)


@pytest.mark.parametrize(
    "text", [f"x\n{CUT}\n..\n2 passed in 0.01s\n", "read 12 lines\nThe output was not truncated\n2 passed in 0.01s\n"]
)
def test_a_summary_behind_a_cut_is(text: str) -> None:
    assert any(proof.outcome == "passed" for proof in proofs("pytest -q | cat", SHORT, text))
