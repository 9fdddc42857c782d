"""`systemctl`: asks for or changes the state of services."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_hidden, is_known, shown
from policy_engine.programs.base import Arguments, EffectAnalysis, named
from policy_engine.programs.secret_values import hold_secrets

_ASKS = ("status", "show", "cat", "list-units", "list-unit-files", "is-active", "is-enabled", "is-failed", "help",
         "list-timers", "list-sockets", "list-dependencies", "get-default", "show-environment")  # fmt: skip

_SESSIONS = ("user@", "user-", "session-", "graphical", "multi-user", "display-manager", "getty@", "ssh")
_AGENTS = tuple(name for name in named("agent") if len(name) > 3)


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if _shows_environment(arguments, analysis):
        analysis.does("discloses")
    if not arguments.operands or arguments.operands[0] in _ASKS:
        return []
    if not all(map(is_known, arguments.operands)) and any(map(_is_ours, arguments.operands)):
        analysis.doubt("controls-engine", "what is done with the engine's service is not known")
    analysis.does("configures")
    if arguments.operands[0].endswith("set-environment") and any(map(_is_policys, arguments.operands[1:])):
        analysis.does("controls-engine")
    if arguments.operands[0] in ("poweroff", "reboot", "halt", "kexec", "soft-reboot", "emergency", "rescue"):
        analysis.does("formats")
    if arguments.operands[0] in ("stop", "kill", "disable", "mask", "restart", "poweroff", "reboot", "halt"):
        analysis.does("kills")
        for unit in arguments.operands[1:]:
            if is_hidden(unit):
                analysis.doubt("controls-engine", f"which service `{shown(unit)}` is is not known")
            if not is_known(unit):
                continue
            ends = unit.startswith(_SESSIONS) or unit.endswith((".scope", ".slice"))
            if ends or _is_ours(unit) or _may_be(unit, ("policy-engine", *_AGENTS, *_SESSIONS)):
                analysis.doubt("controls-engine", f"this session may run in `{unit[:80]}`")
    if arguments.operands[0] in ("enable", "disable", "mask", "unmask", "link", "edit", "set-property", "preset"):
        place = "~/.config/systemd/user" if arguments.has("--user") else "/etc/systemd/system"
        return [analysis.unknown(place, f"`systemctl {arguments.operands[0]}` writes where units are kept", "write")]
    return []


def _shows_environment(arguments: Arguments, analysis: EffectAnalysis) -> bool:
    """Return whether variables are printed: of the manager, of a unit whose properties are shown, in a unit's file."""
    verb, units = "".join(arguments.operands[:1]), arguments.operands[1:]
    if verb == "show":
        properties = ",".join(arguments.values("-p", "-P", "--property")).split(",")
        return properties == [""] or "Environment" in properties or not all(map(is_known, properties))
    return verb == "show-environment" or (verb == "cat" and any(_holds_secrets(unit, analysis) for unit in units))


def _holds_secrets(unit: str, analysis: EffectAnalysis) -> bool:
    """Return whether a file of the unit, which an administrator or the user wrote, sets a variable to a secret."""
    name = unit if "." in unit else f"{unit}.service"
    files = [f"{folder}/{name}" for folder in ("/etc/systemd/system", "~/.config/systemd/user")]
    return hold_secrets([*files, *(f"{file}.d/override.conf" for file in files)], analysis)


def _is_policys(assignment: str) -> bool:
    return assignment.startswith("POLICY_")


def _is_ours(unit: str) -> bool:
    """Return whether a unit is the engine's, or a coding agent's."""
    return "policy-engine" in unit or any(map(unit.__contains__, _AGENTS))


def _may_be(pattern: str, names: tuple[str, ...]) -> bool:
    """Return whether a pattern of units takes one that is called like a name."""
    if not any(char in pattern for char in "*?["):
        return False
    from fnmatch import fnmatchcase

    return any(fnmatchcase(f"{name}.service", pattern) or fnmatchcase(name, pattern) for name in names)
