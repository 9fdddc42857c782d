"""Paths that mean something else than they say: resolved as the kernel does, or undecided, never as written."""

from __future__ import annotations

import os
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.model.decision import Decision
from policy_engine.model.limits import PATH_BYTES
from tests.end_to_end.host import Host

POLICY = """\
language 1

rule stays-inside "Calls stay inside the workspace" {
  severity high
  on before_tool
  when any p in paths { not (p inside workspace) }
  deny "{p} is outside."
}

rule no-secrets "Secrets stay closed" {
  severity high
  on before_tool
  when any p in paths { p matches ".env" or p matches "secret/**" }
  deny "{p} is a secret."
}

rule nothing-got-out "What was touched lies inside" {
  severity high
  on after_tool
  when any p in paths { not (p inside workspace) }
  warn "{p} lies outside."
}
"""


class Place:
    """An engine and a workspace `proj` with a home beside it."""

    def __init__(self, folder: Path) -> None:
        self.home, self.workspace, self.evil = folder / "home", folder / "proj", folder / "proj-evil"
        for each in (self.home, self.workspace, self.evil, self.workspace / "secret"):
            each.mkdir()
        (self.workspace / ".env").write_text("x")
        self.engine = Engine.from_text(POLICY, home=str(self.home))

    def decide(self, tool: str, path: str, hook: str = "before_tool", workspace: Path | None = None) -> Decision:
        place = str(workspace or self.workspace)
        arguments = {"command": path} if tool == "shell" else {"file_path": path, "content": "x"}
        event = {"hook": hook, "session": "s", "cwd": place, "workspace": place}
        event["tool"] = {"name": "Any", "kind": tool, "args": arguments}  # type: ignore[assignment]
        if hook == "after_tool":
            event["result"] = {"ok": True, "status": "completed", "text": ""}  # type: ignore[assignment]
        return self.engine.decide(event)

    def verdicts(self, path: str) -> set[str]:
        """What is said of a path by whatever tool it is written."""
        return {self.decide("write", path).verdict, self.decide("shell", f"echo x > {path}").verdict}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.fault(37)
@pytest.mark.requirement("R11")
@pytest.mark.parametrize("links", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b/c", "b": "a/d"}])
def test_a_loop_of_links_is_never_taken_as_written(place: Place, links: dict[str, str]) -> None:
    for name, target in links.items():
        (place.workspace / name).symlink_to(target)
    for tool, path in (("write", "a/x"), ("read", "a/x"), ("shell", "rm a/x"), ("shell", "echo x > a/x")):
        decision = place.decide(tool, path)
        assert (decision.verdict, decision.rules[0].outcome) == ("deny", "undecided")
        assert "symbolic links" in decision.rules[0].undecided[0]


@pytest.mark.fault(38)
@pytest.mark.requirement("R11")
def test_links_are_followed_to_where_they_end(place: Place) -> None:
    (place.workspace / "out").symlink_to(place.evil)
    (place.workspace / "in").symlink_to("secret")
    assert (place.verdicts("out/x"), place.verdicts("in/x"), place.verdicts("in/../x")) == (
        {"deny"},
        {"deny"},
        {"allow"},
    )
    chain = [place.workspace / f"link-{number}" for number in range(45)]
    for link, target in pairwise(chain):
        link.symlink_to(target.name)
    chain[-1].mkdir()
    assert place.decide("write", "link-30/x").verdict == "allow"
    assert place.decide("write", "link-0/x").rules[0].outcome == "undecided"


@pytest.mark.fault(38)
def test_a_link_that_is_swapped_after_the_check_is_seen_afterwards(place: Place) -> None:
    link = place.workspace / "link"
    link.symlink_to("src")
    assert place.decide("write", "link/x").verdict == "allow"
    link.unlink()
    link.symlink_to(place.evil)
    assert place.decide("write", "link/x", "after_tool").verdict == "warn"


@pytest.mark.fault(39)
@pytest.mark.requirement("R11")
def test_what_does_not_exist_is_placed_by_its_deepest_ancestor(place: Place) -> None:
    (place.workspace / "out").symlink_to(place.evil)
    assert place.verdicts("new/deep/file") == {"allow"}
    for path in ("../proj-evil/new", "out/new/deep/file", "new/../../proj-evil/x", f"{place.workspace}-evil/x"):
        assert place.verdicts(path) == {"deny"}


@pytest.mark.fault(42)
@pytest.mark.requirement("R11")
@pytest.mark.parametrize(
    "path",
    ["/proc/self/cwd/x", "/proc/self/root/x", "/proc/thread-self/cwd/x", "/dev/fd/3", "/dev/stdin", "/proc/1/cwd/x"],
)
def test_what_depends_on_the_process_is_undecided(place: Place, path: str) -> None:
    (place.workspace / "link").symlink_to(path)
    for written in (path, "link"):
        decision = place.decide("write", written)
        assert (decision.verdict, decision.rules[0].outcome) == ("deny", "undecided")
        assert "depends on the process" in decision.rules[0].undecided[0]


NAMES = ["line\nend", "tab\there", "-rf", "trailing ", "trailing.", "n" * 255, "\x1b[31mred", "quo\"te'"]


@pytest.mark.fault(47)
@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_a_name(host: Host, name: str) -> None:
    """It is found as it is, and a refusal shows it without what a terminal would obey."""
    host.write_policy(POLICY)
    (host.workspace / "secret").mkdir()
    (host.workspace / "secret" / name).write_text("x")
    (host.workspace / name).write_text("x")
    for path, verdict in ((f"secret/{name}", "deny"), (f"./{name}", "allow")):
        given = {"file_path": str(host.workspace / path)}
        done = host.call(host.payload("PreToolUse", tool_name="Read", tool_input=given))
        assert done.verdict == verdict
        assert not any(ord(sign) < 32 and sign not in "\n\t" for sign in done.err) and b"\x1b" not in done.out


@pytest.mark.fault(47)
def test_a_name_of_bytes_that_are_no_text_is_a_name(place: Place) -> None:
    name = os.fsdecode(b"\xff\xfe")
    (place.workspace / name).symlink_to(place.evil)
    assert place.decide("shell", r"echo x > $'\xff\xfe/x'").verdict == "deny"
    assert place.decide("shell", r"echo x > $'\xff/x'").verdict == "allow"


@pytest.mark.fault(48)
@pytest.mark.requirement("R23")
@pytest.mark.parametrize("path", ["a/" * 3000 + "x", "a/../" * 100_000 + "x", "a" * 256, "./" * PATH_BYTES])
def test_a_path_over_the_systems_length_is_undecided(place: Place, path: str) -> None:
    decision = place.decide("write", path)
    assert (decision.verdict, decision.rules[0].outcome) == ("deny", "undecided")


@pytest.mark.fault(49)
@pytest.mark.requirement("R11")
def test_twins_are_one_file_where_the_disk_folds_them(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """No disk that folds names can be had everywhere: what is asked of it is answered instead of it."""
    engine = Engine.from_text(POLICY.replace('".env"', '"kräfte.env"'), home=str(place.home))
    hard_links = ["KRÄFTE.ENV", "Kräfte.env", "\u212aräfte.env", unicodedata.normalize("NFD", "KRÄFTE.env")]
    for folds, expected in ((False, {"allow"}), (True, {"deny"})):
        monkeypatch.setattr("policy_engine.filesystem.file_system.folds_case", lambda _, folds=folds: folds)
        engine._filesystems.clear()
        place.engine = engine
        assert {place.decide("write", name).verdict for name in hard_links} == expected
        assert place.decide("write", "kräfte.env").verdict == "deny"
        assert place.decide("write", "../PROJ/x").verdict == ("allow" if folds else "deny")


@pytest.mark.fault(51)
@pytest.mark.requirement("R11")
def test_a_hard_link_to_a_secret_is_the_secret(place: Place) -> None:
    """Where it lies beside the other name, or the other name in the workspace's root; all else is a risk that stays."""
    os.link(place.workspace / ".env", place.workspace / "harmless")
    (place.workspace / "deep").mkdir()
    os.link(place.workspace / ".env", place.workspace / "deep" / "harmless")
    for path in ("harmless", "deep/harmless"):
        assert place.decide("read", path).verdict == "deny"
        assert place.verdicts(path) == {"deny"}
    assert place.verdicts("other") == {"allow"}


@pytest.mark.fault(54)
@pytest.mark.requirement("R11")
def test_a_workspace_that_is_a_link_is_the_folder_it_ends_at(place: Place, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(place.workspace)
    assert place.decide("write", "x", workspace=link).verdict == "allow"
    assert place.decide("write", str(place.workspace / "x"), workspace=link).verdict == "allow"
    assert place.decide("write", str(tmp_path / "x"), workspace=link).verdict == "deny"


@pytest.mark.fault(54)
@pytest.mark.requirement("R11")
@pytest.mark.parametrize("which", ["the root", "the home folder", "a link to the root", "a link to the home folder"])
def test_to_be_inside_of_everything_says_nothing(place: Place, tmp_path: Path, which: str) -> None:
    target = place.home if "home" in which else Path("/")
    workspace = target
    if "link" in which:
        workspace = tmp_path / "link"
        workspace.symlink_to(target)
    decision = place.decide("write", str(target / "x"), workspace=workspace)
    assert (decision.verdict, decision.rules[0].outcome) == ("deny", "undecided")
    assert "the root or the home folder" in decision.rules[0].undecided[0]
