"""Convert a call of a tool of a well-known MCP server to the command line that does the same.

The servers of git, containers and forges take the parts of a command as arguments: a verb in the tool's name, options
as true or false, operands under their names. Rows say which tool is which command. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAMED_AFTER = {"git": "git", "kubernetes": "kubectl", "kubectl": "kubectl", "k8s": "kubectl", "helm": "helm",
                "npm": "npm"}  # fmt: skip
"""Servers whose tools are called like the verbs of a program."""
_TOOLS = {
    "docker": {
        "run_container": "docker run", "create_container": "docker create", "recreate_container": "docker run",
        "remove_container": "docker rm", "stop_container": "docker stop", "start_container": "docker start",
        "remove_volume": "docker volume rm", "remove_image": "docker rmi", "remove_network": "docker network rm",
        "push_image": "docker push", "build_image": "docker build", "prune": "docker system prune",
        "system_prune": "docker system prune", "volume_prune": "docker volume prune",
    },
    "github": {
        "merge_pull_request": "gh pr merge", "delete_branch": "git push origin --delete",
        "delete_repository": "gh repo delete", "create_release": "gh release create",
        "delete_release": "gh release delete", "run_workflow": "gh workflow run",
        "update_ref": "git push origin", "update_reference": "git push origin",
    },
}  # fmt: skip
_TOOLS["heroku"] = {"ps_scale": "heroku ps:scale", "deploy_to_heroku": "heroku deploy"}
_TOOLS["gitlab"] = {"merge_merge_request": "glab mr merge", "delete_branch": "git push origin --delete"}
_CLUSTERS = ("kubectl", "helm")
_ORDERS = {verb: verb for verb in "delete scale drain apply patch replace uninstall rollback upgrade install".split()}
_ORDERS |= {"remove": "delete", "destroy": "delete", "update": "apply"}
"""Verbs that change a cluster, as its clients call them."""
_ANY = ("generic", "command", "cmd", "run", "exec", "execute", "call")  # tools to which an argument names the verb
_FOLDERS = ("repo_path", "repopath", "repository_path", "repo", "path", "cwd", "working_dir", "workingdir")
_FILES = ("files", "paths", "file", "pathspec", "file_paths")
_VALUES = {"message": "-m", "volumes": "-v", "volume": "-v", "mounts": "-v", "env": "-e", "ports": "-p",
           "name": "--name",
           "network": "--network", "namespace": "-n", "filename": "-f", "entrypoint": "--entrypoint"}  # fmt: skip
_MODES = ("hard", "soft", "mixed", "keep", "merge")
_MOST = 64  # words
_DELETES = r"(?i)method['\"]?\s*:\s*['\"`]delete['\"`]|axios\.delete\(|\.open\(\s*['\"`]delete['\"`]"
_REMOVES = frozenset("remove delete discard".split())
_THROWING = ("discardchanges", "discard", "discarduncommitted", "force")
_UNPACKS = frozenset("unzip unpack untar extract decompress uncompress unarchive".split())
_ZIPS = (".zip", ".jar", ".war", ".whl", ".7z", ".rar")
_ARCHIVES = (*_ZIPS, ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".tbz2", ".txz")
_INTO = ("dest", "target", "out", "dir", "folder", "into", "path", "to")


def server_line(name: str, args: dict[str, Any]) -> tuple[str, str] | None:
    """Return the line and the folder that a call stands for, None if its tool is in no row."""
    if not name.startswith("mcp__"):
        return None
    server, _, tool = name[5:].lower().replace("-", "_").partition("__")
    kind = next((known for known in (*_NAMED_AFTER, *_TOOLS) if known in server.split("_")), None)
    if kind is None:
        return None
    command = _TOOLS.get(kind, {}).get(tool)
    if command is None and kind in _NAMED_AFTER:
        program = _NAMED_AFTER[kind]
        verbs = tool.removeprefix(f"{program}_").removeprefix(f"{kind}_").split("_")
        if verbs == [program] or not verbs[0]:
            return None
        if verbs[0] in _ANY:
            args = dict(args)
            verb = args.pop("command", args.pop("verb", ""))
            if type(verb) is not str or not verb.isalpha():
                return None
            verbs = [verb]
        if program in _CLUSTERS:
            command = _cluster_command(program, verbs)
            if " scale" in command and not any(key.lower() in ("replicas", "scale") for key in args):
                return None  # it tells how many there are
        else:
            command = " ".join((program, verbs[0], *("--delete" for verb in verbs[1:] if verb in ("delete", "remove"))))
    if command is None:
        return None
    options, operands, files, folder = _sorted(args, command)
    words = [*command.split(), *options, *operands, *(["--", *files] if files else [])]
    return quote_words(words[:_MOST]), folder


def _cluster_command(program: str, words: list[str]) -> str:
    """The command that a tool of a cluster is called after: `pods_delete`, `uninstall_helm_chart`."""
    if "helm" in words:
        program, words = "helm", [word for word in words if word not in ("helm", "chart", "release")] or words
    verb = next((word for word in words if word in _ORDERS), "")
    if not verb:
        return f"{program} {words[0]}"
    others = [word for word in words if word != verb] if program == "kubectl" and verb == words[-1] else []
    return " ".join((program, _ORDERS[verb], *others[:1]))


def work_tree_line(words: list[str], args: dict[str, Any]) -> str | None:
    """Return the line of a tool that removes a further work tree with the changes in it, None of any other."""
    keys = {"".join(char for char in key.lower() if char.isalnum()): value for key, value in args.items()}
    if "worktree" not in words and [word for word in words if word in ("work", "tree")] != ["work", "tree"]:
        return None
    orders = {str(keys.get(key, "")).lower() for key in ("action", "mode", "operation", "command")}
    given = orders - {""}
    if not (given & _REMOVES or (not given and _REMOVES & {*words})):
        return None
    if not any(keys.get(key) in (True, "true") for key in _THROWING):
        return None
    texts = [(key, value) for key, value in keys.items() if type(value) is str]
    named = [value for key, value in texts if "path" in key or key in ("name", "worktree")]
    return f"git worktree remove --force {quote_words(named[:1]) or 'worktree'}"


def unpacking_line(words: list[str], args: dict[str, Any]) -> str | None:
    """Return the line of a tool that unpacks an archive of this machine, None of any other."""
    if _UNPACKS.isdisjoint(words):
        return None
    texts = {key.lower(): value for key, value in args.items() if type(value) is str and value}
    archive = next((value for value in texts.values() if value.lower().endswith(_ARCHIVES)), None)
    if archive is None:
        return None
    folders = [value for key, value in texts.items() if value != archive and any(part in key for part in _INTO)]
    into = quote_words(folders[:1] or ["."])
    program = "unzip -o" if archive.lower().endswith(_ZIPS) else "tar xf"
    return f"{program} {quote_words([archive])} {'-d' if program[0] == 'u' else '-C'} {into}"


def deleting_request(words: list[str], args: dict[str, Any]) -> str | None:
    """Return the line of code for a browser that has a machine delete something by a request, None of any other."""
    if not {"evaluate", "evaluation"}.intersection(words):
        return None
    code = "\n".join(value for value in args.values() if type(value) is str and "://" in value)
    if "delete" not in code.lower():
        return None
    import re

    if not re.search(_DELETES, code):
        return None
    lines = [quote_words(["curl", "-X", "DELETE", address]) for address in re.findall(r"https?://[^\s'\"`]+", code)]
    return "\n".join(lines[:_MOST]) or None


def _sorted(args: dict[str, Any], command: str) -> tuple[list[str], list[str], list[str], str]:
    """The options, operands and files of a call, and the folder of the repository."""
    options: list[str] = []
    operands: list[str] = []
    files: list[str] = []
    folder = ""
    for key, value in args.items():
        plain = key.lower().replace("-", "_")
        texts = [str(one) for one in (value if type(value) is list else [value]) if type(one) in (str, int)]
        if type(value) is bool:
            options += [f"--{_dashed(key)}"] if value else []
        elif command.startswith("git ") and plain in _FOLDERS and type(value) is str:
            folder = value
        elif plain in _FILES:
            files += texts
        elif plain == "mode" and texts and texts[0].lstrip("-") in _MODES:
            options.append(f"--{texts[0].lstrip('-')}")
        elif plain in _VALUES and not (plain == "name" and " rm" in command):
            options += [word for text in texts for word in (_VALUES[plain], text)]
        elif type(value) in (str, int, list):
            operands += [text for text in texts if text]
    return options, operands, files, folder


def _dashed(key: str) -> str:
    """`noVerify` and `no_verify` as an option is written."""
    spaced = "".join(f"-{char.lower()}" if char.isupper() else char for char in key)
    return spaced.replace("_", "-").lstrip("-")
