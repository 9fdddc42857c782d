"""Put words in the place of substitutions that a run of tests can be read without: `ctest -j$(nproc)`.

What `$(nproc)` prints is not known to a rule that guards; of a run of tests it changes nothing. Imported when a line
with a substitution ran.
"""

from __future__ import annotations

import re

_KNOWN = (
    (
        re.compile(r"\$\((?:nproc(?: --all)?|getconf _NPROCESSORS_ONLN|sysctl -n hw\.(?:logical|physical)?n?cpu)\)"),
        "2",
        ("nproc", "getconf", "sysctl"),
    ),
    (
        re.compile(r"\$\(go list \./\.\.\.(?: \| grep -v ['\"]?/?vendor/?['\"]?)?\)"),
        "./...",
        ("go list", "go()", "grep()"),
    ),
    (re.compile(r"\$\(seq (?:1 )?[1-9]\d?\)"), "1 2", ("seq",)),
    (re.compile(r"\$\(/usr/libexec/java_home(?: -[vF] ?[\w.+]+)?\)"), "/usr/lib/jvm/java", ("java_home",)),
)
"""What is found, what it stands for (two rounds for all that are alike), and names that nothing else may speak of."""


def with_known_words(line: str) -> str:
    """Return the line with each substitution whose words are known replaced by them."""
    for found, words, names in _KNOWN:
        rest = found.sub("", line)
        if not any(name in rest for name in names):
            line = found.sub(words, line)
    return line
