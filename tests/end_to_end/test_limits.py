"""Every limit that a policy, an event or a file can exceed is enforced by the engine, and its error names it.

Texts go through the whole pipeline and events through a whole engine: what is tested is what a user would read.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Disk
from policy_engine.loading.loader import Loaded, load, load_text
from policy_engine.model import limits
from policy_engine.model.decision import Decision
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json
from policy_engine.model.undecided import Undecided
from tests.end_to_end.engines import shell

RULE = """\
language 1

rule a {{
  on before_tool(shell)
  when {condition}
  deny "no"
}}
"""


def rule(condition: str) -> Loaded:
    """The outcome of loading one rule with this condition."""
    return load_text(RULE.format(condition=condition))


def errors(loaded: Loaded) -> str:
    """What is wrong, in words; fails if nothing is, or if there is a Program all the same."""
    assert (loaded.program, bool(loaded.errors)) == (None, True)
    return "\n".join(f"{found.code} {found.message} {found.help}" for found in loaded.errors)


# ---- policies --------------------------------------------------------------------------------------------------------


@pytest.mark.fault(59)
def test_a_file_may_have_policy_file_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.policy"
    text = RULE.format(condition="true").encode()
    path.write_bytes(text + b"#" + b"x" * (limits.POLICY_FILE_BYTES - len(text) - 2) + b"\n")
    assert load([path]).errors == ()
    path.write_bytes(path.read_bytes() + b"\n")
    assert "POLICY_FILE_BYTES" in errors(load([path]))


@pytest.mark.fault(59)
def test_a_set_may_have_policy_total_bytes(tmp_path: Path) -> None:
    size = limits.POLICY_FILE_BYTES
    for number in range(limits.POLICY_TOTAL_BYTES // size + 1):
        with (tmp_path / f"{number}.policy").open("wb") as file:
            file.write(b"language 1\n#")
            file.truncate(size)  # a sparse file: nothing is written, and the text is not read as one
    assert "POLICY_TOTAL_BYTES" in errors(load([tmp_path]))


@pytest.mark.fault(59)
def test_a_set_may_have_policy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a lowered limit: 100,000 rules take half a minute."""
    text = "language 1\n" + "".join(f'rule r-{n} {{ on before_tool(shell) deny "no" }}\n' for n in range(9))
    monkeypatch.setattr("policy_engine.loading.loader.POLICY_RULES", 9)
    assert load_text(text).errors == ()
    assert "POLICY_RULES" in errors(load_text(text + 'rule more { on before_tool(shell) deny "no" }\n'))


@pytest.mark.fault(60)
@pytest.mark.parametrize(
    "nested",
    [
        lambda depth: "(" * depth + "true" + ")" * depth,
        lambda depth: "not " * depth + "true",
        lambda depth: "any c in commands { " * depth + "true" + " }" * depth,
        lambda depth: "tool.args" + '["a"]' * depth + ' == "x"',
        lambda depth: "(" * depth,
    ],
    ids=["parentheses", "not", "quantifiers", "chain", "unbalanced"],
)
def test_conditions_nest_policy_depth_deep(nested: Callable[[int], str]) -> None:
    for depth in (limits.POLICY_DEPTH + 1, 100_000):
        assert "POLICY_DEPTH" in errors(rule(nested(depth)))


@pytest.mark.fault(61)
def test_what_defines_expand_to_is_bounded() -> None:
    """Billion laughs: each define is twice the one before."""
    lines = ["language 1", 'define d0 = tool.name == "x"']
    lines += [f"define d{n} = d{n - 1} and d{n - 1}" for n in range(1, 40)]
    text = "\n".join(lines) + '\nrule a { on before_tool(shell) when d39 deny "no" }\n'
    assert "DEFINE_EXPANSION" in errors(load_text(text))


@pytest.mark.fault(65)
def test_a_regex_may_have_regex_bytes() -> None:
    for size, expected in ((limits.REGEX_BYTES, False), (limits.REGEX_BYTES + 1, True)):
        loaded = rule(f"tool.name matches /{'a' * size}/")
        assert ("REGEX_BYTES" in "".join(found.message for found in loaded.errors)) is expected


@pytest.mark.fault(65)
@pytest.mark.parametrize("pattern", ["a{1001}", "(a{500}){3}", "a{2,5000}", "a{1000000000}", "((a{99}){99}){99}"])
def test_a_regex_may_repeat_regex_repeat_times(pattern: str) -> None:
    assert "REGEX_REPEAT" in errors(rule(f"tool.name matches /{pattern}/"))


@pytest.mark.fault(63, 64)
def test_a_regex_that_only_a_backtracking_engine_understands_is_refused() -> None:
    for pattern in (r"(a)\1", "(?=a)b", "(?<!a)b"):
        assert errors(rule(f"tool.name matches /{pattern}/"))


def test_a_glob_may_have_glob_alternatives() -> None:
    loaded = rule('any p in paths { p matches "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" }')
    assert loaded.errors == ()
    assert "GLOB_ALTERNATIVES" in errors(rule('any p in paths { p matches "' + "{a,b}" * 9 + '" }'))
    assert "PATH_BYTES" in errors(rule('any p in paths { p matches "' + "{a,b}" * 1000 + '" }'))


def test_a_file_of_nothing_but_mistakes_shows_policy_diagnostics() -> None:
    loaded = load_text("language 1\n" + "rule x {\n" * 5000)
    assert len(loaded.errors) <= 2 * (limits.POLICY_DIAGNOSTICS + 1)  # of the parser, and of the checker
    assert "POLICY_DIAGNOSTICS" in errors(loaded)


@pytest.mark.fault(59)
def test_one_line_of_megabytes_is_read_or_refused_quickly() -> None:
    assert load_text("language 1\n# " + "x" * 4_000_000 + "\n" + RULE.format(condition="true")[11:]).errors == ()
    assert errors(load_text("language 1 " + "&&" * 1_000_000))


# ---- events ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine() -> Engine:
    """An engine with one rule that no event below meets."""
    return Engine.from_text(RULE.format(condition='tool.name == "nobody"'))


def refused(decision: Decision) -> str:
    """The error of a decision that is the failure verdict of its point."""
    assert (decision.verdict, decision.rules[0].outcome) == ("deny", "undecided")
    return decision.errors[0]


def nested(depth: int) -> Any:
    """Lists in lists."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.fault(19)
@pytest.mark.requirement("R23")
def test_an_event_nests_event_depth_deep(engine: Engine) -> None:
    assert engine.decide(shell("ls", extra=nested(limits.EVENT_DEPTH - 2))).verdict == "allow"
    assert "EVENT_DEPTH" in refused(engine.decide(shell("ls", extra=nested(limits.EVENT_DEPTH))))
    assert "EVENT_DEPTH" in refused(engine.decide(shell("ls", extra=nested(500))))


@pytest.mark.fault(21)
@pytest.mark.requirement("R23")
def test_an_event_has_event_nodes(engine: Engine) -> None:
    assert engine.decide(shell("ls", extra=[0] * (limits.EVENT_NODES // 2))).verdict == "allow"
    assert "EVENT_NODES" in refused(engine.decide(shell("ls", extra=[0] * (limits.EVENT_NODES + 1))))
    wide = [[0] * 1000 for _ in range(limits.EVENT_NODES // 1000 + 1)]
    assert "EVENT_NODES" in refused(engine.decide(shell("ls", extra=wide)))


@pytest.mark.fault(23)
@pytest.mark.requirement("R23")
def test_a_command_has_command_bytes(engine: Engine) -> None:
    assert engine.decide(shell("x" * limits.COMMAND_BYTES)).verdict == "allow"
    assert "COMMAND_BYTES" in refused(engine.decide(shell("x" * (limits.COMMAND_BYTES + 1))))
    assert "COMMAND_BYTES" in refused(engine.decide(shell("é" * (limits.COMMAND_BYTES // 2 + 1))))


@pytest.mark.fault(30)
@pytest.mark.requirement("R23")
def test_a_path_has_path_bytes(engine: Engine) -> None:
    for key in ("cwd", "workspace"):
        long = {key: "/" + "a" * limits.PATH_BYTES}
        assert "PATH_BYTES" in refused(engine.decide(shell("ls", **long)))
        assert "PATH_BYTES" in refused(engine.decide(shell("ls", **{key: "/" + "é" * (limits.PATH_BYTES // 2)})))


@pytest.mark.fault(24, 25)
@pytest.mark.requirement("R23")
@pytest.mark.parametrize(
    ("name", "most", "line"),
    [
        ("SHELL_WORDS", limits.SHELL_WORDS, lambda count: "echo" + " a" * (count - 1)),
        ("SHELL_WORDS", limits.SHELL_WORDS // 2, lambda count: "echo $HOME; " * count),
        ("SHELL_STEPS", limits.SHELL_STEPS - 5, lambda count: f"for i in {'a ' * count}; do :; done"),
        ("SHELL_DEPTH", limits.SHELL_DEPTH, lambda count: "echo $(" * count + "ls" + ")" * count),
        ("SHELL_VARIABLES", limits.SHELL_VARIABLES, lambda count: "".join(f"a{number}=1; " for number in range(count))),
        ("SHELL_VALUE_CHARS", limits.SHELL_VALUE_CHARS, lambda count: f"x={'a' * count}; echo $x; $x"),
    ],
)
def test_a_line_is_followed_within_its_bounds(name: str, most: int, line: Callable[[int], str]) -> None:
    engine = Engine.from_text(RULE.format(condition='any c in commands { c.program == "nobody" }'))
    assert engine.decide(shell(line(most))).verdict == "allow"
    decision = engine.decide(shell(line(most + 1)))
    assert (decision.verdict, decision.rules[0].outcome) == ("deny", "undecided")
    assert name in decision.rules[0].undecided[0] or name == "SHELL_VALUE_CHARS"  # not known, as any other value


def json_error(data: bytes) -> str:
    """Why these bytes are no event."""
    with pytest.raises(EventError) as caught:
        read_json(data)
    return f"{caught.value.code} {caught.value}"


@pytest.mark.fault(19, 20, 21)
@pytest.mark.requirement("R23")
def test_json_is_bounded_before_it_is_an_event() -> None:
    assert "EVENT_BYTES" in json_error(b" " * limits.EVENT_BYTES + b"{}")
    assert "EVENT_DEPTH" in json_error(b"[" * (limits.EVENT_DEPTH + 1) + b"]" * (limits.EVENT_DEPTH + 1))
    assert "EVENT_DEPTH" in json_error(b'{"a":' * 50_000 + b"1" + b"}" * 50_000)
    assert "EVENT_NODES" in json_error(b"[" + b"0," * limits.EVENT_NODES + b"0]")
    assert str(limits.INTEGER_DIGITS) in json_error(b"1" * (limits.INTEGER_DIGITS + 1))


# ---- the world -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("most", "condition", "content"),
    [
        (limits.READ_BYTES, 'has json_value("big.txt", "/a") and json_value("big.txt", "/a") == 1', b'{"a": 1}'),
        (limits.SEARCH_BYTES, 'content_contains("big.txt", "a")', b"a"),
    ],
)
def test_a_file_that_a_predicate_reads_is_bounded(tmp_path: Path, most: int, condition: str, content: bytes) -> None:
    engine = Engine.from_text(RULE.format(condition=condition))
    path = tmp_path / "big.txt"
    for size, outcome in ((most, "violated"), (most + 1, "undecided")):
        path.write_bytes(content.ljust(size))
        decision = engine.decide(shell("ls", cwd=str(tmp_path), workspace=str(tmp_path)))
        assert (decision.verdict, decision.rules[0].outcome) == ("deny", outcome)
    assert f"_BYTES ({most})" in decision.rules[0].undecided[0]


def test_a_message_has_message_chars() -> None:
    engine = Engine.from_text(RULE.format(condition="true").replace('"no"', '"{commands}"'))
    decision = engine.decide(shell("x" * 100_000))
    assert len(decision.rules[0].message) <= limits.MESSAGE_CHARS


def test_a_walk_over_too_many_files_is_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy_engine.filesystem.walk.WALK_ENTRIES", 3)  # for limits.WALK_ENTRIES, too many to make
    for number in range(5):
        (tmp_path / f"{number}.txt").touch()
    filesystem = Disk(str(tmp_path), str(tmp_path))
    with pytest.raises(Undecided, match="WALK_ENTRIES"):
        filesystem.files_below(filesystem.resolve(str(tmp_path), "/"))


# ---- the list --------------------------------------------------------------------------------------------------------

ELSEWHERE = {
    "DOCUMENT_BYTES": "a recording is read by lines: tests/unit/loading/test_recordings.py",
    "HELD_ENTRIES": "any of more may be there: tests/unit/filesystem/test_file_system.py",
    "OBSERVERS": "the next one does not run: tests/unit/runtime/test_observing.py",
    "POLICY_ENTRIES": "the policies do not load: tests/attacks/test_bounds.py",
    "POLICY_FOLDERS": "the policies do not load: tests/attacks/test_bounds.py",
    "PRUNE_COMMITS": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "PRUNE_ENTRIES": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "PRUNE_LOOKS": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "PRUNE_PAGES": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "PRUNE_SECONDS": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "PRUNE_SESSIONS": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "SESSION_DAYS": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "SESSION_MARKERS": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "STORE_BYTES": "what nothing refers to is dropped in steps: tests/end_to_end/test_pruning.py",
    "SNAPSHOT_FILES": "writes become possible instead of absent: tests/unit/history, tests/unit/runtime",
    "SNAPSHOT_MS": "as SNAPSHOT_FILES",
    "GIT_MS": "what git would say is undecided: tests/unit/evaluators/test_git_fields.py",
    "GIT_BYTES": "what git would say is undecided: tests/unit/evaluators/test_git_fields.py",
    "EVENT_PATHS": "only what globs match is entered: tests/attacks/test_wedged_session.py, tests/unit/history",
    "BULK_MATCHES": "writes become possible: tests/unit/history",
    "LIMIT_KEYS": "the key used longest ago is forgotten: tests/unit/runtime/test_limits.py",
    "LOST_FILES": "which files were written is undecided: tests/unit/history",
    "WINDOW_EVENTS": "a window saturates and is then undecided: tests/unit/history",
    "TRACKED_PATHS": "the oldest paths become unknown: tests/unit/history",
    "TRACKED_COMMANDS": "the oldest commands become unknown: tests/unit/history",
    "COMPLETION_BUDGET": "a limit with a rule id of its own: completion-budget",
    "COMPLETION_MOST": "the run stops: tests/end_to_end/test_completion_ends.py",
    "TRUST_FILES": "the commands are not trusted: tests/unit/consent",
    "TRUST_BYTES": "the commands are not trusted: tests/unit/consent",
    "HOOK_OUTPUT_BYTES": "the output of a hook is cut: tests/unit/runtime",
    **{name: "the output of a stage is cut: tests/unit/verification" for name in dir(limits) if name[:7] == "VERIFY_"},
}


@pytest.mark.requirement("R23")
def test_every_limit_is_tested() -> None:
    names = set(re.findall(r"^([A-Z_]+) =", inspect.getsource(limits), re.MULTILINE))
    here = Path(__file__).read_text()
    assert {name for name in names if f"limits.{name}" not in here and f'"{name}" in' not in here} <= set(ELSEWHERE)
