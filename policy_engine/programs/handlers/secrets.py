"""`secrets`: stores and cloud tools that can print secrets: `security`, `pass`, `vault`, `aws`, `gcloud` and more."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, play_store_copy, stays_here
from policy_engine.programs.invocation import verb_place

_PRINTS = (
    "find-generic-password find-internet-password dump-keychain export print-access-token print-identity-token "
    "get-secret-value get-login-password get-session-token aws_secret_access_key get-parameter get-parameters "
    "get-access-token show read get item kv reveal -w lookup search decrypt secret-tool access token exec "
    "view edit -d --decrypt secrets config:get auth:token pull run download output"
).split()

_NAMES_ONLY = (
    "aws secretsmanager list-secrets", "aws secretsmanager describe-secret", "gcloud secrets list",
    "gcloud secrets describe", "gcloud secrets versions list", "az keyvault list", "az keyvault secret list",
    "op item list", "op vault list", "vault kv list", "vault list",
    "vault policy read", "vault policy list", "vault secrets list", "vault auth list",
    "doppler secrets --only-names", "lpass ls",
)  # fmt: skip
"""Calls that print what secrets are called, and none of them."""
_PLAIN = ("-no-color", "-chdir=")
_TRIALS = {"--dryrun", "--dry-run"}
_CHANGES = ("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input")


def _endpoints(words: list[str], analysis: EffectAnalysis) -> list[str]:
    """The addresses of the service that options name, or a variable."""
    given = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "--endpoint-url"]
    given += [word.partition("=")[2] for word in words if word.startswith("--endpoint-url=")]
    return given or [value for value in [analysis.env.get("AWS_ENDPOINT_URL")] if value]


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    call = f"{' '.join((analysis.name, *words))} "
    if call.startswith(tuple(f"{names} " for names in _NAMES_ONLY)):
        analysis.does("network")
        return []
    if analysis.name in ("aws", "gcloud", "az", "doctl", "heroku"):
        analysis.does("network")
        loud = [
            word
            for word in words
            if "token" in word or "secret" in word or "password" in word or word in ("decrypt", "export-credentials")
        ]
        if (
            loud
            or "--with-decryption" in words
            or (analysis.name == "heroku" and words[:1] in (["config"], ["config:get"]))
        ):
            analysis.does("discloses")
        if words[:2] in (["acr", "build"], ["acr", "import"], ["builds", "submit"]):
            analysis.does("publishes")
        emulated = stays_here(_endpoints(words, analysis))
        words = words[(verb_place((analysis.name, *words)) or 1) - 1 :]
        if words[:1] in (["s3"], ["storage"]) and words[1:2] and words[1] in ("cp", "mv", "sync", "rsync"):
            names = [word for word in words[2:] if word[:1] != "-" or word == "-"]
            syncs = "sync" in words[1]
            recursive = syncs or any(word in ("--recursive", "-r", "-R") for word in words)
            whole = recursive and (syncs or analysis.name == "aws")
            mirrors = any(word.startswith("--delete") for word in words)
            if not _TRIALS.isdisjoint(words):
                return []
            if emulated:
                return [analysis.path(name, "read", True) for name in names[:1] if ":" not in name and name != "-"]
            return play_store_copy(names[:2], analysis, recursive, whole, mirrors)
    elif analysis.name == "vercel" and words[:1] == ["api"]:
        analysis.complete = True  # its words are addresses and fields
        analysis.does("network", *(["deploys"] if any(word.startswith(_CHANGES) for word in words) else []))
    elif analysis.name in ("terraform", "tofu") and [one for one in words if not one.startswith(_PLAIN)] == ["output"]:
        pass  # values that are secret are left out
    elif any(word in _PRINTS for word in words) or analysis.name == "pass":
        analysis.does("discloses")
    return []
