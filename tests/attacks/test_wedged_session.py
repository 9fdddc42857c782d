"""A session is never wedged: whatever an event meets, the next prompt is heard and a completion can be earned again."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from policy_engine.hook_process.response_writer import SHORTER
from policy_engine.model.limits import READ_BYTES, SEARCH_BYTES
from tests.end_to_end.host import Done, Host

RULES = Path(__file__).resolve().parents[2] / "rules"
PACKS = ("starter/general", "starter/pytest", "acceptance/*", "security/no-*")
MANY = 30_000


class Work:
    """A session of a Python project under the starter and the packs."""

    def __init__(self, folder: Path, *more: str) -> None:
        folder.mkdir(exist_ok=True)
        self.host = Host(folder)
        self.calls = 0
        for pattern in PACKS:
            for path in sorted(RULES.glob(f"{pattern}.policy")):
                self.host.write_policy(path.read_text(), f"{pattern[:4]}-{path.name}")
        self.put("src/app.py", "x = 1\n")
        self.host.warm()
        self.event("SessionStart", source="startup")
        self.event("UserPromptSubmit", prompt="Repair it.")
        self.ran("ls")

    def put(self, name: str, text: str = "") -> Path:
        path = self.host.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def many(self, folder: str, number: int = MANY, ending: str = ".bin") -> None:
        """Files that git does not ignore."""
        for at in range(number):
            if at % 1000 == 0:
                (self.host.workspace / folder / f"d{at}").mkdir(parents=True)
            (self.host.workspace / folder / f"d{at - at % 1000}" / f"f{at}{ending}").touch()

    def event(self, native: str, **fields: object) -> Done:
        return self.host.call(self.host.payload(native, **fields))

    def ran(self, command: str, done: bool = True) -> Done:
        """A shell call, from its proposal to its end."""
        self.calls += 1
        name = f"c{self.calls}"
        if done:
            self.host.call(self.host.shell(command, tool_use_id=name))
        ended = self.host.ran(command, name)
        if command.startswith("pytest"):
            ended["tool_response"]["stdout"] = "1 passed in 0.1s"
        return self.host.call(ended)

    def prompt(self) -> Done:
        return self.event("UserPromptSubmit", prompt="Go on, please.")

    def finish(self) -> Done:
        return self.host.call(self.host.stop())

    @property
    def store(self) -> Path:
        return self.host.state / "sessions.sqlite3"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Another program writes to the store."""
        other = sqlite3.connect(self.store, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    made = Work(tmp_path)
    yield made
    # `shutil.rmtree`, with which pytest removes what it made, fails with a RecursionError in a tree this deep
    subprocess.run(["rm", "-rf", str(made.host.workspace)], check=True)


def earns_its_completion(work: Work) -> None:
    """A change, a green run: what a session that nothing happened to needs as well."""
    assert work.prompt().verdict == "allow"
    assert work.ran("pytest -q").verdict == "allow"
    done = work.finish()
    assert done.verdict == "allow", done.err
    work.put("src/app.py", "x = 2\n")
    assert work.ran("true").verdict == "allow"
    assert work.finish().verdict == "deny"
    assert work.ran("pytest -q").verdict == "allow"
    done = work.finish()
    assert done.verdict == "allow", done.err


def many_files(work: Work) -> None:
    work.many("lib")
    assert "E-DEADLINE" not in work.ran("sh x.sh").err


def many_files_and_gone(work: Work) -> None:
    work.many("lib")
    work.ran("sh x.sh")
    shutil.rmtree(work.host.workspace / "lib")
    work.ran("sh y.sh")


def many_source_files_and_ignored(work: Work) -> None:
    work.put(".git/HEAD", "ref: refs/heads/main\n")
    work.many("lib", 3_000, ".py")
    work.ran("sh x.sh")
    work.put(".gitignore", "lib/\n")


def renamed_tree(work: Work) -> None:
    work.many("lib", 5_000)
    work.ran("sh x.sh")
    (work.host.workspace / "lib").rename(work.host.workspace / "libs")
    work.ran("mv lib libs")


def large_checkout(work: Work) -> None:
    work.many("data/old", 3_000)
    work.ran("git checkout old")
    shutil.rmtree(work.host.workspace / "data")
    work.many("data/new", 3_000)
    work.ran("git checkout new")


def deep_tree(work: Work) -> None:
    work.put(".git/HEAD", "ref: refs/heads/main\n")
    work.put(".gitignore", "*.log\n")
    here = os.open(work.host.workspace, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("d", dir_fd=here)
        here, above = os.open("d", os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(here)
    assert "E-DEADLINE" not in work.ran("sh x.sh").err


def held_store(work: Work) -> None:
    with work.held():
        work.ran("true")


def held_store_at_a_prompt(work: Work) -> None:
    with work.held():
        assert work.prompt().verdict == "allow"


def held_store_at_a_completion(work: Work) -> None:
    with work.held():
        work.finish()


def removed_store(work: Work) -> None:
    for path in work.host.state.glob("sessions.sqlite3*"):
        path.unlink()
    todos(work)


def removed_store_but_its_count(work: Work) -> None:
    for path in work.host.state.glob("sessions.sqlite3*"):
        if path.suffix != ".commits":
            path.unlink()
    work.prompt()
    todos(work)


def damaged_store(work: Work) -> None:
    for side in ("-wal", "-shm"):
        work.store.with_name(work.store.name + side).unlink(missing_ok=True)
    work.store.write_bytes(b"not a database" * 1000)
    work.prompt()
    todos(work)


def older_store(work: Work) -> None:
    copy = work.store.with_name("copy")
    kept = sqlite3.connect(work.store)
    kept.execute("VACUUM INTO ?", (str(copy),))
    kept.close()
    work.ran("pytest -q")
    for side in ("-wal", "-shm", ""):
        work.store.with_name(work.store.name + side).unlink(missing_ok=True)
    copy.rename(work.store)
    work.prompt()
    todos(work)


def killed_at_the_deadline(work: Work) -> None:
    with work.held():
        done = work.host.call(work.host.ran("true", "late"), env={SHORTER.decode(): "800"})
    assert b"E-DEADLINE" in done.out


def prompt_at_the_deadline(work: Work) -> None:
    prompt = work.host.payload("UserPromptSubmit", prompt="Delete it.")
    with work.held():
        done = work.host.call(prompt, env={SHORTER.decode(): "800"})
    assert done.verdict == "allow" and b"E-DEADLINE" in done.out, (done.out, done.err)


def pipe_in_the_tree(work: Work) -> None:
    os.mkfifo(work.host.workspace / "src" / "pipe.py")
    work.ran("mkfifo src/pipe.py")


def long_names(work: Work) -> None:
    for at in range(2_000):
        work.put(f"long/{at}{'x' * 240}")
    work.ran("sh x.sh")


def odd_names(work: Work) -> None:
    for at in range(1_500):
        name = b"odd-%d-\xff\xfe\n" % at
        os.close(os.open(os.fsencode(work.host.workspace) + b"/" + name, os.O_CREAT))
    work.ran("sh x.sh")


def source_in_a_circle(work: Work) -> None:
    os.symlink("circle.py", work.host.workspace / "src" / "circle.py")
    work.ran("python generate.py")


def link_to_itself(work: Work) -> None:
    (work.host.workspace / "src" / "loop").symlink_to(work.host.workspace)
    work.ran("ln -s . src/loop")


def two_sessions(work: Work) -> None:
    other = {"session_id": "s-2"}
    work.host.call({**work.host.payload("SessionStart", source="startup"), **other})
    work.many("lib", 3_000)
    work.host.call({**work.host.ran("sh x.sh", "o1"), **other})
    with work.held():
        work.host.call({**work.host.ran("true", "o2"), **other})


def malformed_report(work: Work) -> None:
    work.event("PostToolUse", tool_name="Bash", tool_input={"command": 7}, tool_response={}, tool_use_id="m")
    todos(work)


def lost_prompt(work: Work) -> None:
    mark = work.host.state
    mark.chmod(0o500)
    try:
        assert work.prompt().verdict == "allow"
    finally:
        mark.chmod(0o700)


def set_back_clock(work: Work) -> None:
    connection = sqlite3.connect(work.store)
    connection.execute("UPDATE session SET touched = touched + 1000000")
    connection.commit()
    connection.close()


def large_source(work: Work) -> None:
    work.put("src/parser.py", "x = 1\n" * (READ_BYTES // 6 + 1))
    work.ran("python generate.py")


def todos(work: Work) -> None:
    """What only the agent knows is said again."""
    call = {"tool_name": "TodoWrite", "tool_input": {"todos": []}, "tool_use_id": f"todo{work.calls}"}
    work.event("PreToolUse", **call)
    work.event("PostToolUse", **call, tool_response={"oldTodos": [], "newTodos": []})


CASES = (
    many_files, many_files_and_gone, many_source_files_and_ignored, renamed_tree, large_checkout, deep_tree, held_store,
    held_store_at_a_prompt, held_store_at_a_completion, removed_store, removed_store_but_its_count, damaged_store,
    older_store, killed_at_the_deadline, prompt_at_the_deadline, pipe_in_the_tree, long_names, odd_names,
    link_to_itself, source_in_a_circle, two_sessions, malformed_report, lost_prompt, set_back_clock, large_source,
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.__name__))
def test_a_completion_can_be_earned_again(work: Work, case: Callable[[Work], None]) -> None:
    case(work)
    earns_its_completion(work)


@pytest.mark.parametrize("way_out", ["smaller", "deleted", "waived"])
def test_a_source_that_no_rule_can_search_names_the_way_out(
    work: Work, way_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    many_lines = "x = 1\n" * (SEARCH_BYTES // 6 + 1)
    path = work.put("src/parser.py", many_lines)
    work.ran("python generate.py")
    work.ran("pytest -q")
    refused = work.finish()
    assert refused.verdict == "deny" and "`src/parser.py` is larger than SEARCH_BYTES" in refused.err
    assert "Make the file smaller or delete it; else a person sets the rule aside with `waive`" in refused.err
    if way_out == "deleted":
        path.unlink()
    elif way_out == "smaller":
        path.write_text("x = 1\n")
    else:
        waiver = 'waive {} "it is generated" {{\n  until 9999-12-31\n  owner "the parser team"\n}}\n'
        rules = ("no-conflict-left", "no-debugger-call-left")
        work.host.write_policy("language 1\n\n" + "\n".join(map(waiver.format, rules)), "waivers.policy")
        monkeypatch.setattr(work.host, "payload", partial(work.host.payload, session_id="the next one"))
        work.event("SessionStart", source="startup")
        work.ran("true")
        path.write_text(many_lines)
    work.ran("true")
    work.ran("pytest -q")
    done = work.finish()
    assert done.verdict == "allow", done.err


def started_anew(work: Work, monkeypatch: pytest.MonkeyPatch, lost: tuple[str, ...]) -> Done:
    """Honest work on the documentation in a session of its own, some events of which meet a store that is held."""
    monkeypatch.setattr(work.host, "payload", partial(work.host.payload, session_id="the next one"))
    reading = {"tool_name": "Read", "tool_input": {"file_path": str(work.host.workspace / "src/app.py")}}
    todo = {"tool_name": "TodoWrite", "tool_input": {"todos": [{"content": "a", "status": "pending"}]}}
    events = {
        "start": lambda: work.event("SessionStart", source="startup"),
        "prompt": lambda: work.prompt(),
        "read": lambda: work.event("PostToolUse", **reading, tool_response={"type": "text"}, tool_use_id="r"),
        "round": lambda: work.event("PostToolBatch"),
        "todo": lambda: work.event("PostToolUse", **todo, tool_response={"newTodos": []}, tool_use_id="t"),
    }
    for name, event in events.items():
        if name in lost:
            with work.held():
                event()
        elif name != "todo":
            event()
    given = {"file_path": str(work.put("README.md", "x\n")), "content": "x\n"}
    work.event("PostToolUse", tool_name="Write", tool_input=given, tool_response={}, tool_use_id="w")
    return work.finish()


@pytest.mark.parametrize("lost", ["start", "prompt", "read", "round"])
def test_a_missed_event_that_said_no_todos_puts_none_in_doubt(
    work: Work, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    told = started_anew(work, monkeypatch, (lost,)).err
    assert "(`todos`)" not in told
    assert lost != "start" or "Could not be decided" not in told, told


def test_a_missed_list_of_todos_is_asked_for_again(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    told = started_anew(work, monkeypatch, ("todo",)).err
    assert "send the whole list of todos again, an empty one if there are none" in told
    work.prompt()
    work.host.call(work.host.wrote("README.md", "again"))
    assert "(`todos`) is lost" in work.finish().err
    todos(work)
    assert "(`todos`)" not in work.finish().err


def test_what_a_missed_event_may_have_broken_must_be_proven_again(work: Work) -> None:
    assert work.ran("pytest -q").verdict == "allow"
    work.put("src/app.py", "x = 2\n")
    with work.held():
        work.ran("true")
    refused = work.finish()
    assert refused.verdict == "deny" and "`pytest -q`" in refused.err
    assert "?" not in refused.err.replace("`?", ""), refused.err


def test_rules_of_other_languages_say_nothing_after_a_lost_past(work: Work) -> None:
    work.put("src/app.py", "x = 2\n")
    removed_store_but_its_count(work)
    refused = work.finish()
    assert refused.verdict == "deny"
    reason = json.loads(refused.out)["reason"]
    assert "python-tests" in reason
    for other in ("go test", "mvn", "ctest", "cargo", "npm test"):
        assert other not in reason, reason
