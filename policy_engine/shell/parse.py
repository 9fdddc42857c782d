"""A shell line and the simple commands that it runs; what cannot be known raises Undecided.

Lines are read as bash reads them, as far as sh and zsh agree; other shells speak another language. Imported by the
hook path.
"""

from __future__ import annotations

from policy_engine.model.limits import COMMAND_BYTES
from policy_engine.model.undecided import Undecided
from policy_engine.shell.builtins import DIALECTS
from policy_engine.shell.lexer import is_private
from policy_engine.shell.state import Context, State
from policy_engine.shell.walk import Walker
from policy_engine.shell.walk_command import Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand

    Script = tuple[str, bool]  # as it was named, and whether it is sourced
    Read = tuple[tuple[SimpleCommand, ...] | None, tuple[str, ...]]

LINES = 1024  # that worlds keep together; when there are more, they begin anew
_last_failure: tuple[tuple[str, str | None, str | None, Script | None], FileSystem, tuple[str, ...]] | None = None


def parse(
    line: str, cwd: str | None, filesystem: FileSystem, dialect: str | None = None, script: Script | None = None
) -> tuple[SimpleCommand, ...]:
    """The simple commands of a line, at least one. Raises Undecided for all that is not understood.

    `cwd` is the absolute folder the line starts in (None: unknown until a `cd` to an absolute folder); `dialect` the
    shell's name, if the host tells it; `script` the file that the line is the text of. Every rule asks for a line that
    failed: it is looked at once.
    """
    global _last_failure
    key = (line, cwd, dialect, script)
    if filesystem.lines is not None:
        return _remembered(filesystem.lines, (*key, filesystem, filesystem.permutes))
    if _last_failure is not None and _last_failure[1] is filesystem and _last_failure[0] == key:
        raise Undecided(*_last_failure[2])
    try:
        return _parse(line, cwd, filesystem, dialect, None, script)
    except Undecided as unknown:
        _last_failure = (key, filesystem, unknown.reasons)
        raise


def _remembered(
    lines: dict[object, Read], key: tuple[str, str | None, str | None, Script | None, FileSystem, bool]
) -> tuple[SimpleCommand, ...]:
    """As `parse`, of a filesystem that keeps what was read, with all that was worked out of it."""
    commands, reasons = lines.get(key, (None, ()))
    if commands is None and not reasons:
        if len(lines) >= LINES:
            lines.clear()
        try:
            line, cwd, dialect, script, filesystem, _ = key
            commands = _parse(line, cwd, filesystem, dialect, None, script)
        except Undecided as unknown:
            reasons = unknown.reasons
        lines[key] = commands, reasons
    if commands is None:
        raise Undecided(*reasons)
    return commands


def parse_proving(line: str, cwd: str | None, filesystem: FileSystem, printed: str = "") -> tuple[SimpleCommand, ...]:
    """As `parse`, with what statuses that are kept, tested, given back and `printed` prove of commands."""
    return _parse(line, cwd, filesystem, None, printed)


def _parse(
    line: str,
    cwd: str | None,
    filesystem: FileSystem,
    dialect: str | None,
    printed: str | None = None,
    script: Script | None = None,
) -> tuple[SimpleCommand, ...]:
    shell = "bash" if dialect is None else dialect.rpartition("/")[2]
    if shell not in DIALECTS:
        raise Undecided(f"the shell `{shell[:80]}` is not understood")
    if len(line) > COMMAND_BYTES or len(line.encode("utf-8", "surrogateescape")) > COMMAND_BYTES:
        raise Undecided(f"the command is longer than COMMAND_BYTES ({COMMAND_BYTES})")
    _refuse_invisible(line)
    line = filesystem.line(line)
    try:
        return _commands(line, cwd, filesystem, DIALECTS[shell], printed, script)
    except RecursionError:
        raise Undecided("the command is nested too deeply") from None


def _commands(
    line: str, cwd: str | None, filesystem: FileSystem, dialect: str, printed: str | None, script: Script | None
) -> tuple[SimpleCommand, ...]:
    folder, reason = _folder(cwd, filesystem)
    state = State(folder, reason, cwd)
    if script is not None:
        state.begin(*script)
    walker = Walker(filesystem, dialect)
    walker.in_script = script is not None
    if printed is not None:
        walker.proven, walker.printed = {}, printed
    walker.walk_code(line, Context(), state)
    walker.finish(state)
    if walker.poisoned:
        for command in walker.commands:
            command.zero_proves = command.nonzero_proves = False
    if not walker.commands:
        if not line.strip():
            raise Undecided("there is no command")
        walker.emit_simple(Simple((":",), (), (), line, Context(), state))
    return tuple(walker.commands)


def _folder(cwd: str | None, filesystem: FileSystem) -> tuple[PathValue | None, str]:
    """The folder a line starts in, or why it is not known."""
    if cwd is None:
        return None, "`cwd` was not sent"
    try:
        return filesystem.resolve(cwd, None), ""
    except Undecided as unknown:
        return None, unknown.reasons[0]


def _refuse_invisible(line: str) -> None:
    """Raise Undecided for characters that no reader of the line sees: controls, marks of direction, joiners.

    Icons of private fonts are seen; what a carriage return is outside of quotes, the parser asks.
    """
    if line.replace("\n", "").replace("\t", "").isprintable():
        return
    for char in line:
        blank = char in "\n\t\r" or (char.isspace() and not char.isascii())
        if not char.isprintable() and not blank and not is_private(char):
            raise Undecided(f"the character U+{ord(char):04X} is not understood")
        if char in "\x85\u2028\u2029":
            raise Undecided(f"the character U+{ord(char):04X} is not understood")
