"""Find the code that a program runs from files of the project: makefiles, justfiles, package scripts, configuration.

Files that cannot be read, are not understood, or lie elsewhere give nothing: what they hold stays unknown, as a program
does once it runs. Imported by the hook path when a line starts such a program.
"""

from __future__ import annotations

from policy_engine.effects.tasks import filled, option, placeholders, read_values, task_lines
from policy_engine.model.partial import DIGITS, NUMBER, is_known
from policy_engine.programs._rows import BUILDS, LOADS, TASKS
from policy_engine.programs.base import find_program
from policy_engine.programs.secret_values import SECRETS
from policy_engine.programs.trials import shows_only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.paths import PathValue

    Read = Callable[[str], tuple[PathValue, str] | None]

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_LANGUAGES = {
    "Rakefile": "ruby",
    "rakefile": "ruby",
    "Gemfile": "ruby",
    "Vagrantfile": "ruby",
    "Brewfile": "ruby",
    "Guardfile": "ruby",
    "wscript": "python",
    ".envrc": "sh",
    "SConstruct": "python",
}
_TRIALS = frozenset("--dry-run --help -h -n --syntax-check --check --list".split())
_CONTAINERS = ("docker", "podman", "nerdctl", "buildah", "act", "gitlab-runner", "gitlab-ci-local")
CONTAINER = "container"  # who reads what acts upon the files of another machine only
_SHOWING = ("echo ", "printf ")
_CONFIGURATIONS = tuple(
    form + ending
    for form, endings in (
        ("{}.config.", "js cjs mjs ts cts mts"),
        ("{}.conf.", "js cjs mjs ts"),
        (".{}rc.", "js cjs mjs ts"),
    )
    for ending in endings.split()
)  # what tools of JavaScript run, by the convention of their names
_FOLDERS = 8  # folders above one another that are looked at for one word
VALUE = "value"  # who reads what a file's own program runs for its output, which is not shown
_ENDINGS = {
    "py": "python", "sh": "sh", "bash": "sh", "rb": "ruby", "pl": "perl", "php": "php", "lua": "lua", "tcl": "tclsh",
    "exp": "tclsh", "tk": "tclsh", **dict.fromkeys(("js", "mjs", "cjs", "ts", "mts", "cts"), "node"),
}  # fmt: skip
_DECLARED = ("rake", "nox", "invoke", "inv", "fab")  # whose tasks are functions and blocks of code


class Code:
    """Code of a file: `line` is the number of the line where `text` begins; `language` who reads it."""

    __slots__ = ("file", "text", "line", "language")

    def __init__(self, file: PathValue, text: str, line: int, language: str) -> None:
        self.file = file
        self.text = text
        self.line = line
        self.language = language


def recipes_of(name: str, words: tuple[str, ...], read: Read, expand: Callable[[str], list[str]]) -> list[Code]:
    """Return the code of the project that a program runs.

    Args:
        name: the program.
        words: its arguments.
        read: gives the path and text of a file by its name below the folder that the program runs in, None if it is
            not to be read.
        expand: gives the names that a pattern fits there.
    """
    words = tuple(word for word in words if is_known(word) or not _is_number(word))
    if not all(map(is_known, words)):
        return []
    if name in ("make", "gmake"):
        return _make(words, read)
    if name == "just":
        return [] if shows_only(name, words) else _just(words, read)
    if name in ("cmake", "ctest"):
        from policy_engine.effects.cmake_files import cmake_lines

        return [Code(file, text, 1, "sh") for file, text in cmake_lines(words, read)]
    recipes = _builds(name, words, read, expand) if name != "bats" else _bats(words, read, expand)
    if name in TASKS and not shows_only(name, words):
        files: dict[str, PathValue] = {}

        def text_of(file: str) -> str | None:
            known = read(file)
            files.update({} if known is None else {file: known[0]})
            return None if known is None else known[1]

        file, lines = task_lines(name, words, text_of)
        recipes += [Code(files[file], line, number, "sh") for line, number in lines]
    for file in (*_loaded(name, words, expand), *(_hooks(read) if name == "mkdocs" else ())):
        language = language_of_name(file.rpartition("/")[2])
        known = read(file) if language else None
        if known is not None:
            text, lines = known[1], []
            if name in _DECLARED:
                from policy_engine.effects.task_functions import started_code

                text, lines = started_code(name, words, text, language)
            recipes.append(Code(known[0], text, 1, language))
            recipes += [Code(known[0], line, number, "sh") for line, number in lines]
    return recipes


def _is_number(word: str) -> bool:
    """Return whether a word whose parts are not known is an option with a number, or a number: `-j$(nproc)`."""
    known = word.replace(NUMBER, "").replace(DIGITS, "")
    return not known or (known[:1] == "-" and known.strip("-=").isalpha())


def _loaded(name: str, words: tuple[str, ...], expand: Callable[[str], list[str]]) -> list[str]:
    """Return the files that a program loads from its folder, those that its words name, and those above them."""
    options, files = loaded_files(name)
    if named := option(words, *options):
        return [named]
    folders = {
        f"{'/'.join(parts[:end])}/": None
        for parts in (word.partition("::")[0].strip("/").split("/") for word in words if word[:1] not in ("-", "/"))
        for end in range(1, min(len(parts), _FOLDERS) + 1)
    }
    near = [f"{folder}{file}" for folder in ("", *folders) for file in files if "*" not in file]
    if find_program(name) is None or any(file.endswith(".js") for file in files):
        near += [file for form in _CONFIGURATIONS if (file := form.format(name)) not in near]
        near += filter(None, [option(words, "-c", "--config", "--config-file")])
    return near if folders else near + [one for file in files if "*" in file for one in expand(file)]


def _hooks(read: Read) -> list[str]:
    """The files of Python that the settings of mkdocs name as its hooks."""
    known = read("mkdocs.yml")
    values = None if known is None else read_values(known[0].text, known[1])
    hooks = values.get("hooks") if isinstance(values, dict) else None
    return [file for file in hooks if isinstance(file, str)] if isinstance(hooks, list) else []


def _bats(words: tuple[str, ...], read: Read, expand: Callable[[str], list[str]]) -> list[Code]:
    """The bodies of the tests in the files and folders that the words name."""
    import re

    found: list[Code] = []
    for word in (word for word in words if word[:1] != "-"):
        for file in [word] if word.endswith(".bats") else expand(f"{word.rstrip('/')}/*.bats"):
            if (known := read(file)) is not None:
                text = re.sub(r"(?m)^@test\b.*\{[ \t]*$", "{", known[1])
                text = re.sub(r"(?m)^([ \t]*)run[ \t]+(?:-\S+[ \t]+)*", r"\1", text)
                found.append(Code(known[0], text, 1, "sh"))
    return found


def loaded_files(name: str) -> tuple[list[str], list[str]]:
    """Return the options that name another file for a program to load, and the files or patterns that it loads."""
    row = LOADS[name].split() if name in LOADS else []
    return [word for word in row if word[:1] == "-"], [word for word in row if word[:1] != "-"]


def _builds(name: str, words: tuple[str, ...], read: Read, expand: Callable[[str], list[str]]) -> list[Code]:
    """The commands in the files of a build tool: those of its folder, of one that a word names, or a word itself."""
    operands = [word for word in words if word[:1] != "-"]
    given = [word.partition("=")[2] if word[:1] == "-" else word for word in words]
    found: list[Code] = []
    for row in BUILDS[name].split(";") if name in BUILDS and _TRIALS.isdisjoint(words) else ():
        verbs, files = (part.split() for part in row.split("|"))
        if verbs and not any(set(verb.split(":")) <= set(operands[:4]) for verb in verbs):
            continue
        from policy_engine.effects.build_files import commands_in, commands_within, is_image

        names = dict.fromkeys(word for word in given if word and word[:1] != "-" and "/" not in word)
        forms = [file for file in files if file[:1] != "*"]
        plain = [one for form in forms for one in ([form.format(word) for word in names] if "{" in form else [form])]
        endings = tuple(file[1:] for file in files if file[:1] == "*")
        named = [word for word in given if word.endswith(endings) or word.rpartition("/")[2] in plain or is_image(word)]
        if (other := option(words, *loaded_files(name)[0])) and name in LOADS:
            named = [other]
        folders = ["", *(f"{word.removesuffix('...').rstrip('/')}/" for word in given if word and word not in named)]
        below = [f"{folder}{form}" for folder in folders for form in plain]
        for file in named or [one for form in below for one in (expand(form) if "*" in form else [form])]:
            known = read(file)
            if known is not None:
                found += [Code(known[0], line, number, "sh") for line, number in commands_in(file, known[1], words)]
                lists = name == "act" and not {"-l", "--list", "-n", "--dryrun"}.isdisjoint(words)
                within = commands_within(file, known[1], words) if name in _CONTAINERS and not lists else []
                found += [Code(known[0], line, number, CONTAINER) for line, number in within]
    return found


def language_of_name(name: str) -> str:
    """Return who reads a file by its name, "" if that is not known."""
    ending = name.rpartition(".")[2] if "." in name.rpartition("/")[2] else ""
    return _ENDINGS.get(ending) or _LANGUAGES.get(name, "")


def _make(words: tuple[str, ...], read: Read) -> list[Code]:
    """The recipes of the targets and of what they need."""
    folder, named = option(words, "-C", "--directory"), option(words, "-f", "--file", "--makefile")
    names = (named,) if named else _MAKEFILES
    known = next(filter(None, (read(f"{folder}/{name}" if folder else name) for name in names)), None)
    if known is None:
        return []
    file, text = known
    origins: dict[str, str] = {}  # variables of included files, with those
    for line in text.split("\n"):
        if line.lstrip("-s").startswith("include "):
            included = [one for one in map(read, line.split()[1:]) if one is not None]
            text += "".join("\n" + one[1] for one in included)
            origins |= {item.partition("=")[0].strip(): one[0].text for one in included for item in one[1].split("\n")}
    rules, variables, first = _makefile(text)
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name.isidentifier():
            variables[name] = value
    values = {folder, named, option(words, "-j"), option(words, "-I")}
    wanted = [word for word in words if word[:1] != "-" and "=" not in word and word not in values] or [first]
    shows = shows_only("make", words)
    calls = [_substituted(line, variables, "") for line in _shell_calls(text)]
    recipes = [Code(file, line, 1, VALUE) for line in calls if line.strip()[:1] != "$"]
    done: set[str] = set()
    while wanted and len(done) < 64:
        target = wanted.pop()
        if target in done or target not in rules:
            continue
        done.add(target)
        needs, lines = rules[target]
        wanted += needs
        for number, line in lines:
            if shows and "+" not in line[: len(line) - len(line.lstrip("@-+ "))] and not _runs_make(line):
                continue
            shown = line.lstrip("@-+ ").startswith(_SHOWING)
            used = [name for name in origins if shown and f"$({name})" in line.replace("{", "(").replace("}", ")")]
            secret = (name for name in used if any(part in name.upper() for part in SECRETS))
            recipes += [Code(file, f"cat {origins[name]}", number, "sh") for name in secret]
            line = _substituted(line.lstrip("@-+ "), variables, target)
            recipes.append(Code(file, line, number, "sh"))
    return recipes


def _runs_make(line: str) -> bool:
    return "$(MAKE)" in line or "${MAKE}" in line


def _shell_calls(text: str) -> list[str]:
    """Return what `$(shell …)` and `NAME != …` run, which make asks for whether it runs recipes or not."""
    assigned = (line.partition("!=") for line in text.split("\n") if line[:1] not in ("\t", "#"))
    lines = [line for name, equals, line in assigned if equals and name.strip().isidentifier()]
    return lines + [piece[: _end(piece, 0)] for piece in text.replace("${shell ", "$(shell ").split("$(shell ")[1:]]


def _end(text: str, place: int) -> int:
    """Return where the bracket closes that stands open before a place; the end of the text if it does not."""
    depth = 0
    while place < len(text):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[place], 0)
        if depth < 0:
            break
        place += 1
    return place


def _makefile(text: str) -> tuple[dict[str, tuple[list[str], list[tuple[int, str]]]], dict[str, str], str]:
    """Rules by target (what they need; their lines with numbers), variables, and the first target."""
    rules: dict[str, tuple[list[str], list[tuple[int, str]]]] = {}
    variables: dict[str, str] = {"MAKE": "make"}
    first, prefix = "", "\t"
    current: list[str] = []
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        start = number
        line = lines[number]
        while line.endswith("\\") and number + 1 < len(lines):
            number += 1
            line = line[:-1] + " " + lines[number].lstrip()
        number += 1
        if line[:1] == prefix and current:
            for target in current:
                rules[target][1].append((start + 1, line[1:].lstrip()))
            continue
        bare = line.strip()
        if not bare or bare[0] == "#":
            continue
        assigned = _assignment(bare)
        if assigned is not None:
            variables[assigned[0]] = assigned[1]
            if assigned[0] == ".RECIPEPREFIX":
                prefix = assigned[1][:1] or "\t"
        elif ":" in bare and line[:1] not in (" ", "\t"):
            targets, _, rest = bare.partition(":")
            needs, semicolon, recipe = rest.lstrip(":").partition(";")
            current = targets.split()
            for target in current:
                entry = rules.setdefault(target, ([], []))
                entry[0].extend(needs.split("#")[0].split())
                if semicolon:
                    entry[1].append((start + 1, recipe.strip()))
            if not first and current and current[0][:1] != ".":
                first = current[0]
        else:
            current = []
    return rules, variables, first


def _assignment(line: str) -> tuple[str, str] | None:
    """`NAME = value`, `:=`, `?=`, `+=`; None for another line."""
    name, equals, value = line.partition("=")
    name = name.rstrip(":?+! ")
    for word in ("export ", "override "):
        name = name.removeprefix(word)
    name = name.strip()
    return (
        (name, value.strip()) if equals and name.replace(".", "").replace("-", "").replace("_", "").isalnum() else None
    )


def _substituted(line: str, variables: dict[str, str], target: str, depth: int = 0) -> str:
    """A recipe's line with the variables of the makefile; others are those of the environment."""
    made: list[str] = []
    place = 0
    while place < len(line):
        if line[place] != "$":
            made.append(line[place])
            place += 1
            continue
        mark = line[place + 1 : place + 2]
        if mark in ("(", "{"):
            end = _end(line, place + 2)
            if end == len(line):
                return line
            name = line[place + 2 : end]
            value = variables.get(name)
            if name.startswith("shell "):
                made.append(f"$({_substituted(name[6:], variables, target, depth + 1)})")
                place = end + 1
                continue
            known = value is not None and depth < 8
            other = f"${{{name}}}" if value is None and name.isidentifier() else "${make_value}"
            made.append(_substituted(value or "", variables, target, depth + 1) if known else other)
            place = end + 1
        elif mark == "$":
            made.append("$")
            place += 2
        else:
            made.append(target if mark == "@" else "${make_value}")
            place += 2
    return "".join(made)


def _just(words: tuple[str, ...], read: Read) -> list[Code]:
    """The recipes of a justfile."""
    named = option(words, "-f", "--justfile")
    known = next(filter(None, (read(name) for name in ((named,) if named else _JUSTFILES))), None)
    if known is None:
        return []
    file, text = known
    recipes: dict[str, tuple[list[str], list[tuple[int, str]]]] = {}
    values_of: dict[str, str] = {}
    name: str = ""
    for number, line in enumerate(_with_imports(file.text, text, read).split("\n"), 1):
        if line[:1] in (" ", "\t") and name:
            recipes[name][1].append((number, line.strip().lstrip("@-")))
        elif ":" in line and line[:1] not in ("#", "[", "") and ":=" not in line:
            head, _, after = line.partition(":")
            name = (head.split() or [""])[0].lstrip("@")
            recipes[name] = ([one.strip("()") for one in after.split() if one != "&&"], [])
        elif line.strip():
            name = ""
            variable, assigned, value = line.removeprefix("export ").partition(":=")
            quote, inner = value.strip()[:1], value.strip()[1:-1]
            if assigned and quote in ("`", "'", '"') and value.strip()[-1:] == quote and quote not in inner:
                values_of[variable.strip()] = f"$({inner})" if quote == "`" else inner
    wanted = [word.rpartition("::")[2] for word in words if word[:1] != "-" and "=" not in word and word != named]
    wanted = wanted or list(recipes)[:1]
    recipes_read: list[Code] = []
    done: set[str] = set()
    while wanted and len(done) < 64:
        recipe = wanted.pop()
        if recipe in done or recipe not in recipes:
            continue
        done.add(recipe)
        needs, lines = recipes[recipe]
        wanted += needs
        if lines and lines[0][1].startswith("#!"):
            body = "\n".join(line for _, line in lines)
            recipes_read.append(Code(file, body, lines[0][0], language_of_shebang(body)))
            continue
        for number, line in lines:
            recipes_read.append(Code(file, placeholders(filled(line, values_of)), number, "sh"))
    return recipes_read


def _with_imports(file: str, text: str, read: Read) -> str:
    """Return the text of a justfile with those that it imports, or has as modules, behind it."""
    folder = f"{file.rpartition('/')[0]}/" if "/" in file else ""
    for line in text.split("\n"):
        words = line.replace("?", " ").split()
        if words[:1] == ["import"] and len(words) == 2:
            names = [words[1].strip("'\"")]
        elif words[:1] == ["mod"] and len(words) > 1:
            given = words[2].strip("'\"") if len(words) > 2 else words[1]
            names = [given, *(f"{given}/{one}" for one in ("mod.just", *_JUSTFILES)), f"{given}.just"]
        else:
            continue
        included = next(filter(None, (read(name if name[:1] == "/" else folder + name) for name in names)), None)
        text += "" if included is None else f"\n{included[1]}"
    return text


def language_of_shebang(text: str) -> str:
    """Return who runs a file that is started as it is: what its first line says, else the shell."""
    if text[:2] != "#!":
        return "sh"
    plain = "".join(shebang_words(text)[:1]).rpartition("/")[2].rstrip("0123456789.")
    if plain in ("sh", "bash", "dash", "zsh", "ksh"):
        return "sh"
    if plain in ("tclsh", "wish", "expect"):
        return "tclsh"
    if plain in ("uv", "uvx", "pipx"):
        return "python"
    return plain if plain in ("python", "node", "ruby", "perl", "php", "lua", "deno", "bun") else ""


def shebang_words(text: str) -> list[str]:
    """Return the words of the first line that starts who runs a file, without `env` and what is told to that."""
    words = text.partition("\n")[0].removeprefix("#!").split()
    if words[:1] and words[0].rpartition("/")[2] == "env":
        words = words[1:]
        while words and (words[0][:1] == "-" or "=" in words[0]):
            words = words[2 if words[0] in ("-u", "-C") else 1 :]
    return words
