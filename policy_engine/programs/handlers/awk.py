"""`awk`: runs a program over lines; the program can write files and start others."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import FETCHERS, joined_literals
from policy_engine.inline.texts import texts_in
from policy_engine.inline.values import with_variables
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_SCRIPT_BYTES = 65_536
_BEFORE_PATTERN = "\n{};(,!~?:="  # behind these stands no value that a slash could divide


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    waiting = list(reversed(arguments.operands))
    programs: list[str] = []
    files: list[str] = []
    scripts: list[str] = []
    values: list[str] = []
    while waiting:
        word = waiting.pop()
        if word in ("-v", "--assign") and waiting:
            values.append(waiting.pop())
        elif word.startswith(("-v", "--assign=")):
            values.append(word.partition("=")[2] if word[:2] == "--" else word[2:])
        elif word in ("-F", "--field-separator"):
            waiting[-1:] = []
        elif word in ("-f", "--file", "-E") and waiting:
            scripts.append(f"-f{waiting.pop()}")
        elif word in ("-i", "-l") and waiting:
            scripts.append(waiting.pop())
        elif word in ("-e", "--source") and waiting:
            programs.append(waiting.pop())
        elif word.startswith(("-f", "--file=", "-i", "--include", "-l", "--load")):
            scripts.append(word)
        elif word[:1] != "-" or word == "-":
            files.append(word)
    if not programs and not scripts and files:
        programs.append(files.pop(0))
    for script in scripts:
        text = _script(script, analysis)
        if text is None:
            analysis.does("executes")
            analysis.doubt("*", "what the script of `awk` does is not read")
        else:
            programs.append(text)
    paths = [analysis.path(text, "read") for text in files if text != "-" and "=" not in text.partition("/")[0]]
    if any("inplace" in text for text in scripts):
        paths += [analysis.path(text, "write") for text in files]
    given = [path for path in paths if path.access == "read"]
    for text in programs:
        text = _with_values(_without_patterns(text), values)
        paths += _program(text, analysis)
        if given and _runs_lines(text, analysis):
            analysis.runs += given
            analysis.doubt("*", "what `awk` makes of its input is run")
    return paths


def _runs_lines(text: str, analysis: EffectAnalysis) -> bool:
    """Return whether a program runs the lines that it is given, whole or in part."""
    import re

    return "executes-input" in analysis.words or (
        "|" in text and re.search(r'\|&?\s*"(?:\S*/)?(?:ba|z|da|k)?sh\b|\$\w+\s*\|&?\s*getline', text) is not None
    )


def _script(word: str, analysis: EffectAnalysis) -> str | None:
    """Return the program in a file that `-f` names, None of one that is not read."""
    if not word.startswith(("-f", "--file=")):
        return None
    file = analysis.path(word.partition("=")[2] if word[:2] == "--" else word[2:], "read")
    analysis.paths.append(file)  # it is shown where it is no program
    inside = file.known and (analysis.filesystem.relative(file) is not None or file.real[:5] == "/tmp/")
    return analysis.text_in(file, _SCRIPT_BYTES) if inside else None


def _with_values(text: str, given: list[str]) -> str:
    """The program with literal texts for variables that are set to one: by `-v`, or once and for all in it."""
    if not given and '="' not in text.replace(" ", "").replace('=="', ""):
        return text
    import re

    literal = r'"(?:[^"\\]|\\.)*"'
    known = {item.partition("=")[0]: f'"{item.partition("=")[2]}"' for item in given if is_known(item)}
    for name, value in re.findall(rf"(\b[A-Za-z_]\w*)\s*=(?![=~])\s*((?:{literal}\s*)+)(?=[;}}\n)]|$)", text):
        known[name] = '"' + "".join(part[1:-1] for part in re.findall(literal, value)) + '"'
    for name in [name for name in known if len(re.findall(rf"\b{name}\s*[-+*/]?=(?![=~])", text)) > 1]:
        del known[name]
    pieces = re.split(f"({literal})", text)
    for name, value in known.items():
        use = rf"(?<![\w$.]){name}\b(?!\s*=[^=~]|\s*=$|\s*\()"
        pieces[::2] = [re.sub(use, lambda _: value, piece) for piece in pieces[::2]]  # noqa: B023
    joined = "".join(pieces)
    return re.sub(r'"[ \t]*"', "", joined) if known else joined


def _program(text: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Files that it writes; what it starts. A `>` between braces may be a comparison: then no text follows it."""
    if "ENVIRON" in text:
        analysis.does("discloses")
    bare = _without_literals(text)
    if "@" in bare.replace("@load", "").replace("@include", "") and "(" in bare.partition("@")[2]:
        analysis.doubt("*", "which function `awk` calls is not known")
    if "/inet" in text:  # a connection, as a file; `|&` talks to it
        analysis.does("network")
        import re

        others = re.sub(r'"/inet[^"]*"\s*\|&\s*getline', "", text)
        if "system(" in others or re.search(r"\|&?\s*getline", others):
            analysis.does("executes-remote")
    if "getline" in text and ("system" in text or "sh" in text):
        import re

        fetches = rf'"(?:\S*/)?(?:{"|".join(FETCHERS)})\s[^"]*"\s*\|&?\s*getline'
        if re.search(fetches, text) and re.search(r'system\s*\(\s*[^")\s]|\|&?\s*"(?:\S*/)?(?:ba|z|da|k)?sh\b', text):
            analysis.does("network", "executes-remote")
    if "system(" in text.replace(" ", "") or "|" in bare.replace("||", "") or "@load" in text or "@include" in text:
        analysis.does("executes")
        for line in _lines(text):
            analysis.shell(line)
        if "system(" in text and not analysis.lines:
            analysis.does("executes-input")
        analysis.guesses += [line for line in texts_in(text) if line not in analysis.lines]
    if "@load" in text or "@include" in text or not is_known(text):
        analysis.doubt("*", "what `awk` loads is not known")
    paths = [analysis.path(name, "read") for name in _read(text)]
    if _reads_unknown(text):
        paths.append(analysis.unknown("awk", "which file `getline` reads is not known", "read"))
    rest = text
    while ">" in rest:
        before, _, rest = rest.partition(">")
        target = rest.lstrip("> ")
        if _within_literal(text[: len(text) - len(rest) - 1]):
            continue
        if target[:1] == '"':
            paths.append(analysis.path(target[1:].partition('"')[0], "write"))
        elif "print" in before.rpartition("{")[2].rpartition(";")[2]:
            name = _computed(target, text)
            unknown = analysis.unknown("awk", "which file `awk` writes is not known", "write")
            paths.append(unknown if name is None else analysis.path(name, "write", opened=True))
    return paths


def _computed(target: str, text: str) -> str | None:
    """Return the name that an expression puts together, with marks; of a variable that is assigned once, its value."""
    import re

    word = re.match(r"\w+", target)
    values = re.findall(rf"\b{word[0]}\s*=(?!=)\s*([^;}}\n]+)", text) if word else [target]
    if len(values) != 1:
        return None
    inner = re.match(r'\s*\(?((?:"(?:[^"\\]|\\.)*"|[\w$ +%.-])+)', values[0])
    return joined_literals(inner[1], "awk") if inner else None


def _without_patterns(text: str) -> str:
    """The program without what stands between the slashes of its patterns: `/fail(ed|ure)/` starts nothing.

    A slash begins a pattern only where no value can stand before it. Where another `awk` might read a slash in another
    way, the program is left as it is, for what follows could then be code.
    """
    made, place, before = "", 0, "\n"
    while place < len(text):
        char, begun = text[place], place
        if char == '"':
            place = _behind(text, place, '"')
        elif char == "#":
            place += len(text[place:].partition("\n")[0])
        elif char != "/":
            place += 2 if char == "\\" else 1
        elif before[-1] in _BEFORE_PATTERN or before[-2:] in ("||", "&&"):
            place = _behind(text, place, "/")
            if not _is_pattern(text[begun + 1 : place - 1]):
                return text
            made, before = f"{made}//", "/"
            continue
        elif "/" in text[place + 1 :].partition("\n")[0]:
            return text
        else:
            place += 1
        made += text[begun:place]
        before = before if char in " \t\\#" else before[-1] + char
    return made


def _behind(text: str, place: int, mark: str) -> int:
    """Return the place behind the mark that ends what begins with it."""
    place += 1
    while place < len(text) and text[place] != mark:
        place += 2 if text[place] == "\\" else 1
    return place + 1


def _is_pattern(inner: str) -> bool:
    """Return whether each `awk` takes a text up to its slash for a pattern: no set is open, nothing is unknown."""
    import re

    bare = re.sub(r"\\.", "", inner)
    if "\n" in inner or not is_known(inner) or "[]" in bare or "[^]" in bare:
        return False
    depth = 0
    for char in bare:
        depth += (char == "[") - (char == "]")
        if depth < 0:
            return False
    return depth == 0


def _without_literals(text: str) -> str:
    """The program without what stands in its texts: `printf "| %s |"` starts nothing."""
    pieces = text.replace("\\\\", "").replace('\\"', "").split('"')
    return '""'.join(pieces[::2]) if len(pieces) % 2 else text


def _within_literal(before: str) -> bool:
    """Return whether a `>` stands in a text: `print "a > b"`."""
    return before.replace('\\"', "").count('"') % 2 == 1


def _read(text: str) -> list[str]:
    """The literal files that `getline` reads."""
    tails = [piece.partition("<")[2].lstrip() for piece in text.split("getline")[1:] if "<" in piece[:40]]
    return [tail[1:].partition('"')[0] for tail in tails if tail[:1] == '"']


def _reads_unknown(text: str) -> bool:
    """Return whether `getline` reads a file that no literal names, or the files to read are put together."""
    tails = [piece.partition("<")[2].lstrip() for piece in text.split("getline")[1:] if "<" in piece[:40]]
    return any(tail[:1] != '"' and tail[:1] != "=" for tail in tails) or "ARGV[" in text.replace(" ", "").replace(
        "ARGV[0]", ""
    )


def _lines(text: str) -> list[str]:
    """Return the lines that it starts: in `system(…)`, before `| getline`, behind `print |`.

    A variable is an unknown part of its line. The text is read once, token by token: an expression that looks for the
    whole forms takes longer than a hook may live.
    """
    import re

    statements: list[str] = []
    run = last = ""  # words and literals that stand beside each other, and those that a bracket has closed
    wanted = piped = False
    begun = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[\w$.\[\]]+|\|\||\|&?|\S|\Z', text, re.DOTALL):
        token = match[0]
        if token and (token[0] in '"$.[]_' or token[0].isalnum()) and token != '"':
            if piped and not run and token.startswith("getline"):
                statements += [last] if last else []
                wanted = False
                continue
            begun = begun if run else match.start()
            run = text[begun : match.end()]
            continue
        if wanted and run:
            statements.append(run)
        piped = token in ("|", "|&")
        wanted = piped or (token == "(" and run.endswith("system"))
        last, run = run or (last if piped else ""), ""
    lines = [joined_literals(one, "awk") for one in statements]
    return [with_variables(line) for line in lines if line is not None]
