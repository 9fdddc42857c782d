"""`policy mcp` between the client and a server of the real MCP library: a denied call, an allowed one, and the rest."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="mcp is not installed: `make test-clients`")

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

POLICY = """\
language 1

rule no-touch "Files are made with the tool for writing" {
  severity high
  on before_tool("mcp__forge__run")
  when (tool.args["command"] else "") matches /^touch /
  deny "No touching."
}
"""
SERVER = Path(__file__).with_name("forge_server.py")


def test_a_denied_call_of_a_real_client_does_not_reach_a_real_server(tmp_path: Path) -> None:
    home, place = tmp_path / "home", tmp_path / "work"
    for folder in (home, place / ".policy"):
        folder.mkdir(parents=True)
    (place / ".policy" / "main.policy").write_text(POLICY, "utf-8")
    root = str(Path(__file__).resolve().parents[2])
    given = StdioServerParameters(
        command=sys.executable,
        args=["-m", "policy_engine", "mcp", "--name", "forge", "--", sys.executable, str(SERVER)],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": root},
        cwd=place,
    )

    async def talk() -> list[Any]:
        async with stdio_client(given) as (reader, writer), ClientSession(reader, writer) as session:
            await session.initialize()
            tools = await session.list_tools()
            denied = await session.call_tool("run", {"command": "touch ran.txt"})
            allowed = await session.call_tool("run", {"command": "echo hello > made.txt; echo hello"})
            return [[tool.name for tool in tools.tools], denied, allowed]

    names, denied, allowed = asyncio.run(asyncio.wait_for(talk(), 60))
    assert names == ["run"] and not (place / "ran.txt").exists() and (place / "made.txt").exists()
    assert denied.model_dump(by_alias=True)["isError"] is True and "No touching" in denied.content[0].text
    assert "hello" in allowed.content[0].text
