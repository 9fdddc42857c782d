"""Find the files that a call names whose tool nobody described: by the names of its arguments, and by what is there.

A text is a path if the name of its argument says so, if it is a `file:` address, or if something is at that place; one
that only begins with `/` is none: servers call libraries, channels and pages so. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history.searched import GLOB_KEYS
from policy_engine.model.addresses import without_wrappers
from policy_engine.model.carried import decoded, name_words, plain_key
from policy_engine.model.limits import PATH_BYTES
from policy_engine.model.undecided import Undecided
from policy_engine.programs.agent_patches import read_patch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event

    Named = tuple[str, str, bool]  # text, access, recursive

_PATH_PARTS = ("path", "file", "folder", "uri", "notebook", "dir", "attach", "upload")
_PATH_KEYS = frozenset(
    "source destination src dest dst target output out outfile input from to root cwd where location paths files uris "
    "document workspace".split()
)
_NO_PATHS = frozenset("profile profiles filter filters fileid fileids filekey filetype filetypes direction".split())
_TEXTS = frozenset(
    "content contents text newtext oldtext oldstring newstring oldstr newstr filetext inserttext newsource body "
    "message description title query prompt question answer comment summary note notes html markdown".split()
)
_READS = frozenset(
    "get read list ls search find fetch view show describe query lookup look hover definition definitions references "
    "diagnostics symbols symbol overview resolve check count diff status inspect stat info exists grep glob cat head "
    "tail tree think explain summarize analyze validate lint docs lsp browse navigate retrieve open load "
    "activate".split()
)
_CHANGES = frozenset(
    "write create update delete remove edit insert replace move rename copy set put post push exec execute run save "
    "add append patch apply install upload commit make mkdir touch drop destroy reset restore download extract unzip "
    "sync generate build deploy import export convert render merge checkout clone init start stop kill modify change "
    "store sed truncate chmod clean purge wipe overwrite dump record rm mv cp ln rewrite format fix upsert".split()
)
_ROOTS = frozenset(
    "etc home Users usr var tmp opt root bin sbin lib lib64 dev proc sys run mnt media srv boot private Volumes "
    "Library Applications System Network workspace nix snap".split()
)
"""Folders in the root of the systems that agents run on, and those of the tests of policies."""
_DELETES = frozenset("delete remove rm unlink clean purge wipe trash move rename truncate chmod overwrite".split())
_PATTERNS = frozenset((*GLOB_KEYS, "pattern", "patterns", "path", "paths", "files", "file", "target", "targets"))
_DEPTH = 8


def reads_only(name: str) -> bool:
    """Return whether the words in a tool's name say that it looks, and none that it changes anything."""
    words = set(name_words(name))
    return bool(words & _READS) and not words & _CHANGES


def named_by(event: Event, filesystem: FileSystem) -> Iterator[Named]:
    """Yield the paths that the call names, as written. A tool is taken to write them unless its name says that it
    reads.
    """
    args = event.tool_args if event.carried is None else event.carried.rest
    name = event.tool_name or ""
    editor = args is not None and args.get("command") == "view"
    access = "read" if reads_only(name) or editor else "write"
    cwd = event.cwd or filesystem.workspace
    deletes = not _DELETES.isdisjoint(name_words(name))
    for key, text in _walk("", args, _DEPTH):
        if deletes and key in _PATTERNS and any(char in text for char in "*?["):
            yield from ((one, access, True) for one in _matched(text, cwd, filesystem))
        else:
            yield from _paths(key, text, access, cwd, filesystem)


def _matched(pattern: str, cwd: str | None, filesystem: FileSystem) -> list[str]:
    """Return the names that a pattern takes now of files and folders that are there."""
    from policy_engine.filesystem.expansion import expanded
    from policy_engine.model.partial import GLOB, is_known

    try:
        names = expanded(GLOB + pattern, filesystem.resolve(cwd or ".", None), filesystem)
    except Undecided:
        return []
    return [one for one in names if is_known(one) and one != pattern]


def _walk(key: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield every text among the arguments, and what may be a path among the names of an object's members (`files` by
    path), with the name of the nearest argument around it."""
    if type(value) is str:
        held = decoded(value) if depth > 0 else None
        if held is None:
            yield key, value
        else:
            yield from _walk(key, held, depth - 1)
    elif depth > 0 and type(value) is dict:
        for name, each in value.items():
            if "." in name or "/" in name:
                yield key, name
            yield from _walk(plain_key(name), each, depth - 1)
    elif depth > 0 and type(value) is list:
        for each in value:
            yield from _walk(key, each, depth - 1)


def _paths(key: str, text: str, access: str, cwd: str | None, filesystem: FileSystem) -> Iterator[Named]:
    if "\n" in text:
        yield from _patched(text)
        return
    if not text or len(text) > PATH_BYTES or not text.isprintable() or key in _TEXTS | GLOB_KEYS:
        return
    text = without_wrappers(text)
    if text[:5].lower() == "file:":
        from urllib.parse import unquote

        place = text[5:].removeprefix("//localhost")
        yield unquote("/" + place.lstrip("/")).partition("\0")[0], access, False
    elif "://" in text or text[:5] in ("data:", "http:"):
        return
    elif _is_path(key, text, cwd, filesystem):
        yield text, access, False


def _is_path(key: str, text: str, cwd: str | None, filesystem: FileSystem) -> bool:
    named = key not in _NO_PATHS and (key in _PATH_KEYS or any(part in key for part in _PATH_PARTS))
    if text[0] == "/":
        return _rooted(text, filesystem) if named or "/." in text else _is_there(text, cwd, filesystem)
    if named:
        return True
    if " " in text:
        return False
    return text in ("~", "..") or text.startswith(("~/", "./", "../", ".")) or "/" in text


def _rooted(text: str, filesystem: FileSystem) -> bool:
    """Return whether its first folder is one of this machine: `/etc/x`, and not `/src/x.ts` of a repository
    elsewhere.
    """
    first = next((name for name in text.split("/") if name and name != "."), "")
    return not first or first in _ROOTS or first == ".." or _is_there(f"/{first}", None, filesystem)


def _is_there(text: str, cwd: str | None, filesystem: FileSystem) -> bool:
    """Return whether something is at the place, or could be made there: its folder is, and is not the root."""
    try:
        path = filesystem.resolve(text, cwd)
        if filesystem.present(path):
            return True
        above = path.real.rpartition("/")[0]
        return bool(above) and filesystem.present(filesystem.resolve(above, None))
    except Undecided:
        return True  # what cannot be looked at is there


def _patched(text: str) -> Iterator[Named]:
    """Yield the files that a patch among the arguments changes."""
    lines = text.split("\n")
    if text.lstrip().startswith("*** Begin Patch"):
        yield from ((path, access, False) for path, access in read_patch(text.lstrip()).touched)
        return
    for place, after in enumerate(lines[1:]):
        before = lines[place]
        if before.startswith("--- ") and after.startswith("+++ "):
            for line in (before, after):
                name = line[4:].partition("\t")[0].strip().strip('"')
                if name != "/dev/null":
                    yield name[2:] if name[:2] in ("a/", "b/") else name, "write", False
