"""Say what a call in Python code does: a table of the standard library's functions that touch files or start programs.

A function that is not in the tables and is reached in an ordinary way is taken to touch nothing; texts that it is given
are kept as guesses of what it may run. One that is reached by reflection (a computed attribute, a computed import) may
do everything. Imported by the hook path when a line carries Python.
"""

from __future__ import annotations

from policy_engine.model.inline_values import (
    MOST_TEXT,
    UNKNOWN,
    Archive,
    Choice,
    Function,
    Items,
    Method,
    Name,
    Number,
    Opened,
    Table,
    Text,
    Unknown,
    choose,
    literal,
    shell_words,
    text_of,
    with_variables,
    words_of,
)
from policy_engine.model.partial import MANY, ONE, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.model.inline_python import Reader
    from policy_engine.model.scene import Scene

_LINES = frozenset(
    (
        "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
        "commands.getstatusoutput "
        "asyncio.create_subprocess_shell pexpect.run pexpect.spawn invoke.run fabric.run popen2.popen2 platform.popen "
        "posix.system nt.system pty.spawn IPython.get_ipython.system"
    ).split()
)
_COMMANDS = frozenset(
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen".split()
)
_WORDS = frozenset("asyncio.create_subprocess_exec pexpect.spawn pty.spawn".split())
# name -> the place of the first word of the command that replaces or starts a process; lists or words
_EXECUTES = {
    "os.execv": (0, "list"), "os.execve": (0, "list"), "os.execvp": (0, "list"), "os.execvpe": (0, "list"),
    "os.posix_spawn": (0, "list"), "os.posix_spawnp": (0, "list"),
    "posix.execv": (0, "list"), "posix.execve": (0, "list"),
    "os.execl": (0, "words"), "os.execle": (0, "words"), "os.execlp": (0, "words"), "os.execlpe": (0, "words"),
    "os.spawnv": (1, "list"), "os.spawnve": (1, "list"), "os.spawnvp": (1, "list"), "os.spawnvpe": (1, "list"),
    "os.spawnl": (1, "words"), "os.spawnle": (1, "words"), "os.spawnlp": (1, "words"), "os.spawnlpe": (1, "words"),
}  # fmt: skip
# name -> (argument, its keyword, access, recursive) of each path it touches
_TOUCHES: dict[str, tuple[tuple[int, str, str, bool], ...]] = {
    "os.remove": ((0, "path", "delete", False),), "os.unlink": ((0, "path", "delete", False),),
    "os.rmdir": ((0, "path", "delete", False),), "os.removedirs": ((0, "name", "delete", False),),
    "shutil.rmtree": ((0, "path", "delete", True),), "send2trash.send2trash": ((0, "paths", "delete", True),),
    "distutils.dir_util.remove_tree": ((0, "directory", "delete", True),),
    "os.mkdir": ((0, "path", "write", False),), "os.makedirs": ((0, "name", "write", False),),
    "os.mkfifo": ((0, "path", "write", False),), "os.mknod": ((0, "path", "write", False),),
    "os.chmod": ((0, "path", "write", False),), "os.lchmod": ((0, "path", "write", False),),
    "os.chown": ((0, "path", "write", False),), "os.lchown": ((0, "path", "write", False),),
    "shutil.chown": ((0, "path", "write", False),), "os.truncate": ((0, "path", "write", False),),
    "os.utime": ((0, "path", "write", False),), "os.setxattr": ((0, "path", "write", False),),
    "os.rename": ((0, "src", "delete", True), (1, "dst", "write", True)),
    "os.renames": ((0, "old", "delete", True), (1, "new", "write", True)),
    "os.replace": ((0, "src", "delete", True), (1, "dst", "write", True)),
    "shutil.move": ((0, "src", "read", True), (0, "src", "delete", True), (1, "dst", "write", True)),
    "shutil.copy": ((0, "src", "read", False), (1, "dst", "write", False)),
    "shutil.copy2": ((0, "src", "read", False), (1, "dst", "write", False)),
    "shutil.copyfile": ((0, "src", "read", False), (1, "dst", "write", False)),
    "shutil.copymode": ((1, "dst", "write", False),), "shutil.copystat": ((1, "dst", "write", False),),
    "shutil.copytree": ((0, "src", "read", True), (1, "dst", "write", True)),
    "distutils.dir_util.copy_tree": ((0, "src", "read", True), (1, "dst", "write", True)),
    "shutil.make_archive": ((2, "root_dir", "read", True), (0, "base_name", "write", False)),
    "os.link": ((0, "src", "write", False), (1, "dst", "write", False)),
    "os.symlink": ((1, "dst", "write", False),),
    "urllib.request.urlretrieve": ((1, "filename", "write", False),),
    "dotenv.load_dotenv": ((0, "dotenv_path", "read", False),),
    "dotenv.dotenv_values": ((0, "dotenv_path", "read", False),),
    "runpy.run_path": ((0, "path_name", "run", False),), "numpy.save": ((0, "file", "write", False),),
    "numpy.savetxt": ((0, "fname", "write", False),), "numpy.load": ((0, "file", "read", False),),
    "linecache.getline": ((0, "filename", "read", False),), "linecache.getlines": ((0, "filename", "read", False),),
    "importlib.util.spec_from_file_location": ((1, "location", "run", False),),
}  # fmt: skip
_OPENS = frozenset(
    "open io.open codecs.open gzip.open bz2.open lzma.open gzip.GzipFile os.fdopen tokenize.open".split()
)
_PATH_METHODS: dict[str, tuple[str, bool]] = {
    "write_text": ("write", False), "write_bytes": ("write", False), "read_text": ("read", False),
    "read_bytes": ("read", False), "unlink": ("delete", False), "rmdir": ("delete", False), "touch": ("write", False),
    "mkdir": ("write", False), "chmod": ("write", False), "lchmod": ("write", False), "symlink_to": ("write", False),
    "hardlink_to": ("write", False), "link_to": ("write", False), "rmtree": ("delete", True),
}  # fmt: skip
_HARMING = frozenset("write_text write_bytes unlink rmdir touch symlink_to hardlink_to link_to rmtree".split())
_WRITERS = frozenset(  # methods of libraries' objects whose first argument is a file that they write
    (
        "to_csv to_json to_excel to_parquet to_pickle to_html to_feather to_sql savefig imsave save_pretrained "
        "extract write_parquet write_csv sink_csv"
    ).split()
)
_PATH_RESULTS = frozenset("resolve absolute expanduser as_posix __str__ __fspath__".split())
_PATHS = frozenset(
    (
        "pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath"
    ).split()
)  # fmt: skip
_SAME_TEXT = frozenset(
    "str bytes os.fspath os.fsencode os.fsdecode os.path.abspath os.path.realpath os.path.normpath shlex.quote".split()
)
_RUNS_EACH = frozenset("map filter imap imap_unordered starmap".split())
_TAKES_FUNCTION = frozenset(
    (
        "functools.partial threading.Thread threading.Timer multiprocessing.Process atexit.register submit apply "
        "apply_async call_soon call_later run_in_executor asyncio.to_thread to_thread signal.signal"
    ).split()
)
_DANGEROUS = (
    "os",
    "posix",
    "subprocess",
    "shutil",
    "builtins",
    "__builtins__",
    "pty",
    "ctypes",
    "pathlib",
    "importlib",
)
_SECRET = ("SECRET", "TOKEN", "PASSW", "KEY", "CREDENTIAL", "PRIVATE")
_TEXT_METHODS = frozenset(
    (
        "strip lstrip rstrip lower upper title capitalize swapcase replace removeprefix removesuffix zfill ljust rjust "
        "center expandtabs casefold translate"
    ).split()
)
_TEXT_QUIET = frozenset(  # functions that only show, compare or keep the texts that they are given
    (
        "print repr len input isinstance hash id type sorted logging logger log warnings re json textwrap unittest "
        "pytest "
        "argparse click assert ast yaml toml tomllib string datetime time math random collections itertools csv sys"
    ).split()
)
_CODE_OPTIONS = ("'-c' '", "'-lc' '", "'-e' '", "| 'bash'", "| 'sh'")  # before code that a started program runs
_SCRATCH = "/tmp/python-tempfile"  # a name that `tempfile` may give, below a folder for scratch files


class Calls:
    """What calls do, told to one scene."""

    def __init__(self, scene: Scene, reader: Reader) -> None:
        self.scene = scene
        self.reader = reader
        self.environment: dict[str, str] = {}
        self.runs_unknown = False  # code that is not known, or was decoded, is run
        self.decoded_texts: list[str] = []

    # telling the scene

    def touch(self, value: Any, access: str, recursive: bool, who: str) -> None:
        """Tell of a path; an unknown one for a value that is none."""
        if isinstance(value, Items):
            for item in self.reader.items(value) or []:
                self.touch(item, access, recursive, who)
            return
        if isinstance(value, Choice):
            for one in value.values:
                self.touch(one, access, recursive, who)
            return
        if isinstance(value, Number):
            return  # a descriptor, or nothing
        text = text_of(value)
        if text == ONE:
            reason = f"what `{who}` touches is put together at run time"
            self.scene.paths.append(self.scene.unknown(who, reason, access, recursive))
        elif access == "run":
            self.scene.run(text)
        else:
            self.scene.paths.append(self.scene.path(text or ".", access, recursive))

    def doubt_everything(self, who: str, reason: str) -> None:
        """Tell that it may do anything."""
        scene = self.scene
        self.runs_unknown = True
        scene.doubt("*", reason)
        for access in ("write", "delete"):
            scene.paths.append(scene.unknown(who, reason, access, True))
        scene.contents.append(scene.unknown(who, reason, "read", True))

    def start(self, line: str, named: dict[str, Any], who: str) -> None:
        """Tell of a shell line, with the folder, variables and input that the call gives it."""
        shell = literal(named.get("executable"))
        if shell is not None:
            line = shell_words([shell, "-c", line])
        given = text_of(named["input"]) if "input" in named else ""
        if given:
            line = f"printf %s {shell_words([given])} | {line}"
        for name, value in self.environment.items():
            line = f"export {name}={shell_words([value])}; {line}"
        table = named.get("env")
        if isinstance(table, Table):
            settings = [f"export {name}={shell_words([text_of(value)])}; " for name, value in table.entries.items()]
            line = "".join(settings) + line
        folder = named.get("cwd")
        if folder is not None and not isinstance(folder, Number):
            line = f"cd {shell_words([text_of(folder)])} && {line}"
        if not is_known(line) and any(f"{shell}" in line for shell in _CODE_OPTIONS):
            self.runs_unknown = True
        self.note_decoded(line)
        self.scene.shell(with_variables(line))

    def note_decoded(self, text: str) -> None:
        """Notice a text that is run and holds what the code has decoded."""
        if any(decoded in text for decoded in self.decoded_texts):
            self.runs_unknown = True

    # environment

    def show(self, value: Any) -> None:
        """Tell of the whole environment that is made a text."""
        whole = isinstance(value, Name) and value.dotted == "os.environ"
        if whole or (isinstance(value, Table) and value.secret):
            self.scene.does("discloses")

    def set_entry(self, owner: str, key: str | None, value: Any) -> None:
        """`os.environ[key] = value`."""
        if owner == "os.environ":
            self.set_variable(key, value)
        elif key is None and owner.partition(".")[0] in _DANGEROUS:
            self.doubt_everything(owner, f"what is put into `{owner}` is not known")

    def set_variable(self, key: str | None, value: Any) -> None:
        """Keep a variable for the programs that are started later."""
        if key is not None and key.isidentifier():
            self.environment[key] = text_of(value)

    def variable(self, key: Any) -> Any:
        """A variable's value, and whether reading it tells a secret."""
        name = literal(key)
        if name is None or any(part in name.upper() for part in _SECRET):
            self.scene.does("discloses")
        if name in self.environment:
            return Text(self.environment[name]) if is_known(self.environment[name]) else UNKNOWN
        if name == "HOME" and self.scene.world.home:
            return Text(self.scene.world.home)
        return UNKNOWN

    def imported(self, module: str) -> None:
        """What importing a module alone says."""
        if module.partition(".")[0] in ("ctypes", "cffi"):
            self.scene.doubt("*", f"what is called through `{module[:40]}` is not known")

    # names

    def member(self, dotted: str, name: str) -> Any:
        """Return an attribute of a module."""
        if name == "__dict__":
            return Name(dotted)
        whole = f"{dotted}.{name}"
        if whole in ("os.sep", "os.path.sep"):
            return Text("/")
        if whole == "os.curdir":
            return Text(".")
        if dotted in ("builtins", "__builtins__"):
            return Name(name)
        if whole in ("os.path.os", "shutil.os", "pathlib.os", "subprocess.os", "tempfile._os"):
            return Name("os")
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
            return Unknown(f"an entry of `{owner.dotted}`") if owner.dotted.partition(".")[0] in _DANGEROUS else UNKNOWN
        if isinstance(owner, Table):
            if name is not None and name in owner.entries:
                return owner.entries[name]
            return choose(owner.entries.values()) if owner.complete and owner.entries and name is None else UNKNOWN
        place = key.value if isinstance(key, Number) else None
        if isinstance(owner, Items) and type(place) is int:
            if 0 <= place < len(owner.items) or (owner.complete and -len(owner.items) <= place < 0):
                return owner.items[place]
            return UNKNOWN
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

    def cut(self, owner: Any, bounds: list[Any]) -> Any:
        """`owner[a:b:c]`."""
        known = all(one is None or (isinstance(one, Number) and type(one.value) in (int, type(None))) for one in bounds)
        whole = slice(*(None if one is None else one.value for one in bounds)) if known else None
        if isinstance(owner, Text) and is_known(owner.text) and whole is not None and (whole.step or 1) != 0:
            return Text(owner.text[whole])
        if isinstance(owner, Items):
            if whole is not None and owner.complete and (whole.step or 1) != 0:
                return Items(owner.items[whole])
            return Items([], False)
        if isinstance(owner, Name) and owner.dotted == "sys.argv":
            return Items([], False)
        return UNKNOWN

    # paths

    def join(self, left: Any, right: Any) -> Any:
        """`left / right` as paths."""
        first, second = text_of(left), text_of(right)
        if second[:1] == "/":
            return self.reader.limited(second, True)
        if not second or second == ".":
            return self.reader.limited(first, True)
        return self.reader.limited(f"{first.rstrip('/')}/{second}" if first not in ("", ".") else second, True)

    def path_attribute(self, path: Text, name: str) -> Any:
        """Return an attribute of a `pathlib` path that is known without a call, None for others."""
        text = path.text.rstrip("/") or "/"
        folder, slash, last = text.rpartition("/")
        if name == "parent":
            return Text((folder or "/") if slash else ("." if text != "." else ".."), True)
        if not is_known(last):
            return UNKNOWN if name in ("name", "stem", "suffix", "parents", "parts") else None
        if name == "name":
            return Text(last)
        if name in ("stem", "suffix"):
            stem, dot, suffix = last.rpartition(".")
            plain = not (dot and stem)
            return Text((last if plain else stem) if name == "stem" else ("" if plain else dot + suffix))
        if name in ("parents", "parts"):
            return UNKNOWN
        return None

    def below(self, folder: Any, pattern: str | None, deep: bool, who: str) -> Any:
        """Return the files that a search for names finds now; incomplete if they cannot be listed."""
        text = text_of(folder)
        if not is_known(text) or pattern is None or not is_known(pattern):
            return Items([], False)
        from policy_engine.model.inline_listing import files_matching

        found = files_matching(self.scene, text, pattern, deep)
        if found is None:
            return Items([], False)
        return Items([Text(one, who == "Path") for one in found])

    # calls by name

    def call_name(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Tell what a function of a module does, and return its result."""
        first = arguments[0] if arguments else None
        self.note_functions(dotted, arguments, named)
        if dotted in ("os.environ.items", "os.environ.values"):
            self.scene.does("discloses")
        if dotted not in ("dict", "len", "isinstance", "sorted", "list", "set"):
            for value in arguments:
                self.show(value)
        if dotted in _LINES and not (isinstance(first, Items) and dotted in _WORDS):
            self.line(dotted, first, named)
            return UNKNOWN
        if dotted in _COMMANDS:
            return self.command(dotted, arguments, named)
        if dotted in _WORDS:
            words = words_of(first) or [text_of(one) for one in arguments if not (isinstance(one, Unknown))]
            self.started(dotted, words if words else [ONE], named)
            return UNKNOWN
        if dotted in _EXECUTES:
            self.executed(dotted, arguments)
            return UNKNOWN
        if dotted in _OPENS:
            return self.opened(dotted, arguments, named)
        if dotted in _TOUCHES:
            return self.touched(dotted, arguments, named)
        return self.special(dotted, first, arguments, named)

    def line(self, who: str, value: Any, named: dict[str, Any]) -> None:
        """A text that a shell runs."""
        if isinstance(value, Items):
            self.started(who, words_of(value) or [ONE], named)
        elif value is None:
            return
        elif text_of(value) == ONE:
            self.doubt_everything(who, f"what `{who}` starts is put together at run time")
        else:
            self.start(text_of(value), named, who)

    def command(self, who: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`subprocess.run` and its like: a list of words, or a line for a shell."""
        value = arguments[0] if arguments else named.get("args")
        shell = named.get("shell")
        runs_line = shell is not None and not (isinstance(shell, Number) and not shell.value)
        if isinstance(value, Items) and runs_line:
            value = value.items[0] if value.items else UNKNOWN
        words = words_of(value)
        if words is None:
            self.line(who, value, named)
        else:
            self.started(who, words, named)
        return UNKNOWN

    def started(self, who: str, words: list[str], named: dict[str, Any]) -> None:
        """A program and its arguments."""
        if not words or words[0] in (ONE, MANY):
            self.doubt_everything(who, f"what `{who}` starts is put together at run time")
            return
        named = {name: value for name, value in named.items() if name != "executable"}
        self.start(shell_words(words), named, who)

    def executed(self, dotted: str, arguments: list[Any]) -> None:
        """`os.exec*`, `os.spawn*`: the file, and words of which the first is only a name."""
        place, form = _EXECUTES[dotted]
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

    def open_file(self, value: Any, mode: Any, who: str) -> None:
        """A file that is read, written, or either where the mode is not known."""
        letters = "r" if mode is None else literal(mode)
        if letters is None or any(char in letters for char in "wax+"):
            self.touch(value, "write", False, who)
        if letters is None or "r" in letters or "+" in letters:
            self.touch(value, "read", False, who)

    def touched(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A function of the table of paths."""
        result: Any = UNKNOWN
        for place, keyword, access, recursive in _TOUCHES[dotted]:
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
        if "copy_function" in named and arguments:
            self.touch(arguments[0], "write", True, dotted)  # it may make hard links
        if dotted.startswith("urllib"):
            self.scene.does("network")
        if dotted.startswith("runpy"):
            self.scene.does("executes")
        return result if dotted.startswith("shutil") else UNKNOWN

    def special(self, dotted: str, first: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Functions that need more than a row of a table."""
        rule = getattr(self, "call_" + dotted.replace(".", "_"), None)
        if rule is not None:
            return rule(arguments, named)
        if dotted in _PATHS:
            return self.joined(arguments, True)
        if dotted == "os.path.join":
            return self.joined(arguments, False)
        if dotted in _SAME_TEXT:
            return first if isinstance(first, (Text, Number)) else UNKNOWN
        if dotted in ("list", "tuple", "set", "sorted", "reversed", "iter"):
            items = self.reader.items(first) if first is not None else []
            return UNKNOWN if items is None else Items(items, not isinstance(first, Items) or first.complete)
        if dotted in ("os.chdir", "os.fchdir", "contextlib.chdir"):
            self.scene.cwd = self.scene.path(text_of(first) if first is not None else ONE, "read")
            return UNKNOWN
        if dotted in ("os.setuid", "os.setgid", "os.seteuid", "os.setreuid", "os.setresuid", "os.setegid"):
            self.scene.doubt("elevates", "the code changes the user that it runs as")
            return UNKNOWN
        if dotted in ("os.kill", "os.killpg", "psutil.Process"):
            self.scene.does("kills")
            return UNKNOWN
        if dotted.startswith("tempfile."):
            return Text(_SCRATCH, True) if "TemporaryDirectory" in dotted or "mk" in dotted else Opened(Text(_SCRATCH))
        if dotted.startswith(("requests.", "httpx.", "urllib.", "socket.", "http.", "aiohttp.", "ftplib.", "smtplib.")):
            self.scene.does("network")
            return UNKNOWN
        self.guess(dotted, arguments, named)
        return UNKNOWN

    def guess(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> None:
        """Keep the texts that an unknown function may run: several words, or a list of words."""
        if dotted.partition(".")[0] in _TEXT_QUIET:
            return
        for value in (*arguments, *named.values()):
            text = literal(value)
            if text is not None and " " in text.strip():
                self.scene.guesses.append(text)
            words = words_of(value)
            if words and len(words) > 1 and all(map(is_known, words)):
                self.scene.guesses.append(shell_words(words))

    def note_functions(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> None:
        """Call what is handed to something that calls it: `map(f, items)`, `Thread(target=f, args=…)`."""
        bare = dotted.rpartition(".")[2]
        target = named.get("target", arguments[0] if arguments else None)
        if bare in _RUNS_EACH and isinstance(target, (Name, Function)):
            for item in (self.reader.items(arguments[1]) if len(arguments) > 1 else None) or [UNKNOWN]:
                self.reader.call(target, [item], {})
            return
        takes = dotted in _TAKES_FUNCTION or bare in _TAKES_FUNCTION
        for place, value in enumerate(arguments):
            if isinstance(value, Function):
                self.reader.pending.append(value)
            elif isinstance(value, Name) and takes:
                self.reader.call(value, arguments[place + 1 :], {})
        handed = named.get("target")
        if isinstance(handed, Function):
            self.reader.pending.append(handed)
        if isinstance(handed, (Name, Function)) and takes:
            given = self.reader.items(named.get("args")) if "args" in named else []
            self.reader.call(handed, given if given is not None else [UNKNOWN], {})

    def joined(self, arguments: list[Any], is_path: bool) -> Any:
        """`os.path.join(…)`, `Path(…)`."""
        made: Any = Text(".", True)
        for value in arguments:
            if isinstance(value, (Items, Unknown)) and value is not UNKNOWN:
                return UNKNOWN
            made = self.join(made, value)
            if not isinstance(made, Text):
                return UNKNOWN
        return Text(made.text, is_path)

    # functions with rules of their own: `call_` and the dotted name

    def call_exec(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`exec(code)`, `eval(code)`: read as code where the text is known."""
        value = arguments[0] if arguments else UNKNOWN
        if isinstance(value, Opened) and value.path is not None:
            self.scene.run(value.path.text)
            return UNKNOWN
        code = literal(value)
        if code is None:
            self.doubt_everything("exec", "the code that `exec` runs is put together at run time")
            self.scene.does("executes")
            return UNKNOWN
        from policy_engine.model.inline_python import parse_python

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
        if isinstance(arguments[0], Name) and arguments[0].dotted.partition(".")[0] not in _DANGEROUS:
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
        value = arguments[0] if arguments else UNKNOWN
        text, home = text_of(value), self.scene.world.home
        if text == "~" or text.startswith("~/"):
            return Text(home + text[1:], getattr(value, "is_path", False)) if home else UNKNOWN
        return value if isinstance(value, Text) and text[:1] not in ("~", "\0") else UNKNOWN

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
        return Text(self.scene.cwd.real) if self.scene.cwd.known else UNKNOWN

    def call_pathlib_Path_cwd(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The folder that it runs in, as a path."""
        return Text(self.scene.cwd.real, True) if self.scene.cwd.known else UNKNOWN

    def call_pathlib_Path_home(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The home folder."""
        return Text(self.scene.world.home, True) if self.scene.world.home else UNKNOWN

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

    def call_tarfile_open(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Open an archive."""
        value = arguments[0] if arguments else named.get("name", UNKNOWN)
        if value is not UNKNOWN or arguments:
            self.open_file(value, named.get("mode", arguments[1] if len(arguments) > 1 else None), "tarfile.open")
        return Archive()

    call_tarfile_TarFile = call_tarfile_open

    def call_shutil_unpack_archive(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Unpack an archive into a folder."""
        self.touch(arguments[0] if arguments else named.get("filename", UNKNOWN), "read", False, "unpack_archive")
        folder = arguments[1] if len(arguments) > 1 else named.get("extract_dir", Text("."))
        self.touch(folder, "write", True, "unpack_archive")
        return UNKNOWN

    def call_sqlite3_connect(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A database file, unless it is one in memory."""
        value = arguments[0] if arguments else named.get("database", UNKNOWN)
        if literal(value) != ":memory:":
            self.touch(value, "write", False, "sqlite3.connect")
        return UNKNOWN

    def call_shelve_open(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A database file."""
        self.touch(arguments[0] if arguments else UNKNOWN, "write", False, "shelve.open")
        return UNKNOWN

    call_dbm_open = call_shelve_open

    def call_glob_glob(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The names that a pattern matches now."""
        pattern = literal(arguments[0]) if arguments else None
        if pattern is None:
            return Items([], False)
        folder, _, rest = pattern.rpartition("/")
        if any(char in folder.replace("**", "") for char in "*?["):
            return Items([], False)
        deep = "**" in folder
        base = folder.partition("**")[0].rstrip("/") if deep else folder
        base = base or ("/" if pattern[:1] == "/" else ".")
        return self.below(Text(base), rest, deep, "glob")

    call_glob_iglob = call_glob_glob

    def call_os_listdir(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """The names in a folder."""
        found = self.below(arguments[0] if arguments else Text("."), "*", False, "listdir")
        return Items([Text(one.text.rpartition("/")[2]) for one in found.items], found.complete)

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

    def decoded(self, arguments: list[Any], coding: str) -> Any:
        """Return the text that a known one decodes to."""
        self.scene.does("decodes")
        text = literal(arguments[0]) if arguments else None
        if text is None or len(text) > MOST_TEXT:
            return UNKNOWN
        import binascii

        try:
            if coding == "rot13":
                lower, upper = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                turned = str.maketrans(lower + upper, lower[13:] + lower[:13] + upper[13:] + upper[:13])
                self.decoded_texts.append(text.translate(turned))
                return Text(self.decoded_texts[-1])
            data = (
                binascii.a2b_base64(text) if coding == "base64" else bytes.fromhex(text) if coding == "hex" else b"\0"
            )
            if b"\0" in data:
                return UNKNOWN
            self.decoded_texts.append(data.decode("latin-1"))
            return Text(self.decoded_texts[-1])
        except ValueError:
            return UNKNOWN

    # calls of methods

    def call_method(self, method: Method, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Tell what a method does, and return its result."""
        owner, name = method.owner, method.name
        self.note_functions(name, arguments, named)
        for value in arguments:
            self.show(value)
        if isinstance(owner, Text):
            return self.text_method(owner, name, arguments, named)
        if isinstance(owner, Items):
            return self.list_method(owner, name, arguments)
        if isinstance(owner, Table):
            return self.table_method(owner, name, arguments)
        if isinstance(owner, Opened):
            return owner if name in ("read", "__enter__") else UNKNOWN
        if name in ("extractall", "extract"):
            place = 0 if name == "extractall" else 1
            folder = arguments[place] if len(arguments) > place else named.get("path", Text("."))
            self.touch(folder, "write", True, name)
            return UNKNOWN
        if isinstance(owner, Archive):
            if name in ("write", "add"):
                self.touch(arguments[0] if arguments else UNKNOWN, "read", True, name)
            return owner if name == "__enter__" else UNKNOWN
        if name in _HARMING:
            access, recursive = _PATH_METHODS[name]
            self.touch(UNKNOWN, access, recursive, name)
        elif name in ("read_text", "read_bytes"):
            self.touch(UNKNOWN, "read", False, name)
        elif name in _WRITERS and arguments and isinstance(arguments[0], Text):
            self.touch(arguments[0], "write", False, name)
        elif name in ("system", "popen", "getoutput") and arguments:
            self.line(name, arguments[0], named)  # of a module that came by a way that was not followed
        elif name in ("run", "sudo", "local", "exec_command", "execute_command"):
            self.guess(name, arguments, named)
        return self.call_unknown(owner, arguments, named) if isinstance(owner, Unknown) and owner.computed else UNKNOWN

    def call_unknown(self, callee: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A value that is called and that nothing says the name of."""
        for value in (*arguments, *named.values()):
            if isinstance(value, Function):
                self.reader.pending.append(value)
        if isinstance(callee, Unknown) and callee.computed:
            self.doubt_everything("the code", f"the code calls {callee.computed}")
        else:
            self.guess("", arguments, named)
        return UNKNOWN

    def text_method(self, owner: Text, name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A method of a text or of a path."""
        texts = [text_of(one) for one in arguments]
        if owner.is_path:
            found = self.path_method(owner, name, arguments, named)
            if found is not None:
                return found
        known = is_known(owner.text) and all(map(is_known, texts))
        if name in _TEXT_METHODS:
            if not known or name == "translate":
                return Text(ONE) if name != "replace" else UNKNOWN
            try:
                result = getattr(owner.text, name)(
                    *(one.value if isinstance(one, Number) else text_of(one) for one in arguments)
                )
            except (TypeError, ValueError, OverflowError, MemoryError):
                return UNKNOWN
            return self.reader.limited(result)
        if name in ("encode", "decode"):
            return owner
        if name == "format":
            return self.formatted(owner.text, arguments, named)
        if name == "join" and arguments:
            items = self.reader.items(arguments[0])
            if items is None:
                return UNKNOWN
            return self.reader.limited(owner.text.join(text_of(one) for one in items))
        if name in ("split", "splitlines", "rsplit"):
            if not known:
                return Items([], False)
            parts = (
                owner.text.splitlines()
                if name == "splitlines"
                else owner.text.split(texts[0] if texts and texts[0] else None)
            )
            return Items([Text(part) for part in parts]) if len(arguments) < 2 else Items([], False)
        if name == "fromhex":
            return self.decoded(arguments, "hex")
        return UNKNOWN

    def path_method(self, owner: Text, name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A method of a `pathlib` path; None for one of plain texts."""
        if name == "open":
            self.open_file(owner, named.get("mode", arguments[0] if arguments else None), "open")
            return Opened(owner)
        if name in ("rename", "replace"):
            self.touch(owner, "delete", True, name)
            self.touch(arguments[0] if arguments else UNKNOWN, "write", True, name)
            return arguments[0] if arguments else UNKNOWN
        if name in ("copy", "copy_into", "move", "move_into"):
            self.touch(owner, "read", True, name)
            self.touch(arguments[0] if arguments else UNKNOWN, "write", True, name)
            return UNKNOWN
        if name in _PATH_METHODS:
            access, recursive = _PATH_METHODS[name]
            self.touch(owner, access, recursive, name)
            if name in ("hardlink_to", "link_to"):
                self.touch(arguments[0] if arguments else UNKNOWN, "write", False, name)
            return Opened(owner) if access == "read" else UNKNOWN
        if name in _PATH_RESULTS:
            if name == "expanduser":
                return self.call_os_path_expanduser([owner], {})
            return owner if name in ("resolve", "absolute") else Text(owner.text)
        if name == "joinpath":
            return self.joined([owner, *arguments], True)
        if name in ("with_name", "with_suffix", "with_stem"):
            folder, slash, last = owner.text.rpartition("/")
            given = text_of(arguments[0]) if arguments else ONE
            stem = last.rpartition(".")[0] or last
            new = given if name == "with_name" else stem + given if name == "with_suffix" else given + last[len(stem) :]
            return self.reader.limited(folder + slash + new, True)
        if name in ("glob", "rglob"):
            pattern = literal(arguments[0]) if arguments else None
            deep = name == "rglob" or (pattern or "").startswith("**/")
            return self.below(owner, None if pattern is None else pattern.removeprefix("**/"), deep, "Path")
        if name == "iterdir":
            return self.below(owner, "*", False, "Path")
        return None

    def list_method(self, owner: Items, name: str, arguments: list[Any]) -> Any:
        """A method of a list."""
        if name in ("append", "add") and arguments:
            owner.items.append(arguments[0])
        elif name in ("extend", "update") and arguments:
            items = self.reader.items(arguments[0])
            owner.items += items or []
            owner.complete = owner.complete and items is not None
        elif name == "insert" and len(arguments) > 1 and isinstance(arguments[0], Number) and arguments[0].value == 0:
            owner.items.insert(0, arguments[1])
        elif name == "copy":
            return Items(list(owner.items), owner.complete)
        elif name in ("insert", "pop", "remove", "clear", "reverse", "sort"):
            if name == "pop" and not arguments and owner.items and owner.complete:
                return owner.items.pop()
            result = choose(owner.items) if owner.complete and owner.items and name == "pop" else UNKNOWN
            owner.items, owner.complete = [], False
            return result
        return UNKNOWN

    def table_method(self, owner: Table, name: str, arguments: list[Any]) -> Any:
        """A method of a dictionary."""
        if name == "get" and arguments:
            key = literal(arguments[0])
            if key is not None and key in owner.entries:
                return owner.entries[key]
            return arguments[1] if len(arguments) > 1 and owner.complete and key is not None else UNKNOWN
        if name == "copy":
            return Table(dict(owner.entries), owner.complete)
        if name == "update" and arguments:
            if isinstance(arguments[0], Table):
                owner.entries.update(arguments[0].entries)
                owner.complete = owner.complete and arguments[0].complete
            else:
                owner.complete = False
        if name == "keys":
            return Items([Text(key) for key in owner.entries], owner.complete)
        if name == "values":
            return Items(list(owner.entries.values()), owner.complete)
        if name == "items":
            return Items([Items([Text(key), value]) for key, value in owner.entries.items()], owner.complete)
        return UNKNOWN

    # formatting

    def formatted(self, text: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`text.format(…)`: fields by place and by name; anything else in braces is unknown."""
        made: list[str] = []
        place, number = 0, 0
        while place < len(text):
            char = text[place]
            if char in "{}" and text[place + 1 : place + 2] == char:
                made.append(char)
                place += 2
            elif char == "{":
                field, _, _ = text[place + 1 :].partition("}")
                place += len(field) + 2
                if field == "":
                    field, number = str(number), number + 1
                if field.isdigit() and int(field) < len(arguments):
                    made.append(text_of(arguments[int(field)]))
                else:
                    made.append(text_of(named.get(field, UNKNOWN)))
            else:
                made.append(char)
                place += 1
        return self.reader.limited("".join(made))

    def percent(self, left: Text, right: Any) -> Any:
        """`text % value`: `%s` and `%d` in their order; anything else is unknown."""
        values = list(right.items) if isinstance(right, Items) else [right]
        pieces = left.text.replace("%%", "\x01").split("%")
        made = [pieces[0]]
        for piece in pieces[1:]:
            if piece[:1] not in ("s", "d"):
                return Text(ONE)
            made.append(text_of(values.pop(0)) if values else ONE)
            made.append(piece[1:])
        return self.reader.limited("".join(made).replace("\x01", "%"))
