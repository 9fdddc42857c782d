"""Command patterns: the examples of the language page, the program word, and a naive matcher."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from policy_engine.shell.patterns import argv_matches, command_matches, pattern_tokens, word_matches

WORLD = Virtual()


def matches(pattern: str, line: str, *, evidence: bool = False, cwd: str = "/workspace") -> bool:
    return command_matches(((pattern_tokens(pattern),), (), None), parse(line, cwd, WORLD)[-1], WORLD, evidence)


@pytest.mark.parametrize(
    ("pattern", "line", "expected"),
    [
        ("pytest -*", "pytest", True),
        ("pytest -*", "pytest -q --tb=short", True),
        ("pytest -*", "pytest tests/test_one.py", False),
        ("pytest -*", "echo pytest", False),
        ("pytest ... --co* ...", "pytest -q --collect-only x", True),
        ("git commit -m *", "git commit -m 'a b'", True),
        ("git commit -m *", "git commit -m a b", False),
        ("git push ...", "git push", True),
        ("npm test", "npm test -- -u", False),
        ("sh -c 'make test'", "npm test", False),
        ("make 'a b'", 'make "a b"', True),
        ("make ''", "make ''", True),
        ("make ''", "make", False),
        ("pytest", "CI=1 pytest", True),
        ("git push ...", "git -C . push", True),
        ("git push ...", "git --no-pager push -f x", True),
        ("git push ...", "git -C push log", False),
        ("git push ...", "git commit -m 'git push'", False),
        ("kubectl delete pod ...", "kubectl -n prod delete pod x", True),
        ("kubectl delete pod ...", "kubectl delete -n prod pod x", True),
        ("terraform destroy ...", "terraform -chdir=x destroy", True),
        ("cargo publish ...", "cargo +nightly -q publish", True),
        ("helm delete ...", "helm -n prod delete x", True),
        ("pytest", "/usr/bin/pytest", True),
        ("pytest", "/bin/pytest", True),
        ("*/pytest", ".venv/bin/pytest", True),
        (".venv/bin/pytest", ".venv/bin/pytest", True),
        ("py*", "pytest", True),
        ("py*", "py/../evil", False),
    ],
)
def test_a_pattern_describes_an_argv(pattern: str, line: str, expected: bool) -> None:
    assert matches(pattern, line) is expected


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("pytest", "PATH=/x pytest"),
        ("pytest", "PYTEST_ADDOPTS=--co pytest"),
        ("git push ...", "GIT_DIR=x git push"),
        ("git push ...", "git --odd x push"),
        ("git push ...", "git -c a=b push"),
        ("git push ...", "git -C $X push"),
        ("git push ...", "git $X push"),
        ("pytest", "/opt/pytest"),
        ("pytest ...", "./pytest -q"),
        ("git push ...", "/opt/homebrew/bin/git -C x push"),
        ("python -m pip ...", "python -I -m pip install x"),
        ("make release ...", "make -j4 release"),
        ("make release ...", "make clean release"),
    ],
)
def test_what_only_prevents_a_match_leaves_a_guard_undecided_and_is_no_evidence(pattern: str, line: str) -> None:
    with pytest.raises(Undecided):
        matches(pattern, line)
    if "$" not in line:
        assert matches(pattern, line, evidence=True) is False


@pytest.mark.parametrize(
    ("pattern", "line", "surely"),
    [
        ("git push ...", "git push $X", True),
        ("git push ...", 'git push origin "$X" main', True),
        ("curl ...", "curl $(cat f)", True),
        ("git push *", 'git push "$X"', True),
        ("git push *", "git push $X", False),
        ("git push -*", 'git push "$X"', False),
        ("git push ... main", "git push $X", False),
        ("git push ... main", "git push $X main", True),
        ("git push ...", 'git "$X" push', False),
        ("curl ...", "$X x", False),
        ("curl ...", "./curl $X", False),
        ("curl ...", "LD_PRELOAD=x curl $X", False),
    ],
)
def test_words_that_are_not_known_fit_where_any_word_does(pattern: str, line: str, surely: bool) -> None:
    if surely:
        assert matches(pattern, line) is True
    else:
        with pytest.raises(Undecided):
            matches(pattern, line)
    with pytest.raises(Undecided):
        matches(pattern, line, evidence=True)


def test_an_exception_that_may_fit_leaves_it_undecided() -> None:
    pattern = ((("git", "push", "..."),), (("git", "push", "--dry-run", "..."),), None)
    with pytest.raises(Undecided):
        command_matches(pattern, parse("git push $X", "/workspace", WORLD)[0], WORLD)
    assert command_matches(pattern, parse("git push origin $X", "/workspace", WORLD)[0], WORLD) is True


def test_evidence_needs_the_root_of_the_workspace_or_a_named_folder() -> None:
    assert matches("pytest", "cd src && pytest") is True
    assert matches("pytest", "cd src && pytest", evidence=True) is False
    assert matches("pytest", "cd /workspace && pytest", evidence=True, cwd="/") is True
    inside = ((("pytest",),), (), (("packages/*",), ()))
    for folder, expected in (("packages/a", True), ("src", False)):
        command = parse(f"cd {folder} && pytest", "/workspace", WORLD)[1]
        assert command_matches(inside, command, WORLD, True) is expected


def test_an_unknown_folder_is_undecided_only_if_the_words_fit() -> None:
    pattern = ((("pytest",),), (), None)
    assert command_matches(pattern, parse("ls", None, WORLD)[0], WORLD, True) is False
    with pytest.raises(Undecided):
        command_matches(pattern, parse("pytest", None, WORLD)[0], WORLD, True)


def test_except_takes_away() -> None:
    pattern = ((("pytest", "-*"),), (("pytest", "...", "--version", "..."),), None)
    assert command_matches(pattern, parse("pytest -q", "/workspace", WORLD)[0], WORLD) is True
    assert command_matches(pattern, parse("pytest --version", "/workspace", WORLD)[0], WORLD) is False


@pytest.mark.parametrize("text", ["", " ", "-q", "A=1 pytest", "a && b", "a > b", "'a", "a '*'", "a\tb", "a '...'"])
def test_a_text_that_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        pattern_tokens(text)


def naive(tokens: tuple[str, ...], argv: tuple[str, ...]) -> bool:
    if not tokens:
        return not argv
    first, rest = tokens[0], tokens[1:]
    if first in ("...", "-*"):
        long = 0
        while long < len(argv) and (first == "..." or argv[long].startswith("-")):
            long += 1
        return any(naive(rest, argv[cut:]) for cut in range(long + 1))
    return bool(argv) and (first in ("*", argv[0])) and naive(rest, argv[1:])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "-b", "*", "-*", "..."]), min_size=1, max_size=6).map(tuple),
    st.lists(st.sampled_from(["a", "-b", "c", "-"]), max_size=6).map(tuple),
)
def test_matching_agrees_with_the_naive_matcher(tokens: tuple[str, ...], argv: tuple[str, ...]) -> None:
    assert argv_matches(tokens, argv) is naive(tokens, argv)


def test_a_star_within_a_token_is_any_run() -> None:
    assert word_matches("--co*", "--collect-only") is True
    assert word_matches("a*a", "a") is False
    assert word_matches("a*b*c", "aXbYbZc") is True
    assert word_matches("*x*x*", "x") is False
