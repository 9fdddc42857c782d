"""Diagnostics of a text that can be read but has no meaning. Each docstring is the manual page of its code."""

from __future__ import annotations

from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.limits import POLICY_DEPTH
from policy_engine.model.source import Source, Span
from policy_engine.syntax.diagnostic_builder import error, quoted


def not_callable(source: Source, span: Span) -> Diagnostic:
    """PE140: call of something that has no name

    Only a name, or a name after a dot, can be called.

    ```policy
    language 1
    rule one "One" { on before_completion when (wrote("a"))("b") deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule one "One" { on before_completion when wrote("a") deny "No." }
    ```
    """
    message = f"{quoted(source.excerpt(span))} cannot be called"
    return error("PE140", source, span, message, "call a predicate by its name")


def key_not_string(source: Source, span: Span) -> Diagnostic:
    """PE141: key that is not a string

    Square brackets after a value hold the key of an argument, a string literal. There is no access by number; to look
    into a list, use `any` or `every`.

    ```policy
    language 1
    rule one "One" { on before_tool when tool.args[0] == "x" deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule one "One" { on before_tool when tool.args["name"] == "x" deny "No." }
    ```
    """
    message = f"the key {quoted(source.excerpt(span))} is not a string"
    return error("PE141", source, span, message, "write the key as a string, or use `any x in … { … }` on a list")


def too_deep(source: Source, span: Span) -> Diagnostic:
    """PE142: nested too deeply

    Brackets, `not`, quantifiers and chains of dots, calls, `else` or `except` nest at most POLICY_DEPTH deep, so that
    no policy can exhaust the engine's stack.

    Repair: give a name to a part with `define`.
    """
    message = f"nested more than POLICY_DEPTH = {POLICY_DEPTH} deep"
    return error("PE142", source, span, message, "give a name to a part with `define`")


def language_missing(source: Source, span: Span) -> Diagnostic:
    """PE143: no language line

    The first line of a policy says which version of the language it is written in, so that a later engine reads it
    as it was meant. Without it the file is read as version 1.

    ```policy
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```
    """
    advice = "write `language 1` as the first line"
    message = "the file does not say which language it is written in"
    return Diagnostic(
        "PE143", "warning", message, source, span, advice, fix="language 1\n\n" + source.text[span.start : span.end]
    )


def language_unknown(source: Source, span: Span, wanted: int) -> Diagnostic:
    """PE144: language version that this engine does not know

    The file needs an engine that knows that version. Nothing of it is guessed; the last good policies stay active.

    ```policy
    language 2
    ```

    Repaired:

    ```policy
    language 1
    ```
    """
    advice = f"this engine reads language 1; the file needs language {wanted}: upgrade the engine"
    return error("PE144", source, span, f"the file needs language {wanted}", advice)


def language_not_first(source: Source, span: Span) -> Diagnostic:
    """PE145: language line that is not the first

    `language 1` stands once, before everything but comments.

    ```policy
    define source = glob("src/**")
    language 1
    ```

    Repaired:

    ```policy
    language 1
    define source = glob("src/**")
    ```
    """
    return error("PE145", source, span, "`language` stands once, before everything else", "move it to the first line")


def repeated_clause(source: Source, span: Span, word: str, first: Span) -> Diagnostic:
    """PE146: clause given twice

    This clause can have one value only; the second place is where it stands first.

    ```policy
    language 1
    hook scan "Scan" { on before_tool(write) run ["scan"] timeout 2s timeout 3s }
    ```

    Repaired:

    ```policy
    language 1
    hook scan "Scan" { on before_tool(write) run ["scan"] timeout 3s }
    ```
    """
    line, _ = source.position(first.start)
    related = (Related(f"`{word}` stands here first", source, first),)
    return error("PE146", source, span, f"`{word}` is given twice", f"delete one; the first is at line {line}", related)


def no_such_date(source: Source, span: Span, advice: str = "write year-month-day") -> Diagnostic:
    """PE147: date that does not exist

    Dates are written year-month-day and must be in the calendar.

    ```policy
    language 1
    waive small "release" { until 2026-02-30 owner "ops" }
    ```

    Repaired:

    ```policy
    language 1
    waive small "release" { until 2026-02-28 owner "ops" }
    ```
    """
    return error("PE147", source, span, f"{quoted(source.excerpt(span))} is not a date", advice)


def unclosed_hole(source: Source, span: Span) -> Diagnostic:
    r"""PE148: interpolation without an end

    In messages `{…}` holds an expression without quotes: what needs them gets a name with `define`. A brace that is
    meant as such is written `\{`.
    """
    advice = 'close it with `}`, or write `\\{`; what holds quotes gets a name first: `define url = tool.args["url"]`'
    return error("PE148", source, span, "`{` is not closed in this message", advice)


def unopened_hole(source: Source, span: Span) -> Diagnostic:
    r"""PE149: closing brace in a message without an opening one

    In messages `{…}` holds an expression. A brace that is meant as such is written `\}`.
    """
    return error("PE149", source, span, "`}` closes nothing in this message", "write `\\}`")


def empty_hole(source: Source, span: Span) -> Diagnostic:
    r"""PE150: empty interpolation

    In messages `{…}` holds an expression, such as `{git.branch}`. Braces that are meant as such are written `\{\}`.
    """
    return error("PE150", source, span, "this interpolation is empty", "write an expression, or `\\{\\}`")


def string_in_hole(source: Source, span: Span) -> Diagnostic:
    """PE151: string inside an interpolation

    An interpolation holds an expression without string literals, so that a message reads without nested quotes.

    Repair: give the expression a name with `define`, and interpolate the name.
    """
    advice = "give the value a name with `define`"
    return error("PE151", source, span, "an interpolation holds no string literals", advice)


def malformed_json(source: Source, span: Span, where: str, wanted: str) -> Diagnostic:
    """PE152: malformed JSON form of a policy

    The JSON form has a schema; `where` is the path of the first value that does not follow it.

    Repair: compare the value with the output of `policy dump --json`.
    """
    return error("PE152", source, span, f"{quoted(where)} is not as it must be", f"it must be {wanted}")
