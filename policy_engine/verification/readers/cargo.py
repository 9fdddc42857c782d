"""cargo and rustc: errors of the compiler and of clippy, failing tests, a manifest that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, first_text, marks, named, until

_ERROR = re.compile(r"error(?:\[(E\d{1,5})\])?: (.*)")
_SHORT = re.compile(r"((?:[A-Za-z]:)?[^:\s][^:]{0,500}):(\d{1,9}):(\d{1,9}): error(?:\[(E\d{1,5})\])?: (.*)")
_ARROW = re.compile(r"\s{0,12}--> (.{1,500}):(\d{1,9}):(\d{1,9})$")
_TEST = re.compile(r"---- (\S.{0,500}) stdout ----$")
_PANIC = re.compile(r"thread .{1,300} panicked at (?:(.{1,500}):(\d{1,9}):(\d{1,9}):)$")
_OLD_PLACE = re.compile(r"(\S[^:]{0,300}):(\d{1,9}):(\d{1,9})$")
_NO_PANIC = re.compile(r"note: test did not panic as expected at (\S[^:]{0,300}):(\d{1,9}):(\d{1,9})$")
_DOCTEST = re.compile(r"(\S.{0,300}\.(?:rs|md)) - .{0,300}\(line (\d{1,9})\)$")
_RESULT = re.compile(r"test (\S.{0,300}) \.\.\. FAILED$")
_KILLED = re.compile(r"\s{0,8}process didn't exit successfully: .{1,500} \((signal: .*)\)$")
_MANIFEST = re.compile(r"failed to (?:parse|load|read) manifest (?:at|for workspace member) `([^`]{1,500})`")
_FORMAT = re.compile(r"Diff in (\S.{0,500}?)(?::(\d{1,9}):?| at line (\d{1,9}):)$")
_LINT = re.compile(r"rust-clippy|`-D [a-z]|implied by `-D|#\[deny\(|= note: `-D ")
_SYNTAX = re.compile(
    r"(?i)expected|unclosed|unexpected|mismatched closing|unterminated|unknown start of token|invalid suffix"
)
_IMPORT = frozenset(("E0432", "E0433", "E0463", "E0583", "E0460", "E0461"))
_ENDS = (
    "could not compile", "aborting due to", "test failed, to rerun", "doctest failed", "build failed",
    "could not document", "process didn't exit", "the following required", "miri failed", "bench failed",
)  # fmt: skip
_FETCH = re.compile(
    r"failed to (?:select a version|get `|load source|download|fetch)|no matching package|can't find crate"
)
_USAGE = re.compile(
    r"unexpected argument|no such (?:command|subcommand)|no (?:test|bin|example|bench) target named"
    r"|Found argument|a value is required|unrecognized (?:option|subcommand)"
)


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    blocks = any(_TEST.match(line) for line in lines)
    for index, line in enumerate(lines):
        if match := _TEST.match(line):
            stop = until(lines, index, lambda text: text.startswith(("---- ", "failures:", "test result:")), 200)
            yield _test(match[1], stop)
        elif match := _ERROR.match(line):
            if not match[2].startswith(_ENDS):
                yield from _error(match, lines, index)
        elif match := _SHORT.match(line):
            yield failure(_class(match[4], match[5], []), match[5], [line], match[1], match[2], match[3])
        elif match := _KILLED.match(line):
            yield failure("crash", f"the test program ended by {match[1]}", lines[max(0, index - 3) : index + 1])
        elif match := _FORMAT.match(line):
            shown = until(lines, index, lambda text: text.startswith("Diff in "), 20)
            yield failure("lint", "file would be reformatted", shown, match[1], match[2] or match[3])
        elif (match := _RESULT.match(line)) and not blocks:
            yield failure("test_failure", f"{match[1]} failed", [line])


def _error(match: re.Match[str], lines: list[str], index: int) -> Iterator[Failure]:
    shown = until(lines, index, lambda text: not text, 40)
    arrow = next((place for text in shown[1:4] if (place := _ARROW.match(text))), None)
    if arrow is not None:
        yield failure(_class(match[1], match[2], shown), _said(match), shown, arrow[1], arrow[2], arrow[3])
        return
    shown = until(lines, index, lambda text: text.startswith(("error: ", "warning: ")), 16)
    manifest = _MANIFEST.search(match[2])
    causes = [text.strip() for text in shown[1:] if text.startswith("  ") and text.strip()]
    if manifest or "Cargo.toml" in match[2] or "manifest" in match[2]:
        message = f"{match[2]}: {causes[-1]}" if manifest and causes else match[2]
        yield failure("configuration", message, shown, manifest and manifest[1])
    elif _USAGE.search(match[2]):
        yield failure("usage", match[2], shown)
    elif _FETCH.search(match[2]):
        yield failure("import_error", match[2], shown)
    else:
        yield failure(_class(match[1], match[2], shown), _said(match), shown)


def _said(match: re.Match[str]) -> str:
    return f"{match[1]}: {match[2]}" if match[1] else match[2]


def _class(code: str | None, message: str, shown: list[str]) -> str:
    """Return the class of a message: without a code it is a lint that says so, or the parser's."""
    if code in _IMPORT:
        return "import_error"
    if code:
        return "compile_error"
    if any(_LINT.search(line) for line in shown):
        return "lint"
    return "syntax" if _SYNTAX.search(message) else "compile_error"


def _test(name: str, shown: list[str]) -> Failure:
    for index, line in enumerate(shown):
        if match := _PANIC.match(line):
            message = first_text(shown[index + 1 :])
            place: tuple[str | None, ...] = (match[1], match[2], match[3])
            break
        before, _, after = line.rpartition("', ")
        if line.startswith("thread ") and (match := _OLD_PLACE.match(after)):
            message, place = before.partition(" panicked at '")[2], (match[1], match[2], match[3])
            break
        if match := _NO_PANIC.match(line):
            message, place = "did not panic as expected", (match[1], match[2], match[3])
            break
    else:
        message, place = first_text(shown[1:]) or "failed", (None, None, None)
    if match := _DOCTEST.match(name):
        place = (match[1], match[2], None)
    return failure("test_failure", f"{name}: {message}", shown, *place)


READER = Reader(
    "cargo",
    claims=named("cargo", "rustc", "clippy-driver", "cargo-nextest"),
    marks=marks(
        r"^error(?:\[E\d+\])?: [^\n]*\n {1,12}--> ",
        r"^ {1,12}(?:Compiling|Checking) \S+ v\d",
        r"^test result: FAILED\. ",
        r"^thread '[^'\n]{1,300}'(?: \(\d+\))? panicked at ",
        r"^error: could not compile `|^error: (?:failed to parse manifest|could not find `Cargo\.toml`)",
        r"^---- \S[^\n]{0,300} stdout ----$",
    ),
    find=_find,
)
