"""Diagnostics of globs, regexes and command patterns that do not parse. Each docstring is a manual page."""

from __future__ import annotations

from policy_engine.checker.diagnostic_builder import error
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic


def bad_glob(place: Place, problem: str) -> Diagnostic:
    """PE225: glob that does not parse

    ```policy
    language 1
    define source = glob("src/[a")
    ```

    Repaired:

    ```policy
    language 1
    define source = glob("src/[a]*")
    ```
    """
    return error(
        "PE225", place, problem, "`*` and `?` match within a component, `**` across, `[…]` a character, `{a,b}` either"
    )


def bad_regex(place: Place, problem: str) -> Diagnostic:
    """PE226: regex that RE2 does not take

    The syntax is RE2's, which answers in linear time: it has no look-around and no back-references.

    ```policy
    language 1
    rule a "A" { on prompt when prompt matches /(?=secret)/ deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on prompt when prompt matches /secret/i deny "No." }
    ```
    """
    return error("PE226", place, problem, "the syntax of RE2 is at https://github.com/google/re2/wiki/Syntax")


def bad_command(place: Place, problem: str) -> Diagnostic:
    """PE227: command pattern that does not parse

    A command pattern is an argument vector: words, `*` for one argument, `-*` for any options, `...` for any rest.

    ```policy
    language 1
    define tests = command("pytest 'unclosed")
    ```

    Repaired:

    ```policy
    language 1
    define tests = command("pytest -*")
    ```
    """
    return error(
        "PE227", place, problem, "`*` is one argument, `-*` any options, `...` any rest; quote a word with spaces"
    )


def pattern_expected(place: Place, expected: str, actual: str) -> Diagnostic:
    """PE228: a pattern is needed here

    ```policy
    language 1
    define source = glob("src/**") except 3
    ```

    Repaired:

    ```policy
    language 1
    define source = glob("src/**") except glob("src/vendor/**")
    ```
    """
    forms = {"Glob": '`glob("…")`', "Command": '`command("…")`', "Regex": "a regex, `/…/`"}
    advice = " or ".join(forms[word] for word in expected.split(" or "))
    return error("PE228", place, f"expected a {expected} pattern, found {actual}", f"write {advice}")
