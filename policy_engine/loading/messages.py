"""Make the diagnostics of what can go wrong between disk and parser; each docstring is the manual page of its code."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span


def _error(code: str, source: Source, message: str, advice: str = "", span: Span | None = None) -> Diagnostic:
    return Diagnostic(code, "error", message, source, span or Span(0, 0), advice)


def unreadable_file(source: Source, reason: str) -> Diagnostic:
    """PE301: policy file that cannot be read

    A named policy file or folder is missing, is not a regular file, or may not be read. A set of policies is loaded
    whole or not at all: a file that was not read would be rules that silently did not run.

    Repair: correct the path, or the file's permissions.
    """
    return _error(
        "PE301", source, f"cannot read `{source.name}`: {reason.lower()}", "a policy set loads whole or not at all"
    )


def file_too_large(source: Source, size: int, limit: int) -> Diagnostic:
    """PE302: policy file over the size limit

    One file may have POLICY_FILE_BYTES bytes.

    Repair: split the file; every `*.policy` below the folder belongs to the set.
    """
    return _error("PE302", source, f"`{source.name}` has more than POLICY_FILE_BYTES ({limit}) bytes", "split the file")


def set_too_large(source: Source, limit: int) -> Diagnostic:
    """PE303: policy set over the size limit

    All files of a set together may have POLICY_TOTAL_BYTES bytes.

    Repair: remove what is not needed, or load fewer folders.
    """
    return _error("PE303", source, f"the policy set has more than POLICY_TOTAL_BYTES ({limit}) bytes")


def import_leads_out(source: Source, span: Span, target: str) -> Diagnostic:
    """PE304: import that leads out of the policy folder

    A policy imports files below its own policy folder, by a relative path, or packs that ship with the engine as
    `pack:THEME/NAME`. A repository's policy is data: it may not read the rest of the disk.

    Wrong:

        import "/etc/passwd"

    Right:

        import "shared/defines.policy"
    """
    return _error(
        "PE304",
        source,
        f"`{target}` leads out of the policy folder",
        "import a file below it, or `pack:THEME/NAME`",
        span,
    )


def import_not_found(source: Source, span: Span, target: str, advice: str) -> Diagnostic:
    """PE305: import of a file that cannot be read

    The imported file or pack is missing or unreadable.

    Wrong:

        import "pack:acceptance/test"

    Right:

        import "pack:acceptance/tests"
    """
    return _error("PE305", source, f"cannot read the import `{target}`", advice, span)


def import_changed(source: Source, span: Span, target: str, actual: str) -> Diagnostic:
    """PE306: import with another digest than the pinned one

    `import "…" sha256 "…"` pins the bytes of the imported file. They are not what was pinned.

    Repair: read what changed; if it is what you want, pin the new digest that the help line names.
    """
    return _error("PE306", source, f"`{target}` is not what `sha256` pins", f"its digest is now `{actual}`", span)


def nothing_to_load(source: Source) -> Diagnostic:
    """PE307: no policy files

    The folder that was named holds no `*.policy` file. An empty set decides nothing, which must not look like
    permission.

    Repair: `policy init` writes a starter, or name the folder that holds the policies.
    """
    return _error("PE307", source, f"`{source.name}` holds no policy file", "`policy init` writes a starter")


def too_many_rules(source: Source, count: int, limit: int) -> Diagnostic:
    """PE308: too many rules

    A set may have POLICY_RULES rules, limits and hooks.

    Repair: remove what is not needed.
    """
    return _error("PE308", source, f"the policy set has {count} rules, more than POLICY_RULES ({limit})")


def waiver_from_below(source: Source, span: Span, rule: str, layer: str) -> Diagnostic:
    """PE309: waiver of a rule that stands in a stronger layer

    A weaker layer can only tighten. A rule of the organisation is waived by the organisation, one of the user by the
    user; what the engine brings along, by either of the two. The waiver is left out, everything else of its file holds.

    Repair: delete it, and ask those who keep the other layer.
    """
    return Diagnostic(
        "PE309",
        "warning",
        f"the waiver has no effect: `{rule}` is a rule of the layer `{layer}`",
        source,
        span,
        f"only the layer `{layer}` waives its rules",
    )


def approval_from_below(source: Source, span: Span) -> Diagnostic:
    """PE318: approval in the policy of a repository

    A weaker layer can only tighten, and a repository comes from others. That a person need not be asked is said by the
    user or the organisation. The rule is in shadow, everything else of its file holds.

    Repair: move it to the policies of the user, in `~/.config/policy-engine`.
    """
    return Diagnostic(
        "PE318",
        "warning",
        "the approval has no effect: a repository cannot say that a person need not be asked",
        source,
        span,
        "move the rule to the policies of the user or the organisation",
    )


def not_believed(source: Source, reason: str) -> Diagnostic:
    """PE310: policy that somebody else may have written

    A policy file or folder belongs to the user, to root, or to the owner of the folder that the policy stands in, and
    is not writable by everybody. Who else could write it could change what is refused. A group may write it.

    Repair: `chmod -R o-w .policy`, and `chown -R` to yourself if it belongs to another user.
    """
    return _error(
        "PE310",
        source,
        f"`{source.name}` is not believed: {reason}",
        "whoever may write a policy decides what is refused",
    )


def link_leads_out(source: Source) -> Diagnostic:
    """PE311: link that leads out of the policy folder

    A symbolic link in a policy folder ends outside it. A repository could show any file of the disk that way, and what
    it ends at may change without the folder changing.

    Repair: put the file itself there, or make the policy folder as a whole the link.
    """
    return _error(
        "PE311",
        source,
        f"`{source.name}` is a link that leads out of the policy folder",
        "put the file itself there, or make the whole folder the link",
    )


def emptied(source: Source) -> Diagnostic:
    """PE312: policy file that was emptied

    A file whose rules are in force has no bytes any more. That is what an editor leaves between truncating and writing,
    and a full disk for good; the rules stay in force until somebody says what is meant. A file that was empty from the
    beginning is a set without rules.

    Repair: put the rules back; or delete the file, or write `language 1` into it, if it is to have no rules.
    """
    return _error(
        "PE312",
        source,
        f"`{source.name}` was emptied; write `language 1` into it if it is to have no rules",
        "its rules stay in force until it says so, or is deleted",
    )


def never_still(source: Source) -> Diagnostic:
    """PE313: policy that changes while it is read

    The files changed again and again while they were read, so that no look saw them whole.

    Repair: replace a file by renaming a new one over it.
    """
    return _error(
        "PE313", source, "the policy changes faster than it can be read", "rename a new file over the old one"
    )


def too_deep(source: Source, limit: int) -> Diagnostic:
    """PE314: policy folder with too many folders in each other

    Below a policy folder, POLICY_FOLDERS folders may lie in each other.

    Repair: remove them; policies need few folders.
    """
    return _error("PE314", source, f"`{source.name}` lies more than POLICY_FOLDERS ({limit}) folders deep")


def too_many_entries(source: Source, limit: int) -> Diagnostic:
    """PE315: policy folder with too many files

    A policy folder may hold POLICY_ENTRIES files and folders, policies or not. More than that is no policy folder: a
    link to the root of the disk, or an archive that was unpacked in it.

    Repair: move what is no policy elsewhere, or make the folder one of its own.
    """
    advice = "a policy folder holds policies and little else"
    return _error(
        "PE315", source, f"`{source.name}` holds more than POLICY_ENTRIES ({limit}) files and folders", advice
    )


def ignores_without_reason(source: Source, span: Span, text: str) -> Diagnostic:
    """PE316: acknowledgement without a reason

    A comment that sets a finding aside says why, for whoever reads it in a year. Without a reason it sets nothing
    aside.

    Repair: write the reason behind a colon, `# ignore[shadowed-rule]: the other layer says it in its own words`.
    """
    return Diagnostic(
        "PE316", "warning", f"`{text[:80]}` gives no reason", source, span, "write it behind a colon: `…]: because …`"
    )


def ignores_nothing(source: Source, span: Span, code: str, known: Collection[str]) -> Diagnostic:
    """PE317: acknowledgement of nothing

    A comment, or an entry of `check.ignore` in `policy.toml`, sets a finding aside that is not there (any more); or a
    comment names no lint. Errors cannot be set aside.

    Repair: delete it; or put the comment behind the line that the finding names, or on the first line of its rule.
    """
    near = "" if code in known else next(iter(get_close_matches(code, known, 1)), "")
    advice = f"did you mean `{near}`?" if near else "delete it, or put a comment at the line of the finding"
    what = f"there is no `{code}` to set aside here" if code in known else f"`{code}` is no lint"
    severity = "note" if code in known else "warning"
    return Diagnostic("PE317", severity, what, source, span, advice, fix="" if code in known else None)


def unusable_settings(source: Source, span: Span, fault: str) -> Diagnostic:
    """PE319: settings of a repository that cannot be used

    The repository's `policy.toml` is no TOML, or says what it cannot say. Policies are checked as if it were empty, and
    decisions do not depend on it.

    Repair: correct it; `[check] ignore` names lints, each with a reason: `leaky-pattern = "the server refuses it too"`.
    """
    return _error("PE319", source, fault, span=span)
