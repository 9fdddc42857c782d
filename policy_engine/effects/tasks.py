"""Find the lines of the tasks that a task runner starts, in the files of JSON, TOML and YAML that the table names.

Which program starts which table of which file, the list `tasks` of programs.toml says. Files that are not understood
give nothing. Imported by the hook path when a line starts such a program.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.quoting import quote_words
from policy_engine.programs._rows import BUILDS, LOADS, TASKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LINES = frozenset(
    (
        "cmd cmds command commands commands_pre commands_post run shell script sh entry exec sequence composite "
        "before_script after_script parallel jobs raw ansible.builtin.shell ansible.builtin.command ansible.builtin.raw"
    ).split()
)
_NEEDS = frozenset("deps depends depends-on depends_on dependencies dependsOn needs ref task".split())
_SETTINGS = ("env", "environment")
_FOLDERS = ("-C", "--prefix", "--cwd", "--dir", "--directory", "--working-dir", "-d")
_PACKAGES = {"npm": ("-w", "--workspace"), "pnpm": ("--filter", "-F"), "bun": ("--filter", "-F"), "yarn": ()}
"""Options by which package managers choose a package of the workspace."""
_EACH = ("--workspaces", "-ws", "-r", "--recursive")
_OF_YARN = (("workspace",), ("workspaces",))
_MOST = 64
STARTS_TASKS = frozenset(TASKS)
TASK_FILES = tuple(
    {f"/{file}" for rows in TASKS.values() for row in rows.split(";") for file in row.split("|")[1].split()}
)
STARTS_PROJECTS = frozenset((*BUILDS, *LOADS, *TASKS))
"""Programs that run code of files which no word names."""


def task_lines(
    name: str, words: tuple[str, ...], text_of: Callable[[str], str | None]
) -> tuple[str, list[tuple[str, int]]]:
    """Return the file whose tasks a call starts, and their lines, each with its number in the file.

    Args:
        name: the program.
        words: its arguments.
        text_of: gives the text of a file below the folder that the program runs in, None if it is not to be read.
    """
    folder = option(words, *_FOLDERS)
    package, words = _package(name, words)
    below = _places_of(package, text_of) if package else [folder]
    for row in TASKS.get(name, "").split(";"):
        verbs, files, places, fixed = (part.split() for part in row.split("|"))
        named = option(words, *(file for file in files if file[:1] == "-"))
        operands = [word for word in words if word[:1] != "-" and word not in (folder, named)]
        if verbs[:1] == ["--run"]:
            operands = ["--run", option(_before_operands(words), "--run")]
        verb = next((verb.split(":") for verb in verbs if operands[: verb.count(":") + 1] == verb.split(":")), None)
        if verbs and verb is None:
            continue
        operands = operands[len(verb or ()) :]
        chosen = [named] if named else [file for file in files if file[:1] != "-"]
        for file in [f"{place}/{file}" if place else file for place in below for file in chosen]:
            text = text_of(file)
            value = None if text is None else read_values(file, text)
            if text is not None and (given := _variables(value)):
                text = filled(text, given)
                value = read_values(file, text) or value
            tables = _tables(value, places) | _included(file, value, text_of)
            around = name != "node" and any(place.endswith("scripts") for place in places)
            wanted = _wanted(operands, fixed, tables, around)
            lines = _lines_of(wanted, tables)
            if text is not None and lines:
                own = _handed_on(name, words, tables.get("".join(operands[:1])))
                numbers = [text.partition(line.split("\n")[0])[0].count("\n") + 1 for line in lines]
                return file, [(own.get(line, line), number) for line, number in zip(lines, numbers, strict=True)]
    return "", []


def _included(file: str, value: Any, text_of: Callable[[str], str | None]) -> dict[str, Any]:
    """Return the tasks of the files that a Taskfile includes, each also with the name that it gives to the file."""
    included = value.get("includes") if isinstance(value, dict) else None
    folder = f"{file.rpartition('/')[0]}/" if "/" in file else ""
    found: dict[str, Any] = {}
    for name, given in included.items() if isinstance(included, dict) else ():
        place = given.get("taskfile") if isinstance(given, dict) else given
        if isinstance(place, str):
            place = folder + place.removeprefix("./").rstrip("/")
            texts = (text_of(place + ending) for ending in ("", "/Taskfile.yml", "/Taskfile.yaml", "/taskfile.yml"))
            other = read_values("x.yml", next((text for text in texts if text is not None), ""))
            tasks = other.get("tasks") if isinstance(other, dict) else None
            for task, inner in tasks.items() if isinstance(tasks, dict) else ():
                found[f"{name}:{task}"] = inner
                found.setdefault(task, inner)
    return found


def _before_operands(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words up to the first that is no option, with it, which may be the value of the last of them."""
    return words[: next((place for place, word in enumerate(words) if word[:1] != "-"), len(words)) + 1]


def _handed_on(name: str, words: tuple[str, ...], task: Any) -> dict[str, str]:
    """Return the line of a script of a package with the words that its manager hands on to it."""
    if name not in _PACKAGES or not isinstance(task, str):
        return {}
    behind = words[words.index("--") + 1 :] if "--" in words else ()
    if not behind and name != "npm":
        operands = [place for place, word in enumerate(words) if word[:1] != "-"]
        first = [place for place in operands if words[place] not in ("run", "run-script")][:1]
        behind = words[first[0] + 1 :] if first else ()
    line = task.strip()
    return {line: f"{line} {quote_words(list(behind))}"} if behind and all(map(is_known, behind)) else {}


def _package(name: str, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the package whose task is started ("" the own one, `*` all of the workspace), and the other words."""
    if name not in _PACKAGES:
        return "", words
    if name == "yarn":
        return (
            ("*" if words[1] == "foreach" else words[1], words[2:])
            if words[:1] in _OF_YARN and words[1:]
            else ("", words)
        )
    if any(word in _EACH for word in words):
        return "*", words
    package = option(words, *_PACKAGES[name])
    words = tuple(word for word in words if not package or word != package)
    return package.strip("{}").removeprefix("./").removesuffix("..."), words


def _places_of(package: str, text_of: Callable[[str], str | None]) -> list[str]:
    """Return the folders in which a package of the workspace may lie: its name, or below what the workspace names."""
    last = package.rpartition("/")[2]
    root = read_values("package.json", text_of("package.json") or "{}")
    listed = root.get("workspaces") if isinstance(root, dict) else None
    listed = listed.get("packages") if isinstance(listed, dict) else listed
    more = read_values("pnpm-workspace.yaml", text_of("pnpm-workspace.yaml") or "")
    listed = [
        *(listed if isinstance(listed, list) else ()),
        *(more.get("packages", ()) if isinstance(more, dict) else ()),
    ]
    members = [str(one).removeprefix("./").rstrip("/") for one in listed]
    if package == "*":
        return [one for one in members if "*" not in one]
    places = [package, *(one.replace("**", "*").replace("*", last) for one in members)]
    named = [one for one in members if "*" not in one and _name_of(text_of(f"{one}/package.json")) == package]
    return list(dict.fromkeys([*named, *(one for one in places if one == package or one.endswith(last))]))


def _name_of(text: str | None) -> str:
    read = read_values("package.json", text or "{}")
    return str(read.get("name", "")) if isinstance(read, dict) else ""


def option(words: tuple[str, ...], *names: str) -> str:
    """Return the value of an option: `-C x`, `-Cx`, `--directory=x`."""
    for place, word in enumerate(words):
        for name in names:
            if word == name:
                return "".join(words[place + 1 : place + 2])
            if name[:2] == "--" and word.startswith(name + "="):
                return word[len(name) + 1 :]
            if name[:2] != "--" and word.startswith(name) and len(word) > 2:
                return word[2:]
    return ""


def _wanted(operands: list[str], fixed: list[str], tables: dict[str, Any], around: bool) -> list[str]:
    """Return the names of the tasks: `*` in the row stands for all operands, `**` for all tasks that there are."""
    names = operands[:1]
    if fixed == ["**"]:
        names = list(tables)
    elif fixed[:1] == ["*"]:
        names = operands or fixed[1:]
    elif fixed:
        names = fixed
    if around:
        names = [one for name in names for one in (f"pre{name}", f"pre_{name}", name, f"post{name}", f"post_{name}")]
    return [name for name in names if name in tables]


def read_values(file: str, text: str) -> Any:
    """Return the values of a file by its ending; YAML where it has none."""
    try:
        if file.endswith((".json", ".jsonc")):
            from policy_engine.model.strict_json import read_json

            bare = "\n".join("" if line.lstrip()[:2] == "//" else line for line in text.split("\n"))
            return read_json(bare.encode("utf-8", "surrogateescape"))
        if file.endswith((".toml", "Pipfile")):
            import tomllib

            return tomllib.loads(text)
        if file.endswith(".ini"):
            from configparser import ConfigParser

            parser = ConfigParser(interpolation=None)
            parser.read_string(text)
            return {name: dict(parser[name]) for name in parser.sections()}
        return _Yaml(text).block(0)
    except (Exception, RecursionError):  # whoever runs it will say what is wrong with the file
        return None


def _tables(value: Any, places: list[str]) -> dict[str, Any]:
    """Return the tasks at some places of a file (`tool.poe.tasks`, `envs.*.scripts`, `.` for the whole) by name."""
    found: dict[str, Any] = {}
    for place in places:
        tables: list[tuple[str, Any]] = [("", value)]
        for key in place.split(".") if place != "." else ():
            below = [(one, name, table[name]) for one, table in tables if isinstance(table, dict) for name in table]
            tables = [(f"{name}:" if key == "*" else one, inner) for one, name, inner in below if key in ("*", name)]
        for prefix, table in tables:
            for name, inner in table.items() if isinstance(table, dict) else ():
                found.setdefault(name, inner)
                found[f"{prefix}{name}"] = inner
    return found


def _lines_of(wanted: list[str], tables: dict[str, Any]) -> list[str]:
    """Return the lines of tasks and of those that they need."""
    lines: list[str] = []
    done: set[str] = set()
    while wanted and len(done) < _MOST:
        name = wanted.pop(0)
        if name not in done:
            done.add(name)
            _gather(tables[name], name, tables, lines, wanted)
    return [line.strip("\n") for line in lines if line.strip()]


def lines_within(value: Any) -> list[str]:
    """Return the lines of all tasks of a file, whatever they are called."""
    lines: list[str] = []
    _gather(value, "", {}, lines, [])
    return lines


def _gather(value: Any, name: str, tables: dict[str, Any], lines: list[str], wanted: list[str], key: str = "") -> None:
    """Add the lines of a task's value, and the other tasks that it names."""
    if isinstance(value, str):
        line = value.strip().removeprefix("@")
        if line in tables and (line != name or key in _NEEDS):
            wanted.append(line)
        elif line and key not in _NEEDS:
            lines.append(placeholders(line))
    elif isinstance(value, list):
        if key in ("cmd", "args") and all(isinstance(one, str) for one in value):
            lines.append(quote_words(value))
            return
        for one in value:
            _gather(one, name, tables, lines, wanted, key)
    elif isinstance(value, dict):
        program = value.get("command", value.get("entry"))
        if isinstance(program, str) and isinstance(value.get("args"), list):
            words = [str(word) for word in value["args"]]
            lines.append(placeholders(f"{program} {quote_words(words)}"))
            return
        for inner, one in value.items():
            plain = inner not in _LINES and inner not in _NEEDS
            if inner in _SETTINGS or (plain and not isinstance(one, (dict, list))):
                continue
            for part in one if plain and isinstance(one, list) else (one,):
                if not plain or isinstance(part, (dict, list)):
                    _gather(part, name, tables, lines, wanted, inner)


def _variables(value: Any) -> dict[str, str]:
    """Return the variables of a file of tasks (`vars`): as texts, or as what a command prints (`sh`)."""
    given = value.get("vars") if isinstance(value, dict) else None
    found: dict[str, str] = {}
    for name, one in given.items() if isinstance(given, dict) else ():
        line = one.get("sh") if isinstance(one, dict) else None
        if isinstance(one, str) and one[:4] == "{sh:":
            line = one[4:-1]
        if isinstance(line, str):
            bare = line.strip().strip("'").strip('"')
            found[name] = f"$({bare})"
        elif isinstance(one, str):
            found[name] = one
    return found


def filled(line: str, values: dict[str, str]) -> str:
    """Return a text with the values of these variables in the place of `{{name}}` and `{{.name}}`."""
    for name, value in reversed(values.items()):
        for written in (f"{{{{{name}}}}}", f"{{{{ {name} }}}}", f"{{{{.{name}}}}}", f"{{{{ .{name} }}}}"):
            line = line.replace(written, value)
    return line


def placeholders(line: str) -> str:
    """Return a line in which `{{name}}` is a value that nobody knows."""
    made, rest = "", line
    while "{{" in rest:
        before, _, after = rest.partition("{{")
        made += before + "${given_value}"
        rest = after.partition("}}")[2]
    return made + rest


class _Yaml:
    """The part of YAML in which people write tasks: blocks, lists, texts over several lines. All else is no value."""

    def __init__(self, text: str) -> None:
        self.lines = [line.rstrip() for line in text.split("\n")]
        self.at = 0

    def indent(self) -> int:
        """Go to the next line that says something, and return how far it is indented; -1 at the end."""
        while self.at < len(self.lines):
            bare = self.lines[self.at].lstrip()
            if bare and bare[0] != "#" and bare != "---":
                return len(self.lines[self.at]) - len(bare)
            self.at += 1
        return -1

    def block(self, least: int) -> Any:
        """Return the mapping, list or text that begins at the next line, if it is indented by as much."""
        indent = self.indent()
        if indent < least:
            return None
        listed: list[Any] = []
        mapping: dict[str, Any] = {}
        while self.indent() == indent:
            line = self.lines[self.at][indent:]
            if line == "-" or line[:2] == "- ":
                self.lines[self.at] = " " * indent + " " + line[1:]
                listed.append(self.block(indent + 1))
                continue
            key, colon, rest = line.partition(": ") if ": " in line and line[-1] != ":" else (line[:-1], line[-1], "")
            if colon.strip() != ":" or line[0] in "\"'[{" or (listed and not mapping):
                self.at += 1
                return listed or self.scalar(line, indent)
            self.at += 1
            mapping[key.strip()] = self.value(rest.strip(), indent)
        return mapping or listed

    def value(self, rest: str, indent: int) -> Any:
        """Return what stands behind a key."""
        if rest[:1] in ("|", ">"):
            found = []
            while self.at < len(self.lines) and (
                not self.lines[self.at] or self.lines[self.at][: indent + 1].isspace()
            ):
                found.append(self.lines[self.at].strip())
                self.at += 1
            return ("\n" if rest[0] == "|" else " ").join(found).strip()
        if rest and rest[0] not in "#&!":
            return self.scalar(rest, indent)
        ahead = self.indent()
        dashed = ahead == indent and self.lines[self.at][indent : indent + 1] == "-"
        return self.block(indent if dashed else indent + 1)

    def scalar(self, text: str, indent: int) -> Any:
        """Return a text, quoted or not, with the lines that go on with it, or a list in brackets."""
        while self.indent() > indent and text[:1] != "[":
            text += " " + self.lines[self.at].strip()
            self.at += 1
        if text[:1] == "[" and text[-1:] == "]":
            return [self.scalar(one.strip(), indent) for one in text[1:-1].split(",") if one.strip()]
        if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1:
            inner = text[1:-1]
            return inner.replace("''", "'") if text[0] == "'" else inner.replace('\\"', '"').replace("\\\\", "\\")
        return text.partition(" #")[0].rstrip()
