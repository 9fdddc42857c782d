"""Say of the setting `store` what is wrong with it, and how it is shown. Imported by the hook path."""

from __future__ import annotations

SESSIONS_FILE = "sessions.sqlite3"
SQLITE = "sqlite"
"""The setting for the file in the state folder, which holds where nothing else is said."""
SCHEMES = ("postgresql://", "postgres://")


def is_server(place: str) -> bool:
    """Return whether sessions are in a database server, not in a file."""
    return place.startswith(SCHEMES)


def fault_of(setting: str) -> str:
    """Return why a setting names no store, "" if it does. A password is refused, and nothing of the text repeated."""
    if setting == SQLITE:
        return ""
    if not is_server(setting):
        return f'should be "{SQLITE}" or begin with "{SCHEMES[0]}"'
    if not setting.isascii() or not setting.isprintable() or " " in setting:
        return "should be an address of printable ASCII characters"
    who, _, parameters = setting.partition("://")[2].partition("?")
    names = [part.partition("=")[0] for part in parameters.split("&")]
    if ":" in who.rpartition("@")[0] or any("password" in name or "%" in name for name in names):
        return "should hold no password; keep it in ~/.pgpass, or in the file that `?passfile=` names"
    return ""


def shown_place(place: str) -> str:
    """Return what may be shown of where sessions are kept: of a server, where it is and which database."""
    if not is_server(place):
        return place
    scheme, _, rest = place.partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"
