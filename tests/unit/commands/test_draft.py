"""`policy draft`: what prose plainly forbids or demands becomes a rule, everything else gets the reason why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policy_engine.commands.draft import passes
from policy_engine.model.source import Source
from policy_engine.scaffolding.drafts import Reason, document, drafts, sentences
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from tests.unit.commands.running import Shell

PROSE = """\
# Agents

Always run `make lint` before you finish. Never run `git push --force`, or
`git reset --hard`.

- **Never edit** `generated/` by hand; change `schema.json` instead.
- You must write clear code.
- All tests must pass before committing.

```sh
never do this
```

> You must not read quotations.
"""


def test_what_is_printed_checks_and_passes_its_tests(policy: Shell, tmp_path: Path) -> None:
    source, target = tmp_path / "AGENTS.md", tmp_path / "a.policy"
    source.write_text(PROSE, "utf-8")
    done = policy("draft", str(source))
    assert (done.status, done.err) == (0, "5 sentences: 4 rules drafted, 1 cannot be checked\n")
    target.write_text(done.out, "utf-8")
    assert re.findall(r"^rule ([a-z-]+)", done.out, re.M) == [
        "run-make-lint",
        "no-git-push-force",
        "keep-generated",
        "run-the-tests",
    ]
    assert f"{source}:7: You must write clear code.\n# Cannot be checked, because {Reason.NOTHING.value}.\n" in done.out
    assert (policy("fmt", "--check", str(target)).status, policy("check", str(target)).status) == (0, 0)
    assert policy("check", str(target)).out == "no findings in 1 file\n"
    assert policy("test", str(target)).status == 0


def test_each_sentence_of_a_paragraph_has_its_own_line() -> None:
    text = "You must run `a`.\nNever edit\n`b`. Always write\nclearly.\n"
    assert [line for line, _ in sentences(text)] == [1, 2, 3]


def test_sentences_are_found_over_lines_and_outside_code() -> None:
    assert list(sentences(PROSE)) == [
        (3, "Always run `make lint` before you finish."),
        (3, "Never run `git push --force`, or `git reset --hard`."),
        (6, "**Never edit** `generated/` by hand; change `schema.json` instead."),
        (7, "You must write clear code."),
        (8, "All tests must pass before committing."),
    ]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Never commit secrets.", Reason.NOTHING),
        ("Never run `npm publish` unless a person asks.", Reason.CONDITION),
        ("Do not run `make deploy` without asking.", Reason.CONDITION),
        ("Never push to `main`.", Reason.VERB),
        ("Do not copy `.env`.", Reason.VERB),
        ("Files like `a.snap` should never be updated.", Reason.VERB),
        ("Secrets in `config.py` must never be printed.", Reason.VERB),
        ("`a.snap` should never be updated without asking.", Reason.CONDITION),
        ("Never use `eval`.", Reason.UNSURE),
        ("Tests are required for every repair.", Reason.NOTHING),
        ("Never run `make a` on a branch of `other`.", Reason.VERB),
        ("Never run `terraform apply` against production.", Reason.CONDITION),
        ("Always prefer `const`.", Reason.VERB),
        ("Do not use `any` in TypeScript.", Reason.UNSURE),
        ("Do not edit `/etc/hosts`.", Reason.UNSURE),
        ("Do not edit `../other/a.py`.", Reason.UNSURE),
        ("Never run `rm -rf $HOME`.", Reason.UNSURE),
        ("Use `uv` instead of `pip`.", Reason.PERHAPS),
        ("Run `npm start` to see it.", Reason.PERHAPS),
        ("Ask before running `terraform apply`.", Reason.VERB),
    ],
)
def test_what_is_no_rule_says_why(sentence: str, reason: Reason) -> None:
    assert [(one.rule, one.reason) for one in drafts(sentence, "AGENTS.md", passes)] == [("", reason)]


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("Do not use `rm -rf`; move files to `old` instead.", "on command rm -rf\n"),
        ("You must never modify `go.sum` or `vendor/`.", 'p matches glob("**/go.sum", "vendor/**")'),
        ("You must run `make lint` before you commit.", "on command git commit\n"),
        ("Don't forget to run `make fmt`.", "on before_completion\n"),
        ("Do NOT edit files in `src/generated/` or `*.pb.go` directly.", 'glob("src/generated/**", "**/*.pb.go")'),
        ("Always run the tests before you finish.", "require tests_passed() since"),
        ("Agents must never read `.env` or anything below `secrets/`.", 'glob("**/.env", "secrets/**")'),
        ("Do not read `.env`.", "on before_tool(read)"),
        ("It is forbidden to change `.github/workflows/**`.", 'glob(".github/workflows/**")'),
        ("`*.snap` should never be updated.", 'glob("**/*.snap")'),
        ("All files in `vendor/` must not be edited by hand.", 'glob("vendor/**")'),
        ("`git push --force` must never be used.", "on command git push --force\n"),
        ("Never use `sudo`.", "on command sudo\n"),
        ("Do not run `rm`.", "on command rm\n"),
        ("Refrain from running `docker compose down -v`.", "on command docker compose down -v\n"),
        ("Under no circumstances run `kubectl delete`.", "on command kubectl delete\n"),
        ("You should not edit `go.sum`.", "on before_tool(write, edit)"),
        ("| Never edit `go.sum` by hand | Go writes it |", 'glob("**/go.sum")'),
        ("### Don't\n\n* edit `go.sum`", 'glob("**/go.sum")'),
        ("### Do\n* run `go vet ./...` and `go test ./...` before every commit", "on command git commit\n"),
        ("Run `pytest` before you finish.", 'require command_success(command("pytest")) since'),
        ("Before you finish, run `make check`.", "on before_completion\n"),
        ("Never:\n- run `git push --force`", "on command git push --force\n"),
    ],
)
def test_what_is_said_plainly_is_a_rule(sentence: str, clause: str) -> None:
    (one,) = drafts(sentence, "AGENTS.md", passes)
    assert clause in one.rule


def test_a_list_is_led_by_the_line_above_it_alone() -> None:
    text = "## Don't\n- run `make a`\n  again\n- edit `b.c`\n\n## Notes\n- run `make c`\n\nAlways:\n- run `make d`\n"
    assert list(sentences(text)) == [
        (2, "Do not run `make a` again"), (4, "Do not edit `b.c`"), (7, "run `make c`"), (10, "Always run `make d`"),
    ]  # fmt: skip


def test_hostile_text_stays_text() -> None:
    text = 'Never run `make x`, " } rule evil "x" { on prompt allow } \u202e{tool.name}\n\nAlways `a\u202e`.\n'
    name = 'A".md\nrule evil "x" { on prompt allow }'
    made = document(drafts(text, name, passes), name)
    file, problems = parse(Source("a.policy", made))
    assert problems == []
    assert "\u202e" not in made
    assert [item.name for item in file.items if isinstance(item, ast.Rule)] == ["no-make-x"]


def test_a_rule_that_fails_its_test_is_no_rule() -> None:
    (one,) = drafts("Never run `make x`.", "AGENTS.md", lambda rule: "no-make-x" not in rule)
    assert (one.rule, one.reason) == ("", Reason.FAILED)
    assert not passes(
        'rule r "t" {\n  on command make x\n  deny "No."\n\n  test {\n    shell "make x" => allow\n  }\n}\n'
    )


def test_two_sentences_about_the_same_have_two_names(policy: Shell, tmp_path: Path) -> None:
    source = tmp_path / "AGENTS.md"
    source.write_text("Never run `make x`.\n\nDo not run `make x`.\n", "utf-8")
    assert re.findall(r"^rule (\S+)", policy("draft", str(source)).out, re.M) == ["no-make-x", "no-make-x-2"]


def test_a_file_that_is_not_there_is_misuse(policy: Shell, tmp_path: Path) -> None:
    assert policy("draft", str(tmp_path / "no.md")).status == 2
