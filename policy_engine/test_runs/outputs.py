"""Find the folder into which TypeScript is compiled, where the tests of a run lie in it or load it.

Not on the hook path: it is imported when a run of tests passed after TypeScript changed that was not compiled since.
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
_BUILDS = re.compile(r"\btsc\b|build|compile")


def tested_output(run: Run, filesystem: FileSystem) -> str:
    """Return that folder, "" if the run compiles first, or has nothing to do with it."""
    try:
        root = filesystem.real_workspace.rstrip("/")
        folders = dict.fromkeys((root, *(file.rpartition("/")[0] for file in run.files)))
        for folder in folders:
            if not filesystem.present(PathValue(folder, real := f"{folder}/tsconfig.json")):
                continue
            found = _OUTPUT.search(text_of(real, filesystem))
            line = " ; ".join((_scripts(f"{folder}/package.json", filesystem), run.line))
            if found is None or _BUILDS.search(line):
                continue
            output = re.escape(found[1])
            loads = rf"['\"](\.\.?/)+{output}(/|['\"])"
            grep = ("grep", "-l", "-I", "-E", "--untracked", loads, "--", ":(glob)**/*test*", ":(glob)**/test*/**")
            if re.search(rf"(?<![\w/]){output}(?=[/\s'\"]|$)", line) or filesystem.repository().ask(
                *grep, failing=True
            ):
                return found[1]
    except Undecided:
        pass
    return ""


def _scripts(real: str, filesystem: FileSystem) -> str:
    """Return the scripts that `npm test` runs."""
    try:
        scripts = json.loads(text_of(real, filesystem))["scripts"]
        return " ; ".join(scripts[name] for name in ("pretest", "test") if type(scripts.get(name)) is str)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
