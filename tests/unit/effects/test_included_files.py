"""Files that a started file includes, and files of languages without a reader of their own."""

from __future__ import annotations

import pytest

from tests.unit.effects.test_scripts import decide

RUBY = "def go\n  system('sudo ls')\nend\n"
PHP = "<?php\nfunction go() {\n    shell_exec('sudo ls');\n}\n"
PERL = "sub go {\n    system('sudo ls');\n}\n1;\n"
LUA = "local M = {}\nfunction M.go()\n  os.execute('sudo ls')\nend\nreturn M\n"
GO = 'package main\n\nimport "os/exec"\n\nfunc do() {\n\texec.Command("sudo", "ls").Run()\n}\n'


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("ruby k/a.rb", {"k/a.rb": "require_relative 'b'\ngo\n", "k/b.rb": RUBY}),
        ("ruby k/a.rb", {"k/a.rb": "require_relative('b')\n", "k/b.rb": "system('sudo ls')\n"}),
        ("ruby k/a.rb", {"k/a.rb": "require File.join(__dir__, 'b')\ngo\n", "k/b.rb": RUBY}),
        ("ruby a.rb", {"a.rb": "load 'b.rb'\ngo\n", "b.rb": RUBY}),
        ("ruby a.rb", {"a.rb": "$:.unshift 'lib'\nrequire 'b'\ngo\n", "lib/b.rb": RUBY}),
        ("ruby -e 'require \"./b\"; go'", {"b.rb": RUBY}),
        ("ruby a.rb", {"a.rb": "require_relative 'b'\n", "b.rb": "def x; end\nsystem('sudo ls')\nif 1\nend\n"}),
        ("perl a.pl", {"a.pl": "require './b.pl';\n", "b.pl": "sub x { 1 }\nsystem('sudo ls');\nif (1) {\n}\n1;\n"}),
        ("php k/a.php", {"k/a.php": "<?php\nrequire __DIR__ . '/b.php';\ngo();\n", "k/b.php": PHP}),
        ("php k/a.php", {"k/a.php": "<?php\ninclude_once('k/b.php');\ngo();\n", "k/b.php": PHP}),
        ("perl k/a.pl", {"k/a.pl": "require './k/b.pl';\ngo();\n", "k/b.pl": PERL}),
        ("perl k/a.pl", {"k/a.pl": "use lib 'k';\nuse B;\ngo();\n", "k/B.pm": PERL}),
        ("perl k/a.pl", {"k/a.pl": "do './b.pl';\n", "b.pl": "system('sudo ls');\n"}),
        ("lua k/a.lua", {"k/a.lua": "dofile('k/b.lua')\n", "k/b.lua": "os.execute('sudo ls')\n"}),
        ("lua a.lua", {"a.lua": "local b = require('k.b')\nb.go()\n", "k/b.lua": LUA}),
        ("Rscript k/a.R", {"k/a.R": "source('k/b.R')\n", "k/b.R": "system('sudo ls')\n"}),
        ("julia k/a.jl", {"k/a.jl": 'include("b.jl")\n', "k/b.jl": "run(`sudo ls`)\n"}),
        ("elixir a.exs", {"a.exs": 'Code.require_file("b.exs")\n', "b.exs": 'System.cmd("sudo", ["ls"])\n'}),
        ("guile a.scm", {"a.scm": '(load "b.scm")\n', "b.scm": '(system "sudo ls")\n'}),
        ("gnuplot a.gp", {"a.gp": 'load "b.gp"\n', "b.gp": 'system("sudo ls")\n'}),
        ("just -f k/justfile", {"k/justfile": "import 'b.just'\n\ndefault: go\n", "k/b.just": "go:\n  sudo ls\n"}),
        ("just b::go", {"justfile": "mod b\n", "b.just": "go:\n  sudo ls\n"}),
        (
            "task b:go",
            {
                "Taskfile.yml": "version: '3'\nincludes:\n  b: ./b\n",
                "b/Taskfile.yml": "tasks:\n  go:\n    cmds:\n      - sudo ls\n",
            },
        ),
        (
            "task b:go",
            {
                "Taskfile.yml": "includes:\n  b:\n    taskfile: b.yml\n",
                "b.yml": "tasks:\n  go:\n    deps: [x]\n  x:\n    cmds:\n      - sudo ls\n",
            },
        ),
        ("ninja -C k go", {"k/build.ninja": "rule x\n  command = sudo ls\nbuild go: x\n"}),
        ("supervisord -c s.conf", {"s.conf": "[program:x]\ncommand=sudo ls\n"}),
        ("go run .", {"main.go": "package main\n\nfunc main() { do() }\n", "x.go": GO}),
        (
            "cd k && go run .",
            {"k/main.go": "package main\n\nfunc main() { do() }\n", "k/x.go": GO, "k/go.mod": "module x"},
        ),
        ("go run ./k", {"k/main.go": "package main\n\nfunc main() { do() }\n", "k/x.go": GO}),
        (
            "swift a.swift",
            {"a.swift": 'let p = Process()\np.launchPath = "/usr/bin/sudo"\np.arguments = ["ls"]\np.launch()\n'},
        ),
        ("nim r a.nim", {"a.nim": 'import osproc\ndiscard execCmd("sudo ls")\n'}),
        ("dart run a.dart", {"a.dart": "import 'dart:io';\nvoid main() { Process.runSync('sudo', ['ls']); }\n"}),
        ("bb a.clj", {"a.clj": '(sh "sudo" "ls")\n'}),
        ("runghc a.hs", {"a.hs": 'import System.Process\nmain = callCommand "sudo ls"\n'}),
        ("runghc a.hs", {"a.hs": 'import System.Process\nmain = callProcess "sudo" ["ls"]\n'}),
        ("guile a.scm", {"a.scm": '(system* "sudo" "ls")\n'}),
        ("ocaml a.ml", {"a.ml": 'let () = ignore (Sys.command "sudo ls")\n'}),
    ],
)
def test_harm_in_an_included_file_is_refused(line: str, files: dict[str, str]) -> None:
    assert decide(line, files)[0] in ("ask", "deny"), files


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("ruby a.rb", {"a.rb": "require_relative 'b'\nputs 1\n", "b.rb": RUBY}),
        ("ruby a.rb", {"a.rb": "require 'json'\n", "json.rb": "system('sudo ls')\n"}),
        ("php a.php", {"a.php": "<?php\nrequire 'b.php';\necho 1;\n", "b.php": PHP}),
        ("perl a.pl", {"a.pl": "use lib 'k';\nuse B;\nprint 1;\n", "k/B.pm": PERL}),
        ("lua a.lua", {"a.lua": "local b = require('b')\nprint(b)\n", "b.lua": LUA}),
        ("just x", {"justfile": "import 'b.just'\n\nx:\n  echo 1\n", "b.just": "go:\n  sudo ls\n"}),
        (
            "task b:x",
            {
                "Taskfile.yml": "includes:\n  b: ./b.yml\n",
                "b.yml": "tasks:\n  go:\n    cmds:\n      - sudo ls\n  x:\n    cmds:\n      - ls\n",
            },
        ),
        ("ninja", {"build.ninja": "rule cc\n  command = cc -c $in -o $out\nbuild a.o: cc a.c\n"}),
        ("go run .", {"main.go": "package main\n\nfunc main() {}\n"}),
        ("dart run", {"bin/a.dart": "void main() { print('sudo ls'); }\n"}),
        ("gnuplot a.gp", {"a.gp": "plot 'data.csv'\n"}),
    ],
)
def test_what_an_included_file_only_holds_is_no_question(line: str, files: dict[str, str]) -> None:
    assert decide(line, files) == ("allow", "")


TAKEN = {"c.txt": "sudo ls\n", "d.txt": "echo hi\nsudo ls\n", "words": "-n ls\n", ".hidden": "sudo ls\n"}


@pytest.mark.parametrize(
    "text",
    [
        'eval "$(cat c.txt)"\n',
        "cat d.txt | sh\n",
        'sh -c "$(cat d.txt)"\n',
        "$(cat c.txt)\n",
        "$(< c.txt)\n",
        "mkdir -p x\nx=$(cat c.txt)\n$x\n",
        "while read -r line; do $line; done < d.txt\n",
        'mapfile -t lines < d.txt\nfor line in "${lines[@]}"; do eval "$line"; done\n',
        "tail -n 1 d.txt | bash\n",
        "cat c.txt d.txt | sh\n",
        "sudo $(cat words)\n",
        "xargs sudo < words\n",
        "awk '{system($0)}' c.txt\n",
    ],
)
def test_a_script_runs_what_a_file_of_the_workspace_holds(text: str) -> None:
    assert decide("bash a.sh", {**TAKEN, "a.sh": text})[0] in ("ask", "deny")


@pytest.mark.parametrize(
    "text",
    [
        "cat c.txt\n",
        "while read -r line; do echo $line; done < d.txt\n",
        'echo "$(cat d.txt)" > out.txt\n',
        "grep -c sudo d.txt\n",
        'echo ls > c.txt\nsh -c "$(cat c.txt)"\n',
        'curl -s localhost -d "$(cat d.txt)"\n',
    ],
)
def test_a_script_that_only_reads_it_is_no_question(text: str) -> None:
    assert decide("bash a.sh", {**TAKEN, "a.sh": text}) == ("allow", "")


@pytest.mark.parametrize("line", ["awk '{system($0)}' x.txt", "awk '{print | \"sh\"}' c.txt", "sed -n e c.txt"])
def test_a_filter_that_runs_its_input_is_asked_about(line: str) -> None:
    assert decide(line, TAKEN)[0] in ("ask", "deny")


@pytest.mark.parametrize(
    ("line", "name", "text"),
    [
        ("python3 a.py", "a.py", "import os\nos.system(open('d.txt').read())\n"),
        ("python3 a.py", "a.py", "import shlex, subprocess\nsubprocess.run(shlex.split(open('c.txt').read()))\n"),
        ("python3 a.py", "a.py", "import os\nfor line in open('d.txt'):\n    os.system(line.strip())\n"),
        ("python3 a.py", "a.py", "from os import system\n[system(one) for one in open('d.txt').readlines()]\n"),
        ("node a.cjs", "a.cjs", "require('child_process').execSync(require('fs').readFileSync('c.txt', 'utf8'))\n"),
        (
            "node a.mjs",
            "a.mjs",
            "import {execSync} from 'child_process'\nimport {readFileSync} from 'fs'\n"
            "readFileSync('d.txt', 'utf8').split('\\n').forEach(line => execSync(line))\n",
        ),
        ("ruby a.rb", "a.rb", "system(File.read('c.txt'))\n"),
        ("php a.php", "a.php", "<?php\nshell_exec(file_get_contents('c.txt'));\n"),
    ],
)
def test_code_that_runs_the_text_of_a_file_is_refused(line: str, name: str, text: str) -> None:
    assert decide(line, {**TAKEN, name: text})[0] in ("ask", "deny")


def test_code_that_runs_a_harmless_text_is_no_question() -> None:
    text = "import subprocess\nfor line in open('d.txt'):\n    subprocess.run(line, shell=True)\n"
    assert decide("python3 a.py", {"d.txt": "ls\nwc -l README.md\n", "a.py": text}) == ("allow", "")
