"""The playground in Chromium: the engine's own checker finds, tests and reads regular expressions."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from policy_engine.loading.loader import load_text
from tests.clients.packages import Absent, node, offline
from tests.end_to_end.browser import PROGRAM, Browser
from tests.house.sources import ROOT
from tools import playground

SHOWN = "[...document.querySelectorAll('#findings li, #tests li')].map((one) => one.textContent)"
READY = "!document.querySelector('#state').textContent.includes('loading')"
REGEX = r"""
language 1

rule no-words "Words" {{
  on before_tool(shell)
  when any c in commands {{ c.text matches /{pattern}/ }}
  deny "Leave it out."

  test {{
    shell "echo FÄRBE 12"  => deny
    shell "echo farbe"     => allow
  }}
}}
"""


MANY = """
rule no-{number} "Words" {{
  on before_tool(shell)
  when any c in commands {{ c.text contains "word-{number}" }}
  deny "Leave it out."
  test {{
    shell "echo word-{number}" => deny
    shell "echo word" => allow
  }}
}}
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the page, with its engine."""
    folder = tmp_path_factory.mktemp("playground")
    try:
        npm = shutil.which("npm") or str(node() / "npm")
    except Absent as why:
        (pytest.skip if offline() else pytest.fail)(str(why))
    shutil.copytree(ROOT / "docs" / "playground", folder, dirs_exist_ok=True)
    playground.put(folder, npm)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


def _type(browser: Browser, text: str) -> list[str]:
    """Type a policy, and return what is shown of it once that is another."""
    before = browser.evaluate("document.querySelector('#state').textContent + document.querySelector('main').innerHTML")
    browser.evaluate(f"policy.value = {json.dumps(text)}; policy.dispatchEvent(new Event('input'))")
    browser.until(
        "document.querySelector('#state').textContent + document.querySelector('main').innerHTML "
        f"!== {json.dumps(before)} && !waiting && policy.value === asked"
    )
    found: list[str] = browser.evaluate(SHOWN)
    return found


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1200, 480])
def test_a_policy_is_checked_and_tested_in_the_browser(address: str, tmp_path: Path, width: int) -> None:
    with Browser(tmp_path / "browser", width) as browser:
        browser.open(address)
        for _ in range(5):  # Python is loaded
            if browser.evaluate(READY) or _waited(browser):
                break
        assert browser.evaluate(SHOWN) == ["✓ no-lock-edits, line 8", "✓ no-force-push, line 19"]
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")

        right = browser.evaluate("policy.value")
        wrong = right.replace("before_tool(", "before_tol(")
        [expected] = load_text(wrong, "playground").diagnostics
        [shown] = _type(browser, wrong)
        assert shown == f"4:6 error[{expected.code}]: {expected.message}\nhelp: {expected.help}"
        failing = _type(browser, right.replace('shell "git push"', 'shell "git push --force"'))
        assert len(failing) == 2 and failing[1].startswith("✗ no-force-push") and "expected allow" in failing[1]
        assert _type(browser, "<img src=x onerror=\"document.title='hurt'\">")
        assert browser.evaluate("document.title") == "policy_engine playground"

        many = "\n".join(MANY.format(number=number) for number in range(40))
        shown = _type(browser, f"language 1\n{many}")
        assert [one[0] for one in shown if one[0] in "✓✗"] == ["✓"] * 40 and "`no-1` says `deny` too" in "".join(shown)
        assert "✓ no-words, line 9" in _type(browser, REGEX.format(pattern=r"(?i)färbe \d+$"))
        [refused] = _type(browser, REGEX.format(pattern="(a"))
        [expected] = load_text(REGEX.format(pattern="(a"), "playground").diagnostics
        assert f"error[{expected.code}]: {expected.message}" in refused
        assert browser.complaints() == []


def _waited(browser: Browser) -> bool:
    try:
        browser.until(READY)
    except AssertionError:
        return False
    return True
