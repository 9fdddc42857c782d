"""Keep which compiled sources changed since something was built: a run of what was built before says nothing of them.

Most runners build first. Those that do not (`ctest`, `mvn surefire:test`, tests of JavaScript in the folder into which
TypeScript is compiled) need a build on their line or in a call after the change. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import as_pattern, is_known
from policy_engine.model.test_names import ecosystem_of
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.runners import OUTPUT_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.classify import Run

UNBUILT = "unbuilt"
"""Within the room of runs of tests: by what is built, the latest source that changed since."""
TYPESCRIPT, TOUCHED, REPLACED, SILENT = "typescript", "touched", "replaced", "silent"
"""What is kept beside ecosystems: compiled TypeScript, and commands by which what is built is not what the sources say:
it has another time or content, or no assertions.
"""
_OUTPUTS = (".o", ".obj", ".a", ".so", ".d", ".class", ".rlib", ".rmeta", ".beam", ".ninja", ".make", ".stamp",
            "CTestTestfile.cmake", "/Makefile", ".ninja_deps", ".ninja_log")  # fmt: skip
_BY_TIME = ("c", "rust", "jvm", "dotnet", "elixir", "swift", "haskell", "zig")
"""What is built again when a source is newer than what was built of it."""
_MAKE = ("make", "gmake", "remake")
_ENDINGS = {
    **dict.fromkeys((".h", ".hh", ".hpp", ".hxx", ".inc"), "c"),
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), TYPESCRIPT),
}  # fmt: skip
_COMPILERS = {
    "c": frozenset("make gmake remake ninja cmake meson gcc cc clang g++ c++ clang++ bazel scons".split()),
    "jvm": frozenset("mvn mvnw mvnd gradle gradlew javac kotlinc sbt ant".split()),
    TYPESCRIPT: frozenset("tsc tsup esbuild swc rollup vite webpack".split()),
    "elixir": frozenset("mix elixirc".split()),
    "dotnet": frozenset("dotnet msbuild".split()),
    "swift": frozenset(("swift",)),
}
_GOALS = {
    "jvm": frozenset(
        "compile test-compile process-classes package verify install test classes testClasses build jar"
        " assemble".split()
    ),
    "elixir": frozenset("compile release".split()),
    "dotnet": frozenset("build publish pack test run".split()),
    "swift": frozenset("--build-tests test".split()),
}
"""Words one of which must stand behind a compiler that does other things as well."""
_NO_BUILD = frozenset("ctest mkdir cd ls rm touch cat echo printf cp mv grep find git test true".split())
_WORDS = ("build", "compile", "tsc")
_CONFIGURES = ("cmake", "meson", "configure")
_WITHOUT_ASSERT = ("-DNDEBUG", "BUILD_TYPE=Rel", "BUILD_TYPE=MinSizeRel", "buildtype=release", "b_ndebug=true")
_COPIES = ("cp", "mv", "ln", "install", "tee", "dd", "rsync")
_COMPILER_NAMES = ("gcc", "g++", "cc", "c++", "clang", "clang++", "ccache", "sccache", "distcc", "cl", "icx", "nvcc")
_CHOOSES = ("COMPILER_LAUNCHER=", "_COMPILER=", "CC=", "CXX=", "LAUNCH_COMPILE=", "RULE_LAUNCH_COMPILE=")
_ANEW = ("--always-make", "--fresh", "--rerun-tasks", "--no-incremental")
_LONG = 300  # characters of a command that are kept
_IDLE = ("-t", "--touch", "-n", "--dry-run", "--just-print", "-q", "--question")


def note_unbuilt(facts: Iterable[Fact], namespace: dict[str, Any]) -> None:
    """Enter the sources that changed, and then what was built, at one event."""
    kept: dict[str, str] = namespace.get(UNBUILT, {})
    built: set[str] = set()
    by_tool = any(fact.kind == "called" and fact.value in ("write", "edit") for fact in facts)
    for fact in facts:
        if fact.kind == "wrote" and fact.path is not None:
            if kind := _kind(fact.path.real):
                kept[kind] = fact.path.real
            if by_tool and fact.path.real.endswith(_OUTPUTS) and _is_output(fact.path.real):
                kept[REPLACED] = _name(fact.path.real)
        elif fact.kind == "command" and fact.command is not None and fact.outcome not in ("blocked", "failure"):
            built.update(_built_by(fact.command))
            if mark := _mark(fact.command):
                kept[mark] = fact.command.text[:60]
            if _configures(fact.command):
                kept.pop(SILENT, None)
                if _is_silent(fact.command):
                    kept[SILENT] = fact.command.text[:_LONG]
    for kind in built:
        kept.pop(kind, None)
    if kept or UNBUILT in namespace:
        namespace[UNBUILT] = kept


def _other_folder(command: SimpleCommand, run: Run) -> bool:
    """Return whether a command builds in another folder than the one whose tests a run of ctest starts."""
    words = [*command.argv, ""]
    named = next((words[at + 1] for at, word in enumerate(words) if word == "--build"), "")
    tested = run.place.partition("--test-dir")[2].lstrip(" =").partition(" ")[0]
    return bool(named and tested) and named.removeprefix("./").rstrip("/") != tested.removeprefix("./").rstrip("/")


def why_unbuilt(run: Run, facts: Iterable[Fact], namespace: dict[str, Any], filesystem: FileSystem) -> tuple[str, str]:
    """Return why a run may have tested what was built before a change, and what to do; ("", "") if it did not."""
    facts = list(facts)
    commands = [fact.command for fact in facts if fact.kind == "command" and fact.command is not None]
    kept = namespace.get(UNBUILT, {})
    unsure = [fact.command for fact in facts if fact.kind == "command" and fact.outcome == "unproven"]
    piped = {name for one in commands for name in one.piped_from}
    building = [one for one in commands if one.text.strip() != run.line and not _other_folder(one, run)]
    building = [one for one in building if not (one in unsure and one.name not in piped)]
    built = {kind for command in building for kind in _built_by(command)}
    if run.of in _BY_TIME or any(name in _MAKE for name, _ in run.started):
        marked = {mark: one.text[:60] for one in commands if (mark := _mark(one))}
        marked = {**{mark: kept[mark] for mark in (TOUCHED, REPLACED) if mark in kept and mark not in built}, **marked}
        if REPLACED in marked:
            return f"`{marked[REPLACED]}` wrote what only a build writes", "Remove what was built, then run the tests"
        if TOUCHED in marked:
            what = f"`{marked[TOUCHED]}` made what was built look newer than its sources"
            return what, "Build from nothing (`make -B`, `clean`), then run the tests"
    if run.of == "c":
        before = "" if any(map(_configures, commands)) else kept.get(SILENT, "")
        silent = next((one.text[:_LONG] for one in commands if _is_silent(one)), before)
        from policy_engine.test_runs.outputs import asserting_test, foreign_build

        if other := foreign_build(run, filesystem):
            return f"it tests what was built from `{other}`", "Configure a folder of this repository, and build it"
        if any(map(_is_odd_compiler, silent.split())):
            return f"`{silent[:60]}` compiles with another program", "Configure without it, then run the tests"
        if silent and (test := asserting_test(filesystem)):
            return (
                f"`{silent}` compiles no `assert`, by which `{test}` tests",
                "Build without `NDEBUG`, then run the tests",
            )
    if run.prebuilt and run.of in kept and run.of not in built:
        advice = "Build all with `&&` before the tests" if unsure else "Build first, then run the tests"
        return f"{run.prebuilt}, and `{_name(kept[run.of])}` changed since", advice
    if run.of == "javascript" and TYPESCRIPT in kept and TYPESCRIPT not in built:
        from policy_engine.test_runs.outputs import tested_output

        if folder := tested_output(run, filesystem):
            what = f"it tests what was compiled into `{folder}` before `{_name(kept[TYPESCRIPT])}` changed"
            return what, "Build first, then run the tests"
    return "", ""


def _kind(real: str) -> str:
    ending = real[real.rfind(".") :]
    kind = _ENDINGS.get(ending) or ecosystem_of(real)
    return kind if kind in _COMPILERS and not real.endswith(".d.ts") and "/node_modules/" not in real else ""


def _name(real: str) -> str:
    return real.rpartition("/")[2]


def _mark(command: SimpleCommand) -> str:
    """Return whether a command gives what was built another time, or other content, without building it; "" if not."""
    if command.name in _MAKE:
        return TOUCHED if any(word in ("-t", "--touch") for word in command.argv[1:]) else ""
    if any(command.name in names for names in _COMPILERS.values()):
        return ""
    outputs = list(_outputs_of(command))
    copies = command.name in _COPIES
    if command.name == "touch" or not any(_is_built(output, copies) for output in outputs):
        return TOUCHED if command.name == "touch" and outputs else ""
    from policy_engine.test_runs.installed import written_by

    return REPLACED if any(_is_output(real) and _is_built(real, copies) for real in written_by(command)) else ""


def _is_built(path: str, copies: bool) -> bool:
    """Return whether a path is one of what build tools write; of what a command copies, any name without an ending."""
    return path.endswith(_OUTPUTS) or (copies and "." not in path.rpartition("/")[2] and path[-1:] != "/")


def _configures(command: SimpleCommand) -> bool:
    return command.name in _CONFIGURES and "--build" not in command.argv


def _is_silent(command: SimpleCommand) -> bool:
    """Return whether a command configures or builds C without assertions, or with a program that is no compiler."""
    words = (*command.env, *command.argv) if command.name in (*_CONFIGURES, *_MAKE) else ()
    return any(part in word for part in _WITHOUT_ASSERT for word in words) or any(map(_is_odd_compiler, words))


def _is_odd_compiler(word: str) -> bool:
    """Return whether a word chooses a compiler by a path, and not by the name of one."""
    chosen = next((word.partition(one)[2] for one in _CHOOSES if one in word), "").strip("'\"")
    name = chosen.rpartition("/")[2].removesuffix(".exe").rstrip("0123456789.-")
    return "/" in chosen and not name.endswith(_COMPILER_NAMES)


def _outputs_of(command: SimpleCommand) -> Iterator[str]:
    """Yield the words of a command that lead into a folder of what is built."""
    try:
        folder = command.cwd.real.removeprefix(command.filesystem.real_workspace)
    except Undecided:
        folder = ""
    for word in command.argv[1:]:
        if word[:1] != "-" and _is_output(f"{folder}/{as_pattern(word)}"):
            yield word


def _is_output(path: str) -> bool:
    """Return whether a path lies in a folder into which build tools write, or is such a folder."""
    folders = path.strip("/").split("/")
    if any(name in path for name in ("bin/Debug", "bin/Release")) or folders[-1] in OUTPUT_FOLDERS:
        return True
    return any(
        part == name or (part.startswith(name) and (part[len(name)] in "-_" or part[len(name) :].isdigit()))
        for part in folders[:-1]
        for name in OUTPUT_FOLDERS
    )


def _cleans(word: str) -> bool:
    return "clean" in word and "/" not in word and "." not in word


def _builds_all(words: list[str]) -> bool:
    """Return whether cmake builds all, or what is named after tests."""
    targets = [
        words[at + 1] for at, word in enumerate(words[:-1]) if word in ("--target", "-t") and "--" not in words[:at]
    ]
    return all("test" in one.lower() or "check" in one.lower() or one in ("all", "install") for one in targets)


def _built_by(command: SimpleCommand) -> Iterator[str]:
    """Yield what a command builds, by what it is called and told."""
    words = [word for word in command.argv[1:] if is_known(word)]
    if any(word in _ANEW or _cleans(word) or (word == "-B" and command.name in _MAKE) for word in words):
        yield TOUCHED
        if command.name not in (*_MAKE, "cmake", "ninja") or "--fresh" in words:
            yield REPLACED
    if command.name == "rm" and any(_outputs_of(command)):
        yield from (TOUCHED, REPLACED)
    if "--no-build" in words or "--skip-build" in words:
        return
    if command.name == "cmake" and not ("--build" in words and _builds_all(words)) and "--workflow" not in words:
        return
    if command.name in (*_MAKE, "cmake", "ninja"):
        behind = words[words.index("--") :] if "--" in words else words if command.name != "cmake" else []
        if any(word in _IDLE for word in behind) or any(word in ("help", "clean") for word in words):
            return
    says = command.name not in _NO_BUILD and any(part in word for word in command.argv for part in _WORDS)
    for kind, names in _COMPILERS.items():
        goals = _GOALS.get(kind)
        named = command.name in names and (not goals or not goals.isdisjoint(words))
        if named or (says and command.name not in names):
            yield kind
