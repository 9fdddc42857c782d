"""Which files a command replaces, where a place is not there, is there, or cannot be looked at."""

from __future__ import annotations

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


class Closed(Virtual):
    """A file system in which nobody may look into `closed`."""

    def present(self, path: PathValue) -> bool:
        if path.real.startswith("/workspace/closed/"):
            raise Undecided("permission denied")
        return super().present(path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("echo x > a.env", ["/workspace/a.env"]),
        ("echo x > b.env", []),
        ("echo x > closed/a.env", ["/workspace/closed/a.env"]),
        ("cp b closed/a.env", ["/workspace/closed/a.env"]),
    ],
)
def test_a_file_that_cannot_be_looked_at_may_be_replaced(line: str, expected: list[str]) -> None:
    filesystem = Closed()
    filesystem.write(filesystem.resolve("a.env", filesystem.workspace), b"A=1")
    (command,) = parse(line, "/workspace", filesystem)
    assert [path.real for path in effects_of(command).replaces] == expected
