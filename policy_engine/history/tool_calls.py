"""Read from a tool call the paths it names, with access, and the text it would write, by kind of tool.

Shell commands are not read here: their paths come from the parsed commands. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.event import CARRYING
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.programs.agent_patches import Patch, read_patch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event
    from policy_engine.model.undecided import _Absent

    Named = tuple[str, str, bool]  # text, access, recursive

_FILE_KEYS = (
    "file_path", "filePath", "notebook_path", "path", "filename", "filepath", "absolute_path", "target_file", "file",
)  # fmt: skip
_LIST_KEYS = ("paths", "files", "file_paths")
_TEXT_KEYS = ("content", "file_text", "text", "new_source", "new_string", "new_str", "insert_text")
REPLACED_KEYS = ("old_string", "old_str", "old_text")
WRITTEN_KEYS = ("new_string", "new_str", "new_text")
_PATCH_KEYS = ("patch", "input", "diff")
_NO_PATHS = ("fetch", "agent", "todo")
_SEARCHED = ("path", "directory", "paths", "relative_path")


def call_paths(event: Event, filesystem: FileSystem) -> tuple[PathValue, ...]:
    """Return every path that the call names, resolved, and the other names of a file that it reads or writes.

    Raises Undecided.
    """
    named = named_paths(event)
    if event.tool_kind in CARRYING:
        from policy_engine.history.undescribed import named_by

        named = tuple(dict.fromkeys(named_by(event, filesystem)))
    paths = [_placed(text, access, recursive, event, filesystem) for text, access, recursive in named]
    if event.tool_kind in ("search", *CARRYING) and event.tool_args:
        paths += _globbed(event, event.tool_args, filesystem)
    for path in list(paths):
        searches = path.recursive and path.access == "read"
        linked = filesystem.linked_names(path) if path.known and not searches else []
        paths += [PathValue(path.text, name, path.access, path.recursive) for name in linked]
        if path.access in ("read", "write") and not path.recursive:
            paths += [PathValue(path.text, real, path.access) for real in filesystem.hard_links(path)]
    return tuple(paths)


def _globbed(event: Event, args: dict[str, Any], filesystem: FileSystem) -> list[PathValue]:
    from policy_engine.history.searched import globbed, shows_content

    if event.tool_kind in CARRYING and not shows_content(event.tool_name or ""):
        return []
    paths = []
    for folder in [text for key in _SEARCHED if type(text := args.get(key)) is str] or ["."]:
        for text in dict.fromkeys(globbed(args, folder, event.cwd, filesystem)):
            paths.append(filesystem.resolve(text, event.cwd).with_access("read"))
    return paths


def _placed(text: str, access: str, recursive: bool, event: Event, filesystem: FileSystem) -> PathValue:
    """Return the path that an argument names: a folder that is read is listed; a search goes through all below it."""
    path = filesystem.resolve(text, event.cwd)
    lists = access == "read" and event.tool_kind == "read"
    status = filesystem.look(path) if recursive or lists else None
    if lists:
        return path.with_access(access, isinstance(status, tuple) and status[0] == "folder")
    return path.with_access(access, recursive and not (isinstance(status, tuple) and status[0] == "file"))


def named_paths(event: Event) -> tuple[Named, ...]:
    """Return the paths of a call of a file tool, as written. Raises Undecided if it names none."""
    kind, args = event.tool_kind, event.tool_args
    if kind is None or args is None or kind in _NO_PATHS or kind == "shell" or kind in CARRYING:
        return ()
    if kind in ("write", "edit"):
        patch = _patch(args)
        if patch is not None:
            return tuple((text, access, False) for text, access in patch.touched)
        edits = args.get("edits")
        each = edits if type(edits) is list else ()
        inner = [text for one in each if type(one) is dict for text in _texts(one, _FILE_KEYS)]
        return tuple((text, "write", False) for text in (*_needed(event, args), *inner))
    if kind == "read":
        return tuple((text, "read", False) for text in _needed(event, args))
    from policy_engine.history.searched import searched_places

    return tuple(
        (text, "read", True) for text in searched_places(args, tuple(_texts(args, _SEARCHED)), event.tool_name or "")
    )


def call_content(event: Event) -> str | _Absent:
    """Only the new text: the whole write, replacements joined by newline, added lines of a patch, a cell's source.

    ABSENT for calls that write none by nature. Raises Undecided for a shell command and for unknown arguments.
    """
    kind, args = event.tool_kind, event.tool_args
    if event.shell_line is not None:
        raise Undecided("what a shell command writes is not understood yet")
    if kind not in ("write", "edit") or args is None:
        return ABSENT
    patch = _patch(args)
    if patch is not None:
        return patch.added
    edits = args.get("edits")
    if edits is not None:
        return "\n".join(_edit_text(edit, event) for edit in edits) if type(edits) is list else _unknown(event)
    for key in _TEXT_KEYS:
        text = args.get(key)
        if type(text) is str:
            return text
        if key in args:
            return _unknown(event)
    return "" if args.get("edit_mode") == "delete" else _unknown(event)


def call_replaced(event: Event) -> str | _Absent:
    """Return the text that an edit takes away: what its replacements replace, the removed lines of a patch.

    ABSENT for calls that are no edits. Raises Undecided for a shell command and where the arguments do not say it.
    """
    args = event.tool_args
    if event.shell_line is not None:
        raise Undecided("what a shell command replaces is not understood yet")
    if event.tool_kind != "edit" or args is None:
        return ABSENT
    patch = _patch(args)
    if patch is not None:
        return patch.removed
    if type(args.get("insert_text")) is str:
        return ""
    edits = args.get("edits", [args])
    if type(edits) is not list:
        raise Undecided(f"the text that `{event.tool_name}` replaces is not in its known arguments")
    return "\n".join(_replaced_text(edit, event) for edit in edits)


class Edits:
    """Hold what a call makes of a file: `pairs` of a text, the one in its place, and whether it is everywhere; `whole`
    if the second is the file."""

    __slots__ = ("path", "pairs", "whole")

    def __init__(self, path: str, pairs: list[tuple[str, str, bool]], whole: bool) -> None:
        self.path = path
        self.pairs = pairs
        self.whole = whole


def edits_of(event: Event) -> list[Edits]:
    """Return what a call of a file tool writes into each file. Raises Undecided where its arguments do not say it."""
    args = event.tool_args
    if event.tool_kind not in ("write", "edit") or args is None:
        return []
    if (patch := _patch(args)) is not None:
        return [Edits(path, pairs, whole) for path, pairs, whole in patch.edits]
    content = call_content(event)
    paths = _needed(event, args)
    if event.tool_kind == "write":
        return [Edits(path, [("", str(content), False)], True) for path in paths]
    if any(key in args for key in ("insert_text", "new_source", "edit_mode")):
        return [Edits(path, [("", str(content), False)], False) for path in paths]
    edits = args.get("edits", [args])
    if type(edits) is not list:
        _unknown(event)
    pairs = [(_replaced_text(one, event), _edit_text(one, event), one.get("replace_all") is True) for one in edits]
    return [Edits(path, pairs, False) for path in paths]


def _replaced_text(edit: Any, event: Event) -> str:
    for key in REPLACED_KEYS if type(edit) is dict else ():
        if type(edit.get(key)) is str:
            return str(edit[key])
    raise Undecided(f"the text that `{event.tool_name}` replaces is not in its known arguments")


def _edit_text(edit: Any, event: Event) -> str:
    if type(edit) is dict:
        for key in WRITTEN_KEYS:
            if type(edit.get(key)) is str:
                return str(edit[key])
    return _unknown(event)


def _unknown(event: Event) -> str:
    raise Undecided(f"the text that `{event.tool_name}` would write is not in its known arguments")


def _patch(args: dict[str, Any]) -> Patch | None:
    """Return the patch among the arguments, if one is; an argument of that name in another form is undecided."""
    for key in _PATCH_KEYS:
        text = args.get(key)
        if type(text) is str and (key == "patch" or text.lstrip().startswith("*** Begin Patch")):
            return read_patch(text)
    return None


def _needed(event: Event, args: dict[str, Any]) -> list[str]:
    texts = _texts(args, _FILE_KEYS + _LIST_KEYS)
    if not texts:
        raise Undecided(f"which file `{event.tool_name}` touches is not in its known arguments")
    return texts


def _texts(args: dict[str, Any], keys: tuple[str, ...]) -> list[str]:
    """Return every path under the keys, each once; two keys that disagree are both taken."""
    texts: list[str] = []
    for key in keys:
        value = args.get(key)
        if value is None:
            continue
        items = value if key in _LIST_KEYS and type(value) is list else [value]
        for item in items:
            if type(item) is not str:
                raise Undecided(f"`tool.args.{key}` is not a path")
            texts.append(item)
    return list(dict.fromkeys(texts))
