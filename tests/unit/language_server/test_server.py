"""The language server as a process, asked by a client of its own: what an editor shows for a repository's policies."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from policy_engine.loading.loader import load, load_text
from policy_engine.model.shipped import shipped
from policy_engine.syntax.grammar import language
from tests.unit.language_server.client import Editor, applied

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

MAIN = ".policy/main.policy"
OTHER = ".policy/other.policy"
TEXT = """\
language 1

import "pack:security/no-sudo"
import "other.policy"

define guarded = glob("src/**")

rule no-rm "Nothing is removed" {
  severity low
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "`{c.text}` removes files. Move them to the folder `old` instead."

  test {
    shell "rm a"  => deny by no-rm
    shell "ls"    => allow
  }
}

rule tested "Changes are tested" {
  on before_completion
  when wrote(guarded) and not command_success(checks)
  deny "Run `make test`."

  test {
    write "src/a.py"  => allow
    finish            => deny
  }

  test {
    finish  => allow
  }
}

waive no-rm "while we move" {
  until 2099-01-01
  owner "ops"
}
"""
SHARED = 'language 1\n\ndefine checks = command("make test")\n'


@pytest.fixture
def opened(editor: Editor) -> Editor:
    """An editor with both files open."""
    (editor.folder / MAIN).write_text(TEXT)
    (editor.folder / OTHER).write_text(SHARED)
    editor.open(MAIN)
    return editor


def _codes(found: list[Any]) -> set[str]:
    return {one["code"] for one in found}


# ---- findings ------------------------------------------------------------------------------------------------------


def test_errors_come_while_one_types_and_go_when_they_are_repaired(opened: Editor) -> None:
    wrong = TEXT.replace("before_tool(", "before_tol(")
    opened.type(MAIN, wrong)
    [one] = [one for one in opened.findings(MAIN, lambda found: "PE207" in _codes(found)) if one["code"] == "PE207"]
    assert one["message"] == "unknown lifecycle point `before_tol`\nhelp: did you mean `before_tool`?"
    start = wrong[: wrong.index("before_tol")]
    assert one["range"]["start"] == {"line": start.count("\n"), "character": len(start.rpartition("\n")[2])}
    opened.type(MAIN, TEXT)
    assert opened.findings(MAIN, lambda found: not _codes(found) & {"PE207"}) is not None


def test_the_findings_are_those_of_check(opened: Editor, folder: Path) -> None:
    from datetime import UTC, datetime

    from policy_engine.loading.advice import advise

    untested = TEXT.replace("  test {\n    finish  => allow\n  }\n", "").replace(
        "Nothing is removed", "Nothing\u200b is"
    )
    opened.type(MAIN, untested)
    (folder / MAIN).write_text(untested)
    expected = {one.code for one in advise(load([folder / ".policy"]), datetime.now(UTC))[0]}
    assert expected and _codes(opened.findings(MAIN, lambda found: _codes(found) == expected)) == expected


def test_what_the_settings_set_aside_is_no_finding_here_either(opened: Editor, folder: Path) -> None:
    lint = "glob-matches-nothing"
    assert opened.findings(MAIN, lambda found: lint in _codes(found))
    settings = folder / ".policy/policy.toml"
    settings.write_text(f'[check.ignore]\n{lint} = "the folder comes with the build"\n')
    opened.type(MAIN, TEXT + "\n")
    opened.findings(MAIN, lambda found: lint not in _codes(found))
    settings.write_text('[check.ignore]\nglob-match-nothing = "x"\n')
    opened.type(MAIN, TEXT)
    [one] = opened.findings(".policy/policy.toml", bool)
    assert (one["code"], one["severity"], one["range"]["start"]["line"]) == ("PE319", 1, 1)
    assert lint in one["message"]


def test_a_change_of_one_file_is_seen_in_the_others(opened: Editor) -> None:
    opened.open(OTHER)
    opened.type(OTHER, SHARED.replace("checks", "proofs"))
    found = opened.findings(MAIN, lambda found: any("checks" in one["message"] for one in found))
    assert {one["severity"] for one in found} == {1}
    opened.type(OTHER, SHARED)
    opened.findings(MAIN, lambda found: not any("checks" in one["message"] for one in found))


def test_a_file_that_is_not_saved_yet_is_part_of_the_set(opened: Editor) -> None:
    opened.open(".policy/new.policy", 'language 1\n\nrule no-rm "Twice" {\n  on before_completion\n  warn "x"\n}\n')
    assert opened.findings(".policy/new.policy", lambda found: any("no-rm" in one["message"] for one in found))


def test_a_file_outside_of_a_policy_folder_is_a_set_of_its_own(editor: Editor) -> None:
    editor.open("alone.policy", "language 1\nrule a {\n")
    assert editor.findings("alone.policy", bool)


def test_what_a_policy_says_commands_no_editor(editor: Editor) -> None:
    editor.open(
        MAIN, 'language 1\n\ndefine x = "a\u202eb``` [c](command:run) \x1b[31m"\n\nrule r "R" {\n  on \u202ebefore\n}\n'
    )
    for one in editor.findings(MAIN, bool):
        assert not re.search("[\u202e\x1b]", one["message"])
    text = 'language 1\n\ndefine x = "``` [c](command:run)"\n\n'
    text += 'rule r "R" {\n  on prompt\n  when prompt == x\n  warn "w"\n}\n'
    editor.type(MAIN, text)
    shown = editor.at("hover", MAIN, text, "== x", after=True)["contents"]["value"]
    assert shown.startswith("````policy\n") and shown.count("````") == 2


def test_no_text_ends_the_server(editor: Editor) -> None:
    editor.open(MAIN, TEXT)
    for cut in range(0, len(TEXT), 97):
        editor.type(MAIN, TEXT[:cut])
        place = {"textDocument": {"uri": editor.uri(MAIN)}, "position": {"line": 10_000, "character": 10_000}}
        for method in ("completion", "hover", "definition"):
            editor.ask(f"textDocument/{method}", **place)
        for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"):
            editor.ask(f"textDocument/{method}", textDocument={"uri": editor.uri(MAIN)})


def test_ten_thousand_lines_are_checked_and_laid_out(editor: Editor) -> None:
    rules = [
        f'rule r{number} "R" {{\n  on prompt\n  when prompt contains "{number}"\n  warn "w"\n}}\n'
        for number in range(1_667)
    ]
    text = "language 1\n\n" + "\n".join(rules)
    assert text.count("\n") > 10_000
    editor.open(MAIN, text)
    editor.type(MAIN, text.replace("on prompt", "on promt", 1))
    assert "PE207" in _codes(editor.findings(MAIN, lambda found: "PE207" in _codes(found)))
    assert len(editor.ask("textDocument/documentSymbol", textDocument={"uri": editor.uri(MAIN)})) == 1_667


# ---- words ---------------------------------------------------------------------------------------------------------

PAGES = [
    ("before_tool", "**before_tool**: before a tool call runs"),
    ("program ==", "the base name of the program"),
    ("commands {", "**commands**"),
    ("wrote(", "**wrote(glob)**"),
    ("any c", "**any** (quantifier)"),
    ('rm" }', "**rm**: removes its operands"),
    ("pack:", "`no-sudo`: No command runs with more rights"),
    ("guarded)", 'define guarded = glob("src/**")'),
    ("no-rm\n", 'rule no-rm "Nothing is removed" {'),
    ("until", "the last day of a waiver"),
]


@pytest.mark.parametrize(("word", "page"), PAGES, ids=[word.strip() for word, _ in PAGES])
def test_a_word_shows_its_page(opened: Editor, word: str, page: str) -> None:
    assert page in opened.at("hover", MAIN, TEXT, word)["contents"]["value"]


def test_the_page_of_a_lint_is_shown_where_it_is_acknowledged(opened: Editor) -> None:
    text = TEXT.replace("rule no-rm", "# ignore[rule-without-test]: later\nrule no-rm")
    opened.type(MAIN, text)
    assert "shows itself working" in opened.at("hover", MAIN, text, "without-test")["contents"]["value"]


COMPLETIONS = [
    ("  on ", {"before_tool", "prompt"}, {"when", "commands"}),
    ("before_tool(", {"shell", "mcp"}, {"prompt"}),
    ("  when ", {"commands", "guarded", "checks", "wrote", "file_exists", "any", "not"}, {"result.ok", "answer"}),
    ("{ c.", {"program", "has_flag", "effects"}, {"branch"}),
    ('c.program == "', {"git", "rm"}, {"network"}),
    ("severity ", {"low", "critical"}, {"deny"}),
    ("by ", {"no-rm", "no-sudo"}, {"deny"}),
    ("waive ", {"no-rm", "tested"}, {"commands"}),
    ('import "', {"pack:security/no-sudo", "other.policy"}, {"git"}),
    ("  test {\n    ", {"shell", "write", "finish"}, {"deny", "commands"}),
    ("before_tool(shell)\n  ", {"when", "unless", "require", "deny", "test"}, {"rule", "shell"}),
]


@pytest.mark.parametrize(
    ("needle", "there", "absent"), COMPLETIONS, ids=[one[0].strip() or "step" for one in COMPLETIONS]
)
def test_completion_offers_what_fits_the_place(opened: Editor, needle: str, there: set[str], absent: set[str]) -> None:
    head = TEXT[: TEXT.index(needle) + len(needle)]
    opened.type(MAIN, head)  # as it is while one types: nothing behind the cursor
    labels = {item["label"] for item in opened.at("completion", MAIN, head, head, after=True)["items"]}
    assert (there - labels, absent & labels) == (set(), set())


def test_effects_are_completed_in_their_string(opened: Editor) -> None:
    text = TEXT.replace('c.program == "rm" }', 'c.effects contains "')
    opened.type(MAIN, text)
    items = opened.at("completion", MAIN, text, 'contains "', after=True)["items"]
    assert "network" in {item["label"] for item in items}


def test_a_snippet_is_a_policy_that_loads() -> None:
    from policy_engine.language_server.completion import SNIPPETS

    for name, snippet in SNIPPETS.items():
        plain = snippet
        while plain != (plain := re.sub(r"\$\{\d+:((?:[^{}\\]|\\.|\{[^{}]*\})*)\}", r"\1", plain)):
            pass
        plain = plain.replace("\\}", "}")
        assert "$" not in plain
        loaded = load_text(f"language 1\n\n{plain}", name)
        assert [one.message for one in loaded.errors] == []


# ---- names ---------------------------------------------------------------------------------------------------------


def test_a_name_leads_to_its_declaration(opened: Editor) -> None:
    for needle, line in (("guarded)", "define guarded"), ("no-rm\n", "rule no-rm"), ("c.text", "when any c")):
        [found] = opened.at("definition", MAIN, TEXT, needle)
        assert found["range"]["start"]["line"] == TEXT[: TEXT.index(line)].count("\n")
    [other] = opened.at("definition", MAIN, TEXT, "checks)")
    assert other["uri"] == opened.uri(OTHER)
    [pack] = opened.at("definition", MAIN, TEXT, "pack:security")
    assert pack["uri"] == (shipped("rules") / "security" / "no-sudo.policy").as_uri()


def test_a_rule_is_renamed_everywhere(opened: Editor) -> None:
    edit = opened.at("rename", MAIN, TEXT, "no-rm", newName="keep-files")
    text = applied(TEXT, edit["changes"][opened.uri(MAIN)])
    assert text == TEXT.replace("no-rm", "keep-files")


def test_a_define_of_another_file_is_renamed_in_both(opened: Editor) -> None:
    changes = opened.at("rename", MAIN, TEXT, "checks)", newName="proofs")["changes"]
    assert applied(SHARED, changes[opened.uri(OTHER)]) == SHARED.replace("checks", "proofs")
    assert applied(TEXT, changes[opened.uri(MAIN)]) == TEXT.replace("checks", "proofs")


def test_a_parameter_is_renamed_where_it_is_set(opened: Editor) -> None:
    rule = 'rule k "K" {\n  on prompt\n  when prompt contains kept\n  warn "w"\n}\n'
    shared = f'{SHARED}\nparam kept "What is kept" = "old"\n\n{rule}'
    text = TEXT.replace('import "other.policy"', 'import "other.policy" with { kept = "new" }')
    opened.open(OTHER, shared)
    opened.type(MAIN, text)
    changes = opened.at("rename", MAIN, text, "kept =", newName="folder")["changes"]
    assert applied(text, changes[opened.uri(MAIN)]) == text.replace("kept =", "folder =")
    renamed = shared.replace("param kept", "param folder").replace("contains kept", "contains folder")
    assert applied(shared, changes[opened.uri(OTHER)]) == renamed


def test_a_define_with_parameters_is_renamed_where_it_is_called(editor: Editor) -> None:
    text = "language 1\n\ndefine is_run(line: Command, name: String) = line.program == name\n\n"
    text += 'rule r "R" {\n  on before_tool(shell)\n  when any c in commands { is_run(c, "rm") }\n  deny "No."\n}\n'
    editor.open(MAIN, text)
    for old, new in (("is_run", "starts"), ("line", "call_line")):
        changes = editor.at("rename", MAIN, text, old, newName=new)["changes"]
        assert applied(text, changes[editor.uri(MAIN)]) == text.replace(old, new)


def test_a_variable_is_renamed_with_the_message_that_prints_it(opened: Editor) -> None:
    changes = opened.at("rename", MAIN, TEXT, "c in", newName="line")["changes"]
    expected = TEXT.replace("any c in", "any line in").replace("c.program", "line.program")
    expected = expected.replace("{c.", "{line.")
    assert applied(TEXT, changes[opened.uri(MAIN)]) == expected


@pytest.mark.parametrize(
    ("needle", "name", "why"),
    [
        ("no-rm", "tested", "tested"),
        ("guarded)", "commands", "commands"),
        ("no-rm", "Not A Name", "Not"),
        ("guarded)", "when", "a word of the language"),
        ("before_tool", "x", "names of your own"),
    ],
)
def test_a_name_that_would_break_the_policies_is_refused(opened: Editor, needle: str, name: str, why: str) -> None:
    answer = opened.answer("textDocument/rename", **opened.place(MAIN, TEXT, needle), newName=name)
    assert why in answer["error"]["message"]


def test_the_uses_of_a_name_are_listed(opened: Editor) -> None:
    found = opened.at("references", MAIN, TEXT, "no-rm", context={"includeDeclaration": False})
    assert len(found) == 2


def test_the_outline_and_folds_follow_the_items(opened: Editor) -> None:
    document = {"textDocument": {"uri": opened.uri(MAIN)}}
    names = [one["name"] for one in opened.ask("textDocument/documentSymbol", **document)]
    assert names == ["pack:security/no-sudo", "other.policy", "guarded", "no-rm", "tested", "waive no-rm"]
    folds = opened.ask("textDocument/foldingRange", **document)
    assert {"startLine": 7, "endLine": 17} in folds


def test_tokens_have_their_meaning(opened: Editor) -> None:
    types = opened.server["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = opened.ask("textDocument/semanticTokens/full", textDocument={"uri": opened.uri(MAIN)})["data"]
    lines, found, line, character = TEXT.split("\n"), {}, 0, 0
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, character = line + down, (character if not down else 0) + right
        found.setdefault(lines[line][character : character + length], types[kind])
    assert found["rule"] == "keyword" and found["no-rm"] == "class" and found["before_tool"] == "enumMember"
    assert found["guarded"] == "macro" and found["commands"] == "property" and found["wrote"] == "function"
    assert found["c"] == "variable" and found['"rm"'] == "string" and found["2099-01-01"] == "number"


# ---- repairs -------------------------------------------------------------------------------------------------------


def _actions(editor: Editor, place: dict[str, Any]) -> dict[str, Any]:
    document = {"uri": editor.uri(MAIN)}
    found = editor.ask("textDocument/codeAction", textDocument=document, range=place, context={"diagnostics": []})
    return {one["title"]: one for one in found}


def _is_error(finding: dict[str, Any]) -> bool:
    return bool(finding["severity"] == 1)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("before_tool(", "before_tol("),
        ("c.program", "c.progam"),
        ("commands", "comands"),
        ("severity low", "severity lo"),
    ],
)
def test_a_misspelt_word_is_replaced_by_the_one_that_is_meant(opened: Editor, right: str, wrong: str) -> None:
    text = TEXT.replace(right, wrong, 1)
    opened.type(MAIN, text)
    one = next(filter(_is_error, opened.findings(MAIN, lambda found: any(map(_is_error, found)))))
    repairs = [each for each in _actions(opened, one["range"]).values() if each.get("isPreferred")]
    assert applied(text, repairs[0]["edit"]["changes"][opened.uri(MAIN)]) == TEXT


def test_a_certain_repair_is_offered(opened: Editor) -> None:
    text = TEXT.replace("2099", "2001")
    opened.type(MAIN, text)
    [one] = [
        one for one in opened.findings(MAIN, lambda f: "expired-waiver" in _codes(f)) if one["code"] == "expired-waiver"
    ]
    [fix] = [each for title, each in _actions(opened, one["range"]).items() if title.startswith("fix: ")]
    assert "waive" not in applied(text, fix["edit"]["changes"][opened.uri(MAIN)])


def test_a_lint_is_acknowledged_once_its_reason_is_written(opened: Editor) -> None:
    text = TEXT.replace('    shell "ls"    => allow\n', "")
    opened.type(MAIN, text)
    [one] = [
        each
        for each in opened.findings(MAIN, lambda f: "one-sided-test" in _codes(f))
        if each["code"] == "one-sided-test"
    ]
    action = _actions(opened, one["range"])["acknowledge one-sided-test, with a reason"]
    acknowledged = applied(text, action["edit"]["changes"][opened.uri(MAIN)])
    opened.type(MAIN, acknowledged)
    found = opened.findings(MAIN, lambda f: any("reason" in each["message"] for each in f))
    assert found
    opened.type(
        MAIN, acknowledged.replace("# ignore[one-sided-test]: ", "# ignore[one-sided-test]: only this is asked")
    )
    opened.findings(MAIN, lambda f: "one-sided-test" not in _codes(f) and not any(each["severity"] == 1 for each in f))


def test_the_missing_tests_are_written_and_pass(opened: Editor) -> None:
    text = re.sub(r"\n  test \{\n    shell.*?\n  \}\n", "", TEXT, count=1, flags=re.S)
    assert "by no-rm" not in text
    opened.type(MAIN, text)
    [one] = [
        each
        for each in opened.findings(MAIN, lambda f: "rule-without-test" in _codes(f))
        if each["code"] == "rule-without-test"
    ]
    action = _actions(opened, one["range"])["write the missing tests of `no-rm`"]
    assert opened.ask(
        "workspace/executeCommand",
        command=action["command"]["command"],
        arguments=action["command"]["arguments"],
    )
    edited = applied(text, opened.edits[0]["changes"][opened.uri(MAIN)])
    opened.type(MAIN, edited)
    said = opened.ask("workspace/executeCommand", command="policy.runTests", arguments=[opened.uri(MAIN), []])
    passed, total = re.fullmatch(r"(\d+) of (\d+) tests passed", said).groups()  # type: ignore[union-attr]
    assert passed == total and int(total) > 2


def test_the_session_that_shows_a_change_is_written_as_a_test(opened: Editor) -> None:
    git = ["git", "-C", str(opened.folder), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    text = TEXT[: TEXT.index("waive no-rm")]
    changed = text.replace('c.program == "rm" }', 'c.program in ["rm", "shred"] }')
    (opened.folder / MAIN).write_text(text)
    opened.type(MAIN, text)
    line = TEXT[: TEXT.index("rule no-rm")].count("\n")
    here = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
    action = _actions(opened, here)["write tests of what changed in `no-rm` since the last commit"]
    command = {"command": action["command"]["command"], "arguments": action["command"]["arguments"]}
    assert not opened.ask("workspace/executeCommand", **command)  # there is no commit
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    assert not opened.ask("workspace/executeCommand", **command)  # nothing changed
    opened.type(MAIN, changed)
    assert opened.ask("workspace/executeCommand", **command)
    edited = applied(changed, opened.edits[0]["changes"][opened.uri(MAIN)])
    assert edited.count("test ") == text.count("test ") + 1
    assert re.search(r'test "newly refused" \{\n +shell "shred[^"]*" +=> deny\n', edited), edited


def test_formatting_is_that_of_fmt(opened: Editor) -> None:
    opened.type(MAIN, TEXT.replace("  severity low", "      severity   low"))
    document = {"uri": opened.uri(MAIN)}
    options = {"tabSize": 8, "insertSpaces": False}
    [edit] = opened.ask("textDocument/formatting", textDocument=document, options=options)
    assert edit["newText"] == TEXT
    opened.type(MAIN, "language 1\nrule a {\n")
    assert opened.ask("textDocument/formatting", textDocument=document, options=options) == []


SILENT = """language 1

rule never "Large changes" {
  on before_completion
  when diff.lines > 500 and diff.lines < 100
  warn "Split the change."
}

rule no-rm "Nothing is removed" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "Move it away instead."
}

rule no-rm-here "Nothing is removed here" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" and c.args contains "here" }
  deny "Move it away instead."
}
"""


def test_a_rule_that_never_fires_or_changes_nothing_says_so_beside_its_name(opened: Editor) -> None:
    opened.type(MAIN, SILENT)
    opened.findings(MAIN, lambda found: {"always-false", "shadowed-rule"} <= _codes(found))
    document = {"uri": opened.uri(MAIN)}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    shown = opened.ask("textDocument/inlayHint", textDocument=document, range=everything)
    assert [(one["position"], one["label"]) for one in shown] == [
        ({"line": 2, "character": 10}, "never fires"),
        ({"line": 14, "character": 15}, "never changes a decision"),
    ]
    assert "wherever it speaks" in shown[1]["tooltip"]
    head = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    assert opened.ask("textDocument/inlayHint", textDocument=document, range=head) == []
    opened.type(MAIN, TEXT)
    opened.findings(MAIN, lambda found: "always-false" not in _codes(found))
    assert opened.ask("textDocument/inlayHint", textDocument=document, range=everything) == []


# ---- tests ---------------------------------------------------------------------------------------------------------


def test_a_test_is_run_where_it_stands(opened: Editor) -> None:
    lenses = opened.ask("textDocument/codeLens", textDocument={"uri": opened.uri(MAIN)})
    pair = ["run test", "why"]
    assert [one["command"]["title"] for one in lenses] == [*pair, "run 2 tests", *pair, *pair]
    text = TEXT.replace('shell "ls"    => allow', 'shell "ls"    => deny')
    opened.type(MAIN, text)
    first = lenses[0]["command"]
    assert (
        opened.ask("workspace/executeCommand", command=first["command"], arguments=first["arguments"])
        == "0 of 1 test passed"
    )
    [failed] = [
        one for one in opened.findings(MAIN, lambda f: "test-failed" in _codes(f)) if one["code"] == "test-failed"
    ]
    assert "expected deny, got allow" in failed["message"]
    opened.type(MAIN, TEXT)
    opened.findings(MAIN, lambda found: "test-failed" not in _codes(found))
    assert (
        opened.ask("workspace/executeCommand", command=first["command"], arguments=first["arguments"])
        == "1 of 1 test passed"
    )


def test_each_step_of_a_test_says_why_it_was_decided_so(opened: Editor) -> None:
    lenses = opened.ask("textDocument/codeLens", textDocument={"uri": opened.uri(MAIN)})
    why = next(one["command"] for one in lenses if one["command"]["title"] == "why")
    said = opened.ask("workspace/executeCommand", command=why["command"], arguments=why["arguments"])
    found = [one for one in opened.findings(MAIN, lambda f: "why" in _codes(f)) if one["code"] == "why"]
    assert said == "2 steps explained"
    first, second = sorted(found, key=lambda one: one["range"]["start"]["line"])
    assert TEXT.splitlines()[first["range"]["start"]["line"]].strip().startswith('shell "rm a"')
    assert first["severity"] == 3
    assert "decided at before_tool: deny" in first["message"] and "no-rm deny: `rm a` removes" in first["message"]
    assert "no-rm does not apply at before_tool, because" in second["message"]
    opened.type(MAIN, TEXT.replace("Changes", "Changed files"))
    opened.findings(MAIN, lambda found: "why" not in _codes(found))


def test_nothing_that_a_policy_names_is_run(editor: Editor, folder: Path) -> None:
    trap = folder / "ran"
    text = f"""\
language 1

hook spy "Spy" {{
  on before_tool(shell)
  run ["touch", "{trap}"]
  timeout 1s

  test {{
    shell "ls"  => allow
  }}
}}

verify checks "Checks" {{
  stage one run ["touch", "{trap}"] timeout 1s
}}
"""
    editor.open(MAIN, text)
    document = {"textDocument": {"uri": editor.uri(MAIN)}}
    for lens in editor.ask("textDocument/codeLens", **document):
        editor.ask("workspace/executeCommand", **{key: lens["command"][key] for key in ("command", "arguments")})
    editor.ask("textDocument/semanticTokens/full", **document)
    assert not trap.exists()


def test_every_keyword_has_a_page(editor: Editor) -> None:
    from policy_engine.language_server.pages import keyword_page

    assert all(keyword_page(word).startswith(f"**{word}**") for word in language().scanner.keywords)
