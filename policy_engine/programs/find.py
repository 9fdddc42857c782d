"""`find`: finds files by their attributes; some of its actions write, delete and start programs."""

from __future__ import annotations

from policy_engine.model.glob_components import matcher, parse_components
from policy_engine.model.partial import may_be_option
from policy_engine.model.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, Program, Scene, find_program

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
    if any(map(may_be_option, roots[1:])):
        scene.doubt("*", "what `find` does with what it finds is not known")
    paths = [scene.path(text, "read", True) for text in roots or ["."]]
    for number, word in enumerate(tests):
        value = tests[number + 1] if number + 1 < len(tests) else ""
        if word in _WRITES:
            paths.append(scene.path(value, "write"))
        elif word == "-files0-from":
            paths.append(scene.unknown(value, f"the folders that `{value[:80]}` names", "read", True))
        elif word in ("-exec", "-execdir", "-ok", "-okdir"):
            scene.does("executes")
            _started(tests[number + 1 :], roots or ["."], tests, scene)
        elif word == "-delete":
            for text in roots or ["."]:
                if follows or "-follow" in tests:
                    paths.append(scene.unknown(text, "links may lead anywhere", "delete", True))
                else:
                    paths.append(_deleted(text, tests, scene))
                    paths += [scene.path(real, "delete") for real in _picked(text, tests, scene)]
    return paths


def _started(words: list[str], roots: list[str], tests: list[str], scene: Scene) -> None:
    """What `-exec` deletes, and what it reads of the files that the tests pick by name; of all, where they do not."""
    program = find_program(words[0].rpartition("/")[2]) if words else None
    if program is not None and program.name in ("rm", "unlink", "shred"):
        scene.paths += [_deleted(text, tests, scene) for text in roots]
    if program is None or (not program.shows_content and program.name != "cp"):
        return
    names = [tests[place + 1] for place, word in enumerate(tests[:-1]) if word in ("-name", "-iname")]
    for text in roots:
        root = scene.path(text, "read", True)
        if not names:
            scene.searched.append(root)
            continue
        try:
            fits = [matcher(parse_components(name)) for name in names if "/" not in name]
            files = [
                real for real in scene.world.files_below(root) if any(fit(real.rpartition("/")[2]) for fit in fits)
            ]
        except (Undecided, ValueError):
            scene.searched.append(root)
            continue
        scene.contents += [scene.path(real, "read") for real in files]


def _picked(text: str, tests: list[str], scene: Scene) -> list[str]:
    """The files below a folder, as they are now, that the tests by name pick."""
    names = [tests[place + 1] for place, word in enumerate(tests[:-1]) if word in ("-name", "-iname")]
    try:
        fits = [matcher(parse_components(name)) for name in names if "/" not in name]
        below = scene.world.files_below(scene.path(text, "read", True)) if fits else []
    except (Undecided, ValueError):
        return []
    return [real for real in below if any(fit(real.rpartition("/")[2]) for fit in fits)]


def _deleted(text: str, tests: list[str], scene: Scene) -> PathValue:
    """The root itself goes too, unless a test picks some of what is below it."""
    path = scene.path(text, "delete", True)
    narrowed = any(word in ("-name", "-iname", "-path", "-mindepth", "-type", "-regex", "-newer", "-size", "-mtime",
                            "-empty", "-user", "-perm", "-ipath", "-wholename", "-mmin") for word in tests)  # fmt: skip
    if narrowed and path.known:
        return scene.path(f"{text}/what-find-picks", "delete", True)
    return path


PROGRAM = Program(
    "find",
    touched=_touched,
    raw=True,
    looks=True,
    read_only=True,
)
