"""Convert a path pattern as Claude Code reads it (as in `.gitignore`) to globs that match the same paths."""

from __future__ import annotations

import re

from policy_engine.conversion.writing import Inexpressible, quoted
from policy_engine.filesystem.globs import expand_braces, glob_matches, glob_problem


def globs(pattern: str) -> list[str]:
    """Return the globs, of which a path matches one. `//x` is absolute, `~/x` below home, the rest below the workspace.

    What names a folder means all below it. A name without a slash may stand at any depth. Raises Inexpressible.
    """
    text = pattern.strip()
    if not text or text[0] in "!#":
        raise Inexpressible(f"the pattern {quoted(pattern)} selects nothing by itself")
    root, text = _root(text)
    text = re.sub(r"\\(.)", _escaped, text)
    folder = text.endswith("/")
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise Inexpressible(f"the pattern {quoted(pattern)} leads out of its folder")
    parts = [part if part == "**" else re.sub(r"\*{2,}", "*", part) for part in parts]
    if not parts:
        return [f"{root}**"]
    anywhere = len(parts) == 1 and not root and not pattern.strip().startswith(("./", "/")) and parts != ["**"]
    whole = root + "/".join(["**", *parts] if anywhere else parts)
    patterns = [whole] if whole.endswith("**") else [*([] if folder else [whole]), f"{whole}/**"]
    for glob in patterns:
        problem = glob_problem(glob)
        if problem is not None:
            raise Inexpressible(f"the pattern {quoted(pattern)} is no glob: {problem[1]}")
    return patterns


def matches_path(patterns: list[str], path: str) -> bool:
    """Return whether a path of a test's workspace (relative), or of its machine, matches one of the globs."""
    absolute = (
        path.replace("~", "/home/user", 1) if path[0] == "~" else path if path[0] == "/" else f"/workspace/{path}"
    )
    relative = path if path[0] not in "/~" else None
    texts = tuple(one for text in patterns for one in expand_braces(text))
    return glob_matches((texts, ()), relative, absolute, "/home/user")


def _root(text: str) -> tuple[str, str]:
    if text.startswith("//"):
        return "/", text[2:]
    if text.startswith("~/"):
        return "~/", text[2:]
    if text.startswith("~"):
        raise Inexpressible("another user's home folder is not known")
    return "", text


def _escaped(match: re.Match[str]) -> str:
    return f"[{match[1]}]" if match[1] in "*?[{" else match[1]
