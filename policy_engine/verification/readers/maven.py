"""Maven: failing tests of surefire and failsafe, errors of the compiler, dependencies, plugins and the project file.

A failing test is at its first frame in the packages of its class; Java names a frame's file without its folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, first_text, marks, named, until

_COMPILED = re.compile(r"\[ERROR\] (?!Failed)(\S[^\[]{0,500}):\[(\d{1,9}),(\d{1,9})\] (.*)")
_ENDED = (" <<< FAILURE!", " <<< ERROR!")
_CLASS = re.compile(r"[\w$.]{1,400}")
_FRAME = re.compile(
    r"\s{1,8}at (?:[^\s/]{1,200}/)?([\w$.<>]{1,400})\(([^():]{1,200}\.(?:java|kt|scala|groovy)):(\d{1,9})\)$"
)
_RESULT = re.compile(r"\[ERROR\] {2,4}([\w$]{1,200})\.(\S{1,300}?):(\d{1,9}) (.*)")
_POM = re.compile(
    r"(?:\[ERROR\] {1,8})?(?:\[FATAL\] )?(Non-parseable POM (\S{1,500}?): .*) @ ?line (\d{1,9}), column (\d{1,9})"
)
_GOAL = "[ERROR] Failed to execute goal "
_FETCH = re.compile(r"Could not (?:resolve|find|transfer) |could not be resolved|Plugin .* or one of its dependencies")
_USAGE = re.compile(
    r"\[ERROR\] (Unknown lifecycle phase .*|No plugin found for prefix .*|Unrecognized option.*|Could not find goal .*)"
)
_NO_TESTS = re.compile(r"No tests (?:matching pattern|were executed|to run)")
_PROJECT = re.compile(r"\[ERROR\] (The goal you specified requires a project .*|.* 'dependencies\..*|Malformed POM .*)")
_LINTERS = re.compile(r"checkstyle|pmd|spotbugs|spotless|formatter|enforcer|license")
_REPORTED = ("There are test failures", "Compilation failure", "There was a timeout")


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    blocks = any(_test_name(line) for line in lines)
    has_matched = False
    for index, line in enumerate(lines):
        one = _at(lines, index, line, blocks)
        if one is None and not has_matched:
            one = _whole(line)
        if one is not None:
            has_matched = True
            yield one


def _at(lines: list[str], index: int, line: str, blocks: bool) -> Failure | None:
    if match := _COMPILED.match(line):
        shown = until(lines, index, lambda text: text.startswith("["), 10)
        kind = "import_error" if "does not exist" in match[4] and "package " in match[4] else "compile_error"
        return failure(kind, match[4], shown if len(shown) > 1 else [line], match[1], match[2], match[3])
    if (test := _test_name(line)) is not None:
        return _test(*test, until(lines, index, lambda text: not text or text.startswith("["), 80))
    if (match := _RESULT.match(line)) and not blocks:
        return failure("test_failure", f"{match[1]}.{match[2]}: {match[4]}", [line], f"{match[1]}.java", match[3])
    if match := _POM.match(line):
        return failure("configuration", match[1], [line], match[2], match[3], match[4])
    return None


def _test_name(line: str) -> tuple[str, str] | None:
    """Return (shop.CartTest, adds[1]) of `shop.CartTest.adds[1] -- Time …` or the older `adds[1](shop.CartTest) …`."""
    if not line.endswith(_ENDED) or "Time elapsed: " not in line:
        return None
    head = line.removeprefix("[ERROR] ").partition("Time elapsed: ")[0].removesuffix("-- ").strip()
    if head.startswith("Tests run: "):
        return None
    name, bracket, of = head.rpartition("(")
    if bracket and of.endswith(")") and "." in of and _CLASS.fullmatch(of[:-1]) and "." not in name:
        return of[:-1], name
    match = _CLASS.match(head)
    of, _, begin = match[0].rpartition(".") if match else ("", "", "")
    return (of, begin + head[len(match[0]) :]) if match and of else None


def _test(of: str, name: str, shown: list[str]) -> Failure:
    parts = of.split(".")
    package = ".".join(parts[:2] if len(parts) > 2 else parts[:1]) + "."
    frames = [match for line in shown if (match := _FRAME.match(line))]
    place = next((frame for frame in frames if frame[1].startswith(package)), frames[0] if frames else None)
    message = first_text(shown[1:]) or "failed"
    summary = f"{parts[-1]}.{name}: {message}"
    return failure("test_failure", summary, shown, place and place[2], place and place[3])


def _whole(line: str) -> Failure | None:
    """Return what the build says of itself, where nothing says more."""
    if match := _USAGE.match(line):
        return failure("usage", match[1], [line])
    if match := _PROJECT.match(line):
        return failure("configuration", match[1], [line])
    if not line.startswith(_GOAL):
        return None
    message = line.removeprefix("[ERROR] ").partition(" -> [Help")[0]
    if _NO_TESTS.search(message):
        return failure("no_tests", message, [line])
    if _FETCH.search(message):
        return failure("import_error", message, [line])
    if any(word in message for word in _REPORTED):
        return None
    return failure(
        "lint" if _LINTERS.search(line.removeprefix(_GOAL).partition(" ")[0]) else "unknown", message, [line]
    )


READER = Reader(
    "maven",
    claims=named("mvn", "mvnw", "mvnd"),
    marks=marks(
        r"^\[ERROR\] Failed to execute goal ",
        r"^\[INFO\] BUILD FAILURE$",
        r"^\[ERROR\] [^\[\n]{1,300}\.java:\[\d+,\d+\] ",
        r"<<< (?:FAILURE|ERROR)!",
        r"^\[INFO\] Scanning for projects",
    ),
    find=_find,
)
