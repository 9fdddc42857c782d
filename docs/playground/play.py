"""What the playground is told of a policy: findings of `policy check`, and the outcomes of its tests."""
# mypy: ignore-errors -- it runs in a browser, beside modules that are there only

from __future__ import annotations

import json
import sys
import types
from datetime import UTC, datetime

import wrapped_re2


class Options:
    """What the engine asks of RE2; only the case is not always the same."""

    log_errors, never_capture, case_sensitive = False, True, True


class RE2:
    """RE2 as the engine calls it, by the one of the page."""

    Options = Options
    Anchor = types.SimpleNamespace(UNANCHORED=0)

    def __init__(self, pattern, options):
        """Compile a pattern."""
        self._made = wrapped_re2.make(pattern.decode(), not options.case_sensitive)

    def ok(self):
        """Tell whether it is one."""
        return self._made.ok()

    def error(self):
        """Return why it is none."""
        return self._made.error().encode()

    def Match(self, anchor, text, start, end):  # noqa: N802 -- the name in RE2
        """Return where the pattern occurs; -1 for nowhere."""
        found = self._made.match(text.decode(), 0, False).index
        return [(found, found)]


class Automaton:
    """What the engine asks of pyahocorasick, one literal after the other."""

    def __init__(self):
        """Begin without a literal."""
        self._known = {}

    def add_word(self, literal, value):
        """Add a literal."""
        self._known[literal] = value

    def make_automaton(self):
        """Do nothing: it is ready."""

    def iter(self, text):
        """Yield a place and the value of each literal that occurs."""
        yield from ((0, value) for literal, value in self._known.items() if literal in text)


words = sys.modules["ahocorasick"] = types.ModuleType("ahocorasick")
words.Automaton = Automaton
re2 = sys.modules["re2._re2"] = types.ModuleType("re2._re2")
re2.RE2 = RE2

from policy_engine.lints.base import Context, lints, run_all  # noqa: E402 -- with RE2 in its place
from policy_engine.loading.acknowledgements import acknowledge  # noqa: E402
from policy_engine.loading.loader import load_text  # noqa: E402
from policy_engine.testing.runner import run, suite  # noqa: E402


def answer(text: str) -> str:
    """Return what is found of a policy's text, as JSON: a summary, findings and tests, each with its kind."""
    loaded = load_text(text, "playground")
    found, tests = list(loaded.diagnostics), ()
    if loaded.program is not None:
        advice = run_all(Context(loaded.policy, None, datetime.now(UTC).date()))
        own = [one for one in advice if one.source.name == "playground"]
        trees = [one.tree for one in loaded.parsed if one.name == "playground"]
        found = acknowledge([*found, *own], trees, {lint.code for lint in lints()})[0]
        tests = run(suite(loaded, ["playground"]))
    failed = sum(not one.passed for one in tests)
    state = (
        "The policy does not load" if loaded.program is None else f"{len(tests) - failed} of {len(tests)} tests passed"
    )
    return json.dumps(
        {
            "summary": f"{state}; {len(found) or 'no'} finding{'s' * (len(found) != 1)}.",
            "findings": [(one.severity, _finding(one)) for one in found],
            "tests": [("passed" if one.passed else "failed", _test(one)) for one in tests],
        }
    )


def _finding(one) -> str:
    line, column = one.source.position(one.span.start)
    more = [f"help: {one.help}"] if one.help else []
    more += [f"example: {one.witness}"] if one.witness else []
    return "\n".join((f"{line}:{column} {one.severity}[{one.code}]: {one.message}", *more))


def _test(one) -> str:
    name = " ".join(part for part in (one.rule, one.title) if part)
    return f"{'✓' if one.passed else '✗'} {name}, line {one.line}" + (f"\n{one.message}" if one.message else "")
