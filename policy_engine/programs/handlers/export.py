"""`export`: gives variables to later commands, or prints all of them."""

from __future__ import annotations

import posix

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_CHOOSES = ("PATH", "LD_", "DYLD_", "PYTHON", "NODE_OPTIONS", "BASH_ENV", "ENV", "IFS", "PERL5", "RUBYOPT", "GIT_",
            "PROMPT_COMMAND", "BROWSER", "PAGER", "EDITOR", "VISUAL", "SHELL")  # fmt: skip

_SWITCHES = ("HUSKY=0", "LEFTHOOK=0", "LEFTHOOK=false", "HUSKY_SKIP_HOOKS=1", "OVERCOMMIT_DISABLE=1",
             "SKIP_SIMPLE_GIT_HOOKS=1", "PRE_COMMIT_ALLOW_NO_CONFIG=1")  # fmt: skip
_PROGRAMS = ("bin", "sbin", "shims")  # folders that installers put programs into
_PROJECT = ("node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin")  # the same, of a project
_SCRATCH = ("/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/", "/run/shm/", "/var/folders/")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    names = [word for word in arguments.operands if word[:1] != "-"]
    if not names and "-f" not in arguments.operands:
        scene.does("discloses")
    scene.complete = bool(names) and all(_extends_path(name, scene) for name in names)
    if any(name.startswith(_CHOOSES) and not _extends_path(name, scene) for name in names):
        scene.does("configures")
    if any(name.startswith(_SWITCHES) for name in names):
        scene.does("skips-hooks")
    if any(name.startswith("POLICY_") for name in names):
        scene.does("controls-engine")
    return []


def _extends_path(word: str, scene: Scene) -> bool:
    """Whether a search path is only extended, by folders that hold installed programs."""
    name, _, value = word.partition("=")
    if name != "PATH":
        return False
    present = posix.environ.get(b"PATH", b"").decode("utf-8", "surrogateescape").split(":")
    return all(entry in present or _holds_programs(entry, scene) for entry in value.split(":"))


def _holds_programs(entry: str, scene: Scene) -> bool:
    """Whether an entry is the old search path, or a folder that installers put programs into."""
    if not is_known(entry):
        return entry.endswith("/bin") or not entry.strip("\0?@")
    path = scene.path(entry, "read")
    home = scene.world.home
    if not path.known or (path.real.startswith(_SCRATCH) and not (home and path.real.startswith(f"{home}/."))):
        return False
    if scene.world.workspace is not None and scene.world.relative(path) is not None:
        return entry.rstrip("/").endswith(_PROJECT)
    return entry[:1] == "/" and entry.rstrip("/").rpartition("/")[2] in _PROGRAMS
