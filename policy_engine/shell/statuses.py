"""Work out which commands of a script its exit status 0 proves, where statuses are kept, tested and given back.

`pytest; rc=$?; echo done; exit $rc`, `[ $rc -eq 0 ] || exit 1`, `for p in a b; do (cd $p && pytest) || exit 1; done`,
`pytest & pid=$!; wait $pid`.
Every way through the script is followed. Of each status, and each variable that holds one, is known which commands have
succeeded if it is 0, and which if it is not. A fact is a command with a depth: 0 is the round at hand of the loops
around it, else all earlier rounds of the loop that is so deep. What is not followed (functions, traps, `eval`) proves
nothing. Imported when a line ran tests.
"""

from __future__ import annotations

import re

from policy_engine.shell import tree
from policy_engine.shell.script_words import gives_value, is_word, nodes, plain
from policy_engine.shell.tree import Node, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Known = frozenset[tuple[int, int]]
    Facts = Known | None
    """None: it cannot be so, and everything follows."""

_NONE: Known = frozenset()
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
_BLANK = tree.Text(" ", True)
_MOST_STEPS = 5_000  # loops within loops are followed several times each
_OPTIONS = re.compile(r"([-+])([eux]*)(o?)")


class _UnfollowedError(Exception):
    """Something in the script is not followed."""


class Status(Value):
    """A number that the facts `if_zero` follow from where it is 0, and `if_not` where it is not.

    `name`: a variable that is 0 where this is, or, without `same`, where it is not. `weak`: where another shell reads
    the line, it may be empty.
    """

    if_zero: Facts
    if_not: Facts
    name: str
    same: bool
    weak: bool

    def negated(self) -> Status:
        return Status(self.if_not, self.if_zero, self.name, not self.same, self.weak)

    def named(self, name: str) -> Status:
        return Status(self.if_zero, self.if_not, name, True, self.weak)


_ANY = Status(_NONE, _NONE, "", True, False)
_ZERO = Status(_NONE, None, "", True, False)
_NOT_ZERO = Status(None, _NONE, "", True, False)


class _State:
    """The state of one place in the script: the commands that succeeded for `sure`, `$?`, and variables.

    `started`: the status of what runs in the background, by the variable with its number, "" for the latest.
    """

    __slots__ = ("sure", "status", "values", "started", "pipe", "errexit", "pipefail")

    def __init__(self) -> None:
        self.sure = _NONE
        self.status = _ANY
        self.values: dict[str, Status] = {}
        self.started: dict[str, Status] = {}
        self.pipe: Status | None = None  # of the first command of the pipeline right before
        self.errexit = self.pipefail = False

    def ended(self, status: Status) -> _State:
        """The state behind a command that changes nothing and ends so."""
        made = _State.__new__(_State)
        for name in _State.__slots__:
            setattr(made, name, getattr(self, name))
        made.values, made.started = dict(self.values), dict(self.started)
        made.status, made.pipe = status, None
        return made

    def proved(self) -> Facts:
        """The facts if the shell ends here with status 0."""
        return None if self.status.if_zero is None else self.sure | self.status.if_zero

    def each(self, change: Callable[[Known], Known]) -> _State:
        """The state with other facts in the place of those that it has, or follow from it."""

        def changed(one: Status) -> Status:
            zero, other = (None if facts is None else change(self.sure | facts) for facts in (one.if_zero, one.if_not))
            return Status(zero, other, one.name, one.same, one.weak)

        made = self.ended(changed(self.status))
        made.values = {name: changed(value) for name, value in self.values.items()}
        made.sure = change(self.sure)
        made.started = {}  # of which round it would be is not followed
        return made

    def facts(self) -> Any:
        """Return all that differs from another state where more or less is known."""
        values = {name: (one.if_zero, one.if_not) for name, one in (*self.values.items(), ("?", self.status))}
        return self.sure, self.errexit, self.pipefail, values


def _joined(one: _State | None, other: _State | None) -> _State | None:
    """Return what is known where the script comes one way or the other; None is a way that nothing takes."""
    if one is None or other is None:
        return other if one is None else one

    def meet(first: Facts, second: Facts) -> Facts:
        if first is None or second is None:
            return (
                None if first is second else other.sure | second if second is not None else one.sure | (first or _NONE)
            )
        return (one.sure | first) & (other.sure | second)

    def either(left: Status, right: Status) -> Status:
        name = left.name if (left.name, left.same) == (right.name, right.same) else ""
        facts = meet(left.if_zero, right.if_zero), meet(left.if_not, right.if_not)
        return Status(*facts, name, left.same, left.weak or right.weak)

    if one.errexit != other.errexit:
        raise _UnfollowedError
    made = one.ended(either(one.status, other.status))
    made.values = {name: either(one.values[name], other.values[name]) for name in one.values if name in other.values}
    made.started = {name: status for name, status in one.started.items() if other.started.get(name) is status}
    made.sure = one.sure & other.sure
    made.pipefail = one.pipefail and other.pipefail
    return made


def _branch(state: _State | None, is_zero: bool) -> _State | None:
    """The way that is taken if the status at hand is 0, or is not."""
    if state is None:
        return None
    status = state.status
    facts = status.if_zero if is_zero else status.if_not
    if facts is None:
        return None
    made = state.ended(_ZERO if is_zero else _NOT_ZERO)
    made.sure = state.sure | facts
    made.pipe = state.pipe
    if status.name in made.values:
        made.values[status.name] = _ZERO if is_zero == status.same else _NOT_ZERO
    return made


def proven(script: tree.Sequence, printed: str = "") -> dict[int, Node]:
    """Return the simple commands that ran, and succeeded each time that they did, if the script ends with status 0.

    `printed` is all that it printed: statuses that it shows (`echo "exit: $?"`) prove as much.
    """
    reader = _Reader({id(node) for node, background in script.items if printed and not background})
    try:
        if any(map(gives_value, nodes(script))):
            return {}
        facts = reader.shell(script.items, _State(), False).proved()
    except (_UnfollowedError, RecursionError):
        return {}
    if facts is None:
        return {}
    facts = facts.union(
        *(shown for place, line, shown in reader.shown if (place, 0) in facts and _shows(line, printed))
    )
    return {number: node for number, node in reader.nodes.items() if (number, 0) in facts}


def _shows(line: tuple[str, str], printed: str) -> bool:
    """Return whether what was printed has a line with the status 0, and none with another, or that may be one."""
    status = r"(\d+)".join(map(re.escape, line)) + r"[ \t\r]*$"
    alone = re.search("^" + status, printed, re.MULTILINE)
    return alone is not None and all(int(one) == 0 for one in re.findall(status, printed, re.MULTILINE))


class _Reader:
    """The ways through one script."""

    def __init__(self, lines: set[int]) -> None:
        self.nodes: dict[int, Node] = {}
        self.lines = lines  # the commands of the script itself, which print where all can see it
        self.shown: list[tuple[int, tuple[str, str], Known]] = []  # by what command, before and behind the status
        self.exits: list[list[_State]] = []  # of the subshells around the place at hand
        self.loops: list[tuple[set[int], list[_State], list[_State]]] = []  # commands, ways out, ways to the next round
        self.depth = self.steps = 0
        self.commands: dict[int, set[int]] = {}  # of the loops that were met

    # ---- lists -------------------------------------------------------------------------------------------------------

    def shell(self, items: Sequence[Any], state: _State, guarded: bool) -> _State:
        """The end of a shell of its own, which may be left in several places."""
        outer, self.loops = self.loops, []
        self.exits.append([])
        end = self.sequence(items, state, guarded)
        self.loops = outer
        for one in self.exits.pop():
            end = _joined(end, one)
        if end is None:
            raise _UnfollowedError
        return end.ended(Status(end.status.if_zero, _NONE, "", True, False))  # an error may end it, too

    def sequence(self, items: Sequence[Any], state: _State, guarded: bool) -> _State | None:
        end: _State | None = state
        for node, background in items:
            if end is None:
                return None
            end = self.start(node, end) if background else self.command(node, end, guarded)
        return end

    def start(self, node: Any, state: _State) -> _State:
        """A command in the background, whose status is known to who waits for it."""
        inner = self.shell(((node, False),), state, True)
        end = state.ended(_ZERO)
        end.started[""] = Status(inner.proved(), _NONE, "", True, False)
        return end

    def command(self, node: Any, state: _State, guarded: bool) -> _State | None:
        """Follow one command; `guarded`: `set -e` does not end the script here."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _UnfollowedError
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
                    end = _joined(end, state.ended(_NOT_ZERO))
                if not isinstance(node, (tree.Test, tree.ArithmeticCommand)) and not getattr(node, "subshell", False):
                    return end
            case _:
                raise _UnfollowedError
        if end is None or guarded or not end.errexit:
            return end
        self.exit(_branch(end, False))
        return _branch(end, True)

    def and_or(self, node: tree.AndOr, state: _State, guarded: bool) -> _State | None:
        last = len(node.items) - 1
        good: _State | None = None
        bad: _State | None = None
        for number, (operator, part) in enumerate(node.items):
            start = {"": state, "&&": good, "||": bad}[operator]
            end = None if start is None else self.command(part, start, guarded or number < last)
            good = _joined(good if operator == "||" else None, _branch(end, True))
            bad = _joined(bad if operator == "&&" else None, _branch(end, False))
        return _joined(good, bad)

    def pipeline(self, node: tree.Pipeline, state: _State, guarded: bool) -> _State | None:
        if len(node.commands) == 1:
            return self.command(node.commands[0], state, guarded)
        last = node.commands[-1] if node.commands else None
        if type(last) is not tree.Simple or not last.words or plain(last.words[0]) in _HANDLED | _ASSIGNING:
            raise _UnfollowedError  # zsh runs it in this shell
        ends = [self.shell(((part, False),), state, guarded) for part in node.commands]
        facts = [one.proved() for one in (ends if state.pipefail else ends[-1:])]
        known = [one for one in facts if one is not None]
        zero = None if len(known) < len(facts) else _NONE.union(*known)
        end = state.ended(Status(zero, _NONE, "", True, False))
        end.pipe = Status(ends[0].proved(), _NONE, "", True, True)
        return end

    # ---- compound commands -------------------------------------------------------------------------------------------

    def compound(self, node: tree.Compound, state: _State, guarded: bool) -> _State | None:
        match node:
            case tree.Group(subshell=True):
                inner = self.shell(node.body.items, state, guarded)
                end = state.ended(inner.status)
                end.sure = inner.sure
                return end
            case tree.Group():
                return self.sequence(node.body.items, state, guarded)
            case tree.If():
                return self.branches(node, state, guarded)
            case tree.For(select=False):
                begun = state.ended(_ANY)
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
                value = state.values.get(match_[2], _ANY) if match_ is not None else _ANY
                if match_ is None or value.weak or (match_[1] and match_[3]):
                    return state.ended(_ANY)
                is_equal = match_[3] == "==" or bool(match_[1])
                return state.ended(value.named(match_[2]) if is_equal else value.named(match_[2]).negated())
        raise _UnfollowedError

    def branches(self, node: tree.If, state: _State, guarded: bool) -> _State | None:
        end: _State | None = None
        going: _State | None = state
        for condition, body in node.branches:
            going = None if going is None else self.sequence(condition.items, going, True)
            taken = _branch(going, True)
            end = _joined(end, None if taken is None else self.sequence(body.items, taken, guarded))
            going = _branch(going, False)
        if going is not None:
            other = node.otherwise
            going = going.ended(_ZERO) if other is None else self.sequence(other.items, going, guarded)
        return _joined(end, going)

    def case(self, node: tree.Case, state: _State, guarded: bool) -> _State | None:
        end: _State | None = state.ended(_ZERO)
        before: _State | None = None
        for _, body in node.clauses:
            start = _joined(state.ended(_ANY), before)
            before = None if start is None else self.sequence(body.items, start, guarded)
            end = _joined(end, before)
        return end

    def loop(
        self, condition: tree.Sequence | None, body: tree.Sequence, state: _State, guarded: bool, runs: bool
    ) -> _State | None:
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
            left: list[_State] = []
            again: list[_State] = []
            self.loops.append((own, left, again))
            asked = head if condition is None else self.sequence(condition.items, head, True)
            end = None if asked is None else self.sequence(body.items, asked.ended(_ANY), guarded)
            self.loops.pop()
            for one in again:
                end = _joined(end, one)
            behind = None if end is None else end.each(folded)
            following = _joined(head, behind)
            if following is None or following.facts() == head.facts():
                break
            head = following
        self.depth -= 1
        result = None if behind is None or not runs else behind.each(over)
        none = state if condition is None else asked
        for one in (*left, *(() if runs or none is None else (none.ended(_ANY), *([behind] if behind else ())))):
            result = _joined(result, one.each(dropped))
        return result

    # ---- simple commands ---------------------------------------------------------------------------------------------

    def simple(self, node: tree.Simple, state: _State) -> _State | None:
        if not node.words:
            self.refuse_redirections(node)
            return self.assign(node.assignments, state)
        name, words = plain(node.words[0]), node.words[1:]
        if name is None or name in _UNFOLLOWED:
            raise _UnfollowedError
        if name in _HANDLED:
            self.refuse_redirections(node)
            if node.assignments:
                raise _UnfollowedError
            return self.builtin(name, words, state)
        if name == "wait" and len(words) == 1 and not node.redirections and not node.assignments:
            status = state.started.get(_started(words[0].text))
            if status is not None:
                return state.ended(status)
        made = state.ended(Status(frozenset({(id(node), 0)}), _NONE, "", True, False))
        if name in _ASSIGNING:
            made.values.clear()
            made.started = {"": made.started[""]} if "" in made.started else {}
        if name == "echo" and id(node) in self.lines and not node.redirections:
            made.sure |= {(id(node), 0)}
            self.show(node, state)
        self.nodes[id(node)] = node
        return made

    def builtin(self, name: str, words: Sequence[Any], state: _State) -> _State | None:
        texts = [word.text for word in words]
        match name:
            case "exit":
                if len(words) > 1:
                    raise _UnfollowedError
                end = state.ended(_value(texts[0] if words else "$?", state, False))
                self.exit(end)
                return None
            case "break" | "continue":
                if words or not self.loops:
                    raise _UnfollowedError
                _, left, again = self.loops[-1]
                (left if name == "break" else again).append(state.ended(_ZERO))
                return None
            case "test" | "[":
                return state.ended(_test(texts[: len(texts) - (name == "[")], state, False))
            case "export":
                if any(type(word) is not tree.Assignment and plain(word) in (None, "-n", "-f") for word in words):
                    raise _UnfollowedError
                given = [word for word in words if type(word) is tree.Assignment]
                end = self.assign(given, state)
                return end.ended(_ZERO if end.status.if_not is None else _ANY)
            case "set":
                return _set(words, state)
        return state.ended(_NOT_ZERO if name == "false" else _ZERO)

    def show(self, node: tree.Simple, state: _State) -> None:
        """Note the status that an `echo` prints, and what of the script follows if that is 0."""
        parts = [part for word in node.words[1:] if type(word) is tree.Word for part in (*word.parts, _BLANK)][:-1]
        texts = [part.text if isinstance(part, tree.Text) else None for part in parts]
        if texts.count(None) != 1 or any("\\" in text or "\n" in text for text in texts if text):
            return
        place = texts.index(None)
        value = parts[place]
        text = f"${value.name}" if isinstance(value, tree.Parameter) else getattr(value, "text", "")
        facts = _value(text, state, True).if_zero
        line = "".join(filter(None, texts[:place])), "".join(filter(None, texts[place + 1 :]))
        if facts and line[0][:1] != "-":
            self.shown.append((id(node), line, state.sure | facts))

    def exit(self, state: _State | None) -> None:
        """The shell ends, in the midst of its loops: of their commands only this round is known."""
        around: set[int] = set().union(*(own for own, _, _ in self.loops))
        if state is not None:
            self.exits[-1].append(state.each(lambda facts: frozenset(one for one in facts if one[0] not in around)))

    def assign(self, assignments: Sequence[tree.Assignment], state: _State) -> _State:
        end = state.ended(_ZERO)
        for one in assignments:
            value = _ANY
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
                    end = end.ended(_ANY)
                else:
                    value = _value(text, state, True)
            end.values.pop(one.name, None)
            end.started.pop(one.name, None)
            latest = end.started.get("")
            if latest is not None and _NAME.fullmatch(one.name) and not one.appends and one.subscript is None:
                if _LAST_STARTED.fullmatch(one.text.partition("=")[2]):
                    end.started[one.name] = latest
            if value is not _ANY and _NAME.fullmatch(one.name):
                end.values[one.name] = value.named("")
        return end

    def refuse_redirections(self, node: tree.Simple) -> None:
        """Raise where a file may not be opened: what the shell itself should do is then not done."""
        if any(one.target.text != "/dev/null" and "&" not in one.operator for one in node.redirections):
            raise _UnfollowedError


# ---- words -----------------------------------------------------------------------------------------------------------


def _started(text: str) -> str:
    """Return the variable with the number of what was started, "" for the latest; no name for another word."""
    if _LAST_STARTED.fullmatch(text):
        return ""
    match = _READ.fullmatch(text)
    return (match[2] or match[3]) if match else "?"


def _value(text: str, state: _State, weak: bool) -> Status:
    """Return what is known of the number that a word is; `weak`: where it may be empty, too."""
    if text == "0":
        return _ZERO
    if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 3:
        return _NOT_ZERO
    if match := _READ.fullmatch(text):
        name = match[2] or match[3]
        if name == "?":
            return Status(state.status.if_zero, state.status.if_not, "", True, False)
        found = state.values.get(name, _ANY).named(name)
        return found if weak or not found.weak else _ANY
    if weak and _OF_PIPE.fullmatch(text):
        return state.pipe or _ANY
    if match := _UNION.fullmatch(text):
        names = re.findall(r"\w+|\?", match[1])
        parts = [state.status if name == "?" else state.values.get(name, _ANY) for name in names]
        known = [one.if_zero for one in parts if one.if_zero is not None]
        if not any(one.weak for one in parts):
            return Status(_NONE.union(*known) if len(known) == len(parts) else None, _NONE, "", True, False)
    return _ANY


def _test(words: list[str], state: _State, double: bool) -> Status:
    """The status of `[ $rc -eq 0 ]`."""
    if words[:1] == ["!"]:
        inner = _test(words[1:], state, double)
        return _ANY if inner.weak else inner.negated()
    if len(words) != 3 or words[1] not in _EQUAL + _OTHER or words[2].strip("\"'") != "0":
        return _ANY
    value = _value(words[0], state, not double)
    if value.weak or (words[1] == "==" and not double):
        return Status(value.if_zero if words[1] in _EQUAL else _NONE, _NONE, "", True, True)
    return value if words[1] in _EQUAL else value.negated()


def _set(words: Sequence[Any], state: _State) -> _State:
    """`set -euo pipefail`."""
    end, rest = state.ended(_ZERO), [plain(word) for word in words]
    while rest:
        match = _OPTIONS.fullmatch(rest.pop(0) or "")
        option = (rest.pop(0) if rest else None) if match is not None and match[3] else ""
        if match is None or option not in ("", "pipefail", "errexit", "nounset", "xtrace"):
            raise _UnfollowedError
        on = match[1] == "-"
        if "e" in match[2] or option == "errexit":
            end.errexit = on
        if option == "pipefail":
            end.pipefail = on
    return end
