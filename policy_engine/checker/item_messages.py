"""Diagnostics of invalid rules. Each docstring is the manual page of its code."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, listing, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic


def listens_nowhere(place: Place, sort: str) -> Diagnostic:
    """PE240: no lifecycle point

    ```policy
    language 1
    rule a "A" { when diff.lines > 500 warn "Large change." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on after_round when diff.lines > 500 warn "Large change." }
    ```
    """
    return error(
        "PE240", place, f"the {sort} listens nowhere", "add `on` and a lifecycle point, such as `on before_tool`"
    )


def clause_twice(place: Place, word: str, first: Place, advice: str) -> Diagnostic:
    """PE241: clause that stands twice

    Only `on`, `at`, `stage` and `test` may repeat. Two conditions are joined by `and` or `or`: the reader sees which.

    ```policy
    language 1
    rule a "A" { on prompt when prompt == "x" when diff.files > 1 warn "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on prompt when prompt == "x" and diff.files > 1 warn "No." }
    ```
    """
    return error("PE241", place, f"a second `{word}`", advice, (("first here", first),))


def says_nothing(place: Place) -> Diagnostic:
    """PE242: rule without a verdict or an effect

    ```policy
    language 1
    rule a "A" { on before_completion require todos_converged() }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion require todos_converged() deny "Finish {open_todos}." }
    ```
    """
    return error(
        "PE242", place, "the rule gives no verdict", "add `warn`, `remind`, `ask`, `deny` or `stop` with a message"
    )


def verdict_not_here(place: Place, verdict: str, points: Iterable[str], allowed: Iterable[str]) -> Diagnostic:
    """PE243: verdict that the point does not have

    Each lifecycle point has the verdicts that can be carried out there: what has already run cannot be refused.

    ```policy
    language 1
    rule a "A" { on after_tool(shell) when not result.ok deny "It failed." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on after_tool(shell) when not result.ok remind "It failed." }
    ```
    """
    words = list(allowed)
    advice = (
        f"{listing(words)} may be used here" if words else "these points have no verdict in common: write two rules"
    )
    return error("PE243", place, f"`{verdict}` is not a verdict of {listing(points)}", advice)


def allow_given(place: Place) -> Diagnostic:
    """PE244: `allow` as a verdict

    A rule never allows: what no rule refuses is allowed, and nothing takes a refusal back.

    ```policy
    language 1
    rule a "A" { on before_tool(read) allow }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(write) when paths == [] warn "A write without a path." }
    ```
    """
    return error("PE244", place, "`allow` is not given by a rule", "narrow the rule that refuses, or waive it")


def stop_needs_reason(place: Place, verdict: str) -> Diagnostic:
    """PE245: `stop` without a reason

    The reason is the word that the host and the log get.

    ```policy
    language 1
    rule a "A" { on after_round when session.rounds > 50 stop "Too many rounds." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on after_round when session.rounds > 50 stop too_many_rounds "Too many rounds." }
    ```
    """
    if verdict == "stop":
        return error("PE245", place, "`stop` needs a reason", 'write a word after it: `stop too_many_rounds "…"`')
    return error("PE245", place, f"`{verdict}` takes no reason", "only `stop` does")


def unknown_severity(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE247: unknown severity

    ```policy
    language 1
    rule a "A" { severity hihg on prompt warn "Hello." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { severity high on prompt warn "Hello." }
    ```
    """
    words = list(known)
    return error("PE247", place, f"unknown severity `{word}`", nearest(word, words, f"it is one of {listing(words)}"))


def no_time_budget_here(place: Place, points: Iterable[str], having: Iterable[str]) -> Diagnostic:
    """PE248: `timeout` effect where no tool is about to run

    ```policy
    language 1
    rule a "A" { on after_tool timeout 60s }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool timeout 60s }
    ```
    """
    return error("PE248", place, f"no time budget can be set at {listing(points)}", f"use {listing(having)}")


def bad_duration(place: Place, problem: str) -> Diagnostic:
    """PE249: duration that cannot be meant

    ```policy
    language 1
    rule a "A" { on before_tool timeout 60s backoff to 30s }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool timeout 60s backoff to 160s }
    ```
    """
    return error("PE249", place, problem)
