"""What a hook process may import when it starts: built-in modules and each other, nothing that costs milliseconds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

# Modules that a hook process imports, if they exist; `*` is every module of a room.
HOOK_PATH = (
    "model.event model.decision model.ladder model.undecided model.limits model.errors model.lazy_regex model.regexes"
    " model.strict_json"
    " state.* filesystem.expansion filesystem.glob_components filesystem.globs filesystem.paths filesystem.hard_links"
    " filesystem.walk filesystem.file_system history.* inline.* shell.* effects.* programs.* predicates.*"
    " stores.base stores.memory stores.sqlite evaluators.* runtime.* test_runs.* protocol.* adapters.*"
    " cache.reader loading.active loading.live hook_process.response_writer hook_process.continuing hook_process.floor"
    " hook_process.floor_records hook_process.hook_entry hook_process.host_record hook_process.native"
    " hook_process.origin hook_process.pairing hook_process.resident hook_process.stopped"
    " hook_process.witness hook_process.workspace"
    " audit.chain audit.display audit.link audit.log audit.secret_signs"
).split()

BUILT_IN = frozenset(
    (
        "__future__ posix marshal time _json _signal _sre _blake2 binascii errno itertools _functools _operator"
        " _collections"
    ).split()
)
# Rooms of the hook path also hold what only longer-lived processes or rarer events need.
BESIDE_IT = {
    "policy_engine.shell.statuses": "what kept statuses prove of a line that ran tests",
    "policy_engine.shell.status_facts": "keeps what follows from them",
    "policy_engine.shell.shown_lines": "reads the lines that such a line prints",
    "policy_engine.shell.script_words": "reads the words of such a line",
    "policy_engine.test_runs.constraints": "reads conditions under which tests are not built, of a run that passed",
    "policy_engine.test_runs.unchanged_tasks": "compares what a task ran at the commit, of a run that passed",
    "policy_engine.test_runs.plugins": "finds what a session's folders load into a run of Python's tests that passed",
    "policy_engine.test_runs.reaching": "finds what in such a file reaches beyond its imports",
    "policy_engine.test_runs.asking": "finds where it asks for tests, or gives what is equal to everything",
    "policy_engine.test_runs.summaries": "reads the output of a line that ran tests",
    "policy_engine.test_runs.cut_outputs": "the same, of what filters behind it may have cut",
    "policy_engine.test_runs.other_output": "the same, of what else the line prints",
    "policy_engine.test_runs.known_words": "the same, of substitutions in the line",
    "policy_engine.test_runs.outcome_changes": "reads a file that a session wrote, for rules about tests",
    "policy_engine.test_runs.outcome_parts": "reads a file that a session wrote, for rules about tests",
    "policy_engine.test_runs.python_tree": "walks over such a file of Python",
    "policy_engine.test_runs.other_outcomes": "the same for files of other languages",
    "policy_engine.test_runs.last_words": "the same, of what a file does when the run is over",
    "policy_engine.test_runs.setup_files": "compares what set up a run of tests that passed with a commit",
    "policy_engine.test_runs.replaced_sources": "the same, where it takes the place of a source",
    "policy_engine.test_runs.lost_tests": "finds tests of a commit that nothing runs any more, at the same time",
    "policy_engine.test_runs.swallowed": "the same, of assertions whose failure goes no further",
    "policy_engine.test_runs.stand_ins": "the same, of what stands in for assertions",
    "policy_engine.test_runs.without_assertions": "the same, of tests that assert nothing any more",
    "policy_engine.test_runs.source_texts": "takes texts and comments out of a source for these",
    "policy_engine.test_runs.other_builds": "finds what sources do for tests alone, at the same time",
    "policy_engine.test_runs.unregistered": "finds what files of builds name no more, at the same time",
    "policy_engine.test_runs.outside_settings": "reads settings around the workspace, at the same time",
    "policy_engine.test_runs.imported_settings": "reads what settings of a runner import, at the same time",
    "policy_engine.test_runs.session_changes": "compares files with a commit when a run of tests passed",
    "policy_engine.programs.computed_sql": "reads statements that others put together",
    "policy_engine.test_runs.replaced_subjects": "finds what replaces what tests are about, at the same time",
    "policy_engine.test_runs.replaced_modules": "the same for JavaScript",
    "policy_engine.test_runs.led_elsewhere": "the same for names of tests that lead elsewhere, in other languages",
    "policy_engine.test_runs.dynamic_names": "the same for names that Python code puts together",
    "policy_engine.test_runs.compiled": "compares compiled code that came in the session when a run of tests passed",
    "policy_engine.test_runs.other_runner": "asks whose the tests of a commit are when a run of tests passed",
    "policy_engine.history.switched_off": "compares what switches tests off with a commit when a run of tests passed",
    "policy_engine.test_runs.switches": "finds what switches tests off in a difference with a commit, at the same time",
    "policy_engine.test_runs.switch_words": "its words, by language",
    "policy_engine.history.edited_files": "compares a file with what a call makes of it, where a rule asks",
    "policy_engine.history.edited_tests": "the same of a call that is proposed, where a rule asks",
    "policy_engine.test_runs.taken_out": "compares the tests with those of a commit when a run of tests passed",
    "policy_engine.test_runs.unaccounted": "compares installed programs with their records when a run of tests passed",
    "policy_engine.test_runs.runner_files": "reads what a session set for runners when a run of tests passed",
    "policy_engine.test_runs.narrowed_scripts": "compares scripts with the tests of the commit, at the same time",
    "policy_engine.test_runs.outputs": "asks where TypeScript is compiled to when a run of tests passed",
    "policy_engine.test_runs.settings": "reads the settings of a runner when a run of tests passed",
    "policy_engine.test_runs.installed_copy": "compares sources with their installed copies when a run of tests passed",
    "policy_engine.test_runs.installed": "reads where a written file lies, where that may be among installed programs",
    "policy_engine.history.members": "compares the packages that ran with those of the workspace",
    "policy_engine.history.unreached": "compares the packages that changed with those that a run that passed reaches",
    "policy_engine.history.demands": "reads what a prompt demands, at prompts only",
    "policy_engine.history.demand_phrases": "the phrases that it reads by a table",
    "policy_engine.history.demand_kinds": "whether the words around a command demand it",
    "policy_engine.history.implied_demands": "what a sentence implies that no phrase demands",
    "policy_engine.history.demanded_tests": "whether the words around the name of the tests demand them",
    "policy_engine.history.demand_wording": "indirect wordings, which it makes plain first",
    "policy_engine.history.demand_deeds": "orders to do what the command behind them does",
    "policy_engine.history.demand_voice": "quotes, reports and statements, which it leaves out",
    "policy_engine.history.demand_blocks": "the blocks and headings that it reads them in",
    "policy_engine.history.clause_moods": "who acts in a clause, and in which mood",
    "policy_engine.history.bare_commands": "the commands that it finds without marks",
    "policy_engine.history.ledger": "what `policy status --session` shows of a session",
    "policy_engine.runtime.explanation": "`policy explain` and the tests of policies",
    "policy_engine.runtime.loop": "the reference loop, for agents that live in one process",
    "policy_engine.runtime.turns": "what a loop's model and tools say",
    "policy_engine.runtime.process": "runs the command of a `hook` declaration, which costs a process anyway",
    "policy_engine.runtime.reading": "the reader of a process that decides many events",
    "policy_engine.runtime.scanner": "the scanner of a process that decides many events",
}
# One module may import one more, which its own work cannot do without.
ALSO = {
    "policy_engine.state.lean_sqlite": frozenset(("_sqlite3",)),
    "policy_engine.state.session_file": frozenset(("_sqlite3",)),
    "policy_engine.stores.sqlite": frozenset(("_sqlite3",)),
}

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    before = set(sys.modules)
    __import__(name)
    print(name, *sorted(set(sys.modules) - before))
"""


def _modules() -> list[str]:
    found = []
    for pattern in HOOK_PATH:
        room, _, name = pattern.partition(".")
        files = sorted((ROOT / "policy_engine" / room).glob(f"{name}.py"))
        found += [f"policy_engine.{room}.{path.stem}" for path in files if path.stem != "__init__"]
    return [name for name in found if name not in BESIDE_IT]


def _imports() -> dict[str, list[str]]:
    """Module of the hook path → what importing it brought in, in a process without site packages."""
    command = [sys.executable, "-I", "-S", "-c", PROGRAM, str(ROOT), *_modules()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}


def test_the_hook_path_imports_only_what_is_built_in() -> None:
    strangers = {}
    for name, imported in _imports().items():
        allowed = BUILT_IN | ALSO.get(name, frozenset())
        if heavy := [other for other in imported if not other.startswith("policy_engine") and other not in allowed]:
            strangers[name] = heavy
    assert strangers == {}, json.dumps(strangers, indent=2)


def test_the_hook_path_stays_on_the_hook_path() -> None:
    rooms = {pattern.partition(".")[0] for pattern in HOOK_PATH}
    elsewhere = {
        name: other
        for name, imported in _imports().items()
        if (other := [m for m in imported if m.count(".") == 2 and m.split(".")[1] not in rooms])
    }
    assert elsewhere == {}


@pytest.mark.parametrize("pattern", ["model.event", "model.decision", "model.undecided"])
def test_the_list_names_modules_that_exist(pattern: str) -> None:
    assert f"policy_engine.{pattern}" in _modules()


LINES = (
    "ls -la", "git status", "git log --oneline -5 | head", "grep -rn 'def parse' src/", 'rg "TODO|FIXME" src -l',
    "pytest -q 2>&1 | tail -30", "cd src && npm test", "cat > a.txt <<'EOF'\none\nEOF",
    "for f in a b; do wc -l \"$f\"; done",
    "if [ -f x ]; then npm test; fi", "find . -name '*.py' | xargs grep -l async | sort | head -20",
    'git commit -m "$(cat <<\'EOF\'\nFix it\nEOF\n)"', "export A=1 && npx jest", "curl -s localhost:1/x || echo down",
    "ps aux | grep node | awk '{print $2}'", "sed -n 1,80p a.py", "rm -rf build", "mkdir -p a/b && cp c a/b",
    "[[ -n $X ]] && echo \"$X\"", "x=$(git rev-parse HEAD); echo ${x:0:7}",
)  # fmt: skip
DECIDES = """
import sys
sys.path.insert(0, sys.argv[1])
from policy_engine.model.undecided import Undecided
from policy_engine.filesystem.file_system import Disk
from policy_engine.effects.command import effects_of
from policy_engine.shell.parse import parse
for line in sys.argv[3:]:
    commands = parse(line, sys.argv[2], Disk(sys.argv[2], "/root"))
    for command in commands:
        command.line = commands
        did = effects_of(command)
        did.touches, did.opaque, did.runs_foreign, did.read_only, did.contents
print(*sorted(sys.modules))
"""
# What reading Python or a regular expression within a line costs; no line above has any.
NEVER = ("re", "tree_sitter", "tree_sitter_bash", "tree_sitter._binding", "ast", "_ast", "dataclasses", "enum", "lark")


def test_typical_lines_are_read_without_a_grammar_and_regular_expressions(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("print(1)\n", "utf-8")
    command = [sys.executable, "-I", "-S", "-c", DECIDES, str(ROOT), str(tmp_path), *LINES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert [name for name in NEVER if name in loaded] == []
    started = {name.partition(".")[0] for name in loaded} - BUILT_IN - {"policy_engine"}
    assert {name for name in started if name not in sys.builtin_module_names} <= STARTS


# What Python itself loads before a hook's first line.
STARTS = frozenset(
    ("__main__", "_frozen_importlib", "_frozen_importlib_external", "encodings", "codecs", "zipimport", "io", "abc")
)
