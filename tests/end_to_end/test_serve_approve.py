"""A person approves a call on the page of `policy serve`, by a code that stands at its terminal alone."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from policy_engine.serving.codes import TRIES, VOIDS
from tests.end_to_end.browser import PROGRAM, Browser
from tests.end_to_end.conftest import host
from tests.end_to_end.host import SECONDS, Host
from tests.end_to_end.terminal import started_at_terminal
from tests.end_to_end.test_approve import POLICY, environment, headless, waiting
from tests.end_to_end.test_serve_http import HOSTILE, Http, http

__all__ = ["headless", "host", "http"]  # fixtures
COMMAND = f"git push {shlex.quote(HOSTILE)}"


@dataclass
class Terminal:
    """A person's terminal at which `policy serve --http` runs."""

    host: Host
    handle: int
    said: str = ""
    place: int = 0

    def next(self, pattern: str) -> str:
        """The next of what fits, once it is there."""
        end = time.monotonic() + SECONDS
        while not (found := re.compile(pattern).search(self.said, self.place)):
            assert time.monotonic() < end, self.said
            if select.select([self.handle], [], [], 0.1)[0]:
                self.said += os.read(self.handle, 1 << 16).decode()
        self.place = found.end()
        return found[1]

    def code(self) -> str:
        """The next code."""
        return self.next(r"on the page: ([a-z2-9-]{14})\r?\n")


@dataclass
class Door:
    """The page, as who has the token reaches it."""

    address: str
    token: str

    def send(self, fields: dict[str, str] | None, path: str = "/approve", **headers: str) -> tuple[int, str]:
        """The answer to a form, or to a page that is asked for."""
        connection = HTTPConnection(self.address, timeout=SECONDS)
        given = {"Authorization": f"Bearer {self.token}", **headers}
        method = "GET" if fields is None else "POST"
        try:
            connection.request(method, path, None if fields is None else urlencode(fields), given)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def form(self) -> tuple[str, str]:
        """The address of the form of the only call that waits, and the name of the request in it."""
        path = re.findall(r'href="(/approve\?request=[0-9a-f]+)"', self.send(None, "/")[1])[0]
        return path, path.partition("=")[2]


@pytest.fixture
def terminal(headless: Host) -> Iterator[Terminal]:
    command = [sys.executable, "-P", "-m", "policy_engine", "serve", "--http", "0"]
    with started_at_terminal(command, environment(headless), headless.workspace) as (handle, report):
        yield Terminal(headless, handle)
        os.write(handle, b"\x03")
        os.read(report, 16)


@pytest.fixture
def door(terminal: Terminal) -> Door:
    """The door of that engine; a call waits for a person."""
    address = terminal.next(r"http://(127\.0\.0\.1:\d+)/")
    assert terminal.host.call(terminal.host.shell(COMMAND)).refused
    return Door(address, (terminal.host.state / "serve/token").read_text())


def passes(host: Host, command: str = COMMAND, **other: Any) -> bool:
    """Whether a call passes that a rule asks about."""
    return host.call({**host.shell(command), **other}).verdict == "allow"


def test_a_call_passes_once_by_the_code(terminal: Terminal, door: Door) -> None:
    path, name = door.form()
    page = door.send(None, path)[1]
    assert 'autocomplete="off"' in page and "changes what others have" in page and "<img" not in page
    code = terminal.code()
    assert door.send({"request": name, "code": code})[0] == 303
    assert terminal.next(r"(approved: git push [^\n]*)\n") and terminal.code() != code
    assert "approved on the page, once" in door.send(None, "/")[1] and waiting(terminal.host) == []
    assert passes(terminal.host) and not passes(terminal.host)


def test_a_code_stands_at_the_terminal_alone(terminal: Terminal, door: Door) -> None:
    path, name = door.form()
    first = terminal.code()
    door.send({"request": name, "code": first})
    texts = [door.send(None, each)[1] for each in ("/", path, "/status", "/?session=s-1")]
    kept = [one.read_bytes() for one in terminal.host.state.rglob("*") if one.is_file()]
    resident = json.loads(texts[2])["pid"]
    children = Path(f"/proc/{resident}/task/{resident}/children").read_text().split()
    started = [
        Path(f"/proc/{each}/{of}").read_bytes() for each in (resident, *children) for of in ("environ", "cmdline")
    ]
    for code in (first, terminal.code()):
        for form in (code, code.replace("-", "")):
            assert all(form not in text for text in texts)
            assert all(form.encode() not in data for data in (*kept, *started))


@pytest.mark.requirement("R21")
def test_no_other_code_approves_anything(terminal: Terminal, door: Door) -> None:
    _, name = door.form()
    code = terminal.code()
    for fields in ({"request": name}, {"request": name, "code": code[:-1]}, {"request": name, "code": door.token}):
        status, page = door.send(fields)
        assert status == 403 and "This is not the code" in page and code not in page
    assert door.send({"request": name}, f"/approve?code={code}")[0] == 403, "never in an address"
    assert not passes(terminal.host)
    assert door.send({"request": name, "code": code})[0] == 303 and passes(terminal.host)
    assert not passes(terminal.host)
    assert door.send({"request": name, "code": code})[0] == 403, "it was used"
    assert not passes(terminal.host)


@pytest.mark.requirement("R21")
def test_a_code_approves_what_the_form_showed_and_nothing_else(terminal: Terminal, door: Door) -> None:
    _, name = door.form()
    assert door.send({"request": name, "code": terminal.code()})[0] == 303
    assert not passes(terminal.host, "git push --tags")
    assert not passes(terminal.host, session_id="s-2")
    terminal.host.write_policy(POLICY.replace("others have", "all have"))
    assert not passes(terminal.host)


@pytest.mark.parametrize("name", ["", "../token", "0" * 32, "socket"])
def test_a_code_for_what_does_not_wait_is_used_up(terminal: Terminal, door: Door, name: str) -> None:
    _, real = door.form()
    code = terminal.code()
    assert door.send({"request": name, "code": code})[0] == 409
    assert terminal.next("(not approved, for it does not wait any more)")
    assert door.send({"request": real, "code": code})[0] == 403
    assert not passes(terminal.host)


def test_a_request_that_is_over_is_not_approved(terminal: Terminal, door: Door) -> None:
    path, name = door.form()
    [kept] = (terminal.host.state / "approvals").iterdir()
    request = json.loads(kept.read_text())
    kept.write_text(json.dumps({**request, "at": request["at"] - 601_000}))
    assert door.send(None, path)[0] == 404
    assert door.send({"request": name, "code": terminal.code()})[0] == 409
    assert not passes(terminal.host)


def test_only_the_own_page_of_who_has_the_token_sends_a_code(terminal: Terminal, door: Door) -> None:
    path, name = door.form()
    given = {"request": name, "code": terminal.code()}
    for site in ("cross-site", "same-site"):
        assert door.send(given, **{"Sec-Fetch-Site": site})[0] == door.send(None, path, **{"Sec-Fetch-Site": site})[0]
        assert door.send(given, **{"Sec-Fetch-Site": site})[0] == 403
    assert door.send(given, Origin="http://evil.example")[0] == 403
    assert door.send(given, Origin="http://localhost:1")[0] == 403
    assert door.send(given, Host="evil.example")[0] == 400
    assert door.send(given, Authorization="")[0] == door.send(None, path, Authorization="")[0] == 401
    assert not passes(terminal.host)
    assert door.send(given, Origin=f"http://{door.address}")[0] == 303, "none of these was a try"


def test_wrong_codes_leave_the_terminal_alone_in_the_end(terminal: Terminal, door: Door) -> None:
    path, name = door.form()
    codes = [terminal.code()]
    for _ in range(VOIDS):
        for _ in range(TRIES):
            assert door.send({"request": name, "code": "wrong"})[0] == 403
        if len(codes) < VOIDS:
            codes.append(terminal.code())
    assert terminal.next("(no call is approved on the page until a new start)")
    for code in codes:
        assert door.send({"request": name, "code": code})[0] == 403
    page = door.send(None, path)[1]
    assert "<form" not in page and f"policy approve {name[:8]}" in page and not passes(terminal.host)


@pytest.mark.requirement("R21")
def test_without_a_terminal_the_page_names_the_command(http: Http) -> None:
    http.host.write_policy(POLICY)
    http.host.environment["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
    assert http.host.call(http.host.shell(COMMAND)).refused
    [one] = waiting(http.host)
    door = Door(http.address, http.token)
    overview = door.send(None, "/")[1]
    assert f"<code>policy approve {one['id']}</code>" in overview and "/approve" not in overview
    name = next((http.host.state / "approvals").iterdir()).name
    page = door.send(None, f"/approve?request={name}")[1]
    assert "<form" not in page and f"policy approve {one['id']}" in page
    for code in ("", "aaaa-aaaa-aaaa"):
        assert door.send({"request": name, "code": code})[0] == 403
    assert waiting(http.host) == [one]


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1200, 480])
def test_a_person_approves_in_a_browser(terminal: Terminal, door: Door, tmp_path: Path, width: int) -> None:
    with Browser(tmp_path / "browser", width) as browser:
        browser.open(f"http://x:{door.token}@{door.address}/")
        browser.evaluate("document.querySelector('a[href^=\"/approve\"]').click()")
        browser.until("document.querySelector('input[name=code]') !== null")
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
        browser.evaluate(f"document.querySelector('input[name=code]').value = '{terminal.code()}'")
        browser.evaluate("document.querySelector('form[method=post] button').click()")
        browser.until("document.querySelector('main')?.textContent.includes('approved on the page, once')")
        assert browser.complaints() == []
    assert passes(terminal.host)
