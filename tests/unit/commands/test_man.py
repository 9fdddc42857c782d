"""Manual pages are made of what `--help` knows."""

from __future__ import annotations

from policy_engine.commands.base import command_names
from tests.unit.commands.running import Shell


def test_every_command_has_a_manual_page(policy: Shell) -> None:
    done = policy("man", "--folder", "man1")
    assert done.status == 0
    pages = {path.name: path.read_text() for path in (policy.folder / "man1").iterdir()}
    assert pages.keys() == {"policy.1", *(f"policy-{name}.1" for name in command_names())}
    for name, text in pages.items():
        assert text.startswith(".TH ") and ".SH EXIT STATUS" in text, name
        requests = {line.split()[0] for line in text.splitlines() if line[:1] in (".", "'")}
        assert requests <= {".TH", ".SH", ".TP", ".B", ".PP"}, name
    assert "install" in pages["policy.1"]
    assert "\\-\\-host" in pages["policy-check.1"]


def test_one_page_is_printed(policy: Shell) -> None:
    assert policy("man", "check").out.startswith('.TH "POLICY\\-CHECK" "1"')
    assert policy("man").out.startswith('.TH "POLICY" "1"')
    assert policy("man", "nothing").status == 2
