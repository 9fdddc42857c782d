"""`policy packs`: what ships for import, in a line each, and the rules of one with examples from its tests."""

from __future__ import annotations

from pathlib import Path

from policy_engine.loading.packs import THEMES, packs
from policy_engine.model.shipped import THEME, pack_folder, shipped
from tests.unit.commands.running import Shell


def test_every_pack_is_listed_in_one_line_under_its_theme(policy: Shell) -> None:
    done = policy("packs")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line for line in lines if line.startswith(tuple(f"{theme}:" for theme in THEMES))] == [
        f"{theme}: {question}" for theme, question in THEMES.items()
    ]
    files = [path for theme in THEMES for path in (pack_folder(theme) / theme).glob("*.policy")]
    assert len(lines) == len(files) + len(THEMES) + 1
    assert "  no-sudo                                No command runs with more rights" in lines


def test_a_theme_lists_its_packs(policy: Shell) -> None:
    for name in ("loops", "pack:loops"):
        lines = policy("packs", name).out.splitlines()
        assert lines[0].startswith("loops: ")
        assert len(lines) == len(list(shipped("rules/loops").glob("*.policy"))) + 2


def test_an_import_of_a_theme_is_told_what_lists_its_packs(policy: Shell, tmp_path: Path) -> None:
    file = tmp_path / "a.policy"
    file.write_text('language 1\n\nimport "pack:loops"\n', "utf-8")
    assert "`loops` is a theme: import its packs one by one; `policy packs loops`" in policy("check", str(file)).out


def test_every_folder_of_packs_has_a_theme() -> None:
    folders = {path.name for path in shipped("rules").iterdir() if path.is_dir()}
    assert folders == {*THEMES, "builtin", "claims", "starter"} - {THEME}


def test_every_pack_has_rules_with_titles_and_examples() -> None:
    for pack in packs():
        assert pack.rules and all(rule.title for rule in pack.rules) and pack.rules[0].verdicts, pack.name
        assert any(rule.examples for rule in pack.rules), pack.name


def test_a_pack_is_named_with_and_without_its_theme(policy: Shell) -> None:
    outs = {policy("packs", name).out for name in ("no-sudo", "security/no-sudo", "pack:security/no-sudo")}
    (text,) = outs
    assert text.startswith('import "pack:security/no-sudo"\n')
    assert "no-sudo-grants  Nobody is given more rights\n  deny ask\n" in text
    assert '    shell "sudo ls" => deny\n' in text
    found = policy("packs", "no-sudo", "--format", "json").json
    assert (found[0]["import"], found[0]["rules"][0]["verdicts"]) == ("pack:security/no-sudo", ["deny", "ask"])


def test_a_name_that_is_none_gets_the_nearest(policy: Shell) -> None:
    done = policy("packs", "no-sodo")
    assert (done.status, done.err) == (2, "error: there is no pack `no-sodo`; did you mean `no-sudo`?\n")
    assert "`policy packs` lists them" in policy("packs", "zzzzzzzz").err


def test_parameters_are_shown_with_their_defaults_where_a_pack_has_them(policy: Shell) -> None:
    shown = policy("packs", "failing-commands")
    assert "  most = 10\n    Failed commands in a row, after which the run stops\n" in shown.out
    assert "with {" not in policy("packs", "no-sudo").out
    found = policy("packs", "changelog", "--format", "json").json[0]["parameters"]
    assert found == [{"name": "changelog", "title": "The changelog", "default": '"CHANGELOG.md"'}]
    assert "  several = 5\n" in policy("add", "failing-commands").out


def test_a_pack_that_says_the_same_of_several_things_names_them(policy: Shell) -> None:
    said = {pack.name: pack.says for pack in packs()}
    assert (
        said["acceptance/tests-after-change"]
        == "Python, JavaScript and TypeScript and 11 more: tests pass after the last change"
    )
    assert said["security/no-sudo"] == "No command runs with more rights"
