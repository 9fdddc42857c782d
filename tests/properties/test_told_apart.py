"""Random sessions beside mutants: they tell apart what is no mistake of the comparison's, and nothing that is equal."""

from __future__ import annotations

from pathlib import Path

from policy_engine.loading.loader import load
from policy_engine.testing.mutation import EQUAL, KILLED, OPEN, SURVIVED
from policy_engine.testing.runner import suite
from tests.generated.told_apart import left_of, told_apart, unnoticed

POLICY = """language 1

rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." or c matches "git push --force ..." }
  deny "No. Ask a person."

  test {
    shell "git push --force"   => deny
    shell "git status"         => allow
  }
}
"""


LIMIT = """language 1

limit failing "Runs that fail" {
  on after_tool(shell)
  when git.clean
  counts command_failure("make ...")
  at 2 remind "Twice."
  fail closed

  test {
    given git.clean = true
    run "make x" exit 1
    run "make x" exit 1
  }
}
"""


def _written(folder: Path, text: str = POLICY) -> Path:
    path = folder / "a.policy"
    path.write_text(text, "utf-8")
    return path


def test_sessions_tell_mistakes_from_their_rules(tmp_path: Path) -> None:
    path = _written(tmp_path)
    known = suite(load([path]), [path])
    tried = left_of(known, KILLED, EQUAL, SURVIVED, OPEN)
    # by 3,000 events one seed in ten misses a mutant, by 12,000 one in 10,000
    apart = told_apart(known, tried, 12_000, 1)
    # a person says yes to every question, so that `ask` for `deny` is no difference here
    assert set(apart) == {number for number, one in enumerate(tried) if one.outcome not in ("equal", "killed")}
    assert len(apart) == 4


def test_sessions_tell_mistakes_of_limits_and_of_what_is_not_known(tmp_path: Path) -> None:
    path = _written(tmp_path, LIMIT)
    known = suite(load([path]), [path])
    tried = left_of(known, KILLED, EQUAL, SURVIVED, OPEN)
    apart = {tried[number].mutant.what for number in told_apart(known, tried, 500, 1)}
    assert "`fail open`" in apart and len(apart) == len(tried) == 5


def test_what_is_proved_equal_is_looked_at(tmp_path: Path) -> None:
    ((known, left),) = unnoticed([_written(tmp_path)])
    assert [one.outcome for one in left] == ["equal"]
    assert told_apart(known, left, 500, 1) == {}
