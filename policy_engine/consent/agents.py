"""Tell coding agents and what they start from people, by their variables and programs. One table of data.

Agents without an adapter of ours are agents, too. A variable that a person's profile may set (a key, a model, a folder
of settings) says nothing, so whole families of names are given with what is left out of them.
"""

from __future__ import annotations

from policy_engine.programs.base import named

VARIABLES = frozenset(
    (
        "AGENT AI_AGENT AIDER_AGENT AMP_CURRENT_THREAD_ID ANTIGRAVITY_AGENT AUGMENT_AGENT CLAUDECODE"
        " CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CLAUDE_PID CLAUDE_PROJECT_DIR CRUSH CURSOR_AGENT"
        " CURSOR_TRACE_ID GEMINI_CLI GEMINI_CWD GEMINI_PROJECT_DIR GEMINI_SESSION_ID GOOSE_TERMINAL KIRO_AGENT_PATH"
        " OPENCODE PI_CODING_AGENT QWEN_CODE REPLIT_AGENT ROO_ACTIVE TRAE_AI_SHELL_ID"
    ).split()
)
FAMILIES = ("CODEX_", "COPILOT_", "OPENCODE_", "QWEN_CODE_", "CLINE_", "DROID_")
SETTINGS = ("_HOME", "_CONFIG", "_CONFIG_DIR", "_API_KEY", "_TOKEN", "_MODEL", "_BASE_URL")
"""Ends of names that people set themselves."""
PROGRAMS = named("agent")
"""Names of programs, of their scripts and of the packages that these come in."""
EDITORS = frozenset(
    (
        "code code-insiders code-server codium cursor kiro positron trae windsurf zed"
        " .vscode-server .vscode-server-insiders .cursor-server .windsurf-server .kiro-server .zed_server"
    ).split()
)
"""Editors whose agents can type into the terminals that they show."""


def is_agents(variable: str) -> bool:
    """Return whether only an agent sets this variable."""
    return variable in VARIABLES or (variable.startswith(FAMILIES) and not variable.endswith(SETTINGS))
