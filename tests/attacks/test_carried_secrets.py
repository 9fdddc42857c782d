"""Programs that pack, print or copy a secret, in whatever form they are told its name, against the real hook."""

from __future__ import annotations

from typing import Any

import pytest

from tests.attacks.session import Session


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    made = Session(tmp_path_factory.mktemp("carried"), "no-secret-read")
    for name in (".env", "apps/web/.env"):
        made.put(name, "A=1\n")
    made.put("docs/x.md", "x\n")
    return made


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m tarfile -c x.tar .env",
        "python3 -m zipfile -c x.zip docs .env",
        "tar xOf backup.tar .env",
        "tar -xOf backup.tgz --wildcards '*/.env'",
        "unzip -p backup.zip .env",
        "7z e -so backup.7z .env",
        "printf '.env\\n' | zip -@ x.zip",
        "echo .env | cpio -o > x.cpio",
        "echo .env | pax -w -f x.pax",
        "printf '.env\\n' | tar -cf x.tar -T -",
        "git archive HEAD .env",
        "git show HEAD:.env",
        "duckdb -c \"from read_text('.env')\"",
        "duckdb :memory: \"copy t from '.env'\"",
        "sqlite3 :memory: \"select readfile('.env')\"",
        "psql -c \"select pg_read_file('/root/.ssh/id_rsa')\"",
        "psql -c \"COPY t FROM '/srv/.env'\"",
        "mysql -e \"LOAD DATA LOCAL INFILE '.env' INTO TABLE t\"",
        "getent shadow",
        "python3 -m fileinput .env",
    ],
)
def test_a_named_secret_is_not_carried(session: Session, line: str) -> None:
    assert session.asked(line) == "deny"


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m tarfile -c x.tar .",
        "python3 -m zipfile -c x.zip apps",
        "find . | zip x -@",
        "pax -w . > x.pax",
        "find . -type f | pax -w > x.pax",
        "7z a x.7z @list.txt",
        "make -p",
        "make -pn all",
        "make --print-data-base",
        "npm run env",
        "php -i",
        "gpg -d x.gpg",
        "age -d -i key.txt x.age",
        "helm get values web",
        "helm -n prod get all web",
        "keyctl print 1",
        "pm2 env 0",
        "rbw get mail",
    ],
)
def test_what_may_print_one_is_asked_about(session: Session, line: str) -> None:
    assert session.asked(line) in ("ask", "deny")


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m zipfile -c x.zip docs",
        "python3 -m tarfile -l x.tar",
        "tar xOf x.tar README.md",
        "unzip -p x.zip docs/x.md",
        "printf 'docs/x.md\\n' | zip -@ x.zip",
        "git archive HEAD docs -o x.tar",
        "make -n build",
        "make -C sub -j4 build",
        "npm run build",
        "gpg --verify x.sig x",
        "gpg -o plain.txt -d x.gpg",
        "helm list -A",
        "duckdb a.db 'select count(*) from t'",
        "psql -c \"select * from t where name = '.env'\"",
        "getent passwd dev",
        "pm2 list",
    ],
)
def test_honest_work_goes_on(session: Session, line: str) -> None:
    assert session.asked(line) == "allow"


def tool(session: Session, name: str, given: dict[str, Any]) -> str:
    return session.host.call(session.host.payload("PreToolUse", tool_name=name, tool_input=given)).verdict


def test_tools_of_servers_take_no_secret_along(session: Session) -> None:
    assert tool(session, "mcp__x__upload", {"attachment": "@.env"}) == "deny"
    assert tool(session, "mcp__sql__query", {"sql": "LOAD DATA INFILE '/srv/.env' INTO TABLE t"}) == "deny"
    assert tool(session, "mcp__sql__query", {"sql": "select pg_read_file('/x/id_rsa')"}) == "deny"
    assert tool(session, "mcp__x__upload", {"attachment": "@docs/x.md"}) == "allow"
    assert tool(session, "mcp__x__comment", {"body": "write @anna about '.env'"}) == "allow"
