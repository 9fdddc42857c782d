"""Migrate declared acceptance checks of neo-code (a JSON list of objects, or of strings) to rules at
`before_completion`.

What a check meant there is kept where it was sound. Where its mechanism was not, the rule asks for evidence: a command
must have run and proved its success (an `echo` of it does not), a file must be on the disk. Evidence counts from the
prompt on, as it did there. An optional check only warns. A check that could never pass refuses here too, and is listed.

    [{"kind": "command_success", "target": "go test ./..."}, {"kind": "file_exists", "target": "README.md"}]
    ["go test ./...", "README.md"]

`tool_fact` checks, and `content_contains` without a text, read facts that the host sends with an event: `verification`
(`TOOL:SCOPE`), `verification_tool` (in small letters), `verification_scope`, `content_match` (a path).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from policy_engine.conversion.document import Located, read_json
from policy_engine.conversion.lines import line_of, steps_of
from policy_engine.conversion.writing import (
    Inexpressible,
    Migrated,
    Original,
    Page,
    Played,
    block,
    literal,
    message,
    quoted,
)
from policy_engine.migrations.base import Migration
from policy_engine.model.source import Source
from policy_engine_compat.judged import path_of, run_of, succeeded, verified

_KEYS = ("id", "kind", "target", "match", "required", "params")
_STARTS = (
    "go ", "go\t", "npm ", "pnpm ", "yarn ", "make", "cargo ", "python ", "pytest", "ruff ", "eslint", "tsc",
    "golangci-lint", "git ", "powershell ", "pwsh ",
)  # fmt: skip
_SENTENCE = re.compile(r"make\s+(sure|certain|the|a|an|it|its|this|that|these|those|your?|any|every|no)\b")
_ABBREVIATION = re.compile(r"v?\d+(\.\d+)+|([a-z]\.)+[a-z]?|etc\.")
_MATCHES = ("exact", "prefix", "contains", "normalized_contains", "")


@dataclass(frozen=True, slots=True)
class Check:
    """One check after normalising; `params` sorted, `required` True unless it said otherwise."""

    where: str
    kind: str
    target: str = ""
    match: str = ""
    required: bool = True
    params: tuple[tuple[str, str], ...] = ()
    id: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Return what makes two checks the same one; the id is only a label."""
        return self.kind, self.target, self.match, self.params, self.required

    @property
    def label(self) -> str:
        """Return how people call it."""
        return f"check {quoted(' '.join(filter(None, (self.id or self.kind, self.target if not self.id else ''))))}"

    def param(self, name: str) -> str:
        """Return a parameter, trimmed; empty if there is none."""
        return next((value.strip() for key, value in self.params if key == name), "")


def convert(sources: Sequence[Source]) -> Migrated:
    """Return the policy of all lists. Raises Refused for a list that its own system could not read."""
    page = Page([f"Made by `policy migrate --from accept-checks` from {', '.join(one.name for one in sources)}."])
    for source in sources:
        for check in checks(source):
            with page.item(check.where, check.label):
                _declare(page, check)
    return page.finish()


def checks(source: Source) -> list[Check]:
    """Return the checks of a list after normalising: none twice, never none. Raises Refused."""
    document = read_json(source)
    if not isinstance(document.value, list):
        raise document.refused("the checks are a list of objects, or of strings")
    texts = [isinstance(item.value, str) for item in document.items]
    if any(texts) and not all(texts):
        other = document.items[texts.index(not texts[0])]
        raise other.refused("a list holds objects or strings, not both")
    read = map(_from_text, document.items) if any(texts) else map(_from_object, document.items)
    unique: dict[tuple[object, ...], Check] = {}
    for check in read:
        if check.kind or check.target or check.match:
            unique.setdefault(check.key, check)
    return list(unique.values()) or [Check(document.where, "output_only")]


def _from_object(item: Located) -> Check:
    if not isinstance(item.value, dict):
        raise item.refused("a check is an object")
    texts = {}
    for key in ("id", "kind", "target", "match"):
        value = item.get(key)
        if value is not None and not isinstance(value, str):
            raise item.entries[key].refused(f"`{key}` is no text")
        texts[key] = (value or "").strip()
    required = item.get("required")
    if required is not None and not isinstance(required, bool):
        raise item.entries["required"].refused("`required` is neither true nor false")
    kind = texts["kind"].lower()
    return Check(
        item.where,
        "command_success" if kind == "command" else kind,
        texts["target"],
        texts["match"].lower(),
        required is not False,
        tuple(sorted(_params(item.entries.get("params")))),
        texts["id"],
        tuple(key for key in item.entries if key not in _KEYS),
    )


def _params(located: Located | None) -> Iterator[tuple[str, str]]:
    if located is None or located.value is None:
        return
    if not isinstance(located.value, dict):
        raise located.refused("`params` is no object")
    for key, item in located.entries.items():
        if not isinstance(item.value, str):
            raise item.refused(f"the parameter {quoted(key)} is no text")
        if key.strip() or item.value.strip():
            yield key.strip(), item.value.strip()


def _from_text(item: Located) -> Check:
    """Return an old check: its text says by its looks which kind it is. A sentence, a version or an abbreviation is no
    more than a text, which there made a check that could never pass.
    """
    text = item.value.strip()
    folded = text.lower()
    if (folded.startswith(_STARTS) and not _SENTENCE.match(folded)) or " test " in folded or " build " in folded:
        return Check(item.where, "command_success", text)
    named = "/" in text or "\\" in text or "." in text.removeprefix(".")
    if text and named and not re.search(r"\s", text) and not _ABBREVIATION.fullmatch(folded):
        return Check(item.where, "file_exists", text)
    return Check(item.where, "output_only" if text else "", text)


# ---- check → rule --------------------------------------------------------------------------------------------------


def _declare(page: Page, check: Check) -> None:
    for key in check.unknown:
        page.lack(check.where, check.label, f"the key {quoted(key)} is not known, and said nothing there either")
    _KINDS.get(check.kind, _unknown)(page, check)


IN_WORK = 'when (plan.status else "approved") in ["draft", "approved"]'
"""Checks are in force while their plan is in work; where the host sends no plan, always."""


def _rule(
    page: Page,
    check: Check,
    title: str,
    require: str,
    text_of_rule: str,
    tests: Sequence[str],
    *remarks: str,
    when: str = "",
) -> None:
    """Declare a rule that refuses (an optional check: warns) unless `require` holds; without it, always."""
    verdict = "deny" if check.required else "warn"
    clauses = [
        "on before_completion",
        when or IN_WORK,
        f"require {require}" if require else "",
        f"{verdict} {message(text_of_rule)}",
    ]
    steps = [step.replace("=> deny", f"=> {verdict}") for step in tests]
    name = page.name(check.id, f"{check.kind} {check.target}", check.kind, "check")
    page.declare(block("rule", name, title, filter(None, clauses), steps), *remarks)
    page.originals.append(Original(name, check.label, partial(_refused, check), meant=_meant(check)))


def _meant(check: Check) -> str:
    """Return why the rule is weaker on purpose; empty if it is not to be."""
    match check.kind:
        case "file_exists":
            return "there only a file that the run had read or written counted; here one that is there does"
        case "content_contains" if check.param("contains"):
            return "there a tool had to say what it had verified; here the file has to hold the text"
        case "command_success" if check.target and len(steps_of(check.target)) > 1:
            return "there the line had to run as one; here its commands may run one by one"
    return ""


def _refused(check: Check, played: Played) -> bool:
    """Return whether the check does not pass at the last event, in neo-code's own words; it holds while its plan is in
    work.
    """
    event = played.events[-1]
    in_work = event.get("plan", {}).get("status", "draft") in ("draft", "approved")
    if event["hook"] != "before_completion" or not in_work:
        return False
    run, path = run_of(played), path_of(check.target)
    match check.kind:
        case "output_only":
            return not str(event.get("answer", "")).strip()
        case "workspace_change":
            return not run.written
        case "command_success":
            return not check.target or not succeeded(run, check.target, check.match)
        case "file_exists":
            return not check.target or path not in run.seen
        case "content_contains":
            matched = {path_of(str(facts["content_match"])) for facts in run.facts if "content_match" in facts}
            return not check.target or path not in matched
        case "tool_fact":
            return not verified(run, check.param("tool").lower(), check.param("scope") or check.target)
        case _:
            return True


def _output_only(page: Page, check: Check) -> None:
    remarks = []
    if check.target:
        remarks = [f"{quoted(check.target)} was never looked at: any answer satisfied this check, and does here."]
    _rule(
        page,
        check,
        check.target or "The run ends with an answer",
        r"answer matches /[^\s\x0b\x{85}\p{Z}]/",
        "assistant output is empty: nobody learns what was done. Say what changed and what is open.",
        ['answer " "', "finish => deny", 'answer "The parser reads dates."', "finish => allow"],
        *remarks,
    )


def _workspace_change(page: Page, check: Check) -> None:
    _rule(
        page,
        check,
        check.target or "Something was changed",
        'wrote("**") since prompted()',
        "missing workspace change evidence: no file was written in this run. Make the change that was asked for.",
        ['prompt "Repair it."', "finish => deny", 'write "src/a.txt"', "finish => allow"],
        *(["its target was never looked at: any path counts"] if check.target else []),
    )


def _command_success(page: Page, check: Check) -> None:
    steps = steps_of(check.target) if check.target else []
    if not steps:
        _never(page, check, "command target is empty")
        return
    if check.match not in _MATCHES:
        page.lack(check.where, check.label, f"the match {quoted(check.match)} is not known; it is read as `contains`")
    for deciding in (item for step in steps for item in step.deciding):
        why = f"{quoted(deciding)} may decide which program runs, so that only runs without it are evidence"
        page.lack(check.where, check.label, why)
    rest = "" if check.match == "exact" else "..."
    remark = "More arguments may follow, as they could there; take `...` away to ask for exactly this command."
    run = f"run {literal(line_of(steps))}"
    tests = ['prompt "Repair it."', "finish => deny", f"{run} exit 1", "finish => deny", f"{run} exit 0"]
    tests += [
        "finish => allow",
        'write "src/a.txt"',
        "finish => deny",
        'given plan.status = "completed"',
        "finish => allow",
    ]
    _rule(
        page,
        check,
        f"{check.target} succeeds",
        " and ".join(f'command_success({step.pattern(rest)}) since wrote("**")' for step in steps),
        f"missing successful command evidence: {quoted(check.target)} has not succeeded since the last change. Run it.",
        tests,
        *([remark] if rest else []),
    )


def _file_exists(page: Page, check: Check) -> None:
    if not check.target:
        _never(page, check, "file target is empty")
        return
    path = _path(check.target)
    tests = ["finish => deny", f'file {path} content "x"', "finish => allow"]
    message = f"missing file existence evidence: there is no {quoted(check.target)}. Create it."
    _rule(page, check, f"{check.target} is there", f"file_exists({path})", message, tests)


def _content_contains(page: Page, check: Check) -> None:
    if not check.target:
        _never(page, check, "content target is empty")
        return
    path, text = _path(check.target), check.param("contains")
    if text:
        message = f"missing content match evidence: {quoted(check.target)} does not hold {quoted(text)}. Add it."
        tests = [f'file {path} content "-"', "finish => deny", f"file {path} content {literal(f'- {text} -')}"]
        tests = [*tests, "finish => allow"] if text != "-" else []
        _rule(page, check, f"{check.target} says so", f"content_contains({path}, {literal(text)})", message, tests)
        return
    message = f"missing content match evidence: nothing has looked into {quoted(check.target)}. Read it and compare."
    _fact(page, check, "content_match", _clean(check.target), message)


def _tool_fact(page: Page, check: Check) -> None:
    tool, scope = check.param("tool").lower(), check.param("scope") or check.target
    message = "missing tool verification fact: no tool has reported that it verified this. Verify it."
    if tool and scope:
        _fact(page, check, "verification", f"{tool}:{scope}", message)
    elif tool:
        _fact(page, check, "verification_tool", tool, message)
    elif scope:
        _fact(page, check, "verification_scope", scope, message)
    else:
        _fact(page, check, "verification", "", message)


def _fact(page: Page, check: Check, name: str, value: str, message: str) -> None:
    """Declare a rule that asks for a fact, of any value if none is given."""
    wanted = f'"{name}", {literal(value)}' if value else f'"{name}"'
    tests = ['prompt "Repair it."', "finish => deny", f"fact {name} = {literal(value or 'any')}", 'read "a.txt"']
    remark = f"The host sends the fact `{name}` with the event of the tool that verified it."
    title = " ".join(filter(None, ("Verified", value)))
    _rule(page, check, title, f"tool_fact({wanted}) since prompted()", message, [*tests, "finish => allow"], remark)


def _unknown(page: Page, check: Check) -> None:
    if not check.kind:
        raise Inexpressible("it has no kind, so that nobody knows what it asks for")
    _never(page, check, "unknown required accept check kind")


def _never(page: Page, check: Check, reason: str) -> None:
    """Declare a check that could not pass: it refuses as it did, and a person is told."""
    page.lack(check.where, check.label, f"{reason}: this check never passed, and the rule always speaks")
    message = f"{reason}: this check cannot pass as it stands. Ask a person to correct it."
    _rule(page, check, "A check that cannot pass", "", message, ["finish => deny"])


def _clean(path: str) -> str:
    """Return a path relative to the workspace. Raises Inexpressible for one that leads out of it."""
    cleaned = posixpath.normpath(path.replace("\\", "/"))
    if cleaned.startswith(("/", "../", "~")) or cleaned == ".." or re.match(r"[A-Za-z]:", cleaned):
        raise Inexpressible("the file is not in the workspace, and predicates look nowhere else")
    return cleaned


def _path(path: str) -> str:
    return literal(_clean(path))


_KINDS: dict[str, Callable[[Page, Check], None]] = {
    "output_only": _output_only,
    "workspace_change": _workspace_change,
    "command_success": _command_success,
    "file_exists": _file_exists,
    "content_contains": _content_contains,
    "tool_fact": _tool_fact,
}

ACCEPT_CHECKS = Migration("accept-checks", "acceptance checks of neo-code: JSON, objects or strings", convert)
