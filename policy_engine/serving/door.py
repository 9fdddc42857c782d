"""Serve the resident engine's answers and its page over HTTP on loopback; the only home of the web libraries.

A process of its own beside the resident engine, which it asks as any hook does; it decides nothing, and passes on what
a person says of a call that waits. A host takes any
answer but a 2xx for consent, so a request for a hook is answered with status 200 whatever happens: without the token,
while too much runs, after a failure, the answer is the host's own form of a refusal. Nothing of a body is read for
whom the token is not shown, so that what others can make it hold is bounded.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import anyio
import uvicorn
from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from policy_engine.adapters.base import Adapter, Answer
from policy_engine.adapters.generic import ADAPTER as GENERIC
from policy_engine.audit.log import log_path
from policy_engine.audit.reader import size
from policy_engine.hook_process.approval import grant
from policy_engine.hook_process.hook_entry import find_adapter
from policy_engine.hook_process.residence import residence
from policy_engine.hook_process.resident import ask
from policy_engine.model.errors import EventError
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.model.strict_json import read_json
from policy_engine.serving.codes import Codes, told
from policy_engine.serving.connections import BACKLOG, HEADER_BYTES, KEEP_SECONDS, Guarded, bound_log, provide
from policy_engine.serving.page import Pages, script, style
from policy_engine.serving.questions import waiting
from policy_engine.serving.token import bears, knows

if TYPE_CHECKING:
    from starlette.requests import Request

NAMES = ("127.0.0.1", "localhost")
SLOTS = 16  # requests that are decided at once; half of what the resident engine takes
QUEUE = 64
QUESTIONS = 2  # pages that a command of its own is asked for, at once
FIELDS = 8  # of a form
FOLLOWERS = 32  # pages that hear at once that the log grew
LOOK_SECONDS = 1.0  # between two looks at the log for them
BODIES = 4 * EVENT_BYTES  # bytes of all bodies that are being read or wait for their answer
BODY_SECONDS = 8.0  # for one body; less than what a connection has for its request
KEPT = ("HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL")
PREFIXES = ("XDG_", "POLICY_")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Door:
    """The routes. `folder` is where the resident engine listens; `codes` stand at the terminal of a person."""

    def __init__(self, folder: str, token: str, codes: Codes) -> None:
        self._folder, self._token, self._codes = folder, token, codes
        self._limiter = anyio.CapacityLimiter(SLOTS)
        self._asking = anyio.CapacityLimiter(QUESTIONS)
        self._pages = Pages()
        threading.Thread(target=self._pages.recent.entries, daemon=True).start()  # before somebody waits for it
        self._held = 0  # bytes of bodies
        self._followers = 0
        self.is_ending = False
        names = [name for name in os.environ if name in KEPT or name.startswith(PREFIXES)]
        # no variable of a host: this process may have been started in a session of one
        self._environment = {os.fsencode(name): os.fsencode(os.environ[name]) for name in names}

    def application(self) -> Starlette:
        """The ASGI application. A name that leads here and is not this machine's is another site's doing."""
        routes = [
            Route("/", self.page),
            Route("/why", self.why),
            Route("/coverage", self.coverage),
            Route("/change", self.change, methods=["GET", "POST"]),
            Route("/approve", self.approve, methods=["GET", "POST"]),
            Route("/style.css", self.style),
            Route("/page.js", self.script),
            Route("/live", self.live),
            Route("/status", self.status),
            Route("/hook/{host}", self.hook, methods=["POST"]),
            Route("/decide", self.decide, methods=["POST"]),
        ]
        guard = Middleware(TrustedHostMiddleware, allowed_hosts=list(NAMES), www_redirect=False)
        return Starlette(routes=routes, middleware=[guard])

    async def hook(self, request: Request) -> Response:
        """Answer `POST /hook/HOST[?event=NAME]` with the host's native answer, always with status 200."""
        adapter = find_adapter(request.path_params["host"])
        event_name = request.query_params.get("event")
        if adapter is None:
            return _native(Answer(b"", b"policy engine: E-HOST: this host is not known\n", 2))
        native = event_name or ""
        if not bears(request.headers.get("authorization", ""), self._token):
            return _native(adapter.failure(native, "E-TOKEN", "the request does not carry the engine's token"))
        try:
            async with self._body(request) as data:
                native = _named(adapter, event_name, data)
                return _native(await self._evaluated(adapter, event_name, native, data))
        except EventError as error:
            return _native(adapter.failure(native, error.code, str(error)))
        except Exception as fault:
            return _native(adapter.failure(native, "E-SERVE", f"{type(fault).__name__}: {fault}"))

    async def decide(self, request: Request) -> Response:
        """Answer `POST /decide`, a canonical event, with its Decision."""
        if not bears(request.headers.get("authorization", ""), self._token):
            return _json(b'{"error":"the request does not carry the engine\'s token"}', 401)
        try:
            async with self._body(request) as data:
                answer = await self._evaluated(GENERIC, None, _named(GENERIC, None, data), data)
        except EventError as error:
            answer = GENERIC.failure("", error.code, str(error))
        except Exception as fault:
            answer = GENERIC.failure("", "E-SERVE", f"{type(fault).__name__}: {fault}")
        return _json(answer.stdout, 503 if b'"E-BUSY' in answer.stdout else 200)

    async def status(self, request: Request) -> Response:
        """`GET /status`: what the resident engine is doing."""
        if not knows(request.headers.get("authorization", ""), self._token):
            return _unknown()
        answer = await to_thread.run_sync(ask, ("status",), self._folder)
        return _json(json.dumps(answer).encode(), 200 if answer is not None else 503)

    async def page(self, request: Request) -> Response:
        """`GET /`: the page; its query chooses what it shows (`Pages.overview`, `Pages.session`)."""
        if not knows(request.headers.get("authorization", ""), self._token):
            return _unknown()
        asked = request.query_params
        if "session" in asked:
            return _page(await to_thread.run_sync(self._pages.session, asked))
        status = (await to_thread.run_sync(residence)).text
        return StreamingResponse(self._pages.overview(asked, status, self._codes.are_shown), 200, HEADERS, "text/html")

    async def why(self, request: Request) -> Response:
        """`GET /why?n=NUMBER`: one decision, with what each rule saw."""
        return await self._answered(request, lambda: self._pages.why(request.query_params))

    async def coverage(self, request: Request) -> Response:
        """`GET /coverage?workspace=FOLDER`: what the latest sessions showed of the rules there."""
        return await self._answered(request, lambda: self._pages.coverage(request.query_params))

    async def change(self, request: Request) -> Response:
        """`/change?workspace=FOLDER[&file=NAME]`: a policy to edit; with POST, what the edited `text` would change."""
        if request.method == "GET":
            return await self._answered(request, lambda: self._pages.change(request.query_params))
        given = await self._form(request)
        if isinstance(given, Response):
            return given
        text = given.get("text", "").replace("\r\n", "\n")  # a form ends lines with both
        return await self._answered(request, lambda: self._pages.change(given, text))

    async def approve(self, request: Request) -> Response:
        """`/approve?request=NAME`: a call that waits for a person; with POST and the `code`, it may pass once."""
        if request.method == "GET":
            name, shown = request.query_params.get("request", ""), self._codes.are_shown
            return await self._answered(request, lambda: self._pages.request(name, shown))
        given = await self._form(request)
        if isinstance(given, Response):
            return given
        name = given.get("request", "")
        if self._codes.takes(given.get("code", "")):
            return await to_thread.run_sync(self._approved, name)
        error = "This is not the code that stands at the terminal now."
        page = await to_thread.run_sync(self._pages.request, name, self._codes.are_shown, error)
        return _page(page, 403)

    def _approved(self, name: str) -> Response:
        """Let the call pass that a person approved by their code; the terminal says what came of it."""
        action = next((str(one["action"]) for one in waiting() if one["name"] == name), "")
        try:
            outcome = "approved" if grant(name, "on the page") else "not approved, for it does not wait any more"
        except OSError as error:
            outcome = f"not approved, for it cannot be recorded ({(error.strerror or str(error)).lower()})"
        self._codes.show(told(outcome, action))
        if outcome == "approved":
            return Response(b"", 303, {**HEADERS, "Location": "/"})
        return Response(f"{outcome}\n", 409, HEADERS, "text/plain")

    async def _form(self, request: Request) -> dict[str, str] | Response:
        """Return what a form of the own page holds, or a refusal."""
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        try:
            async with self._body(request) as data:
                return dict(parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=FIELDS))
        except (EventError, ValueError) as error:
            return Response(f"{error}\n", 400, HEADERS, "text/plain")

    async def _answered(self, request: Request, make: Callable[[], str]) -> Response:
        """Answer with a page that a command of its own is asked for."""
        refusal = self._refusal(request)
        return _page(await to_thread.run_sync(make, limiter=self._asking)) if refusal is None else refusal

    def _refusal(self, request: Request) -> Response | None:
        """Refuse who does not show the token, and what the page of another site asks for with the browser's."""
        if not knows(request.headers.get("authorization", ""), self._token):
            return _unknown()
        own = ("", "null", f"http://{request.headers.get('host', '')}")  # the page's own forms tell no origin
        site, origin = request.headers.get("sec-fetch-site", "none"), request.headers.get("origin", "")
        if site not in ("same-origin", "none") or origin not in own:
            return Response("another site's page asks for this\n", 403, HEADERS, "text/plain")
        return None

    async def style(self, _request: Request) -> Response:
        """`GET /style.css`; nothing in it is secret."""
        return Response(style(), 200, HEADERS, "text/css")

    async def script(self, _request: Request) -> Response:
        """`GET /page.js`; nothing in it is secret."""
        return Response(script(), 200, HEADERS, "text/javascript")

    async def live(self, request: Request) -> Response:
        """`GET /live`: a server-sent event now, and one whenever the log is another than at the last look."""
        if not knows(request.headers.get("authorization", ""), self._token):
            return _unknown()
        return StreamingResponse(self._looks(), 200, HEADERS, "text/event-stream")

    async def _looks(self) -> AsyncIterator[str]:
        if self._followers >= FOLLOWERS:
            yield "retry: 60000\n\n"
            return
        self._followers += 1
        try:
            seen: object = self
            while not self.is_ending:
                found = await to_thread.run_sync(size, log_path())
                if found != seen:
                    yield f"data: {found or 0}\n\n"
                seen = found
                await anyio.sleep(LOOK_SECONDS)
        finally:
            self._followers -= 1

    @asynccontextmanager
    async def _body(self, request: Request) -> AsyncIterator[bytes]:
        """The body, held as long as it is needed. Raises EventError if it is too large, too slow, or one too many."""
        size = 0
        try:
            parts = []
            with anyio.fail_after(BODY_SECONDS):
                async for part in request.stream():
                    size += len(part)
                    self._held += len(part)
                    if size > EVENT_BYTES:
                        raise EventError("E-LIMIT", f"the payload has more than EVENT_BYTES ({EVENT_BYTES}) bytes")
                    if self._held > BODIES:
                        raise EventError("E-BUSY", "other payloads take all the room that there is for them")
                    parts.append(part)
            yield b"".join(parts)
        except TimeoutError:
            raise EventError("E-DEADLINE", f"the payload did not arrive within {BODY_SECONDS:.0f} s") from None
        finally:
            self._held -= size

    async def _evaluated(self, adapter: Adapter, event_name: str | None, native: str, data: bytes) -> Answer:
        if self._limiter.statistics().tasks_waiting >= QUEUE:
            return adapter.failure(native, "E-BUSY", "more events wait than can be decided in time")
        request = ("hook", adapter.name, event_name, b"/", self._environment, data)
        answer = await to_thread.run_sync(ask, request, self._folder, limiter=self._limiter)
        if answer is None:
            return adapter.failure(native, "E-BUSY", "the resident engine takes no more events now")
        return Answer(answer[1], answer[2], answer[0])


def _named(adapter: Adapter, event_name: str | None, data: bytes) -> str:
    """The host's name of the event, for a refusal in its form."""
    try:
        return adapter.native(read_json(data), event_name)
    except EventError:
        return event_name or ""


def _native(answer: Answer) -> Response:
    if answer.exit_code and not answer.stdout:  # the event is not known: every form of a refusal that hosts know of
        text = answer.stderr.decode("utf-8", "replace").strip()
        refusal = {"continue": False, "stopReason": text, "decision": "block", "reason": text}
        refusal |= {"permissionDecision": "deny", "permissionDecisionReason": text}
        return _json(json.dumps(refusal).encode())
    return _json(answer.stdout or b"{}")


def _page(text: str, status: int = 200) -> Response:
    if not text:
        return Response("nothing is known of this\n", 404, HEADERS, "text/plain")
    return Response(text, status, HEADERS, "text/html")


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, HEADERS, "application/json")


def _unknown() -> Response:
    asks = {"WWW-Authenticate": 'Basic realm="policy serve: any name, and the token as password", charset="UTF-8"'}
    return Response("the token is needed\n", 401, {**HEADERS, **asks}, "text/plain")


def open_door(listener: socket.socket, folder: str, token: str, terminal: int) -> None:
    """Serve until standard input ends, which the resident engine holds; `terminal` shows codes, if it is not -1."""
    provide()
    bound_log()
    codes = Codes(terminal)
    door = Door(folder, token, codes)
    config = uvicorn.Config(
        door.application(),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        loop="asyncio",
        http=Guarded,
        ws="none",
        backlog=BACKLOG,
        log_config=None,
        h11_max_incomplete_event_size=HEADER_BYTES,
        timeout_keep_alive=KEEP_SECONDS,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)

    def end() -> None:
        while os.read(0, 1):
            pass
        door.is_ending = server.should_exit = True

    threading.Thread(target=end, daemon=True).start()
    address, port = listener.getsockname()
    sys.stdout.write(f"policy serve: http://{address}:{port}/ (the token is in {folder}/token)\n")
    sys.stdout.flush()
    codes.show()
    server.run(sockets=[listener])
