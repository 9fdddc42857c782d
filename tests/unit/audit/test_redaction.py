"""Secrets do not reach the log, in whatever form they stand in an event; ordinary text stays as it is."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.audit import secrets_in_text
from policy_engine.audit.redaction import TEXT_CHARS, redacted
from policy_engine.audit.secret_names import CHOSEN, NONE, STRONG, WEAK, strength
from policy_engine.audit.secret_signs import EXACT, FOLDED, may_hold_secret
from policy_engine.model.strict_json import write_json
from policy_engine.state.private_key import read_key
from tests.unit.audit.tokens import ORDINARY, TOKENS

SECRET = "hunter2-Tr0ub4dor"
PIECE = 5  # characters of a secret that must not be left
SALT = "/nowhere/redaction.salt"  # marks without a digest, where that does not matter

# of the tokens; what stands in URLs and headers has its own cases below
_ALL = [line.split(None, 1)[1] for line in secrets_in_text._FORMATS.splitlines() if line]
FORMS = [form for form in _ALL if not form.startswith(("://", "(?i:"))]
HIDDEN = (
    "PGPASSWORD={} psql -h db",
    "export DB_PASS={}",
    "API_KEY={} make deploy",
    "STRIPE_KEY={} x",
    "env MY_TOKEN={} x",
    "x --password {}",
    "x --password={}",
    "x --db-password {} --verbose",
    "x -password {}",
    "x --api-key {}",
    "x --client-secret={}",
    "curl -u bob:{} https://example.test",
    "curl -ubob:{} https://example.test",
    "curl -sSu bob:{} https://example.test",
    "curl --user bob:{} https://example.test",
    "curl -H 'Authorization: Bearer {}' https://example.test",
    'curl -H "Authorization: Basic {}" https://example.test',
    "curl -H 'X-Api-Key: {}' https://example.test",
    "curl -H 'PRIVATE-TOKEN: {}' https://example.test",
    "curl -H 'Cookie: session={}' https://example.test",
    "curl 'https://example.test/?access_token={}'",
    'curl -d \'{{"password": "{}"}}\' https://example.test',
    "curl -d 'user=bob&password={}' https://example.test",
    "mysql -uroot -p{} shop",
    "mysqldump --password={} shop",
    "sshpass -p {} ssh host",
    "sshpass -p{} ssh host",
    "redis-cli -a {} ping",
    "docker login -u bob -p {} example.test",
    "echo {} | docker login -u bob --password-stdin",
    "printf '%s' {} | gh auth login --with-token",
    "echo {} | sudo -S ls",
    "docker login --password-stdin <<< {}",
    "git clone https://bob:{}@example.test/a.git",
    "psql postgres://bob:{}@db/shop",
    "aws configure set aws_secret_access_key {}",
    "npm config set //example.test/:_authToken {}",
    "kubectl create secret generic a --from-literal=password={}",
    "PASSWORD=$(echo {} | tr a a)",
    "openssl rsa -passin pass:{}",
    "net use x /user:bob password={}",
    "my password is {}",
    "my password is: {}",
    "the password: {}",
    "password = '{}'",
    'token := "{}"',
    "secret => '{}'",
    "<password>{}</password>",
    "//example.test/:_authToken={}",
    "TOKEN=${{TOKEN:-{}}}",
    "TOKEN=-{}",
    "docker run -e POSTGRES_PASSWORD={} postgres",
    '["x", "--password", "{}"]',
)


def _kept(value: Any) -> str:
    return json.dumps(redacted({"x": value}, SALT), ensure_ascii=False)


@pytest.mark.fault(94)
@pytest.mark.requirement("R24")
@pytest.mark.parametrize("form", HIDDEN)
@pytest.mark.parametrize("quoted", [str, shlex.quote, json.dumps, lambda text: json.dumps(json.dumps(text))])
def test_a_secret_is_hidden_by_the_name_or_option_before_it(form: str, quoted: Any) -> None:
    text = form.format(SECRET)
    told = quoted(text)
    assert may_hold_secret(write_json(told))
    assert SECRET not in _kept(told)


@pytest.mark.fault(94)
@pytest.mark.parametrize(("kind", "token"), TOKENS)
@pytest.mark.parametrize("around", ["{}", "git push # {}", '{{"a":"{}"}}', "line\\n{}\\nline", "x={};y", "({})"])
def test_a_token_of_a_known_form_is_hidden_wherever_it_stands(kind: str, token: str, around: str) -> None:
    text = around.format(token)
    assert may_hold_secret(write_json(text))
    assert token not in _kept(text)
    assert token[-12:] not in _kept(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_readable(text: str) -> None:
    assert redacted({"x": text}, SALT) == {"x": text}


@pytest.mark.fault(94)
@pytest.mark.parametrize(
    "value",
    [
        {"password": SECRET},
        {"headers": {"Authorization": f"Bearer {SECRET}"}},
        {"env": [{"name": "DB_PASSWORD", "value": SECRET}]},
        {"argv": ["x", "--password", SECRET]},
        {"credentials": {"user": "bob", "value": [SECRET]}},
        {f"PASSWORD={SECRET}": 1},
        {"clientSecret": SECRET, "deep": [[{"apiKey": SECRET}]]},
    ],
)
def test_a_value_under_the_name_of_a_secret_is_hidden(value: dict[str, Any]) -> None:
    assert may_hold_secret(write_json(value))
    assert SECRET not in _kept(value)


def test_numbers_are_hidden_only_under_the_name_of_a_secret() -> None:
    given_value = {"password": 1234, "max_tokens": 4096, "token_count": 5, "ok": True, "secret": None}
    found = redacted(given_value, SALT)
    assert found == {**given_value, "password": "‹redacted›", "altered": ["redacted"]}


@pytest.mark.fault(94)
@given(
    before=st.text(max_size=40),
    after=st.text(max_size=40),
    secret=st.text("abcXYZ019_@%+=:,./~^!#$&*()[]{}<>|;?-'\"\\ é", min_size=8, max_size=24),
    name=st.sampled_from(["PASSWORD", "api_key", "client-secret", "accessToken"]),
    depth=st.integers(0, 2),
)
def test_a_quoted_secret_never_survives_in_text_or_in_json(
    before: str, after: str, secret: str, name: str, depth: int
) -> None:
    core = f"Q{secret}Q7"  # no variable, and none of its quotes alone
    forms = {
        "shell": f"{before}\n{name}={shlex.quote(core)} x\n{after}",
        "option": f"x --{name} {shlex.quote(core)} \n{after}",
        "json": f"{before}\n{json.dumps({name: core})}\n{after}",
        "json in the shell": f"curl -d {shlex.quote(json.dumps({name: core}))}\n{after}",
    }
    for form, text in forms.items():
        told = text
        for _ in range(depth):
            told = json.dumps(told)
        kept = redacted({"x": told}, SALT)["x"]
        left = [core[at : at + PIECE] for at in range(len(core) - PIECE + 1) if core[at : at + PIECE] in kept]
        assert [piece for piece in left if piece not in f"{before} {after}"] == [], (form, kept)


@pytest.mark.fault(94)
@given(before=st.text(max_size=60), after=st.text(max_size=60), token=st.sampled_from([token for _, token in TOKENS]))
def test_a_token_never_survives_in_random_text(before: str, after: str, token: str) -> None:
    assert token not in redacted({"x": f"{before} {token} {after}"}, SALT)["x"]


@pytest.mark.fault(94)
@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=8)
@given(data=st.data())
def test_whatever_has_a_known_form_shows_a_sign_and_is_hidden(form: str, data: st.DataObject) -> None:
    alone = form.replace("\\z", "\\Z").replace("\\b|", "")
    token = data.draw(st.from_regex(re.compile(alone, re.ASCII), fullmatch=True))
    assert may_hold_secret(write_json({"x": token}))
    assert token not in redacted({"x": token}, SALT)["x"]


@pytest.mark.fault(94)
def test_equal_secrets_have_equal_marks_here_and_other_marks_elsewhere(tmp_path: Path) -> None:
    here, there = str(tmp_path / "here"), str(tmp_path / "there")
    text = f"A_TOKEN={SECRET} B_TOKEN='{SECRET}' C_TOKEN=another-{SECRET}"
    first, second, third = (part.partition("=")[2] for part in redacted({"x": text}, here)["x"].split(" "))
    assert first == second != third
    assert redacted({"x": text}, here)["x"] != redacted({"x": text}, there)["x"]
    assert os.stat(here).st_mode & 0o777 == 0o600
    assert len(read_key(here)) == 32


@pytest.mark.fault(94)
@pytest.mark.parametrize("what", ["readable by others", "a link", "short"])
def test_a_key_that_others_may_know_is_not_used(tmp_path: Path, what: str) -> None:
    key = tmp_path / "key"
    (tmp_path / "other").write_bytes(b"k" * 32)
    os.chmod(tmp_path / "other", 0o600)
    if what == "a link":
        key.symlink_to(tmp_path / "other")
    else:
        key.write_bytes(b"k" * (8 if what == "short" else 32))
        os.chmod(key, 0o600 if what == "short" else 0o644)
    assert redacted({"password": SECRET}, str(key))["password"] == "‹redacted›"


def test_what_was_redacted_is_not_redacted_again() -> None:
    once = redacted({"x": f"PASSWORD={SECRET} x"}, SALT)
    assert redacted(once, SALT)["x"] == once["x"]


@pytest.mark.fault(94)
def test_long_texts_are_cut_and_no_secret_is_halved(tmp_path: Path) -> None:
    _, token = TOKENS[1]
    for place in range(TEXT_CHARS - len(token) - 2, TEXT_CHARS + 2):
        text = "." * place + " " + token + "x" * 100
        kept = redacted({"x": text}, SALT)
        assert "cut" in kept["altered"]
        assert token[:8] not in kept["x"]
    many = redacted({str(number): "y" * TEXT_CHARS for number in range(100)}, SALT)
    assert len(write_json(many)) < 2 << 20


@pytest.mark.fault(94)
def test_without_its_library_what_may_hold_a_secret_is_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError

    monkeypatch.setattr(secrets_in_text, "extension", missing)
    monkeypatch.setattr(secrets_in_text, "_finders", [])
    found = redacted({"x": f"PASSWORD={SECRET}", "y": "ls"}, SALT)
    assert found == {"x": "‹withheld: 26 characters›", "y": "ls", "altered": ["redacted"]}


@pytest.mark.fault(94)
@pytest.mark.parametrize(
    "unit",
    ["key=", "key='", 'password="', "token=\\", "--password ", "://a:", "curl -u a:", "eyJa.", "-----BEGIN ", "$("],
)
def test_the_work_grows_with_the_text_and_no_faster(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = 0
    compile_one = secrets_in_text.Finder._compile

    def counted(finder: secrets_in_text.Finder, text: str) -> Any:
        pattern = compile_one(finder, text)

        def match(anchor: Any, data: bytes, start: int, end: int) -> Any:
            nonlocal done
            spans = pattern(anchor, data, start, end)
            done += (spans[0][1] if spans[0][0] >= 0 else min(end, len(data))) - start + 1
            return spans

        return match

    monkeypatch.setattr(secrets_in_text.Finder, "_compile", counted)

    def work(times: int) -> int:
        """Bytes between where a search began and where it ended, of all searches."""
        nonlocal done
        done = 0
        secrets_in_text.Finder().spans((unit * times).encode())
        return done

    assert work(400) <= 2.5 * work(200) + 1000


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PGPASSWORD", STRONG), ("client_secret", STRONG), ("--api-key", STRONG), ("accessToken", STRONG),
        ("DB_PASS", STRONG), ("OPENAI_KEY", STRONG), ("signing-key", STRONG), ("Authorization", STRONG),
        ("_auth", STRONG), ("TOKEN_2", STRONG), ("credentials", STRONG), ("aws_secret_access_key", STRONG),
        ("PW", CHOSEN), ("DB_PW", CHOSEN), ("PIN_CODE", CHOSEN), ("userPin", CHOSEN), ("X-Hub-Signature-256", CHOSEN),
        ("key", WEAK), ("max_tokens", WEAK), ("pinned", NONE), ("mapping", NONE), ("spin", NONE),
        ("token_count", NONE), ("public_key", NONE), ("primaryKey", NONE), ("secretName", NONE),
        ("password_file", NONE),
        ("bypass", NONE), ("compass", NONE), ("monkey", NONE), ("tokenizer", NONE), ("--password-stdin", NONE),
        ("author", NONE), ("command", NONE), ("passed", NONE),
    ],
)  # fmt: skip
def test_names(name: str, expected: int) -> None:
    assert strength(name) == expected


def test_what_was_found_once_is_hidden_all_over_a_record() -> None:
    record = {"rules": [{"message": f"`{SECRET}` is not known"}], "input": {"text": f"my password ({SECRET}) changed"}}
    assert SECRET not in str(redacted(record, SALT))


@pytest.mark.parametrize("identifier", ["toolu_01A09q90qw90lq917835lq9", "call_Ab3dEf6hIj9kLm2nOp5qRs"])
def test_the_identifier_of_a_call_is_no_sign_and_the_same_letters_elsewhere_are(identifier: str) -> None:
    letters = identifier.partition("_")[2]
    assert not may_hold_secret(write_json({"id": identifier, "event": f"{identifier}.before_tool"}))
    assert may_hold_secret(write_json({"id": identifier, "text": letters}))
    assert may_hold_secret(write_json({"text": f"my{identifier}"}))


@pytest.mark.fault(94)
def test_the_quicker_look_for_signs_sees_what_the_plain_one_sees() -> None:
    quick = secrets_in_text.finder().may_hold
    signs = [sign for row in (*EXACT, *FOLDED) for sign in row]
    words = [
        b"",
        b"ls -la src",
        b"3f0c1d528a774e0b9d4e1a2b3c4d5e6f",
        b"http://x",
        b"toolu_01AbCdEfGhIjKlMnOpQrSt",
        b"\xff",
    ]
    words += [b"aB3dE6gH9jK2mN5pQ8sT", b"AbCdEfGhIjKlMnOpQrStUv1"]
    texts = [text for sign in signs for text in (sign, sign.upper(), sign[:-1], b"x" + sign + b"y")]
    for text in (*words, *texts):
        assert quick(text) == may_hold_secret(text), text
