"""List the settings files that a host reads for a project folder, strongest layer first."""

from __future__ import annotations

import difflib
import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import policy_engine
from policy_engine.adapters.base import Adapter, Registration
from policy_engine.hosts.registration import command_line, line, obtained_by, portable_line
from policy_engine.loading.installation import base_interpreter
from policy_engine.model import family
from policy_engine.model.errors import ConfigurationError

SCOPES = ("user", "local", "project")


@dataclass(frozen=True, slots=True)
class Layer:
    """One settings file: `managed`, `user`, `project` or `local`; `inside` is the folder it must not lead out of."""

    name: str
    path: Path
    inside: Path | None = None


def adapter_named(host: str) -> Adapter:
    """The adapter of a host; an unknown one is a ConfigurationError with the nearest name."""
    known = {adapter.name: adapter for adapter in family.members("policy_engine.adapters", Adapter)}
    if host in known:
        return known[host]
    near = difflib.get_close_matches(host, known, 1, 0.75)
    listed = f"the hosts are {', '.join(sorted(known))}"
    advice = f"did you mean `{near[0]}`? {listed}" if near else listed
    raise ConfigurationError(f"unknown host `{host}`; {advice}")


def layers(registration: Registration, project: Path) -> list[Layer]:
    """Every settings file of the host that may exist; none of a host without settings."""
    if not registration.form:
        return []
    candidates = [Layer("managed", Path(path)) for path in registration.managed_settings]
    candidates += [Layer("local", project / path, project) for path in registration.other_settings]
    return [*candidates, layer(registration, "project", project), layer(registration, "user", project)]


def layer(registration: Registration, scope: str, project: Path) -> Layer:
    """The settings file of one scope. Raises ConfigurationError if the user has no home, or the host no settings."""
    if not registration.form:
        raise ConfigurationError("this host has no settings: `policy install` prints the line to call from it")
    if scope == "project":
        return Layer("project", project / registration.project_settings, project)
    if scope == "local":
        own = next((path for path in registration.other_settings if path.endswith(".local.json")), None)
        if own is None:
            raise ConfigurationError(
                "this host has no settings that are yours and this project's: `--scope user` registers the hook for all"
                " your projects, `--scope project` for everybody who works in this one"
            )
        return Layer("local", project / own, project)
    folder = os.environ.get(registration.home_variable, "") if registration.home_variable else ""
    if folder[:1] != "/":
        home = os.environ.get("HOME", "")
        if home[:1] != "/":
            raise ConfigurationError("HOME is no absolute path: the user's settings cannot be found")
        folder = f"{home}/{registration.home_folder}"
    return Layer("user", Path(folder) / registration.user_settings)


def project_root(start: Path) -> Path:
    """The repository around a folder: the nearest folder with `.git` or `.policy`, else the folder itself."""
    start = start.resolve()
    return next((folder for folder in (start, *start.parents) if _is_root(folder)), start)


def hook_script() -> str:
    """The absolute path of the script that hosts run."""
    return str(Path(policy_engine.__file__).resolve().with_name("hook.py"))


def own_command(host: str) -> str:
    """The command line that this installation registers for a host."""
    return command_line(base_interpreter(), hook_script(), host, *libraries())


def own_line(adapter: Adapter, command: str, event: str) -> str:
    """The line that this installation registers in the place of one that stands in settings."""
    obtain = obtained_by(command)
    own = own_command(adapter.name) if obtain is None else portable_line(adapter.name, obtain)
    return line(adapter, own, event)


def proxy_command() -> tuple[str, ...]:
    """The words that a client starts instead of an MCP server `SERVER`: isolated, by absolute paths."""
    main = str(Path(hook_script()).with_name("__main__.py"))
    return (os.path.abspath(sys.executable), "-I", main, "mcp", "--name", "NAME", "--", "SERVER")


def libraries() -> tuple[str, ...]:
    """Return where the parser's library is, if not beside the package: a checkout has it in a virtual environment."""
    spec = importlib.util.find_spec("lark")
    folder = str(Path(spec.origin).resolve().parent.parent) if spec is not None and spec.origin else ""
    return (f"--libraries={folder}",) if folder and folder != str(Path(hook_script()).parent.parent) else ()


def _is_root(folder: Path) -> bool:
    return (folder / ".git").exists() or (folder / ".policy").exists()
