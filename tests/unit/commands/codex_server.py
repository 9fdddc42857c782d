"""A program `codex` whose `app-server` lists hooks and is told to trust them, as the real one does (0.169.0)."""

from __future__ import annotations

import sys
from pathlib import Path

TOLD = "told.json"  # in the home of Codex: what it was told, by key
PROGRAM = """#!{python} -I
import hashlib, json, os, re, sys
home = os.path.join(os.environ["HOME"], ".codex")
told = os.path.join(home, "told.json")
def state():
    return json.load(open(told)) if os.path.exists(told) else {{}}
def hooks(folders):
    for path in [os.path.join(home, "hooks.json"), *(os.path.join(one, ".codex", "hooks.json") for one in folders)]:
        found = json.load(open(path)).get("hooks", {{}}) if os.path.exists(path) else {{}}
        for event, groups in found.items():
            for number, group in enumerate(groups):
                for place, handler in enumerate(group["hooks"]):
                    name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
                    key = f"{{path}}:{{name}}:{{number}}:{{place}}"
                    about = json.dumps([group.get("matcher"), handler]).encode()
                    digest = "sha256:" + hashlib.sha256(about).hexdigest()
                    known = state().get(key)
                    trust = "untrusted" if known is None else "trusted" if known == digest else "modified"
                    yield {{"key": key, "currentHash": digest, "trustStatus": trust, "sourcePath": path,
                           "command": handler["command"], "enabled": os.path.exists(told + ".off") is False}}
def answer(method, params):
    if method == "hooks/list":
        return {{"data": [{{"cwd": params["cwds"][0], "hooks": list(hooks(params["cwds"]))}}]}}
    if method == "config/batchWrite":
        known = state()
        for edit in params["edits"]:
            if edit["value"] is None:
                known.pop(json.loads(edit["keyPath"].removeprefix("hooks.state.")), None)
            else:
                known |= {{key: said["trusted_hash"] for key, said in edit["value"].items()}}
        os.makedirs(home, exist_ok=True)
        json.dump(known, open(told, "w"))
    return {{}}
assert sys.argv[1:] == ["app-server"]
print(json.dumps({{"method": "configWarning", "params": {{}}}}), flush=True)
for line in sys.stdin:
    said = json.loads(line)
    if "id" in said:
        print(json.dumps({{"id": said["id"], "result": answer(said["method"], said["params"])}}), flush=True)
"""


def put(folder: Path, program: str = PROGRAM) -> Path:
    """The program in a folder of its own, for the PATH."""
    folder.mkdir(exist_ok=True)
    path = folder / "codex"
    path.write_text(program.format(python=sys.executable))
    path.chmod(0o755)
    return path
