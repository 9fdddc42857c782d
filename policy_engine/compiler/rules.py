"""Compile one checked declaration to its spec: plain values and Python source, as evaluators/base.py reads them."""

from __future__ import annotations

from policy_engine.checker import tree
from policy_engine.compiler.emit import Emitter, walk
from policy_engine.compiler.history_forms import Scope
from policy_engine.model.instant import parse_time
from policy_engine.model.ladder import APPROVE, RANK
from policy_engine.model.types import DURATION

DAY_MS = 86_400_000

Spec = tuple[object, ...]
Waivers = tuple[tuple[Scope, tree.CheckedWaiver], ...]
"""Each with the scope of the layer that waives."""


def code_of(spec: Spec) -> dict[str, str]:
    """Return the Python sources of a declaration by their part."""
    code = spec[-1]
    assert isinstance(code, dict)
    return code


def rule_spec(rule: tree.CheckedRule, waivers: Waivers, emitter: Emitter) -> Spec:
    """Return a rule; `effect` is (at_least, at_most, backoff_to) in ms or None, `extra` of what approves is
    APPROVE and the kinds of tools of which its condition proves that, else None.
    """
    sign = -1 if rule.approves else 1  # what is perhaps touched lets nothing pass
    code = _condition(rule.listens, rule.when, rule.unless, rule.require, emitter, sign)
    text = repr(rule.title or rule.id) if rule.message is None else _text(rule.message, emitter)
    parts = () if rule.require is None else walk(rule.require)
    missed = tuple(filter(None, (emitter.monitors.missed(part, "run `" in text.lower()) for part in parts)))
    about = _about(rule)
    if rule.message is not None or missed or about:
        code["message"] = "lambda e, b: " + " + ".join((text, *dict.fromkeys(missed), *about))
    effect = None
    if rule.effect is not None:
        effect = (rule.effect.at_least, rule.effect.at_most, rule.effect.backoff_to)
        code["key"] = _key(rule.effect.key, emitter)
    satisfy = _satisfy(rule)
    kinds = {kind for one in rule.listens for kind in one.kinds}
    proved = (APPROVE, *sorted(kinds)) if rule.approves else None
    return (
        emitter.named(rule.id), "rule", rule.verdict, rule.reason, _at(rule.place), rule.fail, rule.shadow, rule.title,
        rule.severity, satisfy, effect, _waivers(waivers, emitter, code), proved, code,
    )  # fmt: skip


def limit_spec(limit: tree.CheckedLimit, waivers: Waivers, emitter: Emitter) -> Spec:
    """Return a limit; `extra` is (measure, period, within, rounds, monitor, steps (count, every, verdict, reason))."""
    code = _condition(limit.listens, limit.when, limit.unless, None, emitter)
    code["key"] = _key(limit.key, emitter)
    if limit.condition is not None:
        code["condition"] = f"lambda e: {emitter.at(1, emitter.strict, limit.condition)}"
    if limit.reset is not None:
        code["reset"] = f"lambda e: {_reset(limit.reset, emitter)}"
    monitor = emitter.monitors.now(limit.atoms) if limit.atoms else -1
    steps, about = [], _about(limit)
    for number, step in enumerate(limit.steps):
        steps.append((step.count, step.every, step.verdict, step.reason, _at(step.place)))
        if step.message is not None or about:
            text = repr(limit.title or limit.id) if step.message is None else _text(step.message, emitter)
            code[f"message{number}"] = "lambda e, b: " + " + ".join((text, *about))
    strictest = max((step.verdict for step in limit.steps), key=RANK.__getitem__)
    extra = (limit.measure, limit.period, limit.within, limit.rounds, monitor, tuple(steps))
    return (
        emitter.named(limit.id), "limit", strictest, "", _at(limit.place), limit.fail, limit.shadow, limit.title,
        limit.severity, (), None, _waivers(waivers, emitter, code), extra, code,
    )  # fmt: skip


def _about(item: tree.CheckedRule | tree.CheckedLimit) -> tuple[str, ...]:
    """Return the source of what a message ends in: the incident that it answers, the controls that it covers."""
    lines = [f"Incident: {item.incident}."] if item.incident else []
    lines += [f"Control: {', '.join(item.controls)}."] if item.controls else []
    return (repr(" " + " ".join(lines)),) if lines else ()


def _reset(node: tree.Expr, emitter: Emitter) -> str:
    """Return the source of a reset; on an atom it means that it happens in the event at hand, not that it ever did."""
    atoms = _united(node)
    return f"e.history.now({emitter.monitors.now(atoms)})" if atoms else emitter.at(-1, emitter.strict, node)


def _united(node: tree.Expr) -> tuple[tree.Atom, ...]:
    """Return the atoms of `A` or of `A or B`, which is an atom too; none if anything else is among them."""
    if isinstance(node, tree.Happened) and all(atom.variable is None for atom in node.atoms):
        return node.atoms
    parts = [_united(part) for part in node.operands] if isinstance(node, tree.Or) else []
    return tuple(atom for part in parts for atom in part) if all(parts) else ()


def hook_spec(hook: tree.CheckedHook, emitter: Emitter) -> Spec:
    """Return a hook; `extra` is (argv, callable, timeout in ms, observe, order)."""
    code = _condition(hook.listens, hook.when, hook.unless, None, emitter)
    extra = (hook.argv, hook.callable, hook.timeout, hook.observe, hook.order)
    return (
        emitter.named(hook.id), "hook", "deny", "", _at(hook.place), hook.fail, False, hook.title, "medium",
        (), None, (), extra, code,
    )  # fmt: skip


def verify_spec(verify: tree.CheckedVerify, emitter: Emitter) -> Spec:
    """Return a pipeline; `extra` is (stages, retries or -1, verdict and reason after them, monitors of freshness)."""
    code = _condition((), verify.when, verify.unless, None, emitter)
    stages = tuple(
        (one.name, one.argv, one.timeout, one.env, one.pending_exit, (one.expect_pointer, one.expect_value))
        if one.expect_pointer or one.expect_value is not None
        else (one.name, one.argv, one.timeout, one.env, one.pending_exit, None)
        for one in verify.stages
    )
    if verify.message is not None:
        code["exhausted"] = message(verify.message, emitter)
    then, reason = (verify.then, verify.reason) if verify.then else ("stop", "retry_exhausted")
    extra = (stages, verify.retries, then, reason, emitter.monitors.fresh(verify.id))
    return (
        emitter.named(verify.id), "verify", "deny", "", _at(verify.place), "closed", False, verify.title, "high",
        (), None, (), extra, code,
    )  # fmt: skip


def mode_spec(mode: tree.CheckedMode, emitter: Emitter) -> Spec:
    """Return a mode; `extra` is (lock, dwell) in rounds."""
    code = {"enter": f"lambda e: {emitter.strict(mode.enter)}"}
    if mode.exit is not None:
        code["exit"] = f"lambda e: {emitter.strict(mode.exit)}"
    return (
        emitter.named(mode.id), "mode", "", "", _at(mode.place), "open", False, mode.title, "info",
        (), None, (), (mode.lock, mode.dwell), code,
    )  # fmt: skip


def message(text: tree.Message, emitter: Emitter) -> str:
    """Return the source of a message: a function of the moment and the bound witnesses."""
    return "lambda e, b: " + _text(text, emitter)


def _text(text: tree.Message, emitter: Emitter) -> str:
    parts = [repr(part) if isinstance(part, str) else _shown(part, emitter) for part in text.parts]
    return " + ".join(parts) or "''"


def _shown(part: tree.Expr, emitter: Emitter) -> str:
    value = emitter.bound(part)
    return f"printed(lambda: lasting({value}))" if part.type == DURATION else f"printed(lambda: {value})"


def _at(place: tree.Place) -> str:
    """`file:line:col` of the declaration's keyword: the first word of the line that holds its name."""
    line, _ = place.source.position(place.span.start)
    text = place.source.line_text(line)
    return f"{place.source.name}:{line}:{len(text) - len(text.lstrip()) + 1}"


def _condition(
    listens: tuple[tree.Listen, ...],
    when: tree.Expr | None,
    unless: tree.Expr | None,
    require: tree.Expr | None,
    emitter: Emitter,
    sign: int = 1,
) -> dict[str, object]:
    """`test`: the violation as plain Python; `trace`: the thunks of its parts, None where there is none."""
    named = _named(listens)
    tests, traced = [named] if named else [], []
    for part, way in ((when, sign), (unless, -sign), (require, -sign)):
        if part is None:
            traced.append("None")
            continue
        plain = emitter.at(way, emitter.plain, part)
        tests.append(plain if part is when else f"(not {plain})")
        traced.append(f"lambda: {emitter.at(way, emitter.traced, part)}")
    names = f"lambda: {named}" if named else "None"
    return {
        "test": f"lambda e: {' and '.join(tests) or 'True'}",
        "trace": f"lambda e: ({', '.join(traced)}, {names})",
    }


def _named(listens: tuple[tree.Listen, ...]) -> str:
    """Return the test for quoted native tool names; the bucket has settled points and kinds already."""
    if not any(listen.names for listen in listens):
        return ""
    tests = []
    for listen in listens:
        if listen.kinds or listen.names:
            kinds = " or ".join(f"{kind!r} in e.event.tool_kinds" for kind in listen.kinds)
            tool = " or ".join(filter(None, (kinds, f"e.tool_name in {listen.names!r}" if listen.names else "")))
            tests.append(f"(e.event.hook == {listen.point!r} and ({tool}))")
        else:
            tests.append(f"e.event.hook == {listen.point!r}")
    return "(" + " or ".join(tests) + ")"


def _key(parts: tuple[tree.Expr, ...], emitter: Emitter) -> str:
    return "lambda e: (" + "".join(f"{emitter.raw(part)}, " for part in parts) + ")"


def _satisfy(rule: tree.CheckedRule) -> tuple[str, ...]:
    if rule.require is None:
        return ()
    parts = rule.require.operands if isinstance(rule.require, tree.And) else (rule.require,)
    return tuple(part.place.text for part in parts)


def _waivers(waivers: Waivers, emitter: Emitter, code: dict[str, object]) -> tuple[tuple[int, str], ...]:
    """(first ms after the last day, name of the condition's code part or "") per waiver."""
    compiled = []
    monitors, own = emitter.monitors, emitter.monitors.scope
    for number, (scope, waiver) in enumerate(waivers):
        part = ""
        if waiver.when is not None:
            part = f"waiver{number}"
            monitors.scope = scope  # the condition speaks of the limits and modes of whoever waives
            code[part] = f"lambda e: {emitter.at(-1, emitter.strict, waiver.when)}"
            monitors.scope = own
        compiled.append((parse_time(f"{waiver.until}T00:00:00Z") + DAY_MS, part))
    return tuple(compiled)
