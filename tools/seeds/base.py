"""What a member of the families below is: `AREAS`, area → the function that answers a case of it.

A function gets a `Case`, turns `given` into events, declarations and runs of ours, and gives back what ours does, in
the words of `expect`. It raises Skip for what no policy engine owns. A shape that it does not know is a failure and no
pass: it calls `take` for what it reads of `given`, and `expect` may ask nothing that it does not answer.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from policy_engine.bootstrap import Engine, adapt
from policy_engine.loading.loader import Loaded, load, load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.model.decision import Decision
from policy_engine.runtime.external import Hooks, everybody

ROOT = Path(__file__).resolve().parents[2]
SOUND = "sound"
"""Key of an answer to a `quirk`: whether ours, which must differ from `expect`, does what is right."""

Answer = Mapping[str, Any]


class Skip(Exception):
    """The case is about machinery that a policy engine does not own; the text says which."""


class UnknownShape(Exception):
    """The case asks in a way that its area does not know."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a file of cases."""

    id: str
    area: str
    name: str
    given: dict[str, Any]
    expect: dict[str, Any]
    mark: str = ""

    def take(self, *known: str) -> tuple[Any, ...]:
        """The values of `given` under these keys, None where there is none; any other key is an unknown shape."""
        others = sorted(self.given.keys() - set(known) - {"gen"})
        if others:
            raise UnknownShape(f"`given` has {', '.join(others)}, of which `{self.area}` knows nothing")
        return tuple(self.given.get(key) for key in known)


Area = Callable[[Case], Answer]


def differences(expect: Mapping[str, Any], got: Answer) -> list[str]:
    """What `expect` asks and the answer does not give, a line each."""
    found = []
    for key, wanted in expect.items():
        if key not in got:
            found.append(f"{key}: expected {wanted!r}, and the area gives no answer to it")
        elif not _agrees(key, wanted, got[key]):
            found.append(f"{key}: expected {wanted!r}, got {got[key]!r}")
    return found


def _agrees(key: str, wanted: Any, got: Any) -> bool:
    """Equality; by the ending of the key also: contains and includes all, has none, above, in this order."""
    if key.endswith("_lacks") or key.startswith("not_"):
        return not any(one in got for one in wanted)
    if key.endswith(("_contains", "_includes", "_has", "_mentions")):
        return all(one in got for one in ([wanted] if isinstance(wanted, str) else wanted))
    if key.endswith("_gt"):
        return bool(got > wanted)
    if key.endswith("_in_order"):
        rest = iter(got)
        return all(one in rest for one in wanted)
    return type(wanted) is type(got) and bool(wanted == got)


@dataclass(slots=True)
class Stage:
    """An engine under `policies` (files, or texts of policies) in a workspace of its own, and what it decided."""

    policies: tuple[str, ...]
    hooks: dict[str, Callable[[Any], Any]] = field(default_factory=dict)
    stages: Callable[[tuple[Any, ...], str], dict[str, Any]] | None = None
    files: dict[str, str] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    engine: Engine = field(init=False)
    workspace: Path = field(init=False)
    _folder: tempfile.TemporaryDirectory[str] = field(init=False)

    def __enter__(self) -> Stage:
        self._folder = tempfile.TemporaryDirectory(prefix="seed-")
        self.workspace = Path(self._folder.name).resolve()
        for name, text in self.files.items():
            self.write(name, text)
        loaded = loaded_from(self.policies)
        loaded.require_program()
        hooks = Hooks(self.hooks, admit=everybody, stage=self.stages)
        self.engine = Engine(Reloader.fixed(adapt(loaded)), hooks=hooks, home=str(self.workspace / "home"))
        return self

    def __exit__(self, *problem: object) -> None:
        self._folder.cleanup()

    def write(self, name: str, text: str) -> None:
        """Put a file into the workspace."""
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def tell(self, hook: str, **more: Any) -> Decision:
        """One event of the session `s` → the decision."""
        place = {"cwd": str(self.workspace), "workspace": str(self.workspace)}
        event = {"hook": hook, "session": "s", "id": f"e{len(self.decisions) + 1}", **place, **more}
        decision = self.engine.decide({"host": {"name": "generic", "interactive": True}, **event})
        if any(error.startswith("E-") for error in decision.errors):
            raise UnknownShape(f"the event is none: {'; '.join(decision.errors)}")
        self.decisions.append(decision)
        return decision


@lru_cache(maxsize=256)
def loaded_from(policies: tuple[str, ...]) -> Loaded:
    """One policy set from names of files below the root, or from texts (which have line breaks)."""
    texts = [text for text in policies if "\n" in text]
    if len(texts) == len(policies) == 1:
        return load_text(texts[0])
    with tempfile.TemporaryDirectory(prefix="seed-policy-") as folder:
        paths: list[Path] = [ROOT / name for name in policies if "\n" not in name]
        for number, text in enumerate(texts):
            paths.append(Path(folder, f"given{number}.policy"))
            paths[-1].write_text(text, "utf-8")
        return load(paths)


def complaints(text: str) -> list[str]:
    """What is wrong with a policy given as text: the messages of its errors."""
    return [f"{found.code} {found.message}" for found in load_text(text).errors]


def spoken(decision: Decision, least: str = "warn") -> list[str]:
    """The ids of the rules that gave at least this verdict."""
    from policy_engine.model.ladder import RANK

    return [one.rule for one in decision.rules if RANK[one.verdict] >= RANK[least]]


def quoted(text: str) -> str:
    """A text as a string of the language."""
    marks = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "{": "\\{", "}": "\\}"}
    return '"' + "".join(marks.get(mark, mark) for mark in text) + '"'


def listed(texts: Iterable[str]) -> str:
    """Texts as a list of strings of the language, without brackets."""
    return ", ".join(map(quoted, texts))
