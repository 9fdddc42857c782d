"""`python`: runs a module, code or a script; what code says with literal words is read."""

from __future__ import annotations

from policy_engine.model.inline_code import analyse
from policy_engine.model.partial import is_known, shown
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene, find_program

_RUNNERS = ("runpy", "pdb", "cProfile", "profile", "trace", "coverage", "viztracer")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT")):
        scene.does("configures")
    for code in arguments.values("-c"):
        analyse(code, scene)
        for word in code.replace(",", " ").replace(";", " ").replace("'", " ").replace('"', " ").split():
            if word.removesuffix(".py").isidentifier():
                scene.runs.append(scene.path(word if word.endswith(".py") else f"{word}.py", "read"))
    for module in arguments.values("-m"):
        return _module(module, arguments.operands, scene)
    if arguments.has("-c"):
        return []
    if "".join(arguments.operands[:1]).endswith("setup.py") and {"upload", "register"} & set(arguments.operands[1:]):
        scene.does("publishes", "network")
    if "".join(arguments.operands[:1]).endswith("policy_engine/__main__.py"):
        return _module("policy", arguments.operands[1:], scene)
    return scene.script(arguments.operands)


def _module(module: str, words: list[str], scene: Scene) -> list[PathValue]:
    """`-m NAME` is a program of that name where one is modelled."""
    if not is_known(module):
        scene.doubt("*", f"which module `{shown(module)[:80]}` is, is not known")
        return []
    if module in ("venv", "virtualenv"):
        return [scene.path(text, "write", True) for text in words if text[:1] != "-"]
    if module.startswith("policy_engine."):
        scene.does("controls-engine")
    module = "policy" if module.partition(".")[0] == "policy_engine" else module
    if module in _RUNNERS:
        scene.runs += [scene.path(word, "read") for word in words if word.endswith(".py")]
    scene.runs += [scene.path(f"{module.replace('.', '/')}.py", "read"), scene.path(module.replace(".", "/"), "read")]
    program = find_program(module)
    if program is None or program.name == "python":
        if module == "http.server":
            scene.does("network")
        scene.runs.append(scene.path(f"{module.replace('.', '/')}.py", "read"))
        return []
    arguments = program.arguments(tuple(words))
    scene.name = module
    scene.looks = program.looks
    return program.touched(arguments, scene)
