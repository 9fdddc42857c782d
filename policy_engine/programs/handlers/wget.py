"""`wget`: fetches from the network into files."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import may_be_option, shown
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.requests import has_credential, tell_request


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    if arguments.has("-e", "--execute", "--config", "--use-askpass"):
        analysis.doubt("*", "what its settings do is not known")
    bodies = arguments.values("--body-data", "--post-data")
    named = arguments.has("--user", "--password", "--http-user") or has_credential(arguments.values("--header"))
    tell_request(arguments.last("--method") or "", bodies, arguments.operands, analysis, credential=named)
    documents = arguments.values("-O", "--output-document")
    logs = arguments.values("-o", "--output-file", "-a", "--append-output", "--save-cookies")
    sent = arguments.values("--post-file", "--body-file", "-i", "--input-file", "--load-cookies", "--private-key")
    paths = [analysis.path(text, "write") for text in documents + logs if text != "-"]
    hidden = [word for word in arguments.operands if may_be_option(word)]
    if hidden and len(hidden) < len(arguments.operands):  # beside an address it may be `--post-file=…`
        reason = f"whether `{shown(hidden[0])[:80]}` is an option that sends a file is not known"
        analysis.doubt("sends", reason)
        paths.append(analysis.may_touch(hidden[0], reason, "read"))
    paths += [analysis.path(text, "read") for text in sent if text != "-"]
    if documents or arguments.has("--spider"):
        return paths
    folder = arguments.last("-P", "--directory-prefix") or "."
    if arguments.has("-r", "--recursive", "-m", "--mirror"):
        hosts = [url.partition("://")[2].partition("/")[0] for url in arguments.operands]
        spread = not all(hosts) or arguments.has(
            "-n", "-H", "--no-directories", "--no-host-directories", "--span-hosts"
        )
        return paths + analysis.fetched(hosts or [folder], folder, True, spread)
    for url in arguments.operands:
        name = url.partition("?")[0].rstrip("/").rpartition("/")[2] or "index.html"
        paths.append(analysis.path(f"{folder}/{name}", "write"))
    return paths
