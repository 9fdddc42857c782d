"""A second name for a file that guards the session: making one is a write to it, and so is writing through one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.attacks.session import Session

GUARDED = (
    ".policy/no-sudo.policy", ".claude/settings.json", ".git/config", "~/.gitconfig",
    "~/.config/policy-engine/u.policy", "~/.cache/policy-engine/bundle",
    "~/.local/state/policy-engine/decisions.jsonl", "~/.local/state/policy-engine/sessions.sqlite3",
)  # fmt: skip

PAST = """language 1
rule tests-pass "Tests pass after the last change" {
  on before_completion
  when wrote(glob("src/**"))
  require command_success("pytest -*") since wrote(glob("src/**"))
  deny "Run the tests."
}
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session that tests leave as it is: every line is refused, or only asked about."""
    made = Session(tmp_path_factory.mktemp("links"))
    for name in ("~/.gitconfig", "~/.config/policy-engine/u.policy"):
        path = Path(name.replace("~", str(made.home)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("language 1\n" if name.endswith("policy") else "")
    made.put(".policy/past.policy", PAST)
    made.host.warm()
    made.host.call(made.host.wrote("src/app.py", "1"))
    return made


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize(
    "line",
    [
        "ln {} x", "ln -f {} x", "ln -P {} x", "ln -t src {}", "link {} x", "cp -l {} x", "cp --link {} x",
        "cp -al {} x", "cp -lf {} x", "busybox ln {} x", "env ln {} x", "find {} -exec ln {{}} x \\;",
        "echo {} | xargs -I% ln % x",
        "(cd $(dirname {}) && rsync -a --link-dest=$PWD ./ /tmp/x/)",
        "python3 -c 'import os; os.link(os.path.expanduser(\"{}\"), \"x\")'",
        "perl -e 'link \"{}\", \"x\"'",
        "true && ln -- {} x", "(cd src; ln {} x)",
    ],
)  # fmt: skip
def test_a_second_name_of_what_guards_is_a_write_to_it(session: Session, name: str, line: str) -> None:
    target = name if name.startswith("~") or "cd src" not in line else f"../{name}"
    target = target.replace("~", str(session.home)) if "perl" in line else target
    assert session.asked(line.format(target, target)) != "allow"


@pytest.mark.parametrize(
    "line",
    [
        "cp -al .policy p2", "cp -al . ../copy", "cp -rl .policy/. p2", "cp -al ~/.cache/policy-engine p2",
        "cp -al ~/.config c", "cp -al ~ h", "rsync -a --link-dest=$PWD/.policy .policy/ p2/",
        "rsync -a --link-dest ../.policy .policy/ p2/", "ln .policy/* src", "cp -l .claude/* src",
        "python3 -c 'import shutil, os; shutil.copytree(\".policy\", \"p2\", copy_function=os.link)'",
        "node -e 'require(\"fs\").linkSync(\".policy/no-sudo.policy\", \"x\")'",
        "ruby -e 'require \"fileutils\"; FileUtils.ln(\".policy/no-sudo.policy\", \"x\")'",
        "find .policy -type f | cpio -pdl p2", "ls .policy/* | cpio --link -p p2",
    ],
)  # fmt: skip
def test_a_folder_of_second_names_is_a_write_to_all(session: Session, line: str) -> None:
    assert session.asked(line) != "allow"


@pytest.mark.parametrize("name", GUARDED)
def test_a_write_through_a_second_name_that_was_there_before_is_refused(session: Session, name: str) -> None:
    place = Path(name.replace("~", str(session.home))) if name[0] == "~" else session.workspace / name
    twin = session.workspace / "deep" / "x"
    twin.parent.mkdir(exist_ok=True)
    twin.unlink(missing_ok=True)
    session.asked("true")  # a name that was taken away changed the times of a policy, and the engine loads it again
    os.link(place, twin)
    try:
        assert session.write("deep/x") == "deny"
        lines = (
            "echo > deep/x", "cp src/app.py deep/x", "cat src/app.py | tee deep/x", "sed -i s/a/b/ deep/x",
            "truncate -s0 deep/x",
            "cd deep && echo >> x", "cp src/app.py deep/*", "cp -rT src deep", "rsync -a --inplace src/ deep/",
            "dd if=a of=deep/x",
            "chmod 777 deep/x", "chmod -R 777 deep", "python3 -c 'open(\"deep/x\",\"w\")'",
        )  # fmt: skip
        assert {line: session.asked(line) for line in lines if session.asked(line) == "allow"} == {}
    finally:
        twin.unlink()


def test_the_engine_takes_back_a_bundle_that_has_a_second_name(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.host.warm()
    bundle, twin = session.home / ".cache/policy-engine/bundle", session.workspace / "x"
    os.link(bundle, twin)
    session.put(".policy/past.policy", PAST)
    session.asked("true")
    assert bundle.stat().st_nlink == 1 and not twin.samefile(bundle)
    assert session.write("x") == "allow"


def test_any_linker_is_found_out_by_what_is_written_through_its_links(tmp_path: Path) -> None:
    session = Session(tmp_path)
    for place in (session.workspace / ".policy").iterdir():  # by a program that nobody looked into
        os.link(place, session.workspace / f"p-{place.name}")
    assert (session.workspace / "p-no-sudo.policy").stat().st_nlink == 2
    assert session.write("p-no-sudo.policy") == "deny"
    assert session.run("cp src/app.py p-no-sudo.policy") == "deny"
    assert session.guarded()


def test_links_of_a_package_manager_are_nobodys_business(tmp_path: Path) -> None:
    session = Session(tmp_path)
    store = tmp_path / "store"
    store.mkdir()
    for number in range(300):
        (store / f"{number}.js").write_text("x\n")
        session.put("node_modules/.keep", "")
        os.link(store / f"{number}.js", session.workspace / "node_modules" / f"{number}.js")
    assert session.write("node_modules/7.js") == "allow"
    lines = ("sed -i s/x/y/ node_modules/7.js", "cp -r src node_modules", "rm -rf node_modules", "ln src/app.py b.py",
             "cp -al node_modules copy", "cp -al src ../copy")  # fmt: skip
    assert [session.asked(line) for line in lines] == ["allow"] * len(lines)


@pytest.mark.parametrize(
    "line",
    [
        "ln -s ~/.cache/policy-engine l; cp src/app.py l/bundle", "ln -s .policy l && rm -rf l/no-sudo.policy",
        "ln -s ~/.cache l && cp src/app.py l/policy-engine/bundle", "ln -s $PWD/.policy l; echo > l/no-sudo.policy",
        "mkdir -p q && ln -s ~/.cache q/l && cp b q/l/policy-engine/bundle",
        "ln -sfn .claude l; cd l; echo > settings.json",
        "ln -s .policy l; ln -s l m; cp src/app.py m/no-sudo.policy", "ln -s .policy/no-sudo.policy l; tee l < x",
    ],
)  # fmt: skip
def test_a_symbolic_link_made_on_the_line_is_followed(session: Session, line: str) -> None:
    assert session.asked(line) != "allow"


def test_links_of_honest_lines_are_no_question(session: Session) -> None:
    lines = ("ln -sfn src current && touch current/new.py", "ln -s src/app.py l; cp l b", "ln -s src l && ls l")
    assert [session.asked(line) for line in lines] == ["allow"] * 3
