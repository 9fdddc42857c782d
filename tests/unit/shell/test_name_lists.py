"""Lists of names in files: they are read where the line leaves them alone."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from tests.unit.compiler.asking import engine, shell

READS_SECRETS = """
rule a "A" {
  on before_tool(shell)
  when any c in commands { any p in c.contents { p matches "**/.env" } }
  deny "x"
}
"""


def _verdict(line: str, listed: str) -> str:
    filesystem = Virtual()
    for name, content in (("files.txt", listed), (".env", "A=1\n"), ("src/a.py", "x\n"), ("src/b.py", "x\n")):
        filesystem.write(filesystem.resolve(name, "/workspace"), content.encode())
    return str(engine(READS_SECRETS, filesystem).decide(shell(line)).verdict)


LINES = (
    "xargs -a files.txt cat",
    "cat files.txt | xargs cat",
    "cat $(cat files.txt)",
    "cat $(< files.txt)",
    'while read -r f; do cat "$f"; done < files.txt',
    'mapfile -t A < files.txt; for f in "${A[@]}"; do cat "$f"; done',
)


@pytest.mark.parametrize("line", LINES)
def test_the_names_in_a_list_are_read(line: str) -> None:
    assert _verdict(line, "src/a.py\nsrc/b.py\n") == "allow"
    assert _verdict(line, "src/a.py\n.env\n") == "deny"


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("before", ["echo x > files.txt", "sort -o files.txt x", "tee files.txt < x", "python3 x.py"])
def test_a_list_that_the_line_may_change_is_not(line: str, before: str) -> None:
    assert _verdict(f"{before}; {line}", "src/a.py\nsrc/b.py\n") == "deny"


@pytest.mark.parametrize("listed", ["", "src/a.py -x\n", "$(ls)\n", "-x\n", "'src/a.py'\n"])
def test_what_is_no_list_of_plain_names_is_not(listed: str) -> None:
    assert _verdict("cat files.txt | xargs cat", listed) == "deny"


@pytest.mark.parametrize("program", ["sed s,src/a.py,.env,", "tr a b", "md5sum", "rev"])
def test_what_a_program_makes_of_a_list_is_not_the_list(program: str) -> None:
    assert _verdict(f"cat $(< files.txt {program})", "src/a.py\nsrc/b.py\n") == "deny"
