"""The HTTP door of `policy serve`: hosts that call an address, the token, and the page as a browser shows it."""

from __future__ import annotations

import base64
import json
import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.browser import PROGRAM, Browser
from tests.end_to_end.host import NO_LS, POLICY, SECONDS, STATEFUL, Host
from tests.end_to_end.residence import Resident, serving

starlette = pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("jinja2")
LIBRARIES = Path(starlette.__file__).parent.parent
FOLLOWERS = pytest.importorskip("policy_engine.serving.door").FOLLOWERS
OPENED = "document.querySelector('[data-name=layers]').open"
HOSTILE = "<img src=x onerror=\"document.title='hurt'\">"


@dataclass(frozen=True)
class Http:
    """A resident engine with its door."""

    host: Host
    resident: Resident
    address: str
    token: str

    def call(
        self, path: str, body: Any = None, authorization: str | None = None, host: str = ""
    ) -> tuple[int, dict[str, str], bytes]:
        """One request with the token, or with another `Authorization`."""
        connection = HTTPConnection(self.address, timeout=SECONDS)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}" if authorization is None else authorization}
        try:
            connection.request(
                "GET" if data is None else "POST", path, data, headers | ({"Host": host} if host else {})
            )
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    @contextmanager
    def stream(self) -> Iterator[HTTPResponse]:
        """An answer that does not end by itself."""
        with closing(HTTPConnection(self.address, timeout=SECONDS)) as connection:
            connection.request("GET", "/live", headers={"Authorization": f"Bearer {self.token}"})
            with connection.getresponse() as response:
                yield response

    def hook(self, payload: Any, **options: Any) -> dict[str, Any]:
        """The body that a host sees; the status is never one that it takes for consent by failure."""
        status, _, body = self.call("/hook/claude-code", payload, **options)
        assert status == 200
        found: dict[str, Any] = json.loads(body)
        return found


@pytest.fixture
def http(host: Host) -> Iterator[Http]:
    """Its policy is compiled."""
    host.write_policy(STATEFUL)
    host.warm()
    with serving(host, "--http=0", f"--libraries={LIBRARIES}") as resident:
        assert resident.process.stdout is not None
        line = resident.process.stdout.readline().decode()
        token = (resident.folder / "token").read_text()
        assert token not in line
        yield Http(host, resident, line.split()[2].removeprefix("http://").rstrip("/"), token)


def denied(answer: dict[str, Any]) -> str:
    """The reason of a refused call."""
    found = answer["hookSpecificOutput"]
    assert found["permissionDecision"] == "deny"
    return str(found["permissionDecisionReason"])


def test_a_repository_inside_takes_no_policy_away_behind_the_door(http: Http) -> None:
    inner = http.host.workspace / "inner"
    (inner / ".git").mkdir(parents=True)
    http.hook(http.host.payload("SessionStart", source="startup"))
    for folder in (str(inner), "/tmp"):
        assert denied(http.hook({**http.host.shell("rm a"), "cwd": folder})), folder


def test_a_hook_gets_what_the_command_says_on_standard_output(http: Http) -> None:
    http.host.asks = False
    for event in (http.host.shell("rm a"), http.host.wrote("src/a.py", "c1"), http.host.stop()):
        alone = http.host.call({**event, "session_id": "s-2"})
        assert http.hook(event) == json.loads(alone.out or b"{}")
    http.resident.end(signal.SIGTERM)
    assert http.host.call(http.host.stop()).refused  # the session is the same


@pytest.mark.requirement("R1")
def test_whatever_is_wrong_with_a_request_of_a_host_is_a_refusal_and_no_error(http: Http) -> None:
    call = http.host.shell("ls")
    assert http.hook(call) == {}
    for authorization in ("", "Bearer x", f"Basic {base64.b64encode(f'x:{http.token}'.encode()).decode()}"):
        refused = http.hook(call, authorization=authorization)  # whose event nobody has read
        assert refused["continue"] is False and "E-TOKEN" in refused["reason"]
    assert "E-LIMIT" in http.hook(b" " * (1 << 25))["reason"]
    for body in (b"", b"{", b"[]", b"\xff"):
        assert http.hook(body)["continue"] is False
    status, _, body = http.call("/hook/nobody", call)
    assert (status, json.loads(body)["decision"]) == (200, "block")


@pytest.mark.fault(84)
def test_without_the_resident_engine_a_host_is_refused(http: Http) -> None:
    os.kill(http.resident.process.pid, signal.SIGSTOP)
    assert "E-BUSY" in denied(http.hook(http.host.shell("ls")))
    os.kill(http.resident.process.pid, signal.SIGCONT)
    assert http.hook(http.host.shell("ls")) == {}


def test_a_canonical_event_gets_its_decision(http: Http) -> None:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "rm a"}}
    place = str(http.host.workspace)
    event = {"hook": "before_tool", "session": "s-9", "id": "e-1", "cwd": place, "workspace": place, "tool": tool}
    status, _, body = http.call("/decide", event)
    decision = json.loads(body)
    assert (status, decision["verdict"], decision["event"], decision["rules"][0]["rule"]) == (
        200,
        "deny",
        "e-1",
        "no-rm",
    )
    assert json.loads(http.call("/decide", {**event, "cwd": 7})[2])["verdict"] == "deny"
    assert http.call("/decide", event, authorization="Bearer x")[0] == 401


def test_another_sites_name_for_this_machine_is_not_served(http: Http) -> None:
    """A page of another site that makes its own name lead here can read nothing."""
    for path, body in (("/", None), ("/status", None), ("/hook/claude-code", http.host.shell("ls"))):
        assert http.call(path, body, host="evil.example")[0] == 400
    headers = http.call("/")[1]
    assert not [name for name in headers if name.lower().startswith("access-control")]


def test_the_token_is_private_and_needed_to_look(http: Http) -> None:
    file = http.resident.folder / "token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and len(http.token) > 30
    for path in ("/", "/?session=s-1", "/status"):
        status, headers, _ = http.call(path, authorization="")
        assert (status, headers["www-authenticate"][:5]) == (401, "Basic")
        assert http.call(path, authorization="Basic !")[0] == 401
        assert http.call(path)[0] in (200, 404)
    http.resident.end(signal.SIGTERM)
    file.chmod(0o644)
    assert "not private" in Resident(http.host, "--http=0", f"--libraries={LIBRARIES}").refusal()


def test_the_door_ends_with_the_engine_whatever_ended_that(http: Http) -> None:
    http.resident.end(signal.SIGKILL)
    with pytest.raises(OSError):  # noqa: PT012 -- until nobody listens any more
        for _ in range(1000):
            http.call("/status")


def test_the_page_shows_sessions_decisions_reasons_and_policies_and_escapes_all_of_it(http: Http) -> None:
    http.host.write_policy(NO_LS, "more.policy")
    http.hook(http.host.shell(f"rm {HOSTILE}; ls \u202e", session_id=HOSTILE))
    (http.host.workspace / ".policy" / "broken.policy").write_text("nonsense")
    http.hook(http.host.shell("rm a"))
    status, headers, body = http.call("/")
    page = body.decode()
    allowed = dict(one.strip().split(" ", 1) for one in headers["content-security-policy"].split(";"))
    assert status == 200 and allowed.pop("default-src") == "'none'"
    assert {allowed.pop(name) for name in ("style-src", "script-src", "connect-src", "form-action")} == {"'self'"}
    assert set(allowed.values()) == {"'none'"}
    assert "&lt;img src=x" in page and "<img" not in page and "\u202e" not in page
    assert page.count("<script") == 1 and '<script src="/page.js" defer></script>' in page
    for shown in ("no-rm", "c.program", "nonsense", "sha256:", "claude-code", str(http.host.workspace), "builtin"):
        assert shown in page, shown
    session = http.call("/?session=s-1")[2].decode()
    assert "removes files" in session and "&lt;img" not in session
    assert http.call("/?session=nobody")[0] == 404


OVER = """
rule over "It is over" {
  severity high
  on before_tool(fetch)
  stop over_now "A person takes over."
}

rule clean "Work starts from a clean tree" {
  severity low
  on before_tool(read)
  when not git.clean
  warn "Commit first."
}
"""


def test_the_page_tells_what_was_stopped_what_was_not_decided_and_what_it_shows(http: Http) -> None:
    http.host.write_policy(POLICY + OVER)
    call = http.host.payload
    http.hook(call("PreToolUse", session_id="s-over", tool_name="WebFetch", tool_input={"url": "http://a.example/"}))
    http.hook(call("PreToolUse", session_id="s-read", tool_name="Read", tool_input={"file_path": "a"}))
    http.hook(http.host.shell("echo 'not ended", session_id="s-odd"))
    http.hook(call("SessionEnd", session_id="s-odd", reason="other"))
    page = http.call("/")[2].decode()
    assert '<span class="stop">stopped: over_now</span>' in page and '<span class="dim">ended</span>' in page
    assert '<em class="undecided">undecided</em>' in page and "<summary>" in page
    assert f"pid {http.resident.process.pid}" in page and http.address in page and " answers, 3 sessions" in page
    assert 'http-equiv="refresh"' in page and 'href="/?still=1"' in page
    for path in ("/?still=1", "/?session=s-over&still=1"):
        still = http.call(path)[2].decode()
        assert 'http-equiv="refresh"' not in still and "follow what is decided" in still and "<script" not in still


def test_the_page_is_searched_and_paged_and_a_session_reads_forwards(http: Http) -> None:
    for number in range(26):
        http.hook(http.host.shell(f"rm file-{number}", session_id="s-many"))
    http.hook(http.host.shell("echo fine", session_id="s-fine"))
    call = http.host.payload
    told = {"stdout": "fine was printed", "stderr": "", "interrupted": False}
    http.hook(call("PostToolUse", session_id="s-fine", tool_name="Bash", tool_input={"command": "echo fine"},
                   tool_response=told))  # fmt: skip
    page = http.call("/")[2].decode()
    assert page.index("Rules that spoke") < page.index("Latest refusals") < page.index("<h2>Sessions")
    assert '<td class="number">26<span' in page and 'href="/?page=1&amp;">older' in page and "file-25" in page
    assert "rm file-0<" not in page
    second = http.call("/?page=1")[2].decode()
    assert "rm file-0<" in second and "rm file-25<" not in second.partition("<h2>Sessions")[0]
    found = http.call("/?text=FILE-7&rule=no-rm&verdict=deny&host=claude")[2].decode().partition("<h2>Sessions")[0]
    assert "rm file-7<" in found and "rm file-8<" not in found and 'value="FILE-7"' in found
    assert "Nothing was refused" in http.call("/?rule=none-such&page=99")[2].decode()
    forwards = http.call("/?session=s-many")[2].decode()
    assert forwards.index("file-1<") < forwards.index("file-2<") and "policy why" in forwards
    fine = http.call("/?session=s-fine")[2].decode()
    assert "fine was printed" in fine and "exit 0" in fine


def test_a_rule_stands_beside_its_refusal_as_long_as_it_is_what_decided(http: Http) -> None:
    http.hook(http.host.shell("rm a"))
    page = http.call("/")[2].decode()
    for shown in (page, http.call("/?session=s-1")[2].decode()):
        text = shown.partition("<pre>rule no-rm")[2].partition("</pre>")[0]
        assert "when any c in commands { c.program == &#34;rm&#34; }\n  deny" in text and text.endswith("\n}")
    silent = page.partition('data-name="silent"')[2].partition("</ul>")[0]
    assert "2 of 3 rules said nothing in this part of the log" in silent
    assert "<strong>tests-pass</strong> Tests pass after the last change" in silent and "no-rm" not in silent
    http.host.write_policy(STATEFUL.replace("Nothing is removed", "Nothing at all is removed"))
    http.hook(http.host.shell("echo a"))
    page = http.call("/")[2].decode()
    assert "<pre>rule" not in page and "main.policy:3:1" in page


def test_a_record_of_the_log_cannot_make_the_page_show_another_file(http: Http) -> None:
    hidden = http.host.workspace / "hidden.policy"
    hidden.write_text('language 1\nrule hidden "H" { on prompt warn "kept to myself" }\n')
    http.hook(http.host.shell("rm a"))
    [log] = http.host.state.glob("*.jsonl")
    record = json.loads(log.read_text().splitlines()[-1])
    endless = record["rules"][0]["at"].replace(":3:1", f":{'9' * 5000}:1")
    for place in (endless, f"{hidden}:2:1", f"pack:../../{hidden}:2:1", ":", "a:b", "::"):
        record["rules"][0]["at"] = place
        with log.open("a") as file:
            file.write(json.dumps(record) + "\n")
    status, _, body = http.call("/")
    assert status == 200 and b"kept to myself" not in body and str(hidden).encode() in body


def test_only_who_knows_the_token_hears_that_the_log_grew(http: Http) -> None:
    assert http.call("/live", authorization="")[0] == 401
    http.hook(http.host.shell("rm a"))
    with http.stream() as stream:
        assert (stream.readline()[:6], stream.readline()) == (b"data: ", b"\n")
        http.hook(http.host.shell("rm b"))
        assert (stream.readline()[:6], stream.readline()) == (b"data: ", b"\n")
        http.resident.process.send_signal(signal.SIGTERM)
        assert stream.read() == b""
    assert http.resident.process.wait(SECONDS) == 0


def test_no_more_pages_hear_of_the_log_than_there_is_room_for(http: Http) -> None:
    with http.stream() as first, ExitStack() as pages:
        assert first.readline().startswith(b"data: ")
        assert [_follows(http, pages) for _ in range(FOLLOWERS)] == [True] * (FOLLOWERS - 1) + [False]
        pages.close()
        end = time.monotonic() + SECONDS
        while not all(_follows(http, pages) for _ in range(FOLLOWERS - 1)):
            pages.close()
            assert time.monotonic() < end, "a page that was closed still holds its room"


def _follows(http: Http, pages: ExitStack) -> bool:
    """Open one more page, and detect whether it hears of the log."""
    told = pages.enter_context(http.stream()).readline()
    assert told.startswith(b"data: ") or told == b"retry: 60000\n"
    return told.startswith(b"data: ")


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1200, 480])
def test_a_browser_follows_what_is_decided_and_runs_nothing_of_it(http: Http, tmp_path: Path, width: int) -> None:
    http.hook(http.host.shell(f"rm '{HOSTILE}'", session_id="<script>document.title='hurt'</script>"))
    with Browser(tmp_path / "browser", width) as browser:
        browser.open(f"http://x:{http.token}@{http.address}/")
        browser.evaluate("document.mine = 'not loaded again'")
        browser.evaluate(f"{OPENED} = true; document.querySelector('main a').focus()")
        focused = browser.evaluate("document.activeElement.getAttribute('href')")
        browser.evaluate("document.querySelector('input[name=text]').value = 'half a wo'")
        http.hook(http.host.shell("rm later", session_id="s-later"))
        browser.until("document.querySelector('main').textContent.includes('rm later')")
        assert browser.evaluate("document.mine") == "not loaded again"
        assert browser.evaluate(OPENED)
        assert browser.evaluate("document.activeElement.getAttribute('href')") == focused
        assert browser.evaluate("document.querySelector('input[name=text]').value") == "half a wo"
        assert browser.evaluate("document.title") == "policy serve"
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
        browser.evaluate("document.querySelector('.rule summary').focus()")
        shown = "document.activeElement.parentElement.open"
        before = browser.evaluate(shown)
        for kind in ("keyDown", "keyUp"):
            browser.call(
                "Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13
            )
        assert browser.evaluate(shown) is not before
        browser.open(f"http://{http.address}/?still=1")
        http.hook(http.host.shell("rm never", session_id="s-later"))
        assert browser.evaluate("document.scripts.length") == 0
        assert browser.complaints() == []


def test_without_its_libraries_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from policy_engine import cli
    from policy_engine.commands import serve

    said: list[str] = []
    monkeypatch.setattr(serve, "NEEDED", ("starlette", "a_library_that_is_not_there"))
    monkeypatch.setattr("sys.stderr", type("Errors", (), {"write": lambda _self, text: said.append(text)})())
    assert cli.main(["serve", "--http", "0"]) == 2
    assert "a_library_that_is_not_there" in said[0] and "policy_engine[serve]" in said[0]
