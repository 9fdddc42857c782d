"""Seeds of Hypothesis → conditions over the past: atoms, `since`, `count`, `last`, `changed`, modes and limits."""

from __future__ import annotations

from tests.generated.context import COMMANDS, GLOBS, Context, Draw, flip, number, one
from tests.generated.operands import path_test, text_test

OTHER_PARTS = {"agent.name": '"a"', "agent.kind": '"subagent"', "session.turn": "1", "session.id": '"s"'}
"""What a limit may count by at every point, with another value that a rule may ask for."""
ATOMS = (
    "wrote", "wrote", "read", "deleted", "ran", "command_success", "command_success", "command_failure", "called",
    "tests_passed", "tests_passed",
    "tool_fact", "prompted", "refused",
)  # fmt: skip


def atom(draw: Draw, at: Context) -> str:
    globs = (*GLOBS, *(name for name in at.defines if name.startswith("g")))
    commands = (*COMMANDS, *(name for name in at.defines if name.startswith(("p", "command_"))))
    kind = one(draw, ATOMS)
    if kind in ("wrote", "read", "deleted"):
        return f"{kind}({one(draw, globs)})"
    if kind in ("ran", "command_success", "command_failure"):
        return f"{kind}({one(draw, commands)})"
    if kind == "refused" and not at.rules:
        kind = "prompted"
    arguments = {
        "called": ("shell", "write", '"Bash"', '"Write"', "mcp"),
        "tool_fact": ("coverage", "coverage, 1", "coverage, true", '"tests", "green"'),
        "prompted": ("",), "refused": at.rules,
        "tests_passed": ("", "", "python", "python, strict: true", 'in: "src"', 'go, in: "web"',
                         'python, in: "src/a.py"'),
    }  # fmt: skip
    return f"{kind}({one(draw, arguments[kind])})"


def atoms(draw: Draw, at: Context) -> str:
    return f"({atom(draw, at)} or {atom(draw, at)})" if flip(draw, 4) else atom(draw, at)


def of_goal(draw: Draw, at: Context) -> str:
    if flip(draw, 3):
        return str(one(draw, (text_test(draw, "goal.text"), "goal.commands != []")))
    name = at.variable()
    test = f"{one(draw, ('command_success', 'ran', 'command_failure'))}({name})"
    if flip(draw):
        test += f" since {atom(draw, at)}"
    return f"{one(draw, ('any', 'every'))} {name} in goal.commands {{ {test} }}"


def of_past(draw: Draw, at: Context) -> str:
    sort = number(draw, 0, 7)
    if sort <= 1:
        return atoms(draw, at)
    if sort <= 4:
        return f"{atoms(draw, at)} since {atoms(draw, at)}"
    if sort == 5:
        return of_last(draw, at)
    if sort == 6:
        name = at.variable()
        test = one(
            draw, ("read({0}) since wrote({0})", "not (read({0}) since wrote({0}))", "deleted({0})", "read({0})")
        )
        return f"{one(draw, ('any', 'every'))} {name} in changed({one(draw, GLOBS)}) {{ {test.format(name)} }}"
    return f"workspace_changed({one(draw, GLOBS)})"


def of_last(draw: Draw, at: Context) -> str:
    sort = one(draw, ("wrote", "ran", "command_failure", "prompted", "tool_fact"))
    if sort == "wrote":
        name = f"last(wrote({one(draw, GLOBS)}))"
        return f"(has {name} and {path_test(draw, f'{name}.path')})"
    if sort in ("ran", "command_failure"):
        name = f"last({sort}({one(draw, COMMANDS)}))"
        return str(one(draw, (f"{name}.exit_code else 1 == 0", f"(has {name} and {text_test(draw, f'{name}.command')})",
                              f"has {name}", f"(has {name} and {name}.time < time.now)")))  # fmt: skip
    name = "last(prompted())" if sort == "prompted" else "last(tool_fact(coverage))"
    return f"(has {name} and {text_test(draw, f'{name}.text')})"


def of_state(draw: Draw, at: Context) -> str:
    """What limits and modes came to."""
    if at.keyed and flip(draw):
        name = one(draw, tuple(at.keyed))
        parts = [one(draw, (part, part, OTHER_PARTS[part])) for part in at.keyed[name]]
        return f"limit.{name}.count({', '.join(parts)}) {one(draw, ('>=', '==', '<'))} {number(draw, 0, 3)}"
    if at.limits and flip(draw):
        return f"limit.{one(draw, at.limits)}.count {one(draw, ('>=', '=='))} {number(draw, 0, 3)}"
    if at.modes:
        return f"mode.{one(draw, at.modes)}"
    return of_count(draw, at)


def of_count(draw: Draw, at: Context) -> str:
    window = one(draw, ("", "", ", within: 2m", ", within: 2 rounds", ", within: 1 rounds"))
    since = f", since: {atoms(draw, at)}" if flip(draw) else ""
    return f"count({atoms(draw, at)}{window}{since}) {one(draw, ('>=', '==', '<'))} {number(draw, 1, 3)}"
