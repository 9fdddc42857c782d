"""The records of the language as types: what a parsed command, a todo, a path and a past fact consist of.

Attributes are documented here once; the run-time values carry the same names. Checker ground, never on the hook path.
"""

from __future__ import annotations

from policy_engine.model.effects import EFFECTS
from policy_engine.model.types import BOOL, INT, PATH, STRING, TIME, Attribute, EnumType, RecordType, Type, list_of

FOLDER = RecordType("Path")
"""A place that no call touches (`workspace`, `home`, `cwd`, a changed file): a path without `.access`."""

TODO_STATUS = EnumType("Status", ("pending", "in_progress", "blocked", "completed", "failed", "canceled"))

EFFECT = EnumType("Effect", tuple(EFFECTS))

REDIRECT = RecordType(
    "Redirect",
    (
        Attribute("path", PATH, "the file that is redirected to or from"),
        Attribute("op", STRING, "the redirection operator as written, such as `>` or `>>`"),
    ),
)

EDIT = RecordType(
    "Edit",
    (
        Attribute("path", PATH, "the file that is edited"),
        Attribute("removed", STRING, "the lines that the edit takes away"),
        Attribute("added", STRING, "the lines that it puts in their place"),
    ),
)

COMMAND = RecordType(
    "Command",
    (
        Attribute("text", STRING, "the simple command as written"),
        Attribute("program", STRING, "the base name of the program"),
        Attribute("path", STRING, "the program word as written, with its folder if it has one"),
        Attribute("args", list_of(STRING), "every word after the program, unquoted"),
        Attribute("flags", list_of(STRING), "the options among the words"),
        Attribute("env", list_of(STRING), "the assignments before the program, as `NAME=value`", read_as="assignments"),
        Attribute("paths", list_of(PATH), "every path that it would touch", derived=True),
        Attribute("writes", list_of(PATH), "every path that it would write or delete", derived=True),
        Attribute("reads", list_of(PATH), "every path that it would read", derived=True),
        Attribute("touches", list_of(PATH), "as `paths`, but of an opaque program only its redirections", derived=True),
        Attribute(
            "contents",
            list_of(PATH),
            "the files and folders whose content it would read, each taken alone",
            derived=True,
        ),
        Attribute(
            "searched",
            list_of(PATH),
            "the files below the folders that it would read whole, as they are now",
            derived=True,
        ),
        Attribute(
            "mentions",
            list_of(PATH),
            "paths that its known words name, of which nobody knows what it does with them",
            derived=True,
        ),
        Attribute(
            "replaces", list_of(PATH), "the files that are there and whose whole content it would replace", derived=True
        ),
        Attribute(
            "edits", list_of(EDIT), "what it would change in the texts of files, as far as that is known", derived=True
        ),
        Attribute("runs", list_of(PATH), "the files that it would run as code", derived=True),
        Attribute("effects", list_of(EFFECT), "what it does beside touching paths, such as `network`", derived=True),
        Attribute(
            "runs_foreign",
            BOOL,
            "it runs code that it, or another command of its line, fetched or decoded",
            derived=True,
        ),
        Attribute(
            "waits",
            BOOL,
            "it waits for what a person types: no pipe, file or here-document gives it its input",
            derived=True,
        ),
        Attribute(
            "rewrites", list_of(STRING), "remote branches that it forces or deletes; `*` is all of them", derived=True
        ),
        Attribute(
            "hosts",
            list_of(STRING),
            "the machines that its words name, plain and in small letters; undecided where it may reach others",
            derived=True,
        ),
        Attribute("opaque", BOOL, "a program without a model; its paths and effects are undecided", derived=True),
        Attribute("read_only", BOOL, "it is known to read and print, and to do nothing else", derived=True),
        Attribute("redirects", list_of(REDIRECT), "its redirections"),
        Attribute("cwd", FOLDER, "the folder that it runs in, followed through `cd`"),
        Attribute("background", BOOL, "it is started with `&`"),
        Attribute("in_function", BOOL, "it stands in the body of a shell function"),
        Attribute(
            "has_flag", BOOL, "it has one of these options, split, bundled or long", method=True, arguments=(STRING,)
        ),
        Attribute(
            "flag_values", list_of(STRING), "the values given to one of these options", method=True, arguments=(STRING,)
        ),
        Attribute("subcommand", STRING, "the first word that is no option, such as `push`; empty if there is none"),
        Attribute("via", list_of(STRING), "the wrappers that it was found in, outermost first", read_as="wrappers"),
        Attribute("dynamic", BOOL, "a part of it cannot be known: a variable, a glob in the program word"),
        Attribute("piped_from", list_of(STRING), "the programs before it in its pipe", read_as="feeding_programs"),
        Attribute("sources", list_of(STRING), "the texts that feed it: pipe, here-document, substitution"),
    ),
)

TODO = RecordType(
    "Todo",
    (
        Attribute("id", STRING, "the name that the host gave it"),
        Attribute("title", STRING, "what is to be done; the id if the host sent no title"),
        Attribute("status", TODO_STATUS, "how far it is; completed, failed and canceled are final"),
        Attribute("required", BOOL, "it must converge before completion; true unless the host says otherwise"),
        Attribute("owned", BOOL, "this agent owns it; true unless the host says otherwise"),
        Attribute("retries", INT, "how often it was tried again; 0 unless the host says otherwise"),
        Attribute("revision", INT, "how often it was written; 1 unless the host says otherwise"),
        Attribute("dependencies", list_of(STRING), "the ids of the todos that come before it"),
        Attribute("circular", BOOL, "it comes before itself, perhaps through others"),
        Attribute("supersedes", list_of(STRING), "the ids of the todos that it replaces"),
        Attribute("blocked_reason", STRING, "what a blocked todo waits for; empty for the others"),
        Attribute("created", TIME, "when it was put on the list", optional=True),
    ),
)

_FACT_ATTRIBUTES = {
    "path": Attribute("path", FOLDER, "the path that was written, read or deleted"),
    "command": Attribute("command", STRING, "the simple command that ran"),
    "time": Attribute("time", TIME, "when it happened"),
    "exit_code": Attribute("exit_code", INT, "the exit status, if the host reported one", optional=True),
    "text": Attribute("text", STRING, "the output, prompt, message or value that came with it; empty if none did"),
}

FACT_ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "wrote": ("path", "time"),
    "read": ("path", "time"),
    "deleted": ("path", "time"),
    "ran": ("command", "time", "exit_code", "text"),
    "command_success": ("command", "time", "exit_code", "text"),
    "command_failure": ("command", "time", "exit_code", "text"),
    "tests_passed": ("command", "time", "exit_code", "text"),
    "called": ("time", "text"),
    "tool_fact": ("time", "text"),
    "prompted": ("time", "text"),
    "refused": ("time", "text"),
    "verified": ("time", "text"),
}
"""History atom → the attributes that `last(…)` has for it."""


def fact_record(kinds: tuple[str, ...]) -> RecordType:
    """The record of `last(A or B …)`: an attribute that not every atom has is optional."""
    names = {name for kind in kinds for name in FACT_ATTRIBUTES[kind]}
    attributes = []
    for name, known in _FACT_ATTRIBUTES.items():
        if name in names:
            everywhere = all(name in FACT_ATTRIBUTES[kind] for kind in kinds)
            optional = known.optional or not everywhere
            attributes.append(Attribute(name, known.type, known.doc, optional))
    return RecordType("Fact", tuple(attributes))


def is_path(type_: Type) -> bool:
    """A path, whether it says how it is touched or not."""
    return type_.name == "Path"
