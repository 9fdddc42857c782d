"""The skill that writes policies, and the plugin around it: their form, and that every command that they name runs."""

from __future__ import annotations

import json
import re

import pytest
import yaml

import policy_engine
from tests.docs.blocks import ROOT, blocks
from tests.unit.commands.running import GOOD, Shell

PLUGIN = ROOT / "plugins" / "policy"
SKILL = PLUGIN / "skills" / "write-policy" / "SKILL.md"
PROSE = SKILL.read_text("utf-8")
COMMANDS = sorted(set(re.findall(r"`(policy [a-z][^`\n]*)`", PROSE)))


def test_the_head_is_what_both_hosts_read() -> None:
    head = yaml.safe_load(PROSE.split("---\n")[1])
    assert set(head) == {"name", "description"}
    assert head["name"] == SKILL.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["name"])
    assert 0 < len(head["description"]) <= 1024


def test_the_plugin_is_of_this_version_and_in_the_marketplace() -> None:
    plugin = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    listed = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))["plugins"]
    assert plugin["version"] == policy_engine.__version__
    assert [(one["name"], (ROOT / one["source"]).resolve()) for one in listed] == [(plugin["name"], PLUGIN)]
    assert [one["description"] for one in listed] == [plugin["description"]]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_its_sentences_runs(command: str, policy: Shell) -> None:
    draft = next(block.text for block in blocks(SKILL.relative_to(ROOT)) if block.file == "draft.policy")
    policy.write("draft.policy", draft)
    policy.write(".policy/main.policy", GOOD)
    done = policy(*command.replace("CODE", "PE203").split()[1:])
    assert (done.status in (0, 1), done.err) == (True, "")
    assert done.out


def test_there_are_commands_outside_the_played_blocks() -> None:
    assert COMMANDS == ["policy diff .policy draft.policy", "policy explain-code CODE", "policy packs", "policy prompt"]
