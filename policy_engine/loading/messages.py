"""Diagnostics of what can go wrong between disk and parser; diagnostics.md holds the manual page of each code."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span


def _error(code: str, source: Source, message: str, advice: str = "", span: Span | None = None) -> Diagnostic:
    return Diagnostic(code, "error", message, source, span or Span(0, 0), advice)


def unreadable_file(source: Source, reason: str) -> Diagnostic:
    return _error(
        "PE301", source, f"cannot read `{source.name}`: {reason.lower()}", "a policy set loads whole or not at all"
    )


def file_too_large(source: Source, size: int, limit: int) -> Diagnostic:
    return _error("PE302", source, f"`{source.name}` has more than POLICY_FILE_BYTES ({limit}) bytes", "split the file")


def set_too_large(source: Source, limit: int) -> Diagnostic:
    return _error("PE303", source, f"the policy set has more than POLICY_TOTAL_BYTES ({limit}) bytes")


def import_leads_out(source: Source, span: Span, target: str) -> Diagnostic:
    return _error(
        "PE304",
        source,
        f"`{target}` leads out of the policy folder",
        "import a file below it, or `pack:THEME/NAME`",
        span,
    )


def import_not_found(source: Source, span: Span, target: str, advice: str) -> Diagnostic:
    return _error("PE305", source, f"cannot read the import `{target}`", advice, span)


def import_changed(source: Source, span: Span, target: str, actual: str) -> Diagnostic:
    return _error("PE306", source, f"`{target}` is not what `sha256` pins", f"its digest is now `{actual}`", span)


def nothing_to_load(source: Source) -> Diagnostic:
    return _error("PE307", source, f"`{source.name}` holds no policy file", "`policy init` writes a starter")


def too_many_rules(source: Source, count: int, limit: int) -> Diagnostic:
    return _error("PE308", source, f"the policy set has {count} rules, more than POLICY_RULES ({limit})")


def waiver_from_below(source: Source, span: Span, rule: str, layer: str) -> Diagnostic:
    return Diagnostic(
        "PE309",
        "warning",
        f"the waiver has no effect: `{rule}` is a rule of the layer `{layer}`",
        source,
        span,
        f"only the layer `{layer}` waives its rules",
    )


def approval_from_below(source: Source, span: Span) -> Diagnostic:
    return Diagnostic(
        "PE318",
        "warning",
        "the approval has no effect: a repository cannot say that a person need not be asked",
        source,
        span,
        "move the rule to the policies of the user or the organisation",
    )


def not_believed(source: Source, reason: str) -> Diagnostic:
    return _error(
        "PE310",
        source,
        f"`{source.name}` is not believed: {reason}",
        "whoever may write a policy decides what is refused",
    )


def link_leads_out(source: Source) -> Diagnostic:
    return _error(
        "PE311",
        source,
        f"`{source.name}` is a link that leads out of the policy folder",
        "put the file itself there, or make the whole folder the link",
    )


def emptied(source: Source) -> Diagnostic:
    return _error(
        "PE312",
        source,
        f"`{source.name}` was emptied; write `language 1` into it if it is to have no rules",
        "its rules stay in force until it says so, or is deleted",
    )


def never_still(source: Source) -> Diagnostic:
    return _error(
        "PE313", source, "the policy changes faster than it can be read", "rename a new file over the old one"
    )


def too_deep(source: Source, limit: int) -> Diagnostic:
    return _error("PE314", source, f"`{source.name}` lies more than POLICY_FOLDERS ({limit}) folders deep")


def too_many_entries(source: Source, limit: int) -> Diagnostic:
    advice = "a policy folder holds policies and little else"
    return _error(
        "PE315", source, f"`{source.name}` holds more than POLICY_ENTRIES ({limit}) files and folders", advice
    )


def ignores_without_reason(source: Source, span: Span, text: str) -> Diagnostic:
    return Diagnostic(
        "PE316", "warning", f"`{text[:80]}` gives no reason", source, span, "write it behind a colon: `…]: because …`"
    )


def ignores_nothing(source: Source, span: Span, code: str, known: Collection[str]) -> Diagnostic:
    near = "" if code in known else next(iter(get_close_matches(code, known, 1)), "")
    advice = f"did you mean `{near}`?" if near else "delete it, or put a comment at the line of the finding"
    what = f"there is no `{code}` to set aside here" if code in known else f"`{code}` is no lint"
    severity = "note" if code in known else "warning"
    return Diagnostic("PE317", severity, what, source, span, advice, fix="" if code in known else None)


def unusable_settings(source: Source, span: Span, fault: str) -> Diagnostic:
    return _error("PE319", source, fault, span=span)
