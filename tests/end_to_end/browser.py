"""A browser without a window → what its page holds, asked over the two pipes of its debugging protocol."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SECONDS = 60
_AS_3_AND_4 = """import fcntl, os, sys
given = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
os.dup2(given[0], 3), os.dup2(given[1], 4)
os.execv(sys.argv[3], sys.argv[3:])"""
_OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")


class Browser:
    """Chromium with one page; `evaluate` asks that page, `until` waits for an answer that is true."""

    def __init__(self, folder: Path, width: int = 1200) -> None:
        (theirs_in, self._out), (self._in, theirs_out) = os.pipe(), os.pipe()
        pipes = [sys.executable, "-c", _AS_3_AND_4, str(theirs_in), str(theirs_out), str(PROGRAM)]
        options = [*_OPTIONS, f"--user-data-dir={folder}", f"--window-size={width},900", "about:blank"]
        self._process = subprocess.Popen(
            [*pipes, *options], pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._read, self._number, self._session = b"", 0, ""
        self.said: list[dict[str, Any]] = []
        pages = [one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        target = pages[0]["targetId"] if pages else self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait(SECONDS)
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, **params: Any) -> Any:
        """What a method of the protocol answers; what is said by itself meanwhile is kept in `said`."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self.said.append(answer)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            data = os.read(self._in, 1 << 16)
            assert data, "the browser ended"
            self._read += data
        line, _, self._read = self._read.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def open(self, address: str) -> None:
        """Load a page, and wait for it."""
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """The value of an expression once it is true."""
        end = time.monotonic() + SECONDS
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)
        return value

    def complaints(self) -> list[str]:
        """What the browser complained of: errors of scripts and what the policy of the page's content kept out."""
        told = [one["params"]["entry"]["text"] for one in self.said if one.get("method") == "Log.entryAdded"]
        thrown = [str(one["params"]) for one in self.said if one.get("method") == "Runtime.exceptionThrown"]
        return told + thrown
