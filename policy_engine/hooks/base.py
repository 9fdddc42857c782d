"""Define a lifecycle point: its verdicts, its payload, its fields; and the fields that several points share.

Each file of this family holds one `HookPoint`. A point names its fields, so that a new point is one new file. The
fields every point has are in `EVERYWHERE`; those of a tool call in `TOOL_CALL`.
"""

from __future__ import annotations

from dataclasses import dataclass

from policy_engine.model.field_names import PERMISSION_MODES
from policy_engine.model.records import COMMAND, FOLDER, TODO
from policy_engine.model.types import ARGUMENT, BOOL, DURATION, INT, OPAQUE, PATH, STRING, TIME, EnumType, Type, list_of

TOOL_KINDS = EnumType(
    "tool kind", ("shell", "write", "edit", "read", "search", "fetch", "mcp", "agent", "todo", "other")
)
PERMISSION_MODE = EnumType("permission mode", PERMISSION_MODES)
AGENT_KIND = EnumType("agent kind", ("main", "subagent"), "what sort of sub-agent it is stands in `agent.name`")
WEEKDAY = EnumType("weekday", ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that a condition may read.

    `kinds`: the tool kinds that have it, None for all. `optional`: absent by nature, so that a condition needs `has`
    or `else`; a field that is not optional and was not sent is undecided. `source` says where the value comes from.
    """

    name: str
    type: Type
    doc: str
    source: str
    kinds: tuple[str, ...] | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class HookPoint:
    """One lifecycle point.

    `fires` says when; `verdicts` are those that may be used there, `allow` left out; `takes_tools` points may be
    filtered by tool; `timeout` points may set a tool's time budget. `fields` are the ones beside `EVERYWHERE`;
    `payload` is a canonical event in its smallest form.
    """

    name: str
    fires: str
    verdicts: tuple[str, ...]
    fields: tuple[Field, ...]
    payload: tuple[tuple[str, object], ...]
    takes_tools: bool = False
    timeout: bool = False


_EVENT = "the canonical event"
_SESSION = "the engine's count for this session"
_CLOCK = "`time` of the canonical event, UTC"
_GIT = "the canonical event, else git, where a rule asks"
_ENGINE, _OUTPUT, _PROCESS = "the engine", "read from its output", "the process that evaluates"
OWN_SOURCES = frozenset((_SESSION, _CLOCK, _GIT, _ENGINE, _OUTPUT, _PROCESS))
"""Sources of fields that are known whatever the host sends."""

EVERYWHERE = (
    Field("goal.text", STRING, "the goal of the run in words", "`goal.text` of the canonical event"),
    Field(
        "goal.commands", list_of(STRING), "the commands that the goal demands, verbatim", "read from the goal's text"
    ),
    Field("goal.steps", list_of(STRING), "those of `goal.commands` that need only run", "read from the goal's text"),
    Field("goal.mentions", list_of(STRING), "what it demands and is no command", "read from the goal's text"),
    Field("goal.tests", BOOL, "the goal demands that the tests run or pass, without a command", "from its text"),
    Field("goal.digest", OPAQUE, "a digest of the goal and the open todos", "computed from the goal"),
    Field("todos", list_of(TODO), "the todo list as it is now; empty if none was sent", "`todos`, latest sent"),
    Field("open_todos", list_of(TODO), "required todos that are neither completed nor canceled", "from `todos`"),
    Field("agent.kind", AGENT_KIND, "`main`, or `subagent`: which one, `agent.name` says", _EVENT),
    Field("agent.name", STRING, "its name, as Claude Code's `agent_type`; the kind where the host names none", _EVENT),
    Field("host.name", STRING, "the coding agent that sent the event", _EVENT),
    Field("host.interactive", BOOL, "a person can answer questions", _EVENT),
    Field("host.mode", PERMISSION_MODE, "what the person let the agent do without being asked", _EVENT),
    Field("workspace", FOLDER, "the root of the workspace", _EVENT),
    Field("home", FOLDER, "the home folder of the user", _PROCESS),
    Field("cwd", FOLDER, "the folder that the agent works in", _EVENT),
    Field("session.id", STRING, "the session's id", _EVENT),
    Field("session.turn", INT, "number of the user's prompts so far", _SESSION),
    Field("session.steps", INT, "number of tool calls so far", _SESSION),
    Field("session.rounds", INT, "number of model turns so far", _SESSION),
    Field("session.age", DURATION, "how long ago its `session_start` came", _SESSION),
    Field("session.resumed", BOOL, "the session was opened again", _SESSION),
    Field("plan.open_steps", INT, "steps of the plan, or todos, that are not done", "`plan.open_steps`, else `todos`"),
    Field(
        "plan.status", STRING, "`draft`, `approved` or the host's own word", "`plan.status` of the event", optional=True
    ),
    Field("plan.created", TIME, "when it was made", "`plan.created` of the canonical event", optional=True),
    Field("usage.tokens", INT, "tokens that the session has used so far", "`usage.tokens` of the canonical event"),
    Field("usage.cents", INT, "what it has cost so far, in cents", "`usage.cents` of the canonical event"),
    Field("diff.files", INT, "files that differ from the start of the run", _GIT),
    Field("diff.lines", INT, "lines added and removed since the start of the run", _GIT),
    Field("git.branch", STRING, "the branch that is checked out, empty if none is", _GIT),
    Field("git.clean", BOOL, "nothing is uncommitted, new files included", _GIT),
    Field("git.ahead", INT, "commits that no branch of a remote has", _GIT),
    Field("time.now", TIME, "the time of the event", _CLOCK),
    Field("time.hour", INT, "the hour in UTC, 0 to 23, whatever the zone of the machine", _CLOCK),
    Field("time.weekday", WEEKDAY, "the day of the week in UTC", _CLOCK),
)

TOOL_CALL = (
    Field("tool.name", STRING, "the tool's own name", "`tool.name` of the canonical event"),
    Field("tool.kind", TOOL_KINDS, "what sort of tool it is", "`tool.kind` of the canonical event"),
    Field("tool.args", OPAQUE, 'the arguments; read one with `tool.args["name"]`', "`tool.args` of the event"),
    Field(
        "tool.args.texts", list_of(STRING), "every text among the values of the arguments, however deep", "`tool.args`"
    ),
    Field("tool.args.size", INT, "how many bytes the arguments have as compact JSON, in UTF-8", "`tool.args`"),
    Field(
        "tool.digest",
        OPAQUE,
        "a digest of the call: name and arguments, of a shell line its commands without redirections",
        "computed from the call",
    ),
    Field("tool.server", STRING, "the MCP server", "`tool.server` of the event", kinds=("mcp",)),
    Field("tool.scope", STRING, "the folder that a scan is limited to", "the `path` argument", optional=True),
    Field("commands", list_of(COMMAND), "the simple commands of the shell line", "the parsed line", kinds=("shell",)),
    Field("paths", list_of(PATH), "every path that the call would touch", "arguments and parsed commands"),
    Field(
        "content",
        STRING,
        "the text about to be written",
        "the new text of the call; of a shell line its literal here-document or echo",
        kinds=("write", "edit", "shell"),
    ),
    Field(
        "replaced",
        STRING,
        "the text that an edit takes away",
        "what the replacements of the call replace, the removed lines of a patch; undecided of a shell line",
        kinds=("edit", "shell"),
    ),
    Field(
        "switched_off",
        STRING,
        "the first line by which the call keeps a test from running, or adds one that does not run",
        "the file, compared with what the call makes of it",
        kinds=("write", "edit"),
        optional=True,
    ),
)

RESULT = (
    Field("result.ok", BOOL, "the call ended well", "`result.ok`, or the exit status"),
    Field("result.exit_code", INT, "the exit status", "`result.exit_code` of the canonical event", kinds=("shell",)),
    Field("result.text", STRING, "what the tool returned", "`result.text` of the canonical event"),
    Field("result.value", ARGUMENT, 'its text, read as JSON; one of its values is `result.value["name"]`', "the text"),
    Field("result.digest", OPAQUE, "a digest of the text without times and addresses", "computed from the text"),
    Field("result.signature", OPAQUE, "as `result.digest`, without any number: the same elsewhere", "from the text"),
    Field("result.timed_out", BOOL, "the call ran out of time", "`result.timed_out` or `result.status`"),
    Field("result.error_class", STRING, "the host's class of the failure", "`result.error_class`", optional=True),
    Field(
        "result.unproven",
        STRING,
        "why the run of tests on the line proves nothing and what would; each reason once in a session",
        "the parsed line and the result",
        kinds=("shell",),
        optional=True,
    ),
)

VERIFICATION_NAME = Field("verification.name", STRING, "the `verify` that runs", _ENGINE)
VERIFICATION = (
    VERIFICATION_NAME,
    Field("verification.passed", BOOL, "every stage passed", _ENGINE),
    Field("verification.stage", STRING, "the first stage that did not pass", _ENGINE, optional=True),
    Field("verification.command", STRING, "its command line", _ENGINE, optional=True),
    Field("verification.outcome", STRING, "`failed`, `pending`, `timed_out`, …", _ENGINE, optional=True),
    Field("verification.exit_code", INT, "its exit status, if it ended by itself", _ENGINE, optional=True),
    Field("verification.error_class", STRING, "what sort of failure it was", _OUTPUT, optional=True),
    Field("verification.file", STRING, "the file that its first failure names", _OUTPUT, optional=True),
    Field("verification.line", INT, "the line in that file", _OUTPUT, optional=True),
    Field("verification.summary", STRING, "its first failure in words", _OUTPUT, optional=True),
)

PROMPT_TEXT = Field("prompt", STRING, "what the user, or the parent agent, asked", "`prompt` of the canonical event")
ANSWER_TEXT = Field("answer", STRING, "the visible text that would end the run", "`answer` of the canonical event")

ALL_VERDICTS = ("warn", "remind", "ask", "deny", "stop")


def payload(hook: str, **more: object) -> tuple[tuple[str, object], ...]:
    """The smallest canonical event of a point, with `more` keys."""
    return (("hook", hook), ("session", "s-1"), *more.items())
