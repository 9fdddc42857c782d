"""The pages of `policy serve` beyond the overview: one decision, the time, charts, coverage, and a change to try."""

from __future__ import annotations

import re
import shlex
import signal
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.end_to_end.browser import PROGRAM, Browser
from tests.end_to_end.conftest import host
from tests.end_to_end.host import SECONDS, STATEFUL
from tests.end_to_end.residence import serving
from tests.end_to_end.test_approve import waiting
from tests.end_to_end.test_serve_http import HOSTILE, LIBRARIES, Http, http

__all__ = ["host", "http"]  # fixtures
ASKS = """
rule pushes "A person agrees to a push" {
  on command git push
  ask "`{c.text}` changes what others have."
}
"""


def _post(http: Http, fields: dict[str, str], **headers: str) -> tuple[int, str]:
    """What a form of the page is answered with."""
    connection = HTTPConnection(http.address, timeout=SECONDS)
    given = {"Authorization": f"Bearer {http.token}", "Content-Type": "application/x-www-form-urlencoded", **headers}
    try:
        connection.request("POST", "/change", urlencode(fields), given)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def pages_of_questions(http: Http) -> tuple[str, ...]:
    """The pages that are asked for with a number or a workspace."""
    workspace = quote(str(http.host.workspace))
    return f"/why?n={_number(http)}", f"/coverage?workspace={workspace}", f"/change?workspace={workspace}"


def _number(http: Http) -> str:
    """The number of the latest decision."""
    found = re.findall(r'href="/why\?n=(\d+)"', http.call("/")[2].decode())
    return str(found[0])


def test_a_decision_is_explained_with_what_each_condition_saw(http: Http) -> None:
    http.hook(http.host.shell(f"echo a && rm '{HOSTILE}'"))
    page = http.call(f"/why?n={_number(http)}")[2].decode()
    tree = page.partition("What each rule saw")[2]
    assert '<span class="allow" title="true">✓</span> <code>c.program == &#34;rm&#34;</code>' in tree
    assert "c.program = <code>rm</code>" in tree and "<img" not in page and "did not apply" in tree
    assert http.call("/why?n=999999")[0] == http.call("/why")[0] == 404
    http.host.write_policy(STATEFUL.replace('"rm"', '"mv"'))
    assert "It was <span" in http.call(f"/why?n={_number(http)}")[2].decode()


def test_the_overview_is_chosen_by_time_and_draws_what_was_interrupted(http: Http) -> None:
    for command in ("ls a", "rm a", "echo 'not ended"):
        http.hook(http.host.shell(command))
    page = http.call("/")[2].decode()
    assert "2 of 4 calls were interrupted: 50.0 of 100" in page and "Time until a hook answered" in page
    assert page.count("<svg") == 2 and "the quote &#39; is not closed" in page.partition("could not be decided")[2]
    tomorrow = time.strftime("%Y-%m-%dT%H:%M", time.localtime(time.time() + 86_400))
    assert "rm a<" in http.call(f"/?until={tomorrow}")[2].decode().partition("<h2>Sessions")[0]
    later = http.call(f"/?since={tomorrow}")[2].decode()
    assert "Nothing was refused" in later and "<svg" not in later and f'value="{tomorrow}"' in later
    assert "rm a<" in http.call("/?since=nonsense")[2].decode()


def test_what_real_sessions_showed_of_the_rules(http: Http) -> None:
    http.hook(http.host.shell("rm a"))
    page = http.call(pages_of_questions(http)[1])[2].decode()
    assert "<strong>no-rm</strong>" in page and "never asked" in page and "builtin" not in page
    assert '<span class="deny" title="false">✗</span> <code>c.program' in page
    assert http.call("/coverage?workspace=/nowhere")[0] == 404


def test_a_change_is_tried_on_the_sessions_and_writes_nothing(http: Http) -> None:
    for command in ("rm a", "ls a"):
        http.hook(http.host.shell(command))
    workspace = str(http.host.workspace)
    before = http.host.policy.read_text()
    assert "when any c in commands { c.program == &#34;rm&#34; }" in http.call(pages_of_questions(http)[2])[2].decode()
    given = {"workspace": workspace, "file": "main.policy"}
    changed = before.replace('c.program == "rm"', 'c.program == "ls"').replace("\n", "\r\n")
    status, page = _post(http, {**given, "text": changed})
    told = page.partition("In the sessions here")[2]
    assert status == 200 and "newly allowed at before_tool" in told and "newly refused at before_tool" in told
    assert '<span class="verdict deny">deny</span> → <span class="verdict allow">allow</span>' in told
    assert "Both decide alike at every event" in _post(http, {**given, "text": before + "\n# a word more\n"})[1]
    broken = _post(http, {**given, "text": before.replace("deny", HOSTILE)})[1]
    assert re.search(rf'class="error">.*{re.escape(workspace)}/.policy/main.policy:\d+:\d+', broken, re.S)
    assert "<img" not in broken and http.host.policy.read_text() == before
    assert not list(Path("/tmp").glob("policies"))
    assert _post(http, {**given, "workspace": "/nowhere", "text": ""})[0] == 404
    other = _post(http, {**given, "file": "../../secret", "text": before})[1]
    assert "<option selected>main.policy</option>" in other


def test_no_part_of_the_page_is_large_however_much_was_decided(http: Http) -> None:
    """What is shown of the log is bounded; `python -m bench page` measures how soon it is painted."""
    for _ in range(30):
        http.hook(http.host.shell("rm " + "x" * 4_000))
    for path in ("/", "/?session=s-1", "/?text=rm", "/style.css", "/page.js"):
        status, _, body = http.call(path)
        assert status == 200 and len(body) < 100 << 10, path


def test_only_the_own_page_of_who_has_the_token_asks_more_than_the_log(http: Http) -> None:
    http.hook(http.host.shell("rm a"))
    given = {"workspace": str(http.host.workspace), "file": "main.policy", "text": ""}
    for path in pages_of_questions(http):
        assert http.call(path, authorization="")[0] == 401
    assert _post(http, given, Authorization="")[0] == 401
    for site in ("cross-site", "same-site"):
        assert _post(http, given, **{"Sec-Fetch-Site": site})[0] == 403
    assert _post(http, given, **{"Sec-Fetch-Site": "same-origin"})[0] == 200


def test_the_page_names_what_waits_for_a_person(http: Http) -> None:
    assert b"Waiting for a person" not in http.call("/")[2]
    http.host.write_policy(STATEFUL + ASKS)
    http.host.environment["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
    http.resident.end(signal.SIGTERM)  # a hook of a run without a person decides by itself
    assert http.host.call(http.host.shell(f"git push {shlex.quote(HOSTILE)}")).refused
    [one] = waiting(http.host)
    with serving(http.host, "--http=0", f"--libraries={LIBRARIES}") as resident:
        assert resident.process.stdout is not None
        address = resident.process.stdout.readline().decode().split()[2].removeprefix("http://").rstrip("/")
        again = Http(http.host, resident, address, http.token)
        page = again.call("/")[2].decode()
        for path in (f"/approve/{one['id']}", "/", f"/?approve={one['id']}"):
            assert again.call(path, {})[0] in (404, 405), "whoever holds the token approves nothing"
    assert f"<code>policy approve {one['id']}</code>" in page and "changes what others have" in page
    assert "<img" not in page and "<button>approve" not in page
    assert waiting(http.host) == [one]


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1200, 480])
def test_a_browser_shows_them_and_sends_the_change(http: Http, tmp_path: Path, width: int) -> None:
    for command in ("rm a", "ls a"):
        http.hook(http.host.shell(command))
    with Browser(tmp_path / "browser", width) as browser:
        for path in pages_of_questions(http):
            browser.open(f"http://x:{http.token}@{http.address}{path}")
            assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        browser.evaluate("document.querySelector('textarea').value += '# nothing else'")
        browser.evaluate("document.querySelector('form[method=post] button').click()")
        browser.until("document.querySelector('main')?.textContent.includes('Both decide alike')")
        assert browser.complaints() == []
