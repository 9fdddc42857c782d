"""Settings in the home folder and around the repository that a session writes, and runs of tests by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runner_settings import GO, JVM, MAVEN, PYTHON, changed
from tests.attacks.test_runs_of_tests import finish, ran, repository, write
from tests.attacks.test_tests_taken_out import with_commit

GRADLE = {"build.gradle": "plugins { id 'java' }\n", "gradlew": "#!/bin/sh\n", "src/main/java/A.java": "class A {}\n"}
BUILT = "> Task :test\n\nBUILD SUCCESSFUL in 3s"
OK, ONE = "ok  \tx/a\t0.01s", "1 passed in 0.05s"
IGNORED = "allprojects { tasks.withType(Test) { ignoreFailures = true } }"
SET = {
    "go env": (GO, "go env -w GOFLAGS=-skip=TestA", ".config/go/env", "GOFLAGS=-skip=TestA", "GOFLAGS=-mod=mod",
               "go test ./...", OK),
    "gradle": (GRADLE, f"echo '{IGNORED}' > ~/.gradle/init.gradle", ".gradle/init.gradle", IGNORED,
               "allprojects { repositories { mavenLocal() } }", "./gradlew test", BUILT),
    "gradle scripts": (GRADLE, f"echo '{IGNORED}' > ~/.gradle/init.d/a.gradle", ".gradle/init.d/a.gradle", IGNORED,
                       "println 1", "./gradlew test", BUILT),
    "maven": (JVM, "cp s ~/.m2/settings.xml", ".m2/settings.xml",
              "<settings><properties><skipTests>true</skipTests></properties></settings>",
              "<settings><mirrors></mirrors></settings>", "mvn test", MAVEN),
    "bashrc": (PYTHON, "echo 'export PYTEST_ADDOPTS=\"-k zero\"' >> ~/.bashrc", ".bashrc",
               'export PYTEST_ADDOPTS="-k zero"', 'export PATH="$HOME/.local/bin:$PATH"\nexport EDITOR=vi',
               "pytest -q", ONE),
    "alias": (PYTHON, "echo 'pytest() { true; }' >> ~/.profile", ".profile", "pytest() { true; }",
              "alias ll='ls -l'", "pytest -q", ONE),
    "above": (PYTHON, "cp x ../pytest.ini", "pytest.ini", "[pytest]\naddopts = -k zero", "[pytest]\naddopts = -q",
              "pytest -q", ONE),
}  # fmt: skip


def put(session: Session, name: str, text: str) -> None:
    for folder in {session.home, session.workspace.parent} if name == "pytest.ini" else {session.home}:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")


@pytest.mark.parametrize("what", SET)
def test_settings_outside_of_the_repository(tmp_path: Path, what: str) -> None:
    files, line, name, against, alone, tests, output = SET[what]
    session = changed(tmp_path, files)
    ran(session, line, "", "set")
    put(session, name, against)
    told = ran(session, tests, output, "one")
    assert finish(session) == "refused", told
    put(session, name, alone)
    told = ran(session, tests, output, "two")
    assert finish(session) == "accepted", told


def test_settings_of_before_the_session_are_the_persons_own(tmp_path: Path) -> None:
    session = repository(tmp_path, PYTHON)
    put(session, ".bashrc", 'export PYTEST_ADDOPTS="-x"')
    session = with_commit(session, PYTHON, start=False)
    session.host.call(session.host.payload("SessionStart", source="startup"))
    write(session, "src/a.py", "x = 2\n")
    told = ran(session, "pytest -q", ONE, "one")
    assert finish(session) == "accepted", told


def test_variables_of_direnv_that_the_session_set(tmp_path: Path) -> None:
    session = changed(tmp_path, GO)
    write(session, ".envrc", "export GOFLAGS=-skip=TestA\n")
    ran(session, "direnv exec . go test ./...", OK, "one")
    assert finish(session) == "refused"
    write(session, ".envrc", "export API_URL=http://localhost\n")
    told = ran(session, "direnv exec . go test ./...", OK, "two")
    assert finish(session) == "accepted", told
