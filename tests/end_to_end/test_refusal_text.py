"""What real hook processes say under many packs: short enough for a dialog, one sentence for one cause."""

from __future__ import annotations

import json

import pytest

from policy_engine.protocol.answer import ASK_CHARS, REFUSAL_CHARS
from tests.end_to_end.host import STATEFUL, Host

PACKS = (
    "no-disk-format", "no-force-push-protected", "no-git-discard", "no-hook-bypass", "no-interactive-shell",
    "no-package-publish", "no-recursive-delete-outside-workspace", "no-remote-or-decoded-exec", "no-secret-read",
    "no-sudo", "no-tamper", "no-write-outside-workspace",
)  # fmt: skip


def _imports() -> str:
    return "language 1\n" + "".join(f'import "pack:security/{name}"\n' for name in PACKS)


@pytest.fixture
def guarded(host: Host) -> Host:
    host.write_policy(_imports())
    return host


@pytest.mark.parametrize(
    ("line", "cause", "instead"),
    [
        ("sort --foo=src a", "`--foo=src` of `sort` is not modelled", "Leave out what is not modelled"),
        ("rm -rf $WHERE", "stands for is not known", "Write the value itself"),
        ('bash -c "$LINE"', "is not known", "Write literally which program"),
        ('echo "open', "is not closed", "simpler lines"),
        ("ssh host 'rm -rf x'", "starts it on another machine", "A person agrees to what runs there"),
    ],
)
def test_one_unknown_under_many_packs_is_one_sentence(guarded: Host, line: str, cause: str, instead: str) -> None:
    done = guarded.call(guarded.shell(line, permission_mode="default"))
    assert done.verdict == "ask"
    text = json.loads(done.out)["hookSpecificOutput"]["permissionDecisionReason"]
    assert len(text) <= ASK_CHARS
    assert text.count("Could not be decided") == 1 and cause in text and instead in text
    assert "Because" not in text


def test_a_refusal_for_many_reasons_fits(guarded: Host) -> None:
    done = guarded.call(guarded.shell("sudo rm -rf / && git push --force origin main && cat .env"))
    assert done.refused and len(done.err.strip()) <= REFUSAL_CHARS
    assert "more rules; `policy why`" in done.err


def test_a_refused_completion_holds_no_source_of_an_expression(host: Host) -> None:
    host.write_policy(STATEFUL)
    host.call(host.wrote("src/a.py", "c-1"))
    done = host.call(host.stop())
    assert done.refused and "Run the tests." in done.err
    assert "since wrote" not in done.err and "command_success" not in done.err
