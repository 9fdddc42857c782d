"""Diagnostics of names that mean nothing, or not here. Each docstring is the manual page of its code.

The other complaints of the checker: define_messages.py (declared names), type_messages.py (values),
pattern_messages.py, item_messages.py (rules), control_messages.py (limits, hooks, verifies), form_messages.py (others).
"""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, instead_of, listing, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic


def unknown_name(place: Place, word: str, known: Iterable[str], elsewhere: str | None) -> Diagnostic:
    """PE201: unknown name

    A bare word in a condition is a field, a `define` of this file or of a file it imports, or a quantifier's variable.

    ```policy
    language 1
    rule a "A" { on prompt when promt == "x" deny "Say more." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on prompt when prompt == "x" deny "Say more." }
    ```
    """
    advice = f"`{word}` is defined in `{elsewhere}`: import that file" if elsewhere else instead_of(word, known)
    return error("PE201", place, f"unknown name `{word}`", advice)


def unknown_field(place: Place, name: str, known: Iterable[str]) -> Diagnostic:
    """PE202: unknown field

    The fields of an event are a closed set; the reference lists them by lifecycle point.

    ```policy
    language 1
    rule a "A" { on after_tool(shell) when result.exit_status == 1 warn "It failed." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on after_tool(shell) when result.exit_code == 1 warn "It failed." }
    ```
    """
    return error("PE202", place, f"unknown field `{name}`", nearest(name, known))


def field_not_here(
    place: Place, name: str, points: Iterable[str], known: Iterable[str], having: Iterable[str]
) -> Diagnostic:
    """PE203: field that the point does not have

    A field exists at certain lifecycle points and for certain tool kinds. A rule that listens to several may read
    only what all of them have; the rest needs `has`. One that none of them has can never be read.

    ```policy
    language 1
    rule a "A" { on before_completion when tool.name == "Bash" deny "Not yet." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool when tool.name == "Bash" deny "Not yet." }
    ```
    """
    own = nearest(name, known)
    where = f"`{name}` exists at {listing(having)}"
    return error("PE203", place, f"{listing(points)} has no field `{name}`", f"{where}; {own}" if own else where)


def unguarded(place: Place, name: str, why: str) -> Diagnostic:
    """PE204: optional field without `has` or `else`

    Some values are absent by nature: an argument that a tool does not take, a record of something that never
    happened, a field that only some of the tools have. A condition says what absence means, by `has x and …` or
    `x else default`. A guard may stand anywhere in the same `and`, and one in `when` counts for `unless`, `require`.

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when tool.args["timeout"] == 0 deny "Set a timeout." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when tool.args["timeout"] else 0 == 0 deny "Set a timeout." }
    ```
    """
    return error("PE204", place, f"`{name}` may be absent{why}", f"write `has {name} and …` or `{name} else …`")


def unknown_attribute(place: Place, type_name: str, word: str, known: Iterable[str], advice: str = "") -> Diagnostic:
    """PE205: unknown attribute

    Records (a command, a path, a todo, a past fact) have fixed attributes and methods.

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when any c in commands { c.progam == "rm" } deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No." }
    ```
    """
    names = sorted(known)
    advice = advice or nearest(word, names, f"it has {listing(names)}" if names else "")
    return error("PE205", place, f"{type_name} has no attribute `{word}`", advice)


def unknown_function(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE206: unknown function

    What may be called is closed: predicates of the filesystem, history atoms, `count`, `last`, `changed`, and the
    constructors `glob` and `command`.

    ```policy
    language 1
    rule a "A" { on before_completion require file_exist("README.md") deny "Write a README.md." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion require file_exists("README.md") deny "Write a README.md." }
    ```
    """
    return error("PE206", place, f"unknown function `{word}`", instead_of(word, known))


def unknown_point(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE207: unknown lifecycle point

    ```policy
    language 1
    rule a "A" { on before_tools when tool.name == "x" deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool when tool.name == "x" deny "No." }
    ```
    """
    command = "write the commands behind it, as in `on command git push`; only rules take them"
    return error(
        "PE207", place, f"unknown lifecycle point `{word}`", command if word == "command" else nearest(word, known)
    )


def unknown_kind(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE208: unknown tool kind

    A filter is one of the tool kinds, or a tool's own name in quotes.

    ```policy
    language 1
    rule a "A" { on before_tool(bash) deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) deny "No." }
    ```
    """
    own = f'a tool\'s own name stands in quotes: `"{word}"`'
    meant = nearest(word, known)
    advice = f"{meant} {own}" if meant else own
    return error("PE208", place, f"unknown tool kind `{word}`", advice)


def no_tools_here(place: Place, point: str, having: Iterable[str]) -> Diagnostic:
    """PE209: tool filter at a point without tools

    ```policy
    language 1
    rule a "A" { on before_completion(shell) deny "Not yet." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion deny "Not yet." }
    ```
    """
    return error("PE209", place, f"`{point}` has no tool to filter by", f"{listing(having)} take a tool filter")


def unknown_rule(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE216: unknown rule

    `waive`, `refused(…)` and `by` name a rule or limit of the same policy set.

    ```policy
    language 1
    rule no-push "No push" { on prompt warn "Do not push." }
    waive no-pusch "Release day" { until 2026-12-31 owner "dana" }
    ```

    Repaired:

    ```policy
    language 1
    rule no-push "No push" { on prompt warn "Do not push." }
    waive no-push "Release day" { until 2026-12-31 owner "dana" }
    ```
    """
    return error("PE216", place, f"unknown rule `{word}`", nearest(word, known))


def unknown_counter(place: Place, sort: str, word: str, known: Iterable[str]) -> Diagnostic:
    """PE217: unknown limit or mode

    `limit.NAME.count` and `mode.NAME` read a limit or mode of the same policy set.

    ```policy
    language 1
    mode careful "Careful" { enter when diff.lines > 500 }
    rule a "A" { on before_tool when mode.carefull ask "Go on?" }
    ```

    Repaired:

    ```policy
    language 1
    mode careful "Careful" { enter when diff.lines > 500 }
    rule a "A" { on before_tool when mode.careful ask "Go on?" }
    ```
    """
    names = sorted(known)
    return error(
        "PE217", place, f"unknown {sort} `{word}`", nearest(word, names, f'declare it with `{sort} {word} "…"`')
    )


def unknown_stage(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE218: unknown verification stage

    `verified(…)` names a stage of a `verify` of the same policy set, or the verify itself.

    ```policy
    language 1
    verify checks "Checks" { stage lint run ["ruff", "check", "."] timeout 60s }
    rule a "A" { on before_completion require verified(lnt) deny "Run the linter." }
    ```

    Repaired:

    ```policy
    language 1
    verify checks "Checks" { stage lint run ["ruff", "check", "."] timeout 60s }
    rule a "A" { on before_completion require verified(lint) deny "Run the linter." }
    ```
    """
    return error("PE218", place, f"unknown verification stage `{word}`", nearest(word, known))
