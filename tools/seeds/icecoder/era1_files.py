"""Era 1: the verification status of the task, kinds of files, exempt files, confirmed writes."""

from __future__ import annotations

from tools.seeds.base import Area, Skip, complaints, quoted
from tools.seeds.icecoder.host import Given, Host, Mapping, areas, shaped
from tools.seeds.icecoder.words import changed, happen, status

VERIFICATION = "compat/icecoder/e1-verification"
GATE = "compat/icecoder/e1-gate"
PHASES = ("verification", "editing", "context")
EXEMPT = """\
language 1
rule exempt "No test is owed" {{
  on before_tool(write)
  when any p in paths {{ p matches glob({globs}) }}
  warn "exempt"
}}
"""


def verification_state(given: Given, expect: Given) -> Given:
    shaped(given, "goal events")
    host = Host(GATE)
    host.prompt(given["goal"], [])
    for event in given["events"]:
        happen(host, event)
    said = host.round()
    waiting = [one.rule for one in host.finish().rules]
    pending = int(said.get("e1-confirm-pending", "0"))
    return {
        "status": status(said),
        "blocking": "e1-unit-tests" in waiting or "e1-acceptance" in waiting,
        "failed_reminder": "e1-failed-tests" in waiting,
        "files_changed": changed(host),
        "all_confirmed": pending == 0,
        "unconfirmed": pending > 0,
        "phase": next((one for one in PHASES if f"e1-phase-{one}" in said), "intent"),
        "kind": kind(said),
    }


def kind(said: dict[str, str]) -> str:
    """What the run delivers."""
    found = ("engineering", "e1-kind-engineering"), ("file_deliverable", "e1-kind-file")
    return next((word for word, rule in found if rule in said), "none")


def deliverable_kind(given: Given, expect: Given) -> Given:
    host = Host(VERIFICATION)
    for path in shaped(given, "files_changed")["files_changed"]:
        host.write(path)
    return {"kind": kind(host.round())}


def exempt_path(given: Given, expect: Given) -> Given:
    path = shaped(given, "path")["path"]
    return {"exempt": "e1-exempt" in Host(VERIFICATION).propose("write_file", path=path)}


def exempt_prefix(given: Given, expect: Given) -> Given:
    """A prefix is a glob of the policy: one that leads out is refused, or exempts nothing."""
    prefix = shaped(given, "prefix")["prefix"]
    if prefix != prefix.strip() or prefix != prefix.lower() or "\\" in prefix:
        raise Skip("trimming, case and separators of a configured text: the product's loader; our globs are as written")
    globs = quoted(f"{prefix.rstrip('/')}/**")
    if complaints(EXEMPT.format(globs=globs)):
        return {"normalised": None}
    folder = prefix.strip("/").removeprefix("./")
    inside, beside = (exempt_by(globs, f"{folder}{end}") for end in ("/a.md", "x/a.md"))
    return {"normalised": folder if folder and inside and not beside else None}


def exempt_by(globs: str, path: str) -> bool:
    """Whether a declaration with these globs exempts a path."""
    return "exempt" in Host(text=EXEMPT.format(globs=globs)).propose("write_file", path=path)


def exempt_config(given: Given, expect: Given) -> Given:
    shaped(given, "workspace_root prefixes paths")
    globs = ", ".join(quoted(f"{prefix}/**") for prefix in given["prefixes"])
    root = given["workspace_root"].rstrip("/") + "/"
    return {"exempt": [exempt_by(globs, path.removeprefix(root)) for path in given["paths"]]}


def write_confirm(given: Given, expect: Given) -> Given:
    """Versions are writes and reads in their order: a file was written so often, and read after the one confirmed."""
    shaped(given, "files_changed write_versions confirm_versions")
    host = Host(VERIFICATION)
    for path in given["files_changed"]:
        written = given["write_versions"].get(path, 0)
        for version in range(1, max(written, 1) + 1):
            host.write(path)
            if given["confirm_versions"].get(path) == version and version <= written:
                host.read(path)
    said = host.round()
    counts = {word: int(said.get(f"e1-confirm-{word}", "0")) for word in ("required", "pending", "exempt")}
    return counts | {"unconfirmed": counts["pending"] > 0}


def deleted_paths(given: Given, expect: Given) -> Given:
    said = Host(VERIFICATION).propose("run_command", command=shaped(given, "command")["command"])
    posix = [one for one in said.get("e1-deletes", "").split(", ") if one]
    return {"paths": posix + [said[rule] for rule in ("e1-deletes-elsewhere",) if rule in said]}


MAPPINGS: dict[str, Mapping] = {
    "e1.verification_state": verification_state,
    "e1.deliverable_kind": deliverable_kind,
    "e1.exempt_path": exempt_path,
    "e1.exempt_prefix": exempt_prefix,
    "e1.exempt_config": exempt_config,
    "e1.write_confirm": write_confirm,
    "e1.deleted_paths": deleted_paths,
}
AREAS: dict[str, Area] = areas(MAPPINGS)
