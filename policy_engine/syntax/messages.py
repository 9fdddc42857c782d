"""Diagnostics of a text that does not follow the grammar. Each docstring is the manual page of its code.

The other complaints about text: character_messages.py, word_messages.py, structure_messages.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.source import Source, Span
from policy_engine.syntax.diagnostic_builder import error, listing, quoted


def unexpected(source: Source, span: Span, expected: Iterable[str], advice: str = "") -> Diagnostic:
    """PE120: unexpected text

    The text does not follow the grammar at this place. The help line says what could stand there.

    ```policy
    language 1
    rule small "Small" { on before_completion when diff.lines > 100 500 deny "Too many lines." }
    ```

    Repaired:

    ```policy
    language 1
    rule small "Small" { on before_completion when diff.lines > 100 deny "Too many lines." }
    ```
    """
    advice = advice or f"expected {listing(expected)}"
    return error("PE120", source, span, f"unexpected {quoted(source.excerpt(span))}", advice)


def unknown_word(source: Source, span: Span, meant: str) -> Diagnostic:
    """PE121: misspelt keyword

    No keyword of this name can stand here, but one that looks like it can.

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion dney "Ask first." }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```
    """
    return error("PE121", source, span, f"unknown word {quoted(source.excerpt(span))}", f"did you mean `{meant}`?")


def missing(source: Source, span: Span, what: str, before: str, advice: str = "") -> Diagnostic:
    """PE122: something is missing

    With the missing sign or word put in, the text could be read on.

    ```policy
    language 1
    define source = glob("src/**" "lib/**")
    ```

    Repaired:

    ```policy
    language 1
    define source = glob("src/**", "lib/**")
    ```
    """
    message = f"missing {what} before {before}" if before else f"missing {what}"
    return error("PE122", source, span, message, advice or f"write {what} here")


def unclosed(source: Source, span: Span, closer: str, opening: Span) -> Diagnostic:
    """PE123: bracket that is never closed

    An opening bracket has no closing one; the second place is where it was opened.

    ```policy
    language 1
    rule ask-first "Ask" {
      on before_completion
      deny "Ask first."
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" {
      on before_completion
      deny "Ask first."
    }
    ```
    """
    line, column = source.position(opening.start)
    opener = source.excerpt(opening)
    related = (Related(f"`{opener}` is opened here", source, opening),)
    advice = f"`{opener}` at {line}:{column} is never closed"
    return error("PE123", source, span, f"missing `{closer}`", advice, related)


def stray_closer(source: Source, span: Span) -> Diagnostic:
    """PE124: closing bracket without an opening one

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```
    """
    return error("PE124", source, span, f"{quoted(source.excerpt(span))} closes nothing", "delete it")


def misplaced_clause(source: Source, span: Span, block: str, allowed: Iterable[str]) -> Diagnostic:
    """PE125: clause that does not belong here

    The word begins a clause of another kind of item. `block` is the item around the place.

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion repeats (tool.name) deny "Ask first." }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```
    """
    word = quoted(source.excerpt(span))
    if not block:
        return error("PE125", source, span, f"{word} stands outside of an item", "put it into a `rule name { … }`")
    advice = f"a `{block}` has {listing(f'`{word}`' for word in allowed)}"
    return error("PE125", source, span, f"{word} does not belong in a `{block}`", advice)


def chained_comparison(source: Source, span: Span) -> Diagnostic:
    """PE126: chained comparison

    A comparison has two sides. Two comparisons are joined with `and`.

    ```policy
    language 1
    rule some "Some" { on before_completion when 1 < diff.files < 9 deny "Too few or too many." }
    ```

    Repaired:

    ```policy
    language 1
    rule some "Some" { on before_completion when 1 < diff.files and diff.files < 9 deny "Too few or too many." }
    ```
    """
    advice = "write two comparisons joined with `and`"
    return error("PE126", source, span, f"{quoted(source.excerpt(span))} cannot follow a comparison", advice)


def reserved_word(source: Source, span: Span) -> Diagnostic:
    """PE127: reserved word as a name

    Reserved words name no define and bind no variable. They may follow a dot, and name rules, hooks and stages.

    ```policy
    language 1
    define test = "pytest"
    ```

    Repaired:

    ```policy
    language 1
    define test-command = "pytest"
    ```
    """
    text = source.excerpt(span)
    advice = f"choose another name, such as `the_{text}`"
    return error("PE127", source, span, f"{quoted(text)} is a reserved word", advice)


def missing_expression(source: Source, span: Span, after: str) -> Diagnostic:
    """PE128: missing expression

    The word asks for an expression, and what follows cannot be one.

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion when deny "Ask first." }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion when diff.lines > 100 deny "Ask first." }
    ```
    """
    advice = f"write a condition or a value after `{after}`"
    return error("PE128", source, span, f"`{after}` is not followed by an expression", advice)


def wrong_equals(source: Source, span: Span, meant: str) -> Diagnostic:
    """PE129: `=` and `==` confused

    `==` compares two values. `=` gives a name to a value, in `define`, `fact` and `given`.

    ```policy
    language 1
    rule main-only "Main" { on before_completion when git.branch = "main" deny "Not on main." }
    ```

    Repaired:

    ```policy
    language 1
    rule main-only "Main" { on before_completion when git.branch == "main" deny "Not on main." }
    ```
    """
    meaning = "compares two values" if meant == "==" else "gives a value to a name"
    return error("PE129", source, span, f"{quoted(source.excerpt(span))} stands for `{meant}`", f"`{meant}` {meaning}")


def unexpected_end(source: Source, span: Span, expected: Iterable[str]) -> Diagnostic:
    """PE130: the file ends in the middle of a clause

    A file that was cut off would otherwise lose its last clauses without a word.

    ```policy
    language 1
    define source =
    ```

    Repaired:

    ```policy
    language 1
    define source = glob("src/**")
    ```
    """
    return error("PE130", source, span, "the file ends in the middle of a clause", f"expected {listing(expected)}")


def too_many(source: Source, span: Span, limit: int) -> Diagnostic:
    """PE131: too many mistakes

    At most POLICY_DIAGNOSTICS complaints are shown per file, and a file with very many is not read to its end.

    Repair: begin with the first problem; a file in another format gives hundreds of them.
    """
    message = f"further problems are not shown (POLICY_DIAGNOSTICS = {limit})"
    return error("PE131", source, span, message, "begin with the first problem")
