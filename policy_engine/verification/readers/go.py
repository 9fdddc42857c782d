"""go: `build`, `vet` and `test`, plain, verbose or `-json`; panics and the tool's own time limit.

A failing test is one failure, at its last message (a test ends at the message that ends it); parents of failing
subtests are left out. go names a test's file without its folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, marks, named, until

_ERROR = re.compile(
    r"(vet: )?((?:[A-Za-z]:)?[^:\s][^:]{0,500}\.(?:go|s|c|h|mod|work|sum)):(\d{1,9}):(?:(\d{1,9}):)? (.*)"
)
_MESSAGE = re.compile(r"\s{4,80}(\S[^:]{0,300}\.go):(\d{1,9}): (.*)")
_FAILED = re.compile(r"\s{0,80}--- (FAIL|PASS|SKIP): (\S.{0,500}) \([\d.]{1,20}s\)$")
_RUNNING = re.compile(r"=== (?:RUN|CONT|NAME) {1,4}(\S.*)")
_FRAME = re.compile(r"\s(\S.{0,500}\.go):(\d{1,9})(?: \+0x[0-9a-f]{1,16})?$")
_IMPORT = re.compile(
    r"no required module provides|is not in (?:std|GOROOT)|cannot find (?:package|module)"
    r"|could not import|missing go.sum entry"
)
_OWN = re.compile(r"/src/(?:runtime|testing|time|reflect|internal|sync)/|/pkg/mod/")
_USAGE = re.compile(
    r"flag provided but not defined|pattern \S.*: |stat \S.*: directory not found|.*matched no packages"
    r"|unknown subcommand|no Go files in"
)


def _find(output: Output) -> Iterator[Failure]:
    lines = _unpacked(output.lines)
    vetting = any(command[:2] == ("go", "vet") for command in output.commands)
    has_matched = False
    for one in _in_order(lines, vetting):
        has_matched = True
        yield one
    if not has_matched and any("[no test files]" in line or "no tests to run" in line for line in lines):
        yield failure("no_tests", next(line for line in lines if "no test" in line))


def _in_order(lines: list[str], vetting: bool) -> Iterator[Failure]:
    tests = _Tests(lines)
    header = ""
    for index, line in enumerate(lines):
        if line.startswith("# "):
            header = line if not line.startswith("# [") else f"{header} {line}"
        elif match := _ERROR.match(line):
            shown = until(lines, index, lambda text: not text.startswith("\t"), 10)
            lint = (vetting or " # [" in header) and not match[1]
            yield failure(_class(match[5], lint), match[5], shown, match[2], match[3], match[4])
        elif line.startswith(("panic: ", "fatal error: ")):
            if (one := _panic(lines, index, tests.failing)) is not None:
                yield one
        elif line.startswith("go: ") and not line.startswith(("go: downloading", "go: finding", "go: added")):
            if not line.endswith(".mod:"):
                yield failure("import_error" if _IMPORT.search(line) else "configuration", line[4:])
        elif _USAGE.match(line):
            yield failure("usage", line)
        else:
            yield from tests.line(index, line)


class _Tests:
    """Messages per running test; `failing` is the test whose `--- FAIL` was read last."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.running = self.failing = ""
        self.said: dict[str, list[re.Match[str]]] = {}
        self.parents: set[str] = set()
        for place in filter(None, map(_FAILED.match, lines)):
            parent = place[2].rpartition("/")[0] if place[1] == "FAIL" else ""
            while parent and parent not in self.parents:
                self.parents.add(parent)
                parent = parent.rpartition("/")[0]

    def line(self, index: int, line: str) -> Iterator[Failure]:
        """Yield what the next line ends or begins."""
        if match := _RUNNING.match(line):
            self.running = match[1]
        elif match := _MESSAGE.match(line):
            self.said.setdefault(self.running, []).append(match)
        elif match := _FAILED.match(line):
            self.running = match[2]
            if match[1] == "FAIL":
                self.failing = match[2]
                yield from self._failed(index, match[2])

    def _failed(self, index: int, name: str) -> Iterator[Failure]:
        shown = until(
            self.lines, index, lambda text: _FAILED.match(text) is not None or not text.startswith("    "), 30
        )
        messages = [*self.said.pop(name, []), *(match for text in shown[1:] if (match := _MESSAGE.match(text)))]
        following = self.lines[index + 1] if index + 1 < len(self.lines) else ""
        if following.startswith(("panic: ", "fatal error: ")):
            return
        if messages:
            last = messages[-1]
            if len(shown) == 1:
                shown = [shown[0], *(match[0] for match in messages)]
            yield failure("test_failure", f"{name}: {last[3]}", shown, last[1], last[2])
        elif name not in self.parents:
            yield failure("test_failure", f"{name} failed", shown)


def _panic(lines: list[str], index: int, failing: str) -> Failure | None:
    shown = until(lines, index, lambda text: text.startswith(("FAIL\t", "exit status", "--- FAIL")), 60)
    message = lines[index].removesuffix(" [recovered]")
    places = [match for text in shown if (match := _FRAME.match(text)) and not _OWN.search(match[1])]
    places = [match for match in places if "_testmain.go" not in match[1]]
    file, number = (places[0][1], places[0][2]) if places else (None, None)
    if message.startswith("panic: test timed out"):
        return failure("timeout", message, shown, file, number)
    tested = failing and any(text.startswith("testing.tRunner") for text in shown)
    if tested:
        return failure("test_failure", f"{failing}: {message}", shown, file, number)
    return failure("crash", message, shown, file, number)


def _class(message: str, lint: bool) -> str:
    if message.startswith(("syntax error", "expected ", "illegal character")):
        return "syntax"
    if _IMPORT.search(message):
        return "import_error"
    if message.startswith(("unknown directive", "invalid go version")):
        return "configuration"
    return "lint" if lint else "compile_error"


def _unpacked(lines: list[str]) -> list[str]:
    """Return the lines that `go test -json` wraps, package by package; any other line as it is."""
    if not any(line.startswith('{"') and '"Action":' in line for line in lines[:50]):
        return lines
    packages: dict[str, list[str]] = {}
    for line in lines:
        try:
            event = json.loads(line) if line.startswith("{") else {}
            text, package = event.get("Output", ""), event.get("Package", event.get("ImportPath", ""))
        except (ValueError, AttributeError, RecursionError):
            continue
        if isinstance(text, str):
            packages.setdefault(str(package), []).append(text if line.startswith("{") else f"{line}\n")
    return [line for texts in packages.values() for line in "".join(texts).split("\n")]


READER = Reader(
    "go",
    claims=named("go", "gotestsum", "gotest"),
    marks=marks(
        r"^\s{0,40}--- FAIL: \S[^\n]{0,300} \([\d.]+s\)$",
        r"^(?:FAIL|ok {2})\t\S",
        r"^(?:vet: )?[^:\n]{1,300}\.go:\d+:\d+: ",
        r"^go: ",
        r'^\{"(?:Time|ImportPath)":[^\n]{0,300}"Action":"',
        r"^goroutine \d+ \[",
    ),
    find=_find,
)
