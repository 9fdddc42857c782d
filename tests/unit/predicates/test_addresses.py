"""address_is: one place has many spellings."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.addresses import KINDS, parse_address
from policy_engine.model.undecided import Undecided
from policy_engine.predicates.addresses import address_is

SPELLINGS = {
    "metadata": """
http://169.254.169.254/latest http://2852039166/ http://0xa9fea9fe/ http://0xA9.0xFE.0xA9.0xFE/ http://0251.0376.0251.0376
http://169.254.43518/ http://[::ffff:169.254.169.254]/ http://[::ffff:a9fe:a9fe]/ http://[fd00:ec2::254]/ http://x@169.254.169.254/
http://169.254.169.254.:80/ http://metadata.google.internal./ http://METADATA/ http://169.254.169.254.nip.io/
http://a-169-254-169-254.sslip.io/ http://100.100.100.200/ 169.254.169.254/latest http://%31%36%39.254.169.254/
http://\uff11\uff16\uff19.254.169.254/
http:\\\\169.254.169.254\\x view-source:http://169.254.169.254/ http:/169.254.169.254
http://[64:ff9b::a9fe:a9fe]/ http://[2002:a9fe:a9fe::]/ http://[::169.254.169.254]/
""",
    "loopback": """
http://127.0.0.1/ http://127.1/ http://2130706433/ http://0x7f.1/ http://017700000001/ http://localhost./ http://LOCALHOST
http://a.localhost/ http://[::1]:7411/ http://0/ http://0.0.0.0 http://[::]/ http://[::ffff:127.0.0.1]/ localhost:3000
http://x:y@127.0.0.1/ http://lvh.me/ http://127.0.0.1.nip.io/
""",
    "file": "file:.env file:///etc/passwd FILE:/etc/x view-source:file:///x jar:file:///a.jar!/b file://localhost/x",
    "private": "http://10.0.0.1/ http://192.168.1.1 http://172.16.0.1 http://[fc00::1]/ http://db.internal/",
    "link-local": "http://169.254.1.1/ http://[fe80::1]/ http://[fe80::1%25eth0]/",
    "public": "https://x.example/a http://8.8.8.8 https://127.0.0.1.x.example/ https://x.example/?u=http://127.0.0.1",
    "other": "data:text/plain,x about:blank",
}
CASES = [(kind, text) for kind, texts in SPELLINGS.items() for text in texts.split()]


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_a_spelling_is_seen_through(kind: str, text: str) -> None:
    assert parse_address(text).kind == kind
    assert [one for one in KINDS if address_is(Virtual(), text, one)] == [kind]


def test_the_parts_are_told() -> None:
    found = parse_address("HTTP://u:p@127.1:8080/a?b")
    assert (found.scheme, found.host, found.port, found.path) == ("http", "127.0.0.1", 8080, "a?b")


def test_what_is_no_kind_is_undecided() -> None:
    with pytest.raises(Undecided):
        address_is(Virtual(), "http://x", "near")
    with pytest.raises(Undecided):
        address_is(Virtual(), ("x", False), "public")
