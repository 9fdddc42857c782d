"""Tell that code acts when a run of tests is over: what it prints then stands behind the runner's summary.

A program behind a pipe (`| tail -1`) may show that alone. Tools whose summary another process prints, which waits for
the one with the tests (`go test`, `dotnet test`, Gradle), are not asked about. Not on the hook path: it is imported
when a session wrote a file of code.
"""

from __future__ import annotations

import re

_EVENTS = r"SIG\w+|uncaught\w+|unhandled\w+|rejectionHandled|multipleResolves|warning|message|disconnect|worker"
_AT_THE_END = {
    "python": r"\batexit\b|\bfinalize\b|\b__del__\b"
    r"|\bpytest_(?:unconfigure|sessionfinish|terminal_summary|report_teststatus)\b",
    "javascript": r"\bprocess['\"`)\s]*(?:\?\.|\.|\[\s*['\"`])\s*"
    rf"(?:on|once|(?:add|prepend|prependOnce)Listener)\b['\"`\]\s]*\(\s*(?!(['\"`])(?:{_EVENTS})\1\s*,)"
    r"|\bFinalizationRegistry\b|['\"`](?:signal-exit|exit-hook|async-exit-hook|node-cleanup|when-exit)['\"`]",
    "ruby": r"\bat_exit\b|^\s*END\s*\{|\bdefine_finalizer\b|\bafter_run\b",
    "php": r"\bregister_shutdown_function\b|\bfunction\s+__destruct\b",
    "rust": r"\batexit\b|\bdtor\b|\.fini_array",
    "elixir": r"\bat_exit\b|\bafter_suite\b",
    "swift": r"\batexit\b",
}
_JS_ALIAS = re.compile(
    r"(?:\w|\{[^{}\n]*\b(?:on|once|\w+Listener)\b[^{}\n]*\})\s*=\s*"
    r"(?:process|require\s*\(\s*['\"`](?:node:)?process['\"`]\s*\))\s*(?:[;,)]|$)",
    re.MULTILINE,
)
_JS_EXIT = re.compile(r"['\"`](?:beforeE|e)xit['\"`]")
_COMPILED = {ecosystem: re.compile(text, re.MULTILINE) for ecosystem, text in _AT_THE_END.items()}


def tells_last(ecosystem: str, text: str) -> bool:
    """Return whether code of an ecosystem does something when the process ends."""
    if ecosystem == "javascript" and _JS_ALIAS.search(text) and _JS_EXIT.search(text):
        return True
    pattern = _COMPILED.get(ecosystem)
    return pattern is not None and pattern.search(text) is not None
