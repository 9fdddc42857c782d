"""Tell whether a person who approves a pattern of commands means this line, too. Imported by the hook path.

A pattern says which words a command begins with. It says nothing of what stands around it, of where it runs, and of
what other words, which `...` takes, make of it: all that is looked at here, once for every rule that approves. A line
of which each command provably only reads needs none of it. So it is with the name of a tool, which a person knows.
"""

from __future__ import annotations

from policy_engine.effects.analysis import analysis_of
from policy_engine.effects.command import effects_of
from policy_engine.effects.read_only import only_reads
from policy_engine.filesystem.globs import expand_braces, glob_head
from policy_engine.filesystem.paths import is_systems, under
from policy_engine.model.carried import FOLDERS, name_words, plain_key
from policy_engine.model.effects import ANY, APPROVABLE
from policy_engine.model.partial import GLOB, MANY, ONE, is_known
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.programs.base import INTERPRETERS, named
from policy_engine.programs.invocation import configures_program
from policy_engine.shell import tree
from policy_engine.shell.builtins import DIALECTS
from policy_engine.shell.dialects import parse_script
from policy_engine.shell.patterns import decides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.model.event import Event
    from policy_engine.shell.command import SimpleCommand

_READING = ("read", "mapfile", "readarray", "getopts")  # builtins that only read, and set variables by it
_WRITING = (">", ">>", ">|", "&>", "&>>", ">&")
_CODE = frozenset(" \t\n\r\"'`$(){}[]<>|&;!*?\\#")
"""Characters of code: a word that has one may be a program in itself."""
_CODE_BESIDE_LABELS = _CODE - frozenset(" \"'()*")
_LABELED = named("labels")
PACKAGE_RUNNERS = ("npx", "bunx", "pnpx")
"""Programs that start what is installed in the workspace, and fetch what is not."""
_MESSAGES = ("-m", "--message")
_CHOOSING = frozenset(
    "config rc bazelrc under runner exec executor wrapper env environment plugin plugins script command cmd shell "
    "loader interpreter require import preload toolchain compiler linker prefix launcher editor pager driver".split()
)
"""Parts of the names of options whose values are programs, or settings that name some."""

_ARGUMENTS = frozenset(("command", "shell", "description", "timeout", "justification"))
_ADDRESSES = ("url", "urls", "uri", "address", "host", "domain")
_NAMED = ("read", "search", "fetch", "mcp", "todo", "other")
"""Kinds of tools that a person may approve by their names."""
_SERVERS = (".mcp.json", ".qwen/settings.json", ".codex/config.toml", ".gemini/settings.json", ".cursor/mcp.json")
"""Files by which a repository adds servers of its own."""
_SERVERS_BYTES = 1_000_000
_EXTENDED = ("@(", "!(", "+(", "*(", "?(")
_PLACES = ("path", "paths", "directory", "dir_path", "relative_path")


def is_granted(args: dict[str, Any], commands: tuple[SimpleCommand, ...]) -> bool:
    """Return whether every command of a shell's call only reads, or does no more than its first words say, in the
    workspace, and the call asks for nothing more (`run_in_background`, leaving a sandbox).
    """
    try:
        named = [command for command in commands if not only_reads(command, analysis_of(command))]
        if not named:
            return True
        more = any(args[key] for key in args if key not in _ARGUMENTS and plain_key(key) not in FOLDERS)
        if more or any(command.name in _READING for command in commands):
            return False
        dialect = DIALECTS[(args.get("shell") or "bash").rpartition("/")[2]]
        return _is_plain(parse_script(args["command"], dialect)) and all(map(_as_said, named))
    except (Undecided, KeyError):
        return False


# ---- the line --------------------------------------------------------------------------------------------------------


def _is_plain(node: object) -> bool:
    """Return whether commands stand one after the other, or feed one another, and their words are spelled out."""
    match node:
        case tree.Sequence():
            return all(not background and _is_plain(one) for one, background in node.items)
        case tree.AndOr():
            return all(_is_plain(one) for _, one in node.items)
        case tree.Pipeline():
            return not node.keywords and all(map(_is_plain, node.commands))
        case tree.Group():
            return not node.redirections and _is_plain(node.body)
        case tree.Simple():
            words = all(type(word) is tree.Word and all(map(_is_spelled, word.parts)) for word in node.words)
            return bool(words and node.words and not node.assignments) and all(map(_keeps_all, node.redirections))
        case _:
            return False


def _is_spelled(part: object) -> bool:
    return type(part) is tree.Text or (type(part) is tree.Parameter and part.name == "?")


def _keeps_all(redirection: tree.Redirection) -> bool:
    """Return whether a redirection writes no file and sets no variable."""
    target = redirection.target.literal()
    if redirection.number not in ("", "0", "1", "2") or target is None:
        return False
    return redirection.operator == "<" or (
        redirection.operator in _WRITING
        and (target == "/dev/null" or (redirection.operator == ">&" and target in ("1", "2")))
    )


# ---- a command -------------------------------------------------------------------------------------------------------


def _as_said(command: SimpleCommand) -> bool:
    """Return whether nothing about a command that is no proof of itself exceeds its first words."""
    program = command.argv[0]
    if command.env or command.background or command.in_function or command.substituted:
        return False
    if command.via and not _is_installed(command):
        return False
    if not is_known(program) or configures_program(command.argv) or not _is_that_file(command):
        return False
    if command.model is not None and command.model.read_only:
        return False  # whoever names it means that it reads; this call does more, or may
    filesystem, analysis = command.filesystem, analysis_of(command)
    if effects_of(command).runs_foreign or analysis.lines:
        return False
    if filesystem.relative(command.cwd) is None or not command.cwd.known or not _is_harmless(analysis):
        return False
    before = ("", *command.argv)
    if not all(_is_operand(word, before[place], command, analysis) for place, word in enumerate(command.argv) if place):
        return False
    own = filesystem.program(command.name)
    paths = (*analysis.paths, *analysis.contents, *analysis.mentions, *analysis.runs)
    return all(_lies_inside(path, filesystem) for path in paths if path.real != own)


def _is_installed(command: SimpleCommand) -> bool:
    """Return whether a runner of packages starts what lies in the workspace, and fetches nothing."""
    if len(command.via) > 1 or command.via[0] not in PACKAGE_RUNNERS:
        return False
    place = command.filesystem.resolve(f"node_modules/.bin/{command.name}", command.filesystem.workspace, follow=False)
    return command.filesystem.look(place) is not ABSENT


def _is_that_file(command: SimpleCommand) -> bool:
    """Return whether the script that a command names is the one that a pattern means, which counts from the root."""
    program = command.argv[0]
    return (
        is_systems(program)
        or ("/" not in program and command.name not in INTERPRETERS)
        or command.filesystem.relative(command.cwd) == ""
    )


def _is_harmless(analysis: EffectAnalysis) -> bool:
    words = {*analysis.words, *analysis.doubts, *(("sends",) if analysis.branches or analysis.branch_doubts else ())}
    return words <= APPROVABLE and ANY not in analysis.doubts and not analysis.unread and not analysis.guesses


def _is_operand(word: str, before: str, command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    """Return whether a word is a plain one: no code, no choice of another program, no place outside."""
    head, mark, _ = word.partition(GLOB)
    if mark:  # a pattern for files, none of which looks like an option
        return head[:1] not in ("", "-") and is_known(head) and ONE not in word and MANY not in word
    if not is_known(word):
        return False
    name, equals, _ = word.partition("=")
    if command.name == "git" and (before in _MESSAGES or (equals and name in _MESSAGES)):
        return True
    if command.name in _LABELED and "//" in word and not word.startswith("-") and _CODE_BESIDE_LABELS.isdisjoint(word):
        return True
    if not _CODE.isdisjoint(word) or (equals and decides(name.lstrip("-"))):
        return False
    if word[:1] == "-" and not _CHOOSING.isdisjoint(name.lower().replace("_", "-").split("-")):
        return False
    if word[:1] == "-" and "/" in name:
        return False  # where its value begins is not known
    for mark in ":,@":
        word = word.replace(mark, "=")
    return all(_lies_inside(analysis.path(text, "read"), command.filesystem) for text in word.split("=") if text)


def _lies_inside(path: PathValue, filesystem: FileSystem) -> bool:
    """Return whether a place is of the workspace, and what happens there can be looked at: what is hidden stays as it
    is, and no folder is deleted with all that it holds.
    """
    if not path.known or (path.real == "/dev/null"):
        return path.known
    place = filesystem.relative(path)
    if place is None or path.access in ("read", ""):
        return place is not None
    hidden = any(part[:1] == "." for part in place.split("/"))
    return not hidden and not (path.access == "delete" and path.recursive)


# ---- other tools -----------------------------------------------------------------------------------------------------


def is_named_tool(event: Event, paths: tuple[PathValue, ...], filesystem: FileSystem) -> bool:
    """Return whether a tool that a person approved by its name is theirs, and touches nothing outside the workspace.

    Raises Undecided.
    """
    if event.tool_kind not in _NAMED or (event.tool_kind == "mcp" and _is_repositorys(event, filesystem)):
        return False
    if event.tool_kind == "fetch" and any(
        "://" in text or key in _ADDRESSES for key, text in _texts("", event.tool_args)
    ):
        return False  # a search of the web is given words
    if event.tool_kind == "search" and not searches_only(event, paths, filesystem):
        return False
    return all(_lies_inside(path, filesystem) for path in paths)


def _is_repositorys(event: Event, filesystem: FileSystem) -> bool:
    """Return whether the workspace may define the server: its name is in one of the files, however it is set off."""
    server = _plain(event.tool_server or event.tool_name or "")
    for name in _SERVERS:
        place = filesystem.resolve(name, filesystem.workspace)
        if filesystem.look(place) is ABSENT:
            continue
        text = filesystem.script(place, _SERVERS_BYTES)
        if text is None or "\\" in text or server in _plain(text):
            return True
    return False


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char.isascii() and char.isalnum())


def searches_only(event: Event, paths: tuple[PathValue, ...], filesystem: FileSystem) -> bool:
    """Return whether a search looks nowhere but below its paths: its globs lead no further, and no text is an option.

    Raises Undecided.
    """
    named = {path.text for path in paths}
    greps = not {"grep", "content"}.isdisjoint(name_words(event.tool_name or ""))
    return all(
        text[:1] != "-"
        and ((key in _PLACES and text in named) or (key == "pattern" and greps) or _stays(text, paths, filesystem))
        for key, text in _texts("", event.tool_args)
    )


def _texts(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield every text among the arguments, with the key that it stands under."""
    if type(value) is str:
        yield key, value
    for one, each in value.items() if type(value) is dict else ():
        yield from _texts(one, each)
    for each in value if type(value) is list else ():
        yield from _texts(key, each)


def _stays(text: str, paths: tuple[PathValue, ...], filesystem: FileSystem) -> bool:
    """Return whether a glob, taken from each path, begins below one and does not leave again."""
    if "\\" in text or any(mark in text for mark in _EXTENDED):
        return False
    try:
        globs = expand_braces(text)
    except ValueError:
        return False
    for glob in globs:
        head = glob_head(glob)
        places = [filesystem.resolve(head or ".", path.real) for path in paths]
        if ".." in glob[len(head) :] or not all(any(under(one.real, path.real) for path in paths) for one in places):
            return False
    return True
