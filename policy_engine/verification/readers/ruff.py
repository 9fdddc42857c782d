"""ruff: violations of `check` in every text format, files that `format --check` would change, broken configurations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, first_text, marks, named, until

_CODE = r"(?:[A-Z]{1,8}\d{1,5}|invalid-syntax|unformatted|SyntaxError|panic|io-error)"
_CONCISE = re.compile(rf"((?:[A-Za-z]:)?[^:\s][^:]{{0,500}}):(\d{{1,9}}):(\d{{1,9}}): ({_CODE})(:? .*)")
_HEAD = re.compile(rf"({_CODE})(:? .*)")
_ARROW = re.compile(r"\s{0,12}--> (.{1,500}):(\d{1,9}):(\d{1,9})$")
_GROUP = re.compile(r"(\S.{0,500}):$")
_GROUPED = re.compile(rf"\s{{1,8}}(\d{{1,9}}):(\d{{1,9}}) {{1,8}}({_CODE})(:? .*)")
_GITHUB = re.compile(
    r"::error title=ruff[^:]{0,80}?,file=([^,]{1,500}),line=(\d{1,9})(?:,col=(\d{1,9}))?[^:]{0,80}::(.*)"
)
_WOULD = re.compile(r"Would reformat: (.{1,500})")
_DIFF = re.compile(r"--- (\S.{0,500})")
_COUNT = re.compile(r"\d+\t([A-Z]{1,8}\d{1,5})?\t(.*)")
_CAUSE = re.compile(r"(?:Failed to parse|.*configuration) `?([^`:]{1,500}\.toml)`?")
_UNREADABLE = re.compile(r"error: Failed to parse ([^:]{1,500}):(\d{1,9}):(\d{1,9}): (.*)")
_TOML = re.compile(r".*TOML parse error at line (\d{1,9}), column (\d{1,9})")


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    group = ""
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if match := _CONCISE.match(line):
            yield _violation(match[4], match[5], [line], (match[1], match[2], match[3]))
        elif (match := _HEAD.match(line)) and (arrow := _ARROW.match(following)):
            shown = until(lines, index, lambda text: not text, 40)
            yield _violation(match[1], match[2], shown, (arrow[1], arrow[2], arrow[3]))
        elif match := _GROUPED.match(line):
            yield _violation(match[3], match[4], [line], (group, match[1], match[2]))
        elif match := _GITHUB.match(line):
            message = match[4].partition("%0A")[0].rpartition(": ")[2]
            yield failure("lint", message, [line], match[1], match[2], match[3])
        elif match := _GROUP.match(line):
            group = match[1]
        elif match := _WOULD.match(line):
            yield failure("lint", "file would be reformatted", [line], match[1])
        elif (match := _DIFF.match(line)) and following.startswith("+++ "):
            yield failure("lint", "file would be reformatted", until(lines, index, lambda text: not text, 40), match[1])
        elif match := _COUNT.match(line):
            yield failure("lint", f"{match[1] or ''} {match[2]}", [line])
        elif match := _UNREADABLE.match(line):
            yield failure("syntax", match[4], [line], match[1], match[2], match[3])
        elif line.startswith(("ruff failed", "error: ")):
            yield _refused(lines, index)


def _violation(code: str, message: str, shown: list[str], place: tuple[str, str, str]) -> Failure:
    message = message.lstrip(":").strip().removeprefix("[*] ")
    if code in ("invalid-syntax", "SyntaxError", "E999"):
        return failure("syntax", message.removeprefix("SyntaxError: "), shown, *place)
    if code in ("E902", "io-error"):
        return failure("usage", message, shown, place[0])
    kind = "crash" if code == "panic" else "lint"
    return failure(kind, message if code == "unformatted" else f"{code} {message}", shown, *place)


def _refused(lines: list[str], index: int) -> Failure:
    shown = until(lines, index, lambda _: False, 12)
    if lines[index].startswith("error: ") and any(text.startswith("Usage: ") for text in shown):
        return failure("usage", lines[index].removeprefix("error: "), shown)
    file = next((match[1] for text in shown if (match := _CAUSE.match(text.replace("Cause: ", "").strip()))), None)
    place = next((match for text in shown if (match := _TOML.match(text))), None)
    message = first_text(text for text in reversed(shown) if not text.startswith(" "))
    return failure("configuration", message, shown, file, place and place[1], place and place[2])


READER = Reader(
    "ruff",
    claims=named("ruff"),
    marks=marks(
        r"^ruff failed$|^::error title=ruff ",
        r"^\[\*\] \d+ fixable with the `--fix`|^\[\*\] \d+ (?:potentially )?fixable with",
        rf"^{_CODE}(?::| \[\*\])? .*\n +--> ",
        r"^[^:\n]{1,300}\.pyi?:\d+:\d+: (?:[A-Z]{1,8}\d{1,5} |invalid-syntax: )",
        r"^error: Failed to parse [^:\n]{1,300}\.pyi?:\d+:\d+: ",
        r"^Would reformat: |^\d+ files? would be reformatted",
    ),
    find=_find,
)
