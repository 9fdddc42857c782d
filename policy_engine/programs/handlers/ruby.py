"""`ruby`: runs a script or code."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("RUBYOPT", "RUBYLIB")):
        scene.does("configures")
    if "un" in arguments.values("-r"):
        return _tool("".join(arguments.values("-e")[:1]).strip(), arguments.operands, scene)
    for code in arguments.values("-e"):
        analyse(code, scene)
    if arguments.has("-i", "-n", "-p"):
        return scene.each_line(arguments.operands, arguments.has("-e"), arguments.has("-i"))
    if arguments.has("-e"):
        return []
    return scene.script(arguments.operands)


def _tool(verb: str, words: list[str], scene: Scene) -> list[PathValue]:
    """`ruby -run -e httpd FOLDER`, `-e cp A B`: commands of the library `un`."""
    if verb.startswith("httpd"):
        scene.does("network")
        return [scene.path(text, "read", True) for text in [one for one in words if one[:1] != "-"] or ["."]]
    scene.shell(f"{verb} {quote_words([word for word in words if word != '--'])}")
    return []
