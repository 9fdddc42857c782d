"""`policy dump`: policies as data, from which the text comes back."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.unit.commands.running import BROKEN, GOOD, WARNS, Shell


def test_one_file_is_one_tree_and_load_gives_it_back(policy: Shell) -> None:
    policy.write("a.policy", "# Why this is here.\n" + GOOD)
    done = policy("dump", "--json", "a.policy")
    assert (done.status, done.err, done.json["language"]) == (0, "", 1)
    again = policy("load", "-", stdin=done.out.encode())
    assert (again.status, again.out) == (0, policy("dump", "--format", "text", "a.policy").out)
    assert "# Why this is here." in again.out


def test_several_files_are_told_apart(policy: Shell) -> None:
    policy.write(".policy/a.policy", GOOD)
    policy.write(".policy/b.policy", WARNS)
    assert list(policy("dump").json["files"]) == [".policy/a.policy", ".policy/b.policy"]


def test_the_form_agrees_with_its_schema(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    schema = policy("dump", "--schema").json
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(policy("dump", "a.policy").json, schema)


def test_a_program_shows_its_generated_code_and_index(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    done = policy("dump", "--program", "a.policy")
    assert (done.status, done.err) == (0, "")
    assert "def dispatch(e):" in done.out
    assert "test: lambda e: " in done.out


@pytest.mark.parametrize("data", [BROKEN.replace("{", "").encode(), b"\xff\x00"])
def test_what_does_not_parse_is_status_3(policy: Shell, data: bytes) -> None:
    policy.write("a.policy", data)
    done = policy("dump", "a.policy")
    assert (done.status, done.out) == (3, "")
    assert policy("dump", "nothing").status == 2


def test_the_whole_command(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy.process("dump")
    assert (done.status, done.err, json.loads(done.out)["form"]) == (0, "", 1)
