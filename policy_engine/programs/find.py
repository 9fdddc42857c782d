"""`find`: finds files by their attributes; some of its actions write, delete and start programs."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_WRITES = ("-fprint", "-fprint0", "-fprintf", "-fls")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    roots, place = [], 0
    follows = False
    while place < len(words) and words[place] in ("-H", "-L", "-P", "-O0", "-O1", "-O2", "-O3"):
        follows = follows or words[place] == "-L"
        place += 1
    while place < len(words) and words[place][:1] not in "-(!":
        roots.append(words[place])
        place += 1
    tests = words[place:]
    paths = [scene.path(text, "read", True) for text in roots or ["."]]
    for number, word in enumerate(tests):
        value = tests[number + 1] if number + 1 < len(tests) else ""
        if word in _WRITES:
            paths.append(scene.path(value, "write"))
        elif word == "-files0-from":
            paths.append(scene.unknown(value, f"the folders that `{value[:80]}` names", "read", True))
        elif word in ("-exec", "-execdir", "-ok", "-okdir"):
            scene.does("executes")
        elif word == "-delete":
            for text in roots or ["."]:
                if follows or "-follow" in tests:
                    paths.append(scene.unknown(text, "links may lead anywhere", "delete", True))
                else:
                    paths.append(_deleted(text, tests, scene))
    return paths


def _deleted(text: str, tests: list[str], scene: Scene) -> PathValue:
    """The root itself goes too, unless a test picks some of what is below it."""
    path = scene.path(text, "delete", True)
    narrowed = any(word in ("-name", "-iname", "-path", "-mindepth", "-type", "-regex", "-newer", "-size", "-mtime",
                            "-empty", "-user", "-perm", "-ipath", "-wholename", "-mmin") for word in tests)  # fmt: skip
    if narrowed and path.known and scene.world.relative(path) == "":
        return scene.path(f"{text}/what-find-picks", "delete", True)
    return path


PROGRAM = Program(
    "find",
    touched=_touched,
    raw=True,
    looks=True,
    read_only=True,
)
