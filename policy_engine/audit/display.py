"""Take secrets out of a text that is shown. Imported by the hook path; what redacts, only for a text with signs."""

from __future__ import annotations


def redact_shown(text: str) -> str:
    """Return a text without its secrets; one without a sign of any is returned as it is."""
    from policy_engine.audit.secret_signs import may_hold_secret

    if not may_hold_secret(text.encode("utf-8", "backslashreplace")):
        return text
    from policy_engine.audit.redaction import redacted_text
    from policy_engine.state.places import state_folder

    return redacted_text(text, f"{state_folder()}/redaction.salt")
