"""Findings are set aside in place with a reason; certain repairs are made; commands run again after changes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from policy_engine.reports.base import formats_of_check
from tests.unit.commands.running import GOOD, Shell

ROOT = Path(__file__).resolve().parents[3]
LEAKY = """language 1

rule no-force "No force push" {{{head}
  on before_tool(shell)
{before}  when any c in commands {{ c matches "git push --force ..." }}{behind}
  deny "Do not rewrite history. Ask a person."

  test {{
    shell "git push --force"  => deny
    shell "git push"          => allow
  }}
}}
"""
WHY = ": the server refuses every other form"


@pytest.mark.parametrize(
    "places",
    [
        {"behind": f"  # ignore[leaky-pattern]{WHY}"},
        {"before": f"  # ignore[leaky-pattern]{WHY}\n"},
        {"head": f"  # ignore[leaky-pattern]{WHY}"},
        {"head": f"  # ignore[unused-define, leaky-pattern]{WHY}"},
        {"head": f"\n  # ignore-file[leaky-pattern]{WHY}"},
    ],
)
def test_a_finding_is_set_aside_with_a_reason(policy: Shell, places: dict[str, str]) -> None:
    text = LEAKY.format(**{"head": "", "before": "", "behind": "", **places})
    policy.write(".policy/main.policy", text)
    done = policy("check")
    assert "warning[leaky-pattern]" not in done.out
    assert "note: 1 finding acknowledged in place" in done.err
    assert done.status == 0, done.out


SETTINGS = ".policy/policy.toml"


def test_a_lint_is_set_aside_for_a_whole_repository_and_its_findings_are_counted(policy: Shell) -> None:
    plain = LEAKY.format(head="", before="", behind="")
    policy.write(".policy/main.policy", plain)
    policy.write(".policy/more/other.policy", plain.replace("no-force", "no-clean").replace("git push", "git clean"))
    policy.write(SETTINGS, '[check.ignore]\nleaky-pattern = "the server refuses every other form"\n')
    before = policy("check", "--no-lint", "--format", "json").out
    done = policy("check")
    assert (done.status, "leaky-pattern" in done.out) == (0, False), done.out
    assert f"note: 2 findings acknowledged by `{SETTINGS}`" in done.err
    policy.write(".policy/main.policy", LEAKY.format(head="", before="", behind=f"  # ignore[leaky-pattern]{WHY}"))
    both = policy("check").err
    assert "1 finding acknowledged in place" in both and "1 finding acknowledged by" in both
    assert policy("check", "--no-lint", "--format", "json").out == before, "nothing else changes"


@pytest.mark.parametrize("format_name", formats_of_check())
def test_an_entry_without_a_finding_is_a_finding_in_every_format(policy: Shell, format_name: str) -> None:
    policy.write(".policy/main.policy", GOOD)
    policy.write(SETTINGS, '# leaky-pattern = "x"\n[check]\nignore = { "leaky-pattern" = "it was there once" }\n')
    done = policy("check", "--format", format_name)
    assert done.status == 0 and "PE317" in done.out and "policy.toml" in done.out
    if format_name == "text":
        assert f"{SETTINGS}:3:13" in done.out and "there is no `leaky-pattern` to set aside here" in done.out
    one = policy("check", ".policy/main.policy", "--format", format_name)
    assert "PE317" in one.out
    policy.write(".policy/other.policy", "language 1\n")
    assert "PE317" not in policy("check", ".policy/main.policy").out, "the finding may be in the other file"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[check.ignore]\nleaky-patern = "x"', "did you mean `leaky-pattern`?"),
        ('[check.ignore]\nPE203 = "x"', "`PE203` is no lint"),
        ('[check.ignore]\nleaky-pattern = " "', "check.ignore.leaky-pattern"),
        ('[check.ignore]\nleaky-pattern = ""', "check.ignore.leaky-pattern"),
        ('[check]\nignore = ["leaky-pattern"]', "valid dictionary"),
        ("[check\n", "at line 1"),
    ],
)
def test_settings_that_cannot_be_used_are_an_error_and_set_nothing_aside(policy: Shell, text: str, says: str) -> None:
    policy.write(".policy/main.policy", LEAKY.format(head="", before="", behind=""))
    policy.write(SETTINGS, text)
    done = policy("check")
    assert done.status == 1 and "error[PE319]" in done.out and says in done.out and "[leaky-pattern]" in done.out


def test_what_is_not_acknowledged_stays(policy: Shell) -> None:
    policy.write(".policy/main.policy", LEAKY.format(head="", before="", behind=""))
    done = policy("check")
    assert (done.status, "warning[leaky-pattern]" in done.out) == (1, True)
    assert 'c matches "git push ..." and c.has_flag("--force")' in done.out


@pytest.mark.parametrize(
    ("comment", "code"),
    [
        ("  # ignore[leaky-pattern]", "PE316"),
        ("  # ignore[leaky-pattern]:  ", "PE316"),
        ("  # ignore[leaky-pattren]: typo", "PE317"),
        ("  # ignore[unused-define]: there is none", "PE317"),
        ("  # ignore[PE203]: an error", "PE317"),
    ],
)
def test_an_acknowledgement_without_reason_or_finding_is_one_itself(policy: Shell, comment: str, code: str) -> None:
    policy.write(".policy/main.policy", LEAKY.format(head="", before="", behind=comment))
    done = policy("check")
    assert (done.status, f"[{code}]" in done.out, "warning[leaky-pattern]" in done.out) == (1, True, True)


def test_the_acknowledgement_of_another_line_is_none(policy: Shell) -> None:
    text = LEAKY.format(head="", before="", behind="").replace('person."', f'person."  # ignore[leaky-pattern]{WHY}')
    policy.write(".policy/main.policy", text)
    assert "warning[leaky-pattern]" in policy("check").out


def test_what_keeps_a_policy_from_loading_cannot_be_set_aside(policy: Shell) -> None:
    policy.write(
        ".policy/main.policy",
        'language 1\n# ignore-file[PE203]: no\nrule a "A" { on prompt when result.ok deny "x" }\n',
    )
    assert policy("check").status == 3


def test_certain_repairs_are_made_and_the_rest_is_said(policy: Shell) -> None:
    waiver = '\nwaive no-rm "done" {\n  until 2026-01-31\n  owner "dana"\n}\n'
    without = GOOD.removeprefix("language 1\n\n")
    path = policy.write(".policy/main.policy", without + waiver + "\n# ignore-file[unused-define]: none left\n")
    done = policy("check", "--fix")
    assert (done.status, "note: 3 findings fixed" in done.err) == (0, True), done
    assert path.read_text().split() == GOOD.split()
    assert policy("check", "--fix").err == ""


INTERRUPTIBLE = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
)


@pytest.mark.parametrize("command", ["check", "test"])
def test_a_change_runs_it_again_and_an_interrupt_ends_with_the_last_status(policy: Shell, command: str) -> None:
    path = policy.write(".policy/main.policy", GOOD)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(policy.folder)}
    # a shell that runs the tests in the background has its children ignore an interrupt
    line = [sys.executable, "-c", INTERRUPTIBLE, sys.executable, "-m", "policy_engine", command, "--watch"]
    with subprocess.Popen(
        line, cwd=policy.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None and running.stdout is not None
        assert "watching" in running.stderr.readline()
        unfinished = policy.write("unfinished.txt", "language 1\nrule x {\n")
        unfinished.replace(path)  # never seen half-written
        assert "watching" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out = running.stdout.read()
        assert running.wait() == 3
    assert "error[" in out
