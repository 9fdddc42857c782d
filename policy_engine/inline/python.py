"""Read Python code without running it, and tell a analysis what its calls touch and start.

The reader walks the syntax tree in the order of the text and keeps what each name is known to hold: literals, texts
put together from them, paths, lists, functions of the code itself. An unknown part of a text stays an unknown part, as
`"$x"` does in a shell line. Loops over known lists are walked item by item, both branches of a condition are walked.
Nothing of the code is run. Imported by the hook path when a line carries Python.
"""

from __future__ import annotations

from policy_engine.inline.python_calls import Calls
from policy_engine.inline.python_expressions import Expressions
from policy_engine.inline.values import (
    UNKNOWN,
    Function,
    Instance,
    Items,
    Name,
    Repeated,
    Start,
    Table,
    Text,
    choose,
    literal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.inline.effect_analysis import EffectAnalysis

MOST_STEPS = 20_000  # nodes of the syntax tree that are visited, those of repeated bodies counted again
MOST_CODE = 262_144  # characters
_PLAIN_CODINGS = frozenset("utf-8 utf8 ascii us-ascii latin-1 latin1 iso-8859-1 iso-8859-15 utf-8-sig".split())
_ONLY_TREE = 0x400  # PyCF_ONLY_AST: `compile` returns the tree; the module `ast` need not be imported


class TooLong(Exception):
    """The code takes more steps than are read."""


def read_python(code: str, analysis: EffectAnalysis, foreign: bool = False, start: Start | None = None) -> bool:
    """Tell the analysis what the code does.

    Args:
        code: the text of a module.
        analysis: takes the paths, shell lines and effects.
        foreign: whether the code fetches or decodes something, so that unknown code which it runs may be that.
        start: how the file that holds the code was started, None for code of a command line or of standard input.

    Returns:
        False if the text is no Python of this interpreter's version; the analysis is then unchanged.
    """
    reader = Reader(analysis, start)
    if len(code) > MOST_CODE:
        reader.calls.doubt_everything("the code", "the code is too long to be read")
        return True
    tree = parse_python(code)
    if tree is None:
        return False
    try:
        reader.block(tree.body)
        if start is not None:
            reader.pending += [one for name, one in reader.names.items() if reader.is_hook(name, one, start)]
            if start.file.rpartition("/")[2].startswith("test"):
                reader.pending = [one for one in reader.pending if not stands_in(one.node)]
            for call in map(parse_python, start.called or ()):
                reader.block(call.body if call else [])
        reader.callbacks()
    except (TooLong, RecursionError):
        reader.calls.doubt_everything("the code", "the code is too long to be read")
    if reader.calls.runs_unknown and foreign:
        analysis.does("executes-remote")
    if reader.calls.runs_unknown and any(word in code for word in ("stdin", "input(")):
        analysis.does("executes-input")
    return True


def stands_in(function: Any) -> bool:
    """Return whether a test puts something else in the place of what it calls, or expects it to fail."""
    waiting = [function]
    while waiting:
        node = waiting.pop()
        name = str(getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "arg", "") or "").lower()
        if any(word in name for word in ("mock", "patch", "raises")):
            return True
        for field in node._fields:
            value = getattr(node, field, None)
            waiting += [one for one in (value if isinstance(value, list) else [value]) if hasattr(one, "_fields")]
    return False


def recoded(code: str) -> str | None:
    """Return a file's text as Python reads it by the encoding that one of its first two lines names, without that name;
    None where that is a usual one. "" if nobody can say.
    """
    lines = code.split("\n", 2)
    if "coding" not in "".join(lines[:2]):
        return None
    coding = named_coding(code)
    if not coding:
        return None
    text = "\n".join((*(line.replace("coding", "written") for line in lines[:2]), *lines[2:]))
    try:
        return text.encode("utf-8", "surrogateescape").decode(coding, "replace")
    except (LookupError, ValueError):
        return ""


def named_coding(code: str) -> str:
    """Return the encoding that one of the first two lines names, "" if it is a usual one or there is none."""
    import re

    for line in code.split("\n", 2)[:2]:
        found = re.match(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line)
        if found and found[1].lower().replace("_", "-") not in _PLAIN_CODINGS:
            return str(found[1])[:40]
    return ""


def parse_python(code: str) -> Any:
    """Return the syntax tree of a module, None if the text is none."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(code, "<code>", "exec", _ONLY_TREE, dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
        return None


class Reader(Expressions):
    """The state of one reading: what names hold, and how far it may go on."""

    def __init__(self, analysis: EffectAnalysis, start: Start | None) -> None:
        self.analysis = analysis
        self.calls = Calls(analysis, self)
        self.names: dict[str, Any] = {"__name__": Text("__main__")}
        self.start = start
        if start is not None:
            self.names["__file__"] = Text(start.file)
            self.calls.environment.update(start.variables)
        self.steps = 0
        self.depth = 0
        self.applied: list[int] = []  # the bodies of functions that are being walked
        self.results: list[Any] = []
        self.pending: list[Function] = []  # functions that something else may call

    # statements

    def block(self, nodes: list[Any]) -> None:
        """Walk statements in their order."""
        for node in nodes:
            self.step()
            visit = getattr(self, f"do_{type(node).__name__}", None)
            if visit is not None:
                visit(node)
            else:
                self.parts(node)

    def is_hook(self, name: str, value: Any, start: Start) -> bool:
        """Return whether pytest calls a function of the file by its name."""
        file = start.file.rpartition("/")[2]
        tests = file.startswith("test") or file.endswith("_test.py")
        called = (file == "conftest.py" and name.startswith("pytest_")) or (
            tests and name.startswith(("test", "setup"))
        )
        return called and isinstance(value, Function)

    def step(self) -> None:
        """Count a visited node."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong

    def parts(self, node: Any) -> None:
        """Evaluate every expression within a statement that has no rule of its own."""
        for name in node._fields:
            value = getattr(node, name, None)
            for part in value if isinstance(value, list) else (value,):
                if hasattr(part, "_fields"):
                    if hasattr(part, "lineno"):
                        self.value(part)
                    else:
                        self.parts(part)

    def do_Expr(self, node: Any) -> None:
        """An expression alone."""
        self.value(node.value)

    def do_Assign(self, node: Any) -> None:
        """Bind each target."""
        value = self.value(node.value)
        for target in node.targets:
            self.bind(target, value)

    def do_AnnAssign(self, node: Any) -> None:
        """Bind the target of an annotated assignment."""
        if node.value is not None:
            self.bind(node.target, self.value(node.value))

    def do_AugAssign(self, node: Any) -> None:
        """`name += value`."""
        old = self.value(node.target)
        value = self.value(node.value)
        if isinstance(old, Name) and old.dotted == "sys.path":
            self.calls.add_folders([value])
        self.bind(node.target, self.operate(type(node.op).__name__, old, value))

    def do_Delete(self, node: Any) -> None:
        """`del name`."""
        for target in node.targets:
            if type(target).__name__ == "Name":
                self.names.pop(target.id, None)

    def do_Import(self, node: Any) -> None:
        """`import a.b as c`."""
        for alias in node.names:
            dotted = alias.name if alias.asname else alias.name.partition(".")[0]
            self.names[alias.asname or dotted] = Name(dotted)
            self.calls.imported(alias.name)

    def do_ImportFrom(self, node: Any) -> None:
        """`from a import b as c`."""
        for alias in node.names:
            if alias.name == "*":
                self.names["*"] = Name(node.module or "")
            else:
                self.names[alias.asname or alias.name] = Name(f"{node.module or ''}.{alias.name}")
                self.calls.imported(f"{node.module}.{alias.name}" if node.module else "", True)
        self.calls.imported(node.module or "")

    def do_FunctionDef(self, node: Any) -> None:
        """Keep a function; what nobody calls does nothing."""
        arguments = node.args
        ordered = [*arguments.posonlyargs, *arguments.args]
        optional = [one.arg for one in ordered[len(ordered) - len(arguments.defaults) :]]
        defaults = {name: self.value(one) for name, one in zip(optional, arguments.defaults, strict=True)}
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                defaults[one.arg] = self.value(default)
        function = Function(node, defaults)
        self.names[node.name] = function
        for decorator in node.decorator_list:
            self.value(decorator)
            self.pending.append(function)

    do_AsyncFunctionDef = do_FunctionDef

    def do_ClassDef(self, node: Any) -> None:
        """Walk the body; methods may be called by anybody, with anything."""
        members: dict[str, Any] = {}
        for base in node.bases:
            value = self.value(base)
            members.update(value.members if isinstance(value, Instance) else {})
        outer, self.names = self.names, dict(self.names)
        self.block(node.body)
        own = {name: value for name, value in self.names.items() if outer.get(name) is not value}
        self.pending += [value for value in own.values() if isinstance(value, Function)]
        self.names = outer
        self.names[node.name] = Instance({**members, **own})

    def do_Return(self, node: Any) -> None:
        """Keep the result of the function."""
        self.results.append(UNKNOWN if node.value is None else self.value(node.value))

    def do_If(self, node: Any) -> None:
        """Walk both branches."""
        self.value(node.test)
        self.branches(node.body, node.orelse)

    def branches(self, *bodies: list[Any]) -> None:
        """Walk each body from the state now; a name then holds what one of them left."""
        before = self.names
        after: list[dict[str, Any]] = []
        for body in bodies:
            self.names = dict(before)
            self.block(body)
            after.append(self.names)
        missing = object()
        merged: dict[str, Any] = {}
        for name in {name: None for names in after for name in names}:
            values = [names.get(name, missing) for names in after]
            merged[name] = choose(one for one in values if one is not missing)
        self.names = merged

    def do_Try(self, node: Any) -> None:
        """Walk the body, and each handler as something that may follow."""
        self.block(node.body)
        self.branches([], *(handler.body for handler in node.handlers), node.orelse)
        self.block(node.finalbody)

    do_TryStar = do_Try

    def do_With(self, node: Any) -> None:
        """`with value as name`."""
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
        self.block(node.body)

    do_AsyncWith = do_With

    def do_For(self, node: Any) -> None:
        """Walk the body for each item, or once with unknown values."""
        value = self.value(node.iter)
        items = self.items(value)
        if items is None:
            again = self.forget_changed(node.body)
            self.bind(node.target, value.item if isinstance(value, Repeated) else UNKNOWN)
            self.branches([], node.body)
            if again:
                self.branches([], node.body)
        else:
            for item in items:
                self.bind(node.target, item)
                self.block(node.body)
        self.block(node.orelse)

    do_AsyncFor = do_For

    def do_While(self, node: Any) -> None:
        """Walk the body, with what it adds to unknown."""
        self.value(node.test)
        again = self.forget_changed(node.body)
        self.branches([], node.body)
        if again:
            self.branches([], node.body)
        self.block(node.orelse)

    def do_Match(self, node: Any) -> None:
        """Walk each case."""
        self.value(node.subject)
        self.branches([], *(case.body for case in node.cases))

    def forget_changed(self, nodes: list[Any]) -> bool:
        """Make unknown what a body that is repeated adds to; return whether it gives a name of before another value,
        which the next round finds.
        """
        again = False
        added: list[Any] = []
        waiting = list(nodes)
        while waiting:
            self.step()
            node = waiting.pop()
            if type(node).__name__ == "AugAssign" and type(node.target).__name__ == "Name":
                self.names[node.target.id] = UNKNOWN
                added.append(node.target)
            elif type(node).__name__ == "Name" and type(node.ctx).__name__ == "Store" and node not in added:
                again = again or node.id in self.names
            for name in node._fields:
                value = getattr(node, name, None)
                waiting += [
                    part for part in (value if isinstance(value, list) else [value]) if hasattr(part, "_fields")
                ]
        return again

    def bind(self, target: Any, value: Any) -> None:
        """Give a target its value."""
        kind = type(target).__name__
        if kind == "Name":
            self.names[target.id] = value
        elif kind in ("Tuple", "List"):
            items = self.items(value)
            known = items is not None and len(items) == len(target.elts)
            for place, one in enumerate(target.elts):
                self.bind(one, items[place] if known and items is not None else UNKNOWN)
        elif kind == "Starred":
            self.bind(target.value, UNKNOWN)
        elif kind == "Subscript":
            owner = self.value(target.value)
            key = literal(self.value(target.slice))
            if isinstance(owner, Table) and key is not None:
                owner.entries[key] = value
            elif isinstance(owner, Items):
                owner.complete = False
                if owner is self.calls.argv and type(target.slice).__name__ == "Slice" and target.slice.upper is None:
                    lower = target.slice.lower
                    behind = 0 if lower is None else getattr(self.value(lower), "value", None)
                    self.calls.set_arguments(value, behind if type(behind) is int else 1 << 16)
            elif isinstance(owner, Name):
                self.calls.set_entry(owner.dotted, key, value)
        elif kind == "Attribute":
            owner = self.value(target.value)
            if isinstance(owner, Name) and f"{owner.dotted}.{target.attr}" == "sys.argv":
                self.calls.set_arguments(value)
            elif isinstance(owner, Instance):
                owner.members[target.attr] = value
