"""Predicates about network addresses: the kind of place that one leads to, however it is written."""

from __future__ import annotations

from policy_engine.model.addresses import KINDS, parse_address
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.predicates.base import Needle

NEEDS = "filesystem"


def address_is(filesystem: FileSystem, address: Needle, kind: Needle) -> bool:
    """True if an address leads to a place of that kind, however it is spelt.

    The kinds are `public`, `private`, `loopback` (this machine), `link-local`, `metadata` (what gives out the
    credentials of a machine in a cloud), `file` and `other`. Numbers in decimal, octal and hex, IPv4 within IPv6, a
    dot at the end, a user before the host and schemes around another (`view-source:`, `jar:`) are seen through. Names
    are not looked up.

    Holds:

        address_is("http://0xA9FEA9FE/latest", "metadata") and address_is("http://localhost.:80/", "loopback")

    Does not hold:

        address_is("https://x.example/127.0.0.1", "loopback")
    """
    if type(address) is not str or type(kind) is not str:
        raise Undecided("an address is a text, and this is none")
    if kind not in KINDS:
        raise Undecided(f"`{kind}` is no kind of an address; there are {', '.join(KINDS)}")
    return parse_address(address).kind == kind
