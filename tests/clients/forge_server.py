"""A small MCP server of the real library, with one tool that works in the current folder."""

from __future__ import annotations

import subprocess

from mcp.server.mcpserver import MCPServer

server = MCPServer("forge")


@server.tool()
def run(command: str) -> str:
    """Run a shell command."""
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    server.run()
