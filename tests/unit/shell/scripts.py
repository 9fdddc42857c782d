"""Strategies for bash scripts of harmless words, in every form that the language page promises to follow.

The programs are `aa`, `bb`, `cc`, the variables `v`, `w`, `k`, `n`, `arr`, the folders `d` and `e` in any nesting.
`forms.json` has the pieces; nothing in them names a file outside the folder that the script runs in.
"""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

FORMS: dict[str, list[str]] = json.loads((Path(__file__).parent / "forms.json").read_text())


def _one_of(family: str) -> st.SearchStrategy[str]:
    return st.sampled_from(FORMS[family])


def _sometimes(family: str) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), st.just(""), _one_of(family))


def _command(before: str, name: str, words: list[str], redirect: str) -> str:
    return before + " ".join([name, *words]) + redirect + (" ';'" if "-exec" in before else "")


def _substituted(form: str, inner: str) -> str:
    return form.replace("%s", inner)


NAMES = st.sampled_from(["aa", "bb", "cc"])
LITERALS, EXPANSIONS = _one_of("words"), _one_of("expansions")
SIMPLE = st.builds(_command, st.just(""), NAMES, st.lists(LITERALS | EXPANSIONS, max_size=3), _sometimes("redirects"))
SUBSTITUTIONS = st.builds(_substituted, _one_of("substitutions"), SIMPLE | _one_of("printers"))
WORDS = st.one_of(LITERALS, LITERALS, EXPANSIONS, EXPANSIONS, SUBSTITUTIONS)
COMMANDS = st.builds(_command, _sometimes("prefixes"), NAMES, st.lists(WORDS, max_size=4), _sometimes("redirects"))
LINES = st.builds(_command, st.just(""), NAMES, st.lists(_one_of("line_words"), max_size=3), st.just(""))
SHELLS = st.builds(lambda form, line: form.replace("%", line), _one_of("shells"), LINES)
DOCUMENTS = st.builds(
    lambda form, word, text: form.replace("%", text).replace("@", word), _one_of("documents"), WORDS, _one_of("texts")
)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(str.format, _one_of("two"), inner, inner),
        st.builds(str.format, _one_of("one"), inner),
        st.builds('cat_() {{ aa "$@" $1\n}}\ncat_ {}'.format, WORDS),
        DOCUMENTS,
        SHELLS,
    )


SCRIPTS = st.recursive(st.one_of(COMMANDS, COMMANDS, _one_of("statements"), SHELLS), _compound, max_leaves=5)
"""Any script."""
SEQUENCES = st.lists(COMMANDS.filter(lambda text: "!" not in text), min_size=1, max_size=3).map("; ".join)
"""Simple commands, one after the other."""
BROKEN = st.builds(
    lambda text, place, cut, added: text[: place % (len(text) + 1)] + added + text[place % (len(text) + 1) + cut :],
    SCRIPTS,
    st.integers(0, 200),
    st.integers(0, 2),
    _one_of("mistakes"),
)
"""Scripts with a mistake in them, or a line break or comment where one may stand."""
PLAIN = st.lists(
    st.lists(LITERALS | _one_of("plain_words"), min_size=1, max_size=4).map(" ".join), min_size=1, max_size=3
).map(" && ".join)
"""What the short cut may take."""
