"""Write the bill of materials of a release, and ask whether a known vulnerability is in it.

python -m tools.supply_chain sbom    CycloneDX 1.5 JSON of requirements/run.lock, on standard output
python -m tools.supply_chain audit   pip-audit against the same file; says so where its data cannot be had
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from policy_engine import __version__

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "run.lock"
_LINE = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")


def locked(text: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return name to (version, SHA-256 digests) of a lock file. Raises ValueError for a line without a digest."""
    found = {}
    for entry in re.sub(r"\\\n", " ", text).splitlines():
        line = entry.partition("#")[0].strip()
        if not line:
            continue
        match, digests = _LINE.match(line), tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
        if match is None or not digests:
            raise ValueError(f"no exact version with a digest: {line[:80]}")
        found[match["name"]] = (match["version"], digests)
    return found


def bill(text: str) -> dict[str, Any]:
    """Return the bill of materials of a lock file; the same file gives the same bill."""
    packages = locked(text)
    own = {"type": "application", "name": "policy_engine", "version": __version__, "bom-ref": "policy_engine"}
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in digests],
        }
        for name, (version, digests) in sorted(packages.items())
    ]
    refs = [str(component["bom-ref"]) for component in components]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [{"ref": "policy_engine", "dependsOn": refs}, *({"ref": ref} for ref in refs)],
    }


def verdict(report: dict[str, Any]) -> tuple[int, list[str]]:
    """Return the exit status for a report of pip-audit, and what to say."""
    packages = report.get("dependencies", [])
    bad = [
        f"VULNERABLE {one['name']} {one['version']}: {fault['id']}, fixed in {', '.join(fault['fix_versions']) or '-'}"
        for one in packages
        for fault in one.get("vulns", ())
    ]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    lines = list(bad)
    if skipped:
        lines.append(f"SKIPPED, no data to be had for: {', '.join(skipped)}")
    if not packages:
        lines.append("SKIPPED: nothing was looked at")
    done = len(packages) - len(skipped)
    lines.append(f"{done} of {len(packages)} packages audited, {len(bad)} known vulnerabilities")
    return (1 if bad else 0), lines


def audit() -> int:
    """Ask pip-audit; return 1 for a known vulnerability, 0 otherwise, with what was left out said on the way."""
    command = [sys.executable, "-m", "pip_audit", "-r", str(LOCK), "--require-hashes", "--disable-pip", "-f", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        print(f"SKIPPED: pip-audit gave no report: {last}")
        return 0
    status, lines = verdict(report)
    print("\n".join(lines))
    return status


def main(arguments: Iterable[str]) -> int:
    """Run one of the two commands."""
    if list(arguments) == ["sbom"]:
        print(json.dumps(bill(LOCK.read_text()), indent=2))
        return 0
    return audit()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
