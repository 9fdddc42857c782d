"""A repository's policy names no code, no file outside of its folder, no address and no variable of the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine import Engine
from policy_engine.model.errors import PolicyLoadError
from tests.end_to_end.host import POLICY, Host

ELSEWHERE = ["../outside.policy", "/etc/passwd", "~/x.policy", "https://a.example/x.policy", "file:///x", "$HOME/x"]


@pytest.mark.fault(62)
@pytest.mark.requirement("R16")
@pytest.mark.parametrize("target", [*ELSEWHERE, "/dev/zero", "below", "../work/.policy/../outside.policy"])
def test_an_import_from_elsewhere_does_not_load(host: Host, target: str) -> None:
    (host.workspace / "outside.policy").write_text("language 1\n")
    path = host.write_policy(POLICY)
    (path.parent / "below").mkdir()
    assert host.call(host.shell("ls"), env={"XDG_CACHE_HOME": str(host.home / "other")}).verdict == "allow"
    host.write_policy(POLICY.replace("language 1\n", f'language 1\nimport "{target}"\n'))
    done = host.call(host.shell("ls"))
    assert (done.refused, "E-POLICY" in done.err) == (True, True)


@pytest.mark.fault(62)
@pytest.mark.requirement("R16")
def test_a_link_out_of_the_folder_does_not_load(host: Host) -> None:
    (host.workspace / "outside.policy").write_text("language 1\n")
    path = host.write_policy(POLICY)
    (path.parent / "link.policy").symlink_to(host.workspace / "outside.policy")
    assert host.call(host.shell("ls")).refused


@pytest.mark.requirement("R16")
def test_nothing_of_the_environment_comes_into_a_policy(host: Host) -> None:
    text = POLICY.replace("removes files.", "removes files of $SECRET ${SECRET} %SECRET% `echo $SECRET`.")
    host.write_policy(text.replace("{c.text}", "it"))
    done = host.call(host.shell("rm a"), env={"SECRET": "hunter2"})
    assert done.refused and "hunter2" not in done.err and b"hunter2" not in done.out


@pytest.mark.requirement("R16")
@pytest.mark.parametrize(
    "condition",
    ['env("HOME") == "x"', '__import__("os") == 1', 'read_url("https://a.example")', "$HOME == cwd", "eval(cwd)"],
)
def test_no_expression_reaches_out(tmp_path: Path, condition: str) -> None:
    (tmp_path / "a.policy").write_text(f"language 1\n\nrule a {{\n  on before_tool\n  when {condition}\n  deny\n}}\n")
    with pytest.raises(PolicyLoadError):
        Engine.load(tmp_path)
