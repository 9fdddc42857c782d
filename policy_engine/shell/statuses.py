"""Work out which commands of a script its exit status 0 proves, where statuses are kept, tested and given back.

`pytest; rc=$?; echo done; exit $rc`, `[ $rc -eq 0 ] || exit 1`, `for p in a b; do (cd $p && pytest) || exit 1; done`,
`pytest & pid=$!; wait $pid`, `if pytest; then echo PASS; else echo FAIL; fi` where what it printed is known.
Every way through the script is followed. Of each status, and each variable that holds one, is known which commands have
succeeded if it is 0, and which if it is not. A fact is a command with a depth: 0 is the round at hand of the loops
around it, else all earlier rounds of the loop that is so deep. What is not followed (functions, traps, `eval`) proves
nothing. Imported when a line ran tests.
"""

from __future__ import annotations

import re

from policy_engine.shell import tree
from policy_engine.shell.script_words import gives_value, is_word, nodes, plain
from policy_engine.shell.shown_lines import has_end, has_line, line_of, shows_zero, visible
from policy_engine.shell.status_facts import (
    ANY,
    FILE,
    NONE,
    NOT_ZERO,
    ZERO,
    State,
    Status,
    UnfollowedError,
    branch,
    joined,
)
from policy_engine.shell.tree import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from policy_engine.shell.status_facts import Known

_NAME = re.compile(
    r"(?!(?:pipestatus|argv|path)$)[a-z]\w*"
    r"|(?:[A-Z]+_)?(?:RC|RET|CODE|STATUS|EXIT|EXIT_?CODE|RESULT|FAIL|FAILED|ERR|PID)\d?"
)
"""Names of variables to which no shell gives a meaning, or values."""
_UNFOLLOWED = frozenset(
    (
        "eval exec source . trap alias unalias shopt setopt unsetopt emulate return builtin command coproc enable local"
        " declare typeset readonly integer float logout bye function noglob nocorrect - repeat"
    ).split()
)
_HANDLED = frozenset("export exit break continue set true : false test [".split())
_ASSIGNING = frozenset("read unset printf mapfile readarray getopts let vared wait".split())
_READ = re.compile(r"(\"?)\$(?:(\w+|\?)|\{(\w+|\?)(?::?-\d*)?\})\1")
_LAST_STARTED = re.compile(r"(\"?)\$(?:!|\{!\})\1")
_OF_PIPE = re.compile(r"(\"?)\$\{PIPESTATUS\[0\]\}\1")
_UNION = re.compile(r"\$\(\(\s*((?:\w+|\$\w+|\$\?)(?:\s*\|\|?\s*(?:\w+|\$\w+|\$\?))*)\s*\)\)")
_COMPARED = re.compile(r"\(\(\s*(!?)\s*\$?([A-Za-z]\w*)\s*(?:(==|!=|>)\s*0\s*)?\)\)")
_EQUAL, _OTHER = ("-eq", "=", "=="), ("-ne", "!=", "-gt")
_MOST_LINES = 20  # that are told apart
_LINE = "\0line "
"""Before a line: what stands in the place of a variable that is 0 until the line is printed."""
_READERS = frozenset("cat tail head grep echo printf wc ls".split())
_MOST_STEPS = 5_000  # loops within loops are followed several times each
_OPTIONS = re.compile(r"([-+])([eux]*)(o?)")


def proven(script: tree.Sequence, printed: str = "") -> dict[int, Node]:
    """Return the simple commands that ran, and succeeded each time that they did, if the script ends with status 0.

    `printed` is all that it printed: statuses that it shows (`echo "exit: $?"`) prove as much, and so do lines that it
    prints on one of two ways.
    """
    try:
        parts = list(nodes(script))
        if any(map(gives_value, parts)):
            return {}
        reader = _Reader(list(visible(script)) if printed else [])
        reader.substitutes = any(type(part) is tree.Substitution for part in parts)
        end = reader.shell(script.items, reader.begin(), False)
    except (UnfollowedError, RecursionError):
        return {}
    facts = end.proved()
    if facts is None:
        return {}
    facts = facts.union(
        *(shown for place, line, shown in reader.shown if (place, 0) in facts and shows_zero(line, printed)),
        *reader.chosen(end, printed),
    )
    return {number: node for number, node in reader.nodes.items() if (number, 0) in facts}


class _Reader:
    """The ways through one script."""

    def __init__(self, lines: Sequence[tree.Simple]) -> None:
        self.nodes: dict[int, Node] = {}
        # the commands that print where all can see it, with the lines of those that print one
        self.lines = {id(node): None if node.redirections else line_of(node) for node in lines}
        said = {"".join(line) for line in self.lines.values() if line and all(type(part) is str for part in line)}
        self.said = said if len(said) <= _MOST_LINES else set()
        self.substitutes = False
        self.shown: list[tuple[int, tuple[str, str], Known]] = []  # by what command, before and behind the status
        self.exits: list[list[State]] = []  # of the subshells around the place at hand
        self.loops: list[tuple[set[int], list[State], list[State]]] = []  # commands, ways out, ways to the next round
        self.depth = self.steps = 0
        self.commands: dict[int, set[int]] = {}  # of the loops that were met

    def begin(self) -> State:
        """The state before the first command: no line was printed."""
        state = State()
        state.values = {f"{_LINE}{text}": ZERO for text in self.said}
        return state

    def chosen(self, end: State, printed: str) -> Iterator[Known]:
        """Yield what follows from lines that were printed where others would have been."""
        lines = {text: end.values.get(f"{_LINE}{text}", ANY) for text in self.said if text.strip()}
        for text, value in lines.items():
            for other, absent in lines.items():
                if other != text and value.if_not and absent.if_zero and has_line(text, printed):
                    if not has_end(other, printed):
                        yield value.if_not & absent.if_zero

    # ---- lists -------------------------------------------------------------------------------------------------------

    def shell(self, items: Sequence[Any], state: State, guarded: bool) -> State:
        """The end of a shell of its own, which may be left in several places."""
        outer, self.loops = self.loops, []
        self.exits.append([])
        end = self.sequence(items, state, guarded)
        self.loops = outer
        for one in self.exits.pop():
            end = joined(end, one)
        if end is None:
            raise UnfollowedError
        return end.ended(Status(end.status.if_zero, NONE, "", True, False))  # an error may end it, too

    def sequence(self, items: Sequence[Any], state: State, guarded: bool) -> State | None:
        end: State | None = state
        for node, background in items:
            if end is None:
                return None
            end = self.start(node, end) if background else self.command(node, end, guarded)
        return end

    def start(self, node: Any, state: State) -> State:
        """A command in the background, whose status is known to who waits for it."""
        inner = self.shell(((node, False),), state, True)
        end = state.ended(ZERO)
        end.forget_files()
        end.started[""] = Status(inner.proved(), NONE, "", True, False)
        return end

    def command(self, node: Any, state: State, guarded: bool) -> State | None:
        """Follow one command; `guarded`: `set -e` does not end the script here."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise UnfollowedError
        match node:
            case tree.AndOr():
                return self.and_or(node, state, guarded)
            case tree.Pipeline():
                negated = node.keywords.count("!") % 2 == 1
                end = self.pipeline(node, state, guarded or negated)
                if negated:
                    return None if end is None else end.ended(end.status.negated())
            case tree.Simple():
                end = self.simple(node, state)
            case tree.Compound():
                end = self.compound(node, state, guarded)
                if node.redirections:
                    end = joined(end, state.ended(NOT_ZERO))
                    if end is not None:
                        end.forget_files()
                if not isinstance(node, (tree.Test, tree.ArithmeticCommand)) and not getattr(node, "subshell", False):
                    return end
            case _:
                raise UnfollowedError
        if end is None or guarded or not end.errexit:
            return end
        self.exit(branch(end, False))
        return branch(end, True)

    def and_or(self, node: tree.AndOr, state: State, guarded: bool) -> State | None:
        last = len(node.items) - 1
        good: State | None = None
        bad: State | None = None
        for number, (operator, part) in enumerate(node.items):
            start = {"": state, "&&": good, "||": bad}[operator]
            end = None if start is None else self.command(part, start, guarded or number < last)
            good = joined(good if operator == "||" else None, branch(end, True))
            bad = joined(bad if operator == "&&" else None, branch(end, False))
        return joined(good, bad)

    def pipeline(self, node: tree.Pipeline, state: State, guarded: bool) -> State | None:
        if len(node.commands) == 1:
            return self.command(node.commands[0], state, guarded)
        last = node.commands[-1] if node.commands else None
        if type(last) is not tree.Simple or not last.words or plain(last.words[0]) in _HANDLED | _ASSIGNING:
            raise UnfollowedError  # zsh runs it in this shell
        ends = [self.shell(((part, False),), state, guarded) for part in node.commands]
        facts = [one.proved() for one in (ends if state.pipefail else ends[-1:])]
        known = [one for one in facts if one is not None]
        zero = None if len(known) < len(facts) else NONE.union(*known)
        end = state.ended(Status(zero, NONE, "", True, False))
        end.forget_files()
        end.pipe = Status(ends[0].proved(), NONE, "", True, True)
        return end

    # ---- compound commands -------------------------------------------------------------------------------------------

    def compound(self, node: tree.Compound, state: State, guarded: bool) -> State | None:
        match node:
            case tree.Group(subshell=True):
                inner = self.shell(node.body.items, state, guarded)
                end = state.ended(inner.status)
                end.forget_files()
                end.sure = inner.sure
                return end
            case tree.Group():
                return self.sequence(node.body.items, state, guarded)
            case tree.If():
                return self.branches(node, state, guarded)
            case tree.For(select=False):
                begun = state.ended(ANY)
                begun.values.pop(node.name, None)
                begun.started.pop(node.name, None)
                return self.loop(None, node.body, begun, guarded, any(map(is_word, node.words or ())))
            case tree.While():
                return self.loop(node.condition, node.body, state, guarded, False)
            case tree.Case():
                return self.case(node, state, guarded)
            case tree.Test():
                return state.ended(
                    _test([one if isinstance(one, str) else one.text for one in node.items], state, True)
                )
            case tree.ArithmeticCommand():
                match_ = _COMPARED.fullmatch(node.text)
                value = state.values.get(match_[2], ANY) if match_ is not None else ANY
                if match_ is None or value.weak or (match_[1] and match_[3]):
                    return state.ended(ANY)
                is_equal = match_[3] == "==" or bool(match_[1])
                return state.ended(value.named(match_[2]) if is_equal else value.named(match_[2]).negated())
        raise UnfollowedError

    def branches(self, node: tree.If, state: State, guarded: bool) -> State | None:
        end: State | None = None
        going: State | None = state
        for condition, body in node.branches:
            going = None if going is None else self.sequence(condition.items, going, True)
            taken = branch(going, True)
            end = joined(end, None if taken is None else self.sequence(body.items, taken, guarded))
            going = branch(going, False)
        if going is not None:
            other = node.otherwise
            going = going.ended(ZERO) if other is None else self.sequence(other.items, going, guarded)
        return joined(end, going)

    def case(self, node: tree.Case, state: State, guarded: bool) -> State | None:
        end: State | None = state.ended(ZERO)
        before: State | None = None
        for _, body in node.clauses:
            start = joined(state.ended(ANY), before)
            before = None if start is None else self.sequence(body.items, start, guarded)
            end = joined(end, before)
        return end

    def loop(
        self, condition: tree.Sequence | None, body: tree.Sequence, state: State, guarded: bool, runs: bool
    ) -> State | None:
        """A loop: what holds before every round, then behind the last; `runs`: there is a round."""
        own = self.commands.get(id(body))
        if own is None:
            parts = (condition, body) if condition else (body,)
            own = self.commands[id(body)] = {id(node) for node in nodes(parts) if type(node) is tree.Simple}
        self.depth += 1
        depth = self.depth
        before = frozenset((number, depth) for number in own)
        now = frozenset((number, 0) for number in own)

        def folded(facts: Known) -> Known:
            return frozenset(one for one in facts - now if one[1] != depth or (one[0], 0) in facts)

        def over(facts: Known) -> Known:
            return frozenset((one[0], 0) if one[1] == depth else one for one in facts)

        def dropped(facts: Known) -> Known:
            return facts - now - before

        head = state.each(lambda facts: facts - now | before)
        while True:
            left: list[State] = []
            again: list[State] = []
            self.loops.append((own, left, again))
            asked = head if condition is None else self.sequence(condition.items, head, True)
            end = None if asked is None else self.sequence(body.items, asked.ended(ANY), guarded)
            self.loops.pop()
            for one in again:
                end = joined(end, one)
            behind = None if end is None else end.each(folded)
            following = joined(head, behind)
            if following is None or following.facts() == head.facts():
                break
            head = following
        self.depth -= 1
        result = None if behind is None or not runs else behind.each(over)
        none = state if condition is None else asked
        for one in (*left, *(() if runs or none is None else (none.ended(ANY), *([behind] if behind else ())))):
            result = joined(result, one.each(dropped))
        return result

    # ---- simple commands ---------------------------------------------------------------------------------------------

    def simple(self, node: tree.Simple, state: State) -> State | None:
        if not node.words:
            self.refuse_redirections(node)
            return self.assign(node.assignments, state)
        name, words = plain(node.words[0]), node.words[1:]
        if name is None or name in _UNFOLLOWED:
            raise UnfollowedError
        if name in _HANDLED:
            self.refuse_redirections(node)
            if node.assignments:
                raise UnfollowedError
            return self.builtin(name, words, state)
        if name == "wait" and len(words) == 1 and not node.redirections and not node.assignments:
            status = state.started.get(_started(words[0].text))
            if status is not None:
                return state.ended(status)
        made = state.ended(Status(frozenset({(id(node), 0)}), NONE, "", True, False))
        if name in _ASSIGNING and not (name == "printf" and line_of(node)):
            made.values.clear()
            made.started = {"": made.started[""]} if "" in made.started else {}
        if name not in _READERS or node.redirections:
            made.forget_files()
        if name in ("echo", "printf", "cat"):
            self.show(name, node, state, made)
        self.nodes[id(node)] = node
        return made

    def builtin(self, name: str, words: Sequence[Any], state: State) -> State | None:
        texts = [word.text for word in words]
        match name:
            case "exit":
                if len(words) > 1:
                    raise UnfollowedError
                end = state.ended(_value(texts[0] if words else "$?", state, False))
                self.exit(end)
                return None
            case "break" | "continue":
                if words or not self.loops:
                    raise UnfollowedError
                _, left, again = self.loops[-1]
                (left if name == "break" else again).append(state.ended(ZERO))
                return None
            case "test" | "[":
                return state.ended(_test(texts[: len(texts) - (name == "[")], state, False))
            case "export":
                if any(type(word) is not tree.Assignment and plain(word) in (None, "-n", "-f") for word in words):
                    raise UnfollowedError
                given = [word for word in words if type(word) is tree.Assignment]
                end = self.assign(given, state)
                return end.ended(ZERO if end.status.if_not is None else ANY)
            case "set":
                return _set(words, state)
        return state.ended(NOT_ZERO if name == "false" else ZERO)

    def show(self, name: str, node: tree.Simple, state: State, made: State) -> None:
        """Note the status that a command prints, or keeps in a file, and what of the script follows if that is 0."""
        seen = id(node) in self.lines and not node.redirections
        if name == "cat":
            files = [plain(word) for word in node.words[1:]] if seen else []
            for file in files:
                self.note_shown(node, ("", ""), state.values.get(f"{FILE}{file}", ANY), state, made)
            return
        line = line_of(node) or []
        places = [number for number, part in enumerate(line) if type(part) is not str]
        if seen and line and not places:
            made.sure |= {(id(node), 0)}
            text = "".join(line)
            if text in self.said:
                made.values[f"{_LINE}{text}"] = NOT_ZERO
        if len(places) != 1:
            return
        value = line[places[0]]
        text = f"${value.name}" if isinstance(value, tree.Parameter) else getattr(value, "text", "")
        status = _value(text, state, True)
        if seen:
            self.note_shown(node, ("".join(line[: places[0]]), "".join(line[places[0] + 1 :])), status, state, made)
        elif len(line) == 1 and len(node.redirections) == 1 and node.redirections[0].operator == ">":
            file = plain(node.redirections[0].target)
            if file is not None and not self.substitutes and node.redirections[0].number in ("", "1"):
                made.values[f"{FILE}{file}"] = status.named("")

    def note_shown(self, node: tree.Simple, line: tuple[str, str], status: Status, state: State, made: State) -> None:
        if status.if_zero:
            made.sure |= {(id(node), 0)}
            self.shown.append((id(node), line, state.sure | status.if_zero))

    def exit(self, state: State | None) -> None:
        """The shell ends, in the midst of its loops: of their commands only this round is known."""
        around: set[int] = set().union(*(own for own, _, _ in self.loops))
        if state is not None:
            self.exits[-1].append(state.each(lambda facts: frozenset(one for one in facts if one[0] not in around)))

    def assign(self, assignments: Sequence[tree.Assignment], state: State) -> State:
        end = state.ended(ZERO)
        for one in assignments:
            value = ANY
            if not one.appends and one.subscript is None and one.elements is None:
                text = one.text.partition("=")[2]
                inner = one.value[0] if len(one.value) == 1 else None
                if type(inner) is tree.Substitution and inner.form in ("$(", "`"):
                    begun = state.ended(state.status)
                    begun.errexit = False
                    ended = self.shell(inner.body.items, begun, False)
                    end = end.ended(ended.status)
                    end.sure = end.sure | ended.sure
                elif any(type(part) is tree.Substitution for part in nodes(one.value)):
                    end = end.ended(ANY)
                else:
                    value = _value(text, state, True)
            end.values.pop(one.name, None)
            end.started.pop(one.name, None)
            latest = end.started.get("")
            if latest is not None and _NAME.fullmatch(one.name) and not one.appends and one.subscript is None:
                if _LAST_STARTED.fullmatch(one.text.partition("=")[2]):
                    end.started[one.name] = latest
            if value is not ANY and _NAME.fullmatch(one.name):
                end.values[one.name] = value.named("")
        return end

    def refuse_redirections(self, node: tree.Simple) -> None:
        """Raise where a file may not be opened: what the shell itself should do is then not done."""
        if any(one.target.text != "/dev/null" and "&" not in one.operator for one in node.redirections):
            raise UnfollowedError


# ---- words -----------------------------------------------------------------------------------------------------------


def _started(text: str) -> str:
    """Return the variable with the number of what was started, "" for the latest; no name for another word."""
    if _LAST_STARTED.fullmatch(text):
        return ""
    match = _READ.fullmatch(text)
    return (match[2] or match[3]) if match else "?"


def _value(text: str, state: State, weak: bool) -> Status:
    """Return what is known of the number that a word is; `weak`: where it may be empty, too."""
    if text == "0":
        return ZERO
    if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 3:
        return NOT_ZERO
    if match := _READ.fullmatch(text):
        name = match[2] or match[3]
        if name == "?":
            return Status(state.status.if_zero, state.status.if_not, "", True, False)
        found = state.values.get(name, ANY).named(name)
        return found if weak or not found.weak else ANY
    if weak and _OF_PIPE.fullmatch(text):
        return state.pipe or ANY
    if match := _UNION.fullmatch(text):
        names = re.findall(r"\w+|\?", match[1])
        parts = [state.status if name == "?" else state.values.get(name, ANY) for name in names]
        known = [one.if_zero for one in parts if one.if_zero is not None]
        if not any(one.weak for one in parts):
            return Status(NONE.union(*known) if len(known) == len(parts) else None, NONE, "", True, False)
    return ANY


def _test(words: list[str], state: State, double: bool) -> Status:
    """The status of `[ $rc -eq 0 ]`."""
    if words[:1] == ["!"]:
        inner = _test(words[1:], state, double)
        return ANY if inner.weak else inner.negated()
    if len(words) != 3 or words[1] not in _EQUAL + _OTHER or words[2].strip("\"'") != "0":
        return ANY
    value = _value(words[0], state, not double)
    if value.weak or (words[1] == "==" and not double):
        return Status(value.if_zero if words[1] in _EQUAL else NONE, NONE, "", True, True)
    return value if words[1] in _EQUAL else value.negated()


def _set(words: Sequence[Any], state: State) -> State:
    """`set -euo pipefail`."""
    end, rest = state.ended(ZERO), [plain(word) for word in words]
    while rest:
        match = _OPTIONS.fullmatch(rest.pop(0) or "")
        option = (rest.pop(0) if rest else None) if match is not None and match[3] else ""
        if match is None or option not in ("", "pipefail", "errexit", "nounset", "xtrace"):
            raise UnfollowedError
        on = match[1] == "-"
        if "e" in match[2] or option == "errexit":
            end.errexit = on
        if option == "pipefail":
            end.pipefail = on
    return end
