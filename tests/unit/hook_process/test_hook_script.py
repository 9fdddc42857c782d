"""The script itself: whatever fails, the refusal is said, logged and never raised."""

from __future__ import annotations

import gc
import json
import os
import posix
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from policy_engine import hook
from policy_engine.hook_process import bundled, hook_entry
from tests.house.sources import ROOT

REFUSED = "E-START: the policy engine could not start ({}); the action is refused.\n"


@pytest.fixture(autouse=True)
def process(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the script changes of its process is put back; there is no bundle."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield
    gc.enable()


def test_the_words_are_handed_on_and_the_status_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def main(words: list[str], load: object) -> int:
        given.extend((words, load, sys.path[-1]))
        return 7

    monkeypatch.setattr(hook_entry, "main", main)
    assert hook.run(["a", "b"]) == 7
    assert given == [["a", "b"], hook.load, str(ROOT)]


def test_a_process_that_decides_itself_uses_the_bundle_and_collects_no_garbage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[object] = []
    monkeypatch.setattr(bundled, "use_bundle", lambda root: given.extend((root, gc.isenabled())))
    assert hook.run(["nobody"]) == 2
    assert given == [str(ROOT), False]


def test_what_is_loaded_is_what_others_import(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("response_writer", "hook_entry", "resident", "bundled"):
        monkeypatch.delitem(sys.modules, f"policy_engine.hook_process.{name}", raising=False)
        loaded = hook.load(name)
        assert loaded is hook.load(name) is hook_entry.import_usually(name)
        assert loaded.__file__ == str(ROOT / "policy_engine" / "hook_process" / f"{name}.py")  # type: ignore[attr-defined]


@pytest.mark.requirement("R1", "R6")
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (RuntimeError("broken"), "RuntimeError: broken"),
        (ImportError("no module"), "ImportError: no module"),
        (SystemExit(0), "SystemExit: 0"),
        (KeyboardInterrupt(), "KeyboardInterrupt: "),
        (ValueError("a\udcff"), "ValueError: a\\udcff"),
    ],
)
def test_whatever_fails_is_a_refusal_that_is_logged(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    fault: BaseException,
    said: str,
) -> None:
    def main(words: list[str], load: object) -> int:
        raise fault

    monkeypatch.setattr(hook_entry, "main", main)
    assert hook.run([]) == 2
    assert capfd.readouterr() == ("", REFUSED.format(said))
    told = json.loads((home / ".local/state/policy-engine/decisions.jsonl").read_bytes())
    assert (told["code"], told["errors"][0][:9], told["verdict"]) == ("E-START", "E-START: ", "deny")
    assert told["errors"][0][9:].startswith(said.partition("\\")[0])
    assert (told["host"], told["native"], told["hook"]) == ("", "", "")


@pytest.mark.requirement("R1")
def test_a_refusal_that_nobody_can_be_told_is_one_by_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[tuple[str, ...]] = []

    def broken(*_given: object) -> int:
        raise OSError("broken")

    def log(*given: str) -> None:
        logged.append(given)
        raise KeyboardInterrupt

    monkeypatch.setattr(hook_entry, "main", broken)
    monkeypatch.setattr(posix, "write", broken)
    monkeypatch.setattr("policy_engine.audit.log.append_failure", log)
    assert hook.run([]) == 2
    assert logged == [("", "", "", "E-START", "OSError: broken")]


def _in_repository(folder: Path) -> bool:
    handle = os.open(folder, os.O_RDONLY)
    try:
        return hook_entry.in_repository(handle)
    finally:
        os.close(handle)


@pytest.mark.requirement("R13")
@pytest.mark.parametrize("mark", [".git", ".policy"])
@pytest.mark.parametrize(
    ("at", "folder", "inside"),
    [
        ("work", "work", True),
        ("work", "work/cache", True),
        ("work", "workshop", False),
        ("work", ".", False),
        ("work", "other/cache", False),
        ("work/a/b", "work/cache", True),
        ("work/a/b", "work/a/b/c", True),
        ("work/a/b", "worker/cache", False),
        ("work/a/b", "other", False),
        ("work", "work/../other", False),
        ("work", "other/../work/cache", True),
        ("work", "link", True),
        ("work", "work/out", False),
        ("other", "other/cache", True),  # no repository: the folder itself
        ("other", "work", False),
    ],
)
def test_what_a_repository_brings_along_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str, at: str, folder: str, inside: bool
) -> None:
    (tmp_path / "work" / mark).mkdir(parents=True)
    (tmp_path / "work/a/b").mkdir(parents=True)
    for name in ("work/cache", "work/a/b/c", "workshop", "worker/cache", "other/cache"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to("work/cache")
    (tmp_path / "work/out").symlink_to("../other")
    monkeypatch.chdir(tmp_path / at)
    assert _in_repository(tmp_path / folder) is inside


def test_the_nearest_repository_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outer/.git").mkdir(parents=True)
    (tmp_path / "outer/inner/.policy").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "outer/inner")
    for name in ("outer/inner/x", "outer/x"):
        (tmp_path / name).mkdir()
    found = [_in_repository(tmp_path / name) for name in ("outer/inner/x", "outer/x")]
    assert found == [True, False]


def test_at_the_root_everything_is_inside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(posix, "getcwdb", lambda: b"/")
    assert _in_repository(tmp_path)


def test_what_stands_at_a_path_is_present_whatever_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    names = ("file", "link", ".", "nothing", "file/below")
    assert [hook_entry.present(os.fsencode(tmp_path / name)) for name in names] == [True, True, True, False, False]
