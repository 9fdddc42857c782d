"""Diagnostics of invalid waivers, claims, modes, test steps and history forms; docstrings are the manual pages."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, listing, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic


def bad_command_line(place: Place, problem: str) -> Diagnostic:
    """PE286: command behind `on command` that cannot be meant

    Words and options of one program stand there: `git push`, `git tag -d`. Whatever follows them is free.

    ```policy
    language 1
    rule a "A" { on command git push ... deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on command git push deny "No." }
    ```
    """
    return error("PE286", place, problem, "write words and options such as `git push`, `git tag -d`")


def other_points(place: Place) -> Diagnostic:
    """PE287: lifecycle point beside `on command`

    `on command` listens to shell calls that are proposed, and its conditions are about one command.

    ```policy
    language 1
    rule a "A" { on command git push on before_tool(write) deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on command git push deny "No." }
    rule b "B" { on before_tool(write) deny "No." }
    ```
    """
    return error("PE287", place, "another lifecycle point beside `on command`", "write a second rule for it")


def approves_elsewhere(place: Place) -> Diagnostic:
    """PE267: approval of a call whose effects are not known

    `approve` says that the host need not ask a person about a call that is proposed. It is given only to tools of which
    it is known what a call would do.

    ```policy
    language 1
    rule a "A" { on before_tool(mcp) when tool.server == "docs" approve "It only looks." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(read) when every p in paths { p inside "docs" } approve "It only looks." }
    ```
    """
    return error("PE267", place, "`approve` is not given here", "a rule gives it, on before_tool(shell, read)")


def grants_too_much(place: Place, statement: str) -> Diagnostic:
    """PE268: approval of more than its condition proves

    What is approved must be said of every command or path of the call, and positively: that nothing bad was seen is no
    proof. Other conditions beside it, joined by `and`, narrow it.

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when not (any c in commands { c.program == "rm" }) approve "It keeps all." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when every c in commands { c.read_only } approve "It only reads." }
    ```
    """
    return error("PE268", place, "the condition does not prove what is approved", f"add `{statement}`, joined by `and`")


def beside_approve(place: Place, word: str) -> Diagnostic:
    """PE269: clause that has no meaning beside `approve`

    A rule approves where its condition holds. What cannot be decided is not approved, so that there is no direction to
    fail in; and what a rule requires, it says of calls that are refused.

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when every c in commands { c.read_only } approve "It only reads." fail open }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_tool(shell) when every c in commands { c.read_only } approve "It only reads." }
    ```
    """
    return error("PE269", place, f"`{word}` has no meaning beside `approve`", "delete it; say it in `when`")


def waiver_lacks(place: Place, what: str, advice: str) -> Diagnostic:
    """PE259: waiver that is not dated, owned and explained

    ```policy
    language 1
    rule a "A" { on prompt warn "Hello." }
    waive a "Release day" { until 2026-12-31 }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on prompt warn "Hello." }
    waive a "Release day" { until 2026-12-31 owner "dana" }
    ```
    """
    return error("PE259", place, f"the waiver has no {what}", advice)


def never_entered(place: Place) -> Diagnostic:
    """PE261: mode that is never entered

    ```policy
    language 1
    mode careful "Careful" { lock 2 rounds }
    ```

    Repaired:

    ```policy
    language 1
    mode careful "Careful" { enter when diff.lines > 500 lock 2 rounds }
    ```
    """
    return error("PE261", place, "the mode has no `enter when`", "say when it begins: `enter when …`")


def claim_expects_nothing(place: Place) -> Diagnostic:
    """PE265: claim that expects nothing

    ```policy
    language 1
    claim no-sudo "Nobody becomes root" { on before_tool(shell) when any c in commands { c.program == "sudo" } }
    ```

    Repaired:

    ```policy
    language 1
    claim no-sudo "Nobody becomes root" {
      on before_tool(shell)
      when any c in commands { c.program == "sudo" }
      expect deny
    }
    ```
    """
    advice = "add `expect deny`, `expect ask` or `expect possible allow`"
    return error("PE265", place, "the claim expects nothing", advice)


def bad_step(place: Place, problem: str, advice: str = "") -> Diagnostic:
    """PE262: test step that cannot be played

    ```policy
    language 1
    test { write "a.md" wait 0m finish => allow }
    ```

    Repaired:

    ```policy
    language 1
    test { write "a.md" wait 10m finish => allow }
    ```
    """
    return error("PE262", place, problem, advice)


def unknown_verdict(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE263: unknown verdict

    The ladder is `allow`, `warn`, `remind`, `ask`, `deny`, `stop`. The parser knows the words; this page is for trees
    that tools make.
    """
    words = list(known)
    return error("PE263", place, f"unknown verdict `{word}`", nearest(word, words, f"it is one of {listing(words)}"))


def never_by(place: Place, rule: str, owner: str) -> Diagnostic:
    """PE264: expectation that a test in a rule can never meet

    A test in a rule evaluates that rule alone.

    ```policy
    language 1
    rule a "A" { on prompt warn "Hello." test { prompt "x" => warn by b } }
    rule b "B" { on prompt warn "Hello." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on prompt warn "Hello." test { prompt "x" => warn by a } }
    rule b "B" { on prompt warn "Hello." }
    ```
    """
    return error("PE264", place, f"a test in `{owner}` never hears `{rule}`", "write the test at top level")


def not_an_atom(place: Place, where: str, actual: str) -> Diagnostic:
    """PE270: history atom needed

    `since`, `count(…)`, `last(…)` take atoms such as `wrote(…)`, `ran(…)`, `prompted()`, or several joined by `or`.

    ```policy
    language 1
    rule a "A" { on before_completion when count(diff.files) > 3 warn "Enough." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion when count(wrote("src/**")) > 3 warn "Enough." }
    ```
    """
    return error(
        "PE270", place, f"{where} takes a history atom, found {actual}", 'such as `wrote("src/**")` or `prompted()`'
    )


def bad_atom_argument(place: Place, atom: str, expected: str, actual: str) -> Diagnostic:
    """PE271: history atom with an argument of the wrong sort

    ```policy
    language 1
    rule a "A" { on before_completion require wrote(3) deny "No." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion require wrote("src/**") deny "No." }
    ```
    """
    return error("PE271", place, f"`{atom}` takes {expected}, found {actual}")


def unknown_ecosystem(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    """PE275: unknown ecosystem of tests

    `tests_passed(…)` takes one of a closed set of ecosystems, or none for any.

    ```policy
    language 1
    rule a "A" { on before_completion require tests_passed(pyhton) deny "Run the tests." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion require tests_passed(python) deny "Run the tests." }
    ```
    """
    words = list(known)
    return error("PE275", place, f"unknown ecosystem `{word}`", nearest(word, words, f"it is one of {listing(words)}"))


def not_trackable(place: Place, atom: str, variable: str, source: str) -> Diagnostic:
    """PE272: history of a variable that is not tracked

    Per-path and per-command history is kept in constant state for `changed(…)` and `goal.commands` only.

    ```policy
    language 1
    rule a "A" { on before_tool when every p in paths { read(p) } warn "Not read." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion when any f in changed("*.md") { not (read(f) since wrote(f)) } warn "Not read." }
    ```
    """
    advice = f"`{atom}` takes a variable over {source}"
    return error("PE272", place, f"no history is kept for each `{variable}`", advice)


def not_counted(place: Place, form: str, variable: str) -> Diagnostic:
    """PE274: count or record of a variable

    For each path and each command only its latest occurrences are kept: what happened, and in what order. A count, or a
    record, needs state of its own, which a literal or a define has.

    ```policy
    language 1
    rule a "A" { on after_round when any c in goal.commands { count(command_failure(c)) > 3 } warn "Stop." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on after_round when count(command_failure("npm test")) > 3 warn "Stop." }
    ```
    """
    return error("PE274", place, f"`{form}` is not kept for each `{variable}`", "name a glob, a command or a define")


def bad_window(place: Place, problem: str) -> Diagnostic:
    """PE273: window that cannot be meant

    ```policy
    language 1
    rule a "A" { on before_completion when count(ran("make"), within: 0m) > 3 warn "Enough." }
    ```

    Repaired:

    ```policy
    language 1
    rule a "A" { on before_completion when count(ran("make"), within: 10m) > 3 warn "Enough." }
    ```
    """
    return error("PE273", place, problem, "such as `within: 10m` or `within: 3 rounds`")
