"""Read JavaScript or TypeScript without running it, and tell a analysis what its calls touch and start.

One pass over the tokens parses and evaluates at once: constants, templates, lists, objects, functions of the code. The
body of a function or loop is kept as a range of tokens and walked when it is called or for each item. Only what is
bound to a module that touches files or starts programs counts; a method of some other value does nothing. What is not
understood raises `NotRead`, and the caller reads the code as text. Imported by the hook path when a line carries such
code.
"""

from __future__ import annotations

from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.javascript_calls import JavaScriptCalls
from policy_engine.inline.javascript_expressions import Expressions
from policy_engine.inline.javascript_state import TooLong
from policy_engine.inline.javascript_tokens import NotRead, Token, tokens_of
from policy_engine.inline.values import UNKNOWN, Name, Start, Table, alternatives, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_CODE = 262_144  # characters


def read_javascript(code: str, analysis: EffectAnalysis, foreign: bool = False, start: Start | None = None) -> bool:
    """Tell the analysis what the code does.

    Args:
        code: the text of a script or module.
        analysis: takes the paths, shell lines and effects.
        start: how the file that holds the code was started, None for code of a command line or of standard input.
        foreign: whether the code fetches or decodes something, so that unknown code which it runs may be that.

    Returns:
        False if the text is not understood; the analysis may then have taken a part of it.
    """
    reader = Reader(analysis)
    reader.calls.start_of = start
    if start is not None:
        reader.calls.environment.update(start.variables)
    if len(code) > MOST_CODE:
        reader.calls.doubt_everything("the code", "the code is too long to be read")
        return True
    try:
        reader.tokens = tokens_of(code)
        reader.statements()
        for call in start.called or () if start is not None else ():
            reader.imported_call(call)
        reader.callbacks()
    except (NotRead, RecursionError):
        return False
    except TooLong:
        reader.calls.doubt_everything("the code", "the code is too long to be read")
    if reader.calls.runs_unknown and foreign:
        analysis.does("executes-remote")
    if reader.calls.runs_unknown and any(name in code for name in ("stdin", "FileSync(0", "/dev/fd/0")):
        analysis.does("executes-input")
    return True


class Reader(Expressions):
    """Walks statements."""

    def __init__(self, analysis: EffectAnalysis) -> None:
        super().__init__(analysis)
        self.calls = JavaScriptCalls(analysis, self)

    def statements(self) -> None:
        """Walk all statements that are left."""
        while self.peek().kind != "end":
            self.statement()

    def statement(self) -> None:
        """Walk one statement."""
        token = self.peek()
        if token.kind == "name":
            following = self.peek(1)
            labelled = following.kind == "sign" and following.value == ":"
            rule = getattr(self, f"do_{token.value}", None)
            if rule is not None and not (following.kind == "sign" and following.value in (".", "=", ":")):
                rule()
                return
            if labelled:
                self.place += 2
                return
        if self.at("{"):
            self.block()
        elif self.at(";"):
            self.take()
        elif self.at(")", "]", "}"):
            raise NotRead
        else:
            self.expression()
            self.skip(";")

    def body(self) -> list[Token]:
        """Take one statement without walking it, and return its tokens."""
        if self.at("{"):
            return self.bracketed()
        return self.passed_over(Reader.statement)

    def branches(self, *bodies: list[Token]) -> None:
        """Walk each body from the state now; a name then holds what one of them left."""
        before, after = self.names, []
        for body in bodies:
            self.names = dict(before)
            self.within(body, self.statements)
            after.append(self.names)
        merged: dict[str, Any] = {}
        for name in {name: None for names in after for name in names}:
            merged[name] = choose(names[name] for names in after if name in names)
        self.names = merged

    def do_const(self) -> None:
        """`const name = value, …`."""
        self.take()
        while True:
            target = self.pattern()
            self.annotation()
            value = self.assignment() if self.skip("=") else UNKNOWN
            self.bind(target, value)
            if not self.skip(","):
                break
        self.skip(";")

    do_let = do_const
    do_var = do_const

    def do_function(self) -> Any:
        """`function name(…) { … }`."""
        self.take()
        self.skip("*")
        name = self.take().value if self.peek().kind == "name" else None
        closure = self.closure()
        if name is not None:
            self.names[name] = closure
        return closure

    def do_async(self) -> Any:
        """`async function`, or an expression."""
        if self.peek(1).value == "function":
            self.take()
            return self.do_function()
        value = self.expression()
        self.skip(";")
        return value

    def do_if(self) -> None:
        """Walk both branches."""
        self.take()
        self.within(self.bracketed(), self.expression)
        first = self.body()
        self.skip(";")
        second = self.body() if self.skip("else") else []
        self.branches(first, second)

    def do_for(self) -> None:
        """Walk the body for each known item, or once with unknown values."""
        self.take()
        self.skip("await")
        head = self.bracketed()
        body = self.body()
        place = next(
            (number for number, one in enumerate(head) if one.kind == "name" and one.value in ("of", "in")), None
        )
        if place is None or any(one.kind == "sign" and one.value == ";" for one in head):
            self.within(head, self.statements)
            self.repeated(body)
            return
        start = 1 if head[0].value in ("const", "let", "var") else 0
        target = self.within(head[start:place], self.pattern)
        value = self.within(head[place + 1 :], self.expression)
        items = self.items(value) if head[place].value == "of" else None
        if items is None:
            self.bind(target, UNKNOWN)
            self.repeated(body)
            return
        for item in items:
            self.bind(target, item)
            self.within(body, self.statements)

    def repeated(self, body: list[Token]) -> None:
        """Walk a body, with what it changes in place unknown; once more where it gives a name of before another value,
        which the next round finds.
        """
        changes = [
            (token.value, body[number + 1].value)
            for number, token in enumerate(body[:-1])
            if token.kind == "name" and token.value in self.names
        ]
        self.names.update((name, UNKNOWN) for name, sign in changes if sign in ("+=", "++"))
        self.branches([], body)
        if any(sign == "=" for _, sign in changes):
            self.branches([], body)

    def do_while(self) -> None:
        """Walk the body once."""
        self.take()
        self.within(self.bracketed(), self.expression)
        self.repeated(self.body())

    def do_do(self) -> None:
        """Walk the body once."""
        self.take()
        self.repeated(self.body())
        self.expect("while")
        self.within(self.bracketed(), self.expression)

    def do_switch(self) -> None:
        """Walk every case."""
        self.take()
        self.within(self.bracketed(), self.expression)
        self.branches([], self.bracketed())

    def do_case(self) -> None:
        """`case value:`."""
        self.take()
        self.expression()
        self.expect(":")

    def do_default(self) -> None:
        """`default:`."""
        self.take()
        self.expect(":")

    def do_try(self) -> None:
        """Walk the body, the handler as something that may follow."""
        self.take()
        self.block()
        if self.skip("catch"):
            if self.at("("):
                self.bracketed()
            self.branches([], self.bracketed())
        if self.skip("finally"):
            self.block()

    def do_return(self) -> None:
        """Keep the result of the function."""
        self.take()
        token = self.peek()
        if token.kind != "end" and not token.line and not self.at(";", "}"):
            self.results.append(self.expression())
        self.skip(";")

    def do_throw(self) -> None:
        """`throw value`."""
        self.take()
        self.expression()

    def do_break(self) -> None:
        """`break label`."""
        self.take()
        if self.peek().kind == "name" and not self.peek().line:
            self.take()

    do_continue = do_break

    def do_import(self) -> None:
        """`import a, {b as c} from "module"`."""
        if self.peek(1).value in ("(", "."):
            self.expression()
            return
        self.take()
        names: list[tuple[str, str]] = []
        while self.peek().kind not in ("text", "end"):
            if self.at("{"):
                names += self.within(self.bracketed(), self.imported)
            elif self.skip("*"):
                self.expect("as")
                names.append(("", str(self.take().value)))
            elif self.at("from", ",", "type"):
                self.take()
            else:
                names.append(("default", str(self.take().value)))
        module = self.take()
        if module.kind != "text":
            raise NotRead
        whole = self.calls.loaded(str(module.value))
        for name, local in names:
            self.names[local] = whole if name in ("", "default") else self.calls.attribute(whole, name)
        if self.skip("with") or self.skip("assert"):
            self.bracketed()
        self.skip(";")

    def imported(self) -> list[tuple[str, str]]:
        """`a, b as c`."""
        names: list[tuple[str, str]] = []
        while self.peek().kind != "end":
            self.skip("type") if self.peek(1).kind in ("name", "text") else None
            name = str(self.take().value)
            local = str(self.take().value) if self.skip("as") else name
            names.append((name, local))
            self.skip(",")
        return names

    def do_export(self) -> None:
        """Walk what is exported as if it were not."""
        self.take()
        if self.skip("default"):
            if self.at("function", "async"):
                self.names["default"] = self.do_function() if self.at("function") else self.do_async()
            elif not self.at("class", "abstract", "interface"):
                self.names["default"] = self.expression()
        elif self.at("{"):
            names = self.within(self.bracketed(), self.imported)
            whole = self.calls.loaded(str(self.take().value)) if self.skip("from") else None
            for name, given in names:
                value = self.names.get(name, UNKNOWN) if whole is None else self.calls.attribute(whole, name)
                self.calls.set_member(Name("exports"), given, value)
        elif self.skip("*"):
            given = str(self.take().value) if self.skip("as") else ""
            if self.skip("from"):
                whole = self.calls.loaded(str(self.take().value))
                self.calls.set_member(Name("exports"), given, whole) if given else self.calls.handed_on.append(whole)

    def imported_call(self, text: str) -> None:
        """Walk a call of something that the file exports, as who imports it writes it: `go("a", _)`, `=go()` where what
        it gives is shown.
        """
        name, _, rest = text.lstrip("=").partition("(")
        exports, names = self.calls.exports, dict(self.names)
        if isinstance(exports, Table):
            names.update(exports.entries)
        else:
            names.setdefault("default", exports)
        parts = [part for part in name.split(".") if part] or ["default"]
        if parts[0] not in names and parts[0] == "default":
            parts = parts[1:]
        value = Table(names) if parts[:1] and (parts[0] in names) else UNKNOWN
        if value is UNKNOWN and self.calls.handed_on:
            value = self.calls.handed_on[0]
        for part in parts:
            value = choose(self.calls.attribute(one, part) for one in alternatives(value))
        arguments, _ = self.within(tokens_of(rest.removesuffix(")")), self.arguments)
        for one in alternatives(value):
            if self.calls.is_closure(one) or isinstance(one, Name):
                result = self.call(one, arguments)
                if text[:1] == "=":
                    self.calls.show(result)

    def do_interface(self) -> None:
        """A type of TypeScript."""
        while not self.at("{"):
            if self.take().kind == "end":
                raise NotRead
        self.bracketed()
