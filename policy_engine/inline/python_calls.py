"""Say what a call in Python code does: a table of the standard library's functions that touch files or start programs.

A function that is not in the tables and is reached in an ordinary way is taken to touch nothing; texts that it is given
are kept as guesses of what it may run. One that is reached by reflection (a computed attribute, a computed import) may
do everything. Imported by the hook path when a line carries Python.
"""

from __future__ import annotations

from policy_engine.inline.effects import PRINTED_DEPTH
from policy_engine.inline.python_programs import Programs
from policy_engine.inline.python_tables import (
    CODES,
    COMMANDS,
    DANGEROUS,
    EXECUTES,
    GIVEN,
    INSTANCES,
    LINES,
    LOG_FILES,
    OPENS,
    PATH_ADDS,
    PATH_QUIET,
    PATHS,
    PRINTS,
    READING,
    RELOCATES,
    SAME_TEXT,
    SCRATCH,
    SCRATCH_FOLDERS,
    SECRET,
    TOUCHES,
    WORDS,
)
from policy_engine.inline.values import (
    UNKNOWN,
    Archive,
    Counted,
    Function,
    Items,
    Name,
    Number,
    Opened,
    Repeated,
    Secret,
    Table,
    Text,
    Unknown,
    choose,
    literal,
    text_of,
    words_of,
)
from policy_engine.model.partial import MANY, ONE, PARENT, is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.paths import PathValue


_TEXTS = {"os.sep": "/", "os.path.sep": "/", "os.curdir": ".", "sys.executable": "/usr/bin/python3"}


_AS_TEXT = ("json.dumps", "pprint.pformat", "repr", "yaml.dump", "yaml.safe_dump", "shlex.split")  # of a value


class Calls(Programs):
    """Calls of functions by name, told to one analysis."""

    def set_entry(self, owner: str, key: str | None, value: Any) -> None:
        """`os.environ[key] = value`."""
        if owner == "os.environ":
            self.set_variable(key, value)
        elif key is None and owner.partition(".")[0] in DANGEROUS:
            self.doubt_everything(owner, f"what is put into `{owner}` is not known")

    def set_variable(self, key: str | None, value: Any) -> None:
        """Keep a variable for the programs that are started later."""
        if key is not None and key.isidentifier():
            self.environment[key] = text_of(value)

    def variable(self, key: Any) -> Any:
        """A variable's value, and whether reading it tells a secret."""
        name = literal(key)
        if name is None or any(part in name.upper() for part in SECRET):
            if name is not None and self.reader.start is not None and self.reader.start.called is not None:
                return Secret()  # settings of a module that other code imports
            self.analysis.does("discloses")
        if name in self.environment:
            return Text(self.environment[name]) if is_known(self.environment[name]) else UNKNOWN
        if name == "HOME" and self.analysis.filesystem.home:
            return Text(self.analysis.filesystem.home)
        return UNKNOWN

    def imported(self, module: str, perhaps: bool = False) -> None:
        """Add the effects of importing a module; `perhaps`: it may be a name within one, unless a file is there."""
        if module and is_known(module):
            start = self.reader.start
            own = start.file.rpartition("/")[0] if start is not None else ""
            searched = self.environment.get("PYTHONPATH") or self.analysis.env.get("PYTHONPATH") or ""
            for folder in (own, *self.search, *searched.split(":")):
                place = f"{folder}/{module.replace('.', '/')}.py" if folder else f"{module.replace('.', '/')}.py"
                file = self.analysis.path(place, "read")
                if (folder == own or is_known(folder)) and not (perhaps and not self._is_there(file)):
                    self.analysis.runs.append(file)
        if module.partition(".")[0] in ("ctypes", "cffi"):
            self.analysis.doubt("*", f"what is called through `{module[:40]}` is not known")

    def _is_there(self, file: PathValue) -> bool:
        try:
            return self.analysis.filesystem.present(file)
        except Undecided:
            return False

    def member(self, dotted: str, name: str) -> Any:
        """Return an attribute of a module."""
        if name == "__dict__":
            return Name(dotted)
        whole = f"{dotted}.{name}"
        if whole in _TEXTS:
            return Text(_TEXTS[whole])
        if dotted in ("builtins", "__builtins__"):
            return Name(name)
        if whole in ("os.path.os", "shutil.os", "pathlib.os", "subprocess.os", "tempfile._os"):
            return Name("os")
        if whole == "sys.argv":
            return self.given()
        if whole == "sys.modules":
            return Name("sys.modules")
        if dotted in ("pathlib.Path", "pathlib.PurePath") and name in ("home", "cwd"):
            return Name(f"pathlib.Path.{name}")
        return Name(whole)

    def entry(self, owner: Any, key: Any) -> Any:
        """`owner[key]`."""
        name = literal(key)
        if isinstance(owner, Name):
            if owner.dotted == "os.environ":
                return self.variable(key)
            if owner.dotted == "sys.argv":
                return UNKNOWN
            if name is not None:
                return (
                    Name(name)
                    if owner.dotted in ("sys.modules", "globals", "locals")
                    else self.member(owner.dotted, name)
                )
            return Unknown(f"an entry of `{owner.dotted}`") if owner.dotted.partition(".")[0] in DANGEROUS else UNKNOWN
        if isinstance(owner, Table):
            if name is not None and name in owner.entries:
                return owner.entries[name]
            return choose(owner.entries.values()) if owner.complete and owner.entries and name is None else UNKNOWN
        place = key.value if isinstance(key, Number) else None
        if isinstance(owner, Items) and type(place) is int and not owner.loose:
            if 0 <= place < len(owner.items) or (owner.complete and -len(owner.items) <= place < 0):
                return owner.items[place]
            return owner.beyond
        if isinstance(owner, Items):
            return choose(owner.items) if owner.complete and owner.items else UNKNOWN
        if (
            isinstance(owner, Text)
            and is_known(owner.text)
            and type(place) is int
            and -len(owner.text) <= place < len(owner.text)
        ):
            return Text(owner.text[place])
        return UNKNOWN

    def call_name(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Tell what a function of a module does, and return its result."""
        first = arguments[0] if arguments else None
        self.note_functions(dotted, arguments, named)
        if dotted in ("os.environ.items", "os.environ.values"):
            self.analysis.does("discloses")
        if dotted not in ("dict", "len", "isinstance", "sorted", "list", "set"):
            for value in arguments:
                self.show(value, PRINTED_DEPTH if dotted in PRINTS else 0)
        if dotted in PATH_ADDS:
            self.add_folders(arguments)
        if dotted in _AS_TEXT and isinstance(first, (Items, Table, Opened)):
            return first
        if dotted in LINES and not (isinstance(first, Items) and dotted in WORDS):
            return self.line(dotted, first, named)
        if dotted in COMMANDS:
            return self.command(dotted, arguments, named)
        if dotted in WORDS:
            words = words_of(first) or [text_of(one) for one in arguments if not (isinstance(one, Unknown))]
            self.started(dotted, words if words else [ONE], named)
            return UNKNOWN
        if dotted in EXECUTES:
            self.executed(dotted, arguments)
            return UNKNOWN
        if dotted in OPENS:
            return self.opened(dotted, arguments, named)
        for place, keyword in enumerate(CODES.get(dotted, ())):
            if place < len(arguments) or keyword in named:
                self.call_exec([arguments[place] if place < len(arguments) else named[keyword]], {})
        if dotted in LOG_FILES:
            self.touch(first if first is not None else named.get("filename", UNKNOWN), "write", False, dotted)
        for place, keyword, access, recursive in GIVEN.get(dotted, ()):
            given = arguments[place] if place < len(arguments) else named.get(keyword)
            if given is not None:
                self.touch(given, access, recursive, dotted)
        if self.run_program(dotted, arguments, named):
            return UNKNOWN
        if dotted in TOUCHES:
            return self.touched(dotted, arguments, named)
        asked = self.made(dotted, named) or self.ask_settings(dotted, arguments)
        return asked if asked is not None else self.special(dotted, first, arguments, named)

    def executed(self, dotted: str, arguments: list[Any]) -> None:
        """`os.exec*`, `os.spawn*`: the file, and words of which the first is only a name."""
        place, form = EXECUTES[dotted]
        rest = arguments[place:]
        if not rest:
            return
        if form == "list":
            words = words_of(rest[1]) if len(rest) > 1 else [ONE]
            words = words if words is not None else [ONE, MANY]
        else:
            words = [text_of(one) for one in rest[1:] if not isinstance(one, Table)]
            words = words or [ONE]
        self.started(dotted, [text_of(rest[0]), *words[1:]], {})

    def opened(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`open(path, mode)`."""
        value = arguments[0] if arguments else named.get("file", UNKNOWN)
        mode = named.get("mode", arguments[1] if len(arguments) > 1 else None)
        self.open_file(value, mode, dotted)
        return Opened(value if isinstance(value, Text) else None)

    def touched(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A function of the table of paths."""
        result: Any = UNKNOWN
        for place, keyword, access, recursive in TOUCHES[dotted]:
            given = arguments[place] if place < len(arguments) else named.get(keyword)
            if given is None:
                if dotted in ("dotenv.load_dotenv", "dotenv.dotenv_values"):
                    given = Text(".env")
                elif dotted in ("urllib.request.urlretrieve", "shutil.make_archive"):
                    continue
                else:
                    given = UNKNOWN
            self.touch(given, access, recursive, dotted)
            result = given
        if dotted in RELOCATES:
            pair = [arguments[place] if place < len(arguments) else named.get(keyword, UNKNOWN)
                    for place, keyword in enumerate(("src", "dst"))]  # fmt: skip
            self.relocate(RELOCATES[dotted], *pair)
        if "copy_function" in named and arguments:
            self.touch(arguments[0], "write", True, dotted)  # it may make hard links
        if dotted.startswith("urllib"):
            self.analysis.does("network")
        if dotted.startswith("runpy"):
            self.analysis.does("executes")
        if dotted == "dotenv.dotenv_values":
            return Opened(result if isinstance(result, Text) else None)
        return result if dotted.startswith("shutil") else UNKNOWN

    def special(self, dotted: str, first: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Functions that need more than a row of a table."""
        rule = getattr(self, "call_" + dotted.replace(".", "_"), None)
        if rule is not None:
            return rule(arguments, named)
        if dotted in INSTANCES:
            self.may_read(arguments, named)
            return Name(f"{dotted}()")
        if dotted in PATHS:
            return self.joined(arguments, True)
        if dotted == "os.path.join":
            return self.joined(arguments, False)
        if dotted == "range":
            return Repeated(Counted())
        if dotted == "enumerate":
            known = (
                self.reader.items(first) if isinstance(first, Items) and first.exact and len(arguments) == 1 else None
            )
            pairs = None if known is None else [Items([Number(place), one]) for place, one in enumerate(known)]
            return Repeated(Items([Counted(), UNKNOWN])) if pairs is None else Items(pairs)
        if dotted in SAME_TEXT:
            return first if isinstance(first, (Text, Number, Counted)) else UNKNOWN
        if dotted in ("list", "tuple", "set", "sorted", "reversed", "iter"):
            items = self.reader.items(first) if first is not None else []
            if dotted == "reversed" and items is not None:
                items = items[::-1]
            if isinstance(first, Items):
                return Items(list(items or ()), first.complete, first.loose or dotted in ("sorted", "set"))
            return UNKNOWN if items is None else Items(items)
        if dotted in ("max", "min"):  # one of its arguments, or of the items of the only one
            items = self.reader.items(first) if len(arguments) == 1 else arguments
            return choose(items or []) if items else UNKNOWN
        if dotted in ("os.chdir", "os.fchdir", "contextlib.chdir"):
            self.analysis.cwd = self.analysis.path(text_of(first) if first is not None else ONE, "read")
            return UNKNOWN
        if dotted in ("os.setuid", "os.setgid", "os.seteuid", "os.setreuid", "os.setresuid", "os.setegid"):
            self.analysis.doubt("elevates", "the code changes the user that it runs as")
            return UNKNOWN
        if dotted in ("os.kill", "os.killpg", "psutil.Process", "os.setpriority"):
            target = arguments[-2 if dotted == "os.setpriority" and len(arguments) > 2 else 0] if arguments else UNKNOWN
            number = str(target.value) if isinstance(target, Number) else text_of(target)
            self.analysis.signals(f"-{number}" if dotted == "os.killpg" and number != "0" else number)
            return UNKNOWN
        if dotted in ("os.getppid", "os.getpgid", "os.getpgrp", "os.getsid"):
            return Text(PARENT)
        if dotted.startswith("tempfile."):
            return self.scratch(dotted.rpartition(".")[2], arguments, named)
        quiet = PATH_QUIET.intersection(
            (dotted.partition(".")[0], dotted.rpartition(".")[2], dotted.rpartition(".")[0])
        )
        if ("." in dotted or dotted.startswith(READING)) and not quiet:
            self.may_read(arguments, named)
        if dotted.startswith(("requests.", "httpx.", "urllib.", "socket.", "http.", "aiohttp.", "ftplib.", "smtplib.")):
            self.analysis.does("network")
            self.send(dotted, arguments, named)
            return UNKNOWN
        self.guess(dotted, arguments, named)
        return UNKNOWN

    def scratch(self, function: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A function of `tempfile`: a new name below a folder for scratch files, or the one that it is given."""
        place = SCRATCH_FOLDERS.get(function, 99)
        folder = literal(arguments[place] if place < len(arguments) else named.get("dir", UNKNOWN))
        made = Text(SCRATCH if folder is None else f"{folder or '.'}/{SCRATCH.rpartition('/')[2]}", True)
        if folder is not None:
            self.touch(made, "write", False, f"tempfile.{function}")
        return made if "TemporaryDirectory" in function or "mk" in function else Opened(made)

    def call_exec(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`exec(code)`, `eval(code)`: read as code where the text is known."""
        value = arguments[0] if arguments else UNKNOWN
        if isinstance(value, Opened) and value.path is not None:
            self.analysis.run(value.path.text)
            return UNKNOWN
        if isinstance(value, Function):  # `timeit.timeit(function)`
            self.reader.pending.append(value)
            return UNKNOWN
        code = literal(value)
        if code is None:
            self.doubt_everything("exec", "the code that `exec` runs is put together at run time")
            self.analysis.does("executes")
            return UNKNOWN
        from policy_engine.inline.python import parse_python

        self.note_decoded(code)
        tree = parse_python(code)
        if tree is None:
            self.doubt_everything("exec", "the code that `exec` runs does not parse")
        elif self.reader.depth < 8:
            self.reader.depth += 1
            self.reader.block(tree.body)
            self.reader.depth -= 1
            if len(tree.body) == 1 and type(tree.body[0]).__name__ == "Expr":
                return self.reader.value(tree.body[0].value)
        return UNKNOWN

    call_eval = call_exec
    call_execfile = call_exec

    def call_compile(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`compile(code, …)` is the code, for `exec`."""
        return arguments[0] if arguments else UNKNOWN

    def call___import__(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A module by a name that may be computed."""
        module = literal(arguments[0]) if arguments else None
        if module is None:
            return Unknown("a module whose name is computed")
        self.imported(module)
        return Name(module)

    call_importlib_import_module = call___import__

    def call_getattr(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """An attribute by a name that may be computed."""
        if len(arguments) < 2:
            return UNKNOWN
        name = literal(arguments[1])
        if name is not None:
            return self.reader.attribute(arguments[0], name)
        if isinstance(arguments[0], Name) and arguments[0].dotted.partition(".")[0] not in DANGEROUS:
            return UNKNOWN
        return Unknown("an attribute whose name is computed") if not isinstance(arguments[0], Unknown) else UNKNOWN

    def call_vars(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The names of a module."""
        return arguments[0] if arguments else Name("globals")

    def call_globals(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The names of the code."""
        return Name("globals")

    call_locals = call_globals

    def call_chr(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """One character."""
        value = arguments[0].value if arguments and isinstance(arguments[0], Number) else None
        return Text(chr(value)) if type(value) is int and 0 < value < 0x110000 else UNKNOWN

    def call_os_getenv(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A variable, or what stands for it."""
        value = self.variable(arguments[0] if arguments else UNKNOWN)
        return value if value is not UNKNOWN or len(arguments) < 2 else choose([UNKNOWN, arguments[1]])

    call_os_environ_get = call_os_getenv

    def call_os_putenv(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Set a variable."""
        if len(arguments) > 1:
            self.set_variable(literal(arguments[0]), arguments[1])
        return UNKNOWN

    call_os_environ_setdefault = call_os_putenv

    def call_os_environ_update(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Set several variables."""
        entries = {**(arguments[0].entries if arguments and isinstance(arguments[0], Table) else {}), **named}
        for key, value in entries.items():
            self.set_variable(key, value)
        return UNKNOWN

    def call_os_environ_copy(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The whole environment, for a program that is started."""
        return Table({}, False, True)

    def call_dict(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A dictionary, perhaps of the whole environment."""
        value = arguments[0] if arguments else None
        if isinstance(value, Name) and value.dotted == "os.environ":
            return Table(dict(named), False, True)
        if isinstance(value, Table):
            return Table({**value.entries, **named}, value.complete, value.secret)
        return Table(dict(named), value is None)

    def call_os_path_expanduser(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`~` is the home folder."""
        return self.expand_home(arguments[0] if arguments else UNKNOWN)

    call_os_path_expandvars = call_os_path_expanduser

    def call_os_path_dirname(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The folder of a path."""
        text = text_of(arguments[0]) if arguments else ONE
        if not isinstance(arguments[0] if arguments else None, Text):
            return UNKNOWN
        return Text(text.rpartition("/")[0] or ("/" if text[:1] == "/" else "."))

    def call_os_path_basename(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The last part of a path."""
        text = literal(arguments[0]) if arguments else None
        return UNKNOWN if text is None else Text(text.rpartition("/")[2])

    def call_os_getcwd(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The folder that it runs in."""
        return self.folder()

    def call_pathlib_Path_cwd(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The folder that it runs in, as a path."""
        return self.folder(True)

    def call_pathlib_Path_home(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The home folder."""
        return Text(self.analysis.filesystem.home, True) if self.analysis.filesystem.home else UNKNOWN

    def call_os_open(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`os.open(path, flags)`: a write, unless the flags are surely those of reading."""
        value = arguments[0] if arguments else named.get("path", UNKNOWN)
        flags = arguments[1] if len(arguments) > 1 else named.get("flags", UNKNOWN)
        if not (isinstance(flags, Name) and flags.dotted == "os.O_RDONLY"):
            self.touch(value, "write", False, "os.open")
        self.touch(value, "read", False, "os.open")
        return UNKNOWN

    def call_fileinput_input(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Read files, and write them where they are edited in place."""
        value = arguments[0] if arguments else named.get("files", UNKNOWN)
        inplace = named.get("inplace")
        self.touch(value, "read", False, "fileinput")
        if inplace is not None and not (isinstance(inplace, Number) and not inplace.value):
            self.touch(value, "write", False, "fileinput")
        return UNKNOWN

    call_fileinput_FileInput = call_fileinput_input

    def call_zipfile_ZipFile(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Open an archive."""
        value = arguments[0] if arguments else named.get("file", UNKNOWN)
        self.open_file(value, named.get("mode", arguments[1] if len(arguments) > 1 else None), "ZipFile")
        return Archive()

    call_zipfile_PyZipFile = call_zipfile_ZipFile

    def call_tarfile_open(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Open an archive."""
        value = arguments[0] if arguments else named.get("name", UNKNOWN)
        if value is not UNKNOWN or arguments:
            self.open_file(value, named.get("mode", arguments[1] if len(arguments) > 1 else None), "tarfile.open")
        return Archive()

    call_tarfile_TarFile = call_tarfile_TarFile_open = call_tarfile_open

    def call_shutil_unpack_archive(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Unpack an archive into a folder."""
        self.touch(arguments[0] if arguments else named.get("filename", UNKNOWN), "read", False, "unpack_archive")
        folder = arguments[1] if len(arguments) > 1 else named.get("extract_dir", Text("."))
        self.unpack(folder, "unpack_archive")
        return UNKNOWN

    def call_sqlite3_connect(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A database file, unless it is one in memory."""
        value = arguments[0] if arguments else named.get("database", UNKNOWN)
        if literal(value) != ":memory:":
            self.touch(value, "write", False, "sqlite3.connect")
        return UNKNOWN

    def call_operator_attrgetter(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A function that returns an attribute."""
        name = literal(arguments[0]) if len(arguments) == 1 else None
        return self.accessor(name, "") if name is not None else UNKNOWN

    def call_operator_methodcaller(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A function that calls a method with these arguments."""
        name = literal(arguments[0]) if arguments else None
        if name is None:
            return Unknown("a method whose name is computed")
        given = {f"given{place}": value for place, value in enumerate(arguments[1:])}
        return self.accessor(name, f"({', '.join((*given, *(f'{key}={key}' for key in named)))})", {**given, **named})

    def accessor(self, name: str, call: str, defaults: dict[str, Any] | None = None) -> Any:
        """`lambda owner: owner.name`, with what is behind it."""
        from policy_engine.inline.python import parse_python

        more = "".join(f", {key}=None" for key in defaults or ())
        tree = parse_python(f"lambda owner{more}: owner.{name}{call}")
        return UNKNOWN if tree is None else Function(tree.body[0].value, defaults or {})

    def call_logging_config_dictConfig(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The files of handlers, which are opened for writing."""
        waiting = [*arguments, *named.values()]
        while waiting:
            value = waiting.pop()
            if isinstance(value, Table):
                waiting += value.entries.values()
                if "filename" in value.entries:
                    self.touch(value.entries["filename"], "write", False, "dictConfig")
        return UNKNOWN

    def call_glob_glob(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The names that a pattern matches now, below another folder where `root_dir` names one."""
        pattern = literal(arguments[0] if arguments else named.get("pathname", UNKNOWN))
        who = "hidden" if "include_hidden" in named else "glob"
        if "root_dir" not in named or pattern is None:
            return self.searched(pattern, who)
        root = literal(named["root_dir"])
        found = self.searched(None if root is None else f"{root}/{pattern}", who)
        place = "" if root is None else self.analysis.path(root, "read").real.rstrip("/") + "/"
        return Items([Text(one.text.removeprefix(place)) for one in found.items], found.complete)

    call_glob_iglob = call_glob_glob

    def call_os_walk(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The folders that hold files now, each with names of folders, which are not known, and those of its files."""
        found = self.below(arguments[0] if arguments else named.get("top", UNKNOWN), "*", True, "walk")
        folders: dict[str, list[Any]] = {}
        for file in found.items:
            folder, _, name = file.text.rpartition("/")
            folders.setdefault(folder or "/", []).append(Text(name))
        made = [Items([Text(folder), Items([], False), Items(names)]) for folder, names in folders.items()]
        return Items(made, found.complete)

    def call_os_listdir(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The names in a folder."""
        names = self.below(arguments[0] if arguments else Text("."), "*", False, "listdir")
        return Items([Text(one.text.rpartition("/")[2]) for one in names.items], names.complete)

    def call_base64_b64decode(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Decode a known text."""
        return self.decoded(arguments, "base64")

    call_base64_decodebytes = call_base64_b64decode
    call_base64_urlsafe_b64decode = call_base64_b64decode

    def call_bytes_fromhex(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Decode a known text."""
        return self.decoded(arguments, "hex")

    call_bytearray_fromhex = call_bytes_fromhex
    call_binascii_unhexlify = call_bytes_fromhex

    def call_codecs_decode(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Decode a known text."""
        coding = literal(arguments[1]) if len(arguments) > 1 else None
        return self.decoded(
            arguments, {"rot13": "rot13", "rot_13": "rot13", "hex": "hex", "base64": "base64"}.get(coding or "", "")
        )

    call_codecs_encode = call_codecs_decode
