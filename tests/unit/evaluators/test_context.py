"""Fields at one moment: absent where the point has none, undecided where the host owed it, read once."""

from __future__ import annotations

import pytest

from policy_engine.checker.vocabulary import vocabulary
from policy_engine.evaluators import context
from policy_engine.evaluators.context import EvaluationContext
from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.digest import text_digest
from policy_engine.history.session import History
from policy_engine.model.event import Event
from policy_engine.model.field_names import FIELDS, slot
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.runtime.session import Session
from tests.unit.compiler.asking import event, shell, truth

WORDS = vocabulary()
MINIMAL = {name: {**dict(point.payload), "workspace": "/workspace"} for name, point in WORDS.points.items()}


def at(raw: dict[str, object], **given: object) -> EvaluationContext:
    here = Event.from_dict(raw)
    return EvaluationContext(
        here, lambda workspace: Virtual(workspace or "/workspace"), Session("s", History()), given or None
    )


def read(here: EvaluationContext, name: str) -> object:
    """A field, or the reasons why it is not known."""
    try:
        return getattr(here, name)
    except Undecided as unknown:
        return unknown.reasons


def test_the_fields_are_those_of_the_vocabulary() -> None:
    assert sorted(FIELDS) == sorted(WORDS.fields)


@pytest.mark.parametrize("point", sorted(MINIMAL))
def test_a_field_that_the_point_does_not_have_is_absent(point: str) -> None:
    here = at(MINIMAL[point])
    lacking = [name for name in FIELDS if point not in WORDS.having[name]]
    assert {name: getattr(here, slot(name)) for name in lacking} == dict.fromkeys(lacking, ABSENT)


@pytest.mark.parametrize("point", sorted(MINIMAL))
def test_a_field_that_the_point_has_is_there_or_undecided_and_absent_only_by_nature(point: str) -> None:
    here = at(MINIMAL[point])
    owed = [
        name
        for name, known in WORDS.fields.items()
        if point in WORDS.having[name] and not known.optional and known.kinds is None
    ]
    assert [name for name in owed if read(here, slot(name)) is ABSENT] == []


@pytest.mark.parametrize(
    ("dialect", "reason"),
    [
        ("bash", ""), ("/bin/zsh", ""), ("fish", "the shell `fish` is not understood"),
        (7, "`tool.args.shell` is not a text"),
    ],
)  # fmt: skip
def test_a_line_is_read_as_the_shell_that_the_host_names(dialect: object, reason: str) -> None:
    raw = event(tool={"name": "Bash", "kind": "shell", "args": {"command": "rm a", "shell": dialect}})
    found = read(at(raw), "commands")
    if reason:
        assert found == (reason,)
    else:
        assert [command.argv for command in found] == [("rm", "a")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"status": "timed_out"}, True), ({"status": "failed"}, False), ({}, False), ({"timed_out": True}, True),
        ({"timed_out": False, "status": "timed_out"}, False),
    ],
)  # fmt: skip
def test_a_call_timed_out_if_the_host_says_so_in_either_way(result: dict[str, object], expected: bool) -> None:
    assert read(at(event("after_tool", result=result)), slot("result.timed_out")) is expected


@pytest.mark.parametrize("name", ["answer", 'tool.args["x"]', "result.text", "prompt"])
def test_has_is_false_at_a_point_without_the_field_and_undecided_where_it_was_owed(name: str) -> None:
    points = {
        "answer": ("before_completion", "before_tool"), 'tool.args["x"]': ("before_tool", "before_completion"),
        "result.text": ("after_tool", "before_tool"), "prompt": ("prompt", "before_tool"),
    }  # fmt: skip
    having, lacking = points[name]
    guard = f"has tool.name and has {name}" if name.startswith("tool") else f"has {name}"
    assert truth(guard, event(lacking), on=f"on {having}") is False
    if not name.startswith("tool"):
        assert truth(guard, event(having), on=f"on {lacking}") is None


def test_only_shell_calls_have_commands() -> None:
    assert at(event()).commands is ABSENT
    assert [command.program for command in at(shell("ls")).commands] == ["ls"]


def test_given_fields_replace_what_the_event_says() -> None:
    here = at(event(), tool_name="Given", content=Undecided("no"))
    assert (here.tool_name, here.tool_kind, here.tool_args["content"]) == ("Given", "write", "x")
    assert at(event(), cwd="x").tool_name == "Write"
    with pytest.raises(Undecided, match="no"):
        _ = here.content


def test_a_value_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[EvaluationContext] = []
    monkeypatch.setitem(context._FILL, "content", lambda here: asked.append(here) or "text")
    here = at(event())
    assert (here.content, here.content) == ("text", "text")
    assert asked == [here]


def test_time_is_utc() -> None:
    here = at(event(time="2026-11-20T01:30:00+02:00"))
    assert (here.time_hour, here.time_weekday) == (23, "thursday")


def test_a_wrong_type_of_the_host_is_undecided() -> None:
    wrong: list[tuple[dict[str, object], str]] = [
        ({"git": {"branch": 3}}, "git_branch"),
        ({"diff": {"lines": "3"}}, "diff_lines"),
        ({"diff": {"files": "3"}}, "diff_files"),
        ({"plan": {"open_steps": True}}, "plan_open_steps"),
        ({"goal": {"text": 3}}, "goal_text"),
        ({"goal": {"text": "a", "commands": "make"}}, "goal_commands"),
        ({"todos": [{"id": "a", "retries": "often"}]}, "todos"),
        ({"todos": [{"id": "a", "owned": "me"}]}, "open_todos"),
        ({"todos": [{"id": "a", "dependencies": "b"}]}, "todos"),
        ({"todos": [{"id": "a", "supersedes": [1]}]}, "todos"),
        ({"todos": [{"id": "a", "created": 3}]}, "todos"),
        ({"plan": {"status": 3}}, "plan_status"),
        ({"plan": {"created": 3}}, "plan_created"),
    ]
    for record, name in wrong:
        with pytest.raises(Undecided, match=r"wrong type|not a list"):
            getattr(at(event(**record)), name)
    with pytest.raises(Undecided, match="wrong type"):
        _ = at(event("after_tool", result={"error_class": 3})).result_error_class
    assert at(event(diff={"files": ["a", "b"]})).diff_files == 2


NO_TEXT, NO_LIST = ("the host did not send `goal.text`",), ("`goal.commands` is not a list of texts",)


@pytest.mark.parametrize(
    ("goal", "text", "commands"),
    [
        ({"text": "x", "commands": ["make", "tox"]}, "x", ("make", "tox")),
        ({"text": "`make b` must pass"}, "`make b` must pass", ("make b",)),
        ({"text": "`make b` must pass", "commands": []}, "`make b` must pass", ()),
        ({"commands": ["make"]}, NO_TEXT, ("make",)),
        ({"commands": ["make", 3]}, NO_TEXT, NO_LIST),
        ({"commands": None}, NO_TEXT, NO_LIST),
    ],
)  # fmt: skip
def test_a_goal_demands_what_it_lists_or_else_what_its_text_says(
    goal: dict[str, object], text: object, commands: object
) -> None:
    here = at(event(goal=goal))
    assert (read(here, "goal_text"), read(here, "goal_commands")) == (text, commands)


def test_the_digest_of_a_goal_covers_its_text_and_the_open_todos() -> None:
    todos = [{"id": "a", "title": "A"}, {"id": "b"}, {"id": "c", "status": "completed"}]
    assert at(event(goal={"text": "x"}, todos=todos)).goal_digest == text_digest(f"{text_digest('x')}\0A\0b")
    assert at(event(goal={"text": "x"}, todos=[])).goal_digest == text_digest(f"{text_digest('x')}\0")
    assert at(event(goal={"text": 3})).goal_digest == text_digest(f"{text_digest('3')}\0")
    assert at(event()).goal_digest == text_digest(f"{text_digest('')}\0")


def test_what_the_event_does_not_say_was_said_before() -> None:
    here = at(event())
    past = here.session
    assert isinstance(past, Session)
    past.said.update(todos=[{"id": "old"}], goal={"text": "before"}, plan={"status": "draft"})
    assert ([str(one) for one in here.todos], here.goal_text, here.plan_status) == (["old"], "before", "draft")
    told = EvaluationContext(
        Event.from_dict(event(todos=[], goal={"text": "now"}, plan={"status": "done"})), here.make_filesystem, past
    )
    assert (told.todos, told.goal_text, told.plan_status) == ((), "now", "done")


def test_open_todos_are_required_and_neither_completed_nor_canceled() -> None:
    todos = [
        {"id": "a", "status": "pending"}, {"id": "b", "status": "failed"}, {"id": "c", "status": "completed"},
        {"id": "d", "status": "cancelled"}, {"id": "e", "required": False},
    ]  # fmt: skip
    assert [str(todo) for todo in at(event(todos=todos)).open_todos] == ["a", "b"]


def test_a_todo_has_what_the_host_says_of_it() -> None:
    more = {"revision": 3, "dependencies": ["b"], "supersedes": ["c"], "blocked_reason": "person"}
    (one,) = at(event(todos=[{"id": "a", "status": "blocked", "created": "1970-01-01T00:00:01Z", **more}])).todos
    assert (one.revision, one.dependencies, one.supersedes) == (3, ("b",), ("c",))
    assert (one.blocked_reason, one.created) == ("person", 1000)
    (bare,) = at(event(todos=[{"id": "a", "blocked_reason": "person"}])).todos
    assert (bare.revision, bare.dependencies, bare.supersedes, bare.blocked_reason) == (1, (), (), "")
    assert bare.created is ABSENT
    with pytest.raises(Undecided, match="not an RFC 3339 time"):
        _ = at(event(todos=[{"id": "a", "created": "soon"}])).todos


def test_a_plan_that_was_not_sent_has_neither_status_nor_time() -> None:
    assert (at(event()).plan_status, at(event()).plan_created) == (ABSENT, ABSENT)
    plan = {"status": "approved", "created": "1970-01-01T00:00:01Z"}
    assert (at(event(plan=plan)).plan_status, at(event(plan=plan)).plan_created) == ("approved", 1000)


def test_a_word_that_is_no_field_is_an_error_of_ours() -> None:
    with pytest.raises(AttributeError):
        _ = at(event()).nonsense
