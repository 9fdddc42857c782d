"""YAML hooks: what their own system would refuse is refused here with its place; defaults; what is listed."""

from __future__ import annotations

import textwrap

import pytest

from policy_engine.conversion.document import Refused
from policy_engine.migrations.base import migrate
from policy_engine.model.source import Source
from policy_engine_compat.neocode_hooks import read_hooks
from tests.unit.migrations.sources import faults, lacking

BUILTIN = "id: x, point: before_tool_call, handler: add_context_note, params: {note: n}"
HTTP = "id: x, point: before_tool_call, kind: http, params: {url: 'http://127.0.0.1:1/h'}"


def _repository(item: str) -> str:
    return f"hooks:\n  items:\n    - {{{item}}}\n"


def _user(item: str, head: str = "") -> str:
    return f"runtime:\n  hooks:\n{textwrap.indent(head, '    ')}    items:\n      - {{{item}}}\n"


def _complaints(text: str) -> tuple[str, ...]:
    with pytest.raises(Refused) as refused:
        read_hooks(Source("s", text))
    return refused.value.messages


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ("point: accept_gate, handler: add_context_note", "a hook needs an id"),
        ("id: ' ', point: accept_gate, handler: add_context_note", "hook ``: a hook needs an id"),
        ("id: x, handler: add_context_note", "hook `x`: unknown point ``"),
        ("id: x, point: nowhere, handler: add_context_note", "hook `x`: unknown point `nowhere`"),
        (
            "id: x, point: pre_compact, handler: add_context_note",
            "hook `x`: only the system itself may attach to `pre_compact`",
        ),
        (f"{BUILTIN}, scope: internal", "hook `x`: the scope is `user` here"),
        (f"{BUILTIN}, kind: prompt", "hook `x`: the kind `prompt` is not supported in current stage"),
        (f"{BUILTIN}, kind: agent", "hook `x`: the kind `agent` is not supported in current stage"),
        (f"{BUILTIN}, kind: function", "hook `x`: unknown kind `function`"),
        (f"{BUILTIN}, mode: async", "hook `x`: the mode `async` is not possible for the kind `builtin`"),
        (f"{BUILTIN}, failure_policy: ignore", "hook `x`: unknown failure policy `ignore`"),
        (f"{BUILTIN}, timeout_sec: 0", "hook `x`: the timeout is no whole number of seconds above 0"),
        (f"{BUILTIN}, priority: high", "hook `x`: the priority is no whole number"),
        (f"{BUILTIN}, enabled: 'yes'", "hook `x`: `enabled` is neither true nor false"),
        (f"{BUILTIN}, color: red", "hook `x`: unknown key `color`"),
        ("id: x, point: accept_gate, handler: nothing", "hook `x`: unknown builtin handler `nothing`"),
        (
            "id: x, point: accept_gate, handler: warn_on_tool_call, params: {tool_names: []}",
            "hook `x`: `warn_on_tool_call` needs `tool_name` or `tool_names`",
        ),
        ("id: x, point: accept_gate, kind: command", "hook `x`: a command hook needs `params.command`"),
        (
            "id: x, point: accept_gate, kind: command, params: {command: [1]}",
            "hook `x`: `params.command` is no list of texts that begins with a program",
        ),
        (f"{HTTP}, mode: sync", "hook `x`: the mode `sync` is not possible for the kind `http`"),
        (f"{HTTP}, failure_policy: fail_closed", "hook `x`: an http hook observes, and cannot fail closed"),
        (f"{HTTP}, handler: x", "hook `x`: the kind `http` has no handler"),
        (
            HTTP.replace("127.0.0.1", "h.example"),
            "hook `x`: an http hook may call this machine only, not `h.example`",
        ),
        (
            HTTP.replace("http:", "file:"),
            "hook `x`: an http hook needs an absolute `params.url` with http or https",
        ),
        (HTTP.replace("h'}", "h', method: TRACE}"), "hook `x`: the method is one of GET, POST, PUT, PATCH, DELETE"),
        (HTTP.replace("h'}", "h', headers: {' ': x}}"), "hook `x`: a header has a blank name or value"),
        (HTTP.replace("h'}", "h', headers: bad}"), "hook `x`: `headers` is no mapping"),
    ],
)
def test_an_item_that_is_not_valid_refuses_the_configuration(item: str, problem: str) -> None:
    assert _complaints(_user(item)) == (f"s:4: {problem}",)


def test_every_complaint_is_made_at_its_line() -> None:
    first = "    - id: a\n      point: x\n      handler: y\n"
    text = f"hooks:\n  items:\n{first}    - id: A\n      point: session_end\n      kind: http\n"
    assert _complaints(text) == (
        "s:4: hook `a`: unknown point `x`",
        "s:5: hook `a`: unknown builtin handler `y`",
        "s:6: hook `A`: the id duplicates that of an earlier hook",
        "s:8: hook `A`: the kind `http` is not supported in current stage",
        "s:6: hook `A`: an http hook needs an absolute `params.url` with http or https",
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "s:1: the file is blank, or no mapping"),
        ("# nothing\n", "s:1: the file is blank, or no mapping"),
        ("hooks:\n  items: []\nextra: 1\n", "s:3: unknown key `extra`"),
        ("hooks:\n  items: {}\n", "s:2: `items` is no list"),
        ("hooks:\n  enabled: true\n", "s:2: unknown key `enabled`"),
        ("hooks: 5\n", "s:1: `hooks` is no mapping"),
        ("hooks: {items: [1]}\n", "s:1: a hook is a mapping"),
        ("runtime: {hooks: {default_timeout_sec: 0}}", "s:1: `default_timeout_sec` is no whole number above 0"),
        ("runtime: {hooks: {default_failure_policy: x}}", "s:1: unknown failure policy `x`"),
        ("runtime: {hooks: {enabled: 1}}", "s:1: `enabled` is neither true nor false"),
        ("hooks: [\n", "s:2: this is no YAML: expected the node content, but found '<stream end>'"),
        ("a: &x 1\nb: *x\n", "s:2: an alias (`*x`) is not allowed"),
        ("a: !!python/object:os.system 1\n", "s:1: a tag (`tag:yaml.org,2002:python/object:os.system`) is not allowed"),
        ("a: 1\na: 2\n", "s:2: the key stands twice: `a`"),
        ("a: 1\n---\nb: 1\n", "s:2: the file holds several documents"),
    ],
)
def test_a_file_that_is_not_valid_is_refused(text: str, problem: str) -> None:
    assert _complaints(text) == (problem,)


def test_a_disabled_item_is_not_looked_at() -> None:
    found = read_hooks(Source("s", _repository("id: x, enabled: false, point: nowhere")))
    assert (found.hooks, found.disabled) == ((), ("x",))


def test_defaults_are_filled_in() -> None:
    (hook,) = read_hooks(Source("s", _user(BUILTIN))).hooks
    assert (hook.kind, hook.priority, hook.seconds, hook.closed) == ("builtin", 0, 2, False)
    head = "default_timeout_sec: 9\ndefault_failure_policy: fail_closed\n"
    (hook,) = read_hooks(Source("s", _user(BUILTIN, head))).hooks
    assert (hook.seconds, hook.closed) == (9, True)


@pytest.mark.parametrize("switch", ["enabled", "user_hooks_enabled"])
def test_hooks_that_were_switched_off_stay_off_and_are_named(switch: str) -> None:
    made = migrate("hooks-yaml", _user(BUILTIN, f"{switch}: false\n"), "s")
    assert (faults(made), made.problems) == ([], ())
    assert f"`{switch}: false` switched these hooks off; they are left out: `x`." in made.policy_text


def test_a_configuration_without_hooks_is_an_empty_policy() -> None:
    assert faults(migrate("hooks-yaml", "runtime: {max_turns: 5}\n", "s")) == []


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("echo x; exit 2", "`;` means something to a shell"),
        ("exit 2", "`exit` is a word of the shell, and no program"),
        ("A=1 x", "the assignment `A=1` needs a shell"),
        ("a && b", "`&&` needs a shell"),
        ("cat $HOME", "`$` means something to a shell"),
        ("ls *.go", "`*` means something to a shell"),
        ("~/x", "`~` is expanded by a shell"),
    ],
)
def test_a_command_that_needs_a_shell_is_listed_with_what_to_write(command: str, why: str) -> None:
    item = f"id: x, point: accept_gate, kind: command, params: {{command: '{command}'}}"
    (found,) = lacking("hooks-yaml", _repository(item))
    assert found == f"3: the command `{command}` needs a shell, and a hook has none: {why}"
    (problem,) = migrate("hooks-yaml", _repository(item), "s").problems
    assert f'run ["sh", "-c", "{command}"]' in problem.rewrite


@pytest.mark.parametrize("point", ["session_start", "after_tool_result", "before_completion_decision", "session_end"])
def test_where_a_block_did_not_hold_nothing_refuses(point: str) -> None:
    item = f"id: x, point: {point}, kind: command, failure_policy: fail_closed, params: {{command: [check]}}"
    made = migrate("hooks-yaml", _repository(item), "s")
    assert (faults(made), "observe" in made.policy_text, "fail closed" in made.policy_text) == ([], True, False)
