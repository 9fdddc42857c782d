"""Diagnostics of parameters that are declared or given wrongly. Each docstring is the manual page of its code."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, listing, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic


def not_a_value(place: Place, name: str) -> Diagnostic:
    """PE280: parameter whose value depends on the event

    A parameter is set once, when the policy loads: a text, a number, a duration, true or false, a pattern, or a list
    of such values.

    ```policy
    language 1
    param most = diff.lines
    rule small "Small changes" { on before_completion when diff.lines > most warn "Split the change." }
    ```

    Repaired:

    ```policy
    language 1
    param most = 500
    rule small "Small changes" { on before_completion when diff.lines > most warn "Split the change." }
    ```
    """
    advice = (
        "write a text, a number, a duration, true or false, a pattern, or a list of them; conditions stand in rules"
    )
    return error("PE280", place, f"the parameter `{name}` is not set to a constant", advice)


def wrong_value(place: Place, name: str, expected: str, actual: str, first: Place) -> Diagnostic:
    """PE281: parameter set to a value of another type

    The default of a parameter says what type it has.

    ```policy
    language 1
    import "pack:loops/failing-commands" with { most = "20" }
    ```

    Repaired:

    ```policy
    language 1
    import "pack:loops/failing-commands" with { most = 20 }
    ```
    """
    advice = f"write {expected}, as its default is"
    return error("PE281", place, f"`{name}` takes {expected}, not {actual}", advice, (("declared here", first),))


def unknown_param(place: Place, name: str, target: str, known: Iterable[str]) -> Diagnostic:
    """PE282: file without such a parameter

    ```policy
    language 1
    import "pack:loops/failing-commands" with { max = 20 }
    ```

    Repaired:

    ```policy
    language 1
    import "pack:loops/failing-commands" with { most = 20 }
    ```
    """
    words = list(known)
    advice = f"it has {listing(words)}" if words else "it has none: import it without `with`"
    return error("PE282", place, f'"{target}" has no parameter `{name}`', nearest(name, words, advice))


def set_twice(place: Place, name: str, first: Place) -> Diagnostic:
    """PE283: parameter set twice

    A file stands once in a set of policies, however often it is imported: one import sets its parameters, the others
    have no `with`.

    ```policy
    language 1
    import "pack:loops/failing-commands" with { most = 20, most = 30 }
    ```

    Repaired:

    ```policy
    language 1
    import "pack:loops/failing-commands" with { most = 20 }
    ```
    """
    advice = "set it at one import only; the value holds wherever the file is imported"
    return error("PE283", place, f"`{name}` is already set", advice, (("first here", first),))


def unused_param(place: Place, name: str) -> Diagnostic:
    """PE284: parameter that nothing uses

    Whoever sets it would believe that something changed.

    ```policy
    language 1
    param most = 500
    rule small "Small changes" { on before_completion when diff.lines > 400 warn "Split the change." }
    ```

    Repaired:

    ```policy
    language 1
    param most = 500
    rule small "Small changes" { on before_completion when diff.lines > most warn "Split the change." }
    ```
    """
    return error(
        "PE284", place, f"nothing uses the parameter `{name}`", "use it in a condition or message, or delete it"
    )


def not_a_count(place: Place, name: str) -> Diagnostic:
    """PE285: step of a limit at a name that is no number

    ```policy
    language 1
    define most = "20"
    limit calls "Many calls" { on before_tool counts called(shell) at most warn "Many calls." }
    ```

    Repaired:

    ```policy
    language 1
    define most = 20
    limit calls "Many calls" { on before_tool counts called(shell) at most warn "Many calls." }
    ```
    """
    return error("PE285", place, f"`{name}` is not a number", "name a parameter or define that is a whole number")
