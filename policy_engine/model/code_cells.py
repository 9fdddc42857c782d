"""Write a piece of code as a line for a shell: `python3 -c CODE`, the lines of a notebook's cell that a shell runs.

Imported by the hook path, for calls that carry code.
"""

from __future__ import annotations

from policy_engine.model.lazy_regex import lazy
from policy_engine.model.magics import bare_magics, called_magics, escaped_line, magic_line, parsed, timed_code
from policy_engine.model.quoting import quote_words

_LANGUAGES = {
    "sh": "sh bash shell zsh console terminal shellscript ksh",
    "python": "python python3 py python2 ipython jupyter notebook pyodide ipykernel pythoncode pythonscript pycode",
    "node": "javascript js node nodejs typescript ts deno bun javascriptcode jscode tsx jsx",
    "ruby": "ruby rb",
    "perl": "perl pl",
    "php": "php",
    "Rscript": "r rscript",
    "lua": "lua",
    "osascript": "applescript osascript jxa",
    "pwsh": "powershell pwsh ps1",
    "": "sql graphql cypher html css markdown md json yaml xml regex latex mermaid text plaintext jq",
}
_NAMES = {name: language for language, names in _LANGUAGES.items() for name in names.split()}
_SWITCH = {"python": "-c", "pwsh": "-Command", "php": "-r"}
_PROGRAM = {"python": "python3"}
_SCRIPT_SIGNS = ("const ", "let ", "var ", "=>", "function", "require(", "await import", "console.", "process.", "});")
_SHELL_CELLS = ("bash", "sh", "system", "sx", "!", "zsh")
_LAUNCH = lazy(r"^(?:--(?:(?:out|err|proc)\s+\S+|bg|no-raise-error|raise-error)\s+)*")
_ONLY_AST = 0x400


def known_language(name: str) -> str:
    """The language that a word names (`py`, `python3.11`), "" if none that runs."""
    word = name.lower().rpartition("/")[2]
    return _NAMES.get(word) or _NAMES.get(word.rstrip("0123456789.-"), "")


def guess_languages(code: str) -> tuple[str, ...]:
    """The languages in which code that nobody names may be run: `python`, `node`, or `sh` where it is neither."""
    if any(line.lstrip()[:1] in ("!", "%") or _names_magic(line) for line in code.split("\n")):
        return ("python",)
    script = any(sign in code for sign in _SCRIPT_SIGNS)
    if _is_python(code) and _acts(code):
        return ("python", "node") if script else ("python",)
    return ("node",) if script else ("sh",)


def _names_magic(line: str) -> bool:
    found = escaped_line(line) if line.rstrip()[-1:] == "?" or "%" in line else None
    return found is not None and found[0] != "!"


def interpreted(code: str, language: str) -> str:
    """The line that has the code run by the interpreter of a language."""
    if language == "sh":
        return code
    return quote_words([_PROGRAM.get(language, language), _SWITCH.get(language, "-e"), code])


def cell_line(code: str) -> str:
    """Python as a notebook reads it: the lines for a shell (`!ls`, `%%bash`), and the rest for Python."""
    lines = code.split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    head = lines[start].strip() if lines else ""
    if head.startswith("%%"):
        return _whole_cell(head[2:].strip(), "\n".join(lines[start + 1 :]))
    shell: list[str] = []
    python: list[str] = []
    broken = type(parsed(lines)) is int
    for line in lines:
        escaped = _escaped(line) if broken else None  # in what is Python such a line goes on with the one before
        if escaped is None:
            python.append(line)
        else:
            shell.append(escaped)
            python.append(f"{line[: len(line) - len(line.lstrip())]}pass")
    shell += [*bare_magics(python), *called_magics(code)]
    rest = "\n".join(python).strip()
    commands = [interpreted("\n".join(python), "python")] if set(rest.split()) - {"pass"} else []
    return "\n".join([*filter(None, shell), *commands]) or ":"


def _whole_cell(magic: str, body: str) -> str:
    """A cell whose first line says what reads it."""
    name, _, operands = magic.partition(" ")
    if name in _SHELL_CELLS:
        return body
    if name in ("writefile", "file"):
        return f"printf %s {quote_words([body])} > {quote_words(operands.split()[-1:])}" if operands.split() else ":"
    if name == "script":
        return f"{_LAUNCH.sub('', operands)} -c {quote_words([body])}"
    if name in ("sql", "bigquery"):
        return magic_line("sql", body.strip())
    if name in ("html", "HTML", "markdown", "latex", "svg", "SVG"):
        return ":"
    language = known_language(name)
    return interpreted(body, language) if language and language != "python" else cell_line(body)


def _escaped(line: str) -> str | None:
    """The shell's line that a line of a cell runs, "" for a magic that runs nothing, None for Python."""
    found = escaped_line(line)
    if found is None:
        return None
    code = timed_code(*found)
    return cell_line(code) if code else magic_line(*found)


def _is_python(code: str) -> bool:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about its escapes, which are nobody's to read here
            compile(code, "<cell>", "exec", _ONLY_AST, True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


def _acts(code: str) -> bool:
    """Return whether Python would do anything: words between operators are rather a command (`rm -rf`)."""
    return "(" in code or any(line.lstrip().startswith(("import ", "from ")) for line in code.split("\n"))
