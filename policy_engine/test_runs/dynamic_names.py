"""Work out which texts and modules the expressions of a Python file stand for, without running any of it.

A text that is put together from constants is the text that it makes; what an expression takes from a module, by
whatever way, is told by the module's name. Not on the hook path: it is imported when a session wrote such a file.
"""

from __future__ import annotations

from base64 import b64decode
from codecs import decode
from typing import Any

ANY = "?"  # a module or an object that only running would tell
_IMPORTS = frozenset(("import_module", "__import__", "resolve_name", "reload"))
_OBJECTS = frozenset(("get_objects", "get_referrers", "get_referents", "_getframe", "currentframe", "stack"))
_LONGEST = 4096


class Names:
    """The meaning of the names of one file: constant texts, and modules or parts of them."""

    def __init__(self) -> None:
        self._texts: dict[str, str | None] = {}
        self._modules: dict[str, str] = {}

    def note(self, node: Any) -> None:
        """Enter what an import, an assignment or a loop says of names."""
        kind = type(node).__name__
        if kind in ("Import", "ImportFrom"):
            self._note_import(node, kind)
        elif kind == "Assign":
            for target in node.targets:
                self._note_value(target, node.value)
        elif kind in ("AnnAssign", "NamedExpr") and node.value is not None:
            self._note_value(node.target, node.value)
        elif kind in ("For", "AsyncFor", "comprehension"):
            over = ANY if self._is_any(node.iter) else self.module(getattr(node.iter, "func", node.iter))
            if over == ANY or over.endswith(("__subclasses__", "__mro__", "__bases__")):
                for part in (node.target, *getattr(node.target, "elts", ())):
                    if type(part).__name__ == "Name":
                        self._modules[part.id] = over
        elif kind in ("With", "AsyncWith"):
            for item in node.items:
                if item.optional_vars is not None:
                    self._note_value(item.optional_vars, item.context_expr)

    def _note_import(self, node: Any, kind: str) -> None:
        module = node.module or "" if kind == "ImportFrom" else ""
        for alias in node.names:
            path = f"{module}.{alias.name}" if module else alias.name
            self._modules[alias.asname or alias.name.partition(".")[0]] = path if alias.asname or module else (
                path.partition(".")[0])  # fmt: skip

    def _note_value(self, target: Any, value: Any) -> None:
        if type(target).__name__ != "Name":
            return
        text = self.text(value)
        self._texts[target.id] = text if self._texts.get(target.id, text) == text else None
        module = self.module(value)
        if (module and type(value).__name__ != "Call") or self._imports(value):
            self._modules[target.id] = module

    def _imports(self, node: Any) -> bool:
        return type(node).__name__ == "Call" and (
            _last_name(node.func) in _IMPORTS | _OBJECTS | {"getattr", "vars", "get"} and bool(self.module(node))
        )

    def _is_any(self, node: Any) -> bool:
        """Return whether a loop goes over objects of the interpreter or over all modules."""
        for part in _walk(node):
            if type(part).__name__ == "Call" and _last_name(part.func) in _OBJECTS:
                return True
        inner = node.func.value if type(node).__name__ == "Call" and hasattr(node.func, "value") else node
        if type(inner).__name__ == "Call" and inner.args:
            inner = inner.args[0]  # list(sys.modules.values())
            inner = inner.func.value if type(inner).__name__ == "Call" and hasattr(inner.func, "value") else inner
        return dotted(inner) == "sys.modules"

    # ---- modules -------------------------------------------------------------------------------------------------

    def module(self, node: Any) -> str:
        """The module that an expression is or is taken from; ANY if only running would tell, "" if it is none."""
        kind = type(node).__name__
        if kind == "Name":
            return self._modules.get(node.id, "")
        if kind == "Attribute":
            if dotted(node) == "sys.modules":
                return ""
            module = self.module(node.value)
            return f"{module}.{node.attr}" if module and module != ANY else module
        if kind == "Subscript":
            if dotted(node.value) == "sys.modules":
                return self._named(node.slice)
            return self.module(node.value)
        return self._called(node) if kind == "Call" else ""

    def _called(self, node: Any) -> str:
        name = _last_name(node.func)
        first = node.args[0] if node.args else None
        if name in _IMPORTS and first is not None:
            return self.module(first) if name == "reload" else self._named(first)
        if name in _OBJECTS:
            return ANY
        if name in ("get", "setdefault", "pop") and dotted(getattr(node.func, "value", None)) == "sys.modules":
            return self._named(first)
        if name in ("getattr", "vars", "type", "super", "attrgetter") and first is not None:
            module = self.module(first)
            given = self.text(node.args[1]) if name == "getattr" and len(node.args) > 1 else None
            return f"{module}.{given}" if given and module and module != ANY else module
        return ""

    def _named(self, node: Any) -> str:
        """The module that a text names; the file's own is none."""
        if getattr(node, "id", "") == "__name__" or node is None:
            return ""
        text = self.text(node)
        return ANY if text is None else text.replace(":", ".")

    # ---- texts ---------------------------------------------------------------------------------------------------

    def text(self, node: Any, depth: int = 0) -> str | None:
        """The constant text of an expression, None if it is none or cannot be told."""
        if depth > 12:
            return None
        kind = type(node).__name__
        if kind == "Constant":
            value = node.value
            return value if isinstance(value, str) else value.decode("latin-1") if isinstance(value, bytes) else None
        if kind == "Name":
            return self._texts.get(node.id)
        if kind == "BinOp":
            return self._joined(node, depth)
        if kind == "JoinedStr":
            return _all_of([self.text(getattr(part, "value", part) if type(part).__name__ == "FormattedValue"
                                      else part, depth + 1) for part in node.values], "")  # fmt: skip
        if kind == "Subscript":
            return self._sliced(node, depth)
        return self._made(node, depth) if kind == "Call" else None

    def _joined(self, node: Any, depth: int) -> str | None:
        left, right = self.text(node.left, depth + 1), self.text(node.right, depth + 1)
        if type(node.op).__name__ == "Add":
            return _all_of([left, right], "")
        if type(node.op).__name__ == "Mod" and left is not None:
            values = [self.text(part, depth + 1) for part in getattr(node.right, "elts", (node.right,))]
            if None not in values and left.count("%s") == len(values):
                return left.replace("%s", "{}").format(*values) if "{" not in left else None
        return None

    def _sliced(self, node: Any, depth: int) -> str | None:
        text = self.text(node.value, depth + 1)
        if text is None or type(node.slice).__name__ != "Slice":
            return None
        bounds = [_number(one) for one in (node.slice.lower, node.slice.upper, node.slice.step)]
        return text[slice(*bounds)] if ANY not in bounds and bounds[2] != 0 else None

    def _made(self, node: Any, depth: int) -> str | None:
        """The text that a call of a method of texts, `chr`, `bytes` or a decoder makes."""
        name = _last_name(node.func)
        parts = node.args[0].elts if node.args and hasattr(node.args[0], "elts") else node.args
        numbers = [_number(part) for part in parts]
        if name in ("chr", "bytes", "bytearray") and numbers and all(type(one) is int for one in numbers):
            return "".join(chr(one) for one in numbers if type(one) is int and 0 <= one < 0x110000)
        base = self.text(node.func.value, depth + 1) if type(node.func).__name__ == "Attribute" else None
        given = [self.text(part, depth + 1) for part in parts]
        if None in given or len(node.args) > 3 or any(len(one or "") > _LONGEST for one in (base, *given)):
            return None
        texts = [one or "" for one in given]
        if name == "join" and base is not None:
            return base.join(texts)
        if base is not None and name in ("lower", "upper", "strip", "replace", "swapcase", "removeprefix", "format",
                                         "removesuffix", "lstrip", "rstrip", "title", "capitalize"):  # fmt: skip
            return _applied(base, name, texts)
        if base is not None and name in ("decode", "encode") and len(texts) < 2:
            return base
        return _decoded(name, texts)


def _applied(base: str, name: str, texts: list[str]) -> str | None:
    try:
        return str(getattr(base, name)(*texts))
    except (TypeError, ValueError, LookupError, AttributeError):
        return None


def _decoded(name: str, texts: list[str]) -> str | None:
    if not texts:
        return None
    try:
        if name == "b64decode":
            return b64decode(texts[0]).decode("latin-1")
        if name in ("fromhex", "unhexlify"):
            return bytes.fromhex(texts[0]).decode("latin-1")
        if name == "decode" and texts[1:] in (["rot13"], ["rot_13"]):
            return decode(texts[0], "rot13")
    except ValueError:
        return None
    return texts[0] if name in ("str", "intern") else None


def _all_of(parts: list[str | None], between: str) -> str | None:
    texts = [part for part in parts if part is not None]
    return between.join(texts) if len(texts) == len(parts) and sum(map(len, texts)) <= _LONGEST else None


def _number(node: Any) -> Any:
    """The number that an expression is; None for none given, ANY for any other."""
    if node is None:
        return None
    if type(node).__name__ == "UnaryOp" and type(node.op).__name__ == "USub":
        inner = _number(node.operand)
        return -inner if type(inner) is int else ANY
    value = getattr(node, "value", None)
    return value if type(node).__name__ == "Constant" and type(value) is int else ANY


def _last_name(node: Any) -> str:
    return str(getattr(node, "attr", "") or getattr(node, "id", ""))


def _walk(node: Any) -> list[Any]:
    """An expression and all below it."""
    nodes: list[Any] = []
    waiting = [node]
    while waiting and len(nodes) < 200:
        at = waiting.pop()
        nodes.append(at)
        for field in getattr(at, "_fields", ()):
            value = getattr(at, field, None)
            parts = value if isinstance(value, list) else [value]
            waiting.extend(part for part in parts if hasattr(part, "_fields"))
    return nodes


def dotted(node: Any) -> str:
    """`a.b.c` of names and attributes; what something else gave has no name before it."""
    parts: list[str] = []
    while type(node).__name__ == "Attribute":
        parts.append(node.attr)
        node = node.value
    if type(node).__name__ == "Name":
        parts.append(node.id)
    return ".".join(reversed(parts))


def is_fork(node: Any) -> bool:
    return type(node).__name__ == "Call" and dotted(node.func).endswith("fork")


def is_child(test: Any, made: set[str]) -> bool:
    """Return whether a condition holds only in a process of its own; `made`: the names of what forks give."""
    if type(test).__name__ == "UnaryOp" and type(test.op).__name__ == "Not":
        return is_fork(test.operand) or getattr(test.operand, "id", None) in made
    if type(test).__name__ != "Compare" or type(test.ops[0]).__name__ != "Eq":
        return False
    zero = getattr(test.comparators[0], "value", None) == 0
    return zero and (is_fork(test.left) or getattr(test.left, "id", None) in made)
