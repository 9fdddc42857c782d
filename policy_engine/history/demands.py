"""Read what a prompt demands to be run: the commands, which of them need only run, and marked text that is no command.

A command counts where words demand it: a condition ("only after …", "… must pass", "acceptance: …", a list below
"## Verification", "只有 … 全部成功后") or an instruction ("run …", "运行 …"). It may stand in a code span, in
quotes, or bare if its words are those of a known program. Examples, background, negations and suppositions demand
nothing, and neither does a code span that no such words govern. Apart from `goal.py`, which the hook imports always.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from policy_engine.history.bare_commands import BARE, BARE_END, LINE, QUOTED, READS, SPAN
from policy_engine.history.clause_moods import REPORTED
from policy_engine.history.demand_blocks import (
    BULLET,
    CASE,
    CAUSES,
    CONFIG,
    CONFIG_LINE,
    CONTENT,
    DASHED,
    DONE_MARKS,
    FAILURES,
    FENCE,
    FORBIDS,
    HEADING,
    LOG,
    MEMBER,
    NO_TITLE,
    REFERENCE,
    REPORT,
    RUN_TITLE,
    SENTENCE,
    SHELLS,
    STEP_LOG,
    STEPS,
    TAGGED,
    TASKS,
    TITLE,
    UNLESS,
    is_bare,
    is_output,
    is_title,
    join_lines,
)
from policy_engine.history.demand_deeds import ASKS_FIRST, is_deed
from policy_engine.history.demand_kinds import (
    AFTER_NO,
    ALSO_PASSES,
    ANNOUNCE,
    ASSURE,
    ASSURES,
    BEFORE_END,
    CHECKED,
    CHECKS,
    CLAUSE,
    ENDING,
    FAILS,
    GROUP,
    LEAD,
    MAKES,
    MIGHT,
    MUST,
    MUST_ZH,
    OWED,
    SPAN_MARK,
    STATES,
    STOP,
    STRICT,
    SUPPOSED,
    THEN,
    VERB,
    find_kind,
    is_background,
    is_told,
)
from policy_engine.history.demand_phrases import gives_work, is_sequence, open_asides
from policy_engine.history.demand_voice import ASIDE_TITLE, RECEIVED, SIMPLE, is_statement, own_text, own_words
from policy_engine.history.demand_wording import reword
from policy_engine.history.demanded_tests import REPAIRS, THEN_REPAIR, demands_tests
from policy_engine.history.goal import (
    COMMAND_CHARS,
    command_words,
    has_command_shape,
    is_known_program,
    is_program_call,
    is_server,
)
from policy_engine.history.implied_demands import is_implied
from policy_engine.model.lazy_regex import lazy


class Demands(NamedTuple):
    """The commands that a text demands; `steps` are those that need only run, `mentions` is marked and no command."""

    commands: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    tests: bool = False


_FIRST = 0xE000  # code spans stand in the text as characters of the private use area, one for each
_MOST = 0x1800
_MOST_GROUPS = 50  # groups of commands of one part that are judged
_PARTS = lazy(r"[^\n]{1,400}(?![^\s])|[^\n]{1,400}")  # longer sentences are read in parts: the time stays linear
_ARROW = lazy(r"\s*(?:→|⇒|\s->\s|\s=>\s)\s*")
_TAIL = lazy(r"(?<![\s.])[.,:;]+$")
_TASK_ID = lazy(r"^\s*#*\s*(?:[A-Z]{1,5}-?\d+[:.)]?\s+)?(?:\[\w{1,3}\]\s*)*")
_ORDER = lazy(
    rf"^\s*(?:(?:always|then|finally|please|also|next|now|afterwards),?\s+)*(?:re-?run|run|check|verify|test|lint"
    rf"|build|format|validate|type-?check|execute|运行|执行|检查|测试"
    rf"|验证)[^:：.。(（]{{0,30}}[:：(（]\s*({GROUP.pattern})",
    re.IGNORECASE,
)
_LABEL = lazy(
    r"^\s*(?:[\w /&'-]{1,30}|[一-鿿 ]{1,10})\s*(?:[(（][\w /-]{1,30}[)）]\s*)?[:：(（]\s*(?=[\ue000-\uf7ff])",
    re.IGNORECASE,
)
_ITEM = lazy(
    rf"^\s*(?:(?:please |also |then |finally )*(?:{VERB}\b|运行|执行|跑)\s*[:：]?\s*)?({GROUP.pattern})",
    re.IGNORECASE,
)
_THEY = lazy(
    rf"^(?:(?:both|all|each|these|they|it|this)(?: (?:of (?:them|these)|commands?|checks?|two|three|four))? )?{MUST}\b"
    rf"|^(?:它们|两者|以上|这些)?(?:命令)?(?:都|全部)?{MUST_ZH}|^(?:{LEAD}\s+)*(?:re-?)?run (?:it|them|both|these"
    rf"|those)\b"
    r"(?! (?:through|with|against|as|in|under|by|on|if)\b)"
    rf"|^(?:{LEAD}\s+)*(?:make|get|bring|turn|fix)\s+(?:it|them|both|all(?: of them)?|these|those|this|that)"
    r" (?:so (?:that )?(?:it|they) |to |back to )*(?:pass\w*|green|work\w*|succeed\w*|clean|run|compile)\b"
    r"|^(?:让|使)(?:它们?|其|两者|这些)(?:都|全部|能)*(?:通过|成功|跑通)",
    re.IGNORECASE,
)
"""What is said of the commands of the sentence before."""
_RUN_ON = lazy(
    rf"(?:^|[,;]\s*|\b{LEAD}\s+)(?:re-?run|run|execute)$"
    rf"|(?:^|[,;]\s*|\b{LEAD}\s+)(?:re-?)?run (?:this(?! (?:by|through|past|against|with|as|and)\b)|(?:the |these "
    rf"|following |two |three )+(?:scripts|commands))\b"
    r"(?: [^.;]{1,60})?[.?!]?$|(?:make sure|ensure|verify|check)\b.*\bfollowing\b[^.]*\b(?:pass|succeed|work|run)[.]?$",
    re.IGNORECASE,
)
"""What announces a block of commands without a colon."""
_CASE_FIRST = lazy(
    r"^\W*(?:[^,:：]{2,40},\s*)?(?:if|in case|unless|should you)\b"
    r"|^[^:：]{0,60}[(（](?:only )?(?:if|when|optional\w*|unless|as needed)\b"
    r"|.{0,200}\busers? (?:must|needs?|should|can|to|ha(?:s|ve) to)\b.*[:：]$"
    r"|.{0,200}\bif (?:you|needed|necessary|there)\b[^:：]*[:：]$|^\W*(?:you|we|one) (?:can|may|could)\b"
    r"|(?:\b(?:for example|for instance|examples?|e\.g\.?)|例如|比如|示例|举例)\s*[:：]$|^[^。]{0,20}(?:如果|如需|若"
    r"|可选)[^。]*[:：]$",
    re.IGNORECASE,
)
_HOW_TO = lazy(
    r"^\W*to (?!verify|check|validate|confirm|finish|complete|wrap|be|make sure|ensure|test|prove|get|consider"
    r"|call|count|accept|merge|close|ship|land|commit|push|release|submit|deliver)\w+[^,:：]*[:：]$"
    r"|^[^:：]*\b(?:must|should) be\s*[:：]$",
    re.IGNORECASE,
)
"""What announces how something is done, by who wants it."""
_TIMES = lazy(
    r"^\W*(?:after|before|once|prior to|following|every time|each time)\s+(?!(?:the|this|my|that) (?:change|fix"
    r"|patch|pr)\W)\w[^.,:：]{2,80}[:：]$|(?:^|[.:：]\s*)always \w[^:：]*[:：]$"
    r"|(?:^|[,，]\s*|\b(?:and|then|to|please)\s+)(?:do(?: this| these)?|run|execute|type|issue)\s*[:：]$"
    r"|(?:运行|执行|跑)(?:以下|如下|下面)?(?:命令)?\s*[:：]$|[前后][,，](?!.*可以?)[^。：:]{2,40}[:：]$",
    re.IGNORECASE,
)
"""What announces only when the commands that follow are run."""
_STEP = lazy(
    r"^\s*\d{1,2}[.)]\s+(?!.*\b(?:option|alternative|example|if|e\.g)\b)(?:.*[:：]\**"
    r"|\*\*[^*]+\*\*|[^.:。!?`]{3,40})\s*$",
    re.IGNORECASE,
)
_BANS = lazy(
    r"(?:^|[.;]\s+)\W*(?:never|do not|don'?t)\s+(?!forget|stop|hesitate|miss)(?!.*\b(?:until|unless|before"
    r"|without|till|failing|broken|red)\b)[^,;.]*$",
    re.IGNORECASE,
)
"""A clause that forbids what the command in it does."""
_DO_THIS = lazy(
    rf"\s*(?:{LEAD}\s+)*(?:(?:do|{VERB}) (?:this|that|these|those|it|them|all|both)|both(?= please))\W*(?:please|pls"
    rf"|now|first)?\W*(?:$|\n)",
    re.IGNORECASE,
)
"""What stands behind a block that is to be run."""
_LINK = lazy(r"\[([^\[\]\n]{1,80})\]\([^()\s]{1,200}\)")
_EXAMPLE_FIRST = lazy(r"^\W*(?:for example|for instance|e\.g)\b(?!.*\b(?:must|ensure|make sure)\b)", re.IGNORECASE)
_ENABLES = lazy(
    r"\b(?:needed|necessary|required|able|possible|how|enough) to [\w ]{0,40}\brun (?:the|all|a)\b"
    r"|[\ue000-\uf7ff] (?:should|must|will) (?:also )?run\b",
    re.IGNORECASE,
)
"""What lets the tests be run, and does not tell to."""
_FAULTY = lazy(
    r"^\s*(?:(?:is|are|now|still|just|currently|again|keeps?|suddenly|(?:is|are|does|do|did|wo|has)n'?t|does|did|has) "
    r"|not )*(?:fail\w*|red|broken|crash\w*|complain\w*|errors?(?: out| with)?|br[eo]\w*ks?|barks?|screams?"
    r"|(?:(?:gives?|has|have|shows?|reports?|throws?|prints?|returns?|finds?) (?:me |us )?(?:\w+ ){0,3}"
    r"(?:\d+|errors?|warnings?|failures?|issues?|problems?|complaints?))"
    r"|(?<=not )(?:pass|work|compil|build|green|clean)\w*|(?<=n't )(?:pass|work|compil|build|green|clean)\w*)\b"
    r"(?! (?:on|in|at|for|only|when|if|because)\b)",
    re.IGNORECASE,
)
"""What says of the commands before it that they fail here."""
_LOOK = lazy(rf"(?:^|[.;,:!]\s*|\b{LEAD}\s+)(?:check|look at|inspect|read|see|view)(?: with)?\s*$", re.IGNORECASE)
_CALLED = lazy(
    r"(?i)\b(?:run|execute|call|invoke|use|try|(?:verify|check|make sure|ensure)(?: that| if| whether)?)\s*[:：]?\s*$"
)
"""What calls the text in the quotes behind it a command."""
_INSTALL = lazy(r"(?:^|[，。；]|请|再|帮我)(?:安装|install)\s*[:：]?\s*$", re.IGNORECASE)
_LOOK_AFTER = lazy(r"^\s*(?:$|[.,;!]|(?:to|for|and|again|which|what|who|whether|if)\b)(?!.*[?？]\s*$)", re.IGNORECASE)
_BY = lazy(
    rf"(?i)\b(?:tests?|suite|specs)\b[^.;:,]{{0,20}}?(?:(?<=tests )|\b(?:with|using|via|by running)"
    rf"|[:(（])\s*{SPAN_MARK}"
)
"""By which command the tests are run."""
_AT_ONCE = lazy(rf"({GROUP.pattern})\s*(?:$|[.,;!]|(?:if|and|then|must|should|to)\b)")
_WHERE = lazy(r"\s*(?:in|by|with|using)\b", re.IGNORECASE)
_ENTRY = lazy(rf"^\W*{GROUP.pattern}\s*(?:[:：=–—]|-\s)", re.IGNORECASE)
"""A command, and what it does."""
_USUAL = lazy(r"\b(?:ci|we|currently|usually|normally|uses?)\b", re.IGNORECASE)
_ASIDE = lazy(r"[(（][^()（）]*[)）]")


class _Reader:
    """The demands of one text, collected as its blocks are read."""

    def __init__(self) -> None:
        self.spans: list[str] = []
        self.found: dict[str, bool] = {}  # command: whether it is a condition
        self.mentions: dict[str, None] = {}
        self.tests = False
        self.section = False  # below a heading that announces conditions
        self.governing = False  # a sentence before announced a list
        self.tasks = False  # below a heading or a sentence that announces what is to be done
        self.worked = False  # the entry before gave work
        self.unchecked = False  # an entry with an open box
        self.numbered = False  # an entry with a number that ends with a colon, or is all bold
        self.done = False  # an entry with a box that is ticked
        self.reference = False  # below a heading about what is listed to be looked up
        self.listed = False  # an entry of the list was read
        self.forbidden = False  # a sentence before announced a list of what must not be done, or only in some case
        self.supposed = False  # below a heading about failures, or about what is not to be done now
        self.aside = 0  # the level of that heading, 0 below none
        self.step = False  # an entry before a block gave work or said what to do
        self.before = ""  # the sentence before
        self.owed = False  # the sentence before says that a check must pass
        self.faulty = ""  # the commands of the sentence before that fail as it says
        self.named = ""  # the commands that the sentence before names and does not forbid

    def take(self, group: str, condition: bool, strict: bool = False, told: bool = False) -> None:
        """Keep the commands of a group of spans."""
        for mark in group:
            number = ord(mark) - _FIRST
            if not 0 <= number < len(self.spans):
                continue
            for part in _ARROW.split(self.spans[number]):
                text = part.strip().removeprefix("$ ").strip()
                if not text or len(text) > COMMAND_CHARS or "\n" in text or "\0" in text:
                    continue
                serves = is_server(command_words(text))
                if (has_command_shape(text) or (told and is_program_call(text))) and not serves:
                    self.found[text] = self.found.get(text, False) or condition
                elif strict or serves:
                    self.mentions[text] = None

    def _texts(self, group: str) -> list[str]:
        return [self.spans[ord(mark) - _FIRST] for mark in group if _FIRST <= ord(mark) < _FIRST + len(self.spans)]

    def _checks(self, group: str) -> bool:
        """Return whether every command of a group is one of a known program."""
        words = [command_words(part) for span in self._texts(group) for part in _ARROW.split(span)]
        return all(of and is_known_program(of[0]) for of in words)

    def mark(self, text: str) -> str:
        """Return the text with a character for each code span, quoted command and bare command."""

        def span(match: re.Match[str]) -> str:
            return self._mark(match[1] or match[2] or "")

        def quoted(match: re.Match[str]) -> str:
            inner = next(part for part in match.groups() if part is not None)
            whole = BARE.match(inner)
            head = match.string[max(0, match.start() - 400) : match.start()]
            called = _CALLED.search(head[-30:]) and not RECEIVED.search(head)
            known = called and len(inner.split()) > 1 and has_command_shape(inner) and _starts_known(inner)
            alone = whole and whole.end() == len(inner.rstrip()) and not RECEIVED.search(head)
            return self._mark(inner) if known or alone else match[0]

        def plain(match: re.Match[str]) -> str:
            word = match[0].rstrip(",:;") if match[0].endswith("...") else _TAIL.sub("", match[0])
            rest = match[0][len(word) :]
            if not BARE_END.match(match.string, match.start() + len(word)):
                return match[0]
            return self._mark(word) + rest

        text = _LINK.sub(r"\1", text)
        text = SPAN.sub(span, text).replace("**", "").replace("__", "")
        text = re.sub(r"[^\S\n]+", " ", text).strip()  # runs of spaces cost the expressions much
        text = QUOTED.sub(quoted, text).translate(SIMPLE)
        text = LINE.sub(lambda match: self._mark(match[1]), text)
        return own_words(BARE.sub(plain, text))

    def _mark(self, text: str) -> str:
        if len(self.spans) >= _MOST:
            return " "
        self.spans.append(text)
        return chr(_FIRST + len(self.spans) - 1)

    def head(self, heading: re.Match[str]) -> None:
        """Note of what the part below a heading is."""
        title = next(part for part in (heading[2], heading[3], heading[4]) if part is not None)
        level = len(heading[1] or "#######")
        if not self.aside or level <= self.aside:
            self.aside = level if ASIDE_TITLE.search(title) else 0
        title = _ASIDE.sub(" ", title)
        self.tasks = TASKS.match(title) is not None
        self.supposed = bool(self.aside) or (heading[1] != "#" and FAILURES.search(title) is not None)
        self.section = bool(TITLE.search(title)) and not NO_TITLE.search(title)
        self.reference = not self.section and REFERENCE.search(title) is not None
        self.governing = bool(RUN_TITLE.search(title))

    def fence(self, language: str, lines: str) -> None:
        """Read a block of code: it is demanded as a whole if what stands before it announces it."""
        texts = [line.strip().removeprefix("$ ").partition(" #")[0].strip() for line in lines.splitlines()]
        texts = [text for text in texts if text and not text.startswith("#")]
        known = [text for text in texts if any(map(_starts_known, text.split(" && ")))]
        prose = language in ("", "text") and len(known) < len(texts)
        if (self.governing or self.section or self.step) and not (self.supposed or self.forbidden or prose):
            for text in known:
                self.take(self._mark(text), True)
            self.governing = False

    def paragraph(self, text: str, item: bool) -> None:
        """Read one paragraph or list entry."""
        flat = self.mark(_TASK_ID.sub("", text))
        self.step = item and (self.tasks or self.numbered or is_deed(flat.rstrip(" :：") + ":"))
        if self.supposed or (item and (self.forbidden or self.done)):
            return
        self.forbidden = False
        title = flat.strip(" :：*")
        if item and len(title.split()) <= 4 and TITLE.match(title) and not GROUP.search(title):
            self.governing, self.listed = True, False
            return
        if item and self.reference and not (OWED.search(flat) or ENDING.search(flat)):
            return
        order = _ORDER.match(flat) if item else None
        if order and not AFTER_NO.match(flat[order.end() :]):
            self.take(order[1], bool(BEFORE_END.match(flat[order.end() :]) or CHECKS.search(flat[order.end() :])))
        if (
            (item or GROUP.match(flat.strip()))
            and (self.governing or self.section)
            and not NO_TITLE.match(flat.strip())
        ):
            flat = open_asides(flat)
            start = _LABEL.match(flat)
            match = _ITEM.match(flat, start.end() if start else 0)
            if match and not AFTER_NO.match(flat[match.end() :]):
                self.listed = True
                self.take(match[1], True, self.governing)
                flat = flat[: match.start()] + " " + flat[match.end() :]
        elif item and (self.tasks or self.unchecked or self.worked) and GROUP.fullmatch(flat.strip(" .;,。；，")):
            self.take(flat, False)
        elif item and self.tasks and (start := _LABEL.match(flat)) and GROUP.fullmatch(flat, start.end()):
            self.take(flat[start.end() :], False)
        elif item and self.unchecked and (open_task := GROUP.match(flat)) and STATES.match(flat[open_task.end() :]):
            self.take(open_task[0], True)
        self.worked = item and gives_work(flat)
        announced, at_once, self.named, self.owed = False, False, "", False
        for sentence in _PARTS.findall(DASHED.sub(r"\1\n", SENTENCE.sub("\n", flat))):
            sentence = sentence.strip()
            if at_once and (match := _AT_ONCE.match(_LABEL.sub("", sentence))):
                self.take(match[1], True)
            if sentence:
                at_once = self.sentence(sentence)
                announced = at_once or announced
        if announced or not item:
            self.governing, self.listed = announced, False
            self.tasks = TASKS.match(flat) is not None

    def sentence(self, text: str) -> bool:
        """Read one sentence; return whether it announces a list that follows."""
        if _EXAMPLE_FIRST.match(text):
            return False
        tests = demands_tests(text, self.before) and not (_ENTRY.match(text) or _ENABLES.search(text))
        many = len(self.found)
        self.before = text
        text = reword(open_asides(reword(text)))
        at, last = 0, None
        if is_sequence(GROUP.sub(" ", text)):
            self.take(text, False)
        if self.owed and GROUP.fullmatch(text.strip(" .;。；")):
            self.take(text, True)
        self.owed = OWED.search(text) is not None and CHECKED.search(text) is not None and not SUPPOSED.search(text)
        if self.named and _THEY.match(text) and not GROUP.search(text):
            self.take(self.named, True)
        if self.faulty and (repairs := REPAIRS.match(text)) and not _WHERE.match(text, repairs.end()):
            self.take(self.faulty, True)
        self.faulty = ""
        label = _LABEL.match(text)
        labelled = self.named if label and STOP.match(GROUP.sub("", text[label.end() :])) else ""
        self.named = ""
        stated = is_statement(text) and not (self.section or self.governing)
        for match in islice(GROUP.finditer(text), _MOST_GROUPS):
            before, after = text[at : match.start()], text[match.end() :]
            whole = text[: match.start()]
            kind = None if _BANS.search(whole) else find_kind(before, whole, after)
            if kind is None and self.found and THEN.match(whole) and STOP.match(after):
                kind = False
            if kind is None and ((last and len(before) < 40) or STRICT.search(whole) or ASSURES.search(whole)):
                kind = True if ALSO_PASSES.match(after) or MAKES.match(after) else None
            if kind is None and not _BANS.search(whole) and is_implied(whole, after) and self._checks(match[0]):
                kind = True
            if _FAULTY.match(after) and not (SUPPOSED.search(whole) or REPORTED.search(whole) or is_background(before)):
                self.faulty += match[0]
                kind = True if THEN_REPAIR.search(after) else kind
            if kind is None and _LOOK.search(whole) and _LOOK_AFTER.match(after) and not _BANS.search(whole):
                kind = False if all(map(READS.match, self._texts(match[0]))) else None
            if kind is None and _INSTALL.search(whole) and _LOOK_AFTER.match(after):
                kind = False if all(" " in span for span in self._texts(match[0])) else None
            kind = None if stated else kind
            last = kind
            if kind is not None:
                strict = bool(STRICT.search(before))
                self.take(match[0], kind, strict, is_told(before))
            at = match.end()
            if not (
                SUPPOSED.search(whole)
                or (AFTER_NO.match(after) and not FAILS.match(after))
                or is_background(_USUAL.sub("", CLAUSE.split(before)[-1].strip()))
            ):
                self.named = labelled + match[0]
        if tests and not stated and not (len(self.found) > many and _BY.search(text)):
            self.tests = True
        rest = text[at:].strip()
        if re.fullmatch(r"[)）]\s*[:：]", rest):
            rest = _ASIDE.sub("", text)  # "Run the script (in `packages`):"
        if rest in (":", "：") and not any(has_command_shape(self.spans[ord(mark) - _FIRST]) for mark in self.named):
            rest = re.sub(SPAN_MARK, " ", text)  # "run the steps of `CONTRIBUTING.md`:"
        return self._announces(rest, text)

    def _announces(self, rest: str, text: str) -> bool:
        """Return whether the end of a sentence announces a list or a block of what is demanded."""
        if rest.endswith(("running", "executing")):
            return bool(ASSURE.match(rest)) or demands_tests(rest)
        self.step = self.step or is_deed(rest.rstrip(".。") + ":", "")
        if _RUN_ON.search(rest):
            return True
        if not rest.endswith((":", "：")):
            return False
        if (
            CASE.match(rest)
            or _CASE_FIRST.match(text)
            or FAILURES.search(rest)
            or (FORBIDS.search(rest) and not UNLESS.search(rest))
        ):
            self.forbidden = True
            return False
        plain = rest.rstrip(":： ")
        if ASKS_FIRST.match(text):
            return False
        if MIGHT.search(CLAUSE.split(plain)[-1]) or _HOW_TO.match(text):
            self.forbidden = True
            return False
        orders = re.match(
            rf"(?:{LEAD}\s+)*{VERB}\b|(?:请|然后|最后|再)?(?:运行|执行)|[^，。]{{0,8}}(?:运行|执行|跑)(?:以下|下面"
            rf"|如下|这些)",
            CLAUSE.split(plain)[-1].strip(),
            re.IGNORECASE,
        )
        match = (
            orders
            or is_deed(rest)
            or is_deed(text)
            or _TIMES.search(text)
            or TITLE.search(rest)
            or ANNOUNCE.search(rest)
            or ENDING.search(rest)
            or OWED.search(rest)
        )
        return bool(match) and not SUPPOSED.search(rest)


@lru_cache(maxsize=16)
def read_demands(text: str) -> Demands:
    """Return what the text demands, in order of appearance, each command once."""
    reader = _Reader()
    text = STEP_LOG.sub("\n\n", TAGGED.sub("\n\n", own_text(text)))
    if REPORT.search(text):
        text = STEPS.sub(r"\g<0> to reproduce", text)
    content = CONTENT.search(text)
    if content:
        fence = FENCE.match(text[content.end() :].lstrip("\n"))
        text = text[: content.end()] + ("\n" + text[content.end() :].lstrip("\n")[fence.end() :] if fence else "")
    chain = _chain(text)
    if chain:
        return Demands(chain)
    text = _fenced(text)
    at = 0
    for fence in FENCE.finditer(text):
        _read_lines(text[at : fence.start()], reader)
        if fence[2].lower() in SHELLS:
            reader.governing = reader.governing or _DO_THIS.match(text, fence.end()) is not None
            reader.fence(fence[2].lower(), fence[3])
        at = fence.end()
    _read_lines(text[at:], reader)
    commands = tuple(reader.found)
    steps = tuple(command for command, condition in reader.found.items() if not condition)
    return Demands(commands, steps, tuple(reader.mentions), reader.tests)


def _fenced(text: str) -> str:
    """Return the text with its first lines in a block where each begins with a program and "do this" is below."""
    lines = text.strip().split("\n")
    bare = next((place for place, line in enumerate(lines) if not _starts_known(line)), len(lines))
    below = "\n".join(lines[bare:]).lstrip()
    if not bare or "```" in text or not _DO_THIS.match(below):
        return text
    return "\n".join(("```", *lines[:bare], "```", below))


def _starts_known(text: str) -> bool:
    words = text.removeprefix("$ ").split()
    return bool(words) and is_known_program(words[0])


def _chain(text: str) -> tuple[str, ...]:
    """Return the commands of a text that is nothing but two or more of them."""
    reader = _Reader()
    flat = reader.mark(text.strip())
    if not GROUP.fullmatch(flat.strip(" .。")):
        return ()
    reader.take(flat, True)
    return tuple(reader.found) if len(reader.found) > 1 or "`" not in text else ()


def _read_lines(text: str, reader: _Reader) -> None:
    held: list[str] = []
    item, logged = False, False

    def flush() -> None:
        nonlocal held
        if held:
            reader.paragraph(join_lines(held), item)
        held = []

    lines = text.split("\n")
    config = CONFIG.search(text)
    for number, line in enumerate(lines):
        stripped = line.strip()
        logged = bool(stripped) and (logged or LOG.search(line[:200]) is not None)
        if (
            not stripped
            or logged
            or is_output(lines, number, item)
            or stripped[0] in ">|"
            or MEMBER.match(line)
            or (config and CONFIG_LINE.match(line))
        ):
            flush()
            if not stripped and reader.listed:
                reader.governing = False
            continue
        heading = HEADING.match(line)
        if (
            heading
            and "`" not in line
            and not (heading[3] and (heading[3][-1] in ".!。！" or len(lines) == 1))
            and (heading[4] is None or (TITLE.search(heading[4]) and not FORBIDS.search(line)))
        ):
            flush()
            reader.head(heading)
            continue
        if not heading and not held and ASIDE_TITLE.fullmatch(stripped):
            reader.aside, reader.supposed = 7, True
            continue
        if CAUSES.match(stripped):
            flush()
            reader.supposed = True
            continue
        if TITLE.fullmatch(stripped) and not held:
            reader.section, reader.reference = True, False
            continue
        bullet = BULLET.match(line)
        if bullet or (reader.governing and is_bare(stripped)):
            flush()
            held, item = [line[bullet.end() :] if bullet else stripped], True
            reader.numbered = bool(bullet and _STEP.match(line))
            box = bullet[0].lower() if bullet else ""
            reader.unchecked = "[ ]" in box
            reader.done = "[x]" in box or held[0].lstrip(" *").startswith(DONE_MARKS)
        elif held and (item is False or line[:1] in " \t"):
            held.append(stripped)
        else:
            flush()
            held, item = [stripped + ":" if is_title(lines, number) else stripped], False
    flush()
