"""`secrets`: stores and cloud tools that can print secrets: `security`, `pass`, `vault`, `aws`, `gcloud` and more."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_PRINTS = (
    "find-generic-password find-internet-password dump-keychain export print-access-token print-identity-token "
    "get-secret-value get-login-password get-session-token aws_secret_access_key get-parameter get-parameters "
    "get-access-token show read get item kv reveal -w lookup search decrypt secret-tool access token exec "
    "view edit -d --decrypt secrets config:get auth:token pull run download output"
).split()

_CHANGES = ("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if scene.name in ("aws", "gcloud", "az", "doctl", "heroku"):
        scene.does("network")
        loud = [
            word
            for word in words
            if "token" in word or "secret" in word or "password" in word or word in ("decrypt", "export-credentials")
        ]
        if (
            loud
            or "--with-decryption" in words
            or (scene.name == "heroku" and words[:1] in (["config"], ["config:get"]))
        ):
            scene.does("discloses")
        if words[:2] in (["acr", "build"], ["acr", "import"], ["builds", "submit"]):
            scene.does("publishes")
        if words[:2] in (["s3", "cp"], ["s3", "mv"], ["s3", "sync"]):
            return _copied(words[2:], scene)
    elif scene.name == "vercel" and words[:1] == ["api"]:
        scene.complete = True  # its words are addresses and fields
        scene.does("network", *(["deploys"] if any(word.startswith(_CHANGES) for word in words) else []))
    elif any(word in _PRINTS for word in words) or scene.name == "pass":
        scene.does("discloses")
    return []


def _copied(words: list[str], scene: Scene) -> list[PathValue]:
    """Files that go to a store or come from one: the last word is where to."""
    names = [word for word in words if word[:1] != "-" or word == "-"]
    local = [(place, word) for place, word in enumerate(names[:2]) if "://" not in word and word != "-"]
    scene.contents += [scene.path(word, "read", True) for place, word in local if not place]
    return [scene.path(word, "write" if place else "read", True) for place, word in local]
