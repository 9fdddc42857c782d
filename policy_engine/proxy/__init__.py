"""Relay a client's MCP session, with its tool calls judged."""
