"""`docker`: manages images and containers; kin of it share it."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_NAMES = {"--services", "--quiet", "-q", "--images", "--volumes", "--profiles", "--no-interpolate"}


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    verbs = [word for word in words if word[:1] != "-"]
    verb = verbs[0] if verbs else ""
    if verb in ("image", "manifest", "compose", "container", "buildx", "plugin") and len(verbs) > 1:
        verb = verbs[1]
    if verb == "push" or (verb in ("build", "bake") and _pushes(words)):
        scene.does("publishes", "network")
    elif verb and not is_known(verb):
        scene.doubt("publishes", "which subcommand is meant is not known")
    paths = _named(verb, words, scene)
    if verb in ("run", "exec"):
        scene.does("executes")
        if any("curl" in word or "wget" in word for word in words):
            scene.doubt("executes-remote", "what the container fetches it may run")
    if (verb == "inspect" and "container" in words) or words[:1] == ["inspect"]:
        scene.does("discloses")  # with the environment that it was started with
    if "compose" in words[:2] and verb in ("config", "convert") and not _NAMES & set(words):
        scene.does("discloses")
    if verb == "cp" and len(verbs) > 2 and ":" not in verbs[-2]:
        paths.append(scene.path(verbs[-2], "read", True))
    if verb == "cp" and len(verbs) > 2 and ":" not in verbs[-1]:
        paths.append(scene.path(verbs[-1], "write", True))
    return paths


def _named(verb: str, words: list[str], scene: Scene) -> list[PathValue]:
    """The files and folders that options name."""
    paths: list[PathValue] = []
    for place, word in enumerate(words):
        value = word.partition("=")[2] or (words[place + 1] if place + 1 < len(words) else "")
        if word.partition("=")[0] == "--env-file":
            scene.mention(value)
        elif word.partition("=")[0] in ("-o", "--output") and verb in ("save", "export"):
            paths.append(scene.path(value, "write"))
        elif "src=" in word or ("source=" in word and verb in ("build", "bake")):
            scene.mention(word.partition("src=" if "src=" in word else "source=")[2].partition(",")[0])
        elif verb in ("run", "create", "exec") and word.partition("=")[0] in ("-v", "--volume", "--mount"):
            source = value.partition("source=")[2].partition(",")[0] or value.partition(":")[0]
            mounted = scene.path(source, "write")
            if mounted.known:
                paths.append(mounted.with_access("read"))
            inside = mounted.known and scene.world.relative(mounted) is not None
            if not inside and (source[:1] in "/.~" or not is_known(source)):
                paths.append(scene.unknown(source, f"what the container does to `{source[:80]}` is not known", "write"))
        elif verb in ("run", "exec") and word in ("--privileged", "--pid=host"):
            scene.doubt("elevates", f"`{word}` gives the container the rights of the machine")
    return paths


def _pushes(words: list[str]) -> bool:
    return (
        "--push" in words
        or "--push=true" in words
        or any("push=true" in word or "type=registry" in word for word in words)
    )


PROGRAM = Program(
    "docker",
    touched=_touched,
    raw=True,
)
