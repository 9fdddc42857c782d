"""Say what modules JavaScript code imports, what it exports itself, and what it calls of files of the project.

Who reads those files is told of the calls, as code. Imported by the hook path when a line carries such code.
"""

from __future__ import annotations

from policy_engine.inline.effects import EffectReporter
from policy_engine.inline.javascript_tables import DANGEROUS, MODULES
from policy_engine.inline.texts import code_of_address
from policy_engine.inline.values import UNKNOWN, Items, Name, Number, Returned, Start, Table, Text, Unknown, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy_engine.inline.effect_analysis import EffectAnalysis

_DATA = (".json", ".css", ".scss", ".sass", ".less", ".svg", ".vue", ".svelte", ".html", ".md", ".txt", ".graphql")
_MOST_CALLS = 16  # of functions of one file


class Modules(EffectReporter):
    """Hold what one file of code imports and exports."""

    start_of: Start | None = None

    def evaluate(self, value: Any) -> Any:
        """Code in a text."""
        raise NotImplementedError

    def __init__(self, analysis: EffectAnalysis, reader: Any) -> None:
        super().__init__(analysis, reader)
        self.files: list[str] = []  # of the project, that the code imports
        self.exports: Any = Table({})  # what the code exports, as `exports` and `module.exports` hold it
        self.handed_on: list[Any] = []  # the modules all of whose exports are its own: `export * from`

    @property
    def is_imported(self) -> bool:
        """Return whether other code imports the file: what it keeps of secrets is no disclosure."""
        return self.start_of is not None and self.start_of.called is not None

    def module(self, name: str) -> Any:
        """Return a module by its name."""
        plain = name.removeprefix("node:")
        return Name(MODULES.get(plain, plain if plain in DANGEROUS else f"module {plain}"))

    def required(self, value: Any) -> Any:
        """`require(name)`, `import(name)`."""
        name = literal(value)
        if name is None:
            return Unknown("a module whose name is computed")
        whole = self.loaded(name)
        if isinstance(whole, Name) and whole.dotted[:6] == "local ":
            self.analysis.does("executes")
        return whole

    def loaded(self, name: str) -> Any:
        """A module that is imported by its name; a file of the project, and an address that holds it, is code that
        runs.
        """
        code = code_of_address(name)
        if code is not None:
            if ";base64," in name.lower():
                self.analysis.does("decodes")
                self.decoded_texts.append(code)
                self.note_decoded(code)
            return self.evaluate(Text(code))
        if not name.startswith((".", "/", "file:")):
            return self.module(name)
        place = name.removeprefix("file:").removeprefix("//")
        own = self.start_of.file.rpartition("/")[0] if self.start_of is not None else ""
        text = f"{own}/{place.removeprefix('./')}" if own and place[:1] != "/" else place
        file = self.analysis.path(text, "read")
        if name.endswith(_DATA):
            self.analysis.paths.append(file)
            return self.module(name)
        self.analysis.runs.append(file)
        if not file.known:
            return self.module(name)
        self.files.append(file.real)
        self.analysis.called.setdefault(file.real, [])
        return Name(f"local {len(self.files) - 1}")

    def handed_over(self, arguments: Sequence[Any]) -> None:
        """Functions of files of the project that are handed to another function: it may call them."""
        for value in arguments:
            root, _, bare = value.dotted.partition(".") if isinstance(value, Name) else ("", "", "")
            if root[:6] == "local ":
                self.called_there(int(root[6:]), bare, [])

    def called_there(self, number: int, name: str, arguments: list[Any]) -> Any:
        """A function of a file of the project: who reads the file is told of the call."""
        if number >= len(self.files):
            return UNKNOWN  # what is passed over is told of nobody
        calls = self.analysis.called[self.files[number]]
        if len(calls) >= _MOST_CALLS:
            return UNKNOWN
        calls.append(f"{name}({', '.join(map(_as_code, arguments))})")
        return Returned(calls, len(calls) - 1)


def _as_code(value: Any) -> str:
    """Return a known value as code, `_` for another."""
    text = literal(value)
    if text is not None or (isinstance(value, Number) and isinstance(value.value, (int, bool, type(None)))):
        from json import dumps

        return dumps(text if text is not None else value.value)
    return f"[{', '.join(map(_as_code, value.items))}]" if isinstance(value, Items) and value.exact else "_"
