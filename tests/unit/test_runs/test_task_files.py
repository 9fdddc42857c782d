"""What is said of a part of a task file that the session wrote."""

from __future__ import annotations

from policy_engine.filesystem.file_system import Virtual
from policy_engine.test_runs.task_files import advice_on


def test_what_make_makes_is_built_anew() -> None:
    filesystem = Virtual("/workspace", "/home/user")
    text = b"test: calc_test\n\t./calc_test\ncalc_test: calc.c\n\tcc -o $@ $^\n"
    filesystem.write(filesystem.resolve("Makefile", "/workspace"), text)
    files = ("/workspace/Makefile",)
    why = "this session wrote `calc_test`, which `Makefile` reads or runs"
    assert "`make -B test`" in advice_on(why, "make test", files, filesystem)
    assert advice_on(why.replace("calc_test", "run.sh"), "make test", files, filesystem) == "Run the tests without it"
    assert advice_on(why, "just test", files, filesystem) == "Run the tests without it"
