"""`claude`: a coding agent; started without hooks or approval nobody guards it. Others of its kind share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_UNGUARDED = (
    "--bare", "--safe-mode", "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions", "--yolo",
    "--pure",
    "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "--full-auto", "-y", "--no-hooks",
    "--allow-all-tools", "--allow-all", "--approval-mode=yolo", "--skip-permissions",
    "--skip-permissions-unsafe", "--force", "--trust-all-tools",
    "--disable-hooks", "--ignore-user-config", "--auto", "--yes-always", "--yes",
)  # fmt: skip
_ALLOWED = ("--allowedTools", "--allowed-tools", "--allow-tool", "--allow-tools", "--trust-tools", "--core-tools",
            "--tools-allow")  # fmt: skip
_EVERYTHING = frozenset(
    "bash bash(*) bash(:*) shell shell(*) run_shell_command execute_bash terminal * all".split()
)  # tools that start any command
_VERBS = {"q": "chat", "acli": "rovodev"}  # programs of which one verb is an agent
_PLACES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CONFIG_DIR", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR",
           "OPENCODE_PURE", "XDG_CONFIG_HOME", "HOME", "GEMINI_CLI_HOME", "COPILOT_HOME",
           "CLAUDE_CODE_SIMPLE", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")  # fmt: skip
_SETTINGS = ("--settings", "--disable", "--enable", "--setting-sources", "--permission-mode", "-c", "--config",
             "--approval-mode", "-a", "--ask-for-approval", "--sandbox", "-s", "--mcp-config",
             "--plugin-dir")  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    verb = _VERBS.get(analysis.name)
    if verb is not None and verb not in words[:2]:
        return []  # a program of many uses, of which this is another
    if "--help" in words or "--version" in words or words in (["-h"], ["-v"], ["-V"]):
        return []
    analysis.does("executes")
    if any(word.partition("=")[0] in _UNGUARDED or word in _UNGUARDED for word in words):
        analysis.does("unguarded-agent")
    if analysis.name in ("cursor-agent", "agent") and "-f" in words:  # `--force`
        analysis.does("unguarded-agent")
    if any(_frees(name, value) for name, value in analysis.env.items() if is_known(value)):
        analysis.does("unguarded-agent")
    allowed = _values(words, _ALLOWED)
    if any(tool in _EVERYTHING for text in allowed for tool in text.lower().replace(",", " ").split()):
        analysis.does("unguarded-agent")
    elif not all(map(is_known, allowed)):
        analysis.doubt("unguarded-agent", "what the agent is allowed without a question is not known")
    if any(_is_elsewhere(path, analysis) for path in (analysis.cwd, *_folders(words, analysis))):
        analysis.doubt("unguarded-agent", "whether a hook guards it in another folder is not known")
    if any(analysis.env.get(name) for name in _PLACES):
        analysis.does("unguarded-agent")
    for place, word in enumerate(words):
        name, _, value = word.partition("=")
        value = value or (words[place + 1] if place + 1 < len(words) else "")
        if name in _SETTINGS:
            risky = ("bypass", "hooks", "never", "danger", "yolo", "disable", "full", "none")
            if any(part in value.lower() for part in risky):
                analysis.does("unguarded-agent")
            else:
                analysis.doubt("unguarded-agent", f"what `{word[:80]}` allows the agent is not known")
    if words[:1] == ["mcp"] and words[1:2] not in (["list"], ["get"]):
        analysis.does("controls-engine")
    elif words[:1] in (["config"], ["plugin"], ["hooks"], ["update"]):
        analysis.doubt("controls-engine", "the settings of the agent may change")
    return []


def _frees(name: str, value: str) -> bool:
    """Return whether a variable lets the agent do everything: `OPENCODE_PERMISSION={"*":"allow"}`."""
    if name.endswith(("GOOSE_MODE", "PERMISSION_MODE", "APPROVAL_MODE")):
        return value.lower() in ("auto", "yolo", "bypasspermissions", "never")
    if name.endswith(("_YOLO", "_AUTO_APPROVE", "_SKIP_PERMISSIONS", "_TRUST_ALL_TOOLS")):
        return value.lower() not in ("", "0", "false", "no")
    compact = value.replace(" ", "").replace("'", '"')
    return name.endswith(("_PERMISSION", "_PERMISSIONS", "_CONFIG_CONTENT")) and (
        compact == "allow" or any(f'{part}":"allow' in compact for part in ("*", "bash", "permission"))
    )


def _values(words: list[str], options: tuple[str, ...]) -> list[str]:
    """The values of options: behind `=`, or all words up to the next option."""
    values = [word.partition("=")[2] for word in words if word.partition("=")[0] in options and "=" in word]
    for place, word in enumerate(words):
        if word in options:
            end = next((at for at in range(place + 1, len(words)) if words[at][:1] == "-"), len(words))
            values += words[place + 1 : min(end, place + 4)]
    return values


def _folders(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """The folders that the agent is told to work in."""
    paths = []
    for place, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in ("-C", "--cd", "--cwd", "--directory", "--project", "--worktree"):
            paths.append(analysis.path(value if equals else "".join(words[place + 1 : place + 2]), "read"))
    return paths


def _is_elsewhere(path: PathValue, analysis: EffectAnalysis) -> bool:
    """Return whether a folder is not the workspace: a host reads the settings of the folder in which it starts."""
    return not path.known or analysis.filesystem.relative(path) != ""
