"""`policy load`: the JSON form of a policy becomes text again; anything else is told what it is not."""

from __future__ import annotations

import json

import pytest

from tests.unit.commands.running import GOOD, WARNS, Shell


def _form(policy: Shell) -> bytes:
    policy.write("a.policy", GOOD)
    return policy("dump", "a.policy").out.encode()


def test_a_form_becomes_text_or_the_same_form(policy: Shell) -> None:
    form = _form(policy)
    policy.write("a.json", form)
    assert policy("load", "a.json").out == GOOD
    assert policy("load", "a.json", "--format", "json").out.encode() == form


def test_one_of_several_files_is_named(policy: Shell) -> None:
    policy.write(".policy/a.policy", GOOD)
    policy.write(".policy/b.policy", WARNS)
    form = policy("dump").out.encode()
    assert policy("load", "-", "--file", ".policy/b.policy", stdin=form).out == WARNS
    done = policy("load", "-", stdin=form)
    assert (done.status, done.err) == (
        2,
        "error: `-` holds `.policy/a.policy`, `.policy/b.policy`; name one with --file\n",
    )
    assert policy("load", "-", "--file", "x", stdin=_form(policy)).status == 2


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_a_usage_error(policy: Shell, data: bytes) -> None:
    done = policy("load", "-", stdin=data)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: `-` is not JSON: ")


@pytest.mark.parametrize(
    "value", [None, [], 3, {}, {"form": 2, "items": []}, {"files": {"a": 3}}, {"form": 1, "items": [{"node": "x"}]}]
)
def test_what_is_no_policy_is_status_3(policy: Shell, value: object) -> None:
    done = policy("load", "-", stdin=json.dumps(value).encode())
    assert (done.status, done.out) == (3, "")
    assert "error[" in done.err


def test_a_file_that_is_not_there_is_a_usage_error(policy: Shell) -> None:
    assert policy("load", "nothing.json").status == 2
    assert policy("load").status == 2


def test_the_whole_command(policy: Shell) -> None:
    done = policy.process("load", "-", stdin=_form(policy))
    assert (done.status, done.err, done.out) == (0, "", GOOD)
