"""pytest: failing and broken tests, errors of collection, of the configuration and of the arguments.

Each failing test is one failure, at the last place of its traceback that is not in a library; the summary is the
test's name and the first line of what was raised. Without tracebacks the short summary is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.python_traceback import class_of, own_place
from policy_engine.verification.readers.base import Reader, failure, marks, named, until

_PLACE = re.compile(r"(?![E>] )(\S[^:]{0,500}):(\d{1,9}):(?: (.*)|$)")
_FRAME = re.compile(r'(?:E? {0,8}File "|file )([^"]{1,1000}?)"?, line (\d{1,9})')
# Any other title between `=` may be something that a test printed.
_SECTIONS = frozenset(
    (
        "ERRORS", "FAILURES", "PASSES", "XFAILURES", "XPASSES", "warnings summary", "short test summary info",
        "test session starts", "tests coverage",
    )
)  # fmt: skip
_OUTCOME = re.compile(r"(?:FAILED|ERROR) (?=\S)")
_CONFTEST = re.compile(r"\w*Error while loading conftest '([^']{1,1000})'")
_NOTHING_RAN = re.compile(r"=* ?(?:no tests ran in|\d+ deselected in) ")
_WRONG_USAGE = ("usage:", "not found:", "no collectors for", "unrecognized arguments")


@dataclass(slots=True)
class _Block:
    title: str
    lines: list[str] = field(default_factory=list)


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    blocks, entries, places = _sections(lines)
    failures = [_from_block(block) for block in blocks]
    shown_as: dict[str, list[int]] = {}
    for index, block in enumerate(blocks):
        shown_as.setdefault(_name(block.title), []).append(index)
    for name, file, message, shown in entries:
        if known := shown_as.get(name):
            index = known.pop(0)
            failures[index] = replace(failures[index], file=failures[index].file or file)
            continue
        at = None
        if places and places[0][0].endswith(file) and places[0][2] == message:
            at = places.pop(0)
        failures.append(
            failure("test_failure", f"{name}: {message or 'failed'}", [shown], at[0] if at else file, at and at[1])
        )
    yield from failures
    yield from _around(lines, bool(failures))


def _sections(lines: list[str]) -> tuple[list[_Block], list[tuple[str, str, str, str]], list[tuple[str, str, str]]]:
    """Blocks of the tracebacks, entries of the short summary, and the places that `--tb=line` gives."""
    section = ""
    blocks: list[_Block] = []
    entries: list[tuple[str, str, str, str]] = []
    places: list[tuple[str, str, str]] = []
    for line in lines:
        if line.startswith("==") and line.endswith("=") and (title := line.strip("= ")) in _SECTIONS:
            section = title
        elif section in ("ERRORS", "FAILURES"):
            if _is_title(line):
                blocks.append(_Block(line.strip("_").strip()))
            else:
                if blocks and _belongs(blocks[-1], section):
                    blocks[-1].lines.append(line)
                if match := _PLACE.match(line):
                    places.append((match[1], match[2], match[3] or ""))
        elif section == "short test summary info" and (match := _OUTCOME.match(line)):
            entries.append(_entry(line[match.end() :], line))
    return blocks, entries, places


def _belongs(block: _Block, section: str) -> bool:
    """Return whether a block belongs to the section: one of errors does not go on in the failures."""
    return block.title.startswith("ERROR ") is (section == "ERRORS")


def _is_title(line: str) -> bool:
    """`___ title ___`, and not the `_ _ _ _` between the frames of a traceback."""
    return line[:1] == "_" and line[-1:] == "_" and not set(line) <= {"_", " "} and line.strip("_")[:1] == " "


def _entry(text: str, line: str) -> tuple[str, str, str, str]:
    """Return (Class.test[a - b], file, message, the line) of `file::Class::test[a - b] - message`."""
    at = text.find("] - ") + 1 if "[" in text.partition(" - ")[0] else text.find(" - ")
    at = at if at > 0 else len(text)
    file, _, name = text[:at].partition("::")
    function, bracket, values = name.partition("[")
    return function.replace("::", ".") + bracket + values or file, file, text[at + 3 :].strip(), line


def _name(title: str) -> str:
    for start in ("ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting "):
        title = title.removeprefix(start)
    return title


def _from_block(block: _Block) -> Failure:
    lines = block.lines
    captured = next((n for n, line in enumerate(lines) if line.startswith("---") and " Captured " in line), len(lines))
    own = lines[:captured]
    raised = next(
        (line[1:].strip() for line in own if line[:2] == "E " and not line[1:].strip().startswith("File ")), ""
    )
    places = [(match[1], match[2]) for line in own if (match := _PLACE.match(line) or _FRAME.match(line))]
    if block.title.startswith("ERROR collecting "):
        last = next((line[1:].strip() for line in reversed(own) if line[:2] == "E " and line[4:5].strip()), raised)
        name = last.partition(":")[0]
        kind = class_of(name, "test_failure")
        raised = last if kind == "syntax" else raised
        places = places or [(_name(block.title), "")]
    else:
        kind = "test_failure"
    if not raised:
        raised = next((line.strip() for line in reversed(own) if line.strip()), "failed")
    file, number = own_place(places)
    return failure(kind, f"{_name(block.title)}: {raised}", [block.title, *own], file, number or None)


def _around(lines: list[str], has_failures: bool) -> Iterator[Failure]:
    """Yield what pytest says outside of its sections."""
    for index, line in enumerate(lines):
        if match := _CONFTEST.match(line):
            shown = until(lines, index, lambda _: False, 30)
            raised = next((text[1:].strip() for text in shown if text[:2] == "E "), line)
            places = [(place[1], place[2]) for text in shown if (place := _PLACE.match(text))]
            file, number = own_place(places or [(match[1], "")])
            kind = class_of(raised.partition(":")[0], "configuration")
            yield failure(kind, raised, shown, file, number or None)
        elif line.startswith("ERROR: ") and index < 40:
            yield _refused(line, lines[index : index + 4])
        elif "Fatal Python error: " in line:
            shown = until(lines, index, lambda text: False, 40)
            places = [(place[1], place[2]) for text in shown if (place := _FRAME.match(text))]
            file, number = own_place(places[::-1])
            yield failure("crash", line[line.index("Fatal Python error: ") :], shown, file, number)
        elif line.startswith("INTERNALERROR> ") and not "".join(lines[max(0, index - 1) : index]).startswith(
            "INTERNALERROR> "
        ):
            shown = until(lines, index, lambda text: not text.startswith("INTERNALERROR>"))
            yield failure("crash", shown[-1].removeprefix("INTERNALERROR> "), shown)
        elif line.startswith(("FAIL Required test coverage", "ERROR: Coverage failure")):
            yield failure("test_failure", line)
        elif (
            _NOTHING_RAN.match(line) and not has_failures and not any(text.startswith("ERROR: ") for text in lines[:40])
        ):
            yield failure("no_tests", line.strip("= "), lines[max(0, index - 3) : index + 1])


def _refused(line: str, shown: list[str]) -> Failure:
    text = line.removeprefix("ERROR: ")
    if any(word in text for word in _WRONG_USAGE):
        message = next((one for one in shown if one.startswith("pytest: error: ")), text)
        return failure("usage", message.removeprefix("pytest: error: "), shown)
    match = re.match(r"([^:]{1,500}\.\w{1,8}): ", text)
    place = re.search(r"\(at line (\d{1,9}), column (\d{1,9})\)", text)
    file = match[1] if match else None
    return failure("configuration", text, shown, file, place and place[1], place and place[2])


READER = Reader(
    "pytest",
    claims=named("pytest", "py.test"),
    marks=marks(
        r"^=+ (?:test session starts|FAILURES|ERRORS|short test summary info) =+$",
        r"^(?:\w{0,60}Error while loading conftest '|pytest: error: )",
        r"^(?:FAILED|ERROR) \S[^:\n]{0,500}\.py(?:::|$| )",
        r"^(?:=+ )?(?:\d+ (?:failed|passed|error|errors|deselected|skipped)(?:, )?){1,6} in \d",
    ),
    find=_find,
)
