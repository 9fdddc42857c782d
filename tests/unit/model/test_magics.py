"""The lines for a shell that do what magics of IPython do."""

from __future__ import annotations

import shlex

import pytest

from policy_engine.model.code_cells import cell_line, guess_languages

LINES = [
    ("%load -r 1-5 src/a.py", "cat src/a.py"),
    ("%edit -x .env", "cat .env"),
    ("%run -i -t src/a.py 1", "python3 src/a.py 1"),
    ("%run -m app", "python3 -m app"),
    ("%env", "env"),
    ("%env KEY", "printenv KEY"),
    ("%env MODE test", "export MODE=test"),
    ("x = %env KEY", "printenv KEY"),
    ("%sc -l a=git status", "git status"),
    ("%store x", ":"),
    ("%store x >> notes.txt", 'printf %s "$CELLS" > notes.txt'),
    ("%save -f notes.py 1-5", 'printf %s "$CELLS" > notes.py'),
    ("%history -n -f h.py", 'printf %s "$CELLS" > h.py'),
    ("%alias gone rm -rf build", "rm -rf build"),
    ("%dotenv", "cat .env"),
    ("%dotenv -o prod.env", "cat prod.env"),
    ("%load_ext sql", "python3 -c 'import sql'"),
    ("%matplotlib inline", ":"),
    ("%who", ":"),
    ("df?", ":"),
    ("??len", ":"),
    ("%rehashx\ncat .env", "cat .env"),
    ("less README.md\nload .env", "cat README.md\ncat .env"),
    ("git status -s", "git status -s"),
    ("%%script --bg bash\nls", "bash -c ls"),
    ("%%html\n<b>it's</b>", ":"),
    ("%%sql\nSELECT 1", "psql -c 'SELECT 1'"),
    ("%timeit -n 3 -r 2 f(x)", "python3 -c 'f(x)'"),
]
PYTHON = ["x = (a\n  %b)", 't = """\n%load .env\n!ls\n"""', "total / count", "a = 3\nb = a %c", "print(f'{x!r}')"]


@pytest.mark.parametrize(("cell", "line"), LINES, ids=[cell for cell, _ in LINES])
def test_a_magic_is_written_as_the_line_that_does_the_same(cell: str, line: str) -> None:
    assert [shlex.split(one) for one in cell_line(cell).split("\n")] == [shlex.split(one) for one in line.split("\n")]


@pytest.mark.parametrize("code", [*PYTHON, "if x:\nelse:\ncat .env"])
def test_what_is_python_or_nothing_that_is_known_stays_as_it_is(code: str) -> None:
    assert shlex.split(cell_line(code)) == ["python3", "-c", code]


def test_python_that_asks_for_a_magic_runs_it_too() -> None:
    assert cell_line("get_ipython().run_line_magic('load', '.env')").split("\n")[0] == "cat .env"
    assert cell_line("get_ipython().magic('sx ls')").split("\n")[0] == "ls"


@pytest.mark.parametrize("code", ["x = %env KEY", "df?", "%who", "!ls"])
def test_a_magic_tells_that_code_is_python(code: str) -> None:
    assert guess_languages(code) == ("python",)
