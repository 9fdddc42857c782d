"""Say what statements do that a client hands to a database: what they empty, the files they name, what they start.

A server on this machine reads and writes files as its own user, a client or an embedded database as this one: both
count. Imported by the hook path when a database program is played.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis

_PIPES = ("\\o ", "\\g ", "\\w ", "\\copy ")
_SCRIPT_BYTES = 65_536
_NESTING = 4  # scripts that include one another
_ALL_ROWS = (
    "delete_all",
    "destroy_all",
    ".all().delete(",
    "->truncate(",
    ".truncate(",
    "::truncate(",
    "drop_all(",
    "->delete()",
    "deletemany()",
)
"""Calls of the mappers of objects that empty what they stand for, where nothing says which rows."""
_CHOSEN = ("where", "filter", "find")
_EMPTYING = ("truncate ", "dropdatabase(", ".drop(", "deletemany({})", "remove({})", "updatemany({},", "then delete",
             "using null", "purge binary logs", "purge master logs", "reset master")  # fmt: skip
"""Parts of statements that empty tables, columns or logs, whatever else they say."""

_READING = frozenset(
    (
        "readfile read_csv read_csv_auto read_json read_json_auto read_ndjson read_parquet parquet_scan "
        "read_text read_blob read_xlsx sniff_csv glob pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file "
        "lo_import load_file load_extension fileio bfilename openrowset load file filename"
    ).split()
)
_WRITING = frozenset("writefile lo_export".split())
_COPIES = frozenset("copy \\copy export unload backup".split())  # statements whose `to` names a file
_REMADE = frozenset("policy trigger function procedure view index constraint default not rule".split())
_OUT = frozenset("outfile dumpfile".split())
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
            named.append((text.removeprefix("file://"), access))
        words.append("'")
    return named


def files_handed_over(statement: str) -> list[str]:
    """Return the files that the client itself reads, and gives the server: `\\copy … from`, `\\lo_import`, `load data
    local infile`. What the server reads is on its own machine.
    """
    words = _levels(statement)[-1].split()  # without what stands in brackets
    if words[:1] == ["\\lo_import"]:
        return [word.strip("'") for word in words[1:2]]
    lower = [word.lower() for word in words]
    if lower[:1] == ["\\copy"] and "from" in lower:
        files = [word.strip("';") for word in words[lower.index("from") + 1 :][:1]]
        return [file for file in files if file.lower() not in ("stdin", "pstdin", "program")]
    if lower[:2] == ["load", "data"] and "local" in lower:
        return [name for name, access in files_named(statement) if access == "read"]
    return []


def _access(words: list[str]) -> str:
    """Return what is done with the literal that follows these words, "" where it is no file."""
    before = [word for word in words if word not in ("(", "[", ",", "'")]
    last = before[-1] if before else ""
    if before[:1] == ["attach"]:
        return "write" if "as" not in before and "'" not in words else ""
    if last == "database":
        return {"export": "write", "import": "read"}.get(before[0], "")
    if last == "file" and before[0] == "insert":
        return "write"
    if before[-2:] == ["disk", "="]:
        return "write" if before[0] == "backup" else "read"
    if last in _WRITING or last in _OUT or "lo_export" in before:
        return "write"
    if last in ("to", "into"):
        return "write" if before[0] in _COPIES or before[0] == "vacuum" else ""
    return "read" if last in _READING or last in _IN else ""


def _tokens(statement: str) -> list[tuple[str, bool]]:
    """Words and signs but those of comments, and the texts of literals (`'…'`, `"…"`) with True."""
    tokens: list[tuple[str, bool]] = []
    place = 0
    while place < len(statement):
        char = statement[place]
        if char in "'\"":
            end = statement.find(char, place + 1)
            end = len(statement) if end < 0 else end
            tokens.append((statement[place + 1 : end], True))
            place = end + 1
        elif statement.startswith(("--", "/*"), place) and statement[place : place + 3] != "/*!":
            end = statement.find("\n" if char == "-" else "*/", place + 2)
            place = len(statement) if end < 0 else end + 2 - (char == "-")
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


def statements_in(file: PathValue, analysis: EffectAnalysis) -> list[str]:
    """Return the lines of a file of statements that the line has written, or that lies in the workspace or below /tmp;
    none of another.
    """
    inside = file.known and (
        analysis.filesystem.relative(file) is not None or file.real[:5] == "/tmp/" or bool(analysis.written(file))
    )
    return (analysis.text_in(file, _SCRIPT_BYTES) or "").split("\n") if inside else []


def play_statements(
    statements: list[str], analysis: EffectAnalysis, depth: int = 0, in_file: bool = False
) -> list[PathValue]:
    """Tell the analysis what statements do; return the files that they name."""
    paths: list[PathValue] = []
    statements = _without_line_comments(statements)
    _play_computed("\n".join(statements), analysis, in_file)
    for statement in statements:
        if statement.split()[:1] == ["system"]:
            analysis.shell(statement.partition("system")[2])
        if empties(statement):
            analysis.does("destroys")
        elif not is_known(statement):
            analysis.doubt("destroys", f"what `{analysis.name[:80]}` is told to do is not known")
        paths += [analysis.path(name, access) for name, access in files_named(statement)]
        if statement.lstrip("\\ ").startswith(("source ", ". ", "i ", "ir ")):
            paths.append(analysis.path(statement.split()[-1].rstrip(";").strip("'"), "read"))
            if depth < _NESTING:
                paths += play_statements(statements_in(paths[-1], analysis), analysis, depth + 1, True)
        before, starts, line = statement.partition("\\!")
        if starts:
            analysis.shell(line.strip())
        if " program " in " ".join(before.lower().split()) and "copy" in before.lower():
            for line in _quoted(before):
                analysis.shell(line)
        if before.lstrip().startswith(_PIPES) and {"stdin", "stdout"}.isdisjoint(before.lower().split()):
            target = (files_handed_over(before) or [before.split()[-1].strip("'")])[0]
            if "|" in before or "program" in before.lower():
                analysis.doubt("*", "the statement starts a program")
            else:
                paths.append(analysis.path(target, "read" if " from " in before.lower() else "write"))
    return paths


def _play_computed(text: str, analysis: EffectAnalysis, in_file: bool) -> None:
    """Tell what the texts do that statements run; of a file only what is certain, or hidden."""
    if "exec" not in text.lower() and "prepare" not in text.lower():
        return
    from policy_engine.programs.computed_sql import computed

    found = computed(text)
    if any(map(empties, found.texts)):
        analysis.does("destroys")
    elif found.hidden or (found.unknown and not in_file):
        analysis.doubt("destroys", f"which statement `{analysis.name[:80]}` is told to run is not known")


def _without_line_comments(statements: list[str]) -> list[str]:
    """Return statements with a blank for each comment that stands outside of their literals, but for `/*! … */` and
    what stands behind a command of the client (`.shell …`), which a shell reads.
    """
    if any("\\'" in one for one in statements):  # the end of a literal, or not
        return statements
    import re

    own = r"(?:\\|(?<![^\n\x1e])[ \t]*(?:[.!]|system\b|source\b))[^\n\x1e]*"
    kept = rf"'[^']*'|\"[^\"\n]*\"|(?P<mark>\$\w*\$).*?(?P=mark)|{own}"
    comment = r"/\*(?!!).*?\*/|--(?=[\s-])[^\n\x1e]*"
    whole = "\x1e".join(statements)
    return re.sub(rf"({kept})|{comment}", lambda found: found[1] or " ", whole, flags=re.DOTALL).split("\x1e")


def _quoted(statement: str) -> list[str]:
    """The literals of a statement: `'…'`, `$$…$$`, `$name$…$name$`."""
    import re

    return [
        match[1] or match[3] or "" for match in re.finditer(r"'((?:[^']|'')*)'|(\$\w*\$)(.*?)\2", statement, re.DOTALL)
    ]


def empties(statement: str) -> bool:
    """Return whether a statement drops or empties what it names, or deletes without saying which rows."""
    text = _without_comments(statement)
    if any(word in text for word in _EMPTYING):
        return True
    if any(call in text for call in _ALL_ROWS) and not any(word in text for word in _CHOSEN):
        return True
    if _drops(text) or "flushall" in text or "flushdb" in text:
        return True
    if "detach delete" in text and "{" not in text and " where " not in text:
        return True
    cut = [line if "'" in line or '"' in line else line.partition("--")[0] for line in statement.split("\n")]
    parts = _levels(_without_comments("\n".join(cut)))
    return any(part.lstrip().startswith(("delete from", "update ")) and _of_all_rows(part.split()) for part in parts)


def _levels(text: str) -> list[str]:
    """Return the statements of a text, and those in its brackets, each without what its own brackets hold."""
    done, open_ = list[str](), [""]
    for char in text:
        if char == "(":
            open_.append("")
        elif char == ")" and len(open_) > 1:
            done.append(open_.pop())
            open_[-1] += " (…) "
        elif char == ";":
            done.append(open_[-1])
            open_[-1] = ""
        else:
            open_[-1] += char
    return done + open_


def _of_all_rows(words: list[str]) -> bool:
    """Return whether a statement says nothing of which rows it means, or that it means all: `where true`."""
    return "where" not in words or "".join(words[words.index("where") + 1 :]) in ("true", "1", "1=1", "'1'='1'")


def _without_comments(statement: str) -> str:
    """A comment stands for a blank, but for `/*! … */`, which is run."""
    pieces = statement.lower().split("/*")
    bare = [piece if piece[:1] == "!" else piece.partition("*/")[2] for piece in pieces[1:]]
    return " ".join(" ".join([pieces[0], *bare]).split())


def _drops(text: str) -> bool:
    """Return whether a text drops what holds rows, or what others depend on with them; the rest can be made anew."""
    words = text.replace(";", " ").split()
    dropped = [after for word, after in zip(words, words[1:], strict=False) if word.endswith("drop")]  # noqa: RUF007
    return any("cascade" in words or after not in _REMADE for after in dropped)


_TESTING = frozenset("test tests testing scratch tmp temp".split())
_SERVING = frozenset("prod production live main master stage staging".split())


def is_for_tests(name: str) -> bool:
    """Return whether a database is for tests by its name: `shop_test`, `test-2`, not `latest`."""
    parts = {part.rstrip("0123456789") for part in name.lower().replace("-", "_").replace(".", "_").split("_")}
    plain = name.replace("_", "").replace("-", "").isalnum()
    return is_known(name) and plain and not parts.isdisjoint(_TESTING) and parts.isdisjoint(_SERVING)


def empties_tests_only(statement: str) -> bool:
    """Return whether statements only make databases, and drop such that are for tests."""
    parts = [part.lower().split() for part in statement.split(";") if part.strip()]
    for words in parts:
        words = [word for word in words if word not in ("if", "not", "exists", "with", "(force)")]
        if words[1:2] != ["database"] or len(words) != 3 or words[0] not in ("create", "drop"):
            return False
        if not is_for_tests(words[2].strip('"`')):
            return False
    return bool(parts)


def but_emptied_tables(statement: str) -> str:
    """Return statements without those that only empty or drop what lies within the database that the client is
    connected to.
    """
    if statement.strip().rstrip(";") == "db.dropDatabase()":
        return ""
    parts = [statement] if "\\" in statement else statement.split(";")
    return ";".join(part for part in parts if not _empties_tables(part.replace("(", " (").lower()))


def _empties_tables(part: str) -> bool:
    kinds = ("table", "view", "index", "schema", "sequence", "type", "from")
    words = [] if any(mark in part for mark in "'\"\\") else part.split()
    return words[:1] == ["truncate"] or (words[:1] in (["drop"], ["delete"]) and words[1:2] != [] and words[1] in kinds)


def is_emptying(text: str) -> bool:
    """Return whether a text of any program begins like a statement that drops or empties what it names."""
    words = text.replace("(", " ").lower().split()
    kinds = ("table", "database", "schema", "keyspace", "index", "view", "collection", "user", "role", "tablespace",
             "bucket", "namespace")  # fmt: skip
    return (
        (words[:1] in (["drop"], ["remove"]) and bool(words[1:2]) and words[1].rstrip(";") in kinds and len(words) > 2)
        or (words[:1] == ["truncate"] and len(words) > 1)
        or (words[:2] == ["delete", "from"] and _of_all_rows(words))
        or any(mark in text for mark in ("dropDatabase(", ".deleteMany({})", " DETACH DELETE "))
    )
