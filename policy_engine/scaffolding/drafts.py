"""Draft rules from instructions to agents in prose: what a sentence plainly forbids or demands, and nothing else.

A sentence becomes a rule only if it names commands or files in code marks and says of them what an event can show.
Every other one gets the reason why not. No model is asked.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from policy_engine.conversion.writing import Inexpressible, literal, visible
from policy_engine.conversion.writing import message as message_text
from policy_engine.history.demands import read_demands
from policy_engine.history.goal import has_command_shape
from policy_engine.model.source import Source
from policy_engine.programs.base import find_program
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file

_NOT = (
    r"(?:never|(?:must|should|shall)(?: not|n['’]t)|may not|do not|don['’]t|avoid|refrain from|under no circumstances"
    r"|(?:forbidden|prohibited|not (?:allowed|permitted)) to)"
)
_DEMAND = re.compile(
    rf"\b(?:{_NOT}|must|should|shall|always|required|forbidden|prohibited|not (?:allowed|permitted))\b", re.IGNORECASE
)
_ORDER = re.compile(
    r"\W*(?:(?:before|after|when)\b[^,`]*,\s*)?(?:please )?(?:run|use|execute|call|prefer|ask)\b", re.IGNORECASE
)
_FORBIDS = re.compile(rf"\b{_NOT}\b(?! (?:forget|fail|hesitate)\b)", re.IGNORECASE)
_LEAD = re.compile(
    r"\W*(?:(do not|don['’]ts?|never|(?:must|should) not|forbidden|prohibited)|always|must|dos?)\W*", re.IGNORECASE
)
_SPAN = re.compile(r"`([^`\n]+)`")
_FILLING = "ever the any a an file files anything folder directory command commands to in of under inside below".split()
_BETWEEN = rf"(?:\s+(?:{'|'.join(_FILLING)}))*\s*"
_SPANS = rf"`[^`]+`(?:(?:\s*,?\s*(?:or|and|nor)\b{_BETWEEN}|\s*[,/]\s*)`[^`]+`)*"
_RUNS = r"(?:(?:run(?:ning)?|us(?:e|ing)|execut(?:e|ing)|call(?:ing)?|invok(?:e|ing)|type)\b" + _BETWEEN + ")?"
_WRITES = (
    r"(?:(?:hand-|manually )?(?:edit(?:ing)?(?: manually)?|modify(?:ing)?|chang(?:e|ing)|touch(?:ing)?|writ(?:e|ing)"
    r"|overwrit(?:e|ing)|updat(?:e|ing)|alter(?:ing)?))\b" + _BETWEEN
)
_READS = r"(?:read(?:ing)?|open(?:ing)?|view(?:ing)?|print(?:ing)?|display(?:ing)?)\b" + _BETWEEN
_FORBIDDEN_COMMAND = re.compile(rf"{_FORBIDS.pattern}\s+(?:ever\s+)?{_RUNS}({_SPANS})", re.IGNORECASE)
_FORBIDDEN_WRITE = re.compile(rf"{_FORBIDS.pattern}\s+(?:ever\s+)?{_WRITES}({_SPANS})", re.IGNORECASE)
_FORBIDDEN_READ = re.compile(rf"{_FORBIDS.pattern}\s+(?:ever\s+)?{_READS}({_SPANS})", re.IGNORECASE)
_DONE = {
    "edited": "edit", "modified": "modify", "changed": "change", "touched": "touch", "written": "write",
    "overwritten": "overwrite", "updated": "update", "altered": "alter", "read": "read", "opened": "open",
    "viewed": "view", "printed": "print", "displayed": "display", "run": "run", "used": "use", "executed": "execute",
    "called": "call", "invoked": "invoke",
}  # fmt: skip
_PASSIVE = re.compile(
    rf"\s*(?:(?:the|all|any|every|files?|everything|anything|in|under|matching)\b\s*)*({_SPANS})(?: (?:files?|folders?"
    rf"|director(?:y|ies)|commands?))? (?:(?:must|should|shall|may)(?: not|n['’]t| never)|can never) (?:ever )?be "
    rf"({'|'.join(_DONE)})\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\b(?:run(?:ning)?|execut(?:e|ing)|invok(?:e|ing))\s+[^`]*$", re.IGNORECASE)
_RIGHTS = frozenset(("sudo", "doas", "pkexec"))  # whatever is done with one of these, it is run
_BEFORE = re.compile(r"\bbefore (?:you |every |each |any |a |the |an )*(commit|push)", re.IGNORECASE)
_MORE = re.compile(
    r"(?:\s|\b(?:by hand|manually|directly|anymore|ever|here|at all|instead)\b)*(?:[.,;:!(–—-]|$)", re.IGNORECASE
)
_INSTEAD = re.compile(r"\W*(?:[^`]*\b(?:instead|use|prefer)\b|.*\binstead\b)", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:unless|except|without|if|when|while|until|before|after|outside|only|for)\b", re.IGNORECASE
)
_FILE = re.compile(r"(?!/|~)[\w.@*-]*(?:/[\w.@*-]+)*/?")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*_\"'(])")


class Reason(enum.Enum):
    """Name why a sentence is no rule."""

    NOTHING = "it names no command and no file in code marks"
    CONDITION = "it holds only under a condition in words, which a person has to write down"
    VERB = "it does not plainly say of what it names that it is run, read or written"
    PERHAPS = "it may as well say how something is done; `Always run …` or `… before you finish` demands it"
    UNSURE = "what it names in code marks is neither a plain command nor files of the workspace"
    FAILED = "the rule that it would be does not pass its own test"


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence and its line, with the rule that it became, or with the reason why it did not."""

    line: int
    sentence: str
    rule: str = ""
    reason: Reason | None = None


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Give each sentence of a Markdown text that demands something, with its line; code blocks are left out.

    A cell of a table is a paragraph; a heading or line that only says "never" leads each item of the list below it.
    """
    held: list[tuple[int, str]] = []
    fenced, lead = False, ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = line.lstrip().startswith(("```", "~~~"))
        begins = _BULLET.match(line)
        if fence or fenced or not line.strip() or begins or line.startswith(("#", "|", ">")):
            for start, sentence in _split(held):
                if _asks(sentence):
                    yield start, sentence.strip()
            held = []
        fenced ^= fence
        if fence or fenced or not line.strip() or line.startswith(">"):
            continue
        leads = _LEAD.fullmatch(line)
        if leads or (not begins and line[:1] not in " \t"):
            lead = ("Do not " if leads[1] else "Always ") if leads else ""
        if line.startswith("|"):
            cells = (_split([(number, cell.strip())]) for cell in line.split("|"))
            yield from (one for cell in cells for one in cell if _asks(one[1]))
        elif not line.startswith("#") and not leads:
            held.append((number, lead + line[begins.end() :] if begins else line.strip()))


def _asks(sentence: str) -> bool:
    """Return whether a sentence demands or forbids something: by its words, or as an order about code."""
    return bool(_DEMAND.search(_SPAN.sub("", sentence)) or (_SPAN.search(sentence) and _ORDER.match(sentence)))


def _split(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Give the sentences of a paragraph, each with the line that it begins on."""
    text = " ".join(line for _, line in lines)
    begin = 0
    for sentence in _END.split(text):
        begin = text.index(sentence, begin)
        before = text[:begin]
        known = 0
        for number, line in lines:
            known += len(line) + 1
            if len(before) < known:
                yield number, sentence
                break
        begin += len(sentence)


def drafts(text: str, source: str, passes: Callable[[str], bool]) -> list[Draft]:
    """Return what the sentences of a Markdown text become.

    Args:
        text: instructions to agents.
        source: the name that the rules call them by.
        passes: tells whether a rule loads and its own test passes.
    """
    taken: set[str] = set()
    found = [_draft(line, sentence, visible(source), taken) for line, sentence in sentences(text)]
    return [replace(one, rule="", reason=Reason.FAILED) if one.rule and not passes(one.rule) else one for one in found]


def _draft(line: int, sentence: str, source: str, taken: set[str]) -> Draft:
    plain = "".join(
        part if part[:1] == "`" else re.sub(r"\*+|(?<!\w)_+|_+(?!\w)", "", part)
        for part in re.split(r"(`[^`]*`)", sentence)
    )
    active = _PASSIVE.sub(lambda said: f"Never {_DONE[said[2].lower()]} {said[1]}", plain, count=1)
    try:
        found = _forbidden(active) if _FORBIDS.search(_SPAN.sub("", active)) else _demanded(plain)
        if isinstance(found, Reason):
            return Draft(line, sentence, reason=found)
        return Draft(line, sentence, _rule(found, plain, source, taken))
    except Inexpressible:
        return Draft(line, sentence, reason=Reason.UNSURE)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The clauses of a rule and the steps of its test; `words` are those that its name is made of."""

    words: str
    clauses: str
    advice: str
    steps: str


def _forbidden(sentence: str) -> _Wanted | Reason:
    if not _SPAN.search(sentence):
        return Reason.NOTHING
    if _CONDITION.search(_SPAN.sub("", sentence)):
        return Reason.CONDITION
    writes = _FORBIDDEN_WRITE.search(sentence)
    reads = None if writes else _FORBIDDEN_READ.search(sentence)
    match = writes or reads or _FORBIDDEN_COMMAND.search(sentence)
    if match is None:
        return Reason.VERB
    rest = sentence[match.end() :]
    if _SPAN.search(rest) and not _INSTEAD.match(rest):
        return Reason.VERB
    names = _SPAN.findall(match[1])
    wanted = _left_alone(names, "write" if writes else "read") if writes or reads else None
    if wanted is None:
        wanted = _no_commands(names, _ALONE.search(sentence[: match.start(1)]) is not None)
    return wanted if isinstance(wanted, Reason) or _MORE.match(rest) else Reason.CONDITION


def _left_alone(names: list[str], access: str) -> _Wanted | Reason:
    """Return a rule against what is done to files, "read" or "write"."""
    if not all(_FILE.fullmatch(name) and ("/" in name or "." in name) and ".." not in name for name in names):
        return Reason.UNSURE
    globs = [f"{name.removeprefix('./')}{'**' if name.endswith('/') else ''}" for name in names]
    globs = [glob if "/" in glob else f"**/{glob}" for glob in globs]
    example = re.sub(r"\*+", "example", globs[0].removeprefix("**/"))
    listed = ", ".join(literal(glob, braces=True) for glob in globs)
    tools, advice = "write, edit", "Leave it as it is, and say why it should change."
    if access == "read":
        tools, advice = "read", "Go on without it, and say what you need from it."
    return _Wanted(
        f"{'keep' if access == 'write' else 'no-read'} {names[0]}",
        f"# what shell lines {access} is left out: `before_tool({tools}, shell)` refuses unknown programs, too\n"
        f"  on before_tool({tools})\n  when any p in paths {{ p matches glob({listed}) }}",
        advice,
        f'    {access} {literal(example)} => deny\n    {access} "some/other.file" => allow\n',
    )


def _no_commands(names: list[str], run: bool) -> _Wanted | Reason:
    """Return a rule against commands; a word alone is one where the sentence is about what is `run`."""

    def is_command(name: str) -> bool:
        return has_command_shape(name) or name in _RIGHTS or (run and find_program(name) is not None)

    if not all(is_command(name) and re.fullmatch(r"[\w ./:=@+-]+", name) for name in names):
        return Reason.UNSURE
    steps = "".join(f"    shell {literal(name + end)} => deny\n" for name in names for end in ("", " a"))
    return _Wanted(
        f"no {names[0]}",
        f"on command {', '.join(names)}",
        "Take another way, or ask a person to run it.",
        f'{steps}    shell "ls" => allow\n',
    )


def _demanded(sentence: str) -> _Wanted | Reason:
    """Read what must be run: the reader is that of a prompt's demands, and knows conditions of its own."""
    words = _SPAN.sub("", sentence)
    if not (_DEMAND.search(words) or re.search(r"\bbefore\b", words, re.IGNORECASE)):
        return Reason.PERHAPS
    asked = read_demands(sentence)
    if asked.commands:
        proofs = [f"command_success(command({literal(name)}))" for name in asked.commands]
        runs = "".join(f"    run {literal(name)} exit 0\n" for name in asked.commands)
        name = asked.commands[0]
    elif asked.tests:
        proofs, runs, name = ["tests_passed()"], '    run "pytest -q" exit 0 output "3 passed in 0.1s"\n', "the tests"
    else:
        return Reason.VERB if _SPAN.search(sentence) else Reason.NOTHING
    required = " and ".join(f'{proof} since wrote(glob("**"))' for proof in proofs)
    before = _BEFORE.search(sentence)
    point, step = "before_completion", "finish"
    if before is not None:
        point, step = f"command git {before[1].lower()}", f'shell "git {before[1].lower()}"'
    return _Wanted(
        f"run {name}",
        f'on {point}\n  when wrote(glob("**"))\n  require {required}',
        "Run it after the last change, and repair what it finds.",
        f'    write "a.txt"\n    {step} => deny\n{runs}    {step} => allow\n',
    )


def _rule(wanted: _Wanted, sentence: str, source: str, taken: set[str]) -> str:
    name = first = re.sub(r"[^a-z0-9]+", "-", wanted.words.lower()).strip("-")[:40].strip("-")
    number = 1
    while name in taken:
        number += 1
        name = f"{first}-{number}"
    taken.add(name)
    said = sentence.rstrip(".!")
    return (
        f"rule {name} {message_text(said)} {{\n  {wanted.clauses}\n"
        f"  deny {message_text(f'{source} says: {said}. {wanted.advice}')}\n\n  test {{\n{wanted.steps}  }}\n}}\n"
    )


def document(drafts: list[Draft], source: str) -> str:
    """Return a policy with the rules, each below its sentence, and with the reasons as comments."""
    source = visible(source)
    parts = [f"language 1\n\n# Drafted from {source} by `policy draft`: read each rule before it is in force.\n"]
    for one in drafts:
        reason = f"# Cannot be checked, because {one.reason.value}.\n" if one.reason is not None else ""
        parts.append(f"# {source}:{one.line}: {visible(one.sentence)}\n{reason}{one.rule}")
    tree, _ = parse(Source(source, "\n".join(parts)))
    return format_file(tree)
