"""Find functions of a source that do something else since the session where tests run than elsewhere.

Rust compiles code for tests alone (`cfg(test)`), or for a build with checks (`debug_assertions`): a function of the
commit that is written twice now, or that returns early under such a condition, passes its tests and is not what is
shipped. What a new function does, checks and logs under such a condition, and imports for tests are no such thing. Not
on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.test_runs.session_changes import Changes

_WORDS = r"(?:not\s*\(\s*)?(?:test|debug_assertions)\b\s*\)?"
_DOES = re.compile(
    rf"\bif\s+!?\s*cfg!\s*\(\s*{_WORDS}\s*\)\s*\{{(?:[^{{}}]*\breturn\b[^{{}}]*\}}|[^{{}}]*\}}\s*else\b)"
    rf"|\bmatch\s+cfg!\s*\(\s*{_WORDS}\s*\)"
    rf"|#\[cfg\(\s*{_WORDS}\s*\)\]\s*(?:return\b|\{{[^{{}}]*\breturn\b)"
)
_WRITTEN = re.compile(
    rf"#\[cfg\(\s*({_WORDS})\s*\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe)\s+)*fn\s+(\w+)"
)


def other_in_tests(changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield the sources with what their functions do for tests alone, which they did not do in the commit."""
    for path in changes.files(("rs",)):
        now = changes.now(path)
        if "cfg" not in now or not (then := changes.then(path)):
            continue
        known = {" ".join(match[0].split()) for match in _DOES.finditer(then)}
        yield from ((path, text) for one in _DOES.finditer(now) if (text := " ".join(one[0].split())) not in known)
        before = {match[2] for match in _WRITTEN.finditer(then)}
        for name in dict.fromkeys(match[2] for match in _WRITTEN.finditer(now)):
            twice = len(re.findall(rf"\bfn\s+{name}\b", now)) > len(re.findall(rf"\bfn\s+{name}\b", then)) > 0
            if twice and name not in before:
                yield path, f"fn {name}"
