"""A decision as a finding of the Open Cybersecurity Schema Framework, for lakes of security events.

Class 2004 "Detection Finding" with the profile `security_control`, version 1.3.0.
"""

from __future__ import annotations

from typing import Any

import policy_engine
from policy_engine.export.row import Row

VERSION = "1.3.0"
_CLASS, _CREATE = 2004, 1
_SEVERITIES = {"allow": 1, "warn": 2, "remind": 2, "ask": 3, "deny": 4, "stop": 5}  # informational … critical
_ALLOWED, _DENIED, _UNKNOWN = 1, 2, 0


def finding(row: Row, uid: str) -> dict[str, Any]:
    """Return the finding of a decision; `uid` tells it from every other one."""
    return {
        "activity_id": _CREATE,
        "category_uid": _CLASS // 1000,
        "class_uid": _CLASS,
        "type_uid": _CLASS * 100 + _CREATE,
        "time": row.time or 0,
        "severity_id": _SEVERITIES.get(row.verdict, 0),
        "action_id": _UNKNOWN if row.verdict not in _SEVERITIES else _DENIED if row.refused else _ALLOWED,
        "message": row.message or row.verdict,
        "metadata": {
            "uid": uid,
            "version": VERSION,
            "profiles": ["security_control"],
            "product": {"name": "policy_engine", "vendor_name": "policy_engine", "version": policy_engine.__version__},
        },
        "finding_info": {
            "uid": uid,
            "title": row.rule or row.verdict,
            "desc": row.action,
            "types": [each["rule"] for each in row.rules],
        },
        "actor": {"app_name": row.host, "session": {"uid": row.session}, "user": {"name": row.person}},
        "unmapped": {
            "hook": row.hook, "tool": row.tool, "verdict": row.verdict, "repository": row.repository, "path": row.path,
            "undecided": row.undecided, "cause": row.cause, "policy": row.policy,
        },
    }  # fmt: skip
