"""Find the files that a statement of SQL names, by the words before its literals.

A server on this machine reads and writes them as its own user, a client or an embedded database as this one: both
count. Imported by the hook path when a database program is played.
"""

from __future__ import annotations

_READING = frozenset(
    (
        "readfile read_csv read_csv_auto read_json read_json_auto read_ndjson read_parquet parquet_scan "
        "read_text read_blob read_xlsx sniff_csv glob pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file "
        "lo_import load_file load_extension fileio bfilename openrowset load"
    ).split()
)
_WRITING = frozenset("writefile lo_export".split())
_COPIES = frozenset("copy \\copy export unload backup".split())  # statements whose `to` names a file
_OUT = frozenset("outfile dumpfile attach".split())
_IN = frozenset("from infile import".split())


def files_named(statement: str) -> list[tuple[str, str]]:
    """Return the files that a statement names, each with `read` or `write`."""
    named: list[tuple[str, str]] = []
    words: list[str] = []
    for text, quoted in _tokens(statement):
        if not quoted:
            words = [] if text == ";" else [*words, text.lower()]
            continue
        access = _access(words)
        if access and text:
            named.append((text, access))
        words.append("'")
    return named


def _access(words: list[str]) -> str:
    """Return what is done with the literal that follows these words, "" where it is no file."""
    before = [word for word in words if word not in ("(", "[", ",", "'")]
    last = before[-1] if before else ""
    if last in _WRITING or last in _OUT or (last == "database" and before[0] in ("attach", "export")):
        return "write"
    if last in ("to", "into"):
        return "write" if before[0] in _COPIES or before[0] == "vacuum" else ""
    return "read" if last in _READING or last in _IN else ""


def _tokens(statement: str) -> list[tuple[str, bool]]:
    """Words and signs, and the texts of literals (`'…'`, `"…"`) with True."""
    tokens: list[tuple[str, bool]] = []
    place = 0
    while place < len(statement):
        char = statement[place]
        if char in "'\"":
            end = statement.find(char, place + 1)
            end = len(statement) if end < 0 else end
            tokens.append((statement[place + 1 : end], True))
            place = end + 1
        elif char.isalnum() or char in "_\\.":
            end = place
            while end < len(statement) and (statement[end].isalnum() or statement[end] in "_\\."):
                end += 1
            tokens.append((statement[place:end], False))
            place = end
        else:
            if not char.isspace():
                tokens.append((char, False))
            place += 1
    return tokens
