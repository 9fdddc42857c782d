"""Run the `policy` command: the one place where a failure becomes an exit status and a sentence.

0 clean, 1 findings or a refusing verdict, 2 usage or configuration, 3 a policy does not load, 4 undecided, 5 tests
failed or none ran, 70 internal error. A command returns its status or raises; nothing else in the package exits.
`policy hook HOST` leaves before click is imported: it follows its host's exit statuses and must start fast.
"""

from __future__ import annotations

import os
import sys

from policy_engine.model.errors import PolicyEngineError, PolicyLoadError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import click

USAGE = 2
DOES_NOT_LOAD = 3
INTERNAL = 70
INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
PIPE_CLOSED = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` is without the program's name and defaults to the process's. Returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    elif arguments == ["version"]:
        arguments = ["--version"]
    if arguments[:1] == ["hook"] and "--help" not in arguments:
        from policy_engine.hook_process.hook_entry import main as hook_main

        return hook_main(arguments[1:])
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # the reader left; point standard output elsewhere so that the interpreter's last flush does not complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except PolicyLoadError as error:
        return _does_not_load(error)
    except PolicyEngineError as error:
        return _complain(str(error), USAGE)
    except Exception as error:
        return _internal(error)


def _run(arguments: list[str]) -> int:
    import click

    from policy_engine.commands.base import CommandGroup

    try:
        answer = CommandGroup().main(arguments, prog_name="policy", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        return _misused(error)
    return answer if isinstance(answer, int) else 0


def _misused(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    help_line = f"`{context.command_path} --help` shows how" if context is not None else ""
    text = error.format_message()
    return _complain(text[:1].lower() + text[1:].rstrip("."), USAGE, help_line)


def _does_not_load(error: PolicyLoadError) -> int:
    if error.diagnostics:
        from policy_engine.reports.base import Findings, Style, wants_color
        from policy_engine.reports.text import CHECK

        style = Style(color=wants_color(sys.stderr.isatty()))
        sys.stderr.write(CHECK.render(Findings(tuple(error.diagnostics)), style))
        return DOES_NOT_LOAD
    return _complain(str(error), DOES_NOT_LOAD)


def _internal(error: Exception) -> int:
    if os.environ.get("POLICY_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
        return INTERNAL
    return _complain(
        f"internal error: {type(error).__name__}: {error}",
        INTERNAL,
        "this is a fault of the engine, not of your policy; set POLICY_DEBUG=1 to see where, and report it",
    )


def _complain(message: str, status: int, help_line: str = "") -> int:
    from policy_engine.reports.base import shown

    sys.stderr.write(f"error: {shown(message)}\n")
    if help_line:
        sys.stderr.write(f"help: {shown(help_line)}\n")
    return status
