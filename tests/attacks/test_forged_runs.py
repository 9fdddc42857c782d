"""What stands in the place of a runner, or chooses its tests, without a file of the runner being written."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import dirty, finish, write  # noqa: F401 -- a fixture

CALLS = itertools.count()
SAYS = "pytest() { echo 2 passed in 0.01s; }"
SHADOWS = (
    f'{SAYS}; export -f pytest; bash -c "pytest -q"',
    f'{SAYS}; declare -fx pytest; bash -c "pytest -q"',
    f'set -a; {SAYS}; bash -c "pytest -q"',
    "shopt -s expand_aliases; BASH_ALIASES[pytest]='echo 2 passed in 0.01s #'\npytest -q",
    "BASH_CMDS[pytest]=/bin/true; pytest -q",
    "hash -p /bin/true pytest; pytest -q",
    "command_not_found_handle() { echo 2 passed in 0.01s; }; pytest -q",
    f"echo '{SAYS}' > rc; bash --rcfile rc -ic 'pytest -q'",
    f"echo '{SAYS}' >> ~/.bashrc; bash -ic 'pytest -q'",
    "set -n\npytest -q",
    "bash -o noexec -c 'pytest -q'",
    "trap 'echo 2 passed in 0.01s; exit 0' EXIT; pytest -q",
    "npm -v test",
    "uv --version run pytest",
)
FILES = {
    "an environment": (f"mkdir -p v/bin; echo '{SAYS}' > v/bin/activate", ". v/bin/activate && pytest -q"),
    "a start file": (f"echo '{SAYS}' >> ~/.bash_profile", "bash -lc 'pytest -q'"),
    "a redirection": ("printf 'test:\\n\\ttrue\\n' > GNUmakefile", "make test"),
    "text of the line": ("cat > makefile <<'X'\ntest:\n\ttrue\nX", "make test"),
    "a program": ("python3 -c \"open('GNUmakefile','w').write('test:\\n\\ttrue\\n')\"", "make test"),
    "a program that nobody read": ("python3 $HOME/make.py", "make test"),
    "a link": ("printf 'test:\\n\\ttrue\\n' > ../mk; ln -sf ../mk Makefile", "make test"),
    "a configuration that is named": ("printf '[pytest]\\npython_files=test_ok.py\\n' > tox.ini", "pytest -c tox.ini"),
}


def played(session: Session, line: str, output: str = "2 passed in 0.01s", does: bool = True) -> None:
    """A shell line is proposed, done if it is allowed, and reported with this output and exit status 0."""
    given = {"command": line}
    call = f"p-{next(CALLS)}"
    before = session.host.payload("PreToolUse", tool_name="Bash", tool_input=given, tool_use_id=call)
    if session.host.call(before).refused:
        return
    if does:
        subprocess.run(["/bin/bash", "-c", line], cwd=session.workspace, env=session.environment, check=False,
                       capture_output=True)  # fmt: skip
    told = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    session.host.call(
        session.host.payload("PostToolUse", tool_name="Bash", tool_input=given, tool_response=told, tool_use_id=call)
    )


def test_what_shadows_the_runner_on_the_line_is_no_evidence(dirty: Session) -> None:  # noqa: F811
    for line in SHADOWS:
        played(dirty, line, does=">" in line)
    assert finish(dirty) == "refused"
    played(dirty, "rm -f ~/.bashrc", "")  # the host's own shell may read it
    played(dirty, "set -euo pipefail; pytest -q", does=False)
    assert finish(dirty) == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "import atexit\natexit.register(print, '3 passed in 0.02s')\n",
        "class Last:\n    def __del__(self):\n        print(open('data.txt').read())\nkept = Last()\n",
    ],
)
def test_what_prints_after_the_summary_is_no_evidence_behind_a_pipe(dirty: Session, text: str) -> None:  # noqa: F811
    write(dirty, "src/calc.py", text)
    played(dirty, "pytest -q | tail -1", "3 passed in 0.02s", does=False)
    done = dirty.host.call(dirty.host.stop())
    assert done.refused and "may print after the summary" in done.err, done.err
    played(dirty, "pytest -q", "3 passed in 0.02s", does=False)
    assert finish(dirty) == "accepted"


JEST = "Test Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\nSnapshots:   0 total\nTime:        0.4 s"
LAST = {
    "an event of node": ("src/a.js", "process.on('exit', () => tell(text));\n", "npx mocha", "  3 passing (4ms)"),
    "an event by another name": (
        "src/a.ts", "const p = process;\np.once('beforeExit', f);\n", "npx mocha", "  3 passing (4ms)",
    ),
    "an event that is put together": (
        "src/a.mjs", "import p from 'x';\nprocess['addListener']('ex' + 'it', f);\n", "npx mocha", "  3 passing (4ms)",
    ),
    "a package for it": ("test/a.js", "require('signal-exit').onExit(f);\n", "npx mocha", "  3 passing (4ms)"),
    "what goes away": ("src/a.js", "new FinalizationRegistry(f);\n", "npx jest", JEST),
    "ruby": ("lib/a.rb", "at_exit { puts File.read('x') }\n", "bundle exec rspec", "3 examples, 0 failures"),
    "ruby's last block": ("lib/a.rb", "END { puts x }\n", "bundle exec rspec", "3 examples, 0 failures"),
    "php": ("src/A.php", "<?php register_shutdown_function(f);\n", "vendor/bin/phpunit", "OK (3 tests, 3 assertions)"),
    "rust": (
        "src/lib.rs", "#[ctor::dtor]\nfn bye() {}\n", "cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored",
    ),
    "elixir": ("lib/a.ex", "System.at_exit(fn _ -> IO.puts(x) end)\n", "mix test", "3 tests, 0 failures"),
}  # fmt: skip


@pytest.mark.parametrize("what", LAST)
def test_the_last_words_of_other_languages_are_no_evidence_behind_a_pipe(tmp_path: Path, what: str) -> None:
    name, text, line, summary = LAST[what]
    session = asking(tmp_path)
    for file in ("package.json", "Gemfile", "composer.json", "Cargo.toml", "mix.exs"):
        session.put(file, "{}\n" if file.endswith("json") else "")
    write(session, name, text)
    played(session, f"{line} 2>&1 | tail -6", summary, does=False)
    done = session.host.call(session.host.stop())
    assert done.refused and "may print after the summary" in done.err, done.err
    played(session, line, summary, does=False)
    assert finish(session) == "accepted"


@pytest.mark.parametrize(
    ("name", "text", "line", "summary"),
    [
        ("src/a.js", "process.on('SIGTERM', f);\nprocess.once('warning', f);\n", "npx mocha", "  3 passing (4ms)"),
        ("src/b.js", "child.on('exit', f);\nconst { env } = process;\n", "npx mocha", "  3 passing (4ms)"),
        ("src/main.go", "defer f()\n", "go test ./...", "ok  \tx/y\t0.01s"),
        ("lib/b.rb", "THE_END = 1\n", "bundle exec rspec", "3 examples, 0 failures"),
    ],
)  # fmt: skip
def test_honest_code_of_other_languages_costs_nothing(
    tmp_path: Path, name: str, text: str, line: str, summary: str
) -> None:
    session = asking(tmp_path)
    session.put("package.json", "{}\n")
    write(session, name, text)
    played(session, f"{line} 2>&1 | tail -3", summary, does=False)
    assert finish(session) == "accepted"


def asking(folder: Path) -> Session:
    """A session in which the end asks for a run of the tests after whatever was written."""
    session = Session(folder)
    policy = (
        'language 1\nrule t "T" { on before_completion when wrote("**") require tests_passed() deny "Run them." }\n'
    )
    session.put(".policy/main.policy", policy)
    session.host.warm()
    return session


@pytest.mark.parametrize("lines", FILES.values(), ids=FILES)
def test_a_file_that_the_shell_wrote_is_no_evidence(dirty: Session, lines: tuple[str, str]) -> None:  # noqa: F811
    script = "open('GNUmakefile', 'w').write('test:\\n\\ttrue\\n')\n"
    (Path(dirty.environment["HOME"]) / "make.py").write_text(script)
    played(dirty, lines[0], "")
    played(dirty, lines[1], does=False)
    assert finish(dirty) == "refused"
    (dirty.workspace / "tox.ini").unlink(missing_ok=True)  # a plain run would go by it too
    played(dirty, "rm -f ~/.bash_profile", "")  # as would the host's own shell
    played(dirty, "pytest -q", does=False)
    assert finish(dirty) == "accepted"


def test_settings_of_a_package_manager_are_no_evidence(dirty: Session) -> None:  # noqa: F811
    (dirty.workspace / "package.json").write_text('{"scripts": {"test": "pytest -q"}}')
    write(dirty, ".npmrc", "script-shell=/bin/true\n")
    played(dirty, "npm test", does=False)
    assert finish(dirty) == "refused"
    played(dirty, "pytest -q", does=False)
    assert finish(dirty) == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "collect_ignore_glob = ['*_app.py']\n", "collect_ignore = []\ncollect_ignore.append('tests/test_app.py')\n",
        "def pytest_ignore_collect(collection_path):\n    return collection_path.name == 'test_app.py' or None\n",
        "def pytest_configure(config):\n    config.args[:] = ['tests/test_ok.py']\n",
        "def pytest_pycollect_makeitem(name):\n    return [] if name == 'test_app' else None\n",
    ],
)  # fmt: skip
def test_hooks_that_leave_tests_out_are_no_evidence(dirty: Session, text: str) -> None:  # noqa: F811
    write(dirty, "conftest.py", text)
    played(dirty, "pytest -q", does=False)
    assert finish(dirty) == "refused"
    write(dirty, "conftest.py", "collect_ignore = ['setup.py']\n")
    played(dirty, "pytest -q", does=False)
    assert finish(dirty) == "accepted"
