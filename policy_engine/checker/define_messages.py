"""Diagnostics of names that are declared wrongly, or twice. Each docstring is the manual page of its code."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, listing
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import DEFINE_EXPANSION, POLICY_DEPTH


def defined_twice(place: Place, name: str, first: Place) -> Diagnostic:
    """PE210: name defined twice

    A define is visible in its own file and in files that import it; there is no overriding.

    ```policy
    language 1
    define source = glob("src/**")
    define source = glob("lib/**")
    ```

    Repaired:

    ```policy
    language 1
    define source = glob("src/**", "lib/**")
    ```
    """
    return error(
        "PE210", place, f"`{name}` is already defined", "give one of them another name", (("first here", first),)
    )


def define_cycle(place: Place, path: tuple[str, ...]) -> Diagnostic:
    """PE211: define that needs itself

    ```policy
    language 1
    define a = glob("x") except b
    define b = glob("y") except a
    ```

    Repaired:

    ```policy
    language 1
    define a = glob("x") except b
    define b = glob("y")
    ```
    """
    return error("PE211", place, f"`{path[0]}` is defined by itself", " → ".join(f"`{name}`" for name in path))


def expansion_too_large(place: Place, name: str) -> Diagnostic:
    """PE212: defines expand too far

    Defines are put in place where they are named. The nodes of one condition, counted after that, are limited by
    DEFINE_EXPANSION, and defines within defines by POLICY_DEPTH, so that no small text makes a huge program.

    Write the repeated part once, as a rule of its own or as a glob or list with several entries.
    """
    limits = f"DEFINE_EXPANSION ({DEFINE_EXPANSION}) nodes or POLICY_DEPTH ({POLICY_DEPTH}) levels"
    return error("PE212", place, f"`{name}` expands to more than {limits}", "split the condition into several rules")


def name_taken(place: Place, word: str, meaning: str) -> Diagnostic:
    """PE213: name that the language uses itself

    A define or a variable would hide a field, a function or a word of the language.

    ```policy
    language 1
    define workspace = glob("src/**")
    ```

    Repaired:

    ```policy
    language 1
    define source = glob("src/**")
    ```
    """
    return error(
        "PE213", place, f"`{word}` is {meaning}", f"choose another name, such as `my_{word.replace('-', '_')}`"
    )


def not_open(place: Place, name: str) -> Diagnostic:
    """PE290: addition that cannot be united with others

    Globs, commands and lists can be added to; what one of them leaves out would be left out of the others as well.

    ```policy
    language 1
    define safe += command("jq ...") except command("jq -f ...")
    rule a "A" { on before_tool(shell) when any c in commands { not (c matches safe) } ask "Really?" }
    ```

    Repaired:

    ```policy
    language 1
    define safe += command("jq ...")
    define code = command("jq -f ...")
    rule a "A" { on before_tool(shell) when any c in commands { c matches code or not (c matches safe) } ask "Really?" }
    ```
    """
    advice = 'add `glob("…")` or `command("…")` without `except` and `in:`, or a list; name exceptions where it is used'
    return error("PE290", place, f"what is added to `{name}` cannot be united with the rest", advice)


def added_otherwise(place: Place, name: str, first: Place) -> Diagnostic:
    """PE291: addition of another type

    ```policy
    language 1
    define safe += command("jq ...")
    define safe += ["yq"]
    rule a "A" { on before_tool(shell) when any c in commands { not (c matches safe) } ask "Really?" }
    ```

    Repaired:

    ```policy
    language 1
    define safe += command("jq ...")
    define safe += command("yq ...")
    rule a "A" { on before_tool(shell) when any c in commands { not (c matches safe) } ask "Really?" }
    ```
    """
    return error("PE291", place, f"what is added to `{name}` is of another type", "", (("first here", first),))


def unknown_type(place: Place, type_: str, element: str, known: Iterable[str]) -> Diagnostic:
    """PE292: type that an argument cannot have

    ```policy
    language 1
    define touched(all: List) = all != []
    ```

    Repaired:

    ```policy
    language 1
    define touched(all: List of Path) = all != []
    ```
    """
    shown = f"{type_} of {element}" if element else type_
    return error("PE292", place, f"`{shown}` is no type of an argument", f"write {listing(known)}, or `List of` one")


def wrong_arguments(place: Place, name: str, wanted: int, given: int, first: Place) -> Diagnostic:
    """PE293: define with too many or too few arguments

    ```policy
    language 1
    define forced(c: Command) = c.has_flag("-f", "--force")
    rule a "A" { on before_tool(shell) when any c in commands { forced() } deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    define forced(c: Command) = c.has_flag("-f", "--force")
    rule a "A" { on before_tool(shell) when any c in commands { forced(c) } deny "No." }
    ```
    """
    count = "one argument" if wanted == 1 else f"{wanted} arguments"
    advice = f"write `{name}({', '.join('…' * wanted)})`"
    return error("PE293", place, f"`{name}` takes {count}, not {given}", advice, (("defined here", first),))


def shadowed_variable(place: Place, word: str, first: Place) -> Diagnostic:
    """PE214: variable that hides another

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when any c in commands { any c in c.args { c == "x" } } deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when any c in commands { any w in c.args { w == "x" } } deny "No." }
    ```
    """
    return error(
        "PE214", place, f"`{word}` hides another `{word}`", "choose another name", (("it is bound here", first),)
    )


def duplicate_id(place: Place, word: str, first: Place) -> Diagnostic:
    """PE215: id used twice

    Rules, limits, hooks and verifies that are loaded together share one set of ids: reports, waivers and tests name
    them by id alone. Modes have a set of their own.

    ```policy
    language 1
    rule a "One" { on prompt warn "Hello." }
    rule a "Two" { on session_start warn "Hello." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "One" { on prompt warn "Hello." }
    rule b "Two" { on session_start warn "Hello." }
    ```
    """
    return error("PE215", place, f"the id `{word}` is already used", f"at {first.location}", (("first here", first),))
