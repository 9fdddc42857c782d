"""Keep which files of tests a session began with, and find those that went away unseen: a run without them is no proof.

A removal that a call shows (`rm`, `git rm`, a patch) is the business of rules that ask a person; a test that moved is
still there, and another commit may never have had it. What is left was taken away by a program, a stash or a search. It
is missing until it is back, or until a person goes on after a run was refused for it. Imported by the hook path.
"""

from __future__ import annotations

from itertools import chain

from policy_engine.filesystem.paths import PathValue, under
from policy_engine.history.digest import text_digest
from policy_engine.history.tool_calls import call_content, call_replaced
from policy_engine.model.test_names import ENDINGS, ecosystem_of, is_test
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.history.recorder import Recorder as History
    from policy_engine.history.run_start import Parts
    from policy_engine.history.snapshot import Snapshot
    from policy_engine.model.event import Event
    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.classify import Run

PART = "suite"
NAMESPACE = "tests"
"""Of the state, with all that is known of runs of tests (tested.py)."""
GONE = "gone"
"""Within the room of runs of tests: the missing files, each with whether a run was refused for it."""
OFF = "off"
"""Within the same: what stands for lines that switch tests off, each with whether a person went on after a run was
refused for it."""
SHOWN = "shown"
"""Within the same: what stands for lines of file tools that may switch tests off. Rules heard them, and a person was
asked where a rule asks, so that a run without such tests counts, and it is said."""
SHOWN_GONE = "shown_gone"
"""Within the same: what stands for tests that calls of file tools showed to go, and for files of which they did not say
what goes."""
CHOICES = "choices"
"""Within the same: what stands for the choices of tests in the settings that the session began with, by file."""
FAILED_BESIDE = "failed_beside"
"""Within the same: by run, what stands for the files of tests, and how many tests must pass once the failed ones do."""
COMMIT = "commit"
"""Within the same: the commit that was checked out when the session began."""
_SETTINGS = ("pytest.", ".pytest.", "pyproject.", "tox.", "setup.cfg", "package.json", "jest.", "vite", "playwright.",
             ".mocharc", "ava.", "phpunit.", "Cargo.toml", "bunfig.", "deno.")  # fmt: skip
_MOST = 64
_MOST_GONE = 512
_ALL = "*"
_NAMED = ("test", "spec")
_SWITCHING = (
    "kip", "xfail", "todo", "only", "gnore", "isabled", "nabled", "parametrize", "__test__", "del ", "assume", "fail",
    "cfg(", "build ",
)  # fmt: skip
"""Parts of words that switch tests off."""
_BEGAN = 20_000  # files of tests that are kept; of more it is not known which went away
_REMOVERS = ("rm", "unlink", "mv")
_OTHER_COMMITS = frozenset("checkout switch pull merge rebase reset cherry-pick revert bisect pr".split())


def watched_tests(ecosystem: str) -> str:
    """Return the glob of the files below the folders of tests that have an ending of the ecosystem; "" is any."""
    endings = ENDINGS.get(ecosystem) or tuple(chain.from_iterable(ENDINGS.values()))
    return f"{{test,tests,spec,__tests__,src/test}}/**/*.{{{','.join(endings)},{endings[0]}}}"


def note_began(parts: Parts, snapshot: Snapshot, namespace: dict[str, Any], filesystem: FileSystem) -> None:
    """Keep the files of tests of the first snapshot of a session, and what settings in it choose among tests."""
    if parts.get(PART) is not None:
        return
    places = ((folder + "/" if folder else "", files) for folder, files in snapshot.folders.items())
    paths = dict.fromkeys([*(place + name for place, files in places for name in files), *snapshot.literals])
    result = list(filter(is_test, paths))
    parts[PART] = result if len(result) <= _BEGAN else []
    if paths and (commit := _commit(filesystem)):
        namespace[COMMIT] = commit
    settings = [path for path in paths if path.rpartition("/")[2].startswith(_SETTINGS)][:_MOST]
    if settings or result:
        from policy_engine.test_runs.settings import began_with

        if kept := began_with(settings, result, filesystem):
            namespace[CHOICES] = kept


def _commit(filesystem: FileSystem) -> str:
    """Return the commit that is checked out, "" if there is none, or nobody knows."""
    try:
        commit = filesystem.repository().ask("rev-parse", "-q", "--verify", "HEAD^{commit}", failing=True)
    except Undecided:
        return ""
    return commit.decode().strip()


def note(
    facts: tuple[Fact, ...], commands: Callable[[], Any], parts: Parts | None, history: History, filesystem: FileSystem
) -> None:
    """Enter the files of tests that the comparison at the event at hand found missing, before its runs are judged.

    At a prompt a person goes on: what a run was refused for before is settled, and what went away since is their own.
    """
    namespace = history.state["rooms"].get(NAMESPACE, {})
    if history.event is not None and history.event.hook == "prompt":
        if any(namespace.get(GONE, {}).values()):
            namespace[GONE] = {real: told for real, told in namespace[GONE].items() if not told}
            history.dirty = True
        if namespace.pop(FAILED_BESIDE, None):
            history.dirty = True
        if not all(namespace.get(OFF, {}).values()):
            namespace[OFF] = dict.fromkeys(namespace[OFF], True)
            history.dirty = True
        return
    gone = [fact.path.real for fact in facts if fact.kind == "deleted" and fact.path is not None]
    gone = [real for real in gone if is_test(real)]
    began = parts.get(PART) if gone and parts is not None else None
    if not began:
        return
    start, began = len(filesystem.real_workspace.rstrip("/")) + 1, set(began)
    moved = {fact.path.real.rpartition("/")[2] for fact in facts if fact.kind == "wrote" and fact.path is not None}
    known = commands()
    known = () if known is None or isinstance(known, Undecided) else known
    shown = list(_removed_by(known))
    for real in gone:
        if real[start:] not in began or real.rpartition("/")[2] in moved or any(under(real, one) for one in shown):
            continue
        kept = history.namespace(NAMESPACE).setdefault(GONE, {})
        if real not in kept and len(kept) < _MOST and not _is_of_another_commit(real, known, filesystem):
            kept[real] = False
            history.dirty = True


def shown_mark(real: str, line: str) -> str:
    """Return what stands for a line of a file."""
    return text_digest(f"{real}\0{' '.join(line.split())}")


def keep_shown(event: Event, real: str, namespace: dict[str, Any], filesystem: FileSystem) -> bool:
    """Keep what a call of a file tool shows of lines in a file that may switch tests off, and of tests that go; return
    whether there are any.
    """
    try:
        text = call_content(event)
    except Undecided:
        text = ABSENT
    lines = text.split("\n") if type(text) is str else []
    marks = [shown_mark(real, line) for line in lines if any(word in line for word in _SWITCHING)]
    if lines and is_test(real):
        from policy_engine.test_runs.switches import may_switch

        marks += [shown_mark(real, line) for line in lines if may_switch(line, real)]
    if marks:
        namespace[SHOWN] = list(dict.fromkeys((*namespace.get(SHOWN, ()), *marks)))[-_MOST:]
    gone = [shown_mark(real, name) for name in _shown_gone(event, real, lines, namespace.get(COMMIT, ""), filesystem)]
    if gone:
        namespace[SHOWN_GONE] = list(dict.fromkeys((*namespace.get(SHOWN_GONE, ()), *gone)))[-_MOST_GONE:]
    return bool(marks or gone)


def _shown_gone(event: Event, real: str, lines: list[str], commit: str, filesystem: FileSystem) -> Iterator[str]:
    """Yield the names of the tests that a call of a file tool takes out of a file; `*` where it does not say them."""
    if not commit or not ecosystem_of(real) or not any(word in real.rpartition("/")[2].lower() for word in _NAMED):
        return
    from policy_engine.test_runs.switches import declared

    try:
        replaced = call_replaced(event)
        if type(replaced) is not str:  # the whole file is written
            repository = filesystem.repository()
            below = real.removeprefix(repository.root.rstrip("/") + "/")
            replaced = repository.ask("show", f"{commit}:{below}", failing=True).decode("utf-8", "replace")
    except Undecided:
        yield _ALL
        return
    kept = set(map(declared, lines))
    yield from (name for line in replaced.split("\n") if (name := declared(line)) and name not in kept)


def is_shown_gone(real: str, name: str, namespace: dict[str, Any]) -> bool:
    """Return whether calls of file tools showed that a test goes."""
    marks = namespace.get(SHOWN_GONE, ())
    return shown_mark(real, name) in marks or shown_mark(real, _ALL) in marks


def missing(namespace: dict[str, Any], ecosystem: str, filesystem: FileSystem) -> str:
    """Return a missing file of tests that a run of this ecosystem would have run; "" if none is missing."""
    gone = namespace.get(GONE)
    if not gone:
        return ""
    for real in [real for real in gone if _is_back(real, filesystem)]:
        del gone[real]
    result = [real for real in gone if ecosystem in ("", ecosystem_of(real))]
    gone.update(dict.fromkeys(result, True))
    return result[0] if result else ""


def new_suite(run: Run, commit: str, filesystem: FileSystem) -> str:
    """Return the folder of tests that a line takes for the whole, none of which the session began with, though it began
    with others; "" if there is none."""
    if not run.suites:
        return ""
    try:
        repository = filesystem.repository()
        below = f"{filesystem.real_workspace}/".removeprefix(f"{repository.root.rstrip('/')}/")
        listing = ("ls-tree", "-r", "--full-tree", "--name-only", "-z", commit, "--")
        if repository.ask(*listing, *(below + one for one in run.suites)):
            return ""
        others = (
            repository.ask(*listing, *([below.rstrip("/")] if below else [])).decode("utf-8", "replace").split("\0")
        )
    except Undecided:
        return ""
    return run.suites[0] if any(is_test(one) and run.of in ("", ecosystem_of(one)) for one in others) else ""


def _is_back(real: str, filesystem: FileSystem) -> bool:
    try:
        return filesystem.present(PathValue(real, real))
    except Undecided:
        return False


def _removed_by(commands: Sequence[SimpleCommand]) -> Iterator[str]:
    """Yield the paths that commands name to be deleted or moved."""
    from policy_engine.effects.command import effects_of

    for command in commands:
        if command.name in _REMOVERS or (command.name == "git" and command.argv[1:2] in (("rm",), ("mv",))):
            try:
                yield from (path.real for path in effects_of(command).paths if path.access == "delete" and path.known)
            except Undecided:
                continue


def _is_of_another_commit(real: str, commands: Sequence[SimpleCommand], filesystem: FileSystem) -> bool:
    """Return whether the line brought another commit to the workspace, which does not have the file."""
    if not any(command.name in ("git", "gh") and _OTHER_COMMITS.intersection(command.argv) for command in commands):
        return False
    try:
        repository = filesystem.repository()
        path = real.removeprefix(repository.root.rstrip("/") + "/")
        return not repository.ask("ls-tree", "--name-only", "--full-tree", "HEAD", "--", path, failing=True).strip()
    except Undecided:
        return False
