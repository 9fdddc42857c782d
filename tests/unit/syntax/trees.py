"""Hypothesis strategies for trees that a text can express, without places."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast

HERE = Span(0, 0)
WORDS = (
    "a",
    "tool",
    "prompt",
    "read",
    "write",
    "content",
    "exit",
    "to",
    "by-x",
    "open",
    "rounds",
    "x1",
    "source_files",
)
names = st.sampled_from(WORDS)
item_names = st.sampled_from((*WORDS, "test", "stop", "when", "no-sudo"))
counts = st.integers(-5, 10**6)
milliseconds = st.sampled_from((1, 500, 1000, 60_000, 90_000, 3_600_000, 86_400_000, 604_800_001))
texts = st.text(st.sampled_from('ab "\\{}\n\t#é=/'), max_size=8)
operators = st.sampled_from(
    "== != < <= > >= in not_in contains starts_with ends_with matches under inside outside since".split()
)


@st.composite
def strings(draw: st.DrawFn) -> ast.StringLiteral:
    value = draw(texts)
    braces = [at for at, char in enumerate(value) if char in "{}"]
    escaped = tuple(at for at in braces if draw(st.booleans()))
    interpolated = any(value[at] == "{" and at not in escaped for at in braces)
    return ast.StringLiteral(HERE, value, interpolated, escaped)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


def several(strategy: st.SearchStrategy[Any], least: int = 0, most: int = 2) -> st.SearchStrategy[Any]:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


durations = st.one_of(
    st.builds(ast.DurationLiteral, st.just(HERE), milliseconds),
    st.builds(ast.DurationLiteral, st.just(HERE), st.integers(0, 9), st.just("rounds")),
)
literals = st.one_of(
    strings(),
    durations,
    st.builds(ast.IntLiteral, st.just(HERE), counts),
    st.builds(ast.BoolLiteral, st.just(HERE), st.booleans()),
    st.builds(ast.RegexLiteral, st.just(HERE), st.sampled_from(("a", "/x/", "[^/]+\\.py", "a\\\\")), st.booleans()),
)
name_nodes = st.builds(ast.Name, st.just(HERE), names)


def _larger(inner: st.SearchStrategy[ast.Expr]) -> st.SearchStrategy[ast.Expr]:
    here = st.just(HERE)
    members = st.builds(ast.Member, here, inner, names, here)
    arguments = several(st.builds(ast.Argument, here, st.sampled_from(("", "", "in", "since", "within")), inner))
    return st.one_of(
        members,
        st.builds(ast.Index, here, inner, strings()),
        st.builds(ast.Call, here, st.one_of(name_nodes, members), arguments),
        st.builds(ast.Not, here, inner),
        st.builds(ast.And, here, several(inner, 2, 3)),
        st.builds(ast.Or, here, several(inner, 2, 3)),
        st.builds(ast.Compare, here, operators, here, inner, inner),
        st.builds(ast.Has, here, inner),
        st.builds(ast.Else, here, inner, inner),
        st.builds(ast.Except, here, inner, inner),
        st.builds(ast.ListLiteral, here, several(inner)),
        st.builds(
            ast.Quantified, here, st.sampled_from(("any", "every", "count")), names, here, inner, optional(inner), inner
        ),
    )


expressions = st.recursive(st.one_of(name_nodes, literals), _larger, max_leaves=12)
values = st.one_of(literals, name_nodes, st.builds(ast.ListLiteral, st.just(HERE), several(literals)))
_argv = several(texts)
_here = st.just(HERE)
_expectations = st.builds(
    ast.Expectation, _here, st.sampled_from(("allow", "warn", "deny", "stop")), st.one_of(st.just(""), item_names)
)
_words = names.map(lambda word: ast.StringLiteral(HERE, word))
_paths = st.builds(ast.Member, _here, name_nodes, names, _here)
_bodies = st.one_of(
    st.tuples(st.sampled_from(("prompt", "shell", "answer")), st.tuples(st.tuples(st.just(""), strings()))),
    st.tuples(
        st.sampled_from(("write", "edit", "read", "delete", "file")),
        st.tuples(st.tuples(st.just(""), strings()), st.tuples(st.just("content"), strings())),
    ),
    st.tuples(
        st.just("run"),
        st.tuples(
            st.tuples(st.just(""), strings()),
            st.tuples(st.just("exit"), st.builds(ast.IntLiteral, _here, counts)),
            st.tuples(st.just("output"), strings()),
        ),
    ),
    st.tuples(st.just("finish"), st.just(())),
    st.tuples(st.just("wait"), st.tuples(st.tuples(st.just(""), durations.filter(lambda d: d.unit == "ms")))),
    st.tuples(st.just("undecided"), st.tuples(st.tuples(st.just(""), _paths))),
    st.tuples(st.just("given"), st.tuples(st.tuples(st.just(""), _paths), st.tuples(st.just("value"), values))),
    st.tuples(st.just("fact"), st.tuples(st.tuples(st.just(""), _words), st.tuples(st.just("value"), values))),
    st.tuples(st.just("todo"), st.tuples(st.tuples(st.just(""), _words), st.tuples(st.just("status"), _words))),
    st.tuples(
        st.just("todo"),
        st.tuples(
            st.tuples(st.just(""), _words),
            st.tuples(st.just("status"), _words),
            st.tuples(st.sampled_from(("k", "A b", "in")), values),
        ),
    ),
    st.tuples(
        st.just("call"),
        st.tuples(
            st.tuples(st.just("tool"), st.one_of(name_nodes, strings())),
            st.tuples(st.sampled_from(("k", "A b", "in")), values),
        ),
    ),
)
steps = st.builds(lambda body, then: ast.TestStep(HERE, body[0], body[1], then), _bodies, optional(_expectations))
tests = st.builds(ast.Test, _here, texts, several(steps))
points = several(st.builds(ast.Point, _here, names, _here, several(st.one_of(name_nodes, strings()))), 0, 1)
verdicts = st.one_of(
    st.builds(ast.Verdict, _here, st.sampled_from(("allow", "warn", "ask")), st.just(""), optional(strings())),
    st.builds(ast.Verdict, _here, st.just("stop"), st.one_of(st.just(""), names), optional(strings())),
)
timeouts = st.one_of(
    st.builds(ast.Timeout, _here, milliseconds, milliseconds),
    st.builds(ast.Timeout, _here, milliseconds, st.just(0), milliseconds, several(expressions)),
)
severities = several(st.builds(ast.Severity, _here, names), 0, 1)
fails = several(st.builds(ast.Fail, _here, st.sampled_from(("open", "closed"))))
conditions = several(expressions)
measures = st.one_of(
    st.builds(ast.Repeats, _here, several(expressions, 1), st.integers(1, 4)),
    st.builds(ast.Counts, _here, expressions, optional(durations), several(expressions)),
)
_parameters = st.one_of(
    st.builds(ast.Parameter, _here, names, st.sampled_from(("Command", "Path", "String", "Int"))),
    st.builds(ast.Parameter, _here, names, st.just("List"), st.sampled_from(("String", "Path"))),
)
_commands = st.sampled_from(("git push", "git tag -d", "npm test", "a,b", "go on when x", "x  y", "./a:b", "é")).map(
    lambda text: ast.StringLiteral(HERE, text)
)
items = st.one_of(
    st.builds(ast.Import, _here, strings(), texts, several(st.builds(ast.Setting, _here, names, _here, expressions))),
    st.builds(ast.Param, _here, names, _here, texts, expressions),
    st.builds(ast.Define, _here, names, _here, expressions, several(_parameters)),
    st.builds(ast.Define, _here, names, _here, expressions, st.just(()), st.just(True)),
    st.builds(
        ast.Rule, _here, item_names, _here, texts, severities, points, conditions, conditions, conditions,
        several(verdicts), several(timeouts), fails, st.booleans(), several(tests), st.just(()), st.just(()),
        several(st.builds(ast.CommandLine, _here, several(_commands, 1, 2)), 0, 1),
    ),
    st.builds(
        ast.Limit, _here, item_names, _here, texts, severities, points, conditions, conditions, several(measures),
        conditions, several(st.builds(ast.Step, _here, st.one_of(counts, name_nodes), st.booleans(), verdicts)), fails,
        st.booleans(), several(tests),
    ),
    st.builds(
        ast.Mode, _here, item_names, _here, texts, conditions, conditions, st.integers(0, 9), st.integers(0, 9),
        several(tests),
    ),
    st.builds(
        ast.Hook, _here, item_names, _here, texts, points, conditions, conditions, _argv, st.one_of(st.just(""), names),
        st.one_of(st.just(0), milliseconds), fails, counts, several(name_nodes), several(name_nodes), st.booleans(),
        several(tests),
    ),
    st.builds(
        ast.Verify, _here, item_names, _here, texts, conditions, conditions,
        several(
            st.builds(
                ast.Stage, _here, item_names, _argv, st.one_of(st.just(0), milliseconds), _argv, st.integers(-1, 9),
                optional(st.tuples(texts, values)),
            )
        ),
        st.just(3), optional(verdicts), several(tests),
    ),
    st.builds(
        ast.Waive, _here, item_names, _here, texts, st.sampled_from(("", "2026-12-31")), texts, conditions
    ),
    st.builds(
        ast.Claim, _here, item_names, _here, texts, points, conditions, conditions,
        several(
            st.sampled_from((ast.Expects(HERE, "deny"), ast.Expects(HERE, "ask"), ast.Expects(HERE, "allow", True)))
        ),
    ),
    tests,
)  # fmt: skip
files = st.builds(lambda found: ast.File(HERE, Source("generated", ""), 1, found, ()), several(items, 0, 3))
