"""Leave of a file whose code declares tasks (`noxfile.py`, `tasks.py`, `Rakefile`) what a call of its runner starts.

Imported by the hook path when a line starts such a program.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast

_LISTS = frozenset("-l --list -T --tasks -P --prereqs -D --describe -W --where --help -h --version".split())
_RUNS = ("run", "local", "sudo", "run_always", "run_install")


def started_code(name: str, words: tuple[str, ...], text: str, language: str) -> tuple[str, list[tuple[str, int]]]:
    """Return the code without the tasks that are not started, and the lines that those give their runner, numbered.

    Args:
        name: the program.
        words: its arguments.
        text: the file's.
        language: who reads it.
    """
    if not _LISTS.isdisjoint(words):
        return "", []
    plain = [word for word in words if word[:1] != "-" and "=" not in word]
    plain += [word.partition("=")[2] for word in words if word.startswith(("--session=", "--sessions="))]
    wanted = {word.partition("(")[0].partition("[")[0] for word in plain}
    wanted |= {word.rpartition("-")[0] for word in wanted if word.rpartition("-")[2][:1].isdigit()}
    if language == "ruby":
        return _ruby(text, {word.rpartition(":")[2] for word in wanted} or {"default"}), []
    return _python(name, words, text, {word.replace("-", "_").rpartition(".")[2] for word in wanted})


def _ruby(text: str, wanted: set[str]) -> str:
    """Return a Rakefile without the blocks of other tasks; its lines keep their numbers."""
    import re

    blocks = re.compile(
        r"^([ \t]*)(?:multi)?task[ (]+[:\"']?(\w[\w:-]*\b)(.*?)(?:\bdo\b.*?^\1end\b|\{.*?\}[ \t]*$)",
        re.MULTILINE | re.DOTALL,
    )
    needs = {match[2]: set(re.findall(r"[\w-]+", match[3].rpartition("=>")[2] if "=>" in match[3] else match[3]))
             for match in blocks.finditer(text)}  # fmt: skip
    for _ in needs:
        wanted = wanted.union(*(needs.get(name, ()) for name in wanted))
    return blocks.sub(lambda match: match[0] if match[2] in wanted else "\n" * match[0].count("\n"), text)


def _python(name: str, words: tuple[str, ...], text: str, wanted: set[str]) -> tuple[str, list[tuple[str, int]]]:
    """Return the code without the decorated functions that are not started, and the lines that the others run."""
    import ast

    try:
        functions = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef) and one.decorator_list]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text, []
    needs = {one.name: {part.id for item in one.decorator_list for part in ast.walk(item) if isinstance(part, ast.Name)}
             for one in functions}  # fmt: skip
    for _ in needs:
        wanted = wanted.union(*(needs.get(name, ()) for name in wanted))
    rows = text.split("\n")
    lines: list[tuple[str, int]] = []
    remote = name == "fab" and any(word[:2] == "-H" or word.startswith("--host") for word in words)
    for one in functions:
        named = [part.value for item in one.decorator_list for part in ast.walk(item) if isinstance(part, ast.Constant)]
        names = {one.name, *(str(text).replace("-", "_") for text in named)}
        if wanted and wanted.isdisjoint(names):
            first = min(item.lineno for item in one.decorator_list) - 1
            rows[first : one.end_lineno] = [""] * ((one.end_lineno or first) - first)
        elif wanted or name == "nox":
            lines += [(line, number) for line, number, method in _handed(one) if not remote or method == "local"]
    return "\n".join(rows), lines


def _handed(function: ast.FunctionDef) -> list[tuple[str, int, str]]:
    """Return the literal lines that a task gives its first parameter to run, with their numbers and by which method."""
    import ast

    from policy_engine.model.quoting import quote_words

    runner = function.args.args[0].arg if function.args.args else ""
    lines: list[tuple[str, int, str]] = []
    for call in ast.walk(function):
        method = call.func if isinstance(call, ast.Call) else None
        if not (isinstance(call, ast.Call) and isinstance(method, ast.Attribute) and method.attr in _RUNS):
            continue
        given = [part.value for part in call.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if isinstance(method.value, ast.Name) and method.value.id == runner and given and len(given) == len(call.args):
            line = given[0] if len(given) == 1 else quote_words(given)
            lines.append((f"sudo {line}" if method.attr == "sudo" else line, call.lineno, method.attr))
    return lines
