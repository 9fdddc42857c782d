"""`gh`: talks to a forge: its subcommands and `api` can release, rewrite and unprotect."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_MAKES_FILES = {  # or reads them, by words of its own
    *(("repo", verb) for verb in ("clone", "fork", "create")), *(("release", verb) for verb in ("create", "upload")),
    ("run", "download"), ("release", "download"), ("alias", "import"), ("attestation", "download"),
}  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = _behind_options(arguments.operands)
    if "--help" in words:
        return []
    analysis.complete = (
        analysis.name == "gh"
        and tuple(words[:2]) not in _MAKES_FILES
        and words[:1] not in (["extension"], ["gist"], ["codespace"])
    )
    analysis.does("network")
    for word in words:
        if "=@" in word:  # the value of a field is what the file holds
            analysis.mention(word.partition("=@")[2])
    pair = tuple(words[:2])
    if pair in (("release", "create"), ("release", "delete"), ("release", "upload"), ("release", "edit"),
                ("release", "new"), ("release", "delete-asset")):  # fmt: skip
        analysis.does("publishes")
    elif pair == ("workflow", "run"):
        analysis.doubt("publishes", f"the workflow `{' '.join(words[2:3])[:80]}` may publish")
    elif pair == ("pr", "checkout") and {"-f", "--force"} & set(words):
        analysis.does("discards")
    elif pair == ("pr", "merge") and "--admin" in words:
        analysis.may_rewrite("the merge goes past the protection of its target branch")
    elif pair == ("auth", "token") or (pair == ("auth", "status") and {"-t", "--show-token"} & set(words)):
        analysis.does("discloses")
    elif pair[:1] == ("alias",) and pair[1:] in (("set",), ("import",)):
        analysis.does("configures")
        analysis.guesses += words[3:]
    elif pair == ("repo", "sync") and "--force" in words:
        _sync(words, analysis)
    elif pair == ("repo", "delete"):
        analysis.rewrites("*")
    elif pair[:1] == ("api",):
        _api(words[1:], analysis)
    if pair == ("repo", "clone"):
        return _cloned(words[2:], analysis)
    if pair == ("release", "download"):
        folder = next(
            (words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-D", "--dir", "-O", "--output")),
            ".",
        )
        return [analysis.path(folder, "write", True)]
    if pair == ("secret", "set") or pair == ("variable", "set"):
        files = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-f", "--env-file")]
        return [
            analysis.path(text, "read")
            for text in files + [word.partition("=")[2] for word in words if word.startswith("--env-file=")]
        ]
    if not all(map(is_known, pair)):  # any of them may be a file that is handed out
        analysis.doubt("sends", "which subcommand runs is not known")
        analysis.contents += [analysis.path(word, "read") for word in words[1:] if word[:1] != "-"]
    if pair in (("gist", "create"), ("gist", "edit"), ("release", "upload")):
        given = [analysis.path(word, "read") for word in words[2:] if word[:1] != "-"]
        if pair == ("gist", "create"):
            analysis.does("sends")
            analysis.contents += given
        return given
    return [analysis.path(words[place + 1], "read") for place, word in enumerate(words[:-1])
            if word in ("-F", "--body-file", "--notes-file", "--input") and "=" not in words[place + 1]
            and words[place + 1] != "-"]  # fmt: skip


def _cloned(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return the folder into which a repository is cloned."""
    named = [word for word in words[: words.index("--") if "--" in words else None] if word[:1] != "-"]
    name = named[1] if named[1:] else "".join(named).rstrip("/").removesuffix(".git").rpartition("/")[2]
    return [analysis.path(name, "write", True)] if name else []


_GOVERNING = frozenset(
    (
        "protection environments secrets variables permissions collaborators hooks keys pages rulesets memberships "
        "teams"
    ).split()
)
"""Parts of addresses below which the settings of a repository or an organisation stand."""
_TALKING = (
    r"(?:un)?resolveReviewThread|(?:add|update|delete|unminimize|minimize)(?:Comment|IssueComment|Reaction)"
    r"|addPullRequestReview(?:Comment|Thread|ThreadReply)?|(?:update|submit|delete)PullRequestReview(?:Comment)?"
    r"|(?:add|remove)Labels(?:To|From)Labelable|(?:add|remove)Assignees(?:To|From)Assignable|removeReaction"
    r"|(?:create|update|close|reopen|pin|unpin)Issue|requestReviews|markPullRequestReadyForReview"
    r"|convertPullRequestToDraft|addProjectV2ItemById|updateProjectV2ItemFieldValue"
)
"""Mutations of GitHub that only take part in a conversation: neither branches nor what others run change."""


def _may_change(words: list[str]) -> bool:
    """Return whether a GraphQL call may change more than conversations, by the fields of the query that stands in
    it.
    """
    queries = [word.removeprefix("query=") for word in words if word.startswith("query=")]
    if len(queries) != 1 or not is_known(queries[0]) or queries[0][:1] == "@" or '"""' in queries[0]:
        return True
    query = queries[0]
    if "mutation" not in query:
        return False
    import re

    for inner in (r'"(?:[^"\\\n]|\\.)*"|#[^\n]*', r"\([^()]*\)"):
        while (plain := re.sub(inner, "", query)) != query:
            query = plain
    operation = re.fullmatch(r"\s*mutation\b\s*\w*\s*\{(.*)\}\s*", query, re.DOTALL)
    fields = operation[1] if operation is not None else "?"
    while (outer := re.sub(r"\{[^{}]*\}", " ", fields)) != fields:
        fields = outer
    names = re.sub(r"\w+\s*:", " ", fields).replace(",", " ").split()
    return not names or not all(re.fullmatch(_TALKING, name) for name in names)


def _behind_options(words: list[str]) -> list[str]:
    """The words from the subcommand on."""
    while words[:1] in (["-R"], ["--repo"], ["--hostname"]) or (words and words[0].startswith(("--repo=", "-R"))):
        words = words[2 if words[0] in ("-R", "--repo", "--hostname") else 1 :]
    return words


def _sync(words: list[str], analysis: EffectAnalysis) -> None:
    """`gh repo sync --force` puts the history of another repository over a branch."""
    branches = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-b", "--branch")]
    for branch in branches:
        analysis.rewrites(branch)
    if not branches:
        analysis.may_rewrite("which branch is overwritten is not known")


def _api(words: list[str], analysis: EffectAnalysis) -> None:
    method, fields, place, target = "", False, 0, ""
    forced = False
    while place < len(words):
        word = words[place]
        follows = words[place + 1] if place + 1 < len(words) else ""
        if word in ("-X", "--method"):
            method, place = follows.upper(), place + 1
        elif word.startswith(("-X", "--method=")) and len(word) > 2:
            method = word.removeprefix("-X").removeprefix("--method=").upper()
        elif word in ("-f", "-F", "--field", "--raw-field", "--input"):
            fields, place = True, place + 1
            forced = forced or follows == "force=true" or word == "--input"
        elif word in ("-H", "--header", "-q", "--jq", "-t", "--template", "--hostname", "-p", "--preview", "--cache"):
            place += 1
        elif word[:1] != "-" and not target:
            target = word.strip("/")
        place += 1
    method = method or ("POST" if fields else "GET")
    if method == "GET":
        return
    if method == "DELETE":
        analysis.does("destroys")
    parts = target.split("/")
    if not _GOVERNING.isdisjoint(parts) or (parts[:1] == ["repos"] and len(parts) == 3):
        analysis.does("deploys")
    if parts[0] == "gists" or not is_known(parts[0]):
        analysis.send([analysis.path(word.partition("=@")[2], "read") for word in words if "=@" in word])
    if target == "graphql" and not _may_change(words):
        return
    if "dispatches" in parts:
        analysis.doubt("publishes", "the workflow may publish")
    if target == "graphql":
        analysis.doubt("publishes", "what the query changes is not known")
        analysis.may_rewrite("what the query changes is not known")
    elif "refs" in parts and "heads" in parts and (method == "DELETE" or forced):
        analysis.rewrites("/".join(parts[parts.index("heads") + 1 :]))
    elif method == "DELETE" and parts[-2:-1] in (["branches"], ["protected_branches"]):
        analysis.rewrites(parts[-1].replace("%2F", "/"))
    elif "branches" in parts and "protection" in parts:
        analysis.rewrites("/".join(parts[parts.index("branches") + 1 : parts.index("protection")]))
    elif "rulesets" in parts:
        analysis.rewrites("*")
    if "releases" in parts:
        analysis.does("publishes")
