"""The smallest MCP server on standard streams: two tools that work in the current folder, and an answer to anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys

for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message:
        continue
    result: object = {"method": method}
    if method == "tools/list":
        result = {"tools": [{"name": "run", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        arguments = params["arguments"]
        if params["name"] == "die":
            os._exit(7)
        done = subprocess.run(["sh", "-c", arguments["command"]], capture_output=True, text=True, check=False)
        result = {"content": [{"type": "text", "text": done.stdout}], "isError": done.returncode != 0}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
    sys.stdout.flush()
sys.stderr.write("the server has ended\n")
sys.exit(3)
