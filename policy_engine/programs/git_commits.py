"""Find the files of the engine and of the host that git would change with a commit that it brings into the folder.

Git is asked which of them differ, so that `git checkout BRANCH` counts only where a policy does. Where it cannot be
asked nothing is known, and the session keeps the policies that it began with. On the hook path when a line moves
commits.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.filesystem.repository import Repository
    from policy_engine.inline.effect_analysis import EffectAnalysis

_GUARDS = ("*.policy", ".policy", "*/.policy/*", ".claude/settings*.json", ".codex", ".gemini", ".cursor", ".mcp.json")
_NAMES = (b".policy", b".claude/settings", b".codex", b".gemini", b".cursor", b".mcp.json")  # parts of those names
_BRINGS = ("cherry-pick", "revert")  # the changes of single commits
_JOINS = ("merge", "pull", "rebase")  # the changes of a branch since it left this one
_OPTIONS = ("-m", "-s", "-X", "-F", "-C", "-x", "-S", "--onto", "--exec", "--strategy", "--message", "--mainline")
_CREATES = ("-b", "-B", "-c", "-C", "--orphan", "--create", "--force-create", "--conflict")
ENDS = ("--abort", "--quit", "--continue", "--skip", "--edit-todo", "--show-current-patch")
_MOST = 8  # revisions


def guards_changed(verb: str, words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return the guarded files that `git VERB` would change: none where git says so, or is not asked."""
    if any(word in ENDS for word in words) or not all(map(is_known, words)) or not analysis.cwd.known:
        return []
    try:
        repository = analysis.filesystem.repository()
        if analysis.filesystem.relative(analysis.cwd) is None or is_nested(
            repository, analysis.cwd, analysis.filesystem
        ):
            return []
        if not _tracks_guards(repository, analysis):
            return []
        names = _differing(verb, words, repository)
        return [analysis.path(f"{repository.root.rstrip('/')}/{name}", "write") for name in names]
    except Undecided:
        return []


def is_nested(repository: Repository, cwd: PathValue, filesystem: FileSystem) -> bool:
    """Return whether git works in another repository, below the one around the workspace."""
    folder = cwd.real
    while folder != repository.root and len(folder) > len(repository.root):
        if filesystem.present(filesystem.resolve(f"{folder}/.git", None)):
            return True
        folder = folder.rpartition("/")[0]
    return False


def _tracks_guards(repository: Repository, analysis: EffectAnalysis) -> bool:
    """Return whether the index of git may name a guarded file: most repositories need not be asked further."""
    try:
        index = analysis.filesystem.read(analysis.filesystem.resolve(f"{repository.root}/.git/index", None))
    except Undecided:
        return True
    if not isinstance(index, bytes) or index[4:8] == b"\0\0\0\4":
        return True  # another work tree, or an index that writes names in short
    return any(name in index for name in _NAMES)


def _differing(verb: str, words: list[str], repository: Repository) -> list[str]:
    """Return the guarded names that differ."""
    found: dict[str, None] = {}
    for pair in [("HEAD",)] if _puts_away(verb, words) else compared(verb, words)[:_MOST]:
        if any(revision[:1] == "-" for revision in pair):
            continue
        output = _difference(pair, repository, verb in _BRINGS)
        found.update(dict.fromkeys(filter(None, output.decode("utf-8", "surrogateescape").split("\0"))))
    return list(found)


def _difference(pair: tuple[str, ...], repository: Repository, single: bool) -> bytes:
    """Return the guarded names that differ; of a `single` commit without a parent those that it holds."""
    asked = ("diff", "--name-only", "-z", "--no-renames")
    names = repository.ask(*asked, *pair, "--", *_GUARDS, failing=True)
    if (
        single
        and not names
        and len(pair) > 1
        and not repository.ask("rev-parse", "-q", "--verify", pair[0], failing=True)
    ):
        empty = repository.ask("hash-object", "-t", "tree", "--stdin").decode().strip()
        names = repository.ask(*asked, empty, pair[1], "--", *_GUARDS, failing=True)
    return names


def _puts_away(verb: str, words: list[str]) -> bool:
    """Return whether `git stash` takes all changes out of the files, or those below a folder or a pattern."""
    if verb != "stash" or (words[:1] not in ([], ["push"], ["save"]) and words[0][:1] != "-"):
        return False
    named = [word for place, word in enumerate(words) if place and words[place - 1] not in _OPTIONS]
    return words[:1] == ["save"] or all(word[:1] in "-.:*" for word in named)


def compared(verb: str, words: list[str]) -> list[tuple[str, ...]]:
    """Return the revisions between which a verb changes the folder, in pairs or as a range."""
    plain = [
        word
        for place, word in enumerate(words)
        if (word[:1] != "-" or word == "-") and (place == 0 or words[place - 1] not in (*_OPTIONS, *_CREATES))
    ]
    if verb in ("checkout", "switch"):
        if len(plain) > 1 and not any(word in _CREATES for word in words):
            return []  # files of a revision, which are named
        branch = "@{-1}" if plain[:1] == ["-"] else "".join(plain[:1])
        remotes = [("HEAD", f"origin/{branch}")] if "~" not in branch and "@" not in branch else []
        return [("HEAD", branch), *remotes] if branch else []
    if verb == "reset":
        return [("HEAD", word) for word in plain[:1]] if {"--hard", "--keep", "--merge"} & set(words) else []
    if verb == "stash":
        asks = plain[:1] in (["pop"], ["apply"], ["branch"])
        entry = "".join(plain[1:2]) if plain[:1] != ["branch"] else "".join(plain[2:3])
        entry = f"stash@{{{entry}}}" if entry.isdigit() else entry or "stash@{0}"
        return [(f"{entry}^1", entry)] if asks else []
    if verb in _BRINGS:
        return [(word,) if ".." in word else (f"{word}^", word) for word in plain]
    if verb in _JOINS:
        named = plain[1:] if verb == "pull" else plain
        remote = "" if plain[:1] == ["."] else "".join(plain[:1]) + "/"
        others = [f"{remote}{word.partition(':')[0]}" for word in named] if verb == "pull" else named
        onto = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "--onto"]
        onto += [word.partition("=")[2] for word in words if word.startswith("--onto=")]
        return [(f"HEAD...{word}",) for word in others or ["@{upstream}"]] + [("HEAD", word) for word in onto]
    if verb == "bisect":
        return [("HEAD", word) for word in plain[1:]] if plain[:1] in (["start"], ["reset"]) else []
    return []
