"""`rsync`: copies folders; with `--delete` it removes what the source does not have.

With `--link-dest` it makes hard links to the files of another folder, which count as written.
"""

from __future__ import annotations

from policy_engine.filesystem.left_out import plain_patterns
from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, is_remote

_LIST_BYTES = 65_536
_TAKES_BACK = ("-f", "-F", "--filter", "--include", "--include-from")  # the first rule that fits a file decides
_LISTS = ("--files-from", "--exclude-from", "--include-from", "--password-file")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    for text in arguments.values("-e", "--rsh", "--rsync-path"):
        analysis.shell(text)
    if any(map(is_remote, arguments.operands)):
        analysis.does("network")
    if len(arguments.operands) < 2:
        return [analysis.path(text, "read", True) for text in arguments.operands]
    *sources, target = arguments.operands
    without = _left_out(arguments, analysis)
    paths = [analysis.path(text, "read", True).leaving_out(without) for text in sources if not is_remote(text)]
    paths += [analysis.path(text, "read") for text in arguments.values(*_LISTS) if text != "-"]
    if arguments.has("-n", "--dry-run"):
        return paths
    if arguments.has("--remove-source-files"):
        paths += [analysis.path(text, "delete", True) for text in sources if not is_remote(text)]
    if is_remote(target):
        analysis.send(paths)
        return paths
    for text in arguments.values("--link-dest"):  # read from the target where it is relative
        place = text if text[:1] == "/" else f"{target}/{text}"
        paths += [analysis.path(place, access, True) for access in ("read", "write")]
    recursive = arguments.has("-a", "-r", "--archive", "--recursive", "--delete", "--files-from")
    whole = [text for text in sources if text.endswith("/")]
    paths += analysis.fetched(
        sources, target, recursive, bool(whole) or arguments.has("-R", "--relative", "--files-from")
    )
    paths += [analysis.path(text, "write", recursive) for text in arguments.values("--backup-dir", "--temp-dir")]
    if any(name.startswith("--del") for name, _ in arguments.options):
        places = [target if text in whole else analysis.arrival(text.rpartition(":")[2], target) for text in sources]
        paths += [analysis.path(place, "delete", True) for place in dict.fromkeys(places)]
    return paths


def _left_out(arguments: Arguments, analysis: EffectAnalysis) -> tuple[str, ...]:
    """Return the patterns of names that are not copied, none where another rule may take them back."""
    if arguments.unsure or arguments.has(*_TAKES_BACK):
        return ()
    patterns: list[str | None] = [*arguments.values("--exclude")]
    for list_ in arguments.values("--exclude-from"):
        text = analysis.text_in(analysis.path(list_, "read"), _LIST_BYTES)
        patterns += [None] if text is None else text.splitlines()
    return plain_patterns(patterns)
