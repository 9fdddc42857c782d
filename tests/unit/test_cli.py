"""The command line's edge: names, exit statuses, one line for each failure, colour, completion."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import click
import pytest

import policy_engine
from policy_engine import cli
from policy_engine.commands import base
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import ConfigurationError, EventError, PolicyLoadError, StoreError
from policy_engine.model.source import Source, Span


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Put one command `try` in place of all commands, which calls what it is given."""

    def install(body: Callable[[], object]) -> None:
        monkeypatch.setattr(base, "command_names", lambda: ["try"])
        monkeypatch.setattr(
            base.CommandGroup, "get_command", lambda _group, _context, _name: click.Command("try", callback=body)
        )

    return install


def _raise(error: BaseException) -> Callable[[], object]:
    def body() -> object:
        raise error

    return body


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (lambda: None, 0, ""),
        (lambda: 1, 1, ""),
        (lambda: 5, 5, ""),
        (lambda: click.get_current_context().exit(4), 4, ""),
        (_raise(ConfigurationError("no such file `x`")), 2, "error: no such file `x`\n"),
        (_raise(EventError("E-JSON", "not json")), 2, "error: not json\n"),
        (_raise(StoreError("locked")), 2, "error: locked\n"),
        (_raise(click.ClickException("Bad.")), 2, "error: bad\n"),
        (_raise(click.FileError("f", "gone")), 2, "error: could not open file 'f': gone\n"),
        (_raise(PolicyLoadError("nothing to load")), 3, "error: nothing to load\n"),
        (_raise(KeyboardInterrupt()), 130, None),
        (_raise(ConfigurationError("\x1b[31mred")), 2, "error: \\x1b[31mred\n"),
    ],
)
def test_every_end_has_its_status(
    command: Any, capsys: pytest.CaptureFixture[str], body: Callable[[], object], status: int, said: str | None
) -> None:
    command(body)
    assert cli.main(["try"]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    if said is not None:
        assert captured.err == said


def test_diagnostics_of_a_policy_that_does_not_load_are_shown(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    source = Source("a.policy", "oops\n")
    command(
        _raise(PolicyLoadError("1 error", (Diagnostic("PE101", "error", "unexpected `oops`", source, Span(0, 4)),)))
    )
    assert cli.main(["try"]) == 3
    assert capsys.readouterr().err == (
        "a.policy:1:1: error[PE101]: unexpected `oops`\n  |\n1 | oops\n  | ^^^^\n\n1 error\n"
    )


def test_a_fault_of_ours_is_one_line_and_a_hint(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command(_raise(ValueError("boom")))
    assert cli.main(["try"]) == 70
    error, hint = capsys.readouterr().err.splitlines()
    assert error == "error: internal error: ValueError: boom"
    assert hint.startswith("help: ")
    assert "POLICY_DEBUG=1" in hint


def test_the_traceback_of_a_fault_is_shown_on_request(
    command: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLICY_DEBUG", "1")
    command(_raise(ValueError("boom")))
    assert cli.main(["try"]) == 70
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--nonsense"], ["explain-code", "--nonsense"], ["explain-code", "a", "b"]])
def test_a_misused_command_is_status_2_with_a_way_to_help(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert cli.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert "--help` shows how" in captured.err


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain-cod"]) == 2
    assert capsys.readouterr().err.startswith("error: no such command `explain-cod`; did you mean `explain-code`?\n")


@pytest.mark.parametrize(("word", "meant"), [("lint", "check"), ("validate", "check"), ("format", "fmt")])
def test_a_word_of_other_tools_names_the_command(capsys: pytest.CaptureFixture[str], word: str, meant: str) -> None:
    assert cli.main([word]) == 2
    assert f"did you mean `{meant}`?" in capsys.readouterr().err


def test_help_and_version_are_words_too(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for arguments in (["help"], ["--help"], ["help", "check"], ["check", "--help"], ["version"], ["--version"]):
        assert cli.main(arguments) == 0
        texts.append(capsys.readouterr().out)
    assert texts[::2] == texts[1::2]


def test_help_begins_with_what_a_newcomer_needs_and_leaves_none_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert sorted(name for names in base.GROUPS.values() for name in names) == base.command_names()
    assert cli.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert text.index("Start here:") < text.index("  init ") < text.index("  accept ")


def test_an_unknown_host_is_answered_with_all_hosts(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "vscode"]) == 2
    said = capsys.readouterr().err
    assert "did you mean" not in said
    assert "claude-code" in said and "windsurf" in said


def test_colour_can_be_demanded_without_a_terminal(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    command(lambda: seen.append(base.output_style().color))
    for forced, forbidden in (("1", ""), ("0", ""), ("1", "1")):
        monkeypatch.setenv("FORCE_COLOR", forced)
        monkeypatch.setenv("NO_COLOR", forbidden)
        assert cli.main(["try"]) == 0
    assert seen == [True, False, False]


def test_no_command_shows_the_help_as_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Usage: policy")


def test_version_and_help_are_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"policy {policy_engine.__version__}\n"
    assert cli.main(["--help"]) == 0
    assert "explain-code" in capsys.readouterr().out


def test_every_command_has_help_with_an_example_and_takes_no_color(capsys: pytest.CaptureFixture[str]) -> None:
    for name in base.command_names():
        assert cli.main([name, "--help"]) == 0
        text = capsys.readouterr().out
        assert "Example" in text, f"`policy {name} --help` shows no example"
        assert "--no-color" in text, f"`policy {name}` does not take --no-color"


@pytest.mark.parametrize("arguments", [["--no-color", "try"], ["try"]])
def test_colour_needs_a_terminal(
    command: Any, monkeypatch: pytest.MonkeyPatch, arguments: list[str], request: pytest.FixtureRequest
) -> None:
    seen = []
    command(lambda: seen.append(base.output_style().color))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert cli.main(arguments) == 0
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli.main(arguments) == 0
    assert seen == ["--no-color" not in arguments, False]


def test_hook_leaves_before_the_commands_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    entry = types.SimpleNamespace(main=lambda arguments: given.append(arguments) or 2)
    monkeypatch.setitem(sys.modules, "policy_engine.hook_process.hook_entry", entry)
    monkeypatch.delitem(sys.modules, "policy_engine.commands.base")
    assert cli.main(["hook", "claude-code", "--event", "Stop"]) == 2
    assert given == [["claude-code", "--event", "Stop"]]
    assert "policy_engine.commands.base" not in sys.modules


def test_the_module_runs_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "policy_engine", "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"policy {policy_engine.__version__}\n")


def test_the_shell_completes_command_names() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from policy_engine.cli import main; sys.exit(main([]))"],
        capture_output=True,
        text=True,
        check=False,
        env={"_POLICY_COMPLETE": "bash_complete", "COMP_WORDS": "policy expl", "COMP_CWORD": "1"},
    )
    assert "plain,explain-code" in done.stdout.splitlines()


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    done = subprocess.run(
        f"{sys.executable} -c 'import sys; from policy_engine import cli; from policy_engine.commands import base;"
        f' base.CommandGroup.main = lambda *a, **k: base.emit("x" * 1000000); sys.exit(cli.main(["a"]))\' | head -c 1',
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("x", "")


def test_the_command_line_imports_no_heavy_library_by_itself() -> None:
    program = "import sys, policy_engine.cli; print(sorted({'click', 'rich', 'lark', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
