"""Tell a analysis what code of any language does elsewhere: through clients of databases and services, and by requests.

It goes by the names of calls, as `programs.toml` lists them, and by literal statements. Imported by the hook path, `re`
only when the code names such a client.
"""

from __future__ import annotations

from policy_engine.inline.code import files_used
from policy_engine.model.partial import is_known
from policy_engine.programs._rows import VERBS
from policy_engine.programs.base import stays_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

_SETS = {kind: VERBS[f"code_{kind}"].split() for kind in ("databases", "services", "uploads", "requests", "here")}
_VERBS = frozenset(VERBS["destroys"].split()) - {"drop", "truncate", "clear"} | {"prune"}
_ALONE = ("delete", "prune")
_DROPS = frozenset("flushall flushdb dropdatabase dropcollection droptable dropschema dropall dropkeyspace".split())
_LITERAL = r"(?:'''|\"\"\"|'|\"|`)((?:[^'\"`\\]|\\.)*)"
_STATEMENTS = rf"\b(?:execute\w*|exec|query|queryRaw\w*|do|run|raw|sql|text|prepare)\s*\(?\s*[rf]?{_LITERAL}"
_CALLS = r"(?:\.|->|::)\s*([A-Za-z_]\w*)\s*\(|\bnew\s+(\w+)Command\("


def tell_remote(code: str, analysis: EffectAnalysis, in_file: bool) -> None:
    """Tell what is destroyed elsewhere, and which files are sent there.

    Args:
        code: the text.
        analysis: has taken what the code does here.
        in_file: it stands in a file, of which only what is certain counts.
    """
    named = {kind: any(name in code for name in names) for kind, names in _SETS.items()}
    if any(word in code for word in ("proc", "Proc", "ps", "pid", "tasklist")):
        from policy_engine.effects.listed_processes import tell_listed

        tell_listed(code, analysis, in_file)
    if not in_file:
        _tell_calls(code, analysis)
    if not (named["databases"] or named["services"] or named["uploads"] or named["requests"]):
        return
    import re

    from policy_engine.model.addresses import leads_to

    here = all(leads_to(address, "loopback") for address in re.findall(r"\w+://[^/'\"\s]+", code)) and named["here"]
    if named["services"] or (named["databases"] and not here):
        from policy_engine.programs.sql import is_emptying

        calls = [name or made for name, made in re.findall(_CALLS, code)]
        if analysis.name.startswith("ruby"):
            calls += [name for name in re.findall(r"\.(\w+)\b", code) if name.replace("_", "") in _DROPS]
        if any(map(is_emptying, re.findall(_STATEMENTS, code))) or any(
            _destroys(name, named["services"]) for name in calls
        ):
            analysis.does("destroys", "network")
    files = [path for path in analysis.paths if path.access == "read" and path.known and not path.recursive]
    if named["uploads"]:
        texts = [text for text in re.findall(_LITERAL, code) if text and is_known(text) and "\n" not in text]
        later = [] if in_file or here else [text for text in texts if re.fullmatch(r"[\w.-]+/[\w./-]*\.\w+", text)]
        if later and not any(map(analysis.is_file, files)):
            analysis.send([analysis.path(text, "read") for text in later])  # a build may write it before
        files += [path for path in (analysis.path(text, "read") for text in texts) if path.known]
    elif here or not named["requests"] or "network" not in analysis.words:
        return
    elif in_file:
        used = files_used(code, analysis.name, "|".join(map(re.escape, _SETS["requests"])))
        files = [path for path in (analysis.path(text, "read") for text in used) if path.known]
    sent = [path for path in files if analysis.is_file(path)]
    if sent and "sends" not in analysis.words:
        analysis.send(sent)


def _tell_calls(code: str, analysis: EffectAnalysis) -> None:
    """Tell what code in a line has clients elsewhere delete, whatever their library, and the tunnels that it opens."""
    from policy_engine.effects.remote_calls import destroys_elsewhere, opens_tunnel

    if opens_tunnel(code):
        analysis.does("exposes", "network")

    def here(name: str) -> bool:
        return stays_here([analysis.env.get(name) or ""])

    if destroys_elsewhere(code, analysis.name, here):
        analysis.does("destroys", "network")


def _destroys(name: str, service: bool) -> bool:
    """Return whether a call of this name destroys: `delete_bucket`, `dropDatabase`; `delete` of a service."""
    words = "".join(f"_{char}" if char.isupper() else char for char in name).lower().strip("_").split("_")
    return "".join(words) in _DROPS or (service and words[0] in _VERBS and (len(words) > 1 or words[0] in _ALONE))
