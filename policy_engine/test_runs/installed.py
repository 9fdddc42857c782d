"""Say what a written file does to runs of tests by where it lies: among installed programs, or as compiled Python.

Package managers put files there in ways that no rule sees as writes of single files; what a session writes there one
by one belongs to the runner, not to the code under test. Not on the hook path: it is imported when such a path was
written.
"""

from __future__ import annotations

import re

from policy_engine.filesystem.file_system import Disk
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell.command import SimpleCommand

_FOUND = r"/(?:\.local/bin|usr/(?:local/)?bin|homebrew/bin|shims|(?:root|home/[^/]+|Users/[^/]+)/bin)/"
"""Folders outside of repositories in which the shell finds programs."""
_PLACES = tuple(
    (ecosystem, re.compile(pattern))
    for ecosystem, pattern in (
        (
            "python",
            r"/(?:site|dist)-packages(?:/|$)|/lib/python\d[^/]*/|/\.?v?(?:irtual)?env/(?:bin/|Scripts/|pyvenv\.cfg$)",
        ),
        (
            "javascript",
            r"/node_modules/(?!\.(?:cache|vite|tmp|vitest)\b)|/\.pnp\.c?js$|/\.yarn/(?:cache|releases|unplugged)/",
        ),
        ("php", r"/vendor/(?:bin|phpunit|pestphp|composer|sebastian)/|/vendor/autoload\.php$"),
        ("go", r"/pkg/mod/|/go/src/|/vendor/(?:[\w-]+\.[\w.-]+/|modules\.txt$)"),
        ("ruby", r"/gems/[^/]+/|/vendor/bundle/"),
        ("rust", r"/\.cargo/(?:registry|git|bin)/|/rustlib/"),
        ("jvm", r"/\.m2/|/\.gradle/(?:caches|wrapper|init\.d)/|/gradle/wrapper/"),
        ("python", _FOUND + r"(?:python[\d.]*|pytest|py\.test|tox|nox|uvx?|poetry|hatch|pdm|coverage)$"),
        ("javascript", _FOUND + r"(?:node|np[mx]|pnpm|yarn|bunx?|deno|jest|vitest|mocha)$"),
        ("go", _FOUND + r"(?:go|gotestsum)$"),
        ("rust", _FOUND + r"(?:cargo(?:-\w+)?|rustc)$"),
        ("jvm", _FOUND + r"(?:java|mvnd?|gradle|sbt)$"),
        ("ruby", _FOUND + r"(?:ruby|rspec|bundle|rake|rails)$"),
        ("php", _FOUND + r"(?:php|phpunit|pest|composer)$"),
    )
)
_WHY = "it lies where the programs of the tests are installed"
_COMPILED = "it is compiled code, of which nobody can see what it is made from"
_HARMLESS = frozenset("chmod chown mkdir touch rm rmdir unlink".split())
_MANAGERS = re.compile(
    r"(?<![\w./-])(?:[\w./-]*/)?(?:pip[\d.]*|uv|poetry|pdm|pipenv|hatch|rye|pixi|conda|mamba|virtualenv|pip-sync|composer"
    r"|(?:-m|[\"']) ?(?:pip|venv|ensurepip)|setup\.py|yarn(?=\s*$)"
    r"|(?:npm|pnpm|yarn|bun)(?: -\S+)* (?:i|install|ci|add|up|update|upgrade|rebuild|dedupe))(?![\w.-])"
)
_OWN_SOURCES = re.compile(
    r"(?:--find-links|--(?:extra-|default-)?index(?:-url)?|(?:PIP|UV|NPM_CONFIG|npm_config)_\w+|-[fi]|--registry)[= ]?"
    r"[\"']?(?:\.|/|~|file:|\w+://(?:localhost|127\.))"
)
_MOST_TESTS = 2_000
_HEADER = 16


def why_installed(real: str) -> tuple[str, str]:
    """Return the ecosystem whose installed programs a file belongs to, and why it matters; or ("", "")."""
    if real.endswith((".pyc", ".pyo")):
        return "python", _COMPILED
    for ecosystem, pattern in _PLACES:
        if pattern.search(real):
            return ecosystem, _WHY
    return "", ""


def written_by(command: SimpleCommand) -> Iterator[str]:
    """The single files that a command of a line writes. Never raises."""
    from policy_engine.effects.command import effects_of

    try:
        paths = () if command.name in _HARMLESS else effects_of(command).paths
    except Undecided:
        return
    for path in paths:
        if path.access == "write" and path.known and not path.recursive:
            yield path.real


def may_install(command: SimpleCommand) -> bool:
    """Return whether a command is a package manager that gets packages from elsewhere, or starts a file or a task whose
    text names one. Never raises.
    """
    try:
        words = " ".join(command.argv)
        texts = [f"{' '.join(command.env)} {words}"] if _MANAGERS.match(words) or command.argv[1:2] == ("-m",) else []
        texts += list(_texts_of(command))
    except (Undecided, TypeError):
        texts = [command.text]
    return any(_MANAGERS.search(text) and not _OWN_SOURCES.search(text) for text in texts)


def _texts_of(command: SimpleCommand) -> Iterator[str]:
    """The texts of the files and tasks that a command may start."""
    from policy_engine.test_runs.task_files import FILES, read_by, text_of

    filesystem, folder = command.filesystem, command.cwd.real.rstrip("/")
    files = [f"{folder}/{name}" for name in FILES.get(command.name, ())]
    files += [filesystem.resolve(word, folder).real for word in command.argv[:3] if "/" in word or "." in word]
    for file in files:
        yield text_of(file, filesystem)
        yield from (text_of(part, filesystem) for part in read_by(file, filesystem))


def stale_code(sources: Iterable[str], filesystem: FileSystem) -> str:
    """Return why Python may have run other code than these files hold: compiled code that it does not compare with
    them.
    """
    listed: dict[str, list[str]] = {}
    for real in sources:
        folder, _, name = real.rpartition("/")
        cache = f"{folder}/__pycache__"
        try:
            if cache not in listed:
                listed[cache] = filesystem.names(PathValue(cache, cache))
            for one in listed[cache]:
                if one.startswith(name.removesuffix("py")) and one.endswith(".pyc"):
                    if _is_stale(real, f"{cache}/{one}", filesystem):
                        return f"`__pycache__/{one}` is not compared with `{name}`, which changed after it was compiled"
        except Undecided:
            continue
    return ""


def stale_tests(began: int, filesystem: FileSystem) -> str:
    """Return why a file of tests may be compiled otherwise than it says, since a moment in ns; "" if none is."""
    from policy_engine.test_runs.unaccounted import is_other_code

    if not isinstance(filesystem, Disk):
        return ""
    patterns = (":(glob)**/test_*.py", ":(glob)**/*_test.py", ":(glob)**/conftest.py")
    try:
        root, names = filesystem.repository().root, filesystem.repository().ask("ls-files", "-z", "--", *patterns)
        paths = [f"{root.rstrip('/')}/{path}" for path in names.decode("utf-8", "surrogateescape").split("\0") if path]
        for folder in dict.fromkeys(path.rpartition("/")[0] for path in paths[:_MOST_TESTS]):
            cache = f"{folder}/__pycache__"
            for name in filesystem.names(PathValue(cache, cache)):
                compiled = f"{cache}/{name}"
                times = filesystem.times(PathValue(compiled, compiled)) if "-pytest-" in name else None
                if times and times[1] > began and is_other_code(compiled):
                    return f"`__pycache__/{name}` is not what its source compiles to"
    except Undecided:
        pass
    return ""


def _is_stale(source: str, compiled: str, filesystem: FileSystem) -> bool:
    """Return whether Python takes the compiled file though it may not be that of the source."""
    header = filesystem.read(PathValue(compiled, compiled))
    if not isinstance(header, bytes) or len(header) < _HEADER:
        return False
    flags = int.from_bytes(header[4:8], "little")
    from policy_engine.test_runs.unaccounted import is_other_code

    if isinstance(filesystem, Disk) and is_other_code(compiled):
        return True
    if flags & 1:
        return not flags & 2
    ours, theirs = filesystem.times(PathValue(source, source)), filesystem.times(PathValue(compiled, compiled))
    status = filesystem.look(PathValue(source, source))
    if ours is None or theirs is None or not isinstance(status, tuple):
        return False
    same = int.from_bytes(header[8:12], "little") == ours[0] // 10**9 & 0xFFFFFFFF
    return same and int.from_bytes(header[12:16], "little") == status[1] & 0xFFFFFFFF and theirs[0] < ours[1]
