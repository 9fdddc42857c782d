"""A source file → its mutants: the operators of mutmut, each change applied to the whole file.

mutmut itself builds all mutants of a function into one file and switches between them. That neither works for a hook
process that starts with `-I -S`, nor does it reach decorated functions, so only its operators are used here
(docs/decisions/mutmut.md). Left out is what no run can show: annotations and names for them, imports for type
checkers, `__slots__`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

ROOT = Path(__file__).resolve().parents[2]
GROUPS = {
    "checker": ("checker/*.py",),
    "compiler": ("compiler/*.py",),
    "evaluators": ("evaluators/*.py",),
    "runtime": ("runtime/resolve.py", "runtime/judge.py", "runtime/rule_results.py", "runtime/engine.py",
                "runtime/completion.py"),
    "hook": ("hook.py", "hook_process/bundled.py", "hook_process/hook_entry.py", "hook_process/response_writer.py",
             "hook_process/native.py", "hook_process/stopped.py", "hook_process/continuing.py"),
}  # fmt: skip
"""The decision path: what a group is called in the report → its files below the package."""
_UNSEEN = ("TYPE_CHECKING", "__slots__")
_GENERIC = ("Callable", "Mapping", "Sequence", "dict", "frozenset", "list", "tuple")


class Mutant(NamedTuple):
    """One change. `id` stays the same as long as the code around it does; `change` is what people read."""

    id: str
    group: str
    file: str
    line: int
    around: str
    change: str
    wording: bool
    module: cst.Module
    node: cst.CSTNode
    changed: cst.CSTNode

    @property
    def text(self) -> str:
        """The line it begins on."""
        return _lines(self.file)[self.line - 1].strip()

    @property
    def source(self) -> str:
        """The whole file with the change; empty if that does not compile or changes nothing."""
        source = self.module.deep_replace(self.node, self.changed).code  # type: ignore[arg-type, union-attr]
        if source == self.module.code:
            return ""
        try:
            compile(source, self.file, "exec")
        except SyntaxError:
            return ""
        return source


@cache
def _lines(file: str) -> list[str]:
    return (ROOT / file).read_text("utf-8").splitlines()


def all_mutants() -> list[Mutant]:
    """Those of every group, in the order of the files."""
    return [mutant for path, group in files().items() for mutant in mutants(group, str(path.relative_to(ROOT)))]


def files() -> dict[Path, str]:
    """The files of the decision path, each with its group."""
    package = ROOT / "policy_engine"
    return {
        path: group
        for group, patterns in GROUPS.items()
        for path in sorted(path for pattern in patterns for path in package.glob(pattern))
    }


def mutants(group: str, file: str) -> list[Mutant]:
    """Those of one file."""
    wrapper = MetadataWrapper(cst.parse_module((ROOT / file).read_text("utf-8")))
    visitor = _Visitor()
    wrapper.visit(visitor)
    seen: Counter[str] = Counter()
    found = []
    for node, changed, line, around in visitor.changes:
        before, after = _code(node), _code(changed)
        key = f"{file}\0{around}\0{before}\0{after}"
        seen[key] += 1
        name = hashlib.blake2b(f"{key}\0{seen[key]}".encode(), digest_size=6).hexdigest()
        change = f"{around}: `{_short(before, after)}` → `{_short(after, before)}`"
        found.append(Mutant(name, group, file, line, around, change, _is_wording(node), wrapper.module, node, changed))
    return found


class _Visitor(cst.CSTVisitor):
    """Collects (node, changed node, line, name of the function around it)."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[tuple[cst.CSTNode, cst.CSTNode, int, str]] = []
        self._around: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _is_unseen(node):
            return False
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._around.append(node.name.value)
        place = self.get_metadata(PositionProvider, node, None)
        for kind, operator in mutation_operators:
            if place is not None and isinstance(node, kind):
                around = ".".join(self._around)
                self.changes += ((node, changed, place.start.line, around) for changed in operator(node))
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef) and not _is_unseen(original_node):
            self._around.pop()


def _is_unseen(node: cst.CSTNode) -> bool:
    match node:
        case cst.Annotation() | cst.Decorator() | cst.ImportFrom() | cst.Import():
            return True
        case cst.If(test=cst.Name(value="TYPE_CHECKING")) | cst.FunctionDef(name=cst.Name(value="__repr__")):
            return True
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])]):
            return name in _UNSEEN or _is_alias(node)
    return False


def _is_alias(node: cst.CSTNode) -> bool:
    """`Pairs = tuple[int, ...]` or `T = TypeVar("T")`: an annotation with a name."""
    value = getattr(node.body[0], "value", None) if isinstance(node, cst.SimpleStatementLine) else None
    if isinstance(value, cst.Call):
        return isinstance(value.func, cst.Name) and value.func.value == "TypeVar"
    return isinstance(value, cst.Subscript) and getattr(value.value, "value", "") in _GENERIC


def _is_wording(node: cst.CSTNode) -> bool:
    """A text for people: one with a blank in it."""
    return isinstance(node, cst.SimpleString) and " " in node.value.strip("\"' ")


def _code(node: cst.CSTNode) -> str:
    return cst.Module(body=[]).code_for_node(node).strip()


def _short(one: str, other: str) -> str:
    """The part in which the two differ, with a little around it."""
    one, other = " ".join(one.split()), " ".join(other.split())
    start = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = max(0, start - 30)
    return ("…" if start else "") + one[start : start + 90] + ("…" if len(one) > start + 90 else "")


def by_group(found: Iterable[Mutant]) -> Counter[str]:
    """How many of each group."""
    return Counter(mutant.group for mutant in found)
