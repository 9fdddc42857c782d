"""Write the magics of IPython (`%run x.py`, `%env`, `%store x > f`) as lines for a shell that do the same.

Imported by the hook path, for calls that carry cells of a notebook.
"""

from __future__ import annotations

from policy_engine.model.lazy_regex import lazy
from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FORMS = {
    "cat {last}": "load loadpy pycat less more page pfile edit ed",
    "cat {last:.env}": "dotenv",
    "{all}": "system sx",
    "{name} {all}": "cat cp mv rm rmdir mkdir ln ls cd pip pip3 conda mamba micromamba uv git docker kubectl terraform "
    "aws gcloud az gh npm make psql ssh scp rsync curl wget sudo tar find sed",
    "ls {all}": "ll lf lk lx ldir",
    "cd {all}": "pushd",
    "{second}": "alias",
    'printf %s "$CELLS" > {first}': "save logstart",
    'printf %s "$CELLS" > {last}': "notebook",
    'printf %s "$CELLS" > {target}': "store history hist",
    "python3 -c {import}": "load_ext reload_ext",
}
"""What a magic of a line does: reads a file, runs a line, writes the text of cells into a file. {first} and {last} are
the words beside its options, {second} what follows the first, {target} what follows `>` or `-f`.
"""
_NAMES = {name: form for form, names in _FORMS.items() for name in names.split()}
_OPTIONS = lazy(r"^(?:-\w+(?:\s+\d+)?\s+)*")
_CAPTURED = lazy(r"(?:-\w+\s+)*\w*\s*=\s*(.*)")
_TARGET = lazy(r"(?:>>?|(?:^|\s)-f)\s*(\S+)")
_LINE = lazy(r"\s*(?:[^=!%'\"#]*[^=!%'\"#<>+*/|&^-]=\s*)?(%%?\w+|!!?)(.*)")
_CALL = lazy(r"""\.run_line_magic\(\s*(['"])(\w+)\1\s*,\s*(['"])(.*?)\3|\.magic\(\s*(['"])%?(\w+)\s*(.*?)\5""")
_HELP = lazy(r"\s*(?:\?{1,2}%{0,2}[\w.*]+|%{0,2}[\w.*]+\?{1,2})\s*$")
_OTHERS = ("run", "env", "set_env", "sc", "sql")
_OPERAND = lazy(r"\w+[ \t]+[-./~]\S")
_BARE = lazy(r"([A-Za-z][\w.+-]*)[ \t]+(?![=+*%|&^@!,<>(\[:])(\S.*)$")
_PARSED = 0x2400  # no code is made; `await` may stand anywhere
_BARE_LINES = 20


def escaped_line(line: str) -> tuple[str, str] | None:
    """The magic of a line and its operands (`!` for a line of a shell), also of `x = %sx ls`; None for Python."""
    if _HELP.match(line):
        return "pinfo", ""
    found = _LINE.match(line)
    return (found[1].lstrip("%") if found[1][0] == "%" else "!", found[2].strip()) if found else None


def magic_line(name: str, operands: str) -> str:
    """The shell's line that does what a magic does, "" for one that runs, reads and writes nothing."""
    words = operands.split()
    plain = [word for word in words if word[:1] != "-"]
    if name == "!":
        return operands
    if name == "run":
        start = next((place for place, word in enumerate(words) if word[:1] != "-" or word == "-m"), len(words))
        return f"python3 {' '.join(words[start:])}" if words[start:] else ""
    if name in ("env", "set_env"):
        if len(words) > 1 or "=" in operands:
            return f"export {quote_words([operands.replace(' ', '=', 1) if '=' not in operands else operands])}"
        return f"printenv {operands}" if operands else "env"
    if name == "sc":
        return found[1] if (found := _CAPTURED.match(operands)) else ""
    if name == "sql":
        return f"psql -c {quote_words([operands])}" if len(words) > 1 and words == plain else ""
    form = _NAMES.get(name, "")
    if "{target}" in form:
        return form.replace("{target}", found[1]) if (found := _TARGET.search(operands)) else ""
    if form and not plain and name not in ("dotenv", "ls", "cd", "git"):
        return ""
    fills = {
        "{name}": name, "{all}": operands, "{first}": "".join(plain[:1]), "{last}": "".join(plain[-1:]),
        "{last:.env}": "".join(plain[-1:]) or ".env", "{second}": operands.partition(" ")[2],
        "{import}": quote_words([f"import {''.join(plain[:1])}"]),
    }  # fmt: skip
    for mark, filled in fills.items():
        if mark in form:
            form = form.replace(mark, filled, 1)
    return form


def timed_code(name: str, operands: str) -> str:
    """The code that a magic of a line times or profiles, "" for another magic."""
    timed = name in ("time", "timeit", "prun", "memit", "lprun", "mprun")
    return _OPTIONS.sub("", operands) if timed else ""


def called_magics(code: str) -> list[str]:
    """The lines of the magics that Python itself asks for: `get_ipython().run_line_magic("run", "x.py")`."""
    if "magic(" not in code:
        return []
    found = [(one[1] or one[5], one[3] or one[6]) for one in _CALL.findall(code)]
    return [line for name, operands in found if (line := magic_line(name, operands))]


def bare_magics(lines: list[str]) -> list[str]:
    """Take out of lines that are no Python those which IPython takes for a command without a sign (`cat .env`), and
    return them for a shell; leave all if Python does not remain.
    """
    from keyword import iskeyword, issoftkeyword

    rest = list(lines)
    commands: list[str] = []
    for _ in range(_BARE_LINES):
        tree = parsed(rest)
        if type(tree) is not int:
            for place in _idle(tree):
                if _OPERAND.match(rest[place]) and (line := _bare(rest[place])):
                    commands.append(line)
                    rest[place] = "pass"
            lines[:] = rest
            return commands
        found = _BARE.match(rest[tree]) if tree < len(rest) else None
        if not found or iskeyword(found[1]) or issoftkeyword(found[1]) or rest[tree].rstrip()[-1:] == ":":
            return []
        commands.append(_bare(rest[tree]) or rest[tree])
        rest[tree] = "pass"
    return []


def _bare(line: str) -> str:
    """The shell's line of a magic that stands without its sign, "" if the first word is none."""
    name, _, operands = line.strip().partition(" ")
    return magic_line(name, operands.strip()) if name in _NAMES or name in _OTHERS else ""


def _idle(tree: Any) -> list[int]:
    """The places of the lines which as Python only look something up, or calculate, for nobody: `cat .env`."""
    return [
        one.lineno - 1
        for one in tree.body
        if type(one).__name__ == "Expr" and type(one.value).__name__ in ("Attribute", "BinOp")
    ]


def parsed(lines: list[str]) -> Any:
    """The tree of lines of Python, or the place of the line that is none."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about its escapes, which are nobody's to read here
            return compile("\n".join(lines), "<cell>", "exec", _PARSED, True)
    except SyntaxError as error:
        return (error.lineno or len(lines) + 1) - 1
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return len(lines)
