"""`on command …`: the rule that it stands for, in words that the long form has."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine import Engine

LINES = (
    "git push", "git -C x push --force", "git push --dry-run && git push", "git push $X", "git $X", "$X push",
    'eval "$X"', "git tag v1 -d", "git tag v1", "git tag $X", "echo git push", "bash -c 'git push'", "rm -r -f x",
    "rm -rf x", "rm x", "timeout 5 git push -f", "cat x | sh", "git commit -m push", "sudo git push", "(",
)  # fmt: skip
PUSH = '(c matches "git push ..." or (c matches "git ..." and c.subcommand == "push"))'
PAIRS = (
    ("on command git push", PUSH),
    ('on command git push when c.has_flag("-f", "--force")', f'{PUSH} and c.has_flag("-f", "--force")'),
    ('on command git push unless c.has_flag("--dry-run")', f'{PUSH} and not c.has_flag("--dry-run")'),
    (
        "on command rm -rf, git tag -d",
        '(c matches "rm ..." and (c.has_flag("-rf") or (c.has_flag("-r") and c.has_flag("-f"))))'
        ' or ((c matches "git tag ..." or (c matches "git ..." and c.subcommand == "tag")) and c.has_flag("-d"))',
    ),
)


def _decided(head: str, line: str) -> list[Any]:
    engine = Engine.from_text(f'language 1 rule r "R" {{ {head}\n deny "No {{c.text}}." }}')
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    decision = engine.decide({"hook": "before_tool", "session": "s", "tool": tool})
    return [(rule.outcome, rule.verdict, rule.message, rule.undecided) for rule in decision.rules]


@pytest.mark.parametrize(("short", "long"), PAIRS, ids=[short for short, _ in PAIRS])
def test_the_short_form_decides_as_the_long_one(short: str, long: str) -> None:
    written = f"on before_tool(shell) when any c in commands {{ {long} }}"
    for line in LINES:
        assert _decided(short, line) == _decided(written, line), line


def test_a_word_that_is_not_known_never_lets_a_command_through() -> None:
    for line in ("$G push", "git $P", "git push", "git -C $D push", "$C", "git $A $B", "xargs git push < $F"):
        assert _decided("on command git push", line), line


@pytest.mark.parametrize(
    ("named", "heard", "others"),
    [
        ("npm install", ("npm i", "npm add x", "npm -g i x", "npm isntall", "npm install"), ("npm ls", "npm un x")),
        ("npm i", ("npm install", "npm in x"), ("npm rm x",)),
        ("npm uninstall", ("npm rm x", "npm unlink x"), ("npm i",)),
        ("pip install", ("pip3 install x", "python -m pip install x", "python3 -m pip -q install x",
          "pip -q install x"),
         ("pip list", "python -m build", "python -m pip list", "pip3 show install-me")),
        ("pip3 install", ("pip install x", "/usr/bin/pip install x"), ("pip freeze",)),
        ("pytest", ("python -m pytest -q", "py.test", "python3 -m pytest"), ("python -m unittest", "python x.py")),
        ("docker compose down", ("docker-compose down", "docker-compose -f a.yml down", "docker compose -f a.yml down"),
         ("docker-compose up", "docker ps")),
        ("docker-compose down -v", ("docker compose down -v",), ("docker compose down", "docker-compose down")),
        ("cargo build", ("cargo b", "cargo +nightly b --release"), ("cargo t",)),
        ("helm uninstall", ("helm delete x", "helm -n a un x"), ("helm list",)),
        ("apt install", ("apt-get -y install x",), ("apt-get update",)),
        ("rails console", ("rails c",), ("rails s",)),
        ("npm run build", ("npm run-script build",), ("npm run test",)),
        ("make deploy", ("gmake deploy", "make -k clean deploy"), ("make test",)),
        ("git push", ("git push",), ("git pull",)),
    ],
)  # fmt: skip
def test_other_words_for_the_same_are_heard(named: str, heard: tuple[str, ...], others: tuple[str, ...]) -> None:
    outcomes = {line: [one[0] for one in _decided(f"on command {named}", line)] for line in (*heard, *others)}
    assert all(outcomes[line] for line in heard), outcomes
    assert not any(outcomes[line] for line in others), outcomes


def test_the_next_clause_ends_the_command_and_a_word_of_the_language_does_not() -> None:
    assert _decided("on command npm test, docker stop\n when c.args != []", "npm test")
    assert _decided("on command npm test, docker stop\n when c.args != []", "docker stop web")
    assert not _decided('on command npm test when c.has_flag("-x")', "npm test")
    assert not _decided("on command npm test", "npm run build")
