"""Write what scripts and projects of CMake do to files, and the programs that they start, as lines of a shell.

Statements count whether their conditions hold or not; a variable that is set under a condition has each of its values.
Imported by the hook path when a line starts CMake.
"""

from __future__ import annotations

from policy_engine.effects.tasks import option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.paths import PathValue

    Read = Callable[[str], tuple[PathValue, str] | None]
    Statement = tuple[str, list[tuple[str, bool]], int]  # its name; its arguments, each with whether it is quoted; line

_TOKEN = (
    r"#\[(?P<c>=*)\[.*?\](?P=c)\]|#[^\n]*|\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|\[(?P<b>=*)\[\n?(?P<raw>.*?)\](?P=b)\]|"
    r"(?P<mark>[()])|(?P<plain>(?:[^\s()#\"\\]|\\.|\"[^\"\n]*\")+)"
)
_REFERENCE = r"\$(ENV|CACHE)?\{([^{}$]*)\}"
_UNKNOWN, _LITERAL = "\x04", "\x05"  # for a value that is not known, for a dollar sign that stands for itself
_FROM, _TO, _ANY = "\x02", "\x03", "\x06"  # around the name of a variable of the environment; for `*` of a pattern
_HERE = "\x07"  # before a path that is as it is from where CMake was started
_WHOLE = ("/", _FROM, _UNKNOWN, _HERE)  # what a path begins with that does not start from the folder of the sources
_MARKS = frozenset((_FROM, _TO, _ANY, _UNKNOWN, _LITERAL))
_LEVELS = 8  # files that include one another
_MOST = 512  # statements that are followed
_ALTERNATIVES = 8  # values of one variable
_WAYS = frozenset(("if", "elseif", "else", "while", "foreach", "function", "macro"))
_ALWAYS = frozenset(("all", "ALL", "install", "test"))
_LINES = {  # of `file(…)`: the line for its operands
    "REMOVE": "rm -f {all}", "REMOVE_RECURSE": "rm -rf {all}", "MAKE_DIRECTORY": "mkdir -p {all}",
    "TOUCH": "touch {all}", "TOUCH_NOCREATE": "touch {all}",
    "WRITE": "printf %s {rest} > {0}", "APPEND": "printf %s {rest} >> {0}",
    "RENAME": "mv {0} {1}", "COPY_FILE": "cp {0} {1}", "CREATE_LINK": "ln -sf {0} {1}",
    "COPY": "cp -r {all} {DESTINATION}",
    "INSTALL": "cp -r {all} {DESTINATION}", "DOWNLOAD": "curl -o {1} {0}", "UPLOAD": "curl -T {0} {1}",
    "CONFIGURE": "touch {OUTPUT}", "GENERATE": "touch {OUTPUT}", "CHMOD": "chmod +x {all}",
    "CHMOD_RECURSE": "chmod -R +x {all}",
    "ARCHIVE_EXTRACT": "tar -xf {INPUT} -C {DESTINATION}", "ARCHIVE_CREATE": "tar -cf {OUTPUT} {PATHS}",
}  # fmt: skip
_KEYS = frozenset(
    "DESTINATION OUTPUT INPUT PATHS CONTENT RESULT PERMISSIONS FILE_PERMISSIONS DIRECTORY_PERMISSIONS PATTERN REGEX "
    "FILES_MATCHING STATUS LOG SHOW_PROGRESS TIMEOUT EXPECTED_HASH EXPECTED_MD5 TLS_VERIFY USERPWD HTTPHEADER SYMBOLIC "
    "COPY_ON_ERROR ONLY_IF_DIFFERENT NO_REPLACE USE_SOURCE_PERMISSIONS FORMAT COMPRESSION FILES CONDITION".split()
)
_PROCESS = frozenset(
    "WORKING_DIRECTORY TIMEOUT RESULT_VARIABLE RESULTS_VARIABLE OUTPUT_VARIABLE ERROR_VARIABLE INPUT_FILE OUTPUT_FILE "
    "ERROR_FILE OUTPUT_QUIET ERROR_QUIET COMMAND_ECHO OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE "
    "ENCODING ECHO_OUTPUT_VARIABLE ECHO_ERROR_VARIABLE COMMAND_ERROR_IS_FATAL DEPENDS BYPRODUCTS COMMENT VERBATIM "
    "USES_TERMINAL OUTPUT TARGET PRE_BUILD PRE_LINK POST_BUILD MAIN_DEPENDENCY DEPFILE COMMAND_EXPAND_LISTS SOURCES "
    "ALL NAME CONFIGURATIONS IMPLICIT_DEPENDS APPEND JOB_POOL".split()
)


def cmake_lines(words: tuple[str, ...], read: Read) -> list[tuple[PathValue, str]]:
    """Return the files of CMake that its words lead to, each with what it does as text of a shell.

    Args:
        words: those of the command.
        read: gives the path and text of a file, None if it is not to be read.
    """
    if "-E" in words[:1]:
        return []
    reader = _Reader(words, read)
    script = option(words, "-P") or option(words, "-S", "--script") if "-P" in words or _is_script(words) else ""
    if script:
        reader.file(script, "")
        return reader.found
    for word in words:
        _, equals, value = word.partition("=")
        if equals and value.endswith(".cmake"):
            reader.file(value, "")
    if (initial := option(words, "-C")).endswith(".cmake"):
        reader.file(initial, "")
    built = option(words, "--build", "--install")
    source = next((word[2:] for word in words if word[:2] in ("-S", "-H") and len(word) > 2), option(words, "-S", "-H"))
    valued = {option(words, name) for name in ("-B", "-G", "-D", "-C", "-T", "-A", "-t", "--target", "--preset", "-j")}
    operands = [word for word in words if word[:1] != "-" and word not in valued]
    folders = ["", f"{built}/.."] if built else [source or (operands[0] if operands else "")]
    for folder in folders:
        if reader.file(f"{folder.rstrip('/')}/CMakeLists.txt" if folder not in ("", ".") else "CMakeLists.txt", folder):
            break
    return reader.found


def _is_script(words: tuple[str, ...]) -> bool:
    """Return whether CTest is given a script: `ctest -S FILE`."""
    return (option(words, "-S", "--script") or "").endswith(".cmake")


class _Reader:
    """The values, functions and lines that are known while files of CMake are followed."""

    def __init__(self, words: tuple[str, ...], read: Read) -> None:
        self.words = frozenset(words)
        self.read = read
        self.found: list[tuple[PathValue, str]] = []
        self.values: dict[str, list[str]] = {"CMAKE_COMMAND": ["cmake"]}
        self.fixed: set[str] = set()
        for word in words:
            name, equals, value = word.removeprefix("-D").partition("=")
            if equals and (word[:1] != "-" or word[:2] == "-D"):
                self.values[name.partition(":")[0]] = [value]
                self.fixed.add(name.partition(":")[0])
        glued = next((word[2:] for word in words if word[:2] == "-B" and len(word) > 2), "")
        self.binary = _HERE + (glued or option(words, "-B", "--build", "--install") or ".")
        self.level = 0
        self.counts: dict[str, int] = {}  # how often each word stands in the files
        self.base = ""
        self.functions: dict[str, tuple[list[str], list[Statement]]] = {}
        self.secrets: dict[str, str] = {}  # files by the variables that hold what was read of them
        self.steps = 0

    def file(self, name: str, folder: str) -> bool:
        """Follow a file, below a folder of sources; return whether it could be read."""
        import re

        name, folder = name.replace(_HERE, ""), folder.replace(_HERE, "")
        known = self.read(name) if not set(name + folder) & _MARKS and self.level < _LEVELS else None
        if known is None:
            return False
        base, self.base = self.base, folder if folder != "." else ""
        for word in re.findall(r"[\w-]+", known[1]):
            self.counts[word] = self.counts.get(word, 0) + 1
        tops = ("CMAKE_SOURCE_DIR", "CMAKE_HOME_DIRECTORY") if not self.level else ()
        for variable in (*tops, "PROJECT_SOURCE_DIR", "CMAKE_CURRENT_SOURCE_DIR"):
            self.values[variable] = [_HERE + (folder or ".")]
        for variable in ("CMAKE_BINARY_DIR", "PROJECT_BINARY_DIR", "CMAKE_CURRENT_BINARY_DIR"):
            self.values.setdefault(variable, [self.binary])
        self.values["CMAKE_CURRENT_LIST_DIR"] = [_HERE + (name.rpartition("/")[0] or ".")]
        self.values["CMAKE_CURRENT_LIST_FILE"] = [_HERE + name]
        place = len(self.found)
        self.found.append((known[0], ""))
        made: list[str] = []
        self.level += 1
        self.follow(list(_statements(known[1])), made)
        self.level -= 1
        self.found[place] = (known[0], "\n".join(made))
        self.base = base
        return True

    def follow(self, statements: list[Statement], made: list[str]) -> None:
        """Add the lines for statements, as many lines down as the statements stand where that is possible."""
        place = depth = 0
        while place < len(statements) and self.steps < _MOST:
            name, arguments, line = statements[place]
            place += 1
            self.steps += 1
            if name in ("function", "macro") and arguments:
                end = next((n for n in range(place, len(statements)) if statements[n][0] == f"end{name}"), place)
                parameters = [word for word, _ in arguments]
                self.functions[parameters[0].lower()] = (parameters[1:], statements[place:end])
                place = end + 1
                continue
            depth += (name in _WAYS and name not in ("else", "elseif")) - (name[:3] == "end")
            if name in self.functions:
                parameters, body = self.functions[name]
                given = [value for value, _ in self.words_of(arguments, 0)]
                self.values["ARGN"] = [";".join(given[len(parameters) :])]
                self.values["ARGV"] = [";".join(given)]
                for parameter, value in (*zip(parameters, given, strict=False), *zip(_ARGV, given, strict=False)):
                    self.values[parameter] = [value]
                self.follow(body, made)
                continue
            lines: dict[str, None] = {}
            most = max([1, *(len(self.values.get(one, ())) for word, _ in arguments for one in _names(word))])
            for number in range(min(most, _ALTERNATIVES)):
                words = self.words_of(arguments, number)
                lines.update(dict.fromkeys(filter(None, self.lines_of(name, words, depth > 0 or number > 0, made))))
            if lines:
                made += [""] * (line - 1 - sum(one.count("\n") + 1 for one in made))
                made.append("; ".join(lines))

    def words_of(self, arguments: list[tuple[str, bool]], number: int) -> list[tuple[str, bool]]:
        """Return the arguments with the values of variables, each with whether it is quoted."""
        found: list[tuple[str, bool]] = []
        for word, quoted in arguments:
            value = self.filled(word, number)
            found += [(value, True)] if quoted else [(one, False) for one in value.split(";") if one]
        return found

    def filled(self, text: str, number: int) -> str:
        """Return a text with one of the values of each of its variables."""
        import re

        def value(match: re.Match[str]) -> str:
            if match[1] == "ENV" and f"ENV{{{match[2]}}}" not in self.values:
                return f"{_FROM}{match[2]}{_TO}" if match[2].isidentifier() else _UNKNOWN
            known = self.values.get(f"ENV{{{match[2]}}}" if match[1] == "ENV" else match[2])
            return _UNKNOWN if not known else known[min(number, len(known) - 1)]

        escapes = {"n": "\n", "t": "\t", "r": "\r", "$": _LITERAL, "@": "@"}
        text = re.sub(r"\\(.)", lambda match: escapes.get(match[1], match[1]), text, flags=re.DOTALL)
        for _ in range(4):
            text, count = re.subn(_REFERENCE, value, text)
            if not count:
                break
        return re.sub(r"\$<[^<>\s]*>", _UNKNOWN, text)

    def keep(self, name: str, value: str, further: bool) -> None:
        """Give a variable a value, or a further one."""
        known = self.values.get(name, []) if further else []
        if value not in known:
            self.values[name] = [*known, value][-_ALTERNATIVES:]

    def path(self, word: str) -> str:
        """Return a path as it is from where CMake was started."""
        return f"{self.base.rstrip('/')}/{word}" if self.base and word[:1] not in _WHOLE else word

    def lines_of(self, name: str, words: list[tuple[str, bool]], further: bool, made: list[str]) -> list[str]:
        """Return the lines for one statement."""
        plain = [word for word, _ in words]
        if name in _PROCESSES:
            return self.process(name, words)
        if name == "file" and plain:
            return self.of_file(plain, further)
        if name == "configure_file" and len(plain) > 1:
            target = plain[1] if plain[1][:1] in _WHOLE else f"{self.binary}/{plain[1]}"
            return [f"cp {_quoted([self.path(plain[0])])} {_quoted([target])}"]
        if name == "message":
            return self.shown(plain)
        if name in ("include", "add_subdirectory") and plain:
            file = plain[0] if name == "include" else f"{plain[0]}/CMakeLists.txt"
            folder = self.base if name == "include" else self.path(plain[0])
            if name == "include" and not file.endswith(".cmake"):
                return []
            self.file(self.path(file), folder)
        elif name == "cmake_language" and plain[:2] == ["EVAL", "CODE"]:
            self.follow(list(_statements(" ".join(plain[2:]))), made)
        elif name == "cmake_language" and plain[:1] == ["CALL"]:
            return self.lines_of(plain[1].lower() if plain[1:] else "", words[2:], further, made)
        elif name == "install" and plain[:1] == ["CODE"]:
            self.follow(list(_statements(" ".join(plain[1:]))), made)
        elif name == "install" and plain[:1] == ["SCRIPT"]:
            self.file(self.path(plain[-1]), self.base)
        else:
            self.assign(name, plain, further)
        return []

    def assign(self, name: str, plain: list[str], further: bool) -> None:
        """Take over the variables that a statement sets."""
        first, rest = (plain or [""])[0], plain[1:]
        if name == "set" and first not in self.fixed:
            rest = rest[: next((place for place, word in enumerate(rest) if word in ("CACHE", "PARENT_SCOPE")), None)]
            self.keep(first, ";".join(rest), further)
        elif name == "foreach":
            ways = [place for place, word in enumerate(rest) if word in ("IN", "ITEMS", "LISTS")]
            items = rest[ways[-1] + 1 :] if ways else rest
            if "LISTS" in rest:
                items = [one for word in items for value in self.values.get(word, ()) for one in value.split(";")]
            self.values[first] = items[:_ALTERNATIVES]
        elif name in ("string", "list") and first in ("APPEND", "CONCAT") and rest:
            before = self.values.get(rest[0], [""])[-1] if first == "APPEND" else ""
            self.keep(rest[0], (";" if name == "list" and before else "").join([before, *rest[1:]]), further)
        elif name in ("get_filename_component", "cmake_path", "find_program", "find_file", "find_path") and rest:
            variable, value = (rest[0], rest[-1]) if name == "cmake_path" and first == "SET" else (first, rest[0])
            above = "DIRECTORY" in rest or "PATH" in rest[1:2]
            self.keep(variable, value.rpartition("/")[0] or "." if above and name[:3] == "get" else value, further)
        elif name in ("string", "list", "math", "separate_arguments", "unset"):
            read = next((mark for mark in self.secrets for word in plain if mark in word), "")
            for word in plain:
                if word.isidentifier() and (read or word in self.values):
                    self.keep(word, read or _UNKNOWN, not read)

    def shown(self, words: list[str]) -> list[str]:
        """Return the lines that show the files whose text words hold."""
        return [f"cat {_quoted([file])}" for mark, file in self.secrets.items() if any(mark in word for word in words)]

    def of_file(self, plain: list[str], further: bool) -> list[str]:
        """Return the lines for `file(…)`."""
        verb, rest = plain[0], plain[1:]
        if verb in ("READ", "STRINGS") and len(rest) > 1:
            self.secrets[_mark(rest[1])] = self.path(rest[0])
            self.values[rest[1]] = [_mark(rest[1])]
        elif verb in ("GLOB", "GLOB_RECURSE") and rest:
            kept = [word for word in rest[1:] if word not in ("CONFIGURE_DEPENDS", "LIST_DIRECTORIES", "true", "false")]
            self.keep(rest[0], ";".join(self.path(word).replace("*", _ANY) for word in kept), further)
        elif verb in ("TO_CMAKE_PATH", "TO_NATIVE_PATH", "REAL_PATH") and len(rest) > 1:
            self.keep(rest[1], rest[0], further)
        if verb not in _LINES:
            return []
        groups: dict[str, list[str]] = {"": []}
        key = ""
        written = verb in ("WRITE", "APPEND")
        for word in rest:
            if word in _KEYS and not written:
                key = word
                groups.setdefault(key, [])
            else:
                groups[key].append(word)
        own = [word if "://" in word else self.path(word) for word in groups[""]]
        fields = {word: _quoted(list(map(self.path, groups.get(word, [])))) for word in _KEYS}
        fields |= {"all": _quoted(own), "rest": _quoted(["".join(rest[1:])])}
        two = [_quoted([word]) for word in (*own[:2], "", "")[:2]]
        if not own and not any(groups.values()):
            return []
        copied = [line.replace("cat ", "cp ", 1) + f" {two[0]}" for line in self.shown(rest[1:])] if written else []
        return [*copied, _LINES[verb].format(*two, **fields)]

    def process(self, name: str, words: list[tuple[str, bool]]) -> list[str]:
        """Return the line for a statement that starts programs."""
        plain = [word for word, _ in words]
        if name == "exec_program":
            return [_quoted_program(plain[:1]) + " " + " ".join(word for word in plain[1:] if word != "ARGS")]
        target = plain[0] if name == "add_custom_target" and plain else ""
        if target and not self.asked(target, plain):
            return []
        commands: list[list[str]] = []
        folder, key = "", ""
        for word in plain[1:] if target else plain:
            if word == "COMMAND" or (word == "ARGS" and key == "COMMAND"):
                commands += [[]] if word == "COMMAND" else []
                key = "COMMAND"
            elif word in _PROCESS:
                key = word
            elif key == "COMMAND":
                commands[-1].append(word)
            elif key == "WORKING_DIRECTORY":
                folder = word
            elif key == "OUTPUT_FILE" and commands:
                commands[-1].append(f"{_FROM}>{_TO}{word}")
        if target and not commands and plain[1:2] not in ([], ["ALL"]) and plain[1] not in _PROCESS:
            commands = [plain[1:]]
        joint = " | " if name == "execute_process" else " && "
        line = joint.join(_quoted_program(words) for words in commands if words)
        return [*self.shown(plain), f"(cd {_quoted([folder])} && {line})" if folder and line else line]

    def asked(self, target: str, plain: list[str]) -> bool:
        """Return whether a target is made: it is asked for, or always made."""
        always = not _ALWAYS.isdisjoint((target, *plain[1:2]))
        return always or target in self.words or self.counts.get(target, 0) > 1


_PROCESSES = frozenset(("execute_process", "exec_program", "add_custom_command", "add_custom_target", "add_test"))
_ARGV = tuple(f"ARGV{number}" for number in range(8))


def _mark(variable: str) -> str:
    """Return what stands for what a variable holds of a file that was read."""
    return f"{_UNKNOWN}{variable}{_UNKNOWN}"


def _names(word: str) -> list[str]:
    """Return the names of the variables in a text."""
    import re

    return re.findall(r"\$\{([^{}$]*)\}", word)


def _statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a text."""
    import re

    name, depth = "", 0
    arguments: list[tuple[str, bool]] = []
    line = place = 0
    for match in re.finditer(_TOKEN, text, re.DOTALL):
        if match["mark"] == "(":
            depth += 1
            if depth == 1:
                line += text.count("\n", place, match.start())
                place, arguments = match.start(), []
        elif match["mark"] == ")":
            depth = max(depth - 1, 0)
            if not depth and name:
                yield name.lower(), arguments, line + 1
                name = ""
        elif match["quoted"] is not None:
            arguments.append((match["quoted"].replace("\\\n", ""), True))
        elif match["raw"] is not None:
            arguments.append((match["raw"].replace("\\", "\\\\").replace("$", "\\$"), True))
        elif match["plain"] is not None and depth:
            arguments.append((match["plain"], False))
        elif match["plain"] is not None:
            name = match["plain"]


def _quoted_program(words: list[str]) -> str:
    """Return the words of a program that is started, and where its output goes, for a shell."""
    target = next((word for word in words if word.startswith(f"{_FROM}>{_TO}")), "")
    line = _quoted([word for word in words if word != target])
    return f"{line} > {_quoted([target[3:]])}" if target else line


def _quoted(words: list[str]) -> str:
    """Return words for a shell, with the variables of its environment and those that are not known."""
    import re

    found = []
    for word in words:
        safe = re.sub(r"([\\\"`$])", r"\\\1", word.replace(_LITERAL, "$"))
        safe = re.sub(rf"{_UNKNOWN}(?:\w+{_UNKNOWN})?", "${cmake_value}", safe)
        safe = safe.replace(_FROM, "${").replace(_TO, "}").replace(_ANY, '"*"').replace(_HERE, "")
        found.append(f'"{safe}"')
    return " ".join(found)
