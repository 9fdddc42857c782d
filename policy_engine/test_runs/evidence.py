"""Work out what each run of tests of a line proves, from its commands and its result, and why others prove nothing.

A run counts by its exit status, or, where something hides that, by the runner's own summary in the result. The
result is what the tools printed: where anything else on the line prints too, a summary there is anybody's. Imported
by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import DIGITS, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.classify import DEPTH, Place, Run, behind_starter, run_of
from policy_engine.test_runs.containers import why_of_image
from policy_engine.test_runs.quiet import CODE_OF_LINTERS, FILES_ONLY, FILTERS, QUIET, QUIET_VERBS
from policy_engine.test_runs.run_variables import CHANGING
from policy_engine.test_runs.runners import ENVIRONMENT_PROGRAMS, MANAGERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.classify import Words

_SOURCED = ("bin/activate", "Scripts/activate", "/.cargo/env", "/nvm.sh", "/conda.sh", "/.bashrc", "/.bash_profile",
            "/.profile", "/.zshrc", "/sdkman-init.sh", "/ghcup/env", "/asdf.sh", "/.envrc", "/.env")  # fmt: skip
PASSED, FAILED, UNPROVEN = "passed", "failed", "unproven"
IF_LOADED, IF_SILENT, IF_NEW, IF_ALONE = "\0", "\1", "\2", "\3"
"""Before why a file changes what runs say: it counts where something loads the file, a run is `silent`, the commit
with which the session began does not say the same of it, or there is no commit to compare with."""
REMOVED = "removed"
"""No run: a source went away, so that runs before say nothing any more."""
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "eval", "source", "script"))
_STATUS = ("$?", "${?}", "${PIPESTATUS[0]}", "${PIPESTATUS[@]}", "${PIPESTATUS[*]}", "$PIPESTATUS", "${pipestatus[1]}")
_WHOLE_LINES = (
    ("-n", "$p"),
    *(
        (*options, f"s/{escape}\\[[0-9;]*{end}//g")
        for options in ((), ("-E",), ("-r",), ("-e",))
        for escape in ("\\x1b", "\\x1B", "\\033", "\\e")
        for end in ("m", "[mK]", "[a-zA-Z]")
    ),
)
"""The words of a `sed` that takes away nothing but colours, or all but the last line."""
_STOPPED = (130, 137, 143)
"""Exit statuses of a program that a signal ended."""
NONE_PASSED = "no test ran, or all of them were skipped"
IN_FOREGROUND = "Run it in the foreground"
_NO_PIPE = "Leave the pipe out, or begin the line with `set -o pipefail;`"


class Proof:
    """The proof that one run gives: `outcome`, by its `status` or else by the summary; `counted` tests, None if
    unread; `logged`: the line shows a count from a file that only the run wrote; `reason`
    and `advice` if it proves nothing. `beside` is what programs that print beside it run code from: their names, and
    beginnings of files. `least`: how many tests must pass once those are repaired that failed beside others, 0 if
    unread. `silent`: a file of tests passed that shows no test. `left_out`: how many tests did not run, None if
    unread; `skipped` of these by the summary of pytest or unittest. `stands`: the commands of its line, and its place
    among them."""

    __slots__ = ("run", "outcome", "status", "counted", "logged", "reason", "advice", "beside", "silent", "left_out",
                 "stands", "least", "skipped")  # fmt: skip

    def __init__(self, run: Run) -> None:
        self.run = run
        self.outcome = UNPROVEN
        self.status = self.silent = False
        self.counted: int | None = None
        self.logged = False
        self.least = self.skipped = 0
        self.left_out: int | None = None
        self.beside: tuple[tuple[str, str], ...] = ()
        self.stands: tuple[Sequence[SimpleCommand], int] = ((), 0)
        self.reason = self.advice = ""

    def refuse(self, reason: str, advice: str = "") -> Proof:
        self.outcome, self.reason, self.advice = UNPROVEN, reason, advice
        return self


def without_environments(line: str, commands: Sequence[SimpleCommand]) -> tuple[str, list[str]]:
    """The line without `source .venv/bin/activate` and its like, and the files that it names so; with `$(nproc)` and
    its like as words.

    What such a file does is not known to a rule that guards; for a run of tests it is the environment that it runs in.
    """
    files = []
    if "$(" in line:
        from policy_engine.test_runs.known_words import with_known_words

        line = with_known_words(line)
    for command in commands:
        if command.name in ("source", ".") and len(command.argv) == 2 and is_known(command.argv[1]):
            path = command.argv[1]
            if ("/" + path).endswith(_SOURCED) and command.text in line:
                line = line.replace(command.text, ":", 1)
                files.append(path)
    return line, files


def proofs_of(
    commands: Sequence[SimpleCommand], outcomes: Sequence[str], result: dict[str, Any], line: str = ""
) -> list[Proof]:
    """Return what the runs of a finished line prove. `outcomes` are those of facts.py, one for each command."""
    runs = [_run(command, commands) for command in commands]
    if any(run is not None for run in runs):
        from policy_engine.test_runs.shadows import started_from, why_shadowed

        shadowed, starts = why_shadowed(line, commands), (*started_from(commands), *_sourced(commands))
        for run in runs:
            if run is not None:
                run.programs += starts
                if shadowed:
                    run.refuse(shadowed)
    proofs = []
    for number, run in enumerate(runs):
        if run is not None:
            proof = _proof(run, number, commands, runs, outcomes[number], result)
            if proof is not None and proof.outcome == PASSED and 0 < number < len(commands) - 1:
                from policy_engine.test_runs.swapped import why_swapped

                if why := why_swapped(number, commands):
                    proof.refuse(why, "Run it on a line of its own")
            if proof is not None:
                proof.stands = commands, number
                proofs.append(proof)
    return proofs


def _sourced(commands: Sequence[SimpleCommand]) -> Iterator[str]:
    """Yield the files whose variables and functions the shell of the line takes."""
    for command in commands:
        if command.name in ("source", ".") and len(command.argv) > 1 and is_known(command.argv[1]):
            try:
                yield command.filesystem.resolve(command.argv[1], command.cwd.real).real
            except Undecided:
                continue


def _run(command: SimpleCommand, line: Sequence[SimpleCommand]) -> Run | None:
    """The run of a command of the line itself, or of a shell that the line starts; what a starter starts is its own."""
    if not all(name in _SHELLS for name in command.via):
        return None
    run = run_of(command)
    if run is not None and run.stale and not any(other.argv[1:2] == ("build",) for other in line):
        run.refuse(run.stale)
    if run is not None and run.image and (why := why_of_image(run, command, line)):
        run.refuse(why)
    if run is not None and command.in_function:
        run.refuse("a function of the line runs it")
    return run


def _beside(commands: Sequence[SimpleCommand], number: int) -> Iterator[tuple[str, str]]:
    """The programs beside a run that are taken for quiet, and the beginnings of the files that they run code from."""
    waiting = [(command, 0) for place, command in enumerate(commands) if place != number]
    while waiting:
        command, depth = waiting.pop(0)
        name, words = _program(command)
        waiting += [(one, depth + 1) for one in _script(command, name, words)] if depth < DEPTH else []
        name = words[0] if words and name in MANAGERS and words[0] in CODE_OF_LINTERS else name
        starts = CODE_OF_LINTERS.get(name, ())
        if name in QUIET_VERBS:
            starts += tuple(f"{folder}/{name}" for folder in ENVIRONMENT_PROGRAMS)
        try:
            yield from ((name, f"{command.cwd.real.rstrip('/')}/{start}") for start in starts)
        except Undecided:
            continue


def _program(command: SimpleCommand) -> tuple[str, Words]:
    """The program that a command comes to behind what starts it (`uv run`, `npx`, `python -m`), and its words.

    "" if it may be another one that is called so: a path outside of an environment, a module of the workspace.
    """
    words = command.argv
    folder = words[0].rpartition("/")[0]
    if not _itself(command) and (folder not in ENVIRONMENT_PROGRAMS or _changes(command.env)):
        return "", ()
    try:
        place = Place(command.cwd, command.filesystem, command.env)
    except Undecided:
        return command.name, words[1:]
    name = command.name
    for _ in range(DEPTH):
        inner = behind_starter(name, words, place)
        if inner is None or not is_known(inner[0]) or "/" in inner[0]:
            break
        name, words = inner[0], inner
    if any(text[:1] == "\0" for text in place.started) or _changes(place.env):
        return "", ()
    from policy_engine.test_runs.managers import starts_program

    if words[1:2] == ("exec",) and name in MANAGERS:
        words = words[1:]
    elif not starts_program(name, words[1:], place):
        return name, words[1:]
    return next(iter(words[1:]), ""), words[2:]


def _proof(
    run: Run,
    number: int,
    commands: Sequence[SimpleCommand],
    runs: Sequence[Run | None],
    outcome: str,
    result: dict[str, Any],
) -> Proof | None:
    proof = Proof(run)
    proof.beside = tuple(dict.fromkeys(_beside(commands, number)))
    if outcome == "blocked":
        return None
    text = result.get("text")
    text = text if type(text) is str else ""
    if text:
        from policy_engine.test_runs.taken_out import left_out, skipped

        proof.left_out, proof.skipped = left_out(text), skipped(text)
    hidden = _hidden(number, commands, runs)
    counts = _counts(text, run, "" if outcome == "success" else hidden, number, commands, outcome != "success")
    if counts is not None and counts.beside:
        proof.least = counts.passed + 1
    if outcome == "failure":
        none = counts is not None and not counts.failed and not counts.passed
        if none and (run.part or run.limited):
            return proof.refuse(NONE_PASSED)
        proof.outcome, proof.status = FAILED, True
        proof.reason = NONE_PASSED if none else _why_ended(result, run, counts)
        return proof
    if outcome == "pending":
        return proof.refuse("it ran in the background: how it ended is not known", IN_FOREGROUND)
    if outcome != "success" and counts is not None and counts.failed and not hidden:
        proof.outcome, proof.reason = FAILED, "tests failed"
        return proof
    if run.problem:
        return proof.refuse(run.problem)
    if counts is not None and counts.failed:
        return proof.refuse("the result says that tests failed")
    if counts is not None and not counts.passed:
        return proof.refuse(NONE_PASSED)
    if counts is not None and counts.readers != ("gradle-tasks",):
        if not hidden_text(number, commands, runs):
            proof.counted = counts.passed
        proof.logged = _shows_log(number, commands)
    if counts is not None and not {"node", "tap"}.isdisjoint(counts.readers):
        from policy_engine.test_runs.summaries import shows_silent_file

        proof.silent = shows_silent_file(text)
    if run.counted and proof.counted is None:
        return proof.refuse(f"{run.counted}, and the result shows no count of tests")
    if run.idle and counts is None and type(result.get("text")) is str:
        return proof.refuse(f"{run.idle}, and the result shows no count of tests")
    if counts is None and _had_nothing_to_do(text):
        return proof.refuse("no test ran: the task had nothing to do")
    if outcome == "success" and _ended_silently(result, number, commands, run):
        return proof.refuse(
            "the result does not show the summary with which it ends", "Run it so that its summary is in the result"
        )
    if outcome == "success":
        proof.outcome, proof.status = PASSED, True
        return proof
    if hidden or counts is None or result.get("ok") is False or result.get("exit_code") not in (0, None):
        return proof.refuse(*_why(number, commands, hidden, text, run))
    proof.outcome = PASSED
    return proof


def _why_ended(result: dict[str, Any], run: Run, counts: Any) -> str:
    """Return how a run ended that did not succeed: it failed, or something stopped it."""
    code, starters = result.get("exit_code"), " ".join(text for text, _ in run.started)
    if result.get("status") == "timed_out" or (code in (124, 137) and "timeout" in starters):
        return "it was stopped before it ended, since it took too long"
    if code in _STOPPED and (counts is None or not counts.failed):
        return f"it was stopped before it ended (exit status {code})"
    return "tests failed"


def _why(number: int, commands: Sequence[SimpleCommand], hidden: str, text: str, run: Run) -> tuple[str, str]:
    """Return why the exit status says nothing of the run, and what would make it count."""
    later = (one for one in commands[number + 1 :] if all(name in _SHELLS for name in one.via))
    behind = next(later, None)  # what a starter starts is the run itself
    shown = hidden or _why_uncounted(number, commands, text, run)
    if behind is not None and behind.piped_from:
        last = next((one for one in reversed(commands) if one.piped_from), behind)
        return f"its exit status is that of `{last.name}`, and {shown}", _NO_PIPE
    return f"something else on the line decides the exit status, and {shown}", "Run it on a line of its own"


def _counts(text: str, run: Run, hidden: str, number: int, commands: Sequence[SimpleCommand], unsaid: bool) -> Any:
    """Return what the summary says, read if it is the run's own; `unsaid`: no status says the same."""
    if not text or hidden:
        return None
    from policy_engine.test_runs.cut_outputs import cutting
    from policy_engine.test_runs.other_output import without_others
    from policy_engine.test_runs.summaries import behind_cut, count

    text = without_others(text, [one for one in commands if one is not commands[number]])
    counts = count(text, run.reads)
    if unsaid and counts is not None and not counts.failed:
        counts = count(text := behind_cut(text), run.reads)
    if counts is None or cutting(text, counts, run, commands[number], commands[number + 1 :], unsaid):
        return None
    return counts


def _why_uncounted(number: int, commands: Sequence[SimpleCommand], text: str, run: Run) -> str:
    """Return why the result has no summary that counts."""
    from policy_engine.test_runs.cut_outputs import cutting
    from policy_engine.test_runs.summaries import count

    counts = count(text, run.reads)
    behind = commands[number + 1 :]
    chosen = cutting(text, counts, run, commands[number], behind, True) if counts is not None else ""
    return f"`{chosen[:60]}` may leave out that tests failed" if chosen else "the result shows no summary of the tests"


_OTHER_REPORTS = ("--reporter", "--json", "--format", "--silent", "--log", "--teamcity", "--testdox", "--no-output",
                  "--output", "-Q", "--tap", "--printer")  # fmt: skip


def _had_nothing_to_do(text: str) -> bool:
    """Return whether a task runner says at the end that the task needs no work, as for a file or folder of its name."""
    last = text.rstrip().rpartition("\n")[2]
    return last.startswith(("make: ", "gmake: ", "ninja: ")) and (
        last.endswith(("is up to date.", "no work to do.")) or "Nothing to be done for" in last
    )


def _ended_silently(result: dict[str, Any], number: int, commands: Sequence[SimpleCommand], run: Run) -> bool:
    """Return whether the result shows what a run printed, and its runner did not come to the end that it always
    prints.
    """
    text, own = result.get("text"), commands[number]
    if type(text) is not str or run.named or own.substituted:
        return False
    short = () if run.of == "python" else ("-f", "-o", "-l", "-s", "-q")
    if any(word.startswith(_OTHER_REPORTS) or word in short for word in own.argv):
        return False
    try:
        if own.background or any(one.path.access == "write" for one in own.redirects):  # type: ignore[attr-defined]
            return False
    except Undecided:
        return False
    if any(one.piped_from and one.name not in ("cat", "tee") for one in commands[number + 1 :]):
        return False
    from policy_engine.test_runs.summaries import lacks_end

    return lacks_end(text, run.reads)


def _hidden(number: int, commands: Sequence[SimpleCommand], runs: Sequence[Run | None]) -> str:
    """Return why a summary in the result would not be the run's own, "" if it would."""
    own = commands[number]
    try:
        if own.background:
            return "it ran in the background"
        for redirect in own.redirects:
            if redirect.path.access == "write" and redirect.path.real != "/dev/null":  # type: ignore[attr-defined]
                return "its output went to a file"
    except Undecided:
        return "where its output went is not known"
    return hidden_text(number, commands, runs)


def hidden_text(number: int, commands: Sequence[SimpleCommand], runs: Sequence[Run | None]) -> str:
    """Return what on a line may print a summary beside a run, as a reason; "" if nothing does."""
    own = commands[number]
    for place, other in enumerate(commands):
        if other is own or (other.via and not all(name in _SHELLS for name in other.via)):
            continue
        if runs[place] is not None:
            continue
        if other.name in _SHELLS and any(other.name in one.via for one in commands):
            continue
        if not (_filters(other) if other.piped_from else _quiet(other)):
            return f"`{other.text[:60]}` prints as well"
        try:
            if own.feed is not None or (other.background and not other.piped_from):
                return "something runs beside it"
        except Undecided:
            return "something runs beside it"
    several = sum(run is not None for run in runs)
    if several > 1 and any(run is not None and _same(run, runs[number]) for run in runs if run is not runs[number]):
        return "several runs stand on the line"
    return ""


def _same(left: Run, right: Run | None) -> bool:
    return right is not None and (not left.reads or not right.reads or left.reads == right.reads)


def _shows_log(number: int, commands: Sequence[SimpleCommand]) -> bool:
    """Return whether what else the line prints is the file into which the run's output went."""
    own = commands[number]
    written = [redirect.path for redirect in own.redirects]  # type: ignore[attr-defined]
    logs = {path.text for path in written if path.known and path.access != "read"}
    shows = [one for one in commands if one is not own and not _quiet(one) and not one.via]
    return bool(logs and shows) and all(one.name in FILTERS and one.argv[-1] in logs for one in shows)


def _filters(command: SimpleCommand) -> bool:
    """Return whether the end of a pipe lets whole lines through, and those of its input only."""
    if (
        command.name not in (*FILTERS, "sed", "awk", "gawk", "mawk")
        or not all(map(is_known, command.argv))
        or not _itself(command)
    ):
        return False
    try:
        if command.feed is not None and is_known(command.feed):
            return False
        for redirect in command.redirects:
            if redirect.path.access == "read":  # type: ignore[attr-defined]
                return False
    except Undecided:
        return False
    if command.name == "sed" and command.argv[1:] in _WHOLE_LINES:
        return True
    if command.name not in FILTERS:
        from policy_engine.test_runs.cut_outputs import chooser

        return chooser(command) is not None
    operands, given, words = 0, 0, list(command.argv[1:])
    while words:
        word = words.pop(0)
        if word[:1] != "-" or word == "-":
            operands += word != "-"
            continue
        name = word.partition("=")[0]
        if command.name in ("head", "tail"):
            if name in ("-c", "--bytes") or word[1:2] == "c" or "f" in name[1:2]:
                return False
            count = words.pop(0) if word == "-n" and words else word.lstrip("-n").removeprefix("lines=")
            if not count.lstrip("+0"):
                return False
            continue
        if command.name in ("grep", "egrep", "rg"):
            if name in ("--only-matching", "--count", "--replace", "--quiet", "--files-with-matches", "-f", "--file"):
                return False
            if name[:2] != "--" and any(letter in word for letter in "ocrRqlLf"):
                return False
            if word in ("-A", "-B", "-C", "-m") and words:
                words.pop(0)
            elif name == "--regexp" or word[:2] == "-e":
                given = 1
                if word in ("-e", "--regexp") and words:
                    words.pop(0)
    if command.name == "tee":
        return True
    return operands + given == (1 if command.name in ("grep", "egrep", "rg") else 0)


def _quiet(command: SimpleCommand, depth: int = 0) -> bool:
    """Return whether a command beside the run prints nothing that reads like a summary."""
    name, words = _program(command)
    if name in QUIET:
        return True
    verbs = QUIET_VERBS.get(name, "").split()
    if verbs == ["*"] or (verbs and next((word for word in words if word[:1] != "-"), "") in verbs):
        return True
    if name in ("docker", "podman", "nerdctl") and words[:1] == ("compose",):
        name, words = "docker-compose", words[1:]
    if name == "docker-compose" and words[:1] == ("up",) and not {"-d", "--detach", "--wait"}.isdisjoint(words):
        return True
    if name in FILES_ONLY and _fills_files(command, name):
        return True
    if name == "echo":
        return _plain_echo(command)
    if name.rstrip("0123456789.") == "python" and words[:2] in (("-m", "compileall"), ("-m", "py_compile")):
        return True
    from policy_engine.test_runs.other_output import form_of

    if form_of(command):
        return True
    script = _script(command, name, words) if depth < DEPTH else ()
    own = [one for one in script if not one.via or _SHELLS.issuperset(one.via)]  # others are a starter's
    return bool(own) and all(not one.via and _quiet(one, depth + 1) for one in own)


def _fills_files(command: SimpleCommand, name: str) -> bool:
    """Return whether all that a command prints goes to files of the disk."""
    words = command.argv[1:]
    if not _itself(command) or any("/dev/" in word or "/proc/" in word for word in words):
        return False
    if name == "sed" and any(word[:1] == "-" and word.lstrip("-nErsuz")[:1] == "i" for word in words):
        return all(map(is_known, words))
    start = command.text.partition("\n")[0]
    if ">&" in start or any(f"{number}>" in start for number in range(10)):
        return False
    try:
        paths = [one.path for one in command.redirects if one.path.access == "write"]  # type: ignore[attr-defined]
    except Undecided:
        return False
    return bool(paths) and all(path.known and not path.real.startswith(("/dev/", "/proc/")) for path in paths)


def _script(command: SimpleCommand, name: str, words: Words) -> tuple[SimpleCommand, ...]:
    """Return the commands of the script that a command runs by its name (`npm run lint`); none if it runs none."""
    from policy_engine.test_runs.managers import script_commands

    try:
        return script_commands(name, words, Place(command.cwd, command.filesystem, command.env))
    except Undecided:
        return ()


def _itself(command: SimpleCommand) -> bool:
    """Return whether the name starts what is called so: no path of the workspace, no search path of its own."""
    folder = command.argv[0].rpartition("/")[0]
    return folder in ("", "/bin", "/usr/bin", "/usr/local/bin") and not _changes(command.env)


def _changes(env: Sequence[str]) -> bool:
    return any(item.partition("=")[0] in CHANGING or item.startswith("PATH=") for item in env)


def _plain_echo(command: SimpleCommand) -> bool:
    """`echo "exit: $?"`: a line that reads like no summary, with the exit status for a variable and no other."""
    if any(word in ("-n", "-e", "-ne", "-en") for word in command.argv[1:]) or "\\" in command.text:
        return False
    from policy_engine.test_runs.summaries import count

    words = [word.replace(DIGITS, "0") for word in command.argv[1:]]
    if all(map(is_known, words)):
        return count(" ".join(words), ()) is None
    rest = command.text
    for status in _STATUS:
        rest = rest.replace(status, "0")
    printed = " ".join(word if is_known(word) else "0" for word in command.argv[1:])
    return "$" not in rest and "`" not in rest and count(printed, ()) is None
