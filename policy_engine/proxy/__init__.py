"""A client's MCP session → the same session, its tool calls judged."""
