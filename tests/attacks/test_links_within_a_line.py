"""A line that makes a link, or moves one into place, and then writes or deletes through it."""

from __future__ import annotations

import pytest

from tests.attacks.session import Session


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A guarded workspace; nothing of what is asked is run."""
    made = Session(
        tmp_path_factory.mktemp("links"), "no-recursive-delete-outside-workspace", "no-write-outside-workspace"
    )
    made.put("build/a", "")
    return made


@pytest.mark.parametrize(
    "line",
    [
        "ln -s /etc/ssh lnk && rm -rf lnk/",
        "ln -s /etc lnk; rm -rf lnk/*",
        "mkdir -p w && ln -sfn /etc w/h && rm -rf w/h/ssh",
        "mv build b.old && ln -s /etc build && rm -rf build/*",
        "ln -s / up && cd up && rm -rf etc",
        "ln -s /etc a && cp -a a b && rm -rf b/",
        "bash -c 'ln -s /etc a' && rm -rf a/",
        "for i in 1 2; do ln -sfn /etc a; rm -rf a/; done",
        "if true; then ln -s /etc a; fi; rm -rf a/",
    ],
)
def test_a_delete_through_a_link_of_the_line_is_refused(session: Session, line: str) -> None:
    assert session.asked(line) == "deny"


@pytest.mark.parametrize(
    "line", ["ln -s / up && echo x > up/etc/f", "ln -s /etc o && cp build/a o/b", "ln -s $X a && rm -rf a/"]
)
def test_a_write_through_a_link_of_the_line_does_not_pass(session: Session, line: str) -> None:
    assert session.asked(line) != "allow"


@pytest.mark.parametrize(
    "line",
    [
        "ln -s build b && rm -rf b/x", "mv build old && mkdir build && rm -rf old", "mkdir -p out/x && rm -rf out",
        "cp -r build b2 && echo x > b2/f", "ln -sfn build current && ls current/",
    ],
)  # fmt: skip
def test_links_within_the_workspace_are_honest_work(session: Session, line: str) -> None:
    assert session.asked(line) == "allow"
