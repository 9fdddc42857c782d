"""What builds, and what does not."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.unbuilt import TOUCHED, TYPESCRIPT, _built_by
from policy_engine.shell.parse import parse

BUILT = {
    "make": "c", "make -C build -j8": "c", "cmake --build build": "c", "ninja -C out": "c", "gcc -o a a.c": "c",
    "make -B": TOUCHED, "./scripts/build.sh": "c", "mvn -q test-compile": "jvm", "./gradlew assemble": "jvm",
    "npx tsc -p .": TYPESCRIPT, "npm run build": TYPESCRIPT, "pnpm -r build": TYPESCRIPT, "tsup": TYPESCRIPT,
}  # fmt: skip
NOT_BUILT = {
    "make -t": "c", "make -n": "c", "mkdir build": "c", "cd build": "c", "ls build": "c", "touch build/a": "c",
    "mvn surefire:test": "jvm", "mvn -v": "jvm", "npm test": TYPESCRIPT, "echo build": "c",
    "ctest --test-dir build": "c",
}  # fmt: skip


@pytest.mark.parametrize("line", [*BUILT, *NOT_BUILT])
def test_builds_are_told_by_what_they_are_called(line: str) -> None:
    (command, *_) = parse(line, "/workspace", Virtual())
    kind = BUILT.get(line) or NOT_BUILT[line]
    assert (kind in set(_built_by(command))) is (line in BUILT)
