"""An engine that lies where the agent works: its libraries and interpreter are left alone, other packages are not."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from policy_engine.hook_process import self_test
from policy_engine.loading import installation
from tests.attacks.session import PACKS, ROOT

NEEDED = ("lark", "pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection", "click",
          "google-re2", "pyahocorasick", "tree-sitter", "tree-sitter-bash")  # fmt: skip
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the engine in its own `.venv`, its hook called as registration does."""
    root = tmp_path_factory.mktemp("project")
    work, home = root / "work", root / "home"
    packages = work / ".venv" / "lib" / VERSION / "site-packages"
    packages.mkdir(parents=True)
    home.mkdir(mode=0o700)
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(ROOT / "policy_engine", packages / "policy_engine", ignore=ignored)
    for name in ("grammar", "rules"):
        shutil.copytree(ROOT / name, packages / "policy_engine" / "shipped" / name)
    for name in NEEDED:
        made = distribution(name)
        for top in {file.parts[0] for file in made.files or ()} - {"..", "__pycache__"}:
            place = Path(str(made.locate_file(top)))
            if place.is_dir():
                shutil.copytree(place, packages / top, ignore=ignored)
            else:
                shutil.copy(place, packages / top)
    folder = packages / "policy_engine-0.1.0.dist-info"
    folder.mkdir()
    needs = "".join(f"Requires-Dist: {name}\n" for name in NEEDED)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: policy_engine\nVersion: 0.1.0\n{needs}")
    (folder / "RECORD").write_text("policy_engine/__init__.py,,\n")
    (work / ".venv" / "bin").mkdir()
    (work / ".policy").mkdir()
    shutil.copy(PACKS / "no-sudo.policy", work / ".policy")
    (work / "x.c").write_text("int x;\n")
    return work


def _hook(project: Path, **given: Any) -> subprocess.CompletedProcess[bytes]:
    script = project / ".venv" / "lib" / VERSION / "site-packages" / "policy_engine" / "hook.py"
    interpreter = installation.base_interpreter()
    payload = {"session_id": "s-1", "hook_event_name": "PreToolUse", "cwd": str(project), **given}
    environment = {"HOME": str(project.parent / "home"), "CLAUDE_PROJECT_DIR": str(project)}
    libraries = f"--libraries={script.parents[1]}"
    return subprocess.run(
        [interpreter, "-I", "-S", str(script), "claude-code", libraries],
        input=json.dumps(payload).encode(), env=environment, cwd=project, capture_output=True, check=False,
    )  # fmt: skip


def _shell(project: Path, line: str) -> str:
    done = _hook(project, tool_name="Bash", tool_input={"command": line})
    said = json.loads(done.stdout or b"{}").get("hookSpecificOutput", {}).get("permissionDecision")
    return "deny" if done.returncode == 2 else said or "allow"


SITE = f".venv/lib/{VERSION}/site-packages"


@pytest.mark.parametrize(
    "line",
    [
        f"gcc -shared -fPIC x.c -o {SITE}/tree_sitter/_binding.cpython-311-x86_64-linux-gnu.so",
        f"cp x.c {SITE}/re2/__init__.py", f"cp x.c {SITE}/ahocorasick.cpython-311-x86_64-linux-gnu.so",
        f"mv x.c {SITE}/tree_sitter_bash/_binding.abi3.so", f"rm -rf {SITE}/tree_sitter", f"mv {SITE} old",
        f"ln -sfn /tmp {SITE}/re2", f"echo >> {SITE}/lark/lexer.py", f"echo x > {SITE}/sitecustomize.py",
        f"echo x > {SITE}/usercustomize.py", f"echo x > {SITE}/a.pth", f"pip install --target {SITE} x",
        f"cp x.c {SITE}/policy_engine/hook.py", "cp x.c .venv/bin/python3", "cp x.c .venv/pyvenv.cfg",
        "cp x.c .venv/bin/policy", "sed -i s/a/b/ .venv/bin/policy", "rm -rf .venv", f"chmod 777 {SITE}/tree_sitter",
        f"cd {SITE} && cp ../../../../x.c re2/_re2.so", f"cp x.c {SITE}/tree_sitter/*",
        f"find {SITE} -name '*.so' -delete", f"tar xf a.tar -C {SITE}/re2",
        f"cp x.c {installation.base_interpreter()}",
        f"echo >> {Path(json.__file__).resolve()}",
    ],
)  # fmt: skip
def test_what_the_engine_runs_from_is_left_alone(project: Path, line: str) -> None:
    assert _shell(project, line) in ("deny", "ask")


@pytest.mark.parametrize(
    "name", ["tree_sitter/_binding.so", "re2/__init__.py", "policy_engine/hook.py", "sitecustomize.py", "lark/x.py"]
)
def test_a_file_tool_leaves_it_alone_too(project: Path, name: str) -> None:
    given = {"file_path": str(project / SITE / name), "content": "x"}
    assert _hook(project, tool_name="Write", tool_input=given).returncode == 2


@pytest.mark.parametrize(
    "line",
    [
        ".venv/bin/pip install requests", "pip install -r requirements.txt", "python -m pip install --upgrade requests",
        f"cat {SITE}/tree_sitter/__init__.py", f"cp x.c {SITE}/requests.py", f"rm -rf {SITE}/requests",
        f"sed -i s/a/b/ {SITE}/requests/api.py", "gcc x.c -o build/x", "touch .venv/bin/mytool", "ls .venv/bin",
        f"grep -rn x {SITE}/lark",
    ],
)  # fmt: skip
def test_other_packages_of_the_environment_are_honest_work(project: Path, line: str) -> None:
    assert _shell(project, line) == "allow"


def _canary(project: Path) -> bytes:
    return _hook(project, tool_name="__policy_engine_canary__", tool_input={}).stderr


@pytest.mark.parametrize("name", ["re2"])
def test_a_library_that_was_exchanged_shows_at_the_canary(project: Path, name: str) -> None:
    assert b"E-CANARY" in _canary(project)
    folder = project / SITE / name
    for library in folder.glob("*.so"):
        kept = library.read_bytes()
        library.write_bytes(b"\x7fELF nothing")
        try:
            said = _canary(project)
            assert b"E-CANARY" not in said and b"does not work" in said
        finally:
            library.write_bytes(kept)


def test_a_part_that_gives_wrong_answers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert self_test.broken_part() == ""
    monkeypatch.setitem(self_test._PARTS, "the digest", lambda: False)
    assert self_test.broken_part() == "the digest gives wrong answers"


def test_an_engine_in_the_project_is_named_by_where_it_lies(tmp_path: Path) -> None:
    assert str(ROOT / "policy_engine") in installation.parts_in(str(ROOT))
    assert installation.parts_in(str(tmp_path)) == ()
