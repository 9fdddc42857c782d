"""An MCP server that answers the n-th line it reads with the n-th of the lines that a file holds, byte for byte.

`HUGE` within a line becomes nine MiB of text; an empty line answers nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

HUGE = b"x" * (9 << 20)


def main() -> None:
    answers = Path(sys.argv[1]).read_bytes().split(b"\n")
    for place, _ in enumerate(sys.stdin.buffer):
        if place < len(answers) and answers[place]:
            for line in answers[place].split(b"NEXT"):
                sys.stdout.buffer.write(line.replace(b"HUGE", HUGE) + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
