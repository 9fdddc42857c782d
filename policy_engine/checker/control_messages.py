"""Diagnostics of invalid limits, hooks and verifies. Each docstring is the manual page of its code."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic


def one_measure(place: Place, advice: str = "write `repeats (…)` or `counts …`") -> Diagnostic:
    """PE250: limit that does not say what it counts

    A limit has one measure: `repeats (…)` for sameness, or `counts …` for events.

    ```policy
    language 1
    limit a "A" { on after_tool at 3 remind "Enough." }
    ```

    Repaired:

    ```policy
    language 1
    limit a "A" { on after_tool counts called(shell) at 3 remind "Enough." }
    ```
    """
    return error("PE250", place, "the limit measures nothing", advice)


def no_steps(place: Place) -> Diagnostic:
    """PE251: limit that never speaks

    ```policy
    language 1
    limit a "A" { on after_tool counts called(shell) }
    ```

    Repaired:

    ```policy
    language 1
    limit a "A" { on after_tool counts called(shell) at 50 warn "Fifty commands." }
    ```
    """
    return error("PE251", place, "the limit has no step", 'add `at N VERDICT "…"`')


def bad_number(place: Place, problem: str, advice: str = "") -> Diagnostic:
    """PE252: number out of range

    ```policy
    language 1
    limit a "A" { on after_tool counts called(shell) at 0 warn "Enough." }
    ```

    Repaired:

    ```policy
    language 1
    limit a "A" { on after_tool counts called(shell) at 1 warn "Enough." }
    ```
    """
    return error("PE252", place, problem, advice)


def step_twice(place: Place, count: str, first: Place) -> Diagnostic:
    """PE253: two steps at one count

    ```policy
    language 1
    limit a "A" { on after_tool counts called(shell) at 3 warn "Three." at 3 remind "Three." }
    ```

    Repaired:

    ```policy
    language 1
    limit a "A" { on after_tool counts called(shell) at 3 warn "Three." at 4 remind "Four." }
    ```
    """
    return error(
        "PE253", place, f"a second step at {count}", "the highest step reached speaks", (("first here", first),)
    )


def key_of_count(place: Place, problem: str, advice: str) -> Diagnostic:
    """PE266: count of a key that the limit does not have

    A limit that counts `by` a key has one count for each; a value that can equal none of them would always be at 0.

    ```policy
    language 1
    limit calls "Calls" { on after_tool counts called(mcp) by (tool.name) at 9 warn "Nine." }
    rule a "A" { on before_tool(mcp) when limit.calls.count(session.turn) > 4 ask "Again?" }
    ```

    Repaired:

    ```policy
    language 1
    limit calls "Calls" { on after_tool counts called(mcp) by (tool.name) at 9 warn "Nine." }
    rule a "A" { on before_tool(mcp) when limit.calls.count(tool.name) > 4 ask "Again?" }
    ```
    """
    return error("PE266", place, problem, advice)


def runs_one_thing(place: Place, both: bool) -> Diagnostic:
    """PE254: hook that runs nothing, or two things

    ```policy
    language 1
    hook a "A" { on before_tool(write) timeout 2s }
    ```

    Repaired:

    ```policy
    language 1
    hook a "A" { on before_tool(write) run ["ruff", "check", "-"] timeout 2s }
    ```
    """
    problem = "the hook has both `run` and `call`" if both else "the hook runs nothing"
    return error("PE254", place, problem, 'write either `run ["program", …]` or `call name`')


def unknown_hook(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE255: unknown hook in `before` or `after`

    ```policy
    language 1
    hook a "A" { on before_tool(write) run ["a"] before c }
    ```

    Repaired:

    ```policy
    language 1
    hook a "A" { on before_tool(write) run ["a"] before b }
    hook b "B" { on before_tool(write) run ["b"] }
    ```
    """
    return error("PE255", place, f"unknown hook `{word}`", nearest(word, known))


def hook_cycle(place: Place, path: tuple[str, ...]) -> Diagnostic:
    """PE256: hooks that wait for each other

    ```policy
    language 1
    hook a "A" { on before_tool(write) run ["a"] before b }
    hook b "B" { on before_tool(write) run ["b"] before a }
    ```

    Repaired:

    ```policy
    language 1
    hook a "A" { on before_tool(write) run ["a"] before b }
    hook b "B" { on before_tool(write) run ["b"] }
    ```
    """
    shown = " before ".join(f"`{name}`" for name in path)
    return error("PE256", place, f"the hook `{path[0]}` would run before itself", shown)


def no_stages(place: Place) -> Diagnostic:
    """PE257: verify without a stage

    ```policy
    language 1
    verify checks "Checks" { when diff.files > 0 }
    ```

    Repaired:

    ```policy
    language 1
    verify checks "Checks" { when diff.files > 0 stage lint run ["ruff", "check", "."] timeout 60s }
    ```
    """
    return error("PE257", place, "the verify has no stage", 'add `stage NAME run ["program", …] timeout 60s`')


def bad_stage(place: Place, problem: str, advice: str = "", related: tuple[tuple[str, Place], ...] = ()) -> Diagnostic:
    """PE258: verification stage that cannot run

    A stage has a name of its own, a program, and a timeout if it is to end.

    ```policy
    language 1
    verify checks "Checks" { stage lint run [] timeout 60s }
    ```

    Repaired:

    ```policy
    language 1
    verify checks "Checks" { stage lint run ["ruff", "check", "."] timeout 60s }
    ```
    """
    return error("PE258", place, problem, advice, related)
