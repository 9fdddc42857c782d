"""Say what the services of a compose file do to this machine: their commands upon its folders, and their rights.

Imported by the hook path when a line starts the services of such a file.
"""

from __future__ import annotations

from policy_engine.model.mounts import map_mounts
from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_GIVEN = frozenset(("run", "exec"))  # verbs of compose behind whose service the command may stand
_STARTING = frozenset(("up", "run", "create"))  # verbs that make containers
_HOSTED = ("pid", "userns_mode", "ipc")  # settings of a service that options of `docker run` are called like
_PRINTS = r"(?:^|[\s'\"/;&|])(?:env|printenv)\s*(?:$|['\";&|>])"


def service_lines(values: dict[str, Any], words: tuple[str, ...], folder: str) -> list[str]:
    """Return the lines that starting services comes to on this machine.

    Args:
        values: what the file says.
        words: those of the call that starts them.
        folder: where the file lies, as the call names it.
    """
    named = values.get("services")
    services = {name: one for name, one in named.items() if isinstance(one, dict)} if isinstance(named, dict) else {}
    lines = _mounted(values, services, words)
    for name in _started(services, words) if not _STARTING.isdisjoint(words) else ():
        service = services[name]
        options = _rights(service)
        lines += [f"docker run {options} image"] if options else []
        lines += _shown(service, _line_of(name, service, words), folder)
    return lines


def _started(services: dict[str, Any], words: tuple[str, ...]) -> list[str]:
    """Return the services that the words name, with those that they depend on; all if they name none."""
    wanted = [name for name in services if name in words] or list(services)
    for name in wanted:
        needs = services[name].get("depends_on")
        for one in needs if isinstance(needs, (list, dict)) else ():
            if one in services and one not in wanted:
                wanted.append(one)
    return wanted


def _rights(service: dict[str, Any]) -> str:
    """Return the options of `docker run` that give a container what a service is given of the machine."""
    options = ["--privileged"] if str(service.get("privileged", "")).lower() == "true" else []
    options += [f"--{name.removesuffix('_mode')}=host" for name in _HOSTED if service.get(name) == "host"]
    added = service.get("cap_add")
    options += [f"--cap-add={one}" for one in added] if isinstance(added, list) else []
    mounts = service.get("volumes")
    for source, target in (_pair(one, {}) for one in mounts) if isinstance(mounts, list) else ():
        if source[:1] == "/" and target:
            options.append(f"-v {source}:{target}")
    return " ".join(quote_words([word]) for one in options for word in one.split(" ", 1))


def _shown(service: dict[str, Any], line: str, folder: str) -> list[str]:
    """Return lines that show the files of variables whose values the command of a service prints."""
    import re

    files = service.get("env_file")
    given = files if isinstance(files, list) else [files]
    names = [one.get("path") if isinstance(one, dict) else one for one in given]
    if not re.search(_PRINTS, line):
        return []
    places = [name if name[:1] == "/" or not folder else f"{folder}/{name}" for name in map(str, filter(None, names))]
    return [f"cat {quote_words([place])}" for place in places]


def _line_of(name: str, service: dict[str, Any], words: tuple[str, ...]) -> str:
    """Return the command that a service runs, the one of the call where that gives one."""
    given = words[words.index(name) + 1 :] if name in words and not _GIVEN.isdisjoint(words) else ()
    own = "" if "exec" in words else _plain(service.get("command"))
    return f"{_plain(service.get('entrypoint'))} {_plain(list(given)) or own}".strip()


def _mounted(values: dict[str, Any], services: dict[str, Any], words: tuple[str, ...]) -> list[str]:
    """The commands of a compose file's services as they act upon folders of this machine."""
    volumes = values.get("volumes")
    devices = {}
    for name, one in volumes.items() if isinstance(volumes, dict) else ():
        options = one.get("driver_opts") if isinstance(one, dict) else None
        devices[name] = str(options.get("device", "")) if isinstance(options, dict) else ""
    lines = []
    for name, service in services.items():
        mounts = service.get("volumes")
        pairs = [_pair(one, devices) for one in mounts] if isinstance(mounts, list) else []
        if not pairs:
            continue
        line, folder = _line_of(name, service, words), _plain(service.get("working_dir"))
        lines.append(map_mounts(f"cd {folder} && {line}" if folder and line else line, pairs))
    return [line for line in lines if line]


def _pair(volume: Any, devices: dict[str, str]) -> tuple[str, ...]:
    """Return the folder of this machine that a service's volume stands for, and where it is mounted."""
    import re

    if isinstance(volume, dict):
        source, target = str(volume.get("source") or volume.get("src") or ""), str(volume.get("target") or "")
    else:
        text = re.sub(r"\$\{(\w+):?[-?+]([^}]*)\}", lambda one: "${HOME}" if one[1] == "HOME" else one[2], str(volume))
        source, _, target = text.partition(":")
        target = target.partition(":")[0]
    source = devices.get(source) or source
    source = re.sub(r"^\$(?:HOME\b|\{HOME[^}]*\})", "~", re.sub(r"^\$(?:PWD\b|\{PWD[^}]*\})", ".", source))
    return source, target


def _plain(command: Any) -> str:
    """Return a command of a service as a line of a shell."""
    import re

    if not isinstance(command, list):
        return str(command or "")
    return " ".join(
        word if re.fullmatch(r"[\w./:=@%+,-]+", word) else quote_words([word]) for word in map(str, command)
    )
