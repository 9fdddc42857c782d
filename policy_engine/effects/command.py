"""Derive the effects of a command, which rules and history ask for. Imported by the hook path.

Of a program that nothing is known about, what it touches and does is undecided; its redirections are known.
"""

from __future__ import annotations

from policy_engine.effects.analysis import analysis_of
from policy_engine.effects.changed_files import edits_of, may_edit, replaced_files
from policy_engine.effects.read_only import only_reads
from policy_engine.effects.taint import trace
from policy_engine.model.effects import ANY, OpenTuple
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.effects.changed_files import Edit
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand


def effects_of(command: SimpleCommand) -> Effects:
    """Return what the command would do; worked out once. Raises Undecided if nothing at all can be said."""
    return Effects(command, analysis_of(command))


def effect(command: Any, name: str) -> Any:
    """Return one attribute of what a command would do; ABSENT for a command that is absent."""
    return ABSENT if command is ABSENT else getattr(effects_of(command), name)


def signs(command: SimpleCommand) -> list[str]:
    """Return what rules about a command are filed under (compiler/command_keys.py): its program, and a sign for each
    thing that asking for its effects may show, certain or in doubt.

    Raises:
        Undecided: it is not known which program it is, or nothing at all can be said of it.
    """
    analysis = analysis_of(command)
    found = [command.program, *(f"effects/{word}" for word in (*analysis.words, *analysis.doubts))]
    for access in {path.access for path in analysis.paths}:
        found += (
            ("touches/", f"touches/{access}") if access == "read" else ("touches/", f"touches/{access}", "changes/")
        )
    shown = {
        "opaque/": analysis.opaque,
        "contents/": analysis.contents,
        "edits/": may_edit(command),
        "replaces/": may_edit(command) or any(path.access == "write" for path in analysis.paths),
        "mentions/": analysis.mentions or analysis.unread,
        "searched/": analysis.searched or analysis.unread,
        "rewrites/": analysis.branches or analysis.branch_doubts or ANY in analysis.doubts,
        "waits/": analysis.waits,
    }
    return found + [sign for sign, holds in shown.items() if holds]


class Effects:
    """The effects of one command; its attributes are those of the language's `Command` that the analysis gives."""

    __slots__ = ("_command", "_analysis")

    def __init__(self, command: SimpleCommand, analysis: EffectAnalysis) -> None:
        self._command = command
        self._analysis = analysis

    def _known(self) -> EffectAnalysis:
        """Return the analysis. Raises Undecided for a program that nothing is known about."""
        if self._analysis.opaque:
            raise Undecided(f"effects of `{self._command.name}` are not modelled")
        return self._analysis

    @property
    def paths(self) -> tuple[PathValue, ...]:
        """Every path that it would touch, with `.access`."""
        return tuple(self._known().paths)

    @property
    def reads(self) -> tuple[PathValue, ...]:
        """The paths that it would read."""
        return tuple(path for path in self._known().paths if path.access == "read")

    @property
    def writes(self) -> tuple[PathValue, ...]:
        """The paths that it would write or delete."""
        return tuple(path for path in self._known().paths if path.access != "read")

    @property
    def touches(self) -> tuple[PathValue, ...]:
        """The paths that it is known to touch, redirections among them; of an opaque command those only."""
        return tuple(self._analysis.paths)

    @property
    def contents(self) -> tuple[PathValue, ...]:
        """The files and folders whose content it would read, each taken alone."""
        return tuple(self._analysis.contents)

    @property
    def searched(self) -> tuple[PathValue, ...]:
        """The files below the folders that it would read whole, as they are now."""
        return self._analysis.files_searched()

    @property
    def mentions(self) -> tuple[PathValue, ...]:
        """Paths that it names, of which nobody knows what it does with them."""
        return self._analysis.with_unread(self._analysis.mentions, "")

    @property
    def replaces(self) -> tuple[PathValue, ...]:
        """The files that are there and whose whole content it would replace."""
        return tuple(replaced_files(self._command, self._analysis))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Return what it would change in the texts of files, as far as that is known."""
        return tuple(edits_of(self._command, self._analysis, analysis_of))

    @property
    def runs(self) -> tuple[PathValue, ...]:
        """The files that it would run as code."""
        return self._analysis.with_unread(self._analysis.runs)

    @property
    def opaque(self) -> bool:
        """Return whether it is a program that nothing is known about, and whose words do not look dangerous.

        Raises Undecided where it is not known which program it is.
        """
        self._command.need_program()
        return self._analysis.opaque

    @property
    def effects(self) -> OpenTuple:
        """Return what it does beside touching paths: words of model/effects.py."""
        return self._known().effects

    @property
    def runs_foreign(self) -> bool:
        """Return whether it runs code that it, or a command of its line, fetched or decoded. Raises Undecided."""
        command = self._command
        if command.line and not command.traced:
            command.traced = True
            trace(command, command.line, analysis_of)
        return "executes-remote" in self._analysis.effects

    @property
    def waits(self) -> bool:
        """Return whether it waits for what a person types. Raises Undecided for a lone word that may be any program."""
        if len(self._command.argv) == 1 and not self._command.fed:
            self._command.need_program()
        return self._analysis.waits

    @property
    def rewrites(self) -> OpenTuple:
        """Branches of remotes whose history it would change, or which it would delete; `*` is all of them."""
        return self._known().rewritten

    @property
    def hosts(self) -> tuple[str, ...]:
        """The machines that its words name; open where it may reach others."""
        from policy_engine.effects.hosts import hosts_of

        self._command.need_program()
        return hosts_of(self._command, self._analysis)

    @property
    def read_only(self) -> bool:
        """Return whether it provably only reads."""
        return only_reads(self._command, self._analysis)
