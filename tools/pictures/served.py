"""Draw the page of `policy serve` as a browser shows it, after some sessions were decided."""

from __future__ import annotations

import base64
import importlib.util
import json
import sys
import tempfile
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.end_to_end.browser import PROGRAM, Browser
from tests.end_to_end.host import SECONDS, Host
from tests.end_to_end.residence import serving
from tools.pictures.terminal import write

POLICY = """\
language 1

import "pack:security/no-force-push-protected"
import "pack:security/no-git-discard"
import "pack:acceptance/tests-after-change"
"""
WIDTH, HEIGHT = 1200, 940
QUALITY = 80
SHORTER = """
(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) node.data = node.data.replaceAll(%s, "~");
})()
"""


def make() -> list[Path]:
    """Draw the page; without a browser or the libraries of the page it is left out, and that is said."""
    starlette = importlib.util.find_spec("starlette")
    if PROGRAM is None or starlette is None or starlette.origin is None:
        print("serve: no picture: it needs Chromium and `policy_engine[serve]`", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder:
        host = Host(Path(folder).resolve())
        host.workspace = host.home / "project"
        host.workspace.mkdir()
        host.write_policy(POLICY)
        host.warm()
        libraries = Path(starlette.origin).parents[1]
        with serving(host, "--http=0", f"--libraries={libraries}") as resident:
            assert resident.process.stdout is not None
            address = resident.process.stdout.readline().decode().split()[2].removeprefix("http://").rstrip("/")
            token = (resident.folder / "token").read_text()
            for event in _events(host):
                _send(address, token, event)
            return [write("serve.webp", _seen(f"http://x:{token}@{address}/?still=1", host.home, host.home.parent))]


def _events(host: Host) -> list[dict[str, Any]]:
    """Return what three sessions propose and report."""
    path = str(host.workspace / "src" / "cart.py")
    write = host.payload("PreToolUse", tool_name="Write", tool_input={"file_path": path, "content": "x"})
    return [
        {**host.shell("git checkout -- src/cart.py"), "session_id": "clean-up"},
        {**host.shell("git push origin +main"), "session_id": "release-2"},
        {**write, "session_id": "cart", "tool_use_id": "c1"},
        {**host.wrote("src/cart.py", "c1"), "session_id": "cart"},
        {**host.stop(), "session_id": "cart"},
        {**host.shell("git push --force origin main"), "session_id": "release-2"},
    ]


def _send(address: str, token: str, event: dict[str, Any]) -> None:
    """Report an event as Claude Code does."""
    connection = HTTPConnection(address, timeout=SECONDS)
    connection.request("POST", "/hook/claude-code", json.dumps(event), {"Authorization": f"Bearer {token}"})
    connection.getresponse().read()
    connection.close()


def _seen(address: str, home: Path, folder: Path) -> bytes:
    """Return the page as an image, with a shorter name for the home."""
    with Browser(folder / "browser", WIDTH) as browser:
        browser.call(
            "Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False
        )
        browser.call("Emulation.setScrollbarsHidden", hidden=True)
        browser.open(address)
        browser.evaluate(SHORTER % json.dumps(str(home)))
        found = browser.call("Page.captureScreenshot", format="webp", quality=QUALITY)
        return base64.b64decode(found["data"])
