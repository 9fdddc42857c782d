"""`docker`: manages images and containers; kin of it share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.mounts import map_mounts
from policy_engine.model.partial import is_known
from policy_engine.model.quoting import quote_words
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import WAITS
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.invocation import verb_place

_NAMES = {"--services", "--quiet", "-q", "--images", "--volumes", "--profiles", "--no-interpolate"}
_GROUPS = ("image", "manifest", "compose", "container", "buildx", "plugin", "trust", "imagetools", "builder")
_GLOBALS = ("-c", "--context", "-H", "--host", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey",
            "-f", "--file", "-p", "--project-name", "--profile", "--project-directory", "--builder", "--connection",
            "--url", "--root", "--namespace")  # fmt: skip
_MACHINE = ("/", "/etc", "/root", "/boot", "/proc", "/sys", "/dev", "/etc/", "/root/")
_RIGHTS = ("ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "CAP_SYS_ADMIN")


def _published(word: str, behind: str) -> list[str]:
    """Return where a port is published, if a word is the option that says so."""
    option, equals, value = word.partition("=")
    if option in ("-p", "--publish"):
        return [value if equals else behind]
    return [word[2:]] if word[:2] == "-p" else []


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    verbs = _verbs(words)
    verb = next((word for word in verbs if word not in _GROUPS), "")
    if verb not in ("run", "exec") and "--help" in words:
        return []
    copies = "imagetools" in verbs and verb == "create" and "--dry-run" not in words
    if verb == "push" or copies or (verb in ("build", "bake", "b") and _pushes(words)):
        analysis.does("publishes", "network")
    elif verb and not is_known(verb):
        analysis.doubt("publishes", "which subcommand is meant is not known")
    paths = _named(verb, words, analysis)
    if verb in ("run", "exec"):
        analysis.does("executes")
        given = [
            value for word, behind in zip(words, (*words[1:], ""), strict=False) for value in _published(word, behind)
        ]
        if any(value.startswith(("0.0.0.0:", "[::]:")) for value in given):
            analysis.does("exposes")
        _mapped(verb, words, analysis)
        if any(("curl" in word or "wget" in word) and "|" in word for word in words):
            analysis.doubt("executes-remote", "what the container fetches it may run")
    if ((verb == "inspect" and "container" in words) or words[:1] == ["inspect"]) and not _picks(words):
        analysis.does("discloses")  # with the environment that it was started with
    if "compose" in words[:2] and verb in ("config", "convert") and not _NAMES & set(words):
        analysis.does("discloses")
    compose = "compose" in verbs or analysis.name.endswith("-compose")
    if compose and _is_fed(words[words.index("compose") + 1 :] if "compose" in verbs else words):
        analysis.doubt("*", "the services that it is fed may reach all of this machine")
    volumes = any(word.partition("=")[0] == "--volumes" or _has_letter(word, "v") for word in words)
    removes = next((word for word in verbs if word in ("rm", "down")), "") if verb not in ("run", "exec") else ""
    if removes and compose and volumes and not _is_for_tests(words[: words.index(removes)], analysis):
        analysis.does("destroys")
    plain = [word for word in words if word[:1] != "-"]
    if verb == "cp" and len(plain) > 2 and ":" not in plain[-2]:
        paths.append(analysis.path(plain[-2], "read", True))
    if verb == "cp" and len(plain) > 2 and ":" not in plain[-1]:
        paths += analysis.fetched([plain[-2]], plain[-1], True)
    return paths


def _is_for_tests(words: list[str], analysis: EffectAnalysis) -> bool:
    """Return whether compose acts on a project that is for tests by its name, or else by that of each of its files,
    which name no volume of another.
    """
    from policy_engine.programs.sql import is_for_tests

    def values(short: str, long: str, variable: str) -> list[str]:
        given = [word for before, word in zip(words, words[1:], strict=False) if before in (short, long)]  # noqa: RUF007
        given += [word.partition("=")[2] for word in words if word.startswith((f"{short}=", f"{long}="))]
        given += [word[2:] for word in words if word[:2] == short and word[2:3].isalnum()]
        return given or [one for one in (analysis.env.get(variable) or "").split(":") if one]

    files = values("-f", "--file", "COMPOSE_FILE")
    project = values("-p", "--project-name", "COMPOSE_PROJECT_NAME")
    if project or not files:
        return bool(project) and all(is_for_tests(one.replace("e2e", "test")) for one in project)
    for file in files:
        folder, _, name = file.rpartition("/")
        near = (name.rpartition(".")[0].replace(".", "-"), folder.rpartition("/")[2])
        if not any(is_for_tests(one.replace("e2e", "test")) for one in near):
            return False
        path = analysis.path(file, "read")
        text = analysis.text_in(path, READ_BYTES)
        if text is None and (not path.known or analysis.written(path) or analysis.filesystem.present(path)):
            return False
        if not all(map(is_for_tests, _names_in(text or ""))):
            return False
    return True


def _names_in(text: str) -> list[str]:
    """Return the names that a compose file gives its project, its volumes and its networks."""
    import re

    return re.findall(r"(?m)(?:^|[{,\s])[\"']?name[\"']?:\s*[\"']?([^\s\"',}]+)", text)


def _is_fed(words: list[str]) -> bool:
    """Return whether compose takes its services from standard input: what stands behind its verb belongs to that."""
    try:
        own = words[: (verb_place(("docker-compose", *words)) or 1) - 1]
    except Undecided:
        own = words
    named = [*own, *map("".join, zip(own, own[1:], strict=False))]  # noqa: RUF007
    return any(word in ("-f-", "-f=-", "--file-", "--file=-", "-f/dev/stdin", "--file/dev/stdin") for word in named)


def _has_letter(word: str, letter: str) -> bool:
    """Return whether a word bundles short options, one of which is this."""
    return word[:1] == "-" != word[1:2] and word[1:].isalpha() and letter in word


def _picks(words: list[str]) -> bool:
    """Return whether a format picks fields of which none is the environment, nor the whole that holds it."""
    given = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-f", "--format")]
    given += [word.partition("=")[2] for word in words if word.startswith("--format=")]
    fields = given[-1] if given else ""
    wide = ("Env", "json .}", "json .Config}", "json . ", ".Config}", "{{.}}", "{{ . }}")
    return fields[:2] == "{{" and is_known(fields) and not any(part in fields.replace(" }", "}") for part in wide)


def _named(verb: str, words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """The files and folders that options name."""
    paths: list[PathValue] = []
    for place, word in enumerate(words[: _own(verb, words)]):
        option, _, value = word.partition("=")
        value = value or (words[place + 1] if place + 1 < len(words) else "")
        if option == "--env-file":
            analysis.mention(value)
        elif option in ("-o", "--output") and verb in ("save", "export"):
            paths.append(analysis.path(value, "write"))
        elif "src=" in word or ("source=" in word and verb in ("build", "bake")):
            analysis.mention(word.partition("src=" if "src=" in word else "source=")[2].partition(",")[0])
        if verb in ("run", "create", "exec"):
            if word[:2] == "-u" and len(word) > 2 and word[:2] != "--":
                option, value = "-u", word[2:].lstrip("=")
            paths += _container(option, value, analysis)
    return paths


def _mapped(verb: str, words: list[str], analysis: EffectAnalysis) -> None:
    """Hand on what a container runs on folders of this machine, with their names here."""
    own = _own(verb, words)
    image, inner, mounts = words[:own], words[own + 1 :], []
    for option, value in zip(image, [*image[1:], ""], strict=True):
        name, equals, given = option.partition("=")
        value = given if equals else value
        if name in ("-v", "--volume"):
            mounts.append(tuple(value.split(":")[:2]))
        elif name == "--mount":
            parts = dict(part.partition("=")[::2] for part in value.split(","))
            target = parts.get("target") or parts.get("dst") or parts.get("destination") or ""
            mounts.append((parts.get("source") or parts.get("src") or "", target))
        elif name == "--entrypoint":
            inner = [value, *inner]
        elif name in ("-w", "--workdir"):
            inner = ["cd", value, "&&", *inner]
    line = map_mounts(" ".join(word if word == "&&" else quote_words([word]) for word in inner), mounts)
    if line:
        analysis.shell(line)


def _own(verb: str, words: list[str]) -> int:
    """Return how many words are docker's own: those behind the image are the container's."""
    if verb not in ("run", "create"):
        return len(words)
    takes = frozenset(WAITS["docker"].split("|")[1].split())
    place = words.index(verb) + 1
    while place < len(words) and words[place][:1] == "-":
        place += 2 if words[place] in takes else 1
    return place


def _verbs(words: list[str]) -> list[str]:
    """The words that are no options and no values of the options before the subcommand."""
    verbs: list[str] = []
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        if word in _GLOBALS and (not verbs or verbs[-1] in _GROUPS):
            waiting[-1:] = []
        elif word[:1] != "-":
            verbs.append(word)
    return verbs


def _container(option: str, value: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Return what an option of `run` gives the container of the machine: folders, and rights."""
    if option in ("-v", "--volume", "--mount"):
        source = value.partition("source=")[2].partition(",")[0] or value.partition("src=")[2].partition(",")[0]
        source = source or value.partition(":")[0]
        if source in _MACHINE or source.endswith("docker.sock"):
            analysis.doubt("elevates", f"`{source[:80]}` gives the container the rights of the machine")
        mounted = analysis.path(source, "write")
        files = [mounted.with_access("read")] if mounted.known else []
        inside = mounted.known and analysis.filesystem.relative(mounted) is not None
        if not inside and (source[:1] in "/.~" or not is_known(source)):
            return [
                *files,
                analysis.unknown(source, f"what the container does to `{source[:80]}` is not known", "write"),
            ]
        return files
    elif option in ("--privileged", "--pid", "--userns", "--ipc") and value in ("host", "true"):
        analysis.doubt("elevates", f"`{option}={value}` gives the container the rights of the machine")
    elif option == "--privileged" and value != "false":
        analysis.doubt("elevates", f"`{option}` gives the container the rights of the machine")
    elif option in ("-u", "--user") and value.partition(":")[0] in ("root", "0"):
        analysis.doubt("elevates", f"`{option} {value[:80]}` is the first user of the container")
    elif option == "--cap-add" and value.upper() in _RIGHTS:
        analysis.doubt("elevates", f"`{option} {value[:80]}` gives the container rights of the machine")
    return []


def _pushes(words: list[str]) -> bool:
    if "--push" in words or "--push=true" in words:
        return True
    return any("push=true" in word or "type=registry" in word for word in words)
