"""Find files that came among installed programs since a moment and that no package manager accounts for.

What a program of the session puts there is on no line that could be judged. Package managers record what they install:
for Python each file with its digest, for others the moment at which all was there. What they did not record, or
recorded otherwise, is the session's. A record proves nothing of a runner if it came while the session went on and no
package manager ran, nor does a package that is made from files of the session. Only files that are loaded or run count;
compiled code is compared with its source. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import os
import posix
import re
import sys
from _frozen_importlib_external import MAGIC_NUMBER
from _imp import source_hash
from base64 import urlsafe_b64encode
from hashlib import sha256
from time import monotonic

from policy_engine.filesystem.file_system import Disk
from policy_engine.filesystem.paths import decoded, encoded
from policy_engine.filesystem.walk import read_all
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run

    Times = dict[str, int]
    Spans = Sequence[tuple[int, int]]

_ENVIRONMENTS = (".venv", "venv", "env", ".env")
_LOADED = (".py", ".so", ".pyc", ".pth", "entry_points.txt")
_PROGRAMS = re.compile(r"(?:py\.?test|python[\d.]*|coverage|tox|nox)$")
_RUNNERS = frozenset(("pytest", "_pytest", "pluggy", "coverage", "unittest2", "nose2", "tox", "nox"))
_DESCRIBES = ("pyproject.toml", "setup.py", "setup.cfg")
_SOURCE = re.compile(r'"url":\s*"file://([^"]+)"')
_UNPACKED = re.compile(r'"node_modules/([^"]+)": \{[^{}]*?"resolved": "file:([^"]+)"')
_RELEASE = re.compile(r"^version(?:_info)? *= *(\d+\.\d+\.\d+)", re.MULTILINE)
_EDITABLE = re.compile(r'"editable":\s*true')
_OF_ENVIRONMENTS = ("_virtualenv.py", "_virtualenv.pth")
"""What virtualenv and uv put beside the packages and record nowhere."""
_OTHERS = (
    (
        "javascript",
        "node_modules",
        (".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml"),
        re.compile(
            r"(?:\.bin|\.pnpm|@?(?:jest|vitest|mocha|ava|playwright|cypress|karma|jasmine|babel-jest|expect|chai)"
            r"(?:[-@+].*)?)$"
        ),
    ),
    ("php", "vendor", ("composer/installed.json",), re.compile(r"(?:bin|phpunit|pestphp|sebastian)$")),
)
"""Ecosystem, folder, what its package managers write last, and what in it belongs to runners."""
_ENTRIES = 60_000  # that are looked at in one place
_LOOKING = 1.2  # seconds in which the places of a run are looked through, a third of what the hook may take
_SECONDS = 0.6  # in which files of one place are compared with their digests


def unaccounted(run: Run, filesystem: FileSystem, looked: Times, since: int, now: int, spans: Spans) -> str:
    """Return a file among the programs of a run that came since a moment and that nobody accounts for, "" if none did.

    `looked` has the moments at which places were looked at and found in order, and gets those of this look. In `spans`
    a package manager may have run, or a person worked. Moments are in ns. Of environments too large to be looked
    through in _LOOKING the packages of runners are looked at first.
    """
    if not isinstance(filesystem, Disk):
        return ""
    latest = monotonic() + _LOOKING
    for place in dict.fromkeys(_sites(run, filesystem)) if run.of in ("", "python") else ():
        after = max(since, looked.get(place, 0))
        why = _stray_in_site(place, after, latest) or _stray_program(place, after)
        why = why or _stray_record(place, after, since, spans, filesystem)
        if why:
            return why
        if monotonic() < latest:
            looked[place] = now
    for ecosystem, name, records, chosen in _OTHERS:
        for place in dict.fromkeys(_folders(run, filesystem, name)) if run.of in ("", ecosystem) else ():
            recorded, record = max((_changed(f"{place}/{one}"), f"{place}/{one}") for one in records)
            if recorded and (
                why := next(_newer(place, max(since, recorded), chosen), "") or _linked(place, record, since, chosen)
            ):
                return why
            if recorded > since and not _within(recorded, spans):
                return record
            strays = _newer(place, since, chosen) if not recorded else ()
            if why := next((path for path in strays if not _within(_changed(path), spans)), ""):
                return why  # some managers record nothing
    return ""


# ---- places ----------------------------------------------------------------------------------------------------------


def _roots(run: Run, filesystem: FileSystem) -> Iterator[str]:
    """The folders in which environments of a run may lie: those of its programs, and the workspace."""
    for program in run.programs:
        for name in (*_ENVIRONMENTS, "node_modules", "vendor"):
            root, mark, _ = program.partition(f"/{name}/")
            if mark:
                yield root
    try:
        yield filesystem.real_workspace.rstrip("/")
    except Undecided:
        return


def _folders(run: Run, filesystem: FileSystem, name: str) -> Iterator[str]:
    for root in _roots(run, filesystem):
        yield f"{root}/{name}"


def _sites(run: Run, filesystem: FileSystem) -> Iterator[str]:
    """The folders of Python packages that a run may load from."""
    prefixes = [f"{root}/{name}" for root in _roots(run, filesystem) for name in _ENVIRONMENTS]
    prefixes += [program.rpartition("/bin/")[0] for program in run.programs if "/bin/" in program]
    for name in ("pytest", "python3", "python"):
        if interpreter := filesystem.program(name):
            prefixes.append(interpreter.rpartition("/bin/")[0])
    prefixes.append("/usr/local")
    if filesystem.home:
        prefixes.append(f"{filesystem.home.rstrip('/')}/.local")
    for prefix in dict.fromkeys(prefixes):
        if not _is_there(f"{prefix}/conda-meta"):  # conda records elsewhere
            yield from _sites_of(prefix)


def _sites_of(prefix: str) -> Iterator[str]:
    for name in _names(f"{prefix}/lib"):
        if name.startswith("python3"):
            for site in ("site-packages", "dist-packages"):
                if name != "python3" and _is_there(f"{prefix}/lib/{name}/{site}"):
                    yield f"{prefix}/lib/{name}/{site}"


# ---- Python ----------------------------------------------------------------------------------------------------------


def _stray_in_site(site: str, after: int, latest: float) -> str:
    """A file that Python would load from a folder of packages and that no package accounts for."""
    changed = list(_changed_below(site, after, latest, _LOADED))
    if not changed:
        return ""
    recorded = _recorded(site)
    packages = {path.partition("/")[0] for path in recorded}
    latest = monotonic() + _SECONDS
    # those of runners first, then the latest ones: there may be more than can be compared
    for path in sorted(changed, key=lambda one: (not re.search(r"/_?(?:pytest|pluggy)", one), -_changed(one))):
        digest = recorded.get(path[len(site) + 1 :])
        if "/__pycache__/" in path:
            if monotonic() < latest and is_other_code(path):
                return path
            continue
        if digest is None:
            replaces = _is_link(path) and path[len(site) + 1 :] in packages
            if replaces or (path.endswith(_LOADED) and not _is_harmless(path)):
                return path
        elif digest and monotonic() < latest and _digest(path) not in ("", digest):
            return path
    return ""


def _is_harmless(path: str) -> bool:
    """Return whether a file that no package records does nothing: lines of a `.pth` that are folders, what
    environments have.

    Of a distribution without a record (an old one, an egg) only plugins of the runner count.
    """
    name = path.rpartition("/")[2]
    text = _bytes(path).decode("utf-8", "replace")
    if name.endswith(".pth"):
        lines = [line for line in text.split("\n") if line.startswith(("import ", "import\t"))]
        return not lines or (name in _OF_ENVIRONMENTS and text.strip() == "import _virtualenv")
    if name in _OF_ENVIRONMENTS:
        from policy_engine.test_runs.outcome_changes import why_changes

        return not why_changes(name, text)[1]
    if name == "entry_points.txt":
        return "pytest11" not in text
    return ".egg/" in path or ".egg-info/" in path


def is_other_code(path: str) -> bool:
    """Return whether Python takes a compiled file, though it is not what its source compiles to."""
    from policy_engine.test_runs.compiled import HEADER, differs

    folder, _, name = path.rpartition("/__pycache__/")
    source = f"{folder}/{name.partition('.')[0]}.py"
    compiled = _bytes(path)
    try:
        status = posix.stat(encoded(source))
    except OSError:
        return False
    if len(compiled) < HEADER:
        return False
    words = [int.from_bytes(compiled[at : at + 4], "little") for at in range(4, HEADER, 4)]
    times = [int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF]
    if not words[0] & 1 and words[1:] != times:
        return False  # Python compiles it again
    text = _bytes(source)
    if words[0] & 3 == 3 and compiled[8:HEADER] != source_hash(int.from_bytes(MAGIC_NUMBER, "little"), text):
        return False
    return not _is_of_another_release(source) and differs(text, compiled, name)


def _is_of_another_release(source: str) -> bool:
    """Return whether the nearest environment of Python, around a source or beside it, is not of the engine's release.

    One that was described after the source was written last says nothing.
    """
    folder = source.rpartition("/")[0]
    while folder:
        for place in (folder, *(f"{folder}/{name}" for name in _ENVIRONMENTS)):
            settings = f"{place}/pyvenv.cfg"
            found = _RELEASE.search(_bytes(settings).decode("utf-8", "replace"))
            if found and _changed(settings) <= _changed(source):
                return found[1] != ".".join(map(str, sys.version_info[:3]))
        folder = folder.rpartition("/")[0]
    return False


def _stray_record(site: str, after: int, since: int, spans: Spans, filesystem: FileSystem) -> str:
    """A record of a runner, or of a plugin of one, that no package manager made, or made from files of the session."""
    for name in _names(site):
        folder = f"{site}/{name}"
        moment = _changed(f"{folder}/RECORD") if name.endswith(".dist-info") else 0
        if moment <= after or not _is_of_runner(folder):
            continue
        if not _within(moment, spans):
            return f"{folder}/RECORD"
        origin = _bytes(f"{folder}/direct_url.json").decode("utf-8", "replace")
        if (source := _SOURCE.search(origin)) and _is_of_session(source[1], folder, origin, since, filesystem):
            return f"{folder}/direct_url.json"
    return ""


def _is_of_session(url: str, folder: str, origin: str, since: int, filesystem: FileSystem) -> bool:
    """Return whether a package of a runner was made from files of the session; of the project itself, which may be the
    runner under test, what describes it counts."""
    from urllib.parse import unquote

    path = unquote(url).rstrip("/")
    own, stands_for = path == filesystem.real_workspace.rstrip("/"), _is_runner(folder)
    if own:
        return stands_for and any(_changed(f"{path}/{name}") > since for name in _DESCRIBES)
    if _EDITABLE.search(origin) and not stands_for:  # the plugin that is under test
        return False
    return _changed(path) > since or any(_changed_below(path, since))


def _is_of_runner(folder: str) -> bool:
    """Return whether a package holds a part of a runner of Python, or is loaded by one."""
    return b"pytest11" in _bytes(f"{folder}/entry_points.txt") or _is_runner(folder)


def _is_runner(folder: str) -> bool:
    """Return whether a package, by its name, a module or a program of it, stands for a runner of Python."""
    if folder.rpartition("/")[2].partition("-")[0] in _RUNNERS:
        return True
    lines = _bytes(f"{folder}/RECORD").decode("utf-8", "replace").split("\n")
    paths = [line.lstrip('"').partition(",")[0] for line in lines]
    return any(
        path.partition("/")[0].removesuffix(".py") in _RUNNERS or _PROGRAMS.fullmatch(path.rpartition("/bin/")[2])
        for path in paths
    )


def _within(moment: int, spans: Spans) -> bool:
    return any(first <= moment <= last for first, last in spans)


def _stray_program(site: str, after: int) -> str:
    """A script that stands for Python or a runner in a virtual environment, and that no package accounts for."""
    prefix = site.rpartition("/lib/")[0]
    if not _is_there(f"{prefix}/pyvenv.cfg"):
        return ""
    recorded: dict[str, str] | None = None
    for name in _names(f"{prefix}/bin"):
        path = f"{prefix}/bin/{name}"
        if not _PROGRAMS.fullmatch(name) or _changed(path) <= after or _bytes(path)[:2] != b"#!":
            continue
        recorded = _recorded(site) if recorded is None else recorded
        if recorded.get(f"../../../bin/{name}") != _digest(path):
            return path
    return ""


def _recorded(site: str) -> dict[str, str]:
    """The digests of files, by their paths relative to the folder, as its packages record them; "" for none."""
    recorded: dict[str, str] = {}
    for name in _names(site):
        if name.endswith(".dist-info"):
            for line in _bytes(f"{site}/{name}/RECORD").decode("utf-8", "replace").split("\n"):
                path, _, rest = line.rstrip("\r").rpartition(",")[0].rpartition(",")
                recorded[path.strip('"')] = rest.removeprefix("sha256=") if rest.startswith("sha256=") else ""
    return recorded


def _digest(path: str) -> str:
    """The digest of a file as packages record it, "" of one that cannot be read."""
    data = _bytes(path)
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode() if data else ""


# ---- others ----------------------------------------------------------------------------------------------------------


def _newer(place: str, after: int, chosen: re.Pattern[str]) -> Iterator[str]:
    """Yield the files of runners that came later than a moment, as that at which the package manager was done."""
    for name in _names(place):
        if chosen.fullmatch(name):
            for path in _changed_below(f"{place}/{name}", after):
                if not re.search(r"/\.(?:cache|vite|vitest|tmp)/", path[len(place) :]):
                    yield path


def _linked(place: str, record: str, since: int, chosen: re.Pattern[str]) -> str:
    """A package of a runner that is a link to a folder, or was unpacked from a file, with what the session wrote."""
    text = _bytes(record).decode("utf-8", "replace")
    files = {name: f"{place}/../{file}" for name, file in _UNPACKED.findall(text)}
    named = [name for name in _names(place) if chosen.fullmatch(name)]
    named += [f"{name}/{one}" for name in named if name[0] != "." for one in _names(f"{place}/{name}")]
    for name in named:
        path = f"{place}/{name}"
        if not (name in files or _is_link(path)):
            continue
        target = os.path.realpath(path if _is_link(path) else files[name])
        if "/node_modules/" not in target and (_changed(target) > since or any(_changed_below(target, since))):
            return path
    return ""


# ---- files -----------------------------------------------------------------------------------------------------------


def _changed_below(
    folder: str, after: int, latest: float = float("inf"), endings: tuple[str, ...] = ("",)
) -> Iterator[str]:
    """Yield the files below a folder, and the links, whose entry changed after a moment; none through links.

    Only those with such endings, and only what is reached until the time `latest`, packages of runners first.
    """
    start, left, suffixes = encoded(folder), _ENTRIES, tuple(one.encode() for one in endings)
    waiting = [start]
    while waiting and left > 0 and monotonic() < latest:
        place = waiting.pop()
        try:
            with posix.scandir(place) as entries:
                for entry in entries:
                    left -= 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif not (entry.name.endswith(suffixes) or entry.is_symlink()):
                        continue
                    elif entry.stat(follow_symlinks=False).st_ctime_ns > after:
                        yield decoded(entry.path)
        except OSError:
            continue
        if place == start:
            waiting.sort(key=lambda path: decoded(path.rpartition(b"/")[2]) in _RUNNERS)


def _names(folder: str) -> list[str]:
    try:
        return sorted(map(decoded, posix.listdir(encoded(folder))))
    except OSError:
        return []


def _changed(path: str) -> int:
    try:
        return posix.lstat(encoded(path)).st_ctime_ns
    except OSError:
        return 0


def _is_link(path: str) -> bool:
    try:
        posix.readlink(encoded(path))
    except OSError:
        return False
    return True


def _is_there(path: str) -> bool:
    return _changed(path) != 0


def _bytes(path: str) -> bytes:
    """The bytes of a file, none of one that cannot be read or is too large."""
    try:
        handle = posix.open(encoded(path), posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOCTTY)
    except OSError:
        return b""
    try:
        return read_all(handle, path)
    except (OSError, Undecided):
        return b""
    finally:
        posix.close(handle)
