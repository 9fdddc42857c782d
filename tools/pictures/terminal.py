"""Run a program at a terminal of its own and draw what stands there at its end, as SVG."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import groupby
from pathlib import Path

import pyte
from pyte.screens import Char
from rich.console import Console
from rich.style import Style
from rich.text import Text

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
COLUMNS = 100
SECONDS = 60  # nothing here takes as long; a program that hangs is ended
QUIET = 1.5  # seconds without output after the last words were there: the program is done drawing
MOST = 100 * 1024  # bytes of a picture

# what `rich` writes, without its fonts, which would be loaded from elsewhere, and its clips, which cut the last line
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:.0f}" viewBox="0 0 {width} {height:.0f}">
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; white-space: pre;
}}
.{unique_id}-title {{ font-family: system-ui, sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""

OWN = re.compile(rf"\w+://|/root\b|/work\b|/home/|{re.escape(tempfile.gettempdir())}/|{re.escape(str(ROOT))}")
# the end of each line, and the clip of each
EMPTY = re.compile(r'<text [^>]*>\n</text>| clip-path="url\(#[\w-]+-line-\d+\)"|[ \t]+$|^\n', re.M)


class Screen(pyte.Screen):
    """A screen that knows faint letters, kept as letters that blink, and leaves out what it is asked in private."""

    def select_graphic_rendition(self, *attrs: int, private: bool = False) -> None:
        """Read the attributes of a sequence; 2 is faint, unless it belongs to a colour."""
        if private:
            return
        changed: list[int] = []
        todo = list(attrs) or [0]
        while todo:
            code = todo.pop(0)
            colour = {5: 2, 2: 4}.get(todo[0], 0) if code in (38, 48) and todo else 0
            changed += [code, *todo[:colour]] if colour else {2: [5], 22: [22, 25], 5: []}.get(code, [code])
            del todo[:colour]
        if changed:
            super().select_graphic_rendition(*changed)

    def report_device_attributes(self, mode: int = 0, **private: bool) -> None:
        """Say what terminal it is, unless it is asked in private."""
        if not private:
            super().report_device_attributes(mode)

    def report_device_status(self, mode: int, **private: bool) -> None:
        """Say where the cursor is, unless it is asked in private."""
        if not private:
            super().report_device_status(mode)


def shown(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    *,
    rows: int = 60,
    last: str = "",
    keys: Sequence[tuple[str, str]] = (),
) -> list[Text]:
    """Return the lines that stand at the terminal when the program ends, or once `last` stands there and it is quiet.

    `keys` are pairs: what has to stand there, and what is typed then.
    """
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, COLUMNS, 0, 0))
    given = {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor", "COLUMNS": str(COLUMNS)}
    child = subprocess.Popen(
        command, cwd=folder, env=given, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(slave)
    screen = Screen(COLUMNS, rows)
    screen.write_process_input = lambda data: os.write(master, data.encode())  # type: ignore[method-assign]
    try:
        _watch(master, screen, last, list(keys))
    finally:
        _end(child)
        os.close(master)
    return _lines(screen)


def _watch(master: int, screen: Screen, last: str, keys: list[tuple[str, str]]) -> None:
    """Feed a screen with what a program writes, and type what it waits for."""
    stream = pyte.ByteStream(screen)
    end, heard = time.monotonic() + SECONDS, time.monotonic()
    while (now := time.monotonic()) < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                data = os.read(master, 1 << 16)
            except OSError:  # the last process of the terminal is gone
                return
            stream.feed(data)
            heard = time.monotonic()
            continue
        if now - heard < QUIET:
            continue
        text = "\n".join(screen.display)
        if keys and keys[0][0] in text:
            os.write(master, keys.pop(0)[1].encode())
            heard = now
        elif last and last in text and not keys:
            return
    raise TimeoutError("\n".join(line.rstrip() for line in screen.display if line.strip()))


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a program that still runs, and what it started in its session."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait(SECONDS)


def _lines(screen: Screen) -> list[Text]:
    """Return the rows of a screen without the empty ones at its ends."""
    found = []
    for row in range(screen.lines):
        cells = [screen.buffer[row][column] for column in range(screen.columns)]
        line = Text.assemble(*(("".join(cell.data for cell in run), style) for style, run in groupby(cells, _style)))
        if all(cell.bg == "default" and not cell.reverse for cell in cells):
            line.rstrip()
        found.append(line)
    filled = [number for number, line in enumerate(found) if line.plain.strip()]
    return found[filled[0] : filled[-1] + 1] if filled else []


def _style(cell: Char) -> Style:
    """Return the look of a cell."""
    return Style(
        color=_colour(cell.fg), bgcolor=_colour(cell.bg), bold=cell.bold, italic=cell.italics, dim=cell.blink,
        underline=cell.underscore, strike=cell.strikethrough, reverse=cell.reverse,
    )  # fmt: skip


def _colour(name: str) -> str | None:
    """Return the name of a colour in the words of `rich`."""
    if name == "default":
        return None
    if re.fullmatch("[0-9a-f]{6}", name):
        return f"#{name}"
    plain = name.removeprefix("bright")
    return ("bright_" if plain != name else "") + {"brown": "yellow"}.get(plain, plain)


def typed(command: str) -> Text:
    """Return the line in which a person types a command."""
    return Text.assemble(("$ ", "bright_black"), (command, "bold"))


def renamed(lines: Sequence[Text], names: Mapping[str, str]) -> list[Text]:
    """Return the lines with other names for places."""
    found = []
    for line in lines:
        for long, short in names.items():
            line = Text(short).join(line.split(long, allow_blank=True))
        found.append(line)
    return found


def draw(name: str, title: str, lines: Sequence[Text]) -> Path:
    """Write the lines as a picture. Raises ValueError if they name an address or a place of this machine."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        if found := OWN.search(line.plain):
            raise ValueError(f"{name}: {found[0]}: {line.plain}")
        console.print(line, highlight=False)
    text = console.export_svg(title=title, code_format=SVG, unique_id=name)
    return write(f"{name}.svg", EMPTY.sub("", text).encode())


def write(name: str, data: bytes) -> Path:
    """Write the file of a picture."""
    if len(data) > MOST:
        raise ValueError(f"{name}: {len(data)} bytes, at most {MOST}")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / name).write_bytes(data)
    return FOLDER / name
