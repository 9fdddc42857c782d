"""Find the commands and the code in the arguments of a tool that is no shell, and write them as a line for a shell.

A tool of an MCP server, or one that nobody described, may hand what it is given to a shell or an interpreter. The names
of arguments say so: `command`, `cmd`, `script`, `code`, a program with a list of `args`. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.carried_servers import deleting_request, server_line, unpacking_line, work_tree_line
from policy_engine.model.carried_statements import begins_order, deleting_line, stated_line
from policy_engine.model.code_cells import cell_line, guess_languages, interpreted, known_language
from policy_engine.model.errors import EventError
from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMMANDS = frozenset(
    "command cmd commandline cmdline commands cmds shellcommand bashcommand terminalcommand clicommand commandstring "
    "commandtext commandtorun commandtoexecute bash sh zsh shellscript bashscript oneliner exec execute run".split()
)
SCRIPTS = frozenset("script scripts scripttext scriptcontent scriptcode applescript".split())
CODES = frozenset(
    "code sourcecode pythoncode pythonscript pycode javascriptcode jscode javascript js python typescript snippet "
    "codesnippet codeblock cell cells cellsource".split()
)
PROGRAMS = frozenset("program executable binary exe interpreterpath".split())
WORDS = frozenset("args arguments argv parameters params flags options arg argumentlist".split())
FOLDERS = frozenset(
    "cwd workdir workingdirectory workingdir workingfolder workdirectory dir directory dirpath folder chdir "
    "currentdirectory currentworkingdirectory executiondirectory basedir".split()
)
VARIABLES = frozenset("env environment environmentvariables envvars".split())
INPUTS = frozenset("stdin input inputdata standardinput".split())
LANGUAGES = frozenset("language lang runtime interpreter kernel kernelname languageid programminglanguage".split())
TYPED = frozenset("chars input text keys keystrokes data stdin content".split())
PROCESSES = frozenset(
    "pid processid sessionid session terminalid terminal shellid bashid paneid pane target sessionname ptyid id".split()
)
_GIVEN = frozenset(
    "input text content source query value line lines expression expressions expr exprs statement raw string body data "
    "payload arg arg0 src program prog block chunk".split()
)
_RUNNERS = frozenset(
    "shell bash sh zsh terminal console powershell pwsh python python3 py ipython node javascript js repl interpreter "
    "eval evaluate command cmd cell notebook jupyter".split()
)
_STARTERS = frozenset("run exec execute start invoke call launch spawn batch submit".split())
"""Words of tools that may start a program: what they are given is one if it begins like one."""
_BEGINS = frozenset(
    "rm git sudo curl wget bash sh zsh python python3 node perl ruby php docker kubectl terraform chmod chown mv cp dd "
    "find xargs kill pkill npm pnpm yarn npx pip uv make env cat tee sed awk ssh scp rsync tar unzip gh psql mysql aws "
    "gcloud az helm cargo go".split()
)
_SHELL_KEYS = ("shell", "terminal")
_LOOKING = frozenset(
    "read get list view show output log logs search find kill stop docs doc resize messages status help clear".split()
)
_TYPING = frozenset("stdin process terminal shell bash pty tmux console keys keystrokes screen".split())
_TERMINALS = frozenset(
    "terminal term tty shell bash pty tmux console screen iterm zellij kitty wezterm ssh repl".split()
)
_KEYS = frozenset("enter return c-m cm kpenter escape tab up down left right space bspace".split())
_SENT = frozenset("write type send input paste press keys keystrokes feed".split())
_EDITOR = frozenset(("view", "create", "str_replace", "insert", "undo_edit"))  # of the text editor tools
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh"))
_FOREIGN_SHELLS = frozenset(("powershell", "pwsh", "cmd", "cmd.exe", "powershell.exe"))
_NAMED = frozenset("git gh glab docker podman kubectl helm terraform aws gcloud az npm pnpm yarn pip psql".split())
"""Programs after which tools are called that are given their operands only."""
_CALLED = frozenset(("command", "cmd", "cli"))
_DEPTH = 8
_JSON_CHARS = 65_536


class Carried:
    """The command that a call carries: `line` as a shell would read it, from `folder` (as written, "" for the call's
    own), in the dialect `shell` (None: the usual one). `rest` are the arguments that are no part of it.
    """

    __slots__ = ("line", "folder", "shell", "rest")

    def __init__(self, line: str, folder: str, shell: str | None, rest: dict[str, Any]) -> None:
        self.line = line
        self.folder = folder
        self.shell = shell
        self.rest = rest

    def __repr__(self) -> str:
        return f"Carried({self.line!r}, {self.folder!r}, {self.shell!r}, {self.rest!r})"


def carried(name: str, args: dict[str, Any]) -> Carried | None:
    """Return what the call of a tool called `name` would run, None if its arguments hold no command and no code."""
    words = name_words(name)
    if "slash" in words:
        return None
    server = name_words(name.rpartition("__")[0])
    texts = _Search(words, server).of(args, _DEPTH)
    if texts is None or (len(texts.lines) == 1 and (begins_order(texts.lines[0]) or texts.lines[0].isalpha())):
        tree = work_tree_line(words, args)
        served = (tree, "") if tree else server_line(name, args)
        if served is None:
            line = deleting_line(name, words, server, args) or unpacking_line(words, args)
            line = line or deleting_request(words, args)
            served = (line, "") if line else None
        if texts is None or served is not None:
            return None if served is None else Carried(served[0], served[1], None, args)
    return Carried("\n".join(texts.lines), texts.folder, texts.shell, texts.rest)


def name_words(name: str) -> list[str]:
    """The words in a tool's own name, in small letters: `mcp__x__getFile-text` has `get`, `file`, `text`."""
    own = name.rsplit("__", 1)[-1] if name.startswith("mcp__") else name
    spaced = ""
    for place, char in enumerate(own):
        starts = char.isupper() and place and not own[place - 1].isupper()
        spaced += f" {char}" if starts else char if char.isalnum() else " "
    return spaced.lower().split()


def plain_key(key: str) -> str:
    """A key without the ways in which its words may be set off: `workingDirectory` and `working-directory` are one."""
    if not key.isascii():
        from unicodedata import normalize  # an extension; few keys need it

        key = normalize("NFKC", key)
    return "".join(char for char in key.lower() if char.isalnum())


class _Part:
    """The command of one object of the arguments, with those below it."""

    __slots__ = ("lines", "folder", "shell", "rest")

    def __init__(self, rest: dict[str, Any]) -> None:
        self.lines: list[str] = []
        self.folder = ""
        self.shell: str | None = None
        self.rest = rest


class _Search:
    """`words` are those of the tool's name, `server` those of the server that has it."""

    def __init__(self, words: list[str], server: list[str]) -> None:
        self.words = words
        self._server = set(server)

    def of(self, args: dict[str, Any], depth: int) -> _Part | None:
        keys: dict[str, str] = {}
        for key in args:
            keys.setdefault(plain_key(key), key)
        used: set[str] = set()
        part = _Part(args)
        line = self._own(args, keys, used)
        if line is not None:
            part.folder = _taken(args, keys, used, FOLDERS)
            line = self._surrounded(line, args, keys, used, part)
            part.lines.append(line)
        rest = {key: value for key, value in args.items() if key not in used}
        for key in list(rest):
            rest[key] = self._below(rest[key], depth, part)
        part.rest = rest
        return part if part.lines else None

    def _below(self, value: Any, depth: int, part: _Part) -> Any:
        """Take what an argument holds into `part`; the argument without it."""
        if type(value) is str:
            value, text = decoded(value), value
            if value is None:
                return text
        if depth <= 0:
            return value
        if type(value) is dict:
            texts = self.of(value, depth - 1)
            if texts is None:
                return value
            lines = "\n".join(texts.lines)
            part.lines.append(f"cd -- {_folder(texts.folder)} && {{\n{lines}\n}}" if texts.folder else lines)
            return texts.rest
        if type(value) is list:
            return [self._below(each, depth - 1, part) for each in value]
        return value

    def _own(self, args: dict[str, Any], keys: dict[str, str], used: set[str]) -> str | None:
        """The line of what this object itself names."""
        if (stated := stated_line(self.words, self._server, args, keys)) is not None:
            used.add(stated[1])
            return stated[0]
        operands = _operands(args, keys)
        for plain, key in keys.items():
            value = args[key]
            commands = plain in COMMANDS or plain.endswith(("command", "cmd", "commandline", "cmdstring"))
            commands = commands or (plain in _SHELL_KEYS and type(value) is str and " " in value.strip())
            if commands or (plain in PROGRAMS and operands is not None):
                line = _command(value)
                if line and not (line in _EDITOR and any("path" in other for other in keys)):
                    used.add(key)
                    if operands is not None:
                        if type(args[operands[0]]) is not dict:
                            used.add(operands[0])
                        line = f"{line} {operands[1]}".rstrip()
                    return self._completed(line)
        for plain, key in keys.items():
            if plain in SCRIPTS | CODES and (texts := _texts(args[key])):
                used.add(key)
                return "\n".join(self._code(text, plain, args, keys, used) for text in texts)
        if operands is not None and (operands[2] or (self.words[:1] and self.words[0] in _NAMED)):
            used.add(operands[0])
            return self._completed(operands[1])
        return self._typed(args, keys, used) or self._given(args, keys, used)

    def _completed(self, line: str) -> str:
        """With the program after which the tool is called, where the line has its operands only."""
        program = next((word for word in self.words if word in _NAMED), "")
        first = line.lstrip(" '\"").partition(" ")[0].rstrip("'\"")
        others = set(self.words) - {program}
        alone = not others or (not _CALLED.isdisjoint(others) and others <= _CALLED | _STARTERS)
        return f"{program} {line}" if program and alone and first != program else line

    def _code(self, text: str, plain: str, args: dict[str, Any], keys: dict[str, str], used: set[str]) -> str:
        named = _taken(args, keys, used, LANGUAGES)
        language = known_language(named) if named else known_language(plain) or _of_words(self.words)
        if named and not language:
            return text if plain in SCRIPTS else quote_words([named, "-c", text])
        languages = (language,) if language else ("sh",) if plain in SCRIPTS else guess_languages(text)
        return _as_lines(text, languages)

    def _typed(self, args: dict[str, Any], keys: dict[str, str], used: set[str]) -> str | None:
        """Return what is typed into a program that runs already, which may be a shell."""
        types = _TYPING.intersection(self.words) or ("input" in self.words and _SENT.intersection(self.words))
        named = bool(types and PROCESSES.intersection(keys))
        terminal = not _TERMINALS.isdisjoint((*self.words, *self._server))
        ordered = args.get(keys.get("action", "")) in ("type", "type_text")  # of a tool for a screen
        if not named and not ordered and not (_SENT.intersection(self.words) and (terminal or "keys" in self.words)):
            return None
        for plain, key in keys.items():
            if ordered and not named and not terminal and not (type(args[key]) is str and {*"\n\r"} & {*args[key]}):
                continue  # words for a field
            text = _keystrokes(args[key]) if plain in TYPED else ""
            if text and (named or _begins_command(text) or (terminal and " " in text)):
                used.add(key)
                return _as_lines(text, guess_languages(text))
        return None

    def _given(self, args: dict[str, Any], keys: dict[str, str], used: set[str]) -> str | None:
        """The text that a tool is given which by its name is a shell or an interpreter."""
        words = set(self.words)
        if words & _LOOKING or not words & (_RUNNERS | _STARTERS):
            return None
        runs = bool(words & _RUNNERS or self._server & _RUNNERS)
        for plain, key in keys.items():
            if not runs and not _begins_command(args[key]) and not _is_code(args[key]):
                continue
            given = plain in _GIVEN or (runs and plain in ("tasks", "jobs", "batch"))
            if given and type(args[key]) is list and (line := _command(args[key])):
                used.add(key)
                return line
            if plain in _GIVEN and type(args[key]) is str and args[key].strip():
                used.add(key)
                return self._code(args[key], "", args, keys, used)
        return None

    def _surrounded(self, line: str, args: dict[str, Any], keys: dict[str, str], used: set[str], part: _Part) -> str:
        """The line with its variables, its standard input and the shell that reads it."""
        for plain in INPUTS.intersection(keys):
            text = args[keys[plain]]
            if type(text) is str and keys[plain] not in used:
                used.add(keys[plain])
                line = f"printf %s {quote_words([text])} | {{\n{line}\n}}"
        for plain in VARIABLES.intersection(keys):
            given = args[keys[plain]]
            if type(given) is dict and all(type(value) is str for value in given.values()):
                used.add(keys[plain])
                sets = [f"export {quote_words([f'{name}={value}'])}\n" for name, value in given.items()]
                line = "".join(sets) + line
        if "shell" in keys and type(args[keys["shell"]]) is str:
            shell = args[keys["shell"]].replace("\\", "/").rpartition("/")[2].lower()
            if shell in _SHELLS:
                used.add(keys["shell"])
                part.shell = shell if shell in ("sh", "dash", "zsh", "ksh") else None
            elif shell in _FOREIGN_SHELLS:
                used.add(keys["shell"])
                part.shell = shell  # none that is read: its commands are undecided
        return line


def _keystrokes(value: Any) -> str:
    """Return what keys write, a text or a list of them, without the names of keys at the end (`Enter`)."""
    texts = value if type(value) is list else [value]
    if not all(type(text) is str for text in texts):
        return ""
    joint = "" if any(len(text) == 1 for text in texts) else " "  # keys one by one, or words
    ends = [text for text in texts if text.strip("<>{}").lower() not in _KEYS] if not joint else texts
    whole = "".join(char for char in joint.join(ends) if char.isprintable() or char in "\n\t").strip()
    while " " in whole and whole.rpartition(" ")[2].strip("<>{}").lower() in _KEYS:
        whole = whole.rpartition(" ")[0].rstrip()
    return whole


def _is_code(value: Any) -> bool:
    """Return whether a text is lines of a notebook for a shell, or a program that imports something and calls it."""
    text = value.lstrip() if type(value) is str else ""
    return (
        text[:2] == "%%"
        or (text[:1] == "!" and " " in text)
        or ((text.startswith(("import ", "from ")) or "require(" in text) and guess_languages(text) != ("sh",))
    )


def _begins_command(value: Any) -> bool:
    """Return whether a text, or the first of a list of words or lines, begins with a program and goes on."""
    text = value[0] if type(value) is list and value else value
    if type(text) is not str:
        return False
    first, _, rest = text.strip().partition(" ")
    return first.rpartition("/")[2] in _BEGINS and bool(rest or type(value) is list)


def _as_lines(code: str, languages: tuple[str, ...]) -> str:
    return "\n".join(cell_line(code) if one == "python" else interpreted(code, one) for one in languages)


def _taken(args: dict[str, Any], keys: dict[str, str], used: set[str], names: frozenset[str]) -> str:
    """The first text under one of the names, which is then used."""
    for plain, key in keys.items():
        if plain in names and type(args[key]) is str and args[key]:
            used.add(key)
            return str(args[key])
    return ""


def _operands(args: dict[str, Any], keys: dict[str, str]) -> tuple[str, str, bool] | None:
    """The key and the words of a list of operands, and whether they name the program themselves."""
    for plain, key in keys.items():
        if plain in WORDS:
            value = args[key]
            if type(value) in (list, dict) and (leaves := _leaves(value, _DEPTH)):
                return key, quote_words(leaves), plain == "argv"
            if type(value) is str and decoded(value) is None:
                return key, value, False
    return None


def _leaves(value: Any, depth: int) -> list[str]:
    """The texts and numbers in a list or an object, in their order."""
    if type(value) in (str, int, float):
        return [str(value)]
    items = value if type(value) is list else value.values() if type(value) is dict else ()
    return [leaf for item in items for leaf in _leaves(item, depth - 1)] if depth > 0 else []


def _command(value: Any) -> str:
    """A text, or a list of the words of one command or of commands, as a line; "" for anything else."""
    if type(value) is str:
        return value.strip("\n") if decoded(value) is None else ""
    if type(value) is dict:
        return next((text for key, text in value.items() if plain_key(key) in _GIVEN and type(text) is str), "")
    if type(value) is list and value and all(type(each) is list for each in value):
        return "\n".join(filter(None, map(_command, value)))
    if type(value) is list and value and all(type(word) is str for word in value):
        several = (len(value) > 1 and all(" " in word.strip() for word in value)) or not _is_word(value[0])
        return "\n".join(value) if several or _looks_like_lines(value) else quote_words(value)
    return ""


def _is_word(text: str) -> bool:
    return not any(char.isspace() for char in text)


def _looks_like_lines(words: list[str]) -> bool:
    """Return whether the members of a list are commands of their own: a later one has blanks and follows no option."""
    return any(
        " " in word and before[:1] != "-" and place > 0 and not words[0].endswith("sh") and words[0] not in _SHELLS
        for place, (before, word) in enumerate(zip(["", *words], words, strict=False))
    ) and all(word[:1] != "-" for word in words)


def _texts(value: Any) -> list[str]:
    """The texts of one argument with code: itself, those of a list, or the sources of cells."""
    if type(value) is str:
        return [value] if value.strip() and decoded(value) is None else []
    if type(value) is list:
        return [text for each in value for text in _texts(each)]
    if type(value) is dict:
        texts = []
        for key, each in value.items():
            if plain_key(key) in CODES | SCRIPTS | {"source", "text", "content"}:
                texts += (
                    ["".join(each)] if type(each) is list and all(type(one) is str for one in each) else _texts(each)
                )
        return texts
    return []


def decoded(text: str) -> Any:
    """The object or list that a text holds as JSON, None if it is no such text."""
    stripped = text.lstrip()
    if stripped[:1] not in ("{", "[") or len(text) > _JSON_CHARS:
        return None
    from policy_engine.model.strict_json import read_json

    try:
        value = read_json(text.encode("utf-8", "surrogatepass"))
    except (EventError, ValueError):
        return None
    return value if type(value) in (dict, list) else None


def _folder(text: str) -> str:
    """A folder as a word of a line, its `~` still the home folder."""
    return f"~/{quote_words([text[2:]])}" if text[:2] == "~/" else text if text == "~" else quote_words([text])


def _of_words(words: list[str]) -> str:
    return next((language for word in words if (language := known_language(word))), "")
