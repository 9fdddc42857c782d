"""Find the instructions that git brings into the folder with commits of others: git is asked.

Agents, editors, hooks and pipelines read or start such files by themselves. A commit that was made in this folder, or
came with a pull or a merge before, says git's record, brings nothing new; neither does the main branch of `origin`, nor
what the same line put aside. What a fetch would bring is not known, but for a pull from a folder. Imported by the hook
path when a line moves commits.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.git_commits import ENDS, compared, is_nested
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.filesystem.repository import Repository
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_FILES = tuple(
    f":(glob,icase)**/{name}"
    for name in (
        ".* .*/** AGENT*.md CLAUDE*.md GEMINI*.md QWEN*.md COPILOT*.md WARP*.md CRUSH*.md Jenkinsfile "
        "azure-pipelines.yml bitbucket-pipelines.yml lefthook* *.pth sitecustomize.py usercustomize.py "
        "opencode.json* *.code-workspace"
    ).split()
)
"""What programs read by themselves: names that begin with a dot, and those of agents, pipelines and interpreters."""
_PLAIN = (".gitignore", ".gitkeep", ".dockerignore", ".prettierignore", ".eslintignore", ".npmignore")
_LISTING = ("--no-renames", "--no-ext-diff", "--no-textconv", "--name-only", "-z")
_MADE = ("commit", "rebase", "cherry-pick", "revert", "am")
"""What git's record says where a commit was made here."""
_SHARED = tuple(f"--remotes=origin/{name}" for name in ("HEA[D]", "mai[n]", "maste[r]"))  # a pattern: else all below
"""The branch that everybody shares: a plain pull brings it as well, unseen."""
_ENTRIES = 200  # of that record
_AT_ONCE = 500  # commits
_MOST = 256  # files that are named
_LOOKS = (("list",), ("show",))


def brought_files(command: SimpleCommand, analysis: EffectAnalysis) -> list[PathValue]:
    """Return the files as written; one that is not known where git does not answer, or names more than are listed."""
    place = verb_place(command.argv)
    verb, *words = command.argv[place:] if place else ("",)
    if any(word in ENDS for word in words) or not analysis.cwd.known or not all(map(is_known, words)):
        return []
    pairs = [pair for pair in compared(verb, words) if not any(revision[:1] == "-" for revision in pair)]
    folder = _pulled_from(verb, words)
    if not pairs and not folder:
        return []
    try:
        repository = analysis.filesystem.repository()
        if analysis.filesystem.relative(analysis.cwd) is None or is_nested(
            repository, analysis.cwd, analysis.filesystem
        ):
            return []
    except Undecided:
        return []  # there is none, so git brings nothing
    try:
        if verb == "stash":
            names = _put_aside(pairs, command, repository)
        elif folder:
            names = _of_folder(analysis.path(folder, "read").real, words, repository)
        else:
            names = list(_committed(verb, pairs, repository))
    except Undecided as unknown:
        return [analysis.may_touch("what git brings", unknown.reasons[0], "write")]
    new = sorted({name for name in names if name.rpartition("/")[2] not in _PLAIN})
    paths = [analysis.path(f"{repository.root.rstrip('/')}/{name}", "write") for name in new[:_MOST]]
    if len(new) > _MOST:
        reason = f"git brings {len(new)} files that programs read by themselves, more than {_MOST}"
        paths.append(analysis.unknown("what git brings", reason, "write"))
    return paths


def _committed(verb: str, pairs: list[tuple[str, ...]], repository: Repository) -> Iterator[str]:
    """Yield what commits change that were not made here, nor came with a pull or a merge before."""
    record = _record(repository) if pairs else []
    into = ("clone", "pull", "merge", *(("checkout",) if verb in ("checkout", "switch", "reset") else ()))
    came = [f"^{commit}" for commit, deed in record if deed.startswith(into)]
    made = {commit for commit, deed in record if deed.startswith(_MADE)}
    for pair in pairs:
        last = pair[-1].rpartition("..")[2].removeprefix(".") or "HEAD"
        if verb == "revert":
            yield from _names(repository.ask("diff", *_LISTING, *pair, "--", *_FILES, failing=True))
            continue
        bound = f"{last}^@" if verb == "cherry-pick" and len(pair) > 1 else "HEAD"
        asked = ("rev-list", last, "--not", bound, *_SHARED, "--not", *came, "--", *_FILES)
        others = [one for one in repository.ask(*asked, failing=True).decode().split() if one not in made]
        for start in range(0, len(others), _AT_ONCE):
            commits = others[start : start + _AT_ONCE]
            changes = ("log", "--no-walk", "-c", "--format=", *_LISTING, *commits, "--", *_FILES)
            yield from _names(repository.ask(*changes, failing=True))


def _record(repository: Repository) -> list[tuple[str, str]]:
    """Return the commits at which the folder stood, each with what led there."""
    asked = ("log", "-g", f"-{_ENTRIES}", "--format=%H %gs", "HEAD")
    lines = repository.ask(*asked, failing=True).decode("utf-8", "replace").splitlines()
    return [(commit, deed) for commit, _, deed in (line.partition(" ") for line in lines)]


def _put_aside(pairs: list[tuple[str, ...]], command: SimpleCommand, repository: Repository) -> list[str]:
    """Return what comes back from the stash, files among it that git did not know."""
    others = [one.argv[2:] for one in command.line if one is not command and one.argv[1:2] == ("stash",)]
    acting = [words for words in others if words[:1] not in _LOOKS]
    if len(acting) == 1 and _puts_aside(acting[0]) and repository.ask("diff", *_LISTING, "HEAD", failing=True):
        return []  # the line itself put it aside
    asked = [("diff", *pair) for pair in pairs] + [("show", "--format=", f"{pair[-1]}^3") for pair in pairs]
    return [
        name
        for verb, *revisions in asked
        for name in _names(repository.ask(verb, *_LISTING, *revisions, "--", *_FILES, failing=True))
    ]


def _puts_aside(words: tuple[str, ...]) -> bool:
    return words[:1] in ((), ("push",)) and not [word for word in words[1:] if word[:1] != "-" or word == "--"]


def _pulled_from(verb: str, words: list[str]) -> str:
    """Return the folder of another repository that is pulled from, "" if it is a remote."""
    named = next((word for word in words if word[:1] != "-"), "") if verb == "pull" else ""
    return named.removeprefix("file://") if named.startswith(("/", ".", "file://")) else ""


def _of_folder(folder: str, words: list[str], repository: Repository) -> list[str]:
    """Return what another repository has otherwise than the commit that is checked out."""
    from policy_engine.filesystem.repository import Repository

    branch = ([word for word in words if word[:1] != "-"][1:2] or ["HEAD"])[0].partition(":")[0]
    own = _contents("HEAD", repository)
    return [name for name, state in _contents(branch, Repository(folder)).items() if own.get(name) != state]


def _contents(revision: str, repository: Repository) -> dict[str, str]:
    """Return the files that a commit has, each with the name that git gives to its content."""
    empty = repository.ask("hash-object", "-t", "tree", "--stdin").decode().strip()
    asked = ("diff", "--raw", "--no-abbrev", "--no-renames", "-z", empty, revision, "--", *_FILES)
    entries = _names(repository.ask(*asked, failing=True))
    return dict(zip(entries[1::2], entries[::2], strict=False))


def _names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]
