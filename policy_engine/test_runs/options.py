"""Read a runner's options: whether it informs only, runs a part, or the whole. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.build_properties import without_properties
from policy_engine.test_runs.parts import summaries_of
from policy_engine.test_runs.quiet import QUIET_VERBS
from policy_engine.test_runs.runners import OUTPUT_FOLDERS, RENEWING, RUNNERS, SCRIPT_FLAGS, SUITE_FOLDERS, TASKS
from policy_engine.test_runs.task_files import changed_variable, lies_there, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.test_runs.classify import Place, Run

    Words = tuple[str, ...]

_HARMLESS_VARIABLES = frozenset(
    (
        "V VERBOSE CI J COLOR Q QUIET DEBUG JOBS NO_COLOR CODE_SIGNING_ALLOWED CODE_SIGNING_REQUIRED CODE_SIGN_IDENTITY"
        " ONLY_ACTIVE_ARCH"
    ).split()
)
_LOADING = ("reporter", "require", "import", "loader", "setup", "runner", "preload", "transform", "sequencer")
"""Parts of the names of options whose value is a file of code that the runner loads."""
_READ_ANYWAY = ("spec_helper", "rails_helper")
"""Files that are judged by what is in them (runner_files.py)."""
_TEST_ENVIRONMENTS = ("py", "test", "tests", "ci", "unit", "django", "cover")


class Given:
    """The words of a run taken apart: options with their values, operands, and what stands behind a lone `--`."""

    __slots__ = ("options", "operands", "behind", "packages")

    def __init__(self) -> None:
        self.packages: list[str] = []
        self.options: list[tuple[str, str | None, str]] = []  # name, value, and both as they are written
        self.operands: list[str] = []
        self.behind: list[str] | None = None


def read_options(row: dict[str, str], words: Words, place: Place) -> Run | None:
    """The run, or None if it runs no tests (`make build`)."""
    from policy_engine.test_runs.classify import Run

    if "last" in row:
        return _last_task(row["last"], words, place)
    run = Run(row.get("of", ""), tuple(row.get("reads", "").split()))
    run.own = "own" in row and bool(row["own"])
    if not all(map(is_known, words)):
        run.refuse("not every word of it is known")
    if "properties" in row:
        words = without_properties(words, run)
    given = _taken_apart(row, words, place)
    if "needs" in row and not any(name in row["needs"].split() for name, _, _ in given.options):
        return None
    if row.get("only"):
        run.refuse(row["only"], part=True)
    run.counted = row.get("waits", "")
    if row.get("operands") in ("goals", "folders") or "targets" in row:
        if not _goals(row, given, run):
            return None
    _options(row, given, run, place)
    old = row.get("prebuilt", "").split()
    if "*" in old or (given.operands and all(one in old for one in given.operands)):
        run.prebuilt = "it runs what was built before"
    folder = place.relative()
    if folder is not None and row.get("build") and folder.rpartition("/")[2].startswith(OUTPUT_FOLDERS):
        if row["build"] == "1" or place.kind(row["build"]):
            folder = folder.rpartition("/")[0]
            run.of = run.of or "c"
            if row["build"] != "1" and "all" not in given.operands:
                run.prebuilt = "it runs what was built before"
    run.targets = (folder or "",)
    if given.packages:
        name_packages(given.packages, run)
    _operands(row, given, run, place)
    _behind(row, given, run, place)
    _definitions(row, given, run, place)
    if "several" in row:
        run.parts, run.total = (
            summaries_of(row["several"].split(), [name for name, _, _ in given.options], place),
            row.get("total", ""),
        )
    return run


def _last_task(program: str, words: Words, place: Place) -> Run | None:
    """Return the run that the last of several tasks is (`compile + test`, `compile, test`), None if it is none."""
    tasks: list[list[str]] = [[]]
    for word in words:
        tasks[-1] += [word.removesuffix(",")] if word not in ("+", ",") else []
        if word == "+" or word[-1:] == ",":
            tasks.append([])
    row = RUNNERS.get(" ".join((program, *tasks[-1][:1])))
    run = None if row is None else read_options(row, tuple(tasks[-1][1:]), place)
    other = next((task[0] for task in tasks[:-1] if task and task[0] not in QUIET_VERBS[program].split()), "")
    if run is not None and other:
        run.refuse(f"`{other}` runs in the same process before the tests")
    return run


def _taken_apart(row: dict[str, str], words: Words, place: Place) -> Given:
    given = Given()
    values = set(" ".join(row.get(key, "") for key in _WITH_VALUES).split())
    rest = list(words)
    style = row.get("long", "")
    while rest:
        word = rest.pop(0)
        if word == "--":
            given.behind = rest
            break
        if word[:1] != "-" or word == "-":
            given.operands.append(word)
            continue
        name, equals, value = word.partition("=")
        if style == "1" and name[:2] == "--":
            name = name[1:]
        if style == "1" and name[:6] == "-test.":
            name = f"-{name[6:]}"
        if equals and (style or name[:2] == "--" or len(name) == 2):
            given.options.append((name, value, word))
        elif name in values:
            value = rest.pop(0) if rest else ""
            given.options.append((name, value, f"{word} {value}"))
        elif name[:2] != "--" and len(name) > 2 and style != "1":
            letters = (one for one in row.get("part", "").split() if len(one) == 2 and style == "mixed")
            _bundle(word, values.union(letters), style, rest, given)
        else:
            given.options.append((name, None, word))
            if rest and _is_value(row, rest[0], place):
                rest.pop(0)
    return given


_WITH_VALUES = tuple("value valued config folder package settings environments targets starts loads conditions".split())


def _is_value(row: dict[str, str], word: str, place: Place) -> bool:
    """Return whether the word behind an option that the table does not name is its value."""
    if word.isdigit():
        return True
    plain = word[:1] != "-" and not any(sign in word for sign in "/.:=") and is_known(word)
    return plain and row.get("usual") == "pytest -q" and word not in SUITE_FOLDERS and not place.kind(word)


def _bundle(word: str, values: set[str], style: str, rest: list[str], given: Given) -> None:
    """`-xvs`, `-n4`, `-kone`; where single dashes begin long names, only an attached value."""
    if style:
        if word[:2] in values:
            given.options.append((word[:2], word[2:], word))
        else:
            given.options.append((word, None, word))
        return
    for at in range(1, len(word)):
        letter = "-" + word[at]
        if letter in values or letter in _VALUED_LETTERS:
            value, apart = word[at + 1 :], ""
            if not value and rest and letter in values:
                value, apart = rest.pop(0), " "
            given.options.append((letter, value.removeprefix("="), f"{letter}{apart}{value}"))
            return
        given.options.append((letter, None, letter))


_VALUED_LETTERS = frozenset(("-k", "-m", "-t", "-g"))


def why_renewing(shown: str) -> str:
    """Return why a run that writes snapshots anew proves nothing."""
    return f"with `{shown}` it writes snapshots anew, so that tests of them pass whatever the source does"


def _options(row: dict[str, str], given: Given, run: Run, place: Place) -> None:
    informs, part = row.get("informs", "").split(), row.get("part", "").split()
    counted, skips = row.get("counted", "").split(), row.get("skips", "").split()
    places = (*row.get("place", "").split(), *row.get("folder", "").split())
    run.place = " ".join(shown for name, value, shown in given.options if name in places and is_known(value or ""))
    for name, value, shown in given.options:
        whole = name if value is None else f"{name}={value}"
        if name in informs or whole in informs:
            run.refuse(f"`{name}` only informs")
        elif (name.partition(":")[0] in part and f"!{whole}" not in part) or whole in part:
            renews = name in RENEWING
            run.refuse(
                why_renewing(shown) if renews else f"`{shown}` leaves tests out, or hides how they end", part=True
            )
        elif name in row.get("prebuilt", "").split() and value != "false":
            run.prebuilt = f"with `{name}` it runs what was built before"
        elif name in row.get("stale", "").split():
            run.stale = f"with `{name}` it runs what was built before"
        elif name == "-p" and row.get("usual") == "pytest -q" and place.kind((value or "").replace(".", "/") + ".py"):
            run.refuse(f"`{shown}` loads a plugin of the workspace")
        elif "variables" in row and name[:2] == "--" and _abbreviates(name, (*informs, *part)):
            run.refuse(f"`{name}` only informs, or hides how it ends")
        elif name in counted or whole in counted:
            run.counted = f"with `{name}` it succeeds without tests"
        elif name in row.get("settings", "").split():
            _setting(row, value or "", run)
        elif name in row.get("config", "").split():
            _configuration(row, name, value or "", run, place)
        elif name in row.get("folder", "").split():
            place.enter(value or ".")
        elif name in row.get("package", "").split():
            given.packages += (value or "").split(",")
            run.limited = f"`{shown}` is one package"
        elif name in row.get("conditions", "").split():
            if _leads_elsewhere(value or "", text_of(place.at("package.json") or "", place.filesystem)):
                run.refuse(f"with `{shown}` `package.json` leads imports to other files than those that others get")
        elif skips and name[:2] in ("-D", "-P") and name[2:] in skips and value != "false":
            run.refuse(f"`{shown}` leaves tests out, or hides how they end", part=True)
        elif name in row.get("environments", "").split():
            if not all(one.startswith(_TEST_ENVIRONMENTS) for one in (value or "").split(",")):
                run.refuse(f"`{shown}` is no environment of the tests")
        elif value and (name in row.get("loads", "").split() or _is_loading(row, name)):
            if value.startswith("data:") and not _registers(value):
                run.refuse(f"`{shown[:40]}` is code that only this line has")
            ends = () if value.endswith(_READ_ANYWAY) else ("", ".rb", ".exs")
            found = (value + end for end in ends if place.kind(value + end) == "file")
            run.programs += tuple(filter(None, map(place.at, found)))


def _registers(code: str) -> bool:
    """Return whether code in a word only registers what loads modules, as the documentation of Node shows it."""
    import re

    return re.search(r"\bregister\(", code) is not None and re.search(r"\b(?:process|test|exit|assert)\b", code) is None


def _leads_elsewhere(condition: str, package: str) -> bool:
    """Return whether a package has files of its own for a condition, which no script of it sets."""
    import re

    name = re.escape(condition)
    leads = re.search(rf'"{name}"\s*:\s*(?:"\.|[{{\[]|null)', package) is not None
    return leads and re.search(rf"(?:--conditions|-C)[= ]{name}\b", package) is None


def _is_loading(row: dict[str, str], name: str) -> bool:
    return row.get("of") == "javascript" and (name == "-r" or any(one in name for one in _LOADING))


def _abbreviates(name: str, options: tuple[str, ...]) -> bool:
    """Return whether a long option of make is short for one of these."""
    return len(name) > 3 and any(option.startswith(name) for option in options if option[:2] == "--")


def _setting(row: dict[str, str], value: str, run: Run) -> None:
    """`-o key=value`: harmless for keys that only change what is shown."""
    name, _, text = value.partition("=")
    for kept in row.get("kept", "").split():
        if kept == f"{name}=" and not text:
            return
        if kept[-1] != "=" and name.startswith(kept):
            return
    run.refuse(f"`-o {value}` changes which tests run", part=True)


def _configuration(row: dict[str, str], name: str, value: str, run: Run, place: Place) -> None:
    base = value.removeprefix("./") or "."
    configs = row.get("configs", "").split()
    if not any(base == one or (one[-1] in "._" and one != "." and base.startswith(one)) for one in configs):
        run.refuse(f"`{name} {value}` is a configuration of its own", part=True)
    elif place.kind(value) == "file" and (real := place.at(value)) is not None:
        run.programs += (real,)


def _goals(row: dict[str, str], given: Given, run: Run) -> bool:
    """Return whether a task runner, or a build tool, is asked for tests."""
    if "targets" in row:
        asked = [value or "" for name, value, _ in given.options if name in row["targets"].split()]
        names = [part for text in asked for part in text.split(",")]
        run.named = True
        if row["operands"] == "filters":  # `nx run-many -t test build`: the names go on as operands
            names += given.operands
            given.operands = []
        return any(name in TASKS or name == "RUN_TESTS" for name in names)
    goals = row.get("goals", "").split()
    run.named = not goals or row.get("of", "") == ""
    asked = [one for one in given.operands if one.rpartition(":")[2] in goals or one in goals] if goals else []
    if not goals:
        asked = [one for one in given.operands if one in TASKS or one.rpartition("#")[2] in TASKS]
    if not asked:
        return not given.operands and row.get("default") == "whole"
    modules = [one.rpartition(":")[0].strip(":").replace(":", "/") for one in asked]
    if goals and all(modules) and row.get("usual", "").startswith("./gradlew"):
        given.packages, run.limited = modules, f"`{asked[0]}` is one module"
    return True


def name_packages(packages: list[str], run: Run) -> None:
    """Confine a run to packages, which are named, or patterns of names or folders."""
    if any(sign in one for one in packages for sign in ("!", "[", "^")):
        run.refuse(f"`{packages[-1]}` may leave tests out", part=True)
    run.targets = tuple("~" + one.strip("{}").removeprefix("./").strip("/.") for one in packages)


def _operands(row: dict[str, str], given: Given, run: Run, place: Place) -> None:
    sort = row.get("operands", "filters")
    operands = given.operands
    verbs = row.get("verbs", "").split()
    informs = row.get("informs", "").split()
    while operands and (operands[0] in verbs or operands[0] in informs):
        if operands.pop(0) not in verbs:
            run.refuse("it only informs")
    operands += [value or "" for name, value, _ in given.options if name in row.get("starts", "").split()]
    if sort == "paths":
        _paths(operands, run, place)
    elif sort == "patterns":
        _patterns(row, operands, run, place)
    elif sort == "labels":
        if operands and any(one not in ("//...", "...", ":all", "//...:all") for one in operands):
            run.refuse(f"`{operands[0]}` is a part of the tests", part=True)
        elif not operands:
            run.refuse("it names no tests", part=True)
    elif sort == "projects":
        named = [one for one in operands if not one.endswith((".sln", ".slnx", ".slnf"))]
        if named and named != ["."]:
            run.targets = tuple(place.relative(one) or one for one in named)
            run.limited = f"`{named[0]}` is one project"
    elif sort == "goals":
        _arguments(row, operands, run)
    elif sort == "filters" and operands:
        if operands[0] in ("tests", "test", ".") and row.get("of") == "python":
            return
        run.refuse(f"`{operands[0]}` is a part of the tests", part=True)


def _paths(operands: list[str], run: Run, place: Place) -> None:
    """Folders of a usual name stand for the whole; anything else is what it names."""
    if not operands:
        return
    folder = run.targets[0]
    targets, first = [], ""
    for text in operands:
        plain = text.removeprefix("./").rstrip("/") or "."
        if plain in (".", "") or plain in SUITE_FOLDERS or plain in ("test/**/*.test.js", "tests/**/*.py"):
            targets.append(folder)
            if plain in SUITE_FOLDERS and (relative := place.relative(plain)):
                run.suites += (relative,)
            continue
        relative = place.relative(text.partition("::")[0]) if not place.inside else plain
        above, _, name = (relative or "").rpartition("/")
        if relative is not None and (relative == "" or (name.lower() in SUITE_FOLDERS and place.kind(text) != "file")):
            targets.append(above if relative else "")
            run.suites += (relative,) if relative else ()
            first = first or (text if above != folder and relative else "")
            continue
        first = first or text
        if relative is None:
            run.refuse(f"`{text}` is outside the workspace")
        else:
            targets.append(relative if "::" not in text and "[" not in text else "\0")
    if folder in targets and not first:
        return
    if folder not in targets:
        run.targets = tuple(dict.fromkeys(targets)) or ("\0",)
        run.limited = f"`{first or operands[0]}` is a part of the tests"


def _patterns(row: dict[str, str], operands: list[str], run: Run, place: Place) -> None:
    """`./...` of Go: a folder and all below it."""
    if not operands:
        if row.get("default") != "whole":
            run.targets, run.limited = ("\0",), "without `./...` it tests one package"
        return
    folder = run.targets[0]
    targets = []
    for text in operands:
        if text in ("./...", "...", "all"):
            targets.append(folder)
        elif text.endswith("/...") and text[:1] == ".":
            targets.append(place.relative(text[:-4]) or "\0")
        else:
            targets.append("\0")
    if folder not in targets:
        run.targets = tuple(targets)
        run.limited = f"`{operands[0]}` is a part of the tests"
    else:
        run.targets = (folder, *(one for one in dict.fromkeys(targets) if one not in (folder, "\0")))


def _arguments(row: dict[str, str], operands: list[str], run: Run) -> None:
    """Return what follows the name of a task: variables, other tasks, arguments."""
    goals = row.get("goals", "").split() or TASKS
    seen = False
    for text in operands:
        name, equals, _ = text.partition("=")
        if equals and name.isidentifier():
            if name not in _HARMLESS_VARIABLES:
                run.refuse(f"`{text}` may make it run a part of the tests", part=True)
        elif text in goals or text.rpartition(":")[2] in goals:
            seen = True
        elif seen and (any(sign in text for sign in "/.") or "::" in text) and row.get("of") != "jvm":
            run.refuse(f"`{text}` may make it run a part of the tests", part=True)


def _behind(row: dict[str, str], given: Given, run: Run, place: Place) -> None:
    """Return what stands behind a lone `--`."""
    if not given.behind:
        return
    if "behind" in row:
        inner = read_options(RUNNERS[row["behind"]] | {"default": "whole"}, tuple(given.behind), place)
        if inner is not None and inner.problem:
            run.refuse(inner.problem, inner.part)
        elif inner is not None and inner.limited and not given.operands:
            run.targets, run.limited = inner.targets, inner.limited
        return
    if row.get("operands") == "paths":
        _paths([word for word in given.behind if word[:1] != "-"], run, place)
        return
    after = row.get("after", "").split() or SCRIPT_FLAGS
    if row.get("of") == "jvm":
        after = []
    words = list(given.behind)
    while words:
        word = words.pop(0)
        name = word.partition("=")[0]
        if word in after or name in after or (word[:1] == "-" and word.rstrip("0123456789") in after):
            if words and (words[0].isdigit() or name in ("--color", "--format", "-Z", "--reporter", "--tb")):
                if "=" not in word and words[0][:1] != "-":
                    words.pop(0)
            if name in ("--passWithNoTests", "--pass-with-no-tests"):
                run.counted = f"with `{name}` it succeeds without tests"
            continue
        known = name in RENEWING and row.get("of") != "jvm"
        run.refuse(why_renewing(word) if known else f"`{word}` may make it run a part of the tests", part=True)


def _definitions(row: dict[str, str], given: Given, run: Run, place: Place) -> None:
    """The file of the repository that says what a task is, and whether it has that task."""
    for name in row.get("files", "").split():
        if place.kind(name) != "file":
            continue
        real = place.at(name)
        if real is None:
            return
        run.files += (real, f"{place.folder.real}/{name}" if place.folder is not None else real)
        text = text_of(real, place.filesystem)
        if changed := changed_variable(text, place.env, place.filesystem):
            run.refuse(f"`{changed}=…` may change what `{name}` runs")
        if "variables" in row:  # make: something of the target's name makes it succeed at once
            asked = [one for one in given.operands if one in TASKS]
            if not all(_has_target(real, one, place) for one in asked):
                run.refuse(f"`{name}` has no target `{asked[0]}`")
            if place.folder is not None and any(lies_there(one, place.folder, text, place.filesystem) for one in asked):
                run.idle = f"something named `{asked[0]}` lies beside `{name}`, so that make need not run it"
        return


def _has_target(real: str | None, target: str, place: Place) -> bool:
    try:
        text = place.filesystem.read(place.filesystem.resolve(real or "", None))
    except Undecided:
        return True
    if text is ABSENT or not isinstance(text, bytes):
        return True
    for line in text.decode("utf-8", "replace").split("\n"):
        if line.startswith(("include ", "-include ", "sinclude ", "%")):
            return True
        head, colon, _ = line.partition(":")
        if colon and line[:1] not in "\t# " and (target in head.split() or "$" in head):
            return True
    return False
