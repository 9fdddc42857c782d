"""Tell whether git, asked for something, starts nothing but itself: by its words, and by the settings that it reads.

Of a repository that anybody may have written nothing is assumed: a setting that names a program, brings other settings
in or fetches what is missing, a hook that runs when the index is written, and what cannot be read, are no proof.
Imported by the hook path when a rule asks whether such a command only reads.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.programs.git_settings import is_there, path_below, repository_around, settings_in, user_files

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        folder, root = repository_around(filesystem, cwd)
        home = filesystem.home or "/"
        settings = [
            *(one for file in user_files(filesystem) for one in settings_in(filesystem, file)),
            *(settings_in(filesystem, f"{folder}/config") if folder else ()),
        ]
        if not all(_is_harmless(key, value) for key, value in settings):
            return False
        hooks = [value for key, value in settings if key == "core.hookspath"] or ([f"{folder}/hooks"] if folder else [])
        return not root or not (
            is_there(filesystem, f"{root}/.gitmodules")  # it asks in each submodule, by the settings of that one
            or any(is_there(filesystem, path_below(root, home, one) + "/post-index-change") for one in hooks)
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
