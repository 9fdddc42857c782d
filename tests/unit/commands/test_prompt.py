"""`policy prompt`: the guide has every word of the language, and its examples check and pass their tests."""

from __future__ import annotations

import re
from pathlib import Path

from policy_engine.checker.vocabulary import vocabulary
from policy_engine.syntax.keywords import KEYWORDS
from tests.unit.commands.running import Shell


def test_every_word_is_explained(policy: Shell) -> None:
    done = policy("prompt")
    assert (done.status, done.err) == (0, "")
    words = vocabulary()
    listed = {
        name for line in done.out.splitlines() if line[:3] == "- `" for name in re.findall(r"`([a-z_0-9.]+)", line)
    }
    wanted = {
        *words.points,
        *words.fields,
        *words.callable_words(),
        *(word for found in KEYWORDS.values() for word in found),
    }
    assert wanted - listed == set()
    assert [kind for kind in words.kinds if f"`{kind}`" not in done.out] == []


def test_the_examples_check_and_pass_their_tests(policy: Shell, tmp_path: Path) -> None:
    examples = re.findall(r"^```policy\n(.*?)^```$", policy("prompt").out, re.M | re.S)
    assert len(examples) == 3
    for number, text in enumerate(examples):
        file = tmp_path / f"{number}.policy"
        file.write_text(text, "utf-8")
        assert (policy("check", "--strict", str(file)).status, policy("test", str(file)).status) == (0, 0)
