"""Tool calls: paths with access, and the new text, by kind."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.tool_calls import call_content, call_paths, call_replaced
from policy_engine.model.event import Event
from policy_engine.model.undecided import ABSENT, Undecided

PATCH = """*** Begin Patch
*** Update File: src/a.py
*** Move to: src/b.py
@@
-old
+new
*** Add File: c.txt
+one
+two
*** Delete File: d.txt
*** End Patch
"""


def call(kind: str, args: dict[str, object], cwd: str | None = "/workspace/sub") -> Event:
    raw = {"hook": "before_tool", "session": "s", "tool": {"name": "T", "kind": kind, "args": args}}
    return Event.from_dict(raw if cwd is None else {**raw, "cwd": cwd})


def touched(kind: str, args: dict[str, object]) -> list[str]:
    paths = call_paths(call(kind, args), Virtual())
    return [f"{path.access} {path.real}{'/**' if path.recursive else ''}" for path in paths]


@pytest.mark.parametrize(
    ("kind", "args", "expected"),
    [
        ("write", {"file_path": "/etc/x"}, ["write /etc/x"]),
        ("edit", {"notebook_path": "n.ipynb"}, ["write /workspace/sub/n.ipynb"]),
        ("edit", {"file_path": "a", "path": "b"}, ["write /workspace/sub/a", "write /workspace/sub/b"]),
        ("edit", {"path": "a", "edits": [{"path": "b"}, {"new": "x"}]},
         ["write /workspace/sub/a", "write /workspace/sub/b"]),
        ("read", {"file_path": "../x"}, ["read /workspace/x"]),
        ("read", {"files": ["x", "y"]}, ["read /workspace/sub/x", "read /workspace/sub/y"]),
        ("write", {"file_path": "x", "paths": ["x", "y"]}, ["write /workspace/sub/x", "write /workspace/sub/y"]),
        ("search", {"pattern": "x", "path": "/etc"}, ["read /etc/**"]),
        ("search", {"pattern": "x"}, ["read /workspace/sub/**"]),
        ("mcp", {"path": "x", "query": "etc"}, ["write /workspace/sub/x"]),
        ("mcp", {"path": "x", "to": ["./y"]}, ["write /workspace/sub/x", "write /workspace/sub/y"]),
        ("mcp", {"files": {".policy/x": "x"}}, ["write /workspace/sub/.policy/x"]),
        ("mcp", {"settings": {"editor.fontSize": 12, "plain": "x"}}, []),
        ("other", {"paths": ["x", "y"]}, ["write /workspace/sub/x", "write /workspace/sub/y"]),
        ("fetch", {"url": "file:///etc"}, []),
        ("todo", {"path": "x"}, []),
        (
            "edit",
            {"patch": PATCH},
            [
                "read /workspace/sub/src/a.py", "delete /workspace/sub/src/a.py", "write /workspace/sub/src/b.py",
                "write /workspace/sub/c.txt", "delete /workspace/sub/d.txt",
            ],
        ),
        ("edit", {"input": PATCH.replace("\n", "\r\n")}, None),
    ],
)  # fmt: skip
def test_a_call_names_its_paths(kind: str, args: dict[str, object], expected: list[str] | None) -> None:
    assert touched(kind, args) == (touched("edit", {"patch": PATCH}) if expected is None else expected)


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("write", {"content": "x"}),
        ("read", {}),
        ("write", {"file_path": 1}),
        ("edit", {"patch": "--- a\n+++ b\n"}),
        ("edit", {"patch": "*** Begin Patch\n*** Rename File: a\n"}),
        ("edit", {"patch": "*** Begin Patch\n*** Move to: a\n"}),
        ("write", {"file_path": "~root/x"}),
    ],
)
def test_what_a_call_touches_is_undecided_if_its_arguments_do_not_say(kind: str, args: dict[str, object]) -> None:
    with pytest.raises(Undecided):
        touched(kind, args)


def test_a_relative_path_without_cwd_is_undecided() -> None:
    with pytest.raises(Undecided, match="`cwd`"):
        call_paths(call("read", {"file_path": "x"}, None), Virtual())


@pytest.mark.parametrize(
    ("kind", "args", "expected"),
    [
        ("write", {"file_path": "a", "content": "text"}, "text"),
        ("edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, "y"),
        ("edit", {"file_path": "a", "edits": [{"new_string": "y"}, {"new_string": "z"}]}, "y\nz"),
        ("edit", {"notebook_path": "a", "new_source": "cell"}, "cell"),
        ("edit", {"notebook_path": "a", "edit_mode": "delete"}, ""),
        ("edit", {"patch": PATCH}, "new\none\ntwo"),
        ("read", {"file_path": "a"}, ABSENT),
    ],
)
def test_content_is_the_new_text_only(kind: str, args: dict[str, object], expected: object) -> None:
    assert call_content(call(kind, args)) == expected


@pytest.mark.parametrize(
    ("kind", "args"),
    [("write", {"file_path": "a"}), ("edit", {"edits": "x"}), ("edit", {"edits": [{}]}), ("shell", {"command": "ls"})],
)
def test_content_that_is_not_in_known_arguments_is_undecided(kind: str, args: dict[str, object]) -> None:
    with pytest.raises(Undecided):
        call_content(call(kind, args))


@pytest.mark.parametrize(
    ("kind", "args", "expected"),
    [
        ("edit", {"old_string": "a", "new_string": "b"}, "a"),
        ("edit", {"edits": [{"old_string": "a", "new_string": "b"}, {"old_str": "c", "new_str": "d"}]}, "a\nc"),
        ("edit", {"patch": PATCH}, "old"),
        ("edit", {"insert_text": "a", "insert_line": 3}, ""),
        ("write", {"content": "a"}, ABSENT),
        ("read", {"file_path": "a"}, ABSENT),
    ],
)
def test_what_an_edit_replaces(kind: str, args: dict[str, object], expected: object) -> None:
    assert call_replaced(call(kind, args)) == expected


@pytest.mark.parametrize(
    "args", [{"new_string": "b"}, {"edits": "a"}, {"edits": [{"new_string": "b"}]}, {"edits": [3]}]
)
def test_what_an_edit_replaces_is_undecided_where_it_does_not_say_it(args: dict[str, object]) -> None:
    with pytest.raises(Undecided):
        call_replaced(call("edit", args))
