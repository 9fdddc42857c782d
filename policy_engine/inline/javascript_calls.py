"""Say what a call in JavaScript does, by tables of the functions that touch files or start programs.

A function that is reached by reflection (a computed member of such a module, a computed import) may do everything; any
other function that is not in the tables is taken to touch nothing. Imported by the hook path when a line carries such
code.
"""

from __future__ import annotations

from policy_engine.inline.effects import PRINTED_DEPTH
from policy_engine.inline.javascript_modules import Modules
from policy_engine.inline.javascript_tables import (
    DANGEROUS,
    EACH,
    FILES,
    PRINTING,
    QUIET,
    RELOCATES,
    SECRET,
    SENDING,
    STREAMS,
    TEXT_METHODS,
)
from policy_engine.inline.texts import code_of_address
from policy_engine.inline.values import (
    UNKNOWN,
    Items,
    Method,
    Name,
    Number,
    Opened,
    Output,
    Returned,
    Secret,
    Start,
    Table,
    Text,
    Unknown,
    choose,
    literal,
    text_of,
    words_of,
)
from policy_engine.model.partial import ONE, PARENT, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JavaScriptCalls(Modules):
    """Calls of functions by name, told to one analysis."""

    # names

    def ambient(self, name: str) -> Any:
        """Return a name that the code does not bind: one of the language, or of what it was loaded into."""
        if name in ("__dirname", "__filename"):
            return self.call_path("dirname", [], self.file()) if name == "__dirname" else self.file()
        if name in ("fs", "path", "os", "child_process"):
            return Name(name)
        return Name(f"ambient {name}") if name in QUIET else UNKNOWN

    def file(self) -> Any:
        """The file that holds the code; of code on a command line one that is not there, in the folder it runs in."""
        name = self.start_of.file if self.start_of is not None else "[eval]"
        return Text(name) if name[:1] == "/" else self.join(self.folder(), Text(name))

    def attribute(self, value: Any, name: str) -> Any:
        """Return `value.name`."""
        if isinstance(value, Table):
            if name in value.entries:
                return value.entries[name]
            return Method(value, name)
        if isinstance(value, Output) and name == "stdout":
            return value
        if isinstance(value, Text) and name == "length":
            return UNKNOWN
        if not isinstance(value, Name):
            return Method(value, name)
        dotted = value.dotted
        if name in ("then", "catch", "finally", "call", "apply", "bind"):
            return Method(value, name)
        if dotted == "globalThis":
            return Name(name) if name not in ("globalThis", "global", "window", "self") else value
        if dotted == "process.env":
            return self.variable(name)
        if dotted in ("fs", "os", "path", "child_process") and name in ("promises", "default", "posix"):
            return value
        if dotted == "os" and name == "EOL":
            return Text("\n")
        if dotted == "path" and name == "sep":
            return Text("/")
        if dotted in ("import", "import.meta") and name in ("meta", "dirname", "filename", "url"):
            return Name("import.meta") if name == "meta" else self.ambient(f"__{name.replace('url', 'filename')}")
        if dotted == "process" and name == "ppid":
            return Text(PARENT)
        if dotted == "process" and name == "mainModule":
            return Name("module")
        if dotted == "process" and name == "argv":
            start = self.start_of or Start("", None)
            files = [start.file] if start.file else []  # code of a command line has none
            return start.words("/usr/bin/node", *files)
        return Name(f"{dotted}.{name}")

    def entry(self, value: Any, key: Any) -> Any:
        """Return `value[key]`."""
        name = literal(key)
        if name is not None:
            return self.attribute(value, name)
        if isinstance(value, Name):
            if value.dotted == "process.env":
                self.analysis.does("discloses")
                return UNKNOWN
            root = value.dotted.partition(".")[0]
            return Unknown(f"a computed member of `{value.dotted}`") if root in DANGEROUS else UNKNOWN
        place = key.value if isinstance(key, Number) else None
        if isinstance(value, Items) and type(place) is int:
            if value.loose:
                return choose(value.items) if value.complete and value.items else UNKNOWN
            return value.items[place] if 0 <= place < len(value.items) else value.beyond
        if isinstance(value, Items) and value.complete and value.items:
            return choose(value.items)
        return UNKNOWN

    def variable(self, name: str) -> Any:
        """A variable's value, and whether reading it tells a secret."""
        if any(part in name.upper() for part in SECRET):
            if self.is_imported:
                return Secret()
            self.analysis.does("discloses")
        if name in self.environment:
            return Text(self.environment[name]) if is_known(self.environment[name]) else UNKNOWN
        return Text(self.analysis.filesystem.home) if name == "HOME" and self.analysis.filesystem.home else UNKNOWN

    def set_member(self, owner: Any, key: str | None, value: Any) -> None:
        """`owner.key = value`."""
        if isinstance(owner, Name) and owner.dotted == "process.env" and key is not None and key.isidentifier():
            self.environment[key] = text_of(value)
        elif isinstance(owner, Name) and owner.dotted == "module" and key == "exports":
            self.exports = value
        elif isinstance(owner, Name) and owner.dotted in ("exports", "module.exports") and isinstance(key, str):
            if isinstance(self.exports, Table):
                self.exports.entries[key] = value
        elif isinstance(owner, Table):
            if key is None:
                owner.complete = False
            else:
                owner.entries[key] = value
        elif isinstance(owner, Items):
            owner.complete = False

    # calls

    def call_name(self, dotted: str, arguments: list[Any]) -> Any:
        """Tell what a function does, and return its result."""
        root, _, bare = dotted.partition(".")
        first = arguments[0] if arguments else UNKNOWN
        prints = root in PRINTING or dotted in STREAMS
        if prints or not self.is_imported or root in SENDING:
            for value in arguments:
                self.show(value, PRINTED_DEPTH if prints else 0)
        self.handed_over(() if prints else arguments)
        if root[:6] == "local ":
            return self.called_there(int(root[6:]), bare, arguments)
        if root.removeprefix("ambient ") in ("fetch", "axios", "got"):
            self.send(dotted, arguments, self.options(arguments))
        rule = getattr(self, f"call_{root}", None)
        if rule is not None:
            return rule(bare or root, arguments, first)
        if root in ("import", "require", "createRequire"):
            return self.required(first)
        if root.startswith("ambient ") or root in QUIET:
            if dotted in ("ambient Object.assign", "Object.assign"):
                return next((one for one in arguments if isinstance(one, Table)), UNKNOWN)
            if bare in ("entries", "values", "stringify") and self.is_environment(first):
                self.analysis.does("discloses")
            return UNKNOWN
        self.guess("", arguments, {})
        return UNKNOWN

    def is_environment(self, value: Any) -> bool:
        """Return whether a value is the whole environment."""
        return (isinstance(value, Name) and value.dotted == "process.env") or (
            isinstance(value, Table) and value.secret
        )

    def show(self, value: Any, depth: int = 0) -> None:
        """Tell of the whole environment, or of a file's content, that is made a text."""
        super().show(value, depth)
        if self.is_environment(value):
            self.analysis.does("discloses")
        if isinstance(value, Returned):
            value.calls[value.place] = f"={value.calls[value.place].lstrip('=')}"

    def options(self, arguments: list[Any]) -> dict[str, Any]:
        """Return the entries of the last argument, if it is an object."""
        return arguments[-1].entries if arguments and isinstance(arguments[-1], Table) else {}

    def settings(self, arguments: list[Any]) -> dict[str, Any]:
        """Return the folder, variables and input that the options of a start give."""
        named = {key: value for key, value in self.options(arguments).items() if key in ("cwd", "env", "input")}
        if "cwd" in named and not isinstance(named["cwd"], Text):
            named["cwd"] = Text(ONE)
        return named

    def call_fs(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """A function of `fs`, or one like it."""
        name = bare.removeprefix("promises.").removesuffix("Sync")
        if name == "open":
            mode = literal(arguments[1]) if len(arguments) > 1 else "r"
            if mode is None or any(char in mode for char in "wax+"):
                self.touch(first, "write", False, name)
            if mode is None or "r" in mode:
                self.touch(first, "read", False, name)
            return Opened(first if isinstance(first, Text) else None)
        if name in ("readdir", "opendir"):
            found = self.below(first, "*", False, "readdir")
            names = [Text(one.text.rpartition("/")[2]) for one in found.items]
            if "withFileTypes" in self.options(arguments):
                return Items([Table({"name": one, "parentPath": first}, False) for one in names], found.complete)
            return Items(names, found.complete)
        if name == "glob":
            return self.call_glob(bare, arguments, first)
        if name in ("realpath", "readlink"):
            return first
        recursive = self.options(arguments).get("recursive", Number(None))
        deep = not isinstance(recursive, Number) or bool(recursive.value)
        for place, access, whole in FILES.get(name, ()):
            value = arguments[place] if place < len(arguments) else UNKNOWN
            self.touch(value, access, whole or (deep and name != "mkdir"), name)
        if name in RELOCATES:
            self.relocate(RELOCATES[name], first, arguments[1] if len(arguments) > 1 else UNKNOWN)
        return Opened(first if isinstance(first, Text) else None) if name.startswith("read") else UNKNOWN

    def call_rimraf(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`rimraf(path)`."""
        self.touch(first, "delete", True, "rimraf")
        return UNKNOWN

    def call_child_process(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`exec`, `spawn` and their like."""
        name, made = bare.removesuffix("Sync"), None
        if name == "exec":
            made = self.line(bare, first, self.settings(arguments))
        elif name in ("spawn", "execFile"):
            made = self.spawned(bare, arguments)
        elif name == "fork":
            self.touch(first, "run", False, bare)
        return made if isinstance(made, Output) and name != bare else Opened(None)

    def call_glob(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`glob.sync(pattern)`, `globby([patterns])`."""
        from policy_engine.inline.listing import globbed

        return globbed(self, self.reader.items(first) or [first], self.options(arguments))

    def call_spawn(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`cross-spawn`."""
        self.spawned("spawn", arguments)
        return UNKNOWN

    def spawned(self, who: str, arguments: list[Any]) -> Any:
        """A program, a list of words, and options; return what it prints."""
        words = [text_of(arguments[0]) if arguments else ONE]
        given = arguments[1] if len(arguments) > 1 else None
        more = words_of(given)
        if more is None and given is not None and not isinstance(given, (Table, Number)) and not self.is_closure(given):
            more = [ONE] if len(arguments) > 1 else []
        words += more or []
        shell = self.options(arguments).get("shell", Number(None))
        if not isinstance(shell, Number) or shell.value:
            return self.line(who, Text(" ".join(words)) if words[0] != ONE else UNKNOWN, self.settings(arguments))
        return self.started(who, words, self.settings(arguments))

    def is_closure(self, value: Any) -> bool:
        """Return whether a value is a function of the code."""
        return hasattr(value, "parameters")

    def call_execa(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`execa(file, words)`, `execaCommand(line)`."""
        if "ommand" in bare:
            self.line(bare, first, self.settings(arguments))
        elif bare != "$":
            self.spawned(bare, arguments)
        return Name("execa.$") if bare == "$" else UNKNOWN

    def call_shelljs(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """Programs by name, as functions."""
        if bare == "exec":
            self.line(bare, first, self.settings(arguments))
        elif bare:
            words = [word for one in arguments for word in (words_of(one) or [text_of(one)])]
            self.started(bare, [bare, *words], {})
        return UNKNOWN

    def call_zx(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`cd(folder)`; `$` is a tag."""
        if bare == "cd":
            self.analysis.cwd = self.analysis.path(text_of(first), "read")
        return UNKNOWN

    def tagged(self, tag: Any, text: Any) -> Any:
        """A template behind a name: `` $`line` `` of zx, execa and Bun is a line for a shell."""
        dotted = tag.dotted if isinstance(tag, Name) else ""
        method = isinstance(tag, Method) and tag.name in ("$", "sh", "bash", "exec")
        if dotted.rpartition(".")[2] in ("$", "sync", "spinner") or dotted in ("$",) or method:
            self.line("$", text, {})
            return UNKNOWN
        if isinstance(tag, Name) and dotted.startswith(("execa", "zx")):
            self.line("$", text, {})
            return UNKNOWN
        return text if dotted.endswith("String.raw") else UNKNOWN

    def call_process(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`process.chdir`, `process.kill` and so on."""
        if bare == "cwd":
            return self.folder()
        if bare == "chdir":
            self.analysis.cwd = self.analysis.path(text_of(first), "read")
        elif bare == "kill":
            self.analysis.signals(str(first.value) if isinstance(first, Number) else text_of(first))
        elif bare in ("binding", "_linkedBinding", "dlopen"):
            self.doubt_everything("the code", f"what `process.{bare}` gives is not known")
        elif bare in ("setuid", "setgid", "seteuid", "setegid"):
            self.analysis.doubt("elevates", "the code changes the user that it runs as")
        elif bare == "getBuiltinModule":
            return self.required(first)
        elif bare == "loadEnvFile":
            self.touch(first if arguments else Text(".env"), "read", False, bare)
        return UNKNOWN

    def call_dotenv(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`dotenv.config({path})`."""
        self.touch(self.options(arguments).get("path", Text(".env")), "read", False, "dotenv")
        return UNKNOWN

    def call_module(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`module.require(name)`, `createRequire(…)`."""
        return Name("require") if bare == "createRequire" else self.required(first)

    def call_workers(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`Worker(file)`, `Worker(code, {eval: true})`."""
        if bare == "Worker":
            coded = self.options(arguments).get("eval", Number(None))
            if not isinstance(coded, Number) or coded.value:
                return self.evaluate(first)
            name = literal(first)
            if name is not None and code_of_address(name) is None:
                self.touch(Text(name.removeprefix("file://")), "run", False, bare)
            elif name is not None:
                self.required(first)
        return UNKNOWN

    def call_cluster(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`setupPrimary({exec: file})`."""
        file = self.options(arguments).get("exec")
        if bare.startswith("setup") and file is not None:
            self.touch(file, "run", False, bare)
        return UNKNOWN

    def call_globalThis(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """A function of the global object."""
        return self.call_name(bare, arguments) if bare != "globalThis" else UNKNOWN

    def call_vm(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`vm.runInNewContext(code)`, `eval(code)`."""
        return self.evaluate(first)

    call_eval = call_vm

    def call_Function(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`Function(…, code)`: a function of the code."""
        return self.function(arguments)

    def call_util(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`promisify(function)` does what the function does."""
        return first if bare in ("promisify", "callbackify", "deprecate") else UNKNOWN

    def evaluate(self, value: Any) -> Any:
        """Code in a text."""
        code = literal(value)
        if code is None:
            self.doubt_everything("eval", "the code that `eval` runs is put together at run time")
            self.analysis.does("executes")
            return UNKNOWN
        from policy_engine.inline.javascript_tokens import NotRead, tokens_of

        reader: Any = self.reader
        if reader.depth >= 8:
            return UNKNOWN
        reader.depth += 1
        try:
            reader.within(tokens_of(code), reader.statements)
        except NotRead:
            self.doubt_everything("eval", "the code that `eval` runs is not understood")
        finally:
            reader.depth -= 1
        return UNKNOWN

    def function(self, arguments: list[Any]) -> Any:
        """Return a function whose parameters and body are texts."""
        texts = [literal(one) for one in arguments]
        if any(text is None for text in texts):
            return self.evaluate(UNKNOWN)
        from policy_engine.inline.javascript_state import Closure
        from policy_engine.inline.javascript_tokens import NotRead, tokens_of

        try:
            parameters, body = tokens_of(", ".join(filter(None, texts[:-1]))), tokens_of((texts or [""])[-1] or "")
        except NotRead:
            return self.evaluate(UNKNOWN)
        made: Any = Closure(parameters, body, False, {})
        self.reader.pending.append(made)
        return made

    def construct(self, value: Any, arguments: list[Any]) -> Any:
        """`new Name(…)`."""
        dotted = value.dotted if isinstance(value, Name) else ""
        first = arguments[0] if arguments else UNKNOWN
        if dotted == "Function":
            return self.function(arguments)
        if dotted == "Deno.Command":
            words = words_of(self.options(arguments).get("args", Items([])))
            self.started(dotted, [text_of(first), *(words if words is not None else [ONE])], self.settings(arguments))
        if dotted == "vm.Script":
            return self.evaluate(first)
        if dotted in ("workers.Worker", "ambient Worker", "globalThis.Worker"):
            return self.call_workers("Worker", arguments, first)
        if dotted == "ambient URL" and len(arguments) == 1:
            return first
        if dotted == "ambient URL" and len(arguments) > 1:
            base = self.call_path("dirname", arguments, arguments[1])
            return self.join(base, first) if isinstance(base, Text) and isinstance(first, Text) else UNKNOWN
        if isinstance(value, Unknown) and value.computed:
            return self.call_unknown(value, arguments)
        for one in arguments:
            if self.is_closure(one):
                self.reader.keep(one)  # type: ignore[attr-defined]
        return UNKNOWN

    def call_Bun(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """Functions of Bun."""
        if bare in ("spawn", "spawnSync"):
            words = words_of(first)
            if words is None and isinstance(first, Table):
                words = words_of(first.entries.get("cmd"))
            self.started(bare, words if words is not None else [ONE], self.settings(arguments))
        elif bare == "write":
            self.touch(first, "write", False, "Bun.write")
        elif bare == "file":
            return Text(text_of(first), True) if isinstance(first, Text) else UNKNOWN
        return UNKNOWN

    def call_Deno(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """Functions of Deno."""
        if bare == "run":
            words = words_of(self.options(arguments).get("cmd"))
            self.started(bare, words if words is not None else [ONE], self.settings(arguments))
            return UNKNOWN
        if bare == "cwd":
            return self.folder()
        if bare in ("env.toObject", "env.get"):
            return self.variable(literal(first) or "SECRET")
        return self.call_fs(bare, arguments, first)

    def call_os(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`os.homedir()`, `os.tmpdir()`."""
        if bare == "homedir" and self.analysis.filesystem.home:
            return Text(self.analysis.filesystem.home)
        return Text("/tmp") if bare == "tmpdir" else UNKNOWN

    def call_path(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """Functions on paths."""
        if bare == "resolve" or bare == "join":
            made = self.joined(arguments, False)
            if not isinstance(made, Text):
                return UNKNOWN
            if bare == "join" and any(text_of(one)[:1] == "/" for one in arguments[1:]):
                return Text(
                    "/".join(text_of(one).strip("/") if place else text_of(one) for place, one in enumerate(arguments))
                )
            return made
        if bare in ("normalize", "toNamespacedPath"):
            return first
        text = text_of(first)
        if bare == "dirname" and isinstance(first, Text):
            return Text(text.rpartition("/")[0] or ("/" if text[:1] == "/" else "."))
        if bare == "basename" and is_known(text):
            return Text(text.rpartition("/")[2]) if len(arguments) == 1 else UNKNOWN
        return UNKNOWN

    def call_url(self, bare: str, arguments: list[Any], first: Any) -> Any:
        """`fileURLToPath(url)`."""
        named = bare == "fileURLToPath" and isinstance(first, Text)
        return Text(text_of(first).removeprefix("file://")) if named else UNKNOWN

    # methods of other values

    def call_method(self, method: Method, arguments: list[Any]) -> Any:
        """Tell what a method does, and return its result."""
        owner, name = method.owner, method.name
        for value in arguments if not self.is_imported else ():
            self.show(value)
        self.handed_over(arguments)
        if name in EACH or name in ("then", "catch", "finally", "on", "once"):
            return self.called_back(owner, name, arguments)
        if name == "bind" and isinstance(owner, Name):
            return owner
        if name in ("call", "apply") and isinstance(owner, Name):
            given: list[Any] | None = arguments[1:]
            if name == "apply":
                given = self.reader.items(given[0]) if given else []
            return self.call_name(owner.dotted, [Unknown()] if given is None else given)
        if isinstance(owner, Text):
            return self.text_method(owner, name, arguments)
        if isinstance(owner, Items):
            return self.list_method(owner, name, arguments)
        if isinstance(owner, Opened):
            return owner.after(name)
        if isinstance(owner, Unknown) and owner.computed:
            return self.call_unknown(owner, arguments)
        return UNKNOWN

    def called_back(self, owner: Any, name: str, arguments: list[Any]) -> Any:
        """A function that is called with the value, or with each item of it."""
        function = arguments[0] if arguments else UNKNOWN
        if name == "then":
            known = self.is_closure(function) or isinstance(function, Name)
            return self.reader.call(function, [owner], {}) if known else UNKNOWN
        items = self.reader.items(owner)
        if items is None and isinstance(function, Name):
            items = [UNKNOWN]
        if items is None or not (self.is_closure(function) or isinstance(function, Name)):
            return UNKNOWN
        results = [self.reader.call(function, [item], {}) for item in items]
        complete = isinstance(owner, Items) and owner.complete
        if name == "map":
            return Items(results, complete, isinstance(owner, Items) and owner.loose)
        if name == "filter":
            return Items(list(items), complete, True)
        return choose(items) if name.startswith("find") and complete and items else UNKNOWN

    def call_unknown(self, callee: Any, arguments: list[Any]) -> Any:
        """A value that is called and that nothing says the name of."""
        if isinstance(callee, Unknown) and callee.computed:
            self.doubt_everything("the code", f"the code calls {callee.computed}")
        else:
            self.guess("", arguments, {})
        return UNKNOWN

    def text_method(self, owner: Text, name: str, arguments: list[Any]) -> Any:
        """A method of a text."""
        texts = [text_of(one) for one in arguments]
        if owner.is_path and name in ("text", "json", "arrayBuffer", "bytes", "stream"):
            self.touch(owner, "read", False, "Bun.file")
            return Opened(owner)
        if owner.is_path and name in ("write", "delete", "unlink"):
            self.touch(owner, "write" if name == "write" else "delete", False, "Bun.file")
            return UNKNOWN
        if name == "concat":
            return self.reader.limited(owner.text + "".join(texts))
        if not is_known(owner.text) or not all(map(is_known, texts)):
            return UNKNOWN
        if name in TEXT_METHODS:
            return Text(getattr(owner.text, TEXT_METHODS[name])())
        if name == "split" and texts:
            return Items([Text(part) for part in (owner.text.split(texts[0]) if texts[0] else owner.text)])
        if (
            name == "replaceAll"
            and len(texts) > 1
            and isinstance(arguments[0], Text)
            and isinstance(arguments[1], Text)
        ):
            return self.reader.limited(owner.text.replace(texts[0], texts[1]))
        if name == "replace" and len(texts) > 1 and isinstance(arguments[0], Text) and isinstance(arguments[1], Text):
            return self.reader.limited(owner.text.replace(texts[0], texts[1], 1))
        return UNKNOWN

    def list_method(self, owner: Items, name: str, arguments: list[Any]) -> Any:
        """A method of a list."""
        if name == "join":
            separator = text_of(arguments[0]) if arguments else ","
            items = [text_of(one) for one in self.reader.items(owner) or []]
            return self.reader.limited(separator.join(items))
        if name == "push":
            owner.items += arguments
        elif name == "concat":
            more = [item for one in arguments for item in (self.reader.items(one) or [one])]
            return Items([*owner.items, *more], all(one.exact for one in (owner, *arguments) if isinstance(one, Items)))
        elif name in ("slice", "reverse", "sort", "splice", "pop", "shift", "unshift"):
            result = choose(owner.items) if owner.complete and owner.items and name in ("pop", "shift") else UNKNOWN
            if name == "slice":
                return self.cut(owner, [*arguments, None, None, None][:3])
            if name in ("reverse", "sort") and owner.complete:
                return Items(owner.items[::-1], True, name == "sort" or owner.loose)
            owner.items, owner.complete = [], False
            return result if name in ("pop", "shift") else Items([], False)
        return UNKNOWN
