"""Doubt an install whose files, options or variables name places of packages that no committed file of theirs names.

A lock file, a file of requirements or settings of a package manager say where packages come from. A place is a host, on
forges and stores that many share with the name of the owner. Known are the registries that everybody uses, and what the
last commit that a remote has names, or the settings in the user's home. Imported by the hook path when a program that
installs packages is proposed.
"""

from __future__ import annotations

from itertools import pairwise

from policy_engine.effects.script_sources import texts_of
from policy_engine.model.addresses import parse_address
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.partial import is_known, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import PACKAGE_ADDRESSES, PACKAGE_FILES, PACKAGE_REGISTRIES
from policy_engine.programs.base import INTERPRETERS
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

    AnalysisOf = Callable[[SimpleCommand], EffectAnalysis]

_MOST = 24  # files that are compared with those of a commit, and folders above the command's
_MOST_BELOW = 5_000  # entries of the folders below
_BASES = 4  # commits of remotes that a branch may have begun at
_NAMED = frozenset("-r --requirement --requirements -c --constraint --with-requirements -f --file --userconfig".split())
_INFORMS = frozenset(("--help", "-h", "--version"))
_STARTING = frozenset("run r exec x dlx tool create init test t bench miri nextest generate".split())
"""Verbs behind which options are those of what they start."""
_TABLES = r"\w*dependencies|\w*Dependencies|overrides|resolutions|pnpm|workspaces|catalogs?|repositories|packageManager"
_VARIABLES = ("registry", "index", "find_links", "goproxy", "mirror")
_ADDRESS = r"(?:[A-Za-z][\w+.-]*:)?[A-Za-z][\w+.-]*://[^\s\"'<>,;)\]}|]+|\bgit@[\w.-]+:[^\s\"',;)\]}]+"
_SETTING = frozenset("config c set source pkg edit sources repo registry".split())
_LINKS = r"\[(?:project|tool\.poetry|tool\.flit\.metadata)\.urls\]"
_CHOOSING = frozenset(PACKAGE_REGISTRIES["options"].split())
_CHOOSING_ONE = frozenset("--git --source --repository -s".split())  # of a package that the words add
_TOLD = (  # of a project, by builds of the JVM: where it is shown, licensed and published
    r"\b(?:pom|licenses?|scm|developers?|publishing|dokka\w*)\s*"
    r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}"
    r"|<distributionManagement>[\s\S]{0,4000}?</distributionManagement>|<!--[\s\S]{0,4000}?-->"
)
_FORGE = r"(?:(github|gitlab|bitbucket):|(?=[\w.-]+/[\w.-]+(?:#.*)?$))([\w-][\w.-]*)/"
_OWNERS = ("Gemfile", "gems.rb", "mix.exs")
"""Files that name repositories of GitHub by their owner alone."""
_FORGES = {"gitlab": "gitlab.com", "bitbucket": "bitbucket.org"}


def judge_sources(command: SimpleCommand, analysis: EffectAnalysis, analysis_of: AnalysisOf) -> None:
    """Doubt a command that takes packages from a place that was not known before."""
    used: dict[str, PathValue] = {}
    try:
        files = _files(command)
        for file in files:
            for text in _texts(file, command, analysis_of):
                if _names_registries_only(file.real, text):
                    continue
                for place in places_in(file.real.rpartition("/")[2], text):
                    used.setdefault(place, file)
    except Undecided as unknown:
        analysis.doubt("foreign-packages", unknown.reasons[0])
        return
    given = dict.fromkeys(_given(command), "")
    if not used and not given:
        return
    naming = {file.real: file for file in used.values()}
    known = _known_before(
        [*naming.values(), *(one for one in files if one.real not in naming)], command, {*used, *given}
    )
    for place, file in used.items():
        if place not in known:
            analysis.doubt(
                "foreign-packages", f"`{file.text[:80]}` names `{place[:80]}`, where no package came from before"
            )
            return
    for place in given:
        if place not in known:
            analysis.does("foreign-packages")
            analysis.doubt("adds-packages", f"packages come from `{place[:80]}`, where none came from before")
            return


def _files(command: SimpleCommand) -> list[PathValue]:
    """Return the files that say where its packages come from; none if it installs none.

    Raises:
        Undecided: it is not known whether it installs, or in which folder.
    """
    verbs, names = (part.split() for part in PACKAGE_FILES[command.name].split("|"))
    place = verb_place(command.argv) or 1
    verb = command.argv[place] if place < len(command.argv) else "-"
    own = command.argv[place : place + 2] if verbs == ["*"] or verb in _STARTING else command.argv
    if not is_known(verb):
        raise Undecided(f"what `{shown(command.text)[:80]}` does is not known")
    if (verbs != ["*"] and verb not in verbs) or not _INFORMS.isdisjoint(own):
        return []
    cwd = command.cwd
    system, folders = command.filesystem, [*_told(command), cwd.real]
    try:
        root = system.real_workspace
    except Undecided:
        root = cwd.real
    while folders[-1] != root and folders[-1].startswith(f"{root}/") and len(folders) < _MOST:
        folders.append(folders[-1].rpartition("/")[0])
    found = [
        *((folder, name) for folder in folders for name in names if "*" not in name),
        *((folders[0], one) for name in names if "*" in name for one in _below(name, folders[0], command)),
        *((cwd.real, name) for name in _requirements(command)),
    ]
    return [system.resolve(name, folder).with_access("read", False) for folder, name in found]


def _told(command: SimpleCommand) -> list[str]:
    """Return the folders in which its options say that it works."""
    from policy_engine.programs.invocation import values_before_verb

    options = ("--prefix", "--dir", "--cwd", "-C", "--directory", "--project", "--working-dir", "-d", "--manifest-path")
    found = values_before_verb(command.argv, len(command.argv), options)
    found = [value.removesuffix("/Cargo.toml") for value in found if is_known(value)]
    try:
        return [command.filesystem.resolve(value, command.cwd.real).real for value in found[:1]]
    except Undecided:
        return []


def _below(pattern: str, folder: str, command: SimpleCommand) -> Iterator[str]:
    """Yield the files of a name in the folders below, one or two levels down."""
    levels = pattern.count("*")
    name, system = pattern.rpartition("/")[2], command.filesystem
    folders = [folder]
    for _ in range(levels):
        folders = [
            f"{one}/{entry}"
            for one in folders
            for entry in system.names(system.resolve(one, None))
            if entry[:1] != "." and entry not in ("node_modules", "target", "vendor", "dist", "build")
        ]
        if len(folders) > _MOST_BELOW:
            raise Undecided(
                f"which of more than {_MOST_BELOW} entries below `{folder[-80:]}` hold packages is not known"
            )
    yield from (path for path in (f"{one}/{name}" for one in folders) if system.present(system.resolve(path, None)))


def _requirements(command: SimpleCommand) -> Iterator[str]:
    """Yield the files that options name, and those that these name in turn."""
    names = [word for before, word in pairwise(command.argv) if before in _NAMED]
    names += [word.partition("=")[2] for word in command.argv if word.partition("=")[0] in _NAMED and "=" in word]
    names += [word[2:] for word in command.argv if word[:2] == "-r" and len(word) > 2]
    for name in (one for one in names if is_known(one) and "://" not in one):
        yield name
        try:
            text = command.filesystem.script(command.filesystem.resolve(name, command.cwd.real), READ_BYTES) or ""
        except Undecided:
            continue
        import re

        folder = name.rpartition("/")[0]
        for other in re.findall(r"(?m)^\s*(?:-[rc]|--requirement|--constraint)[ =]*([^\s:#]+)\s*$", text)[:_MOST]:
            yield f"{folder}/{other}" if folder and other[:1] != "/" else other


def _texts(file: PathValue, command: SimpleCommand, analysis_of: AnalysisOf) -> list[str]:
    """Return what a file holds when the command starts; where nobody knows, what the line before it spells.

    Raises:
        Undecided: it cannot be read, is too large or no text.
    """
    written = texts_of(file, command, analysis_of) if command.line else []
    if not written and command.line and any(_may_write(one, file, analysis_of) for one in command.before):
        written = ["\0"]
    text = None if written else command.filesystem.script(file, READ_BYTES)
    if text is None and not written and command.filesystem.present(file):
        raise Undecided(f"`{file.text[:80]}` is no text of at most {READ_BYTES} bytes")
    found = written or [text or ""]
    if all(map(is_known, found)):
        return found
    here = [one for one in command.before if not _fetches(one, analysis_of)]  # what comes from elsewhere others judge
    spelled = "\n".join(f"{one.text}\n{one.feed or ''}" for one in here)
    return [*filter(is_known, found), f"\0{spelled}"]


def _names_registries_only(name: str, text: str) -> bool:
    """Return whether each address in a text is plainly one of a registry that everybody uses."""
    if name.endswith(("package.json", "composer.json", "go.mod", "go.work", "bun.lock", *_OWNERS)):
        return not text
    if "\\" in text or "git@" in text or "%3" in text:
        return False
    usual = tuple(f"{one}/" for one in PACKAGE_REGISTRIES["usual"].split())
    return all(part.startswith(usual) for part in text.split("://")[1:])


def _fetches(one: SimpleCommand, analysis_of: AnalysisOf) -> bool:
    try:
        name = one.model.name if one.model is not None else ""
        return name not in INTERPRETERS and "network" in analysis_of(one).words
    except Undecided:
        return False


def _may_write(one: SimpleCommand, file: PathValue, analysis_of: AnalysisOf) -> bool:
    try:
        return any(path.access == "write" and path.known and path.real == file.real for path in analysis_of(one).paths)
    except Undecided:
        return False


def places_in(name: str, text: str) -> Iterator[str]:
    """Yield the places of packages that the text of such a file names, but for the registries that everybody uses."""
    import re

    text = re.sub(r"\\(?:u00|U000000|x)([0-7][0-9A-Fa-f])", lambda found: chr(int(found[1], 16)), text)
    text = re.sub(
        r"(?i)%3a%2f%2f(\S*)",
        lambda found: "://" + found[1].replace("%2F", "/"),
        text.replace("\\/", "/").replace("\\:", ":"),
    )
    usual = (*PACKAGE_REGISTRIES["usual"].split(), *PACKAGE_REGISTRIES.get(name, "").split())
    for address in _addresses(name, text):
        place = place_of(address)
        if place and not any(place == one or place.startswith(f"{one}/") for one in usual):
            yield place


def _addresses(name: str, text: str) -> Iterator[str]:
    import re

    if text[:1] == "\0":
        yield from re.findall(_ADDRESS, text)
    elif name in ("package.json", "composer.json"):
        yield from _in_tables(text, name == "package.json")
    elif name in ("go.mod", "go.work"):
        yield from (f"https://{one}" for one in re.findall(r"=>\s*([\w.-]+\.[\w-]+/\S+)", text))
    else:
        trailing = r".*" if name.endswith((".txt", ".in")) else r"[^\"'\n]*"
        lines = re.sub(rf"(?m)^[ \t]*(?:#|//|;).*$|[ \t]#{trailing}$", "", text)
        if name.endswith((".gradle", ".gradle.kts", "pom.xml")):
            lines = re.sub(_TOLD, "", lines)
        if name.endswith(".toml"):
            lines = re.sub(rf"(?ms)^{_LINKS}[ \t]*$.*?(?=^[ \t]*\[|\Z)", "", lines)
        keys = PACKAGE_ADDRESSES.get(name)
        before = rf"(?:(?<![\w-])(?:{keys})[\"']?\s*[=:]*\s*\[?\s*[\"']?|@\s*)" if keys else ""
        yield from (found[1] for found in re.finditer(rf"{before}({_ADDRESS})", lines))
        if name in (*_OWNERS, "bun.lock"):
            owners = re.findall(r"\bgithub['\"]?\s*(?::|=>)\s*['\"]?([\w.-]+)/", lines)
            yield from (f"https://github.com/{owner}" for owner in owners)


def _in_tables(text: str, of_npm: bool) -> Iterator[str]:
    """Yield the addresses among the values of the tables of dependencies in a file of JSON."""
    import json
    import re

    try:
        whole = json.loads(text)
    except ValueError:
        yield from re.findall(_ADDRESS, text)
        return
    tables = [value for key, value in whole.items() if re.fullmatch(_TABLES, key)] if isinstance(whole, dict) else []
    for value in _strings(tables):
        if found := re.search(_ADDRESS, value):
            yield found[0]
        elif of_npm and (forge := re.match(_FORGE, value)):
            yield f"https://{_FORGES.get(forge[1] or '', 'github.com')}/{forge[2]}"


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def place_of(address: str) -> str:
    """Return the place that an address leads to: its host, with the owner where many share it; "" on this machine."""
    _, git, rest = address.partition("git@")
    if git and "://" not in address:
        address = f"ssh://{rest.replace(':', '/', 1)}"
    while "://" in address and "+" in address.partition("://")[0]:
        address = address.partition("+")[2]
    parsed = parse_address(address)
    if parsed.kind in ("loopback", "file", "other") or not parsed.host:
        return ""
    host = parsed.host.replace("__", ".").lower()
    shared = next((one for one in PACKAGE_REGISTRIES["shared"].split() if f".{host}".endswith(f".{one}")), "")
    if not shared:
        return host
    parts = [part for part in parsed.path.partition("?")[0].split("/") if part not in ("", "repos", "basic", "public")]
    if any("#{" in part for part in parts[:1]):
        return ""  # a template, which stands for what names it
    host = "github.com" if shared.startswith("github") and "pkg" not in host else host
    return "/".join((host, *parts[: 4 if parts[:1] == ["api"] else 1])).lower()


def _given(command: SimpleCommand) -> Iterator[str]:
    """Yield the places that its options and variables name, and settings that are made before it."""
    words = command.argv[: command.argv.index("--") if "--" in command.argv else None]
    options = _CHOOSING if {"add", "install"}.isdisjoint(words) else _CHOOSING | _CHOOSING_ONE
    for before, word in pairwise(words):
        option, _, value = word.partition("=")
        if "://" in word and is_known(word) and (option in options or before in options):
            yield from places_in("", value if option in options else word)
    for one in command.before:
        if one.name in PACKAGE_FILES and not _SETTING.isdisjoint(one.argv[1:3]):
            yield from places_in("", "\0" + " ".join(filter(is_known, one.argv)))
    for item in command.env:
        name, _, value = item.partition("=")
        if "://" in value and is_known(item) and any(word in name.lower() for word in _VARIABLES):
            yield from places_in("", value)


def _known_before(files: Iterable[PathValue], command: SimpleCommand, sought: set[str]) -> set[str]:
    """Return the places that the user's settings name, and these files in the last commits that a remote has, as far as
    it takes to find those that are sought; git is started for each file.
    """
    system = command.filesystem
    known: set[str] = set()
    for name in PACKAGE_REGISTRIES["homes"].split() if system.home else ():
        try:
            text = system.script(system.resolve(f"{system.home}/{name}", None), READ_BYTES)
        except Undecided:
            continue
        known.update(places_in("", text or ""))
    if sought <= known:
        return known
    try:
        repository = system.repository()
        own = repository.ask("config", "--get", "remote.origin.url", failing=True).decode("utf-8", "replace").strip()
        known.update(filter(None, [place_of(own)]))
        root = repository.root.rstrip("/")
        paths = dict.fromkeys(file.real[len(root) + 1 :] for file in files if file.real.startswith(f"{root}/"))
        for base in _bases(repository):
            listed = repository.ask("ls-tree", "-z", "--name-only", "--full-tree", base, "--", *paths)
            there = set(listed.decode("utf-8", "surrogateescape").split("\0"))
            for path in [one for one in paths if one in there][:_MOST]:
                text = repository.ask("show", f"{base}:{path}").decode("utf-8", "replace")
                known.update(places_in(path.rpartition("/")[2], text))
                if sought <= known:
                    return known
    except Undecided:
        return known
    return known


def _bases(repository: Any) -> list[str]:
    """Return the last commits of this branch that a remote has, the last commit of all where there is no remote."""
    if not repository.ask("rev-parse", "-q", "--verify", "HEAD^{commit}", failing=True):
        return []
    try:
        own = repository.ask("rev-list", "--boundary", "HEAD", "--not", "--remotes", failing=True).decode().split()
    except Undecided:
        own = []
    return [one[1:] for one in own if one[:1] == "-"][:_BASES] or ["HEAD"]
