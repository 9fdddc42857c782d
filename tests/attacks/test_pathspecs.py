"""Pathspecs that git expands itself: files are deleted, printed and taken along by patterns and magic, not by name."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.attacks.session import ROOT, Session

FILES = (
    ".policy/packs.policy", ".claude/settings.json", ".husky/pre-commit", ".github/workflows/ci.yml", "CLAUDE.md",
    ".env", "tests/test_calc.py", "certs/id_rsa", "docs/a.md", "docs/deep/b.md", "run.log", "web/a.ts", "sub/notes.txt",
)  # fmt: skip


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A repository that tracks all but `.env`."""
    made = Session(tmp_path_factory.mktemp("world"), "no-tamper", "no-secret-read")
    for name in FILES:
        made.put(name, "K=1\n")
    made.put(".policy/packs.policy", (ROOT / "rules" / "acceptance" / "tests-kept.policy").read_text())
    made.put(".claude/settings.json", "{}\n")
    made.put(".gitignore", ".env\n")
    for line in ("rm -rf .git", "git init -q", "git add -A", "git -c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["/bin/sh", "-c", line], cwd=made.workspace, check=True, env=made.environment)
    made.host.environment["PATH"] = os.environ["PATH"]
    return made


@pytest.mark.parametrize(
    "line",
    [
        "git rm -q -- '*settings.json'",
        "git rm -q -- '*.policy'",
        "git rm -q *.policy",
        "git rm -q -- ':(glob)**/*.policy'",
        "git rm -q -- ':(icase)*/PACKS.POLICY'",
        "git rm -q -- ':/*packs*'",
        "git rm -q -- '*p[a]cks.policy'",
        r"git rm -q -- '.polic\y/packs.policy'",
        "git rm -q -- '.pol*/*'",
        "git rm -rq -- ':!src' ':(exclude)docs'",
        "git rm -q -- '*pre-commit'",
        "git rm -q -- '*/ci.yml'",
        "git rm -q -- ':(icase)claude.MD'",
        "git rm -q -- '*test_calc.py'",
        "git rm -q --cached -- ':(icase)TESTS/*'",
        "git --icase-pathspecs rm -q -- .POLICY/PACKS.policy",
        "GIT_ICASE_PATHSPECS=1 git rm -q -- .POLICY/PACKS.policy",
        "GIT_LITERAL_PATHSPECS=$X git rm -q -- '*.policy'",
        "GIT_GLOB_PATHSPECS=$X git rm -q -- '*.policy'",
        "GIT_ICASE_PATHSPECS=$X git rm -q -- .POLICY/PACKS.policy",
        "cd sub && git rm -q -- ':(top)*.policy'",
        "git -C sub rm -q -- '../*.policy'",
        "git rm -q --cached -- '*.policy'",
        "git clean -fx -- ':(icase)*.POLICY'; git restore --source=HEAD~1 -- ':(icase)*.POLICY'",
        "git grep --no-index -h . -- ':(icase).ENV'",
        "git grep --no-index -n . -- ':(top,icase)*ENV'",
        "git add -f -- ':(glob)**/.env'",
        "git add -f -- ':(icase).ENV'",
        "git add -f ':(icase).ENV'",
        "git add -f '*nv'",
        "git grep -h . -- '*id_r*' ':!src'",
    ],
)
def test_what_a_pathspec_fits_counts(session: Session, line: str) -> None:
    assert session.asked(line) != "allow"


@pytest.mark.parametrize(
    "line",
    [
        "git rm -q 'docs/*.md'",
        "git rm -q '*.log'",
        "git rm -q -- ':(glob)**/*.log' ':/docs/*.md'",
        "git --literal-pathspecs rm -q -- '*.policy'",
        "git add '*.py'",
        "git add -- ':!dist'",
        "git add -f -- '*.log'",
        "git diff -- '*.ts'",
        "git diff HEAD -- . ':(exclude).env'",
        "git diff -- ':!package-lock.json'",
        "git grep K -- ':!vendor'",
        "git grep foo -- '*.py' ':!vendor'",
        "git grep -n -e 'K.*' -- '*.md'",
        "git grep --no-index foo -- '*.ts'",
        "git log -p -- ':(icase)DOCS/*'",
        "git archive -o /tmp/a.tar HEAD ':!docs'",
        "git show ':/first'",
        "cd sub && git rm -q '*.txt'",
        "git rm -q --cached '*.log'",
    ],
)
def test_ordinary_pathspecs_are_not_asked_about(session: Session, line: str) -> None:
    assert session.asked(line) == "allow"
