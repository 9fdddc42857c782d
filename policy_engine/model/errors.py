"""Exceptions for a broken filesystem; a user's mistake in a policy is a `Diagnostic` instead.

    PolicyEngineError
    ├── PolicyLoadError      a policy set cannot be loaded; carries diagnostics          exit 3
    ├── EventError           an event is malformed; the point's failure verdict follows  (code E-…)
    ├── ConfigurationError   a setting, path or option cannot be used                    exit 2
    └── StoreError           the past cannot be read or kept; stateful rules are undecided

Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.diagnostic import Diagnostic


class PolicyEngineError(Exception):
    """Root of what this package raises on purpose."""


class PolicyLoadError(PolicyEngineError):
    """A policy set does not parse, type-check or read; `diagnostics` says where and why, its text the first of them."""

    SHOWN = 3

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        lines = [super().__str__()]
        errors = [one for one in self.diagnostics if one.severity == "error"]
        for one in errors[: self.SHOWN]:
            lines.append(f"  {one.location}: error[{one.code}]: {one.message}")
            lines += [f"    help: {one.help}"] if one.help else []
        if len(errors) > self.SHOWN:
            lines.append(f"  and {len(errors) - self.SHOWN} more, in `diagnostics`")
        return "\n".join(lines)


class EventError(PolicyEngineError):
    """An event is refused; `code` is stable (`E-JSON`, `E-DUPKEY`, …), the text names the field."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ConfigurationError(PolicyEngineError):
    """A setting, a path or an option that cannot be used as given."""


class StoreError(PolicyEngineError):
    """The session store failed; stateful rules become undecided, stateless ones go on."""
