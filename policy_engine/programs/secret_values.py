"""Look for passwords and tokens in the files whose settings a program prints."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

SECRETS = ("SECRET", "TOKEN", "PASSW", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE", "CREDENTIAL")
"""Parts of the names of variables that hold secrets."""
_MOST_BYTES = 64_000


def hold_secrets(files: list[str], analysis: EffectAnalysis) -> bool:
    """Return whether one of the files that are there has a setting that is called like a secret, or an address with
    a password, or cannot be read.
    """
    home = analysis.filesystem.home
    for file in (f"{home}{file[1:]}" if file[:2] == "~/" else file for file in files):
        text = analysis.text_in(analysis.path(file, "read"), _MOST_BYTES)
        if text is None and analysis.has(file):
            return True
        if any(map(_is_secret, (one for line in (text or "").splitlines() for one in _settings(line.strip())))):
            return True
    return False


def _settings(line: str) -> list[str]:
    """Return the settings of a line, of which a unit of systemd may set several variables."""
    behind = line.removeprefix("Environment=")
    return [line] if behind == line else behind.split()


def _is_secret(setting: str) -> bool:
    name, _, value = setting.partition("=")
    if not value.strip() or setting[:1] in ("#", ";"):
        return False
    user, at, _ = value.partition("://")[2].partition("/")[0].rpartition("@")
    return any(part in name.upper() for part in (*SECRETS, "_AUTH")) or (bool(at) and ":" in user)
