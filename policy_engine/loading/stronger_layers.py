"""Find what a set of policies may waive under stronger layers, and drop from its files what it may not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from policy_engine.checker.tree import CheckedPolicy, Listen
from policy_engine.loading import messages
from policy_engine.loading.sources import PACK
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.ladder import APPROVE
from policy_engine.model.layers import OUTER, REPOSITORY, WAIVABLE_FROM
from policy_engine.model.source import Source
from policy_engine.syntax import ast


@dataclass(frozen=True, slots=True)
class StrongerLayers:
    """`waivable` are rules of stronger layers that this one may waive, `fixed` those it may not, with their layer.

    `packs` are the texts of the packs that a stronger layer holds already as they ship, by name; `around` those of the
    other files of the repository around this one.
    """

    waivable: dict[str, tuple[Listen, ...]] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)
    packs: dict[str, str] = field(default_factory=dict)
    around: list[str] = field(default_factory=list)
    approves: bool = True
    """It may say that a person need not be asked; what comes with a repository may not."""

    @classmethod
    def of(cls, layer: str, stronger: Iterable[tuple[str, CheckedPolicy]]) -> StrongerLayers:
        """Return what stands above `layer`."""
        built = cls(approves=layer not in (OUTER, REPOSITORY))
        for name, policy in stronger:
            shipped = [s for s in policy.sources if s.name.startswith(PACK) and s.name not in policy.adjusted]
            built.packs.update((source.name, source.text) for source in shipped)
            if name == OUTER:
                built.around.extend(_own_texts(policy.sources))
            known = {rule.id: rule.listens for rule in policy.rules}
            known.update((limit.id, limit.listens) for limit in policy.limits)
            if layer in WAIVABLE_FROM.get(name, ()):
                built.waivable.update(known)
            else:
                built.fixed.update(dict.fromkeys(known, name))
        return built

    def without(self, files: list[ast.File]) -> tuple[list[ast.File], list[Diagnostic]]:
        """The files without waivers of rules that stand above, and with approvals of a repository in shadow, each of
        which is reported; of packs that stand above only the defines, and the same where all files are those of the
        repository around this one. A pack whose parameters this layer sets does not stand above."""
        same = bool(self.around) and sorted(self.around) == sorted(_own_texts(file.source for file in files))
        imports = [item for file in files for item in file.items if isinstance(item, ast.Import)]
        adjusted = {item.target.value for item in imports if item.settings} | _added_to(files)
        files = [_defines(file) if same or self._stands(file.source, adjusted) else file for file in files]
        own = {item.name for file in files for item in file.items if isinstance(item, ast.Rule | ast.Limit)}
        kept: list[ast.File] = []
        removed: list[Diagnostic] = []
        for file in files:
            items: list[ast.Item] = []
            before = len(removed)
            for item in file.items:
                if isinstance(item, ast.Waive) and self._bound(item.rule, own):
                    known = self.fixed[item.rule]
                    removed.append(messages.waiver_from_below(file.source, item.rule_span, item.rule, known))
                elif isinstance(item, ast.Rule) and not self.approves and _approves(item):
                    removed.append(messages.approval_from_below(file.source, item.verdicts[0].span))
                    items.append(replace(item, shadow=True))  # others may name it
                else:
                    items.append(item)
            kept.append(file if len(removed) == before else replace(file, items=tuple(items)))
        return kept, removed

    def _stands(self, source: Source, adjusted: set[str]) -> bool:
        """Return whether a pack stands above, to the letter."""
        return self.packs.get(source.name) == source.text and source.name not in adjusted

    def _bound(self, rule: str, own: set[str]) -> bool:
        return rule in self.fixed and rule not in own and rule not in self.waivable


def _approves(rule: ast.Rule) -> bool:
    return any(verdict.name == APPROVE for verdict in rule.verdicts)


def _added_to(files: list[ast.File]) -> set[str]:
    """The names of the files to whose open defines another file adds."""
    added: dict[str, set[str]] = {}
    for file in files:
        for item in file.items:
            if isinstance(item, ast.Define) and item.open:
                added.setdefault(item.name, set()).add(file.source.name)
    return {name for names in added.values() if len(names) > 1 for name in names}


def _own_texts(sources: Iterable[Source]) -> list[str]:
    return [source.text for source in sources if not source.name.startswith(PACK)]


def _defines(file: ast.File) -> ast.File:
    kept = tuple(item for item in file.items if isinstance(item, ast.Define | ast.Param | ast.Import))
    return replace(file, items=kept)
