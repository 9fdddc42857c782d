"""`secrets`: stores and cloud tools that can print secrets: `security`, `pass`, `vault`, `aws`, `gcloud` and more."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_PRINTS = (
    "find-generic-password find-internet-password dump-keychain export print-access-token print-identity-token "
    "get-secret-value get-login-password get-session-token aws_secret_access_key get-parameter get-parameters "
    "get-access-token show read get item kv reveal -w lookup search decrypt secret-tool access token exec"
).split()


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if scene.name in ("aws", "gcloud", "az", "doctl", "heroku"):
        scene.does("network")
        loud = [
            word for word in words if "token" in word or "secret" in word or "password" in word or word == "decrypt"
        ]
        if loud:
            scene.does("discloses")
    elif any(word in _PRINTS for word in words) or scene.name == "pass":
        scene.does("discloses")
    return []


PROGRAM = Program(
    "secrets",
    touched=_touched,
    raw=True,
)
