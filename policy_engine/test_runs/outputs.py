"""Find what tests of compiled code go by: the folder into which TypeScript is compiled, and C that tests by `assert`.

Not on the hook path: it is imported when a run of tests passed for which that matters.
"""

from __future__ import annotations

import json
import re

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run

_OUTPUT = re.compile(r"\"outDir\"\s*:\s*\"(?:\./)?([\w.-]+)[\w./-]*\"")
_HOME = re.compile(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.+)$", re.MULTILINE)
_USUAL = ("dist", "build", "lib", "out")
_BUILDS = re.compile(r"\btsc\b|build|compile")


def tested_output(run: Run, filesystem: FileSystem) -> str:
    """Return that folder, "" if the run compiles first, or has nothing to do with it."""
    try:
        root = filesystem.real_workspace.rstrip("/")
        folders = dict.fromkeys((root, *(file.rpartition("/")[0] for file in run.files)))
        for folder in folders:
            line = " ; ".join((_scripts(f"{folder}/package.json", filesystem), run.line))
            if _BUILDS.search(line) or not (name := _output_of(folder, filesystem)):
                continue
            output = re.escape(name)
            loads = rf"['\"](\.\.?/)+{output}(/|['\"])"
            grep = ("grep", "-l", "-I", "-E", "--untracked", loads, "--", ":(glob)**/*test*", ":(glob)**/test*/**")
            if re.search(rf"(?<![\w/]){output}(?=[/\s'\"]|$)", line) or filesystem.repository().ask(
                *grep, failing=True
            ):
                return name
    except Undecided:
        pass
    return ""


def _output_of(folder: str, filesystem: FileSystem) -> str:
    """Return the folder into which a package is compiled: what its settings say, or a usual one that git ignores."""
    if filesystem.present(PathValue(folder, real := f"{folder}/tsconfig.json")):
        found = _OUTPUT.search(text_of(real, filesystem))
        return found[1] if found else ""
    there = [name for name in _USUAL if filesystem.present(PathValue(folder, f"{folder}/{name}"))]
    ask = filesystem.repository().ask
    return next((name for name in there if ask("check-ignore", f"{folder}/{name}/x", failing=True)), "")


def asserting_test(filesystem: FileSystem) -> str:
    """Return the name of a file of tests in C that tests by `assert`; "" where tests or settings speak of NDEBUG."""
    ask = filesystem.repository().ask
    grep = ("grep", "-l", "-I", "--untracked", "-E")
    files = (":(glob,icase)**/*test*.c*", ":(glob,icase)**/test*/**/*.c*")
    try:
        if ask(*grep, "NDEBUG", "--", *files, "CMakeLists.txt", "*.cmake", "meson.build", failing=True):
            return ""
        names = ask(*grep, r"#[ \t]*include[ \t]*<(assert\.h|cassert)>", "--", *files, failing=True)
    except Undecided:
        return ""
    return names.decode("utf-8", "replace").partition("\n")[0].rpartition("/")[2]


def foreign_build(run: Run, filesystem: FileSystem) -> str:
    """Return the folder from whose sources cmake built what a run tests, if that lies outside the workspace."""
    named = run.place.partition("--test-dir")[2].lstrip(" =").partition(" ")[0]
    root = filesystem.real_workspace.rstrip("/")
    for _, folder in run.started[-1:]:
        try:
            place = filesystem.resolve(named or ".", folder).real
            home = _HOME.search(text_of(f"{place.rstrip('/')}/CMakeCache.txt", filesystem))
        except Undecided:
            continue
        if home and not f"{filesystem.resolve(home[1], root).real}/".startswith(f"{root}/"):
            return home[1]
    return ""


def _scripts(real: str, filesystem: FileSystem) -> str:
    """Return the scripts that `npm test` runs."""
    try:
        scripts = json.loads(text_of(real, filesystem))["scripts"]
        return " ; ".join(scripts[name] for name in ("pretest", "test") if type(scripts.get(name)) is str)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
