"""Statements of SQL that other statements put together and run."""

from __future__ import annotations

import pytest

from policy_engine.programs.computed_sql import computed
from policy_engine.programs.sql import empties

EMPTIES = [
    "SET @s = IF((SELECT COUNT(*) FROM t WHERE a = 1) > 0, 'SELECT 1', 'DROP TABLE users'); PREPARE p FROM @s",
    "DO $$ BEGIN EXECUTE 'DR' || 'OP SCHEMA public CASCADE'; END $$",
    "DO $$ BEGIN EXECUTE 'DROP SCHEMA public CASCADE'; END $$",
    "SET @s = CONCAT('DR','OP TABLE users'); PREPARE p FROM @s; EXECUTE p",
    "EXEC('DR'+'OP TABLE users')",
    "EXECUTE IMMEDIATE CONCAT('DR', 'OP TABLE users')",
    "EXECUTE IMMEDIATE 'DELETE FROM users'",
    "EXEC sp_executesql N'DROP' + N' TABLE users'",
    "sp_executesql @stmt = N'DELETE FROM users'",
    "DECLARE @s nvarchar(max) = N'DR' SET @s += N'OP TABLE users' EXEC(@s)",
    "DECLARE @s nvarchar(max); SELECT @s = 'DR'; SET @s = @s + 'OP TABLE users'; EXEC (@s)",
    "DO $x$ DECLARE q text := 'TRUN' || 'CATE users'; BEGIN EXECUTE q; END $x$",
    "DO $$ BEGIN EXECUTE chr(68)||chr(82)||'OP TABLE users'; END $$",
    "SELECT 'DR'||'OP TABLE users' \\gexec",
    "DO $$ BEGIN EXECUTE format('%s TABLE users', 'DROP'); END $$",
    "DO $$ BEGIN EXECUTE format('DROP TABLE %I', t); END $$",
    "EXECUTE IMMEDIATE 0x44524f50205441424c45207573657273",
    "DO $$ BEGIN EXECUTE E'\\x44ROP TABLE users'; END $$",
    "PREPARE x AS DELETE FROM users; EXECUTE x",
    "DO 'BEGIN EXECUTE ''DR''||''OP TABLE users''; END'",
    "EXECUTE IMMEDIATE $$ BEGIN EXECUTE IMMEDIATE 'DR'||'OP TABLE u'; END $$",
    "SELECT CONCAT('DROP TABLE ', GROUP_CONCAT(n)) INTO @q FROM t; PREPARE p FROM @q",
    "CREATE FUNCTION f(q text) RETURNS void AS $$ BEGIN EXECUTE q; END $$ LANGUAGE plpgsql; SELECT f('DR"
    "'||'OP TABLE users')",
    "WITH a AS (SELECT 1) SELECT 'DR' || 'OP TABLE ' || n FROM (SELECT n FROM t) x \\gexec",
]
NOT_KNOWN = [
    "SET @s = IF(@x, 'SELECT 1', @y); PREPARE p FROM @s; EXECUTE p",
    "PREPARE s FROM @s",
    "EXEC sp_executesql @s",
    "DO $$ BEGIN EXECUTE convert_from(decode('RFJPUA==','base64'),'UTF8'); END $$",
    "DO $$ DECLARE r record; BEGIN FOR r IN SELECT stmt FROM todo LOOP EXECUTE r.stmt; END LOOP; END $$",
    "SELECT cmd FROM t \\gexec",
    "EXECUTE IMMEDIATE :stmt",
    "BEGIN EXECUTE IMMEDIATE 'SELECT 1;' || f(); END;",
    "EXEC(N'DR' + @x)",
]
KNOWN = [
    "SET @s = IF((SELECT COUNT(*) FROM t WHERE a = 1) > 0, 'SELECT 1', 'ALTER TABLE a ADD b int'); PREPARE p FROM @s",
    "PREPARE s AS SELECT * FROM users WHERE id = $1; EXECUTE s(1)",
    "EXPLAIN EXECUTE s(1)",
    "EXPLAIN ANALYZE EXECUTE s(1)",
    "DO $$ BEGIN EXECUTE format('SELECT count(*) FROM %I', t); END $$",
    "EXECUTE s(1)",
    "GRANT EXECUTE ON FUNCTION f() TO app",
    "CREATE TRIGGER t BEFORE INSERT ON x FOR EACH ROW EXECUTE FUNCTION f()",
    "EXEC dbo.getUsers 1",
    "EXEC sp_help 'users'",
    "EXEC sp_executesql N'SELECT * FROM users WHERE id = @id', N'@id int', @id = 1",
    "SELECT 'CREATE DATABASE app' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'app')\\gexec",
    "DO $$ DECLARE r record; BEGIN FOR r IN SELECT tablename FROM pg_tables LOOP EXECUTE 'ALTER TABLE ' "
    "|| quote_ident(r.tablename) || ' OWNER TO x'; END LOOP; END $$",
    "SET @s = 'SELECT 1'; PREPARE p FROM @s; EXECUTE p; DEALLOCATE PREPARE p",
    "EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM t WHERE id = ?' USING 3",
    "EXECUTE AS USER = 'x'; SELECT 1; REVERT",
    "CREATE FUNCTION f(q text) RETURNS void AS $$ BEGIN EXECUTE q; END $$ LANGUAGE plpgsql",
    'EXECUTE IMMEDIATE FORMAT("SELECT * FROM %s", name)',
    "PREPARE TRANSACTION 'x'",
    "MULTI\nSET a 1\nEXEC",
    "select * from executions where exec = 'a'",
    "EXPLAIN (ANALYZE) EXECUTE byid('DROP')",
    "DO $$ BEGIN EXECUTE 'CREATE INDEX i_' || t || ' ON ' || t || '(id)'; END $$",
    "INSERT INTO log(msg) VALUES ('exec ' || 'done')",
    "PREPARE s (int) AS UPDATE users SET a = 1 WHERE id = $1; EXECUTE s(2)",
]

HIDDEN = "DO $$ BEGIN EXECUTE convert_from(decode('RFJPUA==','base64'),'UTF8'); END $$"
DEFINED = "CREATE FUNCTION f(q text) RETURNS void AS $$ BEGIN EXECUTE q; END $$ LANGUAGE plpgsql"


@pytest.mark.parametrize("text", EMPTIES)
def test_a_sum_of_literals_that_is_run_is_judged_as_what_it_makes(text: str) -> None:
    assert any(map(empties, computed(text).texts))


@pytest.mark.parametrize("text", NOT_KNOWN)
def test_a_text_whose_first_word_only_the_database_knows_is_not_known(text: str) -> None:
    found = computed(text)
    assert found.unknown and not any(map(empties, found.texts))


@pytest.mark.parametrize("text", KNOWN)
def test_texts_that_say_what_they_do_and_prepared_statements_are_known(text: str) -> None:
    found = computed(text)
    assert not found.unknown and not found.hidden and not any(map(empties, found.texts))


def test_what_is_decoded_is_hidden_and_what_is_defined_is_not_run() -> None:
    assert computed(HIDDEN).hidden
    assert not computed(DEFINED).unknown
