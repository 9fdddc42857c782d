"""`policy fmt`: canonical layout in place, as a difference or only asked about; what does not parse is left alone."""

from __future__ import annotations

import os
import stat

import pytest

from tests.unit.commands.running import BROKEN, GOOD, Shell

LOOSE = GOOD.replace("  on before_tool(shell)", "   on   before_tool( shell )").replace("deny  ", "deny")


def test_files_are_brought_into_layout_in_place(policy: Shell) -> None:
    path = policy.write(".policy/main.policy", LOOSE)
    policy.write(".policy/other.policy", GOOD.replace("no-rm", "other"))
    done = policy("fmt")
    assert (done.status, done.err) == (0, "")
    assert done.out == ".policy/main.policy: formatted\n1 file formatted, 1 file already in layout\n"
    assert path.read_text() == GOOD
    assert policy("fmt").out == "2 files already in layout\n"


def test_the_mode_and_the_link_stay(policy: Shell) -> None:
    path = policy.write("real.policy", LOOSE)
    path.chmod(0o640)
    (policy.folder / "link.policy").symlink_to("real.policy")
    assert policy("fmt", "link.policy").status == 0
    assert (policy.folder / "link.policy").is_symlink()
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == (GOOD, 0o640)
    assert sorted(os.listdir(policy.folder)) == ["link.policy", "real.policy"]


def test_check_changes_nothing_and_says_so(policy: Shell) -> None:
    path = policy.write("a.policy", LOOSE)
    done = policy("fmt", "--check", "a.policy")
    assert (done.status, done.out) == (1, "a.policy: would be formatted\n1 file would be formatted\n")
    assert path.read_text() == LOOSE
    path.write_text(GOOD)
    assert policy("fmt", "--check", "a.policy").status == 0


def test_a_difference_can_be_applied(policy: Shell) -> None:
    path = policy.write("a.policy", LOOSE)
    done = policy("fmt", "--diff", "a.policy")
    assert done.status == 1
    assert done.out.startswith("--- a.policy\n+++ a.policy (formatted)\n@@ ")
    assert "-   on   before_tool( shell )\n+  on before_tool(shell)\n" in done.out
    assert path.read_text() == LOOSE


def test_line_ends_and_byte_order_marks_are_part_of_the_layout(policy: Shell) -> None:
    path = policy.write("a.policy", b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert policy("fmt", "--check", "a.policy").status == 1
    assert policy("fmt", "a.policy").status == 0
    assert path.read_bytes() == GOOD.encode()


def test_standard_input_goes_to_standard_output(policy: Shell) -> None:
    assert policy("fmt", "-", stdin=LOOSE.encode()).out == GOOD
    asked = policy("fmt", "--check", "-", stdin=LOOSE.encode())
    assert (asked.status, asked.out) == (1, "")
    broken = policy("fmt", "-", stdin=BROKEN.replace("{", "").encode())
    assert (broken.status, broken.out) == (3, "")
    assert "standard input:" in broken.err


@pytest.mark.parametrize("data", [BROKEN.replace("{", "").encode(), b"\xff\xfe\x00", b"language 1\n\x00\n"])
def test_what_does_not_parse_is_left_alone_and_the_rest_is_formatted(policy: Shell, data: bytes) -> None:
    bad, good = policy.write("bad.policy", data), policy.write("good.policy", LOOSE)
    done = policy("fmt", ".")
    assert done.status == 3
    assert "bad.policy" in done.err
    assert done.out.splitlines()[-1] == "1 file formatted, 1 file left alone"
    assert (bad.read_bytes(), good.read_text()) == (data, GOOD)


def test_the_outcome_as_json(policy: Shell) -> None:
    policy.write("a.policy", LOOSE)
    policy.write("b.policy", GOOD)
    done = policy("fmt", "--format", "json", "a.policy", "b.policy")
    assert done.json == {
        "files": [{"file": "a.policy", "state": "changed"}, {"file": "b.policy", "state": "unchanged"}],
    }


def test_a_path_that_is_not_there_is_a_usage_error(policy: Shell) -> None:
    done = policy("fmt", "nothing.policy")
    assert (done.status, done.out) == (2, "")


def test_a_file_that_cannot_be_replaced_is_a_usage_error(policy: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    path = policy.write("a.policy", LOOSE)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    done = policy("fmt", "a.policy")
    assert (done.status, done.err) == (2, "error: cannot write `a.policy`: permission denied\n")
    assert path.read_text() == LOOSE


def test_the_whole_command(policy: Shell) -> None:
    path = policy.write(".policy/main.policy", LOOSE)
    done = policy.process("fmt")
    assert (done.status, done.err, path.read_text()) == (0, "", GOOD)
