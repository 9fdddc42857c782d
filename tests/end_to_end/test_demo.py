"""`examples/demo.py`, as a story and with every event: refused where it must be, and accepted at its end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def demo(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The demonstration in a folder of its own, with an empty home and a pipe as output."""
    return subprocess.run(
        [sys.executable, str(ROOT / "examples/demo.py"), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env={"HOME": str(folder), "PATH": os.path.dirname(sys.executable), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        check=False,
    )


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines that `make demo` shows."""
    done = demo(tmp_path_factory.mktemp("home"))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_the_story_fits_a_screen_and_ends_with_the_next_command(story: list[str]) -> None:
    assert len(story) <= 25 and max(map(len, story)) <= 80
    assert "policy init && policy install" in story[-1]
    assert story[-2] == "46 events: 4 refused, 1 remarked, 41 allowed without a word."


def test_the_story_has_five_scenes_of_what_was_wanted_said_and_done_then(story: list[str]) -> None:
    scenes = [line for line in story if line[3:10] == "wanted "]
    assert [line[:3] for line in scenes] == ["1  ", "2  ", "3  ", "4  ", "5  "]
    said = [line[11:].partition(":")[0] for line in story if line[:11] == "   said    "]
    assert said == ["remind", "deny, 2 times", "deny", "deny", "accepted"]
    assert len([line for line in story if line[:11] == "   then    "]) == 5
    assert "2  wanted  run rm tests/test_slug.py" in story
    assert any("Keep it" in line for line in story)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of the whole session."""
    done = demo(tmp_path_factory.mktemp("home"), "--all")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def completions(lines: list[str]) -> list[str]:
    """What was decided each time the agent proposed to finish."""
    return [line.split()[1] for line in lines if line[5:].split()[1:2] == ["before_completion"]]


def test_finishing_is_refused_until_the_work_is_done(shown: list[str]) -> None:
    assert completions(shown) == ["deny", "deny", "allow"]


def test_a_refusal_says_what_failed_why_and_what_would_help(shown: list[str]) -> None:
    start = next(number for number, line in enumerate(shown) if "✗ read-back" in line)
    said = [line.strip() for line in shown[start : start + 6]]
    assert said[0] == "✗ read-back  deny  rules/acceptance/read-back.policy:10:1"
    assert said[1].startswith("README.md was not read after its last change")
    assert said[2] == "because   read(f) since wrote(f)"
    assert said[3] == 'f = "README.md"'
    assert said[4].startswith("evidence  event ")
    assert said[5].startswith("to pass   every f in changed(read_back_files)")


def test_the_summary_counts_what_was_shown(shown: list[str]) -> None:
    events = [line for line in shown if line[:4].strip().isdigit() and line[:1] == " "]
    assert f"{len(events)} events: 4 refused, 1 answered with a reminder, 41 allowed" in shown


def test_a_pipe_gets_no_escape_sequences_and_no_path_of_this_machine(shown: list[str]) -> None:
    text = "\n".join(shown)
    assert "\x1b" not in text
    assert "/home/dev/proj/src/texts.py" in text
    assert str(ROOT) not in text and "/proj/" not in text.replace("/home/dev/proj/", "")


def test_the_other_recorded_session_is_refused_for_what_it_left_unread(tmp_path: Path) -> None:
    done = demo(tmp_path, "--all", "tools")
    assert done.returncode == 0
    assert completions(done.stdout.splitlines()) == ["deny"]
    assert "f.txt was not read after its last change" in done.stdout


def test_an_unknown_session_is_a_usage_error(tmp_path: Path) -> None:
    done = demo(tmp_path, "tool")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "no recorded session `tool`; there are: slug, tools\n"
