"""Print a Program for people and golden files: its buckets with their dispatch, and every rule's generated Python."""

from __future__ import annotations

from policy_engine.evaluators.base import Bucket, LayeredBucket, Program


def dump(program: Program) -> str:
    """Return the whole Program; the same sources give the same text."""
    parts = [f"program {program.digest}", f"rules {program.rules}, stateful {str(program.stateful).lower()}", ""]
    for number, spec in enumerate(program.monitors):
        parts.append(f"monitor {number}: {spec[1]} {spec[2]!r} {spec[3]!r}")
    if program.monitors:
        parts.append("")
    for number in range(program.rules):
        parts += [*_rule(number, program.spec(number)), ""]
    for mode in program.modes:
        parts += [*_rule(-1, mode), ""]
    return "\n".join(parts + _buckets(program)).rstrip("\n") + "\n"


def _rule(number: int, spec: object) -> list[str]:
    assert isinstance(spec, tuple)
    name, kind, verdict, reason, _, fail, shadow, *_, extra, code = spec
    head = f"{kind} {number} {name}: {' '.join(word for word in (verdict, reason) if word) or '-'}, fail {fail}"
    lines = [head + (", shadow" if shadow else "") + (f", {extra!r}" if extra is not None else "")]
    lines += [f"  {part}: {source}" for part, source in code.items()]
    return lines


def _buckets(program: Program) -> list[str]:
    """Return each bucket once, under all its places."""
    places: dict[int, list[str]] = {}
    buckets: dict[int, Bucket] = {}
    for place, bucket in sorted(program.buckets().items()):
        buckets[id(bucket)] = bucket
        places.setdefault(id(bucket), []).append("(".join(part for part in place if part) + (")" if place[1] else ""))
    lines: list[str] = []
    for key, bucket in buckets.items():
        uses = ", reads the past" if bucket.uses_session else ""
        lines.append(f"bucket {' '.join(places[key])}: limits {bucket.limits}, hooks {bucket.hooks}{uses}")
        lines += _index(bucket)
        lines.append("")
    return lines


def _index(bucket: Bucket) -> list[str]:
    if isinstance(bucket, LayeredBucket):
        return ["  (reloaded: an index, and what changed beside it)"]
    tables = [f"  {name} = {table!r}" for name, table in sorted(bucket.tables.items())]
    return [*(f"  {line}" for line in str(bucket.source).rstrip("\n").split("\n")), *tables]
