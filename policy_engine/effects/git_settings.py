"""Tell whether git, asked for something, starts nothing but itself: by its words, and by the settings that it reads.

Of a repository that anybody may have written nothing is assumed: a setting that names a program, brings other settings
in or fetches what is missing, a hook that runs when the index is written, and what cannot be read, are no proof.
Imported by the hook path when a rule asks whether such a command only reads.
"""

from __future__ import annotations

from policy_engine.model.limits import READ_BYTES
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.filesystem.file_system import FileSystem

_READS = frozenset(
    "status log show diff blame annotate grep shortlog describe rev-parse rev-list ls-files ls-tree cat-file "
    "merge-base show-ref for-each-ref name-rev cherry check-ignore check-attr diff-tree count-objects whatchanged "
    "version".split()
)
_LISTS = {
    "branch": "-a --all -r --remotes -l --list -v -vv --show-current --merged --no-merged --contains".split(),
    "tag": "-l --list -n".split(),
    "stash": "list show".split(),
    "worktree": "list --porcelain".split(),
}
"""Subcommands that only list with these words alone; without a word `stash` saves."""
_TELLS = {
    "config": "--get --get-all --global --local --system --show-origin --show-scope --bool --int".split(),
    "remote": "-v --verbose --all --push".split(),
    "symbolic-ref": "--short -q --quiet".split(),
    "reflog": [f"-{number}" for number in range(1, 100)],
    "bisect": [],
}
"""Subcommands that only tell something with these options, and few words."""
_CONFIDENTIAL = ("token", "password", "secret", "header", "credential", "key", "url", "proxy")
_OWN = ("-C", "--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs")
_STARTS = ("--o", "--e", "--textc", "--filters", "--show-sig", "--help", "-O")
_STARTS_NOT = (
    "--oneline", "--others", "--only", "--ours", "--objects", "--exclude", "--exit-code", "--expand-tabs", "--encoding",
    "--error-unmatch", "--end-of-options", "--extended-regexp", "--exact-match", "--eol", "--or",
)  # fmt: skip
_FETCHES = ("promisor", "partialclone", "partialclonefilter")
_PROGRAMS = ("external", "textconv", "command", "clean", "smudge", "process", "alternaterefscommand", "showsignature")
_PAGERS = ("less", "more", "cat", "bat", "delta", "diff-so-fancy", "true", "false", "")
_SETTINGS = 2000  # of one file


def starts_nothing(
    words: tuple[str, ...], options: list[tuple[str, str | None]], filesystem: FileSystem, cwd: str
) -> bool:
    """Tell whether a call of git reads, and starts no program.

    Args:
        words: The subcommand and what follows it, all known.
        options: The options before it.
        cwd: The folder that it looks at, whole.
    """
    if any(name not in _OWN for name, _ in options) or not _only_asks(words):
        return False
    try:
        folder, root = _repository(filesystem, cwd)
        home = filesystem.home or "/"
        settings = [
            *_settings(filesystem, f"{home}/.gitconfig"),
            *_settings(filesystem, f"{home}/.config/git/config"),
            *(_settings(filesystem, f"{folder}/config") if folder else ()),
        ]
        if not all(_is_harmless(key, value) for key, value in settings):
            return False
        hooks = [value for key, value in settings if key == "core.hookspath"] or ([f"{folder}/hooks"] if folder else [])
        return not root or not (
            _is_there(filesystem, f"{root}/.gitmodules")  # it asks in each submodule, by the settings of that one
            or any(_is_there(filesystem, _below(root, home, one) + "/post-index-change") for one in hooks)
        )
    except Undecided:
        return False


def _only_asks(words: tuple[str, ...]) -> bool:
    verb, rest = words[0], words[1:]
    if verb in _LISTS:
        needed = verb in ("stash", "worktree")
        listed = all(word in _LISTS[verb] or word.startswith("--format=") for word in rest if word[:1] == "-" or needed)
        plain = [word for word in rest if word[:1] != "-"]
        lists = bool({"-l", "--list", "--merged", "--no-merged", "--contains"} & set(rest))
        return listed and (bool(rest) if needed else lists or not plain) and "%G" not in " ".join(rest)
    if verb in _TELLS:
        return _only_tells(verb, rest)
    if verb not in _READS:
        return False
    before = rest[: rest.index("--")] if "--" in rest else rest
    if any("%G" in word for word in rest):
        return False  # asks gpg, or what the settings name in its place
    return not any(word.startswith(_STARTS) and not word.startswith(_STARTS_NOT) for word in before)


def _only_tells(verb: str, rest: tuple[str, ...]) -> bool:
    """Subcommands that tell something, and change it with other words."""
    options = [word for word in rest if word[:1] == "-"]
    plain = [word for word in rest if word[:1] != "-"]
    if any(word not in _TELLS[verb] for word in options):
        return False
    match verb:
        case "config":
            asked = plain[1:] if plain[:1] == ["get"] else plain if {"--get", "--get-all"} & set(options) else []
            return len(asked) == 1 and not any(word in asked[0].lower() for word in _CONFIDENTIAL)
        case "remote":
            return not plain or (plain[0] == "get-url" and len(plain) == 2)
        case "symbolic-ref":
            return len(plain) == 1
    return plain[:1] in ([], ["show"]) if verb == "reflog" else plain == ["log"]


# ---- where the settings are ----------------------------------------------------------------------------------------


def _repository(filesystem: FileSystem, cwd: str) -> tuple[str, str]:
    """Return the folder with the settings of the repository around a folder, and the root of its files; empty if there
    is none.

    Raises:
        Undecided: it is no usual one, or cannot be looked at.
    """
    at = cwd.rstrip("/")
    while True:
        status = filesystem.look(filesystem.resolve(f"{at}/.git", "/"))
        if isinstance(status, tuple):
            break
        if not at:
            return "", ""
        at = at.rpartition("/")[0]
    if status[0] == "folder":
        if _is_there(filesystem, f"{at}/.git/config.worktree") or _is_there(filesystem, f"{at}/.git/commondir"):
            raise Undecided("the repository has settings in several files")
        return f"{at}/.git", at
    words = (filesystem.script(filesystem.resolve(f"{at}/.git", "/"), READ_BYTES) or "").split("gitdir:", 1)
    own = _below(at, filesystem.home or "/", words[-1].strip())
    main, name, tree = own.partition("/.git/worktrees/")
    if len(words) < 2 or not name or "/" in tree or _is_there(filesystem, f"{own}/config.worktree"):
        raise Undecided("the files of the repository lie elsewhere")
    return f"{main}/.git", at


def _below(folder: str, home: str, path: str) -> str:
    if path.startswith("~/"):
        return home + path[1:]
    return path if path.startswith("/") else f"{folder}/{path}"


def _is_there(filesystem: FileSystem, path: str) -> bool:
    return filesystem.present(filesystem.resolve(path, "/"))


# ---- what they say -------------------------------------------------------------------------------------------------


def _settings(filesystem: FileSystem, path: str) -> Iterator[tuple[str, str]]:
    """Yield the keys, in small letters, and values of a file of settings; none if there is no such file.

    Raises:
        Undecided: it cannot be read, or a value goes on in the next line, where a section might seem to begin.
    """
    place = filesystem.resolve(path, "/")
    if filesystem.look(place) is ABSENT:
        return
    text = filesystem.script(place, READ_BYTES)
    if text is None or text.count("\n") > _SETTINGS or "\\\n" in text or "\\\r" in text:
        raise Undecided(f"`{path[:200]}` cannot be read")
    section = ""
    for line in text.split("\n"):
        line = line.strip()
        while line[:1] == "[":
            head, end, line = line[1:].partition("]")
            name, _, below = head.partition(" ")
            below = below.strip().strip('"')
            section = f"{name}.{below}" if below else name
            if not end or '"' in below:
                raise Undecided(f"`{path[:200]}` cannot be read")
            line = line.strip()
        if line and line[0] not in "#;":
            key, equals, value = line.partition("=")
            name = key.split("#")[0].split(";")[0].strip()
            yield f"{section}.{name}".lower(), value.strip().strip('"') if equals else "true"


def _is_harmless(key: str, value: str) -> bool:
    """Tell whether a setting has nothing started, or fetched, when git only reads."""
    section, _, name = key.partition(".")
    last = name.rpartition(".")[2]
    if section in ("include", "includeif") or last in _FETCHES:
        return False
    if key == "core.fsmonitor":
        return value in ("true", "false", "")
    if key == "core.pager" or section == "pager":
        return value.partition(" ")[0] in _PAGERS and not set(value) & set("|&;$`<>(")
    if last in _PROGRAMS and section in ("diff", "filter", "core", "log", "merge"):
        return value.startswith("git-lfs ") if section == "filter" else value == "false"
    return True
