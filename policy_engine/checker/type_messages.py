"""Diagnostics of values of the wrong type. Each docstring is the manual page of its code."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, listing, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic


def wrong_type(place: Place, expected: str, actual: str, advice: str = "") -> Diagnostic:
    """PE220: wrong type

    A condition is a Bool: nothing else counts as true or false, so an Int or a list is compared with something.

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when commands deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when commands != [] deny "No." }
    ```
    """
    return error("PE220", place, f"expected {expected}, found {actual}", advice)


def bad_operands(place: Place, operator: str, left: str, right: str, advice: str = "") -> Diagnostic:
    """PE221: operator that does not take these types

    Both sides of `==` have one type; `<` takes Int, Duration and Time; `contains`, `starts_with` and `ends_with` take
    texts; `matches` takes a text or path with a regex or glob, and a command with a command pattern; `under`,
    `inside` and `outside` take paths. The language page has the whole table.

    ```policy
    language 1
    rule a "A" { on after_tool(shell) when result.exit_code == "1" warn "It failed." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on after_tool(shell) when result.exit_code == 1 warn "It failed." }
    ```
    """
    return error("PE221", place, f"`{operator}` does not take {left} and {right}", advice)


def unknown_word(place: Place, type_name: str, word: str, known: Iterable[str]) -> Diagnostic:
    """PE222: word that an enumeration does not have

    ```policy
    language 1
    rule a "A" { on before_completion when any t in todos { t.status == "done" } deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion when any t in todos { t.status == "completed" } deny "No." }
    ```
    """
    words = list(known)
    advice = nearest(word, words, f"it is one of {listing(words)}")
    return error("PE222", place, f"unknown {type_name.lower()} `{word}`", advice)


def not_a_list(place: Place, actual: str) -> Diagnostic:
    """PE223: quantifier over something that is no list

    ```policy
    language 1
    rule a "A" { on before_tool when any x in tool.name { x == "a" } deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool when any p in paths { p matches "*.pem" } deny "No." }
    ```
    """
    return error("PE223", place, f"expected a list, found {actual}")


def misplaced_interpolation(place: Place) -> Diagnostic:
    """PE224: interpolation outside a message

    `{…}` is put in place in messages only. A glob may use braces for alternatives; elsewhere write `\\{`.

    ```policy
    language 1
    rule a "A" { on prompt when prompt contains "{workspace}" deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on prompt when prompt contains "workspace" deny "Stay in {workspace}." }
    ```
    """
    return error("PE224", place, "a text with `{…}` is allowed in messages only", "write `\\{` for a plain brace")


def wrong_count(place: Place, name: str, expected: str, actual: int) -> Diagnostic:
    """PE229: wrong number of arguments

    ```policy
    language 1
    rule a "A" { on before_completion require file_exists() deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion require file_exists("README.md") deny "No." }
    ```
    """
    return error("PE229", place, f"`{name}` takes {expected}, not {actual}")


def unknown_label(place: Place, name: str, label: str, known: Iterable[str]) -> Diagnostic:
    """PE230: argument with a label that the function does not know, or without one

    ```policy
    language 1
    rule a "A" { on before_completion when count(ran("make"), in: 10m) > 3 warn "Enough." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion when count(ran("make"), within: 10m) > 3 warn "Enough." }
    ```
    """
    words = list(known)
    advice = nearest(
        label, words, f"it takes {listing(f'{word}:' for word in words)}" if words else "it takes no labels"
    )
    return error("PE230", place, f"`{name}` has no argument `{label}:`", advice)


def bad_argument(place: Place, name: str, problem: str, advice: str = "") -> Diagnostic:
    """PE231: argument that can never work

    ```policy
    language 1
    rule a "A" { on before_completion require content_contains("CHANGELOG.md", "") deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion require content_contains("CHANGELOG.md", "1.0") deny "No." }
    ```
    """
    return error("PE231", place, f"`{name}`: {problem}", advice)


def never_absent(place: Place, word: str, actual: str) -> Diagnostic:
    """PE232: `has` or `else` for something that has no absence

    They take a field, an argument, an attribute, `last(…)` or a predicate that reads a value.

    ```policy
    language 1
    rule a "A" { on prompt when has (prompt == "x") deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on prompt when has prompt and prompt == "x" deny "No." }
    ```
    """
    return error("PE232", place, f"`{word}` takes a field, found {actual}", "remove it, or name the field alone")


def unlike_elements(place: Place, first: str, actual: str) -> Diagnostic:
    """PE234: list with elements of several types

    ```policy
    language 1
    rule a "A" { on before_tool when tool.name in ["Bash", 3] deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool when tool.name in ["Bash", "Edit"] deny "No." }
    ```
    """
    return error("PE234", place, f"the list begins with {first} and goes on with {actual}", "one list has one type")


def not_constant(place: Place, name: str) -> Diagnostic:
    """PE235: argument that must be written out

    Methods such as `has_flag` take text literals, so that they can be checked before anything runs.

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when any c in commands { c.has_flag(tool.name) } deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when any c in commands { c.has_flag("-r") } deny "No." }
    ```
    """
    return error("PE235", place, f"`{name}` takes text literals", "write the text in quotes")
