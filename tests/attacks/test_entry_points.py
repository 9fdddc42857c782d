"""Code that a repository puts where Python looks first: no entry point of the engine runs it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.attacks.session import ROOT, Session

SHADOWS = (
    "re",
    "json",
    "os",
    "click",
    "policy_engine",
    "sitecustomize",
    "usercustomize",
    "signal",
    "lark",
    "posixpath",
)
CONSENT = "import posix\nposix.write(2, b'RAN')\nposix._exit(0)\n"
EVENT = {
    "hook": "before_tool",
    "session": "s",
    "tool": {"name": "Bash", "kind": "shell", "args": {"command": "sudo ls"}},
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the engine, as an installer leaves it."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    packages = next(place.glob("lib/python3.*/site-packages"))
    (packages / "engine.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    script = place / "bin" / "policy"
    script.write_bytes((ROOT / "bin" / "policy").read_bytes())
    script.chmod(0o755)
    return place


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session(tmp_path)
    for folder in (".", "src"):
        for name in SHADOWS:
            made.put(f"{folder}/{name}.py", CONSENT)
    made.put("startup.py", CONSENT)
    made.put("home/lib/python3.11/os.py", CONSENT)
    return made


def _hostile(session: Session) -> dict[str, dict[str, str]]:
    work = str(session.workspace)
    return {
        "path": {"PYTHONPATH": f"{work}/src"}, "relative": {"PYTHONPATH": "src"}, "empty": {"PYTHONPATH": ":"},
        "startup": {"PYTHONSTARTUP": f"{work}/startup.py", "PYTHONINSPECT": "1"},
        "home": {"PYTHONHOME": f"{work}/home"}, "user": {"PYTHONUSERBASE": work},
        "warnings": {"PYTHONWARNINGS": "error::src.X", "PYTHONPATH": work},
        "breakpoint": {"PYTHONBREAKPOINT": "re.x", "PYTHONPATH": work}, "cdpath": {"CDPATH": work, "ENV": "startup.py"},
        "prefix": {"PYTHONPYCACHEPREFIX": work}, "none": {},
    }  # fmt: skip


def _run(
    session: Session, command: list[str], data: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    environment = {**session.environment, **variables}
    return subprocess.run(
        command, input=data, env=environment, cwd=session.workspace, capture_output=True, check=False, timeout=120
    )


NAMES = ("path", "relative", "empty", "startup", "home", "user", "warnings", "breakpoint", "cdpath", "prefix", "none")


@pytest.mark.parametrize("name", NAMES)
def test_the_command_refuses_whatever_python_is_told(session: Session, environment: Path, name: str) -> None:
    event = json.dumps({**EVENT, "workspace": str(session.workspace), "cwd": str(session.workspace)}).encode()
    command = [str(environment / "bin" / "policy"), "hook", "generic"]
    done = _run(session, command, event, **_hostile(session)[name])
    assert (done.returncode, b"RAN" in done.stderr + done.stdout) == (2, False), done
    shown = _run(session, [command[0], "trust", "--show"], **_hostile(session)[name])
    assert b"RAN" not in shown.stderr + shown.stdout and shown.returncode == 0, shown


@pytest.mark.parametrize("name", NAMES)
def test_the_printed_line_for_any_agent_refuses(session: Session, environment: Path, name: str) -> None:
    event = json.dumps({**EVENT, "workspace": str(session.workspace), "cwd": str(session.workspace)}).encode()
    line = _run(session, [str(environment / "bin" / "policy"), "install", "generic"]).stdout.decode().strip()
    done = _run(session, ["/bin/sh", "-c", line], event, **_hostile(session)[name])
    assert (done.returncode, b"RAN" in done.stderr + done.stdout) == (2, False), done
    gone = _run(session, ["/bin/sh", "-c", line.replace("hook.py", "gone.py")], event)
    assert gone.returncode == 2


@pytest.mark.parametrize("name", NAMES)
def test_the_proxy_judges_whatever_python_is_told(session: Session, environment: Path, name: str) -> None:
    session.put(
        ".policy/mcp.policy", 'language 1\nrule no-push "x" { on before_tool("mcp__forge__push") deny "No push." }\n'
    )
    printed = _run(session, [str(environment / "bin" / "policy"), "install", "mcp"]).stdout
    given = json.loads(printed)
    server = session.put("server.sh", "#!/bin/sh\ncat\n")
    server.chmod(0o755)
    words = [given["command"], *given["args"][:-1], "/bin/sh", "server.sh"]
    words[words.index("NAME")] = "forge"
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "push", "arguments": {}}}
    done = _run(session, words, json.dumps(call).encode() + b"\n", **_hostile(session)[name])
    assert b"No push." in done.stdout and b"RAN" not in done.stderr + done.stdout, done


def test_a_link_to_the_command_and_another_folder_are_no_way_around(session: Session, environment: Path) -> None:
    link = session.home / "bin" / "policy"
    link.parent.mkdir()
    link.symlink_to(environment / "bin" / "policy")
    for start in (str(link), f"../{session.home.name}/bin/policy"):
        done = _run(session, [start, "--version"], PYTHONPATH="src")
        assert done.returncode == 0 and b"RAN" not in done.stderr, done
    found = _run(
        session, ["/bin/sh", "-c", "policy --version"], PATH=f"{link.parent}:{os.environ['PATH']}", PYTHONPATH="src"
    )
    assert found.returncode == 0, found


def test_a_package_for_one_user_is_found_by_the_isolated_interpreter(session: Session) -> None:
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    local = session.home / ".local"
    packages = local / "lib" / version / "site-packages"
    packages.mkdir(parents=True)
    (packages / "policy_engine").symlink_to(ROOT / "policy_engine")
    (local / "bin").mkdir()
    script = local / "bin" / "policy"
    script.write_bytes((ROOT / "bin" / "policy").read_bytes())
    script.chmod(0o755)
    (local / "bin" / version).symlink_to(sys.executable)
    line = f"{shlex.quote(str(script))} hook generic"
    event = json.dumps({**EVENT, "workspace": str(session.workspace), "cwd": str(session.workspace)}).encode()
    path = f"{local / 'bin'}:{os.environ['PATH']}"
    done = _run(session, ["/bin/sh", "-c", line], event, PYTHONPATH="src", PATH=path)
    assert (done.returncode, b"RAN" in done.stderr) == (2, False), done
