"""Python on a command line: values are followed, what is unknown stays unknown, names decide what a call does."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.values import with_variables


def _analysis(code: str) -> EffectAnalysis:
    filesystem = Virtual()
    filesystem.write(filesystem.resolve("/workspace/src/a.py", None), b"x")
    filesystem.write(filesystem.resolve("/workspace/src/deep/b.py", None), b"x")
    analysis = EffectAnalysis(filesystem.resolve("/workspace", None), filesystem, "python3")
    analyse(code, analysis)
    return analysis


def _paths(code: str) -> list[tuple[str, str]]:
    return [(path.access, path.real if path.known else "?") for path in _analysis(code).paths]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("base = '/x'\nimport shutil\nshutil.rmtree(f'{base}/other')", [("delete", "/x/other")]),
        ("import shutil\nshutil.rmtree(f'{base}/other')", [("delete", "?")]),
        ("import os\nopen(os.path.join(os.getcwd(), '.env')).read()", [("read", "/workspace/.env")]),
        ("from pathlib import Path\n(Path.home() / '.ssh' / 'id').write_text('')", [("write", "/home/user/.ssh/id")]),
        ("from pathlib import Path\nfor p in Path('src').rglob('*.py'):\n    p.write_text('')",
         [("write", "/workspace/src/a.py"), ("write", "/workspace/src/deep/b.py")]),
        ("import os\nfor d, _, names in os.walk('src'):\n    for n in names: open(os.path.join(d, n), 'w')",
         [("write", "/workspace/src/a.py"), ("write", "/workspace/src/deep/b.py")]),
        ("import timeit, os\ntimeit.timeit(lambda: os.remove('/a'))", [("delete", "/a")]),
        ("import os\ndef up(d):\n    os.remove(d)\n    up(os.path.join(d, 'b'))\nup('/a')",
         [("delete", "/a"), ("delete", "/a/b")]),
        ("import glob\nfor p in glob.glob('src/*.py'): open(p, 'w')", [("write", "/workspace/src/a.py")]),
        ("import os\nhome = os.environ['HOME']\nopen(f'{home}/.bashrc', 'a')", [("write", "/home/user/.bashrc")]),
        ("import zipfile\nwith zipfile.ZipFile('a.zip') as z: z.extractall('/out')",
         [("read", "/workspace/a.zip"), ("write", "/out")]),
        ("import fileinput\nfor line in fileinput.input('a', inplace=True): pass",
         [("read", "/workspace/a"), ("write", "/workspace/a")]),
        ("import pandas as pd\npd.DataFrame().to_csv('/out/a.csv')", [("write", "/out/a.csv")]),
        ("import os\nd = '/a' if c else '/b'\nos.remove(d)", [("delete", "/a"), ("delete", "/b")]),
        ("import os\nif c:\n    d = '/a'\nelse:\n    d = '/b'\nos.remove(d)", [("delete", "/a"), ("delete", "/b")]),
        ("import os\nd = 'a'\nwhile c:\n    d += 'b'\nos.remove(d)", [("delete", "?"), ("delete", "?")]),
        ("import os\nos.chdir('/other')\nos.remove('x')", [("delete", "/other/x")]),
        ("items = set()\nitems.remove('x')\nd = {}\nd.pop('x')\n'a'.replace('b', 'c')", []),
        ("import os\nlist(map(os.remove, ['/a', '/b']))", [("delete", "/a"), ("delete", "/b")]),
        ("def unused():\n    import os\n    os.remove('/a')", []),
        ("import tempfile, os\nd = tempfile.mkdtemp()\nopen(os.path.join(d, 'x'), 'w')",
         [("write", "/tmp/python-tempfile/x")]),
    ],
)  # fmt: skip
def test_paths_are_followed(code: str, expected: list[tuple[str, str]]) -> None:
    assert _paths(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import subprocess\np = '/o'\nsubprocess.run(['rm', '-rf', p])", ["'rm' '-rf' '/o'"]),
        ("import subprocess\nsubprocess.run(['rm', '-rf', p])", ["'rm' '-rf' ''\"${unknown}\"''"]),
        ("import subprocess\nsubprocess.run('rm -rf x', shell=True, cwd='/o')", ["cd '/o' && rm -rf x"]),
        ("import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'x'])", ["'/usr/bin/python3' '-m' 'x'"]),
        ("import os\nos.environ['A'] = '0'\nos.system('b')", ["export A='0'; b"]),
        ("import subprocess\nsubprocess.run(['b'], env={**e, 'A': '1'})", ["export A='1'; 'b'"]),
        ("import subprocess\nsubprocess.run(['bash'], input='rm -rf /')", ["printf %s 'rm -rf /' | 'bash'"]),
        ("import os\nos.execvp('bash', ['bash', '-c', 'ls'])", ["'bash' '-c' 'ls'"]),
        ("import os\nfor d in ('a', 'b'):\n    os.system('rm ' + d)", ["rm a", "rm b"]),
        ("import os\ngetattr(os, 'sys' + 'tem')('ls')", ["ls"]),
        ("import sys\nsys.modules['os'].system('ls')", ["ls"]),
        ("import os\nvars(os)['system']('ls')", ["ls"]),
        ("import base64, os\nos.system(base64.b64decode('bHM=').decode())", ["ls"]),
        ("def run(args): return args\nrun(['rm', '-rf', '/'])", []),
    ],
)
def test_started_commands_are_followed(code: str, expected: list[str]) -> None:
    assert _analysis(code).lines == expected


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.system(x)",
        "exec(open('x').read() + y)",
        "import os\ngetattr(os, name)('ls')",
        "import os\nos.__dict__[name]('ls')",
        "__import__(name).system('ls')",
        "import subprocess\nsubprocess.run(words)",
        "import ctypes\nctypes.CDLL(None).system(b'ls')",
        "while 1:\n" + "".join(f"    a{i} = {i}\n" for i in range(7_000)),
        "x = '" + "a" * 300_000 + "'",
    ],
)
def test_what_is_put_together_at_run_time_may_do_everything(code: str) -> None:
    assert "*" in _analysis(code).doubts


@pytest.mark.parametrize(
    ("code", "discloses"),
    [
        ("import os, subprocess\nsubprocess.run(['b'], env=os.environ)", False),
        ("import os, subprocess\nsubprocess.run(['b'], env={**os.environ, 'A': '1'})", False),
        ("import os\nprint(os.environ.get('HOME'))", False),
        ("import os\nprint(os.environ)", True),
        ("import os, json\nprint(json.dumps(dict(os.environ)))", True),
        ("import os\nfor k, v in os.environ.items(): print(k, v)", True),
        ("import os\nprint(f'{os.environ}')", True),
        ("import os\nprint(os.environ['API_TOKEN'])", True),
    ],
)
def test_a_shown_environment_is_told(code: str, discloses: bool) -> None:
    assert ("discloses" in _analysis(code).words) is discloses


def test_code_of_another_version_is_read_as_text() -> None:
    assert _analysis("print 'x'; import os; os.system('sudo ls')").lines == ["sudo ls"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ls", "ls"),
        ("rm \0?", "rm ${unknown}"),
        ("rm '\0?'", "rm ''\"${unknown}\"''"),
        ('rm "\0?"', 'rm "${unknown}"'),
        ("rm \\\0?", "rm ${unknown}"),
        ("unknown=a; rm \0?", "unknown=a; rm ${unknown_}"),
    ],
)
def test_an_unknown_part_of_a_line_is_a_variable_that_the_line_does_not_set(line: str, expected: str) -> None:
    assert with_variables(line) == expected
