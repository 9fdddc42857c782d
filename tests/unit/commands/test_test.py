"""`policy test`: what it shows and with which status it ends."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from policy_engine import cli

GUARD = """language 1
rule guard "No rm" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "no {c.text}"
  test "removes" { shell "rm x" => deny }
  test "lists" { shell "ls" => VERDICT }
}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".policy").mkdir()


def _policy(text: str) -> None:
    Path(".policy/main.policy").write_text(text)


def _run(capture: pytest.CaptureFixture[bytes], *arguments: str) -> tuple[int, str, str]:
    status = cli.main(["test", *arguments])
    out, err = capture.readouterr()
    return status, out.decode(), err.decode()


def test_tests_that_pass_are_status_0(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    _policy(GUARD.replace("VERDICT", "allow"))
    status, out, err = _run(capsysbinary)
    assert (status, err) == (0, "")
    assert out.startswith(".policy/main.policy\n  ✓ guard  2 tests\n\n2 passed in 1 file, ")


def test_a_test_that_fails_is_status_5_and_explained(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    _policy(GUARD.replace("VERDICT", "deny"))
    status, out, _ = _run(capsysbinary)
    assert status == 5
    assert out.startswith(
        ".policy/main.policy\n"
        "  ✗ guard  2 tests\n"
        "      failed lists\n"
        "        .policy/main.policy:7:18: expected deny, got allow\n"
        "          |\n"
        '        7 |   test "lists" { shell "ls" => deny }\n'
        "          |                             ^^^^^^^\n"
        "          decided at before_tool: allow, no rule spoke\n"
        "          guard does not apply at before_tool, because\n"
        '              any c in commands { c.program == "rm" } is false  members = 1\n'
        "\n"
        "1 failed, 1 passed in 1 file, "
    )


def test_a_suite_in_which_nothing_ran_is_status_5(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    _policy('language 1\nrule r "t" { on prompt  deny "no" }\n')
    assert _run(capsysbinary) == (5, "no tests ran\n", "")


def test_a_filter_that_finds_nothing_is_status_5_and_says_so(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    _policy(GUARD.replace("VERDICT", "allow"))
    expected = (5, "no tests ran\n", "error: no test has `\\x1bnope` in its file, rule or title\n")
    assert _run(capsysbinary, "--filter", "\x1bnope") == expected
    assert _run(capsysbinary, "--filter", "REMOVES")[1].splitlines()[1] == "  ✓ guard  1 test"


def test_a_policy_that_does_not_load_is_status_3_with_its_diagnostics(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    _policy('language 1\nrule r "t" { on befor_tool  deny "no" }\n')
    status, out, err = _run(capsysbinary)
    assert (status, out) == (3, "")
    assert "main.policy:2:17: error[" in err and "`befor_tool`" in err


def test_a_path_that_is_not_there_is_status_2(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    status, out, err = _run(capsysbinary, "nowhere.policy")
    assert (status, out) == (2, "")
    assert "`nowhere.policy`" in err


def test_coverage_is_a_table_and_a_gate(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    _policy(GUARD.replace("VERDICT", "allow") + 'rule r "t" { on prompt  when prompt contains "x"  deny "no" }\n')
    status, out, err = _run(capsysbinary, "--coverage")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "coverage 50 %, 3 of 6 goals"
    assert "  guard       2         1          -               1          0      1 of 1\n" in out
    assert _run(capsysbinary, "--min", "50")[0] == 0
    status, _, err = _run(capsysbinary, "--min", "50.5")
    assert (status, err) == (5, "error: coverage is 50 %, at least 50.5 % is demanded\n")
    assert _run(capsysbinary, "--min", "101")[0] == 2


def test_json_holds_tests_and_coverage(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    _policy(GUARD.replace("VERDICT", "deny"))
    status, out, _ = _run(capsysbinary, "--format", "json", "--coverage")
    found = json.loads(out)
    assert status == 5
    assert found["summary"] == {"tests": 2, "passed": 1, "failed": 1}
    assert [test["outcome"] for test in found["tests"]] == ["passed", "failed"]
    assert found["coverage"]["percent"] == 100.0
    assert "coverage" not in json.loads(_run(capsysbinary, "--format", "json")[1])


@pytest.mark.parametrize(
    ("format_name", "start"), [("junit", "<?xml "), ("tap", "TAP version 14\n1..2\n"), ("github", "::error file=")]
)
def test_other_formats_stay_what_they_are_beside_coverage(
    capsysbinary: pytest.CaptureFixture[bytes], format_name: str, start: str
) -> None:
    _policy(GUARD.replace("VERDICT", "deny"))
    _, out, err = _run(capsysbinary, "--format", format_name, "--coverage")
    assert out.startswith(start) and "coverage" not in out
    assert err.endswith("coverage 100 %, 3 of 3 goals\n")


@pytest.mark.parametrize(
    ("verdict", "options", "badge"),
    [
        ("allow", (), ("policy tests", "2 passed", "brightgreen")),
        ("allow", ("--coverage",), ("policy coverage", "100 %", "brightgreen")),
        ("deny", ("--coverage",), ("policy tests", "1 failed", "red")),
    ],
)
def test_a_badge_is_of_the_coverage_unless_a_test_fails(
    capsysbinary: pytest.CaptureFixture[bytes], verdict: str, options: tuple[str, ...], badge: tuple[str, ...]
) -> None:
    _policy(GUARD.replace("VERDICT", verdict))
    found = json.loads(_run(capsysbinary, "--format", "badge", *options)[1])
    assert (found["label"], found["message"], found["color"]) == badge


def test_the_sample_of_the_language_page_passes(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    sample = Path(__file__).parents[1] / "syntax" / "sample.policy"
    status, out, err = _run(capsysbinary, str(sample))
    assert (status, err) == (0, ""), out
    assert out.splitlines()[-1].partition(", ")[0] == "2 passed in 1 file"


def test_a_refused_line_that_another_spelling_lets_through_is_status_5(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    _policy(GUARD.replace("VERDICT", "allow").replace('c.program == "rm"', "c.text matches /^rm/"))
    status, out, _ = _run(capsysbinary, "--respell")
    assert status == 5
    assert "  allow  absolute path: /usr/bin/rm x" in out
    status, out, _ = _run(capsysbinary, "--respell", "--format", "json")
    assert status == 5
    assert "absolute path: /usr/bin/rm x" in json.loads(out)["tests"][0]["message"]


def test_a_refused_line_that_every_spelling_leaves_refused_is_status_0(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    _policy(GUARD.replace("VERDICT", "allow"))
    assert _run(capsysbinary, "--respell")[0] == 0
    _policy(GUARD.replace("VERDICT", "allow").replace("=> deny", "=> allow").replace('"rm"', '"mv"'))
    status, _, err = _run(capsysbinary, "--respell")
    assert (status, "nothing to respell" in err) == (0, True)
    assert _run(capsysbinary, "--respell", "--coverage")[0] == 2


@pytest.mark.parametrize("format_name", ["json", "junit", "tap", "github"])
def test_a_policy_that_does_not_load_is_in_the_document(format_name: str, capsys: pytest.CaptureFixture[str]) -> None:
    _policy('language 1\nrule a "A" { on prompt when promt == "x" deny "No." }\n')
    assert cli.main(["test", "--format", format_name]) == 3
    captured = capsys.readouterr()
    assert "unknown name `promt`" in captured.out
    assert "error[PE201]" in captured.err
    if format_name == "json":
        assert json.loads(captured.out)["summary"] == {"tests": 1, "passed": 0, "failed": 1}
    if format_name == "junit":
        failure = ElementTree.fromstring(captured.out).find(".//failure")
        assert failure is not None and failure.get("message") == (
            "error[PE201]: unknown name `promt`; help: did you mean `prompt`?"
        )


def test_the_message_of_a_junit_failure_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    _policy(GUARD.replace("VERDICT", "deny"))
    assert cli.main(["test", "--format", "junit"]) == 5
    failure = ElementTree.fromstring(capsys.readouterr().out).find(".//failure")
    assert failure is not None
    message = failure.get("message") or ""
    assert message and "\\n" not in message and "\n" not in message
