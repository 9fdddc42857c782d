"""Name what a container does to folders of this machine that are mounted in it. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def map_mounts(line: str, mounts: Iterable[tuple[str, ...]]) -> str:
    """Return a line that runs in a container, with the folders of this machine that are mounted there (source, target)
    for their names in it; "" if it names none of them.
    """
    import re

    inside = [pair for pair in mounts if len(pair) == 2 and pair[0][:1] in ("/", ".", "~") and pair[1].strip("/")]
    if not is_known(line) or not all(is_known("".join(pair)) for pair in inside):
        return ""
    found = False
    for source, target in inside:
        pattern = rf"(?<![\w./-]){re.escape(target.rstrip('/'))}(/(?=[\w.*]))?(?![\w-])"
        found = found or re.search(pattern, line) is not None
        line = re.sub(pattern, lambda match: source.rstrip("/") + (match[1] or "") or "/", line)  # noqa: B023
    return line if found else ""
