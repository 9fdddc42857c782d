"""Evaluate the expressions of Python code, as far as their values are known.

`Expressions` is the half of the reader in `python.py` that walks no statements. Imported by the hook path when a line
carries Python.
"""

from __future__ import annotations

from policy_engine.inline.pure_calls import worked_out
from policy_engine.inline.python_arguments import Fields
from policy_engine.inline.values import (
    MOST_TEXT,
    RECURSION,
    UNKNOWN,
    Choice,
    Counted,
    Function,
    Instance,
    Items,
    Method,
    Name,
    Number,
    Opened,
    Output,
    Repeated,
    Table,
    Text,
    Unknown,
    alternatives,
    choose,
    literal,
    text_of,
)
from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.inline.python_calls import Calls

_DEPTH = 12  # calls of functions of the code within one another
_BUILTINS = frozenset(
    (
        "open exec eval compile __import__ getattr setattr globals locals vars map filter list tuple set sorted "
        "reversed str bytes bytearray int float chr ord len repr print input range zip enumerate iter next dict "
        "any all max min sum abs round bool __builtins__ execfile"
    ).split()
)
# names that code may have from where it runs (an interactive shell, an import that was not followed)
_NOT_IMPORTED = {name: name for name in ("os", "sys", "subprocess", "shutil", "glob", "base64", "pathlib", "importlib")}
_NOT_IMPORTED["Path"] = "pathlib.Path"


def _is_whole(value: Any) -> bool:
    return isinstance(value, Counted) or (isinstance(value, Number) and type(value.value) is int)


class Expressions:
    """The values of names and expressions."""

    calls: Calls
    names: dict[str, Any]
    depth: int
    applied: list[int]
    results: list[Any]
    pending: list[Function]

    def step(self) -> None:
        """Count a visited node."""
        raise NotImplementedError

    def parts(self, node: Any) -> None:
        """Evaluate every expression within a node that has no rule of its own."""
        raise NotImplementedError

    def block(self, nodes: list[Any]) -> None:
        """Walk statements in their order."""
        raise NotImplementedError

    def bind(self, target: Any, value: Any) -> None:
        """Give a target its value."""
        raise NotImplementedError

    def value(self, node: Any) -> Any:
        """Return what an expression is known to be, after telling what its calls do."""
        self.step()
        visit = getattr(self, f"of_{type(node).__name__}", None)
        if visit is not None:
            return visit(node)
        self.parts(node)
        return UNKNOWN

    def of_Constant(self, node: Any) -> Any:
        """A literal."""
        value = node.value
        if isinstance(value, str):
            return Text(value) if is_known(value) else UNKNOWN
        if isinstance(value, bytes):
            return Text(value.decode("latin-1")) if b"\0" not in value else UNKNOWN
        return Number(value)

    def of_Name(self, node: Any) -> Any:
        """A name."""
        if node.id in self.names:
            return self.names[node.id]
        if node.id in _BUILTINS:
            return Name(node.id)
        if node.id in _NOT_IMPORTED:
            return Name(_NOT_IMPORTED[node.id])
        star = self.names.get("*")
        return Name(f"{star.dotted}.{node.id}") if isinstance(star, Name) else UNKNOWN

    def of_Attribute(self, node: Any) -> Any:
        """`value.name`."""
        return choose(self.attribute(value, node.attr) for value in alternatives(self.value(node.value)))

    def attribute(self, value: Any, name: str) -> Any:
        """Return an attribute of a value."""
        if isinstance(value, Name):
            return self.calls.member(value.dotted, name)
        if isinstance(value, Fields):
            return value.entries.get(name, UNKNOWN)
        if isinstance(value, Instance):
            return self.of_instance(value, name)
        if isinstance(value, Text) and value.is_path:
            part = self.calls.path_attribute(value, name)
            if part is not None:
                return part
        return value if isinstance(value, Output) and name == "stdout" else Method(value, name)

    def of_UnaryOp(self, node: Any) -> Any:
        """`-number`."""
        value = self.value(node.operand)
        negative = type(node.op).__name__ == "USub" and isinstance(value, Number) and type(value.value) is int
        return Number(-value.value) if negative else UNKNOWN

    def of_instance(self, value: Instance, name: str) -> Any:
        """Return an attribute of a class of the code, or of an object of it."""
        member = value.members.get(name, Method(UNKNOWN, name))
        decorators = [getattr(one, "id", "") for one in getattr(getattr(member, "node", None), "decorator_list", ())]
        if not isinstance(member, Function) or "staticmethod" in decorators:
            return member
        if "property" in decorators and value.made:
            return self.apply(member, [value], {})
        return Method(value, name) if value.made or "classmethod" in decorators else member

    def of_JoinedStr(self, node: Any) -> Any:
        """An f-string."""
        made = [text_of(self.value(part)) for part in node.values]
        return self.limited("".join(made))

    def of_FormattedValue(self, node: Any) -> Any:
        """`{value}` of an f-string."""
        value = self.value(node.value)
        self.calls.show(value)
        if node.format_spec is not None:
            form = literal(self.value(node.format_spec))
            numbered = form is not None and form[-1:] == "d" and _is_whole(value)
            return Counted() if numbered else UNKNOWN
        return value if node.conversion in (-1, 115) else UNKNOWN

    def limited(self, text: str, is_path: bool = False) -> Any:
        """Return a computed text, unknown if it is too long."""
        return Text(text, is_path) if len(text) <= MOST_TEXT else UNKNOWN

    def of_BinOp(self, node: Any) -> Any:
        """`+`, `/`, `%`, `*`."""
        return self.operate(type(node.op).__name__, self.value(node.left), self.value(node.right))

    def operate(self, operator: str, left: Any, right: Any) -> Any:
        """Apply an operator to two values."""
        if isinstance(left, Choice) or isinstance(right, Choice):
            pairs = [(one, other) for one in alternatives(left) for other in alternatives(right)]
            return choose(self.operate(operator, one, other) for one, other in pairs[:64])
        if operator == "BitOr" and isinstance(right, Table) and isinstance(left, (Table, Name)):
            return Table(dict(right.entries), False, isinstance(left, Name) or left.secret or right.secret)
        if operator == "Add":
            return self.add(left, right)
        if operator == "Div" and (getattr(left, "is_path", False) or getattr(right, "is_path", False)):
            return self.calls.join(left, right)
        if operator == "Mod" and isinstance(left, Text):
            return self.calls.percent(left, right)
        if operator == "Mult" and isinstance(left, Text) and isinstance(right, Number) and type(right.value) is int:
            return self.limited(left.text * right.value) if 0 <= right.value <= 1_000 else UNKNOWN
        if operator == "Mult" and isinstance(left, Items):
            return Items(left.items, False)
        if operator in ("Sub", "Mult", "FloorDiv", "Mod") and _is_whole(left) and _is_whole(right):
            return Counted()
        return UNKNOWN

    def add(self, left: Any, right: Any) -> Any:
        """`left + right`."""
        if isinstance(left, Items) and isinstance(right, Items):
            return Items([*left.items, *right.items], left.exact and right.exact)
        if isinstance(left, Items) or isinstance(right, Items):
            known = left if isinstance(left, Items) else right
            before = [UNKNOWN] if known is right else []
            return Items([*before, *known.items], False)
        if isinstance(left, Text) or isinstance(right, Text):
            return self.limited(text_of(left) + text_of(right))
        if isinstance(left, Number) and isinstance(right, Number):
            whole = type(left.value) is int and type(right.value) is int
            return (
                Number(left.value + right.value) if whole and abs(left.value) + abs(right.value) < 1 << 62 else UNKNOWN
            )
        return Counted() if _is_whole(left) and _is_whole(right) else UNKNOWN

    def of_BoolOp(self, node: Any) -> Any:
        """`a or b`: one of them."""
        return choose([self.value(one) for one in node.values])

    def of_IfExp(self, node: Any) -> Any:
        """`a if c else b`."""
        self.value(node.test)
        return choose([self.value(node.body), self.value(node.orelse)])

    def of_NamedExpr(self, node: Any) -> Any:
        """`name := value`."""
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def of_Starred(self, node: Any) -> Any:
        """`*value` outside of a call or a list."""
        self.value(node.value)
        return UNKNOWN

    def of_Await(self, node: Any) -> Any:
        """`await value`."""
        return self.value(node.value)

    def of_List(self, node: Any) -> Any:
        """A list, tuple or set; `*items` are put in."""
        made = Items([])
        for one in node.elts:
            if type(one).__name__ == "Starred":
                spread = self.value(one.value)
                items = self.items(spread)
                made.items += items or []
                made.loose = made.loose or (isinstance(spread, Items) and spread.loose)
                if items is None:
                    made.items.append(UNKNOWN)
                    made.complete = False
            else:
                made.items.append(self.value(one))
        return made

    of_Tuple = of_List
    of_Set = of_List

    def of_Dict(self, node: Any) -> Any:
        """A dictionary; `**others` are put in."""
        made = Table({})
        for key, one in zip(node.keys, node.values, strict=True):
            value = self.value(one)
            name = None if key is None else literal(self.value(key))
            if name is not None:
                made.entries[name] = value
            elif key is None and isinstance(value, Name) and value.dotted == "os.environ":
                made.complete, made.secret = False, True
            elif key is None and isinstance(value, Table):
                made.entries.update(value.entries)
                made.complete = made.complete and value.complete
                made.secret = made.secret or value.secret
            else:
                made.complete = False
        return made

    def of_Subscript(self, node: Any) -> Any:
        """`value[key]`."""
        owner = self.value(node.value)
        if type(node.slice).__name__ == "Slice":
            bounds = [
                None if one is None else self.value(one)
                for one in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return choose(self.calls.cut(one, bounds) for one in alternatives(owner))
        key = self.value(node.slice)
        return choose(self.calls.entry(one, key) for one in alternatives(owner))

    def of_Lambda(self, node: Any) -> Any:
        """A function without a name."""
        return Function(node, {})

    def of_ListComp(self, node: Any) -> Any:
        """A comprehension over known items is their list."""
        return self.comprehend(node.generators, lambda: self.value(node.elt))

    of_SetComp = of_ListComp
    of_GeneratorExp = of_ListComp

    def of_DictComp(self, node: Any) -> Any:
        """A dictionary made in a loop."""
        self.comprehend(node.generators, lambda: (self.value(node.key), self.value(node.value)))
        return UNKNOWN

    def comprehend(self, generators: list[Any], element: Any) -> Any:
        """Walk the loops of a comprehension."""
        outer = dict(self.names)
        made = Items([])

        def loop(rest: list[Any]) -> None:
            if not rest:
                made.items.append(element())
                return
            value = self.value(rest[0].iter)
            items = self.items(value)
            made.complete = made.complete and items is not None
            made.loose = made.loose or bool(rest[0].ifs)
            for item in [value.item if isinstance(value, Repeated) else UNKNOWN] if items is None else items:
                self.bind(rest[0].target, item)
                for test in rest[0].ifs:
                    self.value(test)
                loop(rest[1:])

        loop(generators)
        self.names = outer
        return made

    def items(self, value: Any) -> list[Any] | None:
        """Return the items of a value, those that an incomplete list may hold as unknown; None if nothing is known."""
        if isinstance(value, Items):
            return value.items if value.complete else [*value.items, UNKNOWN]
        if isinstance(value, Opened):  # each line of a file stands for what it holds
            return [value, UNKNOWN]
        if isinstance(value, Table) and value.complete:
            return [Text(key) for key in value.entries]
        if isinstance(value, Text) and is_known(value.text) and not value.is_path and len(value.text) <= 64:
            return [Text(char) for char in value.text]
        return None

    # calls

    def of_Call(self, node: Any) -> Any:
        """Tell what a call does, and return its result."""
        callee = self.value(node.func)
        arguments: list[Any] = []
        complete = True
        for one in node.args:
            if type(one).__name__ == "Starred":
                items = self.items(self.value(one.value))
                arguments += items or []
                complete = complete and items is not None
            else:
                arguments.append(self.value(one))
        named = {one.arg: self.value(one.value) for one in node.keywords if one.arg is not None}
        for one in node.keywords:
            if one.arg is None:
                table = self.value(one.value)
                if isinstance(table, Table):
                    named = {**table.entries, **named}
        if not complete:
            arguments.append(Unknown())
        return choose([self.call(one, arguments, named) for one in alternatives(callee)])

    def call(self, callee: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Tell what calling a value does, and return its result."""
        if isinstance(callee, Function):
            return self.apply(callee, arguments, named)
        if isinstance(callee, Instance) and not callee.made:
            return self.made(callee, arguments, named)
        if isinstance(callee, Method) and isinstance(callee.owner, Instance) and callee.name in callee.owner.members:
            return self.apply(callee.owner.members[callee.name], [callee.owner, *arguments], named)
        choices = next((place for place, one in enumerate(arguments) if isinstance(one, Choice)), None)
        if choices is not None:
            values = []
            for one in arguments[choices].values:
                self.step()
                values.append(self.call(callee, [*arguments[:choices], one, *arguments[choices + 1 :]], named))
            return choose(values)
        if isinstance(callee, Name):
            made = worked_out(callee.dotted, arguments) if not named else None
            return self.calls.call_name(callee.dotted, arguments, named) if made is None else made
        if isinstance(callee, Method):
            return self.calls.call_method(callee, arguments, named)
        return self.calls.call_unknown(callee, arguments, named)

    def made(self, what: Instance, arguments: list[Any], named: dict[str, Any]) -> Instance:
        """Return a new object of a class of the code, after telling what making it does."""
        made = Instance({**what.members, **named}, True)
        start = what.members.get("__init__")
        if isinstance(start, Function):
            self.apply(start, [made, *arguments], named)
        return made

    def apply(self, function: Function, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Walk the body of a function of the code with its arguments."""
        if self.depth >= _DEPTH or self.applied.count(id(function.node)) >= RECURSION:
            return UNKNOWN
        parameters = function.node.args
        names = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
        local = dict(self.names)
        for one in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs):
            local[one.arg] = function.defaults.get(one.arg, UNKNOWN)
        local.update(zip(names, arguments, strict=False))
        local.update({name: value for name, value in named.items() if name in names or parameters.kwarg is None})
        if parameters.vararg is not None:
            local[parameters.vararg.arg] = Items(arguments[len(names) :])
        if parameters.kwarg is not None:
            local[parameters.kwarg.arg] = Table(dict(named))
        outer, results = self.names, self.results
        self.names, self.results = local, []
        self.depth += 1
        self.applied.append(id(function.node))
        try:
            body = function.node.body
            if not isinstance(body, list):
                return self.value(body)
            self.block(body)
            return choose(self.results) if self.results else Number(None)
        finally:
            self.depth -= 1
            self.applied.pop()
            for name in list(outer):
                if type(function.node).__name__ != "Lambda" and name in self.declared_global(function):
                    outer[name] = self.names.get(name, UNKNOWN)
            self.names, self.results = outer, results

    def declared_global(self, function: Function) -> frozenset[str]:
        """Return the names that a function declares as global."""
        nodes = [node for node in function.node.body if type(node).__name__ in ("Global", "Nonlocal")]
        return frozenset(name for node in nodes for name in node.names)

    def callbacks(self) -> None:
        """Walk the functions that something else may call, each once, with unknown arguments."""
        done: set[int] = set()
        while self.pending:
            function = self.pending.pop()
            if id(function.node) not in done:
                done.add(id(function.node))
                self.apply(function, [], {})

    def of_Yield(self, node: Any) -> Any:
        """Return an item of what calling the generator gives."""
        if node.value is not None:
            self.results.append(Items([self.value(node.value)], False))
        return UNKNOWN
