"""`python`: runs a module, code or a script; what code says with literal words is read."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.inline.values import Start
from policy_engine.model.partial import is_known, shown
from policy_engine.programs.base import Arguments, EffectAnalysis, find_program

_READERS = ("base64", "quopri", "uu", "binhex", "tokenize", "ast", "fileinput", "mimetypes", "difflib", "csv", "pickle",
            "pickletools", "marshal", "plistlib", "dis", "symtable", "tabnanny", "pyclbr", "inspect")  # fmt: skip
_HELP = frozenset(("-h", "--help"))
_RUNNERS = ("runpy", "pdb", "cProfile", "profile", "trace", "coverage", "viztracer")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    if analysis.env.get("PYTHONBREAKPOINT", "0") not in ("", "0", "pdb.set_trace", "ipdb.set_trace", "breakpoint"):
        analysis.doubt("*", "a breakpoint starts what `PYTHONBREAKPOINT` names")
    if any(analysis.env.get(name) for name in ("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT")):
        analysis.does("configures")
    if analysis.env.get("PYTHONSTARTUP") and (arguments.has("-i") or not (arguments.operands or arguments.options)):
        analysis.loads([analysis.env["PYTHONSTARTUP"]])
    for code in arguments.values("-c"):
        analyse(code, analysis, start=Start("-c", tuple(arguments.operands)))
        for word in code.replace(",", " ").replace(";", " ").replace("'", " ").replace('"', " ").split():
            if word.removesuffix(".py").isidentifier():
                analysis.runs.append(analysis.path(word if word.endswith(".py") else f"{word}.py", "read"))
    for module in arguments.values("-m"):
        return _module(module, arguments.operands, analysis)
    if arguments.has("-c"):
        return []
    if "".join(arguments.operands[:1]).endswith("setup.py"):
        if {"upload", "register"} & set(arguments.operands[1:]):
            analysis.does("publishes", "network")
        elif not all(map(is_known, arguments.operands[1:])):
            analysis.doubt("publishes", "which command `setup.py` is given is not known")
    if "".join(arguments.operands[:1]).endswith("manage.py"):
        for text in _values(arguments.operands, "-c", "--command"):
            analyse(text, analysis)
        program = find_program("manage.py")
        if program is not None:
            name, analysis.name = analysis.name, "manage.py"
            program.touched(program.arguments(tuple(arguments.operands[1:])), analysis)
            analysis.name = name
    if "".join(arguments.operands[:1]).endswith("policy_engine/__main__.py"):
        return _module("policy", arguments.operands[1:], analysis)
    return analysis.script(arguments.operands)


def _module(module: str, words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """`-m NAME` is a program of that name where one is modelled."""
    if not is_known(module):
        analysis.doubt("*", f"which module `{shown(module)[:80]}` is, is not known")
        _run_module(module, analysis)
        return []
    if module in ("venv", "virtualenv"):
        return [analysis.path(text, "write", True) for text in words if text[:1] != "-"]
    if module.startswith("policy_engine."):
        analysis.does("controls-engine")
    module = "policy" if module.partition(".")[0] == "policy_engine" else module
    if module in _RUNNERS:
        analysis.runs += [analysis.path(word, "read") for word in words if word.endswith(".py")]
    _run_module(module, analysis)
    program = find_program(module)
    if program is None or program.name == "python" or module in _READERS:
        return _library(module, words, analysis)
    arguments = program.arguments(tuple(words))
    if program.informs_with(arguments, analysis):
        return []  # the module itself is run all the same
    analysis.name = module
    analysis.looks = program.looks
    return program.touched(arguments, analysis)


def _run_module(module: str, analysis: EffectAnalysis) -> None:
    """It runs the module, or the folder of that name, where one of the places that it looks in has it."""
    file = module.replace(".", "/")
    for folder in dict.fromkeys(("", *(analysis.env.get("PYTHONPATH") or "").split(":"))):
        if is_known(folder):
            place = f"{folder}/{file}" if folder else file
            analysis.runs += [analysis.path(f"{place}.py", "read"), analysis.path(place, "read")]


def _library(module: str, words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Modules of the standard library that are programs, too; what another module does with its words is not known."""
    plain = [word for word in words if word[:1] != "-"]
    if words[:1] in (["-h"], ["--help"]) or (module == "http.server" and not _HELP.isdisjoint(words)):
        return []
    if module == "http.server":
        analysis.does("network")
        return [analysis.path(text, "read", True) for text in _values(words, "-d", "--directory") or ["."]]
    if module in ("timeit", "pdb", "asyncio", "code"):
        for text in [*plain, *_values(words, "-s", "--setup", "-c", "--command")]:
            analyse(text.lstrip("!"), analysis)
    elif module in ("zipfile", "tarfile"):
        packs = bool({"-c", "--create"} & set(words))
        if packs or {"-e", "--extract"} & set(words):
            if packs:
                packed = [analysis.path(text, "read", True) for text in plain[1:]]
                return [analysis.path(text, "write") for text in plain[:1]] + packed
            return analysis.unpacks("".join(plain[:1]), "".join(plain[1:2]))
    elif module in _READERS:
        return [analysis.path(text, "read") for text in plain]
    elif module == "json.tool":
        return [analysis.path(text, "write" if place else "read") for place, text in enumerate(plain[:2])]
    elif module in ("cProfile", "profile", "trace", "zipapp"):
        outputs = _values(words, "-o", "--outfile", "--output", "-C", "--coverdir", "-f", "--file")
        return [analysis.path(text, "write", True) for text in outputs]
    elif module in ("compileall", "py_compile", "gzip", "lib2to3", "ensurepip"):
        return [analysis.path(text, "write", True) for text in plain]
    elif module in ("dotenv", "environ") and words:
        files = _values(words, "-f", "--file") or [".env"]
        return [analysis.path(text, "read") for text in files]
    return []


def _values(words: list[str], *options: str) -> list[str]:
    """The values of options, in a word of their own or behind `=`."""
    values = [words[place + 1] for place, word in enumerate(words[:-1]) if word in options]
    return values + [word.partition("=")[2] for word in words if word.partition("=")[0] in options and "=" in word]
