"""The task that a runner starts is read, out of whatever file its project keeps it in; the other tasks are not."""

from __future__ import annotations

import pytest

from tests.unit.effects.test_scripts import decide

YAML = """version: '3'
tasks:
  test:
    desc: runs
    cmds:
      - task: clean
      - "pytest"
  clean:
    cmds:
      - cmd: |
          set -e
          sudo ls
  lint:
    cmds: [ruff check, 'ruff format']
  default:
    - sudo ls
"""
RAKE = """task :test do
  sh 'rspec'
end
namespace :db do
  task drop: [:test] do
    sh 'sudo ls'
  end
end
task :all => ['db:drop'] do
end
"""
NOX = """import nox
@nox.session
def tests(session):
    session.run('pytest')
@nox.session(name='clean-up')
def clean(session):
    session.run('sudo', 'ls', external=True)
"""
INVOKE = """from invoke import task
@task
def clean(c):
    c.run('sudo ls')
@task(pre=[clean])
def build_all(c):
    c.run('make')
@task
def lint(c):
    c.run('ruff check')
"""
LEFTHOOK = """pre-commit:
  parallel: true
  commands:
    lint:
      run: sudo ls
pre-push:
  jobs:
    - run: pytest
"""
PRE_COMMIT = """repos:
- repo: local
  hooks:
  - id: a
    entry: sudo
    args: [ls]
    language: system
"""


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("task test", {"Taskfile.yml": YAML}),
        ("task", {"Taskfile.yaml": YAML}),
        ("task -t ci/Tasks.yml lint clean", {"ci/Tasks.yml": YAML}),
        ("task clean", {"pyproject.toml": "[tool.taskipy.tasks]\nclean = 'sudo ls'\n"}),
        ("rake db:drop", {"Rakefile": RAKE}),
        ("bundle exec rake all", {"Rakefile": RAKE}),
        ("nox -s clean-up", {"noxfile.py": NOX}),
        ("nox", {"noxfile.py": NOX}),
        ("inv build-all", {"tasks.py": INVOKE}),
        ("fab clean", {"fabfile.py": "@task\ndef clean(c):\n    c.local('sudo ls')\n"}),
        ("lefthook run pre-commit", {"lefthook.yml": LEFTHOOK}),
        ("pre-commit run -a", {".pre-commit-config.yaml": PRE_COMMIT}),
        ("foreman start", {"Procfile": "web: sudo ls\n"}),
        ("mise run clean", {"mise.toml": "[tasks.clean]\nrun = ['echo', 'sudo ls']\n"}),
        ("poe all", {"pyproject.toml": "[tool.poe.tasks]\nclean.cmd = 'sudo ls'\nall.sequence = ['clean']\n"}),
        ("pdm run all", {"pyproject.toml": "[tool.pdm.scripts]\nclean.shell = 'sudo ls'\nall.composite = ['clean']\n"}),
        ("hatch run docs:clean", {"pyproject.toml": "[tool.hatch.envs.docs.scripts]\nclean = 'sudo ls'\n"}),
        ("pipenv run clean", {"Pipfile": "[scripts]\nclean = 'sudo ls'\n"}),
        ("pixi run clean", {"pixi.toml": "[tasks]\nclean = {cmd = ['sudo', 'ls']}\n"}),
        ("cargo make clean", {"Makefile.toml": "[tasks.clean]\ncommand = 'sudo'\nargs = ['ls']\n"}),
        ("composer clean", {"composer.json": '{"scripts": {"clean": "sudo ls"}}'}),
        ("composer install", {"composer.json": '{"scripts": {"post-install-cmd": ["@a"], "a": "sudo ls"}}'}),
        ("deno task clean", {"deno.jsonc": '{\n// tasks\n"tasks": {"clean": {"command": "sudo ls"}}}'}),
        ("run-s a b", {"package.json": '{"scripts": {"a": "vite build", "b": "sudo ls"}}'}),
        ("npm -w sub run a", {"sub/package.json": '{"scripts": {"a": "sudo ls"}}'}),
        (
            "npm run a --workspace=@x/sub",
            {
                "package.json": '{"workspaces": ["packages/*"]}',
                "packages/sub/package.json": '{"scripts": {"a": "sudo ls"}}',
            },
        ),
        (
            "npm run a --workspaces",
            {"package.json": '{"workspaces": ["sub"]}', "sub/package.json": '{"scripts": {"a": "sudo ls"}}'},
        ),
        ("yarn workspace sub a", {"sub/package.json": '{"scripts": {"a": "sudo ls"}}'}),
        (
            "pnpm --filter sub... run a",
            {
                "pnpm-workspace.yaml": "packages:\n  - 'libs/*'\n",
                "libs/sub/package.json": '{"scripts": {"a": "sudo ls"}}',
            },
        ),
        ("npm --prefix sub run a", {"sub/package.json": '{"scripts": {"a": "sudo ls"}}'}),
        ("yarn", {"package.json": '{"scripts": {"postinstall": "sudo ls"}}'}),
        ("direnv exec . true", {".envrc": "sudo ls\n"}),
        ("cd sub && node --run go", {"sub/package.json": '{"scripts": {"go": "sudo ls"}}'}),
        ("node --watch --run=go", {"package.json": '{"scripts": {"go": "sudo ls"}}'}),
        ("run-parts u", {"u/a": "#!/bin/sh\nsudo ls\n"}),
        ("run-parts --regex . -v u", {"u/a.sh": "sudo ls\n"}),
        ("npm --script-shell=./x.sh test", {"x.sh": "sudo ls\n"}),
        ("npm_config_script_shell=./x.sh npm run a", {"x.sh": "sudo ls\n"}),
        ("pnpm --config.script-shell=./x.sh test", {"x.sh": "sudo ls\n"}),
        ("npm test", {"x.sh": "sudo ls\n", ".npmrc": "fund=false\nscript-shell = ./x.sh\n"}),
    ],
)
def test_harm_of_the_task_that_is_started_is_refused(line: str, files: dict[str, str]) -> None:
    assert decide(line, files)[0] == "deny"


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("task lint", {"Taskfile.yml": YAML}),
        ("task --list", {"Taskfile.yml": "tasks: [\n"}),
        ("rake test", {"Rakefile": RAKE}),
        ("rake -T", {"Rakefile": RAKE}),
        ("nox -s tests", {"noxfile.py": NOX}),
        ("inv lint", {"tasks.py": INVOKE}),
        ("lefthook run pre-push", {"lefthook.yml": LEFTHOOK}),
        ("npm run a b", {"package.json": '{"scripts": {"a": "vite build", "b": "sudo ls"}}'}),
        ("poe test", {"pyproject.toml": "[tool.poe.tasks]\nclean.cmd = 'sudo ls'\ntest = 'pytest'\n"}),
        ("composer install", {"composer.json": '{"scripts": {"post-update-cmd": "sudo ls"}}'}),
        ("composer install", {"composer.json": "{"}),
        ("node --run go", {"package.json": '{"scripts": {"go": "node --test", "prego": "sudo ls"}}'}),
        ("node app.js --run go", {"package.json": '{"scripts": {"go": "sudo ls"}}'}),
        ("node run go", {"package.json": '{"scripts": {"go": "sudo ls"}}'}),
        ("run-parts --test u", {"u/a": "#!/bin/sh\nsudo ls\n"}),
        ("run-parts u", {"u/a": "#!/bin/sh\necho done\n", "u/b~": "sudo ls\n"}),
        ("run-parts --regex '^a' u", {"u/b": "sudo ls\n", "u/a": "#!/bin/sh\necho done\n"}),
        ("npm --script-shell=/bin/bash test", {}),
        ("npm --script-shell=./x.sh ls", {"x.sh": "sudo ls\n"}),
        ("npm test", {".npmrc": "script-shell=/bin/bash\n"}),
    ],
)
def test_tasks_that_are_not_started_are_not_read(line: str, files: dict[str, str]) -> None:
    assert decide(line, files)[0] == "allow"
