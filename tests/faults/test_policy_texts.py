"""Texts that are no policy, or one that says something else than it shows: the whole set is refused, the old one stays.

Each damage is done to a file of a running engine: what was in force goes on deciding, and every decision says why.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.loading.loader import load
from tests.end_to_end.engines import shell, verdict
from tests.end_to_end.host import POLICY, Host

GUARD = 'rule no-mv "Nothing moves" {\n  severity high\n  on before_tool(shell)\n  when CONDITION\n  deny "no"\n}\n'


def _guard(condition: str, before: str = "") -> str:
    return "language 1\n" + before + GUARD.replace("CONDITION", condition)


def refused(engine: Engine, folder: Path, text: str | bytes) -> str:
    """Why the text, put beside the policy in force, does not load; fails if anything else came of it."""
    good = engine.program.digest
    (folder / "new.policy").write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    assert not engine.reload()
    decision = engine.decide(shell("rm a"))
    assert (decision.verdict, decision.policy, verdict(engine, "ls")) == ("deny", good, "allow")
    assert decision.errors[0].endswith(f"{good} stays in force")
    return "\n".join(decision.errors)


@pytest.mark.fault(59, 60)
@pytest.mark.requirement("R7", "R23")
@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (_guard("true") + "#" + "x" * 50_000_000, "POLICY_FILE_BYTES"),
        (_guard("(" * 100_000 + "true" + ")" * 100_000), "POLICY_DEPTH"),
        (_guard("not " * 100_000 + "true"), "POLICY_DEPTH"),
        (_guard("any c in commands { " * 20_000 + "true" + " }" * 20_000), "POLICY_DEPTH"),
    ],
    ids=["a line of 50 MB", "parentheses", "not", "blocks"],
)
def test_what_is_over_a_limit_names_it(engine: Engine, folder: Path, text: str, limit: str) -> None:
    assert limit in refused(engine, folder, text)


@pytest.mark.fault(61)
@pytest.mark.requirement("R7", "R23")
def test_what_doubles_is_refused_and_files_that_import_each_other_are_one_set(engine: Engine, folder: Path) -> None:
    doubling = "".join(f"define d{n} = d{n - 1} and d{n - 1}\n" for n in range(1, 60))
    text = _guard("d59", 'define d0 = tool.name == "x"\n' + doubling)
    assert "DEFINE_EXPANSION" in refused(engine, folder, text)
    (folder / "new.policy").write_text('language 1\nimport "other.policy"\nimport "new.policy"\n')
    (folder / "other.policy").write_text('language 1\nimport "new.policy"\n' + GUARD.replace("CONDITION", "true"))
    assert engine.reload()
    assert verdict(engine, "ls") == "deny"
    text = _guard("a", "define a = b\ndefine b = a\n")
    assert "error[" in refused_after(engine, folder, text)


def refused_after(engine: Engine, folder: Path, text: str) -> str:
    """As `refused`, where other rules are in force."""
    good = engine.program.digest
    (folder / "new.policy").write_text(text)
    assert not engine.reload()
    assert engine.decide(shell("ls")).policy == good
    return "\n".join(engine.decide(shell("ls")).errors)


@pytest.mark.fault(62)
@pytest.mark.requirement("R7", "R16")
@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("/etc/passwd", "PE304"),
        ("../../../../etc/passwd", "PE304"),
        ("/dev/zero", "PE304"),
        ("https://example.org/a.policy", "PE305"),
        ("file:///etc/passwd", "PE305"),
        ("~/a.policy", "PE305"),
        ("$HOME/a.policy", "PE305"),
        ("folder", "PE305"),
        ("fifo", "PE305"),
        ("out", "PE304"),
        ("device", "PE304"),
        ("*.policy", "PE305"),
        ("pack:../../../../etc/passwd", "PE304"),
        ("", ""),
    ],
)
def test_an_import_reads_regular_files_of_the_folder_only(engine: Engine, folder: Path, target: str, code: str) -> None:
    (folder / "folder").mkdir()
    os.mkfifo(folder / "fifo")
    (folder / "out").symlink_to("/etc/passwd")
    (folder / "device").symlink_to("/dev/zero")
    said = refused(engine, folder, f'language 1\nimport "{target}"\n')
    assert f"error[{code}" in said and "root:" not in said


@pytest.mark.fault(62)
@pytest.mark.requirement("R16")
def test_what_is_imported_counts_against_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy_engine.loading.sources.POLICY_TOTAL_BYTES", 10_000)
    imports = "".join(f'import "part-{number}.inc"\n' for number in range(20))
    (tmp_path / "main.policy").write_text("language 1\n" + imports)
    for number in range(20):
        (tmp_path / f"part-{number}.inc").write_text("language 1\n#" + "x" * 1_000 + "\n")
    loaded = load([tmp_path / "main.policy"])
    assert loaded.program is None and any("POLICY_TOTAL_BYTES" in found.help for found in loaded.errors)


@pytest.mark.fault(63)
@pytest.mark.requirement("R23")
@pytest.mark.parametrize("pattern", ["(a+)+$", r"^(\w+\s?)*$", "(a|a)*b", "(.*a){20}$", "(x+x+)+y"])
def test_a_regex_that_explodes_elsewhere_is_answered_in_linear_time(host: Host, pattern: str) -> None:
    """A backtracking engine would not come back before the hook's deadline, which would show."""
    host.write_policy(_guard(f'tool.args["description"] else "" matches /{pattern}/'))
    given = {"command": "ls", "description": "a" * 50_000 + "!"}
    done = host.call(host.payload("PreToolUse", tool_name="Bash", tool_input=given))
    assert (done.verdict, done.err) == ("allow", "")


@pytest.mark.fault(64, 65)
@pytest.mark.requirement("R7", "R23")
@pytest.mark.parametrize(
    "pattern",
    ["(?=a)b", "(?<!a)b", r"(a)\1", "(", "[z-a]", "a{1000000000}", "(" * 5000 + ")" * 5000, "((a{99}){99}){99}", "*a"],
)
def test_a_regex_that_cannot_be_had_is_an_error_of_loading(engine: Engine, folder: Path, pattern: str) -> None:
    said = refused(engine, folder, _guard(f"tool.name matches /{pattern}/"))
    assert "new.policy:" in said and "Traceback" not in said


@pytest.mark.fault(67, 68, 69, 70)
@pytest.mark.requirement("R7")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (_guard("true").replace("rule", "\ufeffrule"), "U+FEFF"),
        (_guard("true").replace("\n  when", "\r  when"), "U+000D"),
        (_guard("true").replace("\n  when", "\u0085  when"), "U+0085"),
        (_guard("true").replace("\n  when", "\u2028  when"), "U+2028"),
        (_guard("true").replace("  severity", "\u00a0severity"), "U+00A0"),
        (_guard("true").replace("  severity", "\tseverity"), "U+0009"),
        (_guard("true").replace("severity", "seve\u200brity"), "U+200B"),
        (_guard("true").replace("deny", "\u0430llow"), "U+0430"),
        (_guard("true").replace("rule", "\uff52\uff55\uff4c\uff45"), "U+FF52"),
        (_guard("true").replace('"no"', '"no \u202e"'), "U+202E"),
        (_guard("true").replace('"no"', '"cafe\u0301"'), "normal"),
    ],
    ids="bom cr nel ls nbsp tab zero-width cyrillic full-width bidi nfd".split(),
)
def test_a_text_that_hides_something_is_refused_with_the_sign_named(
    engine: Engine, folder: Path, text: str, said: str
) -> None:
    found = refused(engine, folder, text)
    assert said.lower() in found.lower() and "new.policy:" in found


@pytest.mark.fault(67, 68)
@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + POLICY.encode(),
        POLICY.replace("\n", "\r\n").encode(),
        POLICY.rstrip("\n").encode(),
        POLICY.replace("\n\n", "\n\f\n").encode(),
    ],
    ids=["bom", "crlf", "no final newline", "form feed"],
)
def test_the_same_rules_in_another_dress_decide_alike(engine: Engine, folder: Path, data: bytes) -> None:
    (folder / "main.policy").write_bytes(data)
    assert engine.reload()
    assert (verdict(engine, "rm a"), verdict(engine, "ls"), engine.decide(shell("ls")).errors) == ("deny", "allow", ())


@pytest.mark.fault(71)
@pytest.mark.requirement("R7")
@pytest.mark.parametrize(
    ("right", "typo"),
    [("deny", "dney"), ("rule", "rul"), ("severity", "sevrity"), ("before_tool", "befor_tool"), ("shell", "shel"),
     ("when", "whn"), ("tool.name", "tool.nam"), ("high", "hgih")],
)  # fmt: skip
def test_a_typo_never_becomes_no_rule(engine: Engine, folder: Path, right: str, typo: str) -> None:
    text = _guard('tool.name == "x"')
    assert right in text
    assert "error[" in refused(engine, folder, text.replace(right, typo))


@pytest.mark.fault(72)
def test_of_rules_that_contradict_each_other_the_strictest_decides(engine: Engine, folder: Path) -> None:
    contrary = POLICY.replace("no-rm", "rm-is-fine").replace("deny `", "warn `").replace('deny "', 'warn "')
    contrary = contrary[: contrary.index("\n  test")] + "\n}\n"
    for name in ("aaa.policy", "zzz.policy"):
        (folder / name).write_text(contrary)
        engine.reload()
        decision = engine.decide(shell("rm a"))
        assert (decision.verdict, [rule.verdict for rule in decision.rules]) == ("deny", ["deny", "warn"])
        (folder / name).unlink()


@pytest.mark.fault(74)
@pytest.mark.requirement("R7")
@pytest.mark.parametrize("number", ["2", "17", "999"])
def test_a_policy_of_a_later_language_is_not_read_as_this_one(engine: Engine, folder: Path, number: str) -> None:
    said = refused(engine, folder, _guard("true").replace("language 1", f"language {number}"))
    assert f"needs language {number}" in said


@pytest.mark.fault(74)
def test_a_hook_refuses_a_policy_of_a_later_language(host: Host) -> None:
    host.write_policy(_guard("true").replace("language 1", "language 2"))
    done = host.call(host.shell("ls"))
    assert done.refused and "needs language 2" in done.err
