"""Evaluate the expressions of JavaScript, as far as their values are known.

`Expressions` is the half of the reader in `javascript.py` that walks no statements. Imported by the hook path
when a line carries such code.
"""

from __future__ import annotations

from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.javascript_state import Class, Closure, State, made_of
from policy_engine.inline.javascript_tables import EACH
from policy_engine.inline.javascript_tokens import NotRead, Token
from policy_engine.inline.pure_calls import worked_out
from policy_engine.inline.values import (
    MOST_TEXT,
    RECURSION,
    UNKNOWN,
    Arguments,
    Choice,
    Items,
    Method,
    Name,
    Number,
    Opened,
    Table,
    Text,
    Unknown,
    alternatives,
    choose,
    literal,
    text_of,
)
from policy_engine.model.partial import GLOB, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DEPTH = 10  # calls of functions of the code within one another
_BINARY = {
    "**": 14, "*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, ">>>": 11, "<": 10, ">": 10, "<=": 10,
    ">=": 10, "in": 10, "instanceof": 10, "==": 9, "!=": 9, "===": 9, "!==": 9, "&": 8, "^": 7, "|": 6, "&&": 5,
    "||": 4, "??": 4, "as": 10, "satisfies": 10,
}  # fmt: skip
_ASSIGNS = frozenset("= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??=".split())
_PREFIXES = frozenset("! ~ + - ++ -- typeof void delete".split())
_GLOBALS = frozenset(
    "require process globalThis global window self Bun Deno eval Function module exports importScripts $".split()
)
_ADDS = ("push", "unshift", "splice", "concat", "set", "append", "write")  # methods that add to what is collected


class Expressions(State):
    """The values of names and expressions."""

    def statements(self) -> None:
        """Walk all statements that are left."""
        raise NotImplementedError

    def block(self) -> None:
        """Walk `{ … }`."""
        self.within(self.bracketed(), self.statements)

    def pattern(self) -> Any:
        """Return what is bound: a name, or tokens of a pattern in brackets."""
        if self.at("{", "["):
            opening = self.peek().value
            return (opening, self.bracketed())
        token = self.take()
        if token.kind != "name":
            raise NotRead
        return token.value

    def bind(self, target: Any, value: Any) -> None:
        """Give a target its value."""
        if isinstance(target, str):
            self.names[target] = value
            return
        opening, tokens = target
        self.within(tokens, (lambda: self.bind_object(value)) if opening == "{" else (lambda: self.bind_list(value)))

    def bind_object(self, value: Any) -> None:
        """`{a, b: c, d = 1, ...rest}`."""
        while self.peek().kind != "end":
            if self.skip("..."):
                self.bind(self.pattern(), UNKNOWN)
            else:
                key = self.take()
                name = key.value if key.kind in ("name", "text") else None
                if key.kind == "sign" and key.value == "[":
                    self.place -= 1
                    self.bracketed()
                bound = UNKNOWN if name is None else self.calls.attribute(value, name)
                target = self.pattern() if self.skip(":") else name
                if self.skip("="):
                    bound = self.otherwise(bound, self.assignment())
                if target is not None:
                    self.bind(target, bound)
            if not self.skip(","):
                break

    def bind_list(self, value: Any) -> None:
        """`[a, , b]`."""
        items = self.items(value)
        number = 0
        while self.peek().kind != "end":
            if self.skip(","):
                number += 1
                continue
            rest = self.skip("...")
            target = self.pattern()
            bound = items[number] if items is not None and number < len(items) and not rest else UNKNOWN
            if isinstance(value, Arguments) and value.exact:
                bound = Arguments(value.items[number:]) if rest else self.calls.entry(value, Number(number))
            if self.skip("="):
                bound = self.otherwise(bound, self.assignment())
            self.bind(target, bound)

    def annotation(self) -> None:
        """Skip a type behind a name: `name: Type`, `name!: Type`."""
        self.skip("!") if self.at("!") and self.peek(1).value == ":" else None
        if not self.skip(":"):
            return
        while not self.at("=", ",", ";", ")", "=>", "{", "}") or self.at("{"):
            token = self.peek()
            if token.kind == "end":
                return
            if self.at("{", "(", "["):
                self.bracketed()
                if self.at("{"):
                    return
            else:
                self.take()

    def closure(self) -> Closure:
        """Parameters and body."""
        if self.at("<"):
            while not self.at("("):
                self.take()
        parameters = self.bracketed()
        self.annotation()
        return Closure(parameters, self.bracketed(), False, self.names)

    def passed_over(self, walk: Any) -> list[Token]:
        """Go over what a rule would walk without telling of it, and return its tokens."""
        start = self.place
        quiet = type(self)(EffectAnalysis(self.analysis.cwd, self.analysis.filesystem, self.analysis.name))
        quiet.tokens, quiet.place, quiet.steps, quiet.names = self.tokens, self.place, self.steps, dict(self.names)
        quiet.depth = _DEPTH
        walk(quiet)
        self.place, self.steps = quiet.place, quiet.steps
        return self.tokens[start : self.place]

    def do_class(self) -> None:
        """A class: its methods may be called by anybody, with anything."""
        self.take()
        made = Class({}, False)
        if self.peek().kind == "name" and not self.at("extends"):
            self.names[self.take().value] = made
        while not self.at("{"):
            token = self.take()
            if token.kind == "end":
                raise NotRead
            base = self.names.get(token.value) if token.kind == "name" else None
            made.entries.update(base.entries if isinstance(base, Class) else {})
        self.within(self.bracketed(), lambda: self.members(made.entries))

    def members(self, found: dict[str, Any]) -> None:
        """The members of a class."""
        name = ""
        while self.peek().kind != "end":
            if self.at("("):
                parameters = self.bracketed()
                self.annotation()
                if self.at("{"):
                    found[name] = Closure(parameters, self.bracketed(), False, self.names)
                    self.keep(found[name])
            elif self.at("="):
                self.take()
                found[name] = self.assignment()
            elif self.at("{"):
                self.block()
            else:
                name = str(self.take().value)

    def expression(self) -> Any:
        """`a, b`."""
        value = self.assignment()
        while self.skip(","):
            value = self.assignment()
        return value

    def assignment(self) -> Any:
        """An arrow function, an assignment, or a condition."""
        arrow = self.arrow()
        if arrow is not None:
            return arrow
        start = self.place
        value = self.condition()
        if self.peek().kind == "sign" and self.peek().value in _ASSIGNS:
            left = self.tokens[start : self.place]
            operator = self.take().value
            given = self.assignment()
            if operator != "=":
                given = self.add(value, given) if operator == "+=" else UNKNOWN
            self.assign(left, given)
            return given
        return value

    def assign(self, left: list[Token], value: Any) -> None:
        """Bind what stands on the left."""
        if len(left) == 1 and left[0].kind == "name":
            self.names[left[0].value] = value
        elif left and left[0].kind == "sign" and left[0].value in "{[":
            self.bind((left[0].value, left[1:-1]), value)
        elif len(left) > 2 and left[-2].value == ".":
            self.calls.set_member(self.within(left[:-2], self.condition), str(left[-1].value), value)
        elif left and left[-1].value == "]":
            depth, place = 0, len(left) - 1
            while place >= 0:
                depth += {"]": 1, "[": -1}.get(left[place].value if left[place].kind == "sign" else "", 0)
                if not depth:
                    break
                place -= 1
            key = literal(self.within(left[place + 1 : -1], self.expression))
            self.calls.set_member(self.within(left[:place], self.condition), key, value)

    def arrow(self) -> Closure | None:
        """`x => …`, `(a, b) => …`, with `async` before it; None if none stands here."""
        start = self.place
        if self.at("async") and not self.peek(1).line and (self.peek(1).kind == "name" or self.peek(1).value == "("):
            self.place += 1
        if self.peek().kind == "name" and self.peek(1).value == "=>" and self.peek(1).kind == "sign":
            parameters = [self.take()]
        elif self.at("("):
            parameters = self.bracketed()
            if self.at(":"):
                self.annotation()
            if not self.at("=>"):
                self.place = start
                return None
        else:
            self.place = start
            return None
        self.expect("=>")
        if self.at("{"):
            return Closure(parameters, self.bracketed(), False, self.names)
        return Closure(parameters, self.passed_over(type(self).assignment), True, self.names)

    def condition(self) -> Any:
        """`a ? b : c`."""
        value = self.binary(0)
        if self.at("?") and self.peek().kind == "sign":
            self.take()
            first = self.assignment()
            self.expect(":")
            return choose([first, self.assignment()])
        return value

    def binary(self, level: int) -> Any:
        """Operators with two sides."""
        left = self.unary()
        while True:
            token = self.peek()
            rank = _BINARY.get(token.value, -1) if token.kind in ("sign", "name") else -1
            if rank <= level or (token.value in ("as", "satisfies") and token.line):
                return left
            operator = self.take().value
            if operator in ("as", "satisfies"):
                self.type_name()
                continue
            right = self.binary(rank if operator != "**" else rank - 1)
            if operator == "+":
                left = choose(self.add(one, other) for one in alternatives(left) for other in alternatives(right))
            elif operator in ("||", "??"):
                left = self.otherwise(left, right)
            elif operator == "&&":
                left = choose([left, right])
            else:
                left = UNKNOWN

    def otherwise(self, value: Any, default: Any) -> Any:
        """Return a value, or what stands for it where there is none."""
        given = [one for one in alternatives(value) if not (isinstance(one, Number) and one.value is None)]
        return choose([*given, default])

    def type_name(self) -> None:
        """Skip a type."""
        while self.peek().kind in ("name", "text") or self.at(".", "[", "<", ">", "|", "{"):
            self.bracketed() if self.at("[", "{") else self.take()

    def add(self, left: Any, right: Any) -> Any:
        """`left + right`: a text if one side is, or may be."""
        if isinstance(left, Text) or isinstance(right, Text):
            return self.limited(text_of(left) + text_of(right))
        return UNKNOWN

    def limited(self, text: str, is_path: bool = False) -> Any:
        """Return a computed text, unknown if it is too long."""
        return Text(text, is_path) if len(text) <= MOST_TEXT else UNKNOWN

    def unary(self) -> Any:
        """Operators before a value."""
        if self.at("await", "yield"):
            self.take()
            self.skip("*")
            return UNKNOWN if self.at(";", ")", "}", "]", ",") or self.peek().kind == "end" else self.unary()
        if self.peek().kind in ("sign", "name") and self.peek().value in _PREFIXES:
            self.take()
            self.unary()
            return UNKNOWN
        return self.postfix(self.primary())

    def postfix(self, value: Any) -> Any:
        """Members, calls, tagged templates."""
        while True:
            token = self.peek()
            if token.kind == "template":
                self.take()
                value = self.calls.tagged(value, self.template(token.value))
            elif self.at("?.") and self.peek(1).value in ("(", "["):
                self.take()
            elif self.at(".", "?."):
                self.take()
                name = str(self.take().value)
                value = choose([self.calls.attribute(one, name) for one in alternatives(value)])
            elif self.at("["):
                key = self.within(self.bracketed(), self.expression)
                value = choose([self.calls.entry(one, key) for one in alternatives(value)])
            elif self.at("("):
                arguments, complete = self.within(self.bracketed(), self.arguments)
                if not complete:
                    arguments.append(Unknown())
                value = choose([self.call(one, arguments) for one in alternatives(value)])
            elif self.at("++", "--") and not token.line:
                self.take()
                value = UNKNOWN
            elif self.at("!") and not token.line and self.peek(1).value not in ("=", "=="):
                self.take()
            else:
                return value

    def arguments(self) -> tuple[list[Any], bool]:
        """`a, ...b`."""
        values: list[Any] = []
        complete = True
        while self.peek().kind != "end":
            if self.skip("..."):
                spread = self.assignment()
                items = self.items(spread)
                if isinstance(spread, Text) and is_known(spread.text) and not (GLOB in spread.text or spread.is_path):
                    items = [Text(char) for char in spread.text[:64]]
                values += items or []
                complete = complete and items is not None and getattr(spread, "exact", True)
            else:
                values.append(self.assignment())
            if not self.skip(","):
                break
        return values, complete

    def primary(self) -> Any:
        """A literal, a name, a bracket, a function, `new`."""
        token = self.take()
        if token.kind == "text":
            return Text(token.value) if is_known(token.value) else UNKNOWN
        if token.kind == "template":
            return self.template(token.value)
        if token.kind == "number":
            return Number(int(token.value)) if token.value.isdigit() and len(token.value) < 16 else UNKNOWN
        if token.kind == "regex":
            return UNKNOWN
        if token.kind == "name":
            return self.named(token.value)
        if token.kind == "sign" and token.value in ("(", "[", "{"):
            self.place -= 1
            inner = self.bracketed()
            walk = {"(": self.expression, "[": self.array, "{": self.object}[token.value]
            return UNKNOWN if not inner and token.value == "(" else self.within(inner, walk)
        raise NotRead

    def named(self, name: str) -> Any:
        """A name or a keyword."""
        if name in ("function", "async"):
            if name == "async" and not self.skip("function"):
                return UNKNOWN
            self.skip("*")
            if self.peek().kind == "name":
                self.take()
            return self.closure()
        if name == "class":
            self.place -= 1
            self.do_class()
            return UNKNOWN
        if name == "new":
            return self.made()
        if name in ("true", "false"):
            return Number(name == "true")
        if name in ("null", "undefined"):
            return Number(None)
        if name == "import":
            return Name("import")
        if name in self.names:
            return self.names[name]
        if name in _GLOBALS:
            return self.calls.attribute(Name("globalThis"), name)
        return self.calls.ambient(name)

    def made(self) -> Any:
        """`new Name(…)`."""
        value = self.primary()
        while self.at("."):
            self.take()
            value = self.calls.attribute(value, str(self.take().value))
        arguments: list[Any] = []
        if self.at("("):
            arguments, _ = self.within(self.bracketed(), self.arguments)
        if isinstance(value, Class):
            made = made_of(value)
            if isinstance(start := made.entries.get("constructor"), Closure):
                self.apply(start, arguments)
            return made
        return self.calls.construct(value, arguments)

    def template(self, parts: list[Any]) -> Any:
        """The text of a template."""
        made = [part if isinstance(part, str) else text_of(self.within(part, self.expression)) for part in parts]
        return self.limited("".join(made))

    def array(self) -> Any:
        """`[a, ...b]`."""
        items, complete = self.arguments()
        return Items(items, complete)

    def object(self) -> Any:
        """`{a: b, c, ...d, method() {}}`."""
        made = Table({})
        while self.peek().kind != "end":
            if self.skip("..."):
                value = self.assignment()
                if isinstance(value, Table):
                    made.entries.update(value.entries)
                    made.complete, made.secret = made.complete and value.complete, made.secret or value.secret
                else:
                    made.complete = False
                    made.secret = made.secret or (isinstance(value, Name) and value.dotted == "process.env")
            else:
                self.member(made)
            if not self.skip(","):
                break
        if self.peek().kind != "end":
            raise NotRead
        return made

    def member(self, made: Table) -> None:
        """One member of an object."""
        while self.at("async", "get", "set", "*") and self.peek(1).value not in (":", ",", "(", "}"):
            self.take()
        token = self.peek()
        if self.at("["):
            name = literal(self.within(self.bracketed(), self.expression))
        else:
            self.take()
            name = str(token.value) if token.kind in ("name", "text", "number") else None
        if self.at("("):
            value: Any = self.closure()
            self.keep(value)
        elif self.skip(":"):
            value = self.assignment()
        elif token.kind == "name":
            value = self.names.get(str(name), self.calls.ambient(str(name)))
            if self.skip("="):
                self.assignment()
        else:
            raise NotRead
        if name is None:
            made.complete = False
        else:
            made.entries[name] = value

    def items(self, value: Any) -> list[Any] | None:
        """Return the items of a value, those that an incomplete list may hold as unknown; None if none are known."""
        if isinstance(value, Items):
            return value.items if value.complete else [*value.items, UNKNOWN]
        if isinstance(value, Opened):  # each line of a file stands for what it holds
            return [value, UNKNOWN]
        return None

    # calls

    def call(self, callee: Any, arguments: list[Any], named: dict[str, Any] | None = None) -> Any:
        """Tell what calling a value does, and return its result."""
        if isinstance(callee, Closure):
            return self.apply(callee, arguments)
        choices = next((place for place, one in enumerate(arguments) if isinstance(one, Choice)), None)
        if choices is not None:
            values = []
            for one in arguments[choices].values:
                self.step()
                values.append(self.call(callee, [*arguments[:choices], one, *arguments[choices + 1 :]]))
            return choose(values)
        each = isinstance(callee, Method) and isinstance(callee.owner, Items) and callee.owner.complete
        for one in arguments:
            if isinstance(one, Closure):
                self.keep(one, not (each and callee.name in EACH))
        if isinstance(callee, Name):
            made = worked_out(callee.dotted.rpartition(" ")[2].removeprefix("globalThis."), arguments)
            return self.calls.call_name(callee.dotted, arguments) if made is None else made
        if isinstance(callee, Method):
            return self.calls.call_method(callee, arguments)
        return self.calls.call_unknown(callee, arguments)

    def apply(self, closure: Closure, arguments: list[Any]) -> Any:
        """Walk the body of a function of the code with its arguments."""
        if self.depth >= _DEPTH or self.applied.count(_identity(closure)) >= RECURSION:
            return UNKNOWN
        outer, results = self.names, self.results
        self.names, self.results = {**closure.names, **outer}, []
        if "this" in closure.names:
            self.names["this"] = closure.names["this"]
        self.depth += 1
        self.applied.append(_identity(closure))
        try:
            self.within(
                closure.parameters, lambda: self.bind_list(Items(arguments, False)) if closure.parameters else None
            )
            if closure.expression:
                return self.within(closure.body, self.assignment)
            self.within(closure.body, self.statements)
            return choose(self.results) if self.results else UNKNOWN
        finally:
            self.depth -= 1
            self.applied.pop()
            for name in outer:
                own = name == "this" or name in closure_names(closure)
                outer[name] = outer[name] if own else self.names[name]
            self.names, self.results = outer, results

    def keep(self, closure: Closure, later: bool = True) -> None:
        """Keep a function that something else may call, at any time and more than once: what it assigns or adds to is
        not known from here on. `later`: with arguments that are not known.
        """
        if later:
            self.pending.append(closure)
        own, body = closure_names(closure), closure.body
        for number, token in enumerate(body[:-1]):
            if token.kind != "name" or token.value in own or (number and body[number - 1].value in (".", "?.")):
                continue
            sign, method = body[number + 1], body[number + 2].value if number + 2 < len(body) else ""
            if sign.kind == "sign" and (
                sign.value in _ASSIGNS or sign.value in ("++", "--") or (sign.value == "." and method in _ADDS)
            ):
                for names in (self.names, closure.names):
                    if token.value in names:
                        names[token.value] = UNKNOWN

    def callbacks(self) -> None:
        """Walk the functions that something else may call, each once, with unknown arguments."""
        done: set[int] = set()
        while self.pending:
            closure = self.pending.pop()
            if _identity(closure) not in done:
                done.add(_identity(closure))
                self.apply(closure, [])


def closure_names(closure: Closure) -> set[Any]:
    """Return the names that a function declares for itself: parameters and what follows `const`, `let`, `var`."""
    names = {token.value for token in closure.parameters if token.kind == "name"}
    for number, token in enumerate(closure.body[:-1]):
        if token.kind == "name" and token.value in ("const", "let", "var", "function"):
            names.add(closure.body[number + 1].value)
    return names


def _identity(closure: Closure) -> int:
    """Return a number that closures of the same place in the code share."""
    return id(closure.body[0]) if closure.body else 0
