"""`policy init`: a first policy that fits the repository, is valid, passes its tests, and replaces nothing."""

from __future__ import annotations

import pytest

from tests.unit.commands.running import GOOD, Shell

SCRIPT = '{"scripts": {"test": "vitest run"}}'
JS_TEST = {"src/a.test.ts": ""}
CI = (
    "on: push\njobs:\n  test:\n    steps:\n      - uses: actions/checkout@v5\n      - run: |\n          pip install .\n"
)
SIGNS: dict[str, tuple[dict[str, str], list[tuple[str, str, str]]]] = {
    "pytest": ({"pyproject.toml": "", "tests/test_a.py": ""}, [("python", "", "pytest -q")]),
    "no tests": ({"pyproject.toml": "[tool.pytest.ini_options]\n", "src/a.py": ""}, []),
    "named otherwise": (
        {"pyproject.toml": "[tool.pytest.ini_options]\npython_files = 'check_*.py'\n"}, [("python", "", "pytest -q")],
    ),
    "a published package without its tests": ({"package.json": SCRIPT, "index.js": "", "lib/latest.js": ""}, []),
    "a script that runs a file": (
        {"package.json": '{"scripts": {"test": "node check.mjs"}}', "check.mjs": ""}, [("javascript", "", "npm test")],
    ),
    "what a workflow runs": (
        {"setup.py": "", "test_a.py": "", ".github/workflows/ci.yml": CI + "          python -m unittest\n"},
        [("python", "", "python -m unittest")],
    ),
    "what a workflow runs in a folder": (
        {"api/setup.py": "", "api/test_a.py": "", ".github/workflows/ci.yaml":
            CI.replace("      - run", "      - working-directory: ./api\n        run") + "          nox -s tests\n"},
        [("python", "api", "nox -s tests")],
    ),
    "what gitlab runs": (
        {"setup.py": "", "test_a.py": "", ".gitlab-ci.yml": "stages: [test]\nunit:\n  script:\n    - tox\n"},
        [("python", "", "tox")],
    ),
    "a workflow that runs a part, or what cannot be known": (
        {"setup.py": "", "test_a.py": "", ".github/workflows/ci.yml":
            CI + "          pytest -k fast\n          tox -e $PY\n          python -m unittest || true\n"},
        [("python", "", "pytest -q")],
    ),
    "a workflow whose task is not there": ({".github/workflows/ci.yml": CI + "          make test\n"}, []),
    "a workflow that is none": (
        {"setup.py": "", "test_a.py": "", ".github/workflows/ci.yml": "a: &a [*a, " + "[" * 5000,
            ".gitlab-ci.yml": "unit: !!python/object/apply:os.system [tox]\n"},
        [("python", "", "pytest -q")],
    ),
    "tox without pytest": ({"setup.py": "", "test_a.py": "", "tox.ini": "[testenv]\n"}, [("python", "", "tox")]),
    "nox": ({"setup.py": "", "test_a.py": "", "noxfile.py": ""}, [("python", "", "nox")]),
    "folders that a policy cannot name": ({'a"} x/setup.py': "", 'a"} x/test_a.py': ""}, []),
    "tests.py of django": ({"manage.py": "", "app/tests.py": ""}, [("python", "", "python manage.py test")]),
    "uv": ({"pyproject.toml": "", "uv.lock": "", "tests/test_a.py": ""}, [("python", "", "uv run pytest -q")]),
    "poetry": ({"pyproject.toml": "", "poetry.lock": "", "pkg/a_test.py": ""}, [("python", "", "poetry run pytest "
        "-q")]),
    "its own environment": (
        {"setup.py": "", "test/test_a.py": "", ".venv/bin/pytest": ""}, [("python", "", ".venv/bin/pytest -q")],
    ),
    "django": ({"manage.py": "", "app/test_a.py": ""}, [("python", "", "python manage.py test")]),
    "python without tests": ({"pyproject.toml": "", "src/a.py": ""}, []),
    "npm": ({"package.json": SCRIPT, **JS_TEST}, [("javascript", "", "npm test")]),
    "pnpm": ({"package.json": SCRIPT, **JS_TEST, "pnpm-lock.yaml": ""}, [("javascript", "", "pnpm test")]),
    "yarn": ({"package.json": SCRIPT, **JS_TEST, "yarn.lock": ""}, [("javascript", "", "yarn test")]),
    "bun": ({"package.json": SCRIPT, **JS_TEST, "bun.lockb": ""}, [("javascript", "", "bun run test")]),
    "another script": ({"package.json": '{"scripts": {"test:ci": "jest"}}', **JS_TEST},
        [("javascript", "", "npm run test:ci")]),
    "no script but a runner": ({"package.json": '{"devDependencies": {"jest": "1"}}', **JS_TEST},
        [("javascript", "", "npx jest")]),
    "no tests at all": ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'},
        []),
    "a package.json that is none": ({"package.json": "[1"}, []),
    "deno": ({"deno.json": "{}", "main_test.ts": ""}, [("javascript", "", "deno test")]),
    "go": ({"go.mod": "", "a_test.go": ""}, [("go", "", "go test ./...")]),
    "cargo": ({"Cargo.toml": ""}, [("rust", "", "cargo test")]),
    "cargo workspace": ({"Cargo.toml": "[workspace]"}, [("rust", "", "cargo test --workspace")]),
    "nextest": ({"Cargo.toml": "", ".config/nextest.toml": ""}, [("rust", "", "cargo nextest run")]),
    "maven": ({"pom.xml": "", "mvnw": ""}, [("jvm", "", "./mvnw test")]),
    "gradle": ({"build.gradle.kts": ""}, [("jvm", "", "gradle test")]),
    "leiningen": ({"project.clj": "(defproject a)"}, [("jvm", "", "lein test")]),
    "clojure": ({"deps.edn": "{:aliases {:test {}}}"}, [("jvm", "", "clojure -M:test")]),
    "dotnet": ({"app.sln": "", "App.Tests/App.Tests.csproj": ""}, [("dotnet", "", "dotnet test")]),
    "rspec": ({"Gemfile": "", "spec/a_spec.rb": ""}, [("ruby", "", "bundle exec rspec")]),
    "rails": ({"Gemfile": "", "bin/rails": "", "test/a_test.rb": ""}, [("ruby", "", "bin/rails test")]),
    "phpunit": ({"composer.json": "{}", "phpunit.xml": "", "tests/ATest.php": ""}, [("php", "", "vendor/bin/phpunit")]),
    "ctest": ({"CMakeLists.txt": "enable_testing()"}, [("c", "", "cmake --build build && ctest --test-dir build")]),
    "swift": ({"Package.swift": "", "Tests/A.swift": ""}, [("swift", "", "swift test")]),
    "flutter": ({"pubspec.yaml": "flutter:\n", "test/a_test.dart": ""}, [("dart", "", "flutter test")]),
    "mix": ({"mix.exs": "", "test/a_test.exs": ""}, [("elixir", "", "mix test")]),
    "zig": ({"build.zig": 'b.step("test", "Run")'}, [("zig", "", "zig build test")]),
    "cabal": ({"x.cabal": "test-suite spec\n"}, [("haskell", "", "cabal test")]),
    "stack": ({"package.yaml": "name: x\ntests:\n  spec:\n", "stack.yaml": ""}, [("haskell", "", "stack test")]),
    "bats": ({"test/a.bats": ""}, [("shell", "", "bats test")]),
    "make": ({"Makefile": "build:\n\ttrue\ntest: build\n\ttrue\n"}, [("", "", "make test")]),
    "just": ({"justfile": "test:\n    true\n"}, [("", "", "just test")]),
    "tox": ({"tox.ini": "[testenv]\ndeps = pytest\n", "setup.py": "", "tests/test_a.py": ""}, [("python", "", "tox")]),
    "a session of nox": (
        {"pyproject.toml": "", "noxfile.py": "@nox.session(python=['3.11'])\ndef tests(session):\n    pytest\n",
         "tests/test_a.py": ""}, [("python", "", "nox -s tests")]),
    "a script of hatch": (
        {"pyproject.toml": '[tool.hatch.envs.default.scripts]\nlint = "ruff"\ntest = "pytest"\n', "test_a.py": ""},
        [("python", "", "hatch run test")]),
    "unittest": (
        {"setup.py": "", "tests/__init__.py": "", "tests/test_a.py": "import unittest\n"},
        [("python", "", "python -m unittest")]),
    "unittest in a folder apart": (
        {"setup.py": "", "tests/test_a.py": "from unittest import TestCase\n"},
        [("python", "", "python -m unittest discover -s tests")]),
    "unittest behind uv": (
        {"pyproject.toml": "", "uv.lock": "", "test_a.py": "import unittest\n"},
        [("python", "", "uv run python -m unittest")]),
    "tests of pytest that use unittest": (
        {"setup.py": "", "test_a.py": "import unittest\n\ndef test_a(): pass\n"}, [("python", "", "pytest -q")]),
    "a task that runs pytest": (
        {"pyproject.toml": "pytest", "tests/test_a.py": "", "Makefile": ".PHONY: test\ntest:\n\tpython -m pytest\n"},
        [("python", "", "make test")]),
    "bazel": ({"MODULE.bazel": "", "src/BUILD.bazel": "cc_test(\n"}, [("", "", "bazel test //...")]),
    "a script of its own": ({"script/test": ""}, [("", "", "./script/test")]),
    "packages of a larger repository": (
        {
            "backend/pyproject.toml": "", "backend/tests/test_a.py": "", "web/package.json": SCRIPT,
                "web/src/a.spec.ts": "", "pnpm-lock.yaml": "",
            "mobile/pubspec.yaml": "flutter:\n", "mobile/test/a_test.dart": "", "node_modules/x/package.json": SCRIPT,
        },
        [("python", "backend", "pytest -q"), ("dart", "mobile", "flutter test"), ("javascript", "web", "pnpm test")],
    ),
    "a root that covers its packages": (
        {"package.json": SCRIPT, "packages/a/package.json": SCRIPT, "packages/a/a.test.ts": ""},
        [("javascript", "", "npm test")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNS)
def test_a_repository_gets_what_it_really_runs(policy: Shell, name: str) -> None:
    files, suites = SIGNS[name]
    for file, text in files.items():
        policy.write(file, text)
    done = policy("init", "--format", "json")
    found = [{"ecosystem": ecosystem, "folder": folder, "run": run} for ecosystem, folder, run in suites]
    assert (done.status, done.json) == (0, {"written": [".policy/main.policy"], "suites": found})
    assert policy("check").status == 0, policy("check").out
    assert policy("fmt", "--check").status == 0, policy("fmt", "--diff").out
    assert policy("test").status == 0, policy("test").out


def test_several_fit_together(policy: Shell) -> None:
    for file, text in (("pyproject.toml", ""), ("test_a.py", ""), ("package.json", SCRIPT), ("Makefile", "test:\n"),
            ("a.test.js", "")):  # fmt: skip
        policy.write(file, text)
    found = policy("init", "--format", "json").json["suites"]
    assert [suite["run"] for suite in found] == ["npm test", "pytest -q"]
    assert policy("test").status == 0


def test_a_repository_of_nothing_gets_the_general_rules(policy: Shell) -> None:
    done = policy("init")
    assert (done.status, "found nothing that runs tests here" in done.out) == (0, True)
    assert "  policy test " in done.out
    assert policy("test").status == 0


def test_it_finds_the_root_of_the_repository(policy: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (policy.folder / ".git").mkdir()
    below = policy.folder / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert policy("init").status == 0
    assert (policy.folder / ".policy" / "main.policy").is_file()


def test_nothing_is_overwritten_even_with_force(policy: Shell) -> None:
    path = policy.write(".policy/main.policy", GOOD)
    for arguments in ((), ("--force",)):
        done = policy("init", *arguments)
        assert (done.status, done.out, path.read_text()) == (2, "", GOOD)


def test_other_policies_ask_for_force(policy: Shell) -> None:
    assert policy("new", "limit", "mine").status == 0
    assert policy("init").status == 2
    assert policy("init", "--force").status == 0
    assert policy("check").status == 0


def test_a_folder_that_cannot_be_written_is_a_usage_error(policy: Shell) -> None:
    policy.write(".policy", "a file where the folder should be")
    done = policy("init")
    assert (done.status, done.err.startswith("error: cannot write `.policy/main.policy`: ")) == (2, True)
    assert policy("init", "nowhere").status == 2


def test_the_whole_command(policy: Shell) -> None:
    policy.write("go.mod", "module x\n")
    policy.write("a_test.go", "package x\n")
    done = policy.process("init")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("wrote .policy/main.policy\nfound Go tests: go test ./...\n\nnext\n")
    assert policy.process("test").status == 0
