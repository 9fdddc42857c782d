"""Word a decision for a terminal and a model; `Answer` carries the result.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.decision import MOST_CAUSES, PERHAPS, causes_of, could_not_be_decided, open_rules, said_of_open
from policy_engine.model.points import COMPLETIONS
from policy_engine.state.places import REPOSITORY_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.decision import Decision, RuleResult
    from policy_engine.model.event import Event

REFUSING = frozenset(("ask", "deny", "stop"))
ASK_CHARS = 400  # of what a person reads in a permission dialog, however many rules ask
REFUSAL_CHARS = 800  # of what an agent is told by one decision; `policy why` has the rest
# Closes the reason of a refused completion where the host hands it on as if a person had said it.
CONTINUED = "[policy engine: not done yet]"
NOBODY = "This needs a person's approval, and nobody can be asked here. "
_MORE_CHARS = 60  # kept free for the line that says how many rules are left out
_CODE_CHARS = 80  # of what stands in backticks, where the whole is too long

# What to write instead, by words of the reason; the first line that fits counts.
_INSTEAD = (
    (("larger than READ_BYTES", "larger than SEARCH_BYTES"),
     "Make the file smaller or delete it; else a person sets the rule aside with `waive`."),
    (("did not send", "was not sent"), "This coding agent does not report it: `policy check --host` lists such rules."),
    (("is lost", "happened before is not known", "is not available", "cannot be placed"), "Do again what the rules ask for."),
    (("not trusted",), "A person can allow it with `policy trust`."),
    (("option", "takes a value", "lacks its value"), "Leave out what is not modelled, or spell it as its manual does."),
    (("` holds is not known",), "Unpack it below a folder of its own, as `tar -C` and `unzip -d` do."),
    (("stands for", "every word of"), "Write the value itself in place of the variable, pattern or list that is read."),
    (("which program", "which subcommand", "which module", "starts is", "shell runs", "given to run", "runs is"),
     "Write literally which program runs, with its arguments."),
    (("files lie below",), "Name a smaller folder."),
    (("on another machine",), "A person agrees to what runs there, or runs it."),
    (("not closed", "not understood", "nested", "more than", "too long", "longer than"),
     "Write it as simpler lines, one call each."),
)  # fmt: skip
_LITERALLY = "Write it so that the line itself says what it does."


class Answer:
    """The output of the hook process: bytes for standard output, bytes for standard error, and its exit status."""

    __slots__ = ("stdout", "stderr", "exit_code")

    def __init__(self, stdout: bytes = b"", stderr: bytes = b"", exit_code: int = 0) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.exit_code = exit_code


def status_denies(_native: str, answer: Answer) -> bool:
    """The simplest reading: status 2 and a reason on standard error."""
    return answer.exit_code == 2 and bool(answer.stderr.strip())


class Capability:
    """The effect of an answer to one native event of a host.

    `point` is the canonical lifecycle point; `gate` says that the host can still refuse, so that a failure of the
    engine refuses too; `enforces` are the verdicts that take full effect there, measured; others are only shown.
    `remind` among them says that text can reach the model without forcing it on. `form` says in words of the host's
    protocol what its answer may hold (protocol/reply.py); `asks` among them that the host itself refuses what nobody
    is there to answer, so that it may be asked without knowing.
    """

    __slots__ = ("point", "gate", "enforces", "form")

    def __init__(self, point: str, gate: bool, enforces: str, form: str = "") -> None:
        self.point = point
        self.gate = gate
        self.enforces = frozenset(enforces.split())
        self.form = frozenset(form.split())


class Settled:
    """A decision as a host can take it: `verdict`, why it `refuses`, what the model is `told`, a person `shown`."""

    __slots__ = ("verdict", "refusal", "context", "shown")

    def __init__(self, verdict: str, refusal: str, context: str, shown: str) -> None:
        self.verdict = verdict
        self.refusal = refusal
        self.context = context
        self.shown = shown


def settle(decision: Decision, capability: Capability, event: Event | None) -> Settled:
    """Return what of a decision takes effect; the rest is shown. `ask` is a refusal where nobody is there."""
    verdict, refusal = decision.verdict, ""
    nobody = verdict == "ask" and not askable(capability, event)
    context, shown = reason(decision, frozenset(("remind",))), reason(decision, frozenset(("warn",)))
    if verdict in REFUSING:
        refusal = refusal_of(decision, asked=verdict == "ask" and not nobody, nobody=nobody)
        verdict = "deny" if nobody else verdict
    if "remind" not in capability.enforces:
        context, shown = "", paragraphs(context, shown)
    if refusal and verdict not in capability.enforces and not capability.gate:
        context = paragraphs(refusal, context) if "remind" in capability.enforces else ""
        shown = paragraphs(refusal, shown)
    return Settled(verdict, refusal, context, shown)


def askable(capability: Capability, event: Event | None) -> bool:
    """Return whether a person is there whom the host asks."""
    if event is None or "ask" not in capability.enforces:
        return False
    return event.host_interactive is True or ("asks" in capability.form and event.host_interactive is None)


def paragraphs(*parts: str) -> str:
    """The parts that are not empty, one below the other."""
    return "\n".join(part for part in parts if part)


def visible(text: str) -> str:
    """`text` with every character that a terminal or reader would obey (controls, bidi, zero-width) escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode("ascii") for char in text
    )


def refusal_of(decision: Decision, asked: bool, nobody: bool) -> str:
    """Return why a decision refuses: for the dialog of a person who is `asked`, else for the agent.

    `nobody` says that a person should have been asked and cannot be. There is room left for the mark CONTINUED.
    """
    before = NOBODY if nobody else ""
    size = ASK_CHARS if asked else REFUSAL_CHARS - len(before) - len(CONTINUED) - 1
    return before + (reason(decision, REFUSING, size) or f"Policy says {decision.verdict}.")


def reason(decision: Decision, verdicts: frozenset[str], most: int = REFUSAL_CHARS) -> str:
    """Return what the rules with one of `verdicts` say in at most so many characters; empty if none spoke.

    The strictest come first, one paragraph each. Rules that could not be decided are folded into one paragraph.
    """
    rules = [rule for rule in decision.rules if rule.verdict in verdicts]
    folded = open_rules(rules)
    messages: list[tuple[str, int]] = []  # with the number of rules that each is about
    for rule in rules:
        if rule not in folded:
            messages.append((explain(rule), 1))
        elif rule is folded[0]:
            messages.append((_fold(folded), len(folded)))
            if decision.hook in COMPLETIONS:  # what is to be done next is in the words of each rule
                messages += [(_plain_message(each), 0) for each in folded]
    return _fitted([(visible(text), about) for text, about in messages], most)


def _fold(rules: list[RuleResult]) -> str:
    """Return one paragraph for rules that are undecided: what is not known, what depends on it, what to write."""
    advice = " ".join(dict.fromkeys(_instead(cause) for cause in causes_of(rules)[:MOST_CAUSES]))
    return f"{said_of_open(rules)} {advice} `policy why` shows each."


def _instead(cause: str) -> str:
    return next((advice for words, advice in _INSTEAD if any(word in cause for word in words)), _LITERALLY)


def _plain_message(rule: RuleResult) -> str:
    """Return the rule's own words, without the reasons that stand before them."""
    return f"{rule.message.removeprefix(could_not_be_decided(rule.undecided)).removeprefix(PERHAPS)} [{rule.rule}]"


def explain(rule: RuleResult) -> str:
    """Return one rule's word: what failed, why and what to do next, as its author says it, and where it stands."""
    text = rule.message or f"The rule `{rule.rule}` says {rule.verdict}."
    _, folder, place = rule.at.rpartition(f"/{REPOSITORY_FOLDER}/")
    at = f"{REPOSITORY_FOLDER}/{place}" if folder else rule.at  # from the repository, not from the machine's root
    return f"{text} [{rule.rule}{', ' if at else ''}{at}]"


def _fitted(parts: list[tuple[str, int]], most: int) -> str:
    """Return the paragraphs that fit; what is left out is counted, and long code is cut before words are."""
    whole = "\n".join(text for text, _ in parts)
    if len(whole) <= most:
        return whole
    kept: list[str] = []
    room = most - _MORE_CHARS if len(parts) > 1 else most
    left = sum(about for _, about in parts)
    for text, about in parts:
        short = _short_code(text)
        if kept and len(short) + 1 > room:
            break
        kept.append(short if len(short) <= room else f"{short[: room - 1]}…")
        room -= len(kept[-1]) + 1
        left -= about
    if left:
        kept.append(f"… and {left} more rule{'s' if left > 1 else ''}; `policy why` shows each.")
    return "\n".join(kept)


def _short_code(text: str) -> str:
    """Return the text with long passages in backticks cut."""
    parts = text.split("`")
    for place in range(1, len(parts) - 1, 2):
        code = parts[place]
        parts[place] = code if len(code) <= _CODE_CHARS else f"{code[: _CODE_CHARS - 1]}…"
    return "`".join(parts)
