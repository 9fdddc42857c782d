"""The runs of tests of a session: which of them stand, which were seen and do not count, and whether the session itself
wrote what they go by.

All in one room of the state: `seen` the latest runs, `marks` the latest pass and failure of each sort of run, for rules
that are loaded later, `configured` a file of test configuration that this session wrote, `changing` the files that it
wrote which can change what a run says, with the ecosystem and the reason, `last` those that act when a run is over,
with the ecosystem, `sources` the latest files of Python and `parts` the parts of task files that it wrote, `touched`
the files that commands of lines may have written, `gone` the files of tests that went away unseen, `choices` what
settings chose and `commit` what was checked out at the start (suite.py), `looked` when installed programs were last
found in order, by place, `spans` when a package manager may have run or a person worked, `told` what was said once,
`now` what is to be said at the event at hand.
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.history.built import is_built, note_built
from policy_engine.history.changing_files import (
    INSTALLED,
    PROGRAMS,
    looked_at,
    may_be_there,
    why_changes,
    why_text,
)
from policy_engine.history.file_times import OLD, judge_times
from policy_engine.history.late_writes import note_late, why_late
from policy_engine.history.suite import CHOICES, COMMIT, missing, new_suite
from policy_engine.history.unbuilt import why_unbuilt
from policy_engine.history.uncounted import judge_uncounted, told_beside
from policy_engine.history.work_trees import judge_trees
from policy_engine.model.test_names import ecosystem_of
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.classify import Run
from policy_engine.test_runs.counting import counts_for, why_not
from policy_engine.test_runs.evidence import (
    FAILED,
    IF_ALONE,
    IF_LOADED,
    IF_NEW,
    IF_SILENT,
    IN_FOREGROUND,
    PASSED,
    REMOVED,
    Proof,
)
from policy_engine.test_runs.runners import CONFIGURATION, CONFIGURATION_STARTS, MANAGER_SETTINGS
from policy_engine.test_runs.task_files import FILES, PARTS, advice_on, why_hollow, written_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.history.tables import Written

    Asked = tuple[str, str, bool]

_TASK_FILES = tuple(f"/{name}" for names in FILES.values() for name in names)
"""Files that decide nothing of a run that is started by its own name."""
_CONDITIONS = IF_LOADED + IF_SILENT + IF_NEW + IF_ALONE
_SEEN = 16
_MARKS = 64
_TOLD = 16
_INTERPRETERS = ("python", "node", "ruby", "perl", "php", "bun", "deno", "bash", "sh", "zsh")
_VALUE_CHARS = 16  # of letters and digits in a row, some of them digits
_CHANGING = 64
_STARTED = frozenset(
    (*CONFIGURATION, *MANAGER_SETTINGS, "akefile", "askfile", "activate", "rc", "profile", "env", "login", "sh")
)
"""Parts of the names of files that say what a run starts, or how."""
_SETTINGS = (".gradle", ".gradle.kts", "gradle.properties", "settings.xml")
"""How names of settings end that tools read from their own folders in the home folder."""
_TOUCHED = 256  # files that commands of lines may have written
_SOURCES = 128  # files of Python whose compiled code is looked at
_PARTS = 32
_LAST = 64
_PLACES = 16  # with installed programs
_NS = 1_000_000  # in a millisecond
_SPANS = 32
_INSTALLING = ("install", "pip", "uv ", "sync", "npm", "yarn", "bun ", "poetry", "pdm", "rye", "pixi", "conda", "mamba",
               "venv", "virtualenv", "hatch", "composer", "make", "just", "task", "setup", "./", ".sh",
               ".py")  # fmt: skip
"""Parts of lines on which a package manager may run."""
_PATH = 60  # characters of a path that is shown whole
_LATER = 1 << 43  # ms: a package manager runs beside the session, nobody knows until when
_SHOWN = 3  # runs named in one refusal


def is_judged(fact: Fact) -> bool:
    """Return whether a fact is a run of tests, or of a task."""
    return fact.kind == "tests" or (fact.kind == "command" and fact.command is not None and fact.command.name in FILES)


def is_configuration(real: str, filesystem: FileSystem) -> bool:
    """Return whether a path of the workspace decides which tests run and what their status says."""
    name = real.rpartition("/")[2]
    return (name in CONFIGURATION or name.startswith(CONFIGURATION_STARTS)) and real.startswith(
        filesystem.real_workspace.rstrip("/") + "/"
    )


def judge(
    facts: Iterable[Fact],
    namespace: dict[str, Any],
    paths: Written,
    filesystem: FileSystem,
    moment: int | None,
    began: int | None,
) -> None:
    """Take back the proof of runs, and of tasks, whose program or configuration this session wrote.

    `moment` is that of the event, `began` that at which the session did, in ms; None where the disk is of another time:
    what only it shows is then unknown, and no evidence.
    """
    facts = tuple(facts)
    proofs = [fact.value for fact in facts if fact.kind == "tests"]
    here = [fact.path.real for fact in facts if fact.kind == "wrote" and fact.path is not None]

    touched = {*namespace.get("touched", ()), *(real for fact in facts for real in _touched_by(fact))}

    def wrote(real: str) -> bool:
        if is_built(real, namespace, filesystem):
            return False
        entry = paths.get(real)
        if real in here or (entry is not None and entry[0]):
            return True
        doubted = real in touched or (entry is not None and entry[3])
        if doubted and may_be_there(real, filesystem):
            return True  # it may have been written, if it is there at all
        return began is not None and _changed_since(real, began * _NS, filesystem)

    parts = [*namespace.get("parts", ()), *(real for real in here if real.endswith(PARTS))]
    _judge_tasks(facts, namespace, wrote, parts)
    if not proofs:
        return
    configured = _configured(proofs, here, namespace, wrote, filesystem)
    changing = {real: why_changes(real, filesystem) for real in here if looked_at(real)} if here else {}
    changing = {**namespace.get("changing", {}), **changing}
    for proof in proofs:
        if proof.outcome == PASSED:
            _judge_run(proof, facts, namespace, (changing, configured), (wrote, parts), filesystem)
        if proof.outcome == PASSED and began and (why := why_late(proof.run, namespace, filesystem)):
            proof.refuse(_brief(why), "Wait until it did, or end it and touch that file, and run them again")
        if proof.outcome == PASSED and began:
            _judge_code(proof, namespace, began * _NS, filesystem)
        if proof.outcome == PASSED and moment and began:
            _judge_programs(proof, namespace, began * _NS, moment * _NS, filesystem)
    judge_trees(proofs, PASSED, namespace, filesystem)
    if COMMIT in namespace and any(proof.outcome == PASSED or proof.least for proof in proofs):
        from policy_engine.history.digest import text_digest
        from policy_engine.history.switched_off import judge_taken_out
        from policy_engine.history.unreached import judge_unreached

        judged = [proof for proof in proofs if proof.outcome == PASSED or proof.least]
        said = judge_taken_out(judged, namespace, wrote, began, filesystem)
        judge_unreached(proofs, namespace, wrote, filesystem)
        if said and _is_new(text_digest(said), namespace):
            namespace["now"] = _brief(said)


def _judge_tasks(
    facts: Iterable[Fact], namespace: dict[str, Any], wrote: Callable[[str], bool], parts: list[str]
) -> None:
    """Take back the success of task runners that need not have run what the repository describes."""
    for fact in facts:
        if fact.kind == "command" and fact.outcome == "success" and fact.command is not None:
            if why := why_hollow(fact.command, wrote, parts):
                fact.outcome, fact.status = "unproven", "unknown"
                namespace["now"] = (
                    f"`{_brief(fact.name[:200])}` was run and does not count: {why}. Undo that, and run it again."
                )


def _configured(
    proofs: list[Proof],
    here: list[str],
    namespace: dict[str, Any],
    wrote: Callable[[str], bool],
    filesystem: FileSystem,
) -> str:
    """Return a file that the session wrote and that decides which tests run, "" if there is none."""
    known = namespace.get("configured") or next((real for real in here if is_configuration(real, filesystem)), "")
    if known and not known.endswith(_TASK_FILES):
        return str(known)
    from policy_engine.test_runs.settings import settings_of

    names = [
        real for real in settings_of((proof.run for proof in proofs), filesystem) if not real.endswith(_TASK_FILES)
    ]
    return next(filter(wrote, (real for real in names if is_configuration(real, filesystem))), known)


def _is_new(said: str, namespace: dict[str, Any]) -> bool:
    """Keep what is said once; return whether it was not said before."""
    reported = namespace.setdefault("told", [])
    if said in reported:
        return False
    reported.append(said)
    del reported[:-_TOLD]
    return True


def _judge_run(
    proof: Proof,
    facts: Iterable[Fact],
    namespace: dict[str, Any],
    written: tuple[dict[str, tuple[str, str]], str],
    reads: tuple[Callable[[str], bool], list[str]],
    filesystem: FileSystem,
) -> None:
    """Take back the proof of one run that passed."""
    from policy_engine.test_runs.settings import is_environment, why_chosen

    run, (changing, configured), (wrote, parts) = proof.run, written, reads
    if own := next((real for real in run.programs if wrote(real) and not is_environment(real, filesystem)), ""):
        proof.refuse(
            f"this session wrote `{own.rpartition('/')[2]}`, which it runs or is set up by",
            "Undo that, and run them again",
        )
        return
    if why := why_chosen(run, wrote, namespace.get(CHOICES, {}), namespace.get(COMMIT, ""), filesystem):
        proof.refuse(_brief(why), "Take that out, and run them again")
        return
    if not proof.status and (
        reason := told_beside(proof, wrote, filesystem) or _told_last(run, namespace.get("last", {}), filesystem)
    ):
        proof.refuse(reason, "Run it on a line of its own")
        return
    if run.named:
        commit = namespace.get(COMMIT, "")
        written_files = [real for real in run.files if wrote(real)]
        if file := next((real for real in written_files if not _runs_the_same(real, run, commit, filesystem)), ""):
            proof.refuse(f"this session changed `{file.rpartition('/')[2]}`, which says what it runs",
                         "Run the tests without it")  # fmt: skip
            return
        if why := next(filter(None, (written_part(real, wrote, parts, filesystem) for real in run.files)), ""):
            proof.refuse(why, advice_on(why, run.line, run.files, filesystem))
            return
    if gone := missing(namespace, run.of, filesystem):
        proof.refuse(f"the file of tests `{_shown(gone, filesystem)}` was there when the session began, and is gone",
                     "Restore it, and run them again, or tell the person and wait for their word")  # fmt: skip
        return
    if judge_times(proof, namespace.get(OLD, {})):
        return
    why, advice = why_unbuilt(run, facts, namespace, filesystem)
    if why:
        proof.refuse(_brief(why), advice)
        return
    if COMMIT in namespace and _judge_kind(proof, namespace[COMMIT], wrote, filesystem):
        return
    if (why := _changed(proof, changing, configured, namespace.get(COMMIT, ""), filesystem)) or (
        run.of in ("", "python") and (why := _plugin(run, wrote, namespace, filesystem))
    ):
        proof.refuse(why, "Take that out and run them again, or tell the person")
    elif configured and not proof.counted and (run.named or not configured.endswith(_TASK_FILES)):
        judge_uncounted(proof, configured, namespace.get(COMMIT, ""), filesystem)


def _runs_the_same(real: str, run: Run, commit: str, filesystem: FileSystem) -> bool:
    from policy_engine.test_runs.unchanged_tasks import runs_the_same

    return runs_the_same(real, run, commit, filesystem)


def _judge_code(proof: Proof, namespace: dict[str, Any], began: int, filesystem: FileSystem) -> None:
    """Take back the proof of a run that may have imported other code than the sources that the session wrote."""
    if proof.run.of not in ("", "python"):
        return
    from policy_engine.test_runs.installed import stale_tests

    if why := _stale(namespace, filesystem) or (COMMIT in namespace and stale_tests(began, filesystem)):
        proof.refuse(why, "Delete the folders `__pycache__`, and run them again")
    elif copy := _copied(proof.run, namespace, filesystem):
        proof.refuse(f"tests may import `{copy}`, a copy that differs from the source",
                     "Run `pip install -e .`, then the tests")  # fmt: skip
    elif sources := namespace.get("sources", ()):
        from policy_engine.test_runs.installed_copy import covered_module

        if module := covered_module(sources, namespace.get(COMMIT, ""), filesystem):
            shown = _shown(module, filesystem)
            proof.refuse(f"this session made a package that Python takes in the place of `{shown}`",
                         "Delete one of them, and run them again")  # fmt: skip


def _judge_kind(proof: Proof, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem) -> bool:
    """Take back the proof of a run of other tests than those of the commit that the session began with, or whose setup
    is another; return whether it was."""
    from policy_engine.test_runs.other_runner import other_runner
    from policy_engine.test_runs.setup_files import changed_setup

    run = proof.run
    if why := changed_setup(run, commit, wrote, filesystem):
        proof.refuse(_brief(why), "Undo that, or run the tests without it")
        return True
    why, instead = other_runner(run, commit, filesystem) if not run.named else ("", "")
    if folder := new_suite(run, commit, filesystem):
        why, instead = f"`{folder}` is new in this session, and the tests of before lie elsewhere", run.usual
    if why:
        run.usual, run.limited = instead, why
        proof.refuse(why, "Run")
    return bool(why)


def _told_last(run: Run, last: dict[str, str], filesystem: FileSystem) -> str:
    """Return why the summary may be what code under test prints after the runner's; "" if it is not."""
    there = (real for real, of in last.items() if run.of in ("", of) and may_be_there(real, filesystem))
    file = next(there, "")
    return f"this session wrote `{_shown(file, filesystem)}`, which may print after the summary" if file else ""


def _changed_since(real: str, since: int, filesystem: FileSystem) -> bool:
    """Return whether a file changed in the session by whatever way, and no package manager accounts for such files."""
    if any(mark in real for mark in INSTALLED) and not real.endswith(_SETTINGS):
        return False
    times = filesystem.times(PathValue(real, real))
    return times is not None and times[1] > since


def note_span(facts: Iterable[Fact], namespace: dict[str, Any], last: int | None, now: int | None) -> None:
    """Keep that a package manager may have run, or that a person worked, since the `last` event until `now`, in ms."""
    note_built(facts, namespace, last, now)
    note_late(facts, namespace, last)
    for fact in facts if now is not None else ():
        if fact.kind == "prompted" or _may_install(fact):
            spans = namespace.setdefault("spans", [])
            spans.append((last or 0, _LATER if fact.outcome == "pending" else now))
            del spans[:-_SPANS]
            return


def _may_install(fact: Fact) -> bool:
    if fact.kind != "command" or fact.command is None or fact.outcome == "blocked":
        return False
    if not any(word in fact.command.text for word in _INSTALLING):
        return False
    from policy_engine.test_runs.installed import may_install

    return may_install(fact.command)


def _judge_programs(proof: Proof, namespace: dict[str, Any], since: int, now: int, filesystem: FileSystem) -> None:
    """Take back the proof of a run among whose installed programs are files that nobody accounts for."""
    from policy_engine.test_runs.unaccounted import unaccounted

    looked = namespace.setdefault("looked", {})
    spans = [(first * _NS, last * _NS) for first, last in namespace.get("spans", ())]
    if why := unaccounted(proof.run, filesystem, looked, since, now, spans):
        path = _shown(why, filesystem)
        proof.refuse(
            f"`{path if len(path) < _PATH else '…/' + '/'.join(path.rsplit('/', 2)[-2:])}` came among the installed"
            " packages in this session, and no package manager accounts for it",
            "Delete it or install its package again from a registry, on a line of its own (`--force-reinstall`, `npm"
            " ci`), and run them again",
        )
    while len(looked) > _PLACES:
        del looked[next(iter(looked))]


def _plugin(run: Run, wrote: Callable[[str], bool], namespace: dict[str, Any], filesystem: FileSystem) -> str:
    from policy_engine.test_runs.plugins import why_plugin

    return why_plugin(run, wrote, namespace.get(COMMIT, ""), filesystem)


def _copied(run: Run, namespace: dict[str, Any], filesystem: FileSystem) -> str:
    sources = namespace.get("sources", ())
    if not sources:
        return ""
    from policy_engine.test_runs.installed_copy import installed_copy

    copy = installed_copy(run, sources, filesystem)
    return _shown(copy, filesystem) if copy else ""


def _stale(namespace: dict[str, Any], filesystem: FileSystem) -> str:
    sources = namespace.get("sources", ())
    if not sources:
        return ""
    from policy_engine.test_runs.installed import stale_code

    return stale_code(sources, filesystem)


def _changed(
    proof: Proof, changing: dict[str, tuple[str, str]], configured: str, commit: str, filesystem: FileSystem
) -> str:
    """Return why a file that this session wrote keeps a run from proving anything; empty if none does."""
    run = proof.run
    holds = {IF_LOADED: bool(configured) or " -p" in run.line, IF_SILENT: proof.silent, IF_ALONE: not commit}
    for real, (ecosystem, why) in changing.items():
        if why and holds.get(why[0], True) and run.of in ("", ecosystem):
            if why[0] == IF_NEW and commit and _said_before(real, why, commit, filesystem):
                continue
            return f"this session wrote `{_shown(real, filesystem)}`, and {why.lstrip(_CONDITIONS)}"
    return ""


def _said_before(real: str, why: str, commit: str, filesystem: FileSystem) -> bool:
    """Return whether the same is to be said of a file as the commit has it, wherever in it."""
    try:
        repository = filesystem.repository()
        below = real.removeprefix(repository.root.rstrip("/") + "/")
        text = repository.ask("show", f"{commit}:{below}", failing=True).decode("utf-8", "replace")
    except Undecided:
        return False
    return why_text(real, text, filesystem)[1].partition(" (line ")[0] == why.partition(" (line ")[0]


def _shown(real: str, filesystem: FileSystem) -> str:
    """A path as it is shown: below the workspace where it lies there."""
    try:
        return real.removeprefix(filesystem.real_workspace.rstrip("/") + "/")[-160:]
    except Undecided:
        return real[-160:]


def note_file(fact: Fact, namespace: dict[str, Any], filesystem: FileSystem) -> bool:
    """Enter what a written or deleted file does to runs of tests; return whether that changed the room."""
    return fact.path is not None and _note_path(fact.kind, fact.path.real, namespace, filesystem)


def note_command(fact: Fact, namespace: dict[str, Any], filesystem: FileSystem) -> bool:
    """Enter the single files that a command wrote among installed programs, and let go what is gone since; return
    whether that changed the room. The runs of its line were judged before."""
    command = fact.command
    if command is None or fact.outcome in ("blocked", "pending"):
        return False
    kept = namespace.get("changing", {})
    gone = [real for real in kept if real and not may_be_there(real, filesystem)]
    for real in gone:
        del kept[real]
    if new := [real for real in _touched_by(fact) if real not in namespace.get("touched", ())]:
        namespace["touched"] = [*namespace.get("touched", ()), *new][-_TOUCHED:]
        gone += new
    try:
        text = f"{command.text}\0{command.cwd.real}/\0{command.feed or ''}"
    except Undecided:
        text = command.text
    runs_code = (command.name or "").rstrip(".0123456789") in _INTERPRETERS  # it may be a script that names them
    if not runs_code and not any(mark in text for mark in PROGRAMS):
        return bool(gone)
    from policy_engine.test_runs.installed import why_installed, written_by

    written = [real for real in written_by(command) if why_installed(real)[1]]
    for real in written:
        _note_path("wrote", real, namespace, filesystem)
    return bool(written or gone)


def _touched_by(fact: Fact) -> list[str]:
    """Return the single files that a command of a line may have written, if one may be what a run is started from."""
    command = fact.command
    if fact.kind != "command" or command is None or fact.outcome in ("blocked", "pending"):
        return []
    try:
        redirected = bool(command.redirects)
    except Undecided:
        redirected = True
    if not redirected and not any(name in command.text for name in _STARTED):
        return []
    from policy_engine.test_runs.installed import written_by

    return [real for real in written_by(command) if any(name in real.rpartition("/")[2] for name in _STARTED)]


def _note_path(kind: str, real: str, namespace: dict[str, Any], filesystem: FileSystem) -> bool:
    kept = namespace.get("changing", {})
    if kind == "deleted":
        gone = [
            one for one in kept if (one == real or one.startswith(real + "/")) and not may_be_there(one, filesystem)
        ]
        for one in gone:
            del kept[one]
        return bool(gone)
    new = _kept_apart(real, namespace)
    if not looked_at(real):
        return new
    new |= _note_last(real, namespace, filesystem)
    reason = why_changes(real, filesystem)
    if reason[1]:
        if real not in kept and len(kept) >= _CHANGING:
            real, reason = "", ("", f"{_CHANGING} other files that it wrote can change what runs say")
        namespace.setdefault("changing", {})[real] = reason
        return True
    return kept.pop(real, None) is not None or new


def _note_last(real: str, namespace: dict[str, Any], filesystem: FileSystem) -> bool:
    """Keep whether a file of code acts when a run is over; return whether that is new."""
    from policy_engine.test_runs.last_words import tells_last
    from policy_engine.test_runs.outcome_changes import MOST

    last, ecosystem = namespace.setdefault("last", {}), ecosystem_of(real)
    try:
        text = filesystem.script(PathValue(real, real), MOST) or ""
    except Undecided:
        text = ""
    if not tells_last(ecosystem, text):
        return last.pop(real, None) is not None
    last[real] = ecosystem
    while len(last) > _LAST:
        del last[next(iter(last))]
    return True


def _kept_apart(real: str, namespace: dict[str, Any]) -> bool:
    """Keep which files of Python and which parts of task files were written; return whether one is new."""
    for name, endings, most in (("sources", (".py",), _SOURCES), ("parts", PARTS, _PARTS)):
        if real.endswith(endings) and real not in namespace.get(name, ()):
            listed = namespace.setdefault(name, [])
            listed.append(real)
            del listed[:-most]
            return True
    return False


def note(fact: Fact, sequence: int, event: str, namespace: dict[str, Any], shown: Callable[[str], str]) -> None:
    """Enter one run."""
    proof: Proof = fact.value
    run = proof.run
    record = (sequence, run.of, run.own, run.targets, proof.outcome, proof.status, shown(_brief(run.line)),
              shown(proof.reason), run.limited,
              proof.advice, run.usual, event)  # fmt: skip
    seen = namespace.setdefault("seen", [])
    seen.append(record)
    del seen[:-_SEEN]
    if proof.outcome in (PASSED, FAILED, REMOVED):
        marks = namespace.setdefault("marks", {})
        key = repr((run.of, run.own, run.targets, proof.outcome, proof.status))
        marks.pop(key, None)
        marks[key] = record
        while len(marks) > _MARKS:
            del marks[next(iter(marks))]
    elif proof.advice and _is_new(proof.advice, namespace):
        namespace["now"] = _sentence(record, proof.reason)


def _brief(line: str) -> str:
    """Return the line without words that are no names: long ones with digits in them, of which nobody knows what they
    are.
    """
    return " ".join("…" if _is_value(word) else word for word in line.split(" "))


def _is_value(word: str) -> bool:
    plain = "".join(char if char.isalnum() else " " for char in word)
    return any(len(part) >= _VALUE_CHARS and any(char.isdigit() for char in part) for part in plain.split())


def _restored(record: Any) -> Proof:
    run = Run(record[1])
    run.own, run.targets, run.line, run.limited, run.usual = record[2], record[3], record[6], record[8], record[10]
    proof = Proof(run)
    proof.outcome, proof.status, proof.reason, proof.advice = record[4], record[5], record[7], record[9]
    return proof


def mark(namespace: dict[str, Any], asked: Asked) -> tuple[int, int]:
    """(latest pass, latest failure after it) among the runs that are remembered."""
    passed = failed = 0
    for record in namespace.get("marks", {}).values():
        counted = counts_for(_restored(record), *asked)
        passed = max(passed, record[0] if counted == PASSED else 0)
        failed = max(failed, record[0] if counted == FAILED else 0)
    return passed, failed if failed > passed else 0


def missed(namespace: dict[str, Any], asked: Iterable[Asked], after: int, advised: bool = False) -> str:
    """Sentences about the runs later than a moment that do not count, each with its reason and what would count; if it
    was `advised` what to run, no other command is named.
    """
    asked = tuple(asked)
    messages: list[str] = []
    for record in reversed(namespace.get("seen", ())):
        if record[0] <= after or len(messages) == _SHOWN:
            break
        reasons = [why_not(_restored(record), *one) for one in asked]
        if reasons and all(reasons):
            sentence = _sentence(record, reasons[0], advised)
            if sentence not in messages:
                messages.append(sentence)
    return "".join(f" {sentence}" for sentence in messages)


def _sentence(record: Any, reason: str, advised: bool = False) -> str:
    line, advice, usual = record[6], record[9], record[10]
    if record[4] == REMOVED:
        return f"`{line}` was deleted after the tests last passed."
    text = f"`{line}` was run and does not count: {reason}."
    if advice:
        line = line.removeprefix("nohup ").removeprefix("setsid ") if advice == IN_FOREGROUND else line
        return f"{text} {advice}: `{line if not record[8] else usual or line}`."
    told = advised or not usual or usual == line or record[4] == FAILED
    return text if told else f"{text} Run `{usual}`."
