"""Statements and deletions in calls of tools: as the line of a client, and what of it destroys."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.runtime.engine import Engine
from tests.unit.compiler.asking import engine, event
from tests.unit.effects.test_scripts import RULES

DESTROYS: list[tuple[str, dict[str, Any]]] = [
    ("mcp__postgres__query", {"sql": "DROP TABLE users"}),
    ("mcp__postgres__query", {"sql": "DROP DATABASE app"}),
    ("mcp__mysql__execute", {"statement": "TRUNCATE users"}),
    ("mcp__supabase__execute_sql", {"project_id": "p", "query": "DELETE FROM users"}),
    ("mcp__supabase__apply_migration", {"name": "x", "query": "drop schema public cascade"}),
    ("mcp__mongodb__drop-database", {"database": "x"}),
    ("mcp__redis__call", {"command": "FLUSHALL"}),
    ("mcp__redis__flushdb", {}),
    ("mcp__neon__run_sql", {"params": {"sql": "drop table users", "projectId": "p"}}),
    ("mcp__neon__run_sql_transaction", {"sqlStatements": ["select 1", "-- x\nDELETE FROM users"]}),
    ("mcp__neon__delete_project", {"projectId": "p"}),
    ("mcp__neon__delete_branch", {"branchId": "b"}),
    ("mcp__claude_ai_Supabase__delete_branch", {"branch_id": "b"}),
    ("mcp__mysql__query", {"command": "DROP TABLE users"}),
    ("mcp__aws__delete_bucket", {"bucket": "b"}),
    ("mcp__cf__r2_bucket_delete", {"name": "x"}),
    ("mcp__dynamodb__delete_table", {"table_name": "t"}),
    ("mcp__mongodb__aggregate", {"query": "db.users.drop()"}),
    ("mcp__pg__query", {"sql": "select 1; drop table users"}),
    ("mcp__pg__query", {"sql": "WITH x AS (DELETE FROM users RETURNING *) SELECT * FROM x"}),
    ("mcp__pg__query", {"sql": "DO $$ BEGIN EXECUTE 'drop table users'; END $$"}),
    ("mcp__pg__query", {"sql": "DO $$ BEGIN EXECUTE 'DR' || 'OP SCHEMA public CASCADE'; END $$"}),
    ("mcp__mysql__query", {"sql": "SET @s = CONCAT('DR','OP TABLE users'); PREPARE p FROM @s; EXECUTE p"}),
    ("mcp__mysql__query", {"sql": "PREPARE p FROM @s"}),
    ("mcp__mssql__query", {"query": "EXEC('DR'+'OP TABLE users')"}),
    ("mcp__mssql__query", {"query": "DECLARE @s nvarchar(max) = N'DR' + N'OP TABLE users'; EXEC sp_executesql @s"}),
    ("mcp__snowflake__run_query", {"statement": "EXECUTE IMMEDIATE :stmt"}),
    ("run_sql", {"sql": "drop table users"}),
    ("mcp__neo4j__write_neo4j_cypher", {"query": "MATCH (n) DETACH DELETE n"}),
    ("mcp__kafka__deleteTopics", {"topics": "a", "topic": "x"}),
    ("mcp__elasticsearch__delete_index", {"index": "a"}),
    ("mcp__mongodb__drop-collection", {"collection": "x"}),
    ("mcp__tfc__create_run", {"workspace_id": "w", "is-destroy": True}),
    ("mcp__http__request", {"url": "https://a.example/runs", "body": {"attributes": {"is-destroy": True}}}),
    ("mcp__terraform__execute", {"command": "destroy"}),
    ("mcp__infra__run", {"action": "terminate"}),
    ("mcp__aws__call", {"operation": "delete", "resource_type": "bucket"}),
    ("mcp__pulumi__pulumi-cli-destroy", {"stack": "prod"}),
    ("mcp__neon__reset_from_parent", {"branchIdOrName": "production"}),
]
PASSES: list[tuple[str, dict[str, Any]]] = [
    ("mcp__x__", {}),
    ("mcp__postgres__query", {"sql": "SELECT * FROM users"}),
    ("mcp__postgres__query", {"sql": "EXPLAIN SELECT * FROM users"}),
    ("mcp__postgres__query", {"sql": "SHOW TABLES"}),
    ("mcp__postgres__query", {"sql": "SELECT * FROM logs WHERE m LIKE '%drop table%; delete from x'"}),
    ("mcp__postgres__query", {"sql": "WITH a AS (SELECT 1) SELECT * FROM a"}),
    ("mcp__pg__query", {"sql": "PREPARE s AS SELECT * FROM users WHERE id = $1; EXECUTE s(1)"}),
    ("mcp__pg__query", {"sql": "EXPLAIN ANALYZE EXECUTE s(1)"}),
    ("mcp__pg__query", {"sql": "DO $$ BEGIN EXECUTE format('SELECT count(*) FROM %I', t); END $$"}),
    ("mcp__mssql__query", {"query": "EXEC dbo.get_users 1"}),
    ("mcp__mssql__query", {"query": "EXEC sp_executesql N'SELECT * FROM users WHERE id = @id', N'@id int', @id = 1"}),
    ("mcp__brave__web_search", {"query": "how to drop table in postgres"}),
    ("mcp__tavily__search", {"query": "DROP TABLE users cascade"}),
    ("mcp__supabase__search_docs", {"query": "drop table users"}),
    ("mcp__supabase__search_docs", {"graphql_query": '{ searchDocs(query: "delete from") { nodes { title } } }'}),
    ("mcp__context7__get-library-docs", {"topic": "drop table", "query": "truncate table"}),
    ("mcp__github__create_issue", {"title": "Drop table users", "body": "DROP TABLE users;"}),
    ("mcp__github__delete_comment", {"comment_id": 1}),
    ("mcp__github__search_code", {"query": "delete from users"}),
    ("mcp__jira__delete_issue_link", {"id": "1"}),
    ("mcp__jira__search", {"jql": "project = X", "query": "drop"}),
    ("mcp__linear__delete_comment", {"id": "x"}),
    ("mcp__linear__list_projects", {"query": "delete from"}),
    ("mcp__slack__post_message", {"text": "DROP TABLE users;"}),
    ("mcp__slack__delete_message", {"ts": "1"}),
    ("mcp__memory__delete_entities", {"entityNames": ["a"]}),
    ("mcp__serena__remove_project", {"project_name": "x"}),
    ("mcp__serena__delete_memory", {"memory_file_name": "x"}),
    ("mcp__notion__search", {"query": "drop database"}),
    ("mcp__tfc__create_run", {"is_destroy": True, "run_type": "plan_only"}),
    ("mcp__tfc__list_runs", {"is_destroy": True}),
    ("mcp__tfc__create_run", {"is_destroy": False}),
    ("mcp__terraform__get_destroy_help", {"topic": "destroy"}),
    ("mcp__browser__act", {"action": "delete", "selector": "#a"}),
    ("mcp__s3__update_bucket", {"prevent_destroy": True}),
    ("mcp__aws__terminate_instances", {"dry_run": True}),
    ("mcp__word__delete_table", {"table_index": 1}),
    (
        "mcp__supabase__apply_migration",
        {"name": "x", "query": "CREATE TABLE a (id int references b(id) ON DELETE CASCADE ON UPDATE CASCADE)"},
    ),
    (
        "mcp__supabase__apply_migration",
        {"name": "x", "query": 'DROP POLICY IF EXISTS "p" ON t; CREATE POLICY "p" ON t USING (true);'},
    ),
    (
        "mcp__supabase__apply_migration",
        {"name": "x", "query": "ALTER TABLE a ADD COLUMN b text; UPDATE a SET b = 'x' WHERE b IS NULL"},
    ),
    ("mcp__supabase__execute_sql", {"query": "INSERT INTO a VALUES ('drop table')"}),
    ("mcp__supabase__execute_sql", {"query": "delete from a where id = 1"}),
    ("mcp__redis__call", {"command": "GET a"}),
    ("mcp__redis__get", {"key": "a"}),
    ("mcp__mongodb__find", {"collection": "a", "filter": {}}),
    ("mcp__pg__explain_query", {"sql": "DELETE FROM users"}),
    ("mcp__sqlfluff__format_sql", {"sql": "drop table users"}),
    ("mcp__sqlite__write_query", {"query": "DROP TABLE x"}),
    ("mcp__neon__list_deleted_projects", {}),
    ("mcp__github__list_branches", {}),
    ("mcp__trello__delete_card", {"id": "x"}),
    ("mcp__todoist__delete-task", {"id": "x"}),
    ("mcp__playwright__browser_close", {}),
    ("mcp__genie__ask", {"query": "update me on the sales"}),
    ("mcp__databricks__genie_query", {"query": "update me on the sales"}),
    ("mcp__neon__prepare_database_migration", {"migrationSql": "ALTER TABLE a DROP COLUMN b"}),
    ("mcp__figma__delete_node", {"nodeId": "1"}),
    ("mcp__qdrant__qdrant-find", {"query": "drop table users"}),
    ("mcp__deepwiki__ask_question", {"repoName": "a/b", "question": "truncate table"}),
]


@pytest.fixture(scope="module")
def asked() -> Engine:
    packs = ("no-remote-destroy", "no-unasked-deploy", "no-write-outside-workspace", "no-secret-read")
    texts = [(RULES / f"{pack}.policy").read_text().replace("language 1\n", "", 1) for pack in packs]
    return engine("".join(texts), Virtual())


def _verdict(asked: Engine, name: str, arguments: dict[str, Any]) -> str:
    kind, server = ("mcp", name.split("__")[1]) if "__" in name else ("other", None)
    tool = {"name": name, "kind": kind, "args": arguments, **({"server": server} if server else {})}
    return asked.decide(event("before_tool", tool=tool)).verdict


@pytest.mark.parametrize(("name", "arguments"), DESTROYS)
def test_a_call_that_empties_or_deletes_what_lies_elsewhere_is_asked(
    asked: Engine, name: str, arguments: dict[str, Any]
) -> None:
    assert _verdict(asked, name, arguments) == "ask"


@pytest.mark.parametrize(("name", "arguments"), PASSES)
def test_a_call_that_reads_searches_or_changes_what_can_be_made_again_passes(
    asked: Engine, name: str, arguments: dict[str, Any]
) -> None:
    assert _verdict(asked, name, arguments) == "allow"
