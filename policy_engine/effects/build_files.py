"""Find the commands that stand literally in a file of a build tool or a program, in whichever language it is written.

Only literal words count, behind a name that starts something (`commandLine`, `run_command`, `shell:`), and
only those outside a task or within one that is asked for. Imported by the hook path when a line starts such a program.
"""

from __future__ import annotations

from policy_engine.effects.tasks import lines_within, read_values
from policy_engine.inline.marks import HOME_CALLS
from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TEXT = r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`)"""
_STARTS = (
    "commandLine|executable|exec|run_command|custom_target|local|local_resource|shell|shell-command|sh|bash|command|cmd|cmds|"
    "actions|system2?|execSync|execFileSync|spawnSync|spawn|execFile|check_call|check_output|popen|Popen|run|Command|"
    "CommandContext|ProcessBuilder|addSystemCommand|call-process|runSync|start|execCmd|execCmdEx|execShellCmd|"
    "execProcess|startProcess|callCommand|callProcess|spawnCommand|readProcess|run-program|do shell script"
)
_WRAPPED = r"(?:atPath:\s*|new\s+File\(|(?:Path|Paths)\.(?:of|get)\()?"
_DELETES = (
    r"RemoveAll|(?:filesystem|fs)::remove_all|remove_dir_all|rm_rf!?|deleteDirectory|deleteRecursively|removeItem"
)
_READS = r"ReadFile|read_to_string|readString|readAllLines|readLines|read!?|readText"
_REMOVES = r"os\.Remove|Files\.delete(?:IfExists)?|remove_file|filesystem::remove|File\.rm!?"
_MAKES = r"os\.(?:WriteFile|Create)|Files\.write(?:String)?|fs::write|File::create"
_FORMS = (  # what is looked for; the line that it stands for, around the words that it holds
    (
        rf"\b(?:{_STARTS})\b[\"']?(?:::new)?[\s:=({{\[&.*]*+(?:listOf|arrayOf|new\s+String\[\])?[\s({{\[]*+"
        rf"({_TEXT}(?:(?:[\s,\[]|\)\s*\.args?\(|&)*{_TEXT})*)",
        "{}",
    ),
    (rf"({_TEXT})\.(?:execute\(|!)", "{}"),
    (r"^\s*(?:shell|spawn|exec)[ \t]+([\w./-]+[ \t].+)$", "{}"),
    (r"\"!([\w./-]+ [^\"\\]+)", "{}"),
    (r"^[ \t]*command[ \t]*=[ \t]*([\w./~-]+(?:[ \t].*)?)$", "{}"),
    (
        rf"\b(?:launchPath|executableURL)\s*=\s*(?:URL\([\w\s:]*)?({_TEXT})\)?[^=]{{0,80}}?"
        r"\barguments\s*=\s*\[([^\]]*)\]",
        "{}",
    ),
    (r"^commands(?:_pre|_post)?\s*=[ \t]*\n?[ \t]*(.+)$", "{}"),
    (r"<executable>\s*([^<]+?)\s*</executable>((?:\s*</?(?:arguments|argument|commandlineArgs)>[^<]*)*)", "{}"),
    (r"<exec\b[^<>]*\bexecutable=\"([^\"]+)\"[^>]*>((?:\s*<arg\b[^>]*/>)*)", "{}"),
    (r"^[ \t]+LOCALLY[ \t]*$(?:\n[ \t]+.*)*?\n[ \t]+RUN[ \t]+(.+)$", "{}"),
    (rf"(?:^|[;{{(])\s*delete[\s(]+({_TEXT})", "rm -rf {}"),
    (rf"\bFile\(\s*({_TEXT})\s*\)\.delete(?:Dir|Recursively)\b", "rm -rf {}"),
    (rf"\b(?:{_DELETES})\(\s*&?{_WRAPPED}({_TEXT})", "rm -rf {}"),
    (rf"\b(?:rm|unlink)\(\s*({_TEXT})\s*[,;]\s*recursive\s*=", "rm -rf {}"),
    (r"<delete\b[^<>]*\bdir=(\"[^\"]+\")", "rm -rf {}"),
    (rf"\b[fF]ile\(\s*({_TEXT})\s*\)\.(?:text|readText|getText|readLines)\b", "cat {}"),
    (rf"\b(?:{_REMOVES})\(\s*&?{_WRAPPED}({_TEXT})", "rm -f {}"),
    (rf"\bnew (?:java\.io\.)?File\(\s*({_TEXT})\s*\)\.delete\(", "rm -f {}"),
    (rf"\b(?:{_MAKES})\(\s*&?{_WRAPPED}({_TEXT})", "touch {}"),
    (rf"\b(?:{_READS})\(\s*&?{_WRAPPED}({_TEXT})", "cat {}"),
)
_INCLUDES = {  # by ending: what includes another file, and who runs that
    **dict.fromkeys((".R", ".r", ".Rprofile"), (r"(?:sys\.)?source", "Rscript")),
    ".jl": ("include", "julia"),
    **dict.fromkeys((".exs", ".ex"), (r"Code\.(?:require|eval)_file", "elixir")),
    ".el": ("load(?:-file)?", "emacs --script"),
    ".scm": ("(?:primitive-)?load", "guile"),
    ".rkt": ("load|require", "racket"),
    ".lisp": ("load", "sbcl --script"),
    **dict.fromkeys((".clj", ".cljc", ".bb"), ("load-file", "clojure")),
    **dict.fromkeys((".gp", ".plt", ".gnuplot"), ("load|call", "gnuplot")),
    ".groovy": (r"evaluate\(\s*new\s+File", "groovy"),
    ".gdb": ("source", "gdb -batch -x"),
    ".nu": ("source|use", "nu"),
    ".xsh": ("source", "xonsh"),
    ".ninja": ("include|subninja", "ninja -f"),
    ".gradle": (r"apply[\s(]+from\s*:", "gradle -b"),
}
_INCLUDED = rf"[\s(]+(?:file:/*)?({_TEXT}|[\w./-]+)"
_TASK = (
    r"\b(?:task|tasks\.(?:register|create|named)|rule|gulp\.task|registerTask|def|exports\.|function|target)\b"
    r"(?:<\w+>)?[\s(]*(?:name=)?[\"']?(\w[\w-]*)|^(?:\[testenv:)?([\w-]+)(?::|\])\s*$"
)
_PRINTS = ("print", "echo", "puts", "message", "log(", "cat(")
_COMMENT = r"(?ms)^\s*(?:#|//|\*|--)[^\n]*$|<!--(?:(?!<!--).)*?-->"
_TAGS = r"<arg\b[^>]*\b(?:value|line)=\"([^\"]*)\"[^>]*/>|<[^>]*>"
_RUN = r"(?im)^[ \t]*RUN[ \t]+(?:--\S+[ \t]+)*(?:<<-?[\"']?(\w+)[\"']?.*\n((?:.*\n)*?)\1$|(.+)$)"
_HOME = "\x01"  # stands for the home folder in a literal
_MOST = 256  # commands of one file
_BASE = "\x02"  # stands for the folder of the file in a literal
_WHOLE = ("/", _HOME, _BASE)  # what a path begins with that is not relative to the folder where the program works
_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
_BESIDE = (
    r"\b__dirname\b|\bimport\.meta\.dirname\b|\bprocess\.cwd\(\)|"
    rf"\b(?:fileURLToPath\(\s*)?new URL\(\s*({_TEXT})\s*,\s*import\.meta\.url\s*\)(?:\.pathname\b|\s*\))?"
)
_OUTPUT = (  # where builders of JavaScript put what they make
    rf"\b(?:outDir|outdir|distDir)[\"']?\s*:\s*({_TEXT})|\boutput[\"']?\s*:\s*\[?\s*\{{[^{{}}]*?\b(?:path|dir)[\"']?\s*:\s*({_TEXT})|"
    rf"\bdistPath[\"']?\s*:\s*\{{\s*root[\"']?\s*:\s*({_TEXT})"
)
_EMPTIES = (
    r"\b(?:emptyOutDir|cleanDistPath)\b(?![\"']?\s*:\s*false)|\bclean[\"']?\s*:\s*(?!false)|\bCleanWebpackPlugin\b"
)
_ROUNDS = 3  # in which names are given literals that were put together
_MOST_NAMES = 64  # names of one file that are given a literal
_APPLIED = frozenset(("apply", "destroy"))  # verbs of Terraform
_CONNECTS = r"\b(?:private_key|credentials|certificate|client_key|cluster_ca_certificate|ssh_key|public_key)\s*=\s*"
_ALWAYS = ("default", "all", "main", "up", "preBuild", "testenv")


def commands_within(file: str, text: str, words: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return the commands that a file starts in a container, each with its line: `RUN`, steps of a pipeline's jobs, all
    jobs or those that the words name.
    """
    if not is_image(file):
        values = read_values(file, text) if file.endswith((".yml", ".yaml")) else None
        jobs = values.get("jobs", values) if isinstance(values, dict) and "services" not in values else {}
        jobs = jobs if isinstance(jobs, dict) else {}
        named = [jobs[name] for name in jobs if name in words]
        found = lines_within(named if named or not {"-j", "--job"}.isdisjoint(words) else jobs)
        return [(line.replace("${{", "{{"), _line_of(line, text)) for line in found]
    import re

    whole = re.sub(r"\\\r?\n(?:\s*#[^\n]*\n)*", " ", text)
    lines = [_words((match[2] or match[3]).strip("[] ")) for match in re.finditer(_RUN, whole)]
    return [(line, _line_of(line, text)) for line in lines]


def is_image(file: str) -> bool:
    """Return whether a file says how an image is made, by its name."""
    name = file.rpartition("/")[2]
    return name.startswith(("Dockerfile", "Containerfile")) or name.lower().endswith("dockerfile")


def _line_of(line: str, text: str) -> int:
    """Return the number of the line of a text in which a command begins."""
    return text.count("\n", 0, max(text.find(line.split("\n")[0][:24]), 0)) + 1


def commands_in(file: str, text: str, words: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return the commands that a file starts on this machine, each with its line.

    Args:
        file: its name.
        text: what it holds.
        words: those of the command that reads it, which name the tasks.
    """
    if is_image(file):
        return _copied(text)
    if file.endswith((".yml", ".yaml")):
        values = read_values(file, text)
        if isinstance(values, dict):
            from policy_engine.effects.compose_files import service_lines

            lines = service_lines(values, words, file.rpartition("/")[0])
        else:
            lines = _played(values, words)
        return [(line, _line_of(line, text)) for line in lines]
    import re

    if file.endswith(".tf"):
        read = _taken_in(file, text)
        if _APPLIED.isdisjoint(words):
            return read  # what it starts, it starts when it is applied
    if file.endswith(".go") and "generate" in words:
        return [(match[1], _line_of(match[0], text)) for match in re.finditer(r"(?m)^//go:generate[ \t]+(.+)$", text)]
    bare = re.sub(_COMMENT, lambda match: "\n" * match[0].count("\n"), text)
    if file.endswith(_SCRIPTS):
        bare = re.sub(_BESIDE, lambda match: match[1] or f'"{_BASE}"', bare)
    bare = _with_literals(bare)
    tasks = [(match.start(), match[1] or match[2]) for match in re.finditer(_TASK, bare, re.MULTILINE)]
    wanted = {word.rpartition(":")[2].lstrip("+") for word in words}.union(_ALWAYS)
    found = _emptied(file, bare, words) if file.endswith(_SCRIPTS) else read if file.endswith(".tf") else []
    counts: dict[str, int] = {}
    for name in re.findall(r"[\w-]+", bare):
        counts[name] = counts.get(name, 0) + 1
    shows = any(word in bare.lower() for word in _PRINTS)
    for pattern, line in _FORMS if shows else [form for form in _FORMS if form[1] != "cat {}"]:
        for match in re.finditer(pattern, bare, re.MULTILINE):
            task = next((name for place, name in reversed(tasks) if place <= match.start()), "")
            called = task.removeprefix("task_")
            if not task or called in wanted or counts.get(task, 0) > 1:
                given = _words(" ".join(filter(None, match.groups())))
                started = line.format(given).replace(f"'{_HOME}'", '"$HOME"').replace(_HOME, '"$HOME"')
                found.append((started, bare.count("\n", 0, match.start()) + 1))
    return found[:_MOST] + _included(file, bare)


def _included(file: str, text: str) -> list[tuple[str, int]]:
    """Return the lines that run the files which a file includes, by their names from its folder and from here."""
    import re

    words, program = _INCLUDES.get(f".{file.rpartition('.')[2]}", ("", ""))
    folder = file.rpartition("/")[0]
    found = []
    for match in re.finditer(rf"(?m)(?:^|[\s(;])(?:{words}){_INCLUDED}", text) if words else ():
        name = match[1][1:-1] if match[1][0] in "\"'`" else match[1]
        places = (name, f"{folder}/{name}") if folder and name[:1] not in "/~" else (name,)
        found += [(f"{program} {quote_words([place])}", text.count("\n", 0, match.start()) + 1) for place in places]
    return found[:_MOST]


def _emptied(file: str, text: str, words: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return what a builder of JavaScript does to its output folders, as its configuration names them."""
    import re

    if "vite.config" in file and "build" not in words:
        return []
    folder = file.rpartition("/")[0] or "."
    base = "." if any(word.endswith(file) for word in words) else folder
    root = re.search(rf"\broot[\"']?\s*:\s*(?:({_TEXT})|\S)", text)
    empties = "--emptyOutDir" in words or re.search(_EMPTIES, text) is not None
    found = []
    for match in re.finditer(_OUTPUT, text):
        name = next(filter(None, match.groups()))[1:-1]
        if root is not None and name[:1] not in _WHOLE and "vite.config" in file:
            if not root[1]:
                continue
            name = f"{root[1][1:-1]}/{name}"
        name = name if name[:1] in _WHOLE else f"{base}/{name}"
        target = quote_words([name.replace(_BASE, folder)]).replace(_HOME, "'\"$HOME\"'")
        line = f"rm -rf {target}" if empties else f"touch {target}/index.js"
        found.append((line, text.count("\n", 0, match.start()) + 1))
    return found


def _with_literals(text: str) -> str:
    """Return code with a literal for each call that gives the home folder, and each name that is given one once."""
    import re

    text = re.sub(rf"\$\{{\s*(?:{HOME_CALLS})\s*\}}", _HOME, text)
    text = re.sub(HOME_CALLS, f'"{_HOME}"', text)
    named: set[str] = set()
    for _ in range(_ROUNDS):
        text = _joined(text)
        given = rf"\b([A-Za-z_]\w*){_DECLARED}[ \t]*:?=[ \t]*({_TEXT})[ \t]*(?:[;\n{{]|else\b)"
        found = [(name, _pushed(name, value, text)) for name, value in re.findall(given, text)]
        values = [(name, value) for name, value in found if value]
        fresh = [(name, value) for name, value in values if name not in named][:_MOST_NAMES]
        for name, value in fresh:
            named.add(name)
            if len(re.findall(rf"\b{name}\b\)?[^=\n(){{}}]*:?=(?!=)", text)) == 1:
                used = rf"((?:[(,+&=]|(?<!:):)\s*){name}(?=\s*(?:[),+;\n}}]|\.(?:join|resolve|{_SAME})\())"
                text = re.sub(used, lambda match: match[1] + value, text)  # noqa: B023
                text = re.sub(rf"\$\{{\s*{name}\s*\}}", lambda _: value[1:-1], text)  # noqa: B023
                inner = rf"(\bformat!\(\s*\"[^\"\n]*)\{{{name}\}}"
                text = re.sub(inner, lambda match: match[1] + value[1:-1], text)  # noqa: B023
        if not fresh:
            break
    return _joined(text)


_SAME = "to_path_buf|as_path|as_str|as_ref|as_os_str|to_str|to_string_lossy|to_string|to_owned|into|clone|display"
_DECLARED = r"(?:[ \t]*,[ \t]*\w+|[ \t]*:[ \t]*&?[\w:<>]+|\))?"  # between a name and its value


def _pushed(name: str, value: str, text: str) -> str:
    """Return the literal of a path with what is pushed to it later, "" if that is not known yet."""
    import re

    pieces = re.findall(rf"\b{name}\.push\(\s*&?({_TEXT})\s*\)", text) if f"{name}.push(" in text else []
    if len(pieces) < text.count(f"{name}.push("):
        return ""
    return f'"{"/".join(filter(None, (one[1:-1] for one in (value, *pieces))))}"' if pieces else value


_CALLS = r"(?:\b(?:filepath|path)\.Join|(?:\bpath\.|(?<![.\w]))(?:join|resolve)|\bPath\.of|\bPaths\.get)\(\s*"
_OWNED = (
    rf"\b(?:String::from|PathBuf::from|Path::new|std::string|fs::path)\(\s*&?({_TEXT})\s*\)|"
    rf"({_TEXT})(?:\.(?:{_SAME})\(\)(?:\.unwrap\(\))?)+|\bformat!\(\s*(\"[^\"{{}}\n]*\")\s*\)"
)


def _joined(text: str) -> str:
    """Return code with one literal for literals that are added to one another, or put together as a path."""
    import re

    def whole(match: re.Match[str], between: str) -> str:
        pieces = [word[1:-1] for word in re.findall(_TEXT, match[0])]
        starts = [place for place, one in enumerate(pieces) if one[:1] in _WHOLE] if "resolve(" in match[0] else []
        return '"' + between.join(pieces[starts[-1] if starts else 0 :]) + '"'

    text = re.sub(r"\bPathBuf::new\(\)", '""', text)
    text = re.sub(_OWNED, lambda match: match[1] or match[2] or match[3], text)
    text = re.sub(rf"{_TEXT}(?:\s*\+\s*&?{_TEXT})+", lambda match: whole(match, ""), text)
    text = re.sub(rf"{_CALLS}{_TEXT}(?:\s*,\s*{_TEXT})*\s*\)", lambda match: whole(match, "/"), text)
    text = re.sub(rf"{_TEXT}(?:\.(?:join|resolve)\(\s*&?{_TEXT}\s*\))+", lambda match: whole(match, "/"), text)

    def formatted(match: re.Match[str]) -> str:
        pieces = re.split(r"\{\}|%[sv]", match[1][1:-1])
        words = [word[1:-1] for word in re.findall(_TEXT, match[2])]
        fits = len(pieces) == len(words) + 1
        return '"' + "".join(map("".join, zip(pieces, [*words, ""], strict=True))) + '"' if fits else match[0]

    formats = rf"\b(?:format!|fmt\.Sprintf|String\.format)\(\s*({_TEXT})((?:\s*,\s*{_TEXT})+)\s*\)"
    return re.sub(formats, formatted, text)


def _words(text: str) -> str:
    """Return the words of one form as a shell line."""
    import re

    text = re.sub(_TAGS, lambda match: f" {match[1] or ''} ", text).strip()
    quoted = [word[1:-1] for word in re.findall(_TEXT, text)]
    if not quoted or text[:1] not in "\"'`":
        return text
    return quoted[0] if len(quoted) == 1 else quote_words(quoted)


def _copied(text: str) -> list[tuple[str, int]]:
    """A file that a Dockerfile copies by its name is shown to whoever gets the image."""
    lines = text.split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if words[:1] in (["COPY"], ["ADD"]) and not any(word.startswith("--from") for word in words):
            names = [word.strip("[],\"'") for word in words[1:] if word[:2] != "--"][:-1]
            found += [(f"cat {quote_words([name])}", number) for name in names if "*" not in name and "$" not in name]
    return found


def _taken_in(file: str, text: str) -> list[tuple[str, int]]:
    """Files that Terraform takes into its plan and state by literal names, but those that only open a connection."""
    import re

    folder = file.rpartition("/")[0] or "."
    found = []
    for match in re.finditer(rf"(?m)^([^\n#]*?)\b(?:file|filebase64|templatefile)\(\s*({_TEXT})", text):
        name = re.sub(r"\$\{path\.(?:module|root)\}", ".", match[2][1:-1])
        if "${" not in name and not re.search(_CONNECTS, match[1]):
            place = name if name[:1] in "/~" else f"{folder}/{name}"
            found.append((f"cat {quote_words([place])}", text.count("\n", 0, match.start()) + 1))
    return found


def _played(plays: Any, words: tuple[str, ...]) -> list[str]:
    """The commands of a playbook's plays that act on this machine."""
    if not isinstance(plays, list):
        return []
    own = {"localhost", "127.0.0.1"}
    here = "local" in words or not own.isdisjoint(word.rstrip(",") for word in words)
    mine = [
        one
        for one in plays
        if isinstance(one, dict) and (here or one.get("hosts") in own or one.get("connection") == "local")
    ]
    return lines_within(mine)
