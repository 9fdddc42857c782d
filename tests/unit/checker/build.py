"""Policy texts → checked policy and findings, as tests of the checker want them."""

from __future__ import annotations

from policy_engine.checker.checker import check
from policy_engine.checker.tree import CheckedPolicy, CheckedRule
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.shipped import shipped
from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse

WORDS = vocabulary()


def checked(*texts: str, **named: str) -> tuple[CheckedPolicy, list[Diagnostic]]:
    """Check texts as files `0.policy`, `1.policy`, … and named ones as `NAME.policy`, together."""
    files = {
        **{f"{number}.policy": text for number, text in enumerate(texts)},
        **{f"{n}.policy": t for n, t in named.items()},
    }
    parsed = [parse(Source(name, f"language 1\n{text}\n")) for name, text in files.items()]
    targets = [item.target.value for file, _ in parsed for item in file.items if isinstance(item, ast.Import)]
    for pack in dict.fromkeys(target for target in targets if target.startswith("pack:")):
        text = shipped(f"rules/{pack.removeprefix('pack:')}.policy").read_text("utf-8")
        parsed.append(parse(Source(pack, text)))
    policy, found = check([file for file, _ in parsed], WORDS)
    return policy, [*(one for _, syntax in parsed for one in syntax), *found]


def rule_of(text: str) -> CheckedRule:
    """The one rule of a text without mistakes; defines may stand before it."""
    policy, found = checked(text)
    assert found == []
    return policy.rules[0]


def messages(found: list[Diagnostic]) -> list[str]:
    """`file:line code message` of each finding."""
    return [f"{d.source.name}:{d.source.position(d.span.start)[0]} {d.code} {d.message}" for d in found]
