"""Bytes as a policy file → diagnostics at places of the file, or a program; formatting keeps what a sound file says."""

from __future__ import annotations

from pathlib import Path

from policy_engine.loading.loader import load_given
from policy_engine.loading.sources import PolicyFile
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file

_ROOT = Path(__file__).resolve().parents[3]
SEEDS = (
    *(
        path.read_bytes()
        for path in sorted((_ROOT / "tests/unit/syntax").glob("*.policy"))
        if path.stat().st_size < 6000
    ),
    b'language 1\nrule a "A" { on before_tool(shell) when any c in commands { c matches "rm -*" } deny "{c.text}" }',
    b'language 1\ndefine g = glob("a/**") except glob("b")\nlimit l { on after_tool counts wrote(g) at 3 warn }',
    b"language 1\nmode m { enter when prompted() lock 2 rounds }\nrule r { on prompt when mode.m warn }",
    b'language 1\nverify v { stage t run ["a"] timeout 1s retries 2 then stop x "m" }\ntest { finish => deny by v }',
    b'import "x.policy"\nwaive a "b" { until 2026-12-31 owner "c" }\nhook h { on prompt run ["x"] fail open before g }',
    b"rule a {\xff",
    b"language 2",
    b"((((((((((((",
    b"language 1\nrule a { on before_tool when not not not true warn }",
)


def target(data: bytes) -> None:
    found = load_given([PolicyFile.given("p.policy", "/nowhere/p.policy", data)])
    assert len(found.diagnostics) <= 3 * POLICY_DIAGNOSTICS, len(found.diagnostics)
    for one in found.diagnostics:
        assert one.message and one.code and one.location
    assert (found.program is None) == bool(found.errors)
    if found.program is not None:
        once = format_file(parse(Source("p.policy", data.decode()))[0])
        again = load_given([PolicyFile.given("p.policy", "/nowhere/p.policy", once.encode())])
        assert again.errors == () and format_file(parse(Source("p.policy", once))[0]) == once, once
