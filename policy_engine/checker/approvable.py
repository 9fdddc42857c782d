"""Tell whether a pattern of commands, or the name of a tool, says enough to approve it. Not on the hook path."""

from __future__ import annotations

from policy_engine.effects.granted import PACKAGE_RUNNERS
from policy_engine.programs.base import INTERPRETERS, find_program
from policy_engine.programs.invocation import options_before_verb
from policy_engine.shell.builtins import BUILTINS
from policy_engine.shell.names import RUNS_ANOTHER
from policy_engine.shell.wrappers import NOT_FOLLOWED, REMOTE, RUNNERS

_MARKS = frozenset("*?[|^$")  # of patterns, which the name of a tool is not
_STARTING_VERBS = ("exec", "dlx", "x")
_OWN_CODE = ("awk", "sed", "vim")  # rows of programs that start others from their own scripts
_OF_HOSTS = frozenset(
    "agent apply_patch applypatch bash create delegate delegate_to_agent delete edit editor exec_command execute "
    "execute_bash execute_cmd execute_command fetch_web_content fetchurl fs_write invoke_agent "
    "local_shell monitor multiedit notebook_edit notebookedit patch powershell replace run_commands run_shell_command "
    "shell shell_command spawn_agent str_replace_editor task unified_exec use_subagent web_fetch webfetch "
    "write write_bash write_file write_powershell write_stdin".split()
)
"""What coding agents call their own tools that run, write, fetch or start another agent."""
_STARTERS = RUNS_ANOTHER | NOT_FOLLOWED | BUILTINS.keys()


def names_anything(tokens: tuple[str, ...]) -> tuple[str, str] | None:
    """Return why a pattern does not say what it starts, and what to write; None if it does."""
    name, verb, third = (*tokens, "", "")[:3]
    if _is_literal(name) and "/" in name:
        if name[0] in "/~" or ".." in name.split("/"):
            return "its first word is no script of the workspace", "write its path there, as in `scripts/test.sh ...`"
        return None
    if not _is_literal(name):
        return "its first word is not the name of a program", "write the name, as in `npm test ...`"
    if name in PACKAGE_RUNNERS and _is_literal(verb) and verb[0].isalpha() and verb.isascii() and "@" not in verb:
        return names_anything(tokens[1:])
    program = find_program(name)
    row = program.name if program is not None else name
    if row in INTERPRETERS:
        module = verb == "-m" and _is_literal(third) and third[:1].isalpha()
        if module or (_is_literal(verb) and verb[:1] != "-" and ("." in verb or "/" in verb)):
            return None
        return f"`{name}` runs the code that it is given", f"name its file, as in `{name} tools/check.py ...`"
    if row in _OWN_CODE:
        return f"`{name}` runs the code that it is given", "delete it: where it only reads, `c.read_only` proves it"
    others = name in REMOTE and _is_literal(verb) and verb not in REMOTE[name]
    if not others and (name in _STARTERS or verb in _STARTING_VERBS or RUNNERS.get(name, ("",))[0] == verb != ""):
        return f"`{name}` starts what its words say", "name the command that it would start"
    if options_before_verb(name) is not None and (not _is_literal(verb) or verb[:1] in ("", "-")):
        return f"`{name}` does many things", f"name the verb, as in `{name} VERB ...`"
    return None


def is_of_hosts(name: str) -> bool:
    """Return whether a name is no name of one tool, or the one of a tool that is not approved by its name."""
    return name.casefold() in _OF_HOSTS or not _MARKS.isdisjoint(name)


def _is_literal(token: str) -> bool:
    return bool(token) and token != "..." and "*" not in token
