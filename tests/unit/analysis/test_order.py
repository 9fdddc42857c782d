"""What a command pattern proves of the program holds for every command, those that are not known included."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import TypeVar

from policy_engine.analysis.formula import Form, ways
from policy_engine.analysis.theory import impossible
from policy_engine.checker.tree import CommandPattern
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from policy_engine.shell.patterns import command_matches, pattern_tokens
from tests.unit.analysis.conditions import form_implies, policy

T = TypeVar("T")
DISK = Virtual("/workspace")
PATTERNS = (
    "git push ...", "/usr/bin/git ...", "./git ...", "make ...", "g* push ...", "* push ...", "... push", "git -*",
)  # fmt: skip
LINES = (
    "git push", "git -C x push", "git -c alias.push=x push", "GIT_DIR=x git push", "PATH=/x/git push", "X=1 git push",
    "/usr/bin/git push", "/opt/git push", "./git push", "x/git push", "git", "make -k push", "/bin/make push",
    "gh push", "$TOOL push", "git $X", "./$TOOL push", "/usr/bin/$TOOL push", "g$X push", "$X/git push", "push",
    "git{,x} push", "sudo git push", "cd x && git push",
)  # fmt: skip
PROGRAMS: dict[str, Callable[[str], bool]] = {
    'c.program == "git"': lambda name: name == "git",
    'c.program != "git"': lambda name: name != "git",
    'c.program in ["git", "gh"]': lambda name: name in ("git", "gh"),
    'c.program starts_with "g"': lambda name: name.startswith("g"),
    "c.program matches /^(git|make)$/": lambda name: name in ("git", "make"),
    'not c.program starts_with "m"': lambda name: not name.startswith("m"),
}


def form(body: str) -> Form:
    """The form of a condition about a command of the line."""
    rule = f'rule a "A" {{ on before_tool(shell) when any c in commands {{ {body} }} warn "No." }}'
    when = policy(rule).rules[0].when
    assert when is not None
    return ways(when)


def known(ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except Undecided:
        return None


def test_the_program_follows_from_the_pattern_of_a_command() -> None:
    proved = set()
    commands = [command for line in LINES for command in parse(line, DISK.workspace, DISK)]
    for text, (about, holds) in product(PATTERNS, PROGRAMS.items()):
        matched = f'c matches "{text}"'
        implied = form_implies(form(matched), form(about))
        never = impossible(form(f"{matched} and {about}")) is not None
        assert implied is form_implies(form(f"not ({about})"), form(f"not ({matched})"))
        pattern = CommandPattern((pattern_tokens(text),), (), None)
        for command in commands:
            matches = known(partial(command_matches, pattern, command, DISK))
            program = known(partial(getattr, command, "program"))
            meets = None if program is None else holds(program)
            assert not (implied and ((matches and not meets) or (meets is False and matches is not False))), command
            assert not (never and matches and meets), command
        proved |= {(text, about, sort) for sort, said in (("implied", implied), ("never", never)) if said}
    assert ("git push ...", 'c.program == "git"', "implied") in proved
    assert ("git push ...", 'c.program != "git"', "never") in proved
    assert {text for text, *_ in proved} == {"git push ...", "/usr/bin/git ...", "./git ...", "make ...", "git -*"}
