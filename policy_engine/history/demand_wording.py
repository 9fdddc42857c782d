"""Say an instruction plainly that a person words politely or indirectly, so that one form of it is read.

"I'd appreciate it if you ran X" becomes "please run X", "show me the output of X" becomes "run X", "once converted run
X" gets its comma. A row of the table replaces words in the place of an imperative only: at the beginning of a clause,
or after words that link one. Nothing is taken away that denies, asks or tells of somebody else.
"""

from __future__ import annotations

import re

from policy_engine.model.lazy_regex import lazy

_C = "[\ue000-\uf7ff]"  # a code span
_AT = (
    r"(?P<at>(?:^|[.;:!,，。；：！(（\n→>]|\s[-–—])\s*"
    r"|\b(?:and|then|also|finally|afterwards|lastly|but|so|now|just|please|kindly|next|first|later"
    r"|let'?s|let me|(?:after|once|when) (?:that|this|you're|that's|you are)?(?: is)?(?: ?(?:done|finished))?),?\s+)"
)
"""The place of an imperative."""
_ADVERBS = r"(?:(?:please|kindly|also|then|just|now|quickly|finally|at least|once|simply|maybe|always|first)\s+)*"
_WISH = (
    r"(?:(?:i|we)(?:'d| would|'ll| will|'m| am| are|'re)?\s+(?:\w+ly |so |very |also |just )*(?:like|love|want|wish"
    r"|prefer"
    r"|need|ask|asking|expect|expecting|require|appreciate|(?:be )?(?:happy|glad|grateful|thankful|delighted))(?: it)?"
    r"|it(?:'d| would| will)(?: also)? be (?:\w+ )?(?:great|good|nice|fine|cool|lovely|helpful|kind|super|perfect"
    r"|fantastic|wonderful|awesome|best|appreciated))"
)
_RUNS = r"(?:ran|running|executed|executing|re-?ran|re-?running|tried|trying)"
_ROUND = (
    r"(?:(?:a|an|one|another|the|some|more|final|last|full|clean|fresh|quick|further|complete|proper|dry|new|round"
    r"|run|pass|of)\s+)*"
)
_TROUBLE = (
    r"(?:(?:all|every|any|each|the|remaining|existing|new|of|these|those|its|left|open|reported"
    r"|\w+ing) )*(?:errors?|warnings?"
    r"|findings?|failures?|complaints?|issues?|offen[cs]es?|problems?|violations?|diagnostics?|regressions?)"
)
_OUTPUT = (
    r"(?:(?:full|whole|complete|final|last|exact|raw|summary) )*(?:outputs?|results?|summary(?: line)?|exit (?:code"
    r"|status)|logs?|last (?:few |\d+ )?lines?|tail|numbers?|report)"
)
_PLAIN = tuple(
    (lazy(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (r"(?<![\w./-])u(?= (?:\w{2}|$))", "you"),
        (r"^(?:if and only if|iff|only (?:if|when|once))\b", "only after"),
        (rf"\s*[(（](?!(?:[^()（）]*\b)?(?:must|pass|green|required|optional|if|when|e\.?g|example|not"
         rf"|never)\b)[^()（）必须可选{_C[1:-1]}]*"
         r"[)）]", ""),
        # who is asked, and how politely
        (r"\b(?:when(?:ever)? you (?:have|find|get|'ve got) (?:a |some |the |another )?(?:\w+ )?(?:moment|time"
         r"|minute|second"
         r"|chance)|if you (?:don'?t mind|would|could|please)(?=\s*(?:[,.;:!]|$))|if (?:that|this|it)(?:'s"
         r"| is) (?:ok|okay|alright|not too much(?: trouble)?)|if i may(?: ask)?)\b[:,]?\s*", ""),
        (rf"{_AT}{_WISH}(?: if| when| that| for)?,? you(?:'d| would| could| can| will"
         rf"| to)* {_ADVERBS}", r"\g<at>please "),
        (rf"{_AT}{_WISH}(?: if| when| that| to see)(?: that)? (?={_C})", r"\g<at>make sure "),
        (rf"{_AT}(?:try|attempt|help(?: me| us)?|proceed|go (?:ahead|on)) (?:to |and )?(?=fix|run|re-?run|execute|build"
         r"|test|check|verify|repair|get|make)", r"\g<at>"),
        (rf"{_AT}(?:can|could|shall|should) we (?:please |also |now |just )*(?=(?:re-?run|run"
         rf"|execute)\b)", r"\g<at>please "),
        (rf"(?P<at>^\W*|[.;!]\s*)(?:now |then |next )?you (?:also |just )?"
         rf"(?=(?:re-?)?run {_C}(?! and (?:it|you|get|that)\b))",
         r"\g<at>please "),
        (rf"{_AT}(?:would|could|can|will) you (?:please |kindly |also |then |maybe "
         rf"|possibly )*(?:mind )?(?:try (?:to|and) (?=run|execute))?", r"\g<at>please "),
        (r"\b(?:(?:please )?be so (?:kind|good|nice)(?: as to| and| to)|do me (?:a|the) favou?r and|take (?:a|the) "
         r"(?:second|moment|minute|time) to|take care to|i(?:'m| am) asking you to|(?:it(?:'s| is)|that(?:'s"
         r"| is)) your job to|your (?:job|task) is(?: also)? to|make a point of|don'?t forget(?: to)?|never forget to"
         r"|see to it that you)\s+",
         "please "),
        (rf"{_AT}you(?:'d better| had better| are (?:expected|required|supposed|asked|meant) to|'re (?:expected"
         rf"|required|supposed|asked) to|'ll (?:have|need) to| will (?:have|need) to) {_ADVERBS}", r"\g<at>please "),
        (r"\byou (?:forgot|didn'?t|did not|haven'?t|have not|still have|still need)(?: to)? (?:re-?run|ran|run"
         r"|executed?)\b",
         "please run"),
        (r"\bunless you(?:'ve| have)? (?:ran|run|seen|executed)\b", "unless"),
        (rf"{_AT}(?:(?:start|begin)(?: off| out)? (?:with|by)(?: running| executing)?"
         rf"|(?:proceed|continue|go on) (?:with|by) (?:running|executing)) (?={_C})", r"\g<at>run "),
        (rf"[把将]\s*(?P<c>{_C})\s*(?:里|报出?|中)?的?(?:所有|全部)?(?:错误|警告|报错|问题|error"
         rf"|warning)s?[^，。]{{0,6}}[修改清解消]",
         r"，确保 \g<c> 通过，"),
        # what is to be done with the command
        (rf"(?P<at>\bplease {_ADVERBS}){_RUNS}(?=[^.;:,]{{0,40}}{_C})", r"\g<at>run"),
        (rf"{_AT}(?:do|perform|(?:do|make|have|perform|take|start|give me)(?= (?:a|an|one"
         rf"|another)\b))\s+{_ROUND}(?={_C})",
         r"\g<at>run "),
        (rf"{_AT}(?:give|hand)\s+(?P<c>{_C})\s+(?:a|another|one more)\s+(?:\w+ )?(?:go|try|run|spin|shot|whirl)\b",
         r"\g<at>run \g<c>"),
        (rf"{_AT}(?:let|have)\s+(?:also )?(?:run )?(?:the (?:\w+ )?(?:tests?|suite|build"
         rf"|linter) )?(?:with )?(?P<c>{_C})\s+"
         r"(?:run|finish|complete|go|pass)(?: through| once| again)?\b", r"\g<at>run \g<c>"),
        (rf"{_AT}let (?:run|the tests run|them run)(?: the (?:unit )?tests)?(?: once| again"
         rf"| all)?(?: with)?\s+(?={_C})",
         r"\g<at>run "),
        (rf"{_AT}(?:show|send|give|tell|post|paste|attach|include|report|share)"
         rf"(?: (?:me|us|back|here|over))*(?: with)? (?:the |its |what |me )*{_OUTPUT} (?:of|from|that|for)"
         rf"(?: (?:running|executing|a|the|your|last|final|run of))* (?={_C}(?!\s+(?:in|on|into|inside|within|as"
         rf"|beside)\b))",
         r"\g<at>run "),
        (rf"{_AT}(?:show|tell|report|see|find out|check|(?:have a )?look|have a look at|let me know|say)(?: (?:me|us"
         rf"|to me|back))* (?!(?:what|how) {_C} (?:does|runs|builds|compiles|works|is)\b)(?:what|how|whether|if"
         rf"|that) (?P<c>{_C}(?:[^.;:,]{{0,12}}{_C})*)(?= (?:still |now |really )*(?:says?|prints?"
         r"|reports?|outputs?|gives?|shows?|does|behaves|ends|fares|looks|pass\w*|works?|succeeds?|runs?|compiles?"
         r"|builds?|is (?:green|clean|ok|happy)|goes through|complains?|likes)\b)", r"\g<at>run \g<c> to check: it"),
        (rf"{_AT}(?:double[- ]?check|cross[- ]?check|sanity[- ]?check|smoke[- ]?test|re-?check|spot[- ]?check|re-?test"
         rf"|re-?verify)\b[^.;:?,]{{0,50}}?\b(?:with|by|via|using|through)(?: (?:running|executing|a|the))*\s+(?={_C})",
         r"\g<at>run "),
        (rf"{_AT}(?:prove|show|demonstrate|verify|confirm|check|validate|make sure|ensure|see|test|convince yourself"
         rf"|back (?:it|this|that) up|satisfy yourself)\b[^.;:?]{{0,70}}?\b(?:by (?:re-?)?(?:running|executing|calling"
         rf"|doing)|with the help of|by means of)(?: (?:a|the))*\s+(?={_C})", r"\g<at>run "),
        (rf"{_AT}(?:prove|show|verify|check|confirm|demonstrate|test|see)(?: me| us)?(?: that)? (?:it|this|that"
         rf"|they|these|both"
         rf"|everything|all|the \w+)(?: (?:still|really|all|now))?(?: (?:works?|holds?|passe?s?|compiles?|builds?"
         rf"|runs?|is|are))?(?: (?:fine|ok|green|correct|right|done|clean))?\s*[:：(（]\s*(?={_C})", r"\g<at>run "),
        (rf"(?P<at>(?:^|[.;!]\s*)(?:(?:and|then|finally|afterwards|please|also|now|next|first|ok|okay),? )*)(?:test"
         rf"|verify|check|validate|lint"
         r"|build|compile|confirm|prove|format|finish|run)(?: (?:it|this|that|everything|all|them|yourself|your (?:work"
         r"|changes?|fix)|the (?:changes?|results?|fix|work|code|whole thing)))?(?: (?:with|by|via|using"
         r"|like (?:this|so|that)"
         rf"|as follows|locally|again|at the end|when done|afterwards))*\s*[:：=]\s*(?={_C})", r"\g<at>run "),
        (rf"{_AT}(?:fix|resolve|clear|clean up|get rid of|eliminate|address|repair|remove"
         rf"|iron out) {_TROUBLE} (?:of|from|in|by"
         r"|with|(?:that )?(?:are |is )?(?:reported|shown|found|raised|listed|flagged|produced|given) by|out of) "
         rf"(?:running |the )?(?P<c>{_C})", r"\g<at>make sure \g<c> passes, "),
        (rf"{_AT}(?:fix|repair|mend|heal|green) (?:the |this |that )?(?:failing |broken |red "
         rf"|flaky )+(?:\w+ )?(?:tests?|specs?"
         rf"|suite|build|checks?|job|run)?\s*[,:：(（–—-]?\s*(?P<c>{_C})", r"\g<at>make sure \g<c> passes, "),
        (rf"{_AT}(?:(?:re-?)?run|do|make|perform"
         rf"|execute) [^.;:?()（）{_C[1:-1]}]{{2,60}}[(（](?P<c>{_C}(?:\s*&&\s*{_C})*)[)）]", r"\g<at>run \g<c>"),
        (rf"(?P<c>{_C}) (?:is|are) (?:the |my |our |your |a |an )(?:\w+ )?(?:gate|yardstick|criterion|criteria"
         rf"|acceptance"
         r"(?: test| check)?|bar|benchmark to pass|must|judge|referee|measure|requirement|bar to clear"
         r"|final word)\b(?! (?:in|on|at|for|of)\b)",
         r"\g<c> must pass"),
        (rf"\b(?:a |the )?(?:green|clean|passing|successful|error-free) (?:run of |pass of )?(?P<c>{_C}) (?:is"
         rf"|are) (?:mandatory"
         r"|required|obligatory|a must|needed|necessary|the goal|expected|essential|compulsory)\b", r"\g<c> must pass"),
        (r"(?P<at>(?:^|[.;!]\s*))(?:last but not least|to (?:finish|wrap up|round (?:it|this) off|be (?:sure|safe"
         r"|certain))"
         r"|for good measure|to be on the safe side|and then|as always|as usual|finally|lastly)\s*[,:：–—-]*\s*"
         rf"(?={_C}\s*(?:$|[.;!,]|please))", r"\g<at>run "),
        (rf"{_AT}(?:run|re-?run|execute) (?:the|all|our|your|every|unit"
         rf"|type)\b[^.;:?(（{_C[1:-1]}]{{2,50}} (?<!\bin )(?<!\bof )"
         rf"(?<!\bfrom )(?<!\bfor )(?<!\bby )(?<!\blike )(?<!\bto )(?P<c>{_C})(?=\s*(?:$|[.!;]))", r"\g<at>run \g<c>"),
        (rf"(?P<c>{_C}) [^.;?]{{0,60}}[;,.—–-]\s*(?:please |so |and |always |just )*(?:run|execute) (?:it|this|that)\b"
         r"(?! (?:only |just )?(?:if|when|in|as|with|through|on|by))", r". run \g<c>"),
        (r"(?P<at>^|[.;!]\s*)(?:the )?(?:unit |relevant |related )?(?:tests?|checks?|verification|lint|build"
         r"|types)\s*[:：]\s*"
         rf"(?={_C}\s*[.;!]?$)", r"\g<at>run "),
        # when, without a comma
        (rf"(?P<at>(?:^|[.;!]\s*)(?:once|when|whenever|after|as soon as|before|upon"
         rf"|prior to)\b[^,.;:?{_C[1:-1]}]{{0,60}}?"
         r"\b(?:done|finished|complete|ready|through|over|that|this|which|changes?|edits?|merge|step|file|commit\w*"
         r"|in place"
         r"|everything|all|it|\w{3,}(?:ed|ing|ten|own|ung|one)))\s+(?=(?:please |then |kindly |also )*(?:re-?run"
         r"|run|execute)"
         rf"\b[^.;:,]{{0,30}}{_C})", r"\g<at>, "),
        # Chinese
        (rf"(?P<at>^|[，。；：、\s]|先|再|请|要|后|得|就|并|把)(?:跑通|跑过|过一遍|走一遍|试跑|试一下|试试|跑跑"
         rf"|调一下|敲)\s*(?={_C})",
         r"\g<at>运行 "),
        (rf"(?P<at>记得|记着|别忘了?|顺手|顺便|麻烦|劳烦|烦请|辛苦|最后|然后|接着|随后)(?:也|再|先|都|要"
         rf"|把)*\s*(?=(?:{_C}[、，和 ]*)+\s*(?:一下|一遍|一次|$|[，。；]))",
         "，运行 "),
        (rf"(?:看看|看下|看一下|确认下|确认一下|瞅瞅|检查下|检查一下)\s*(?P<c>{_C})\s*(?:的)?(?:结果|输出|过不过"
         rf"|能不能过|是否(?:通过|成功)|有没有(?:报错|问题|错))",
         r"，运行 \g<c>"),
    )
)  # fmt: skip
_ASKED = lazy(
    r"^(?:\W|(?:and|then|also|so|ok|okay|great|thanks|now)\b)*(?:(?:would|could|can|will) you\b"
    r"|(?:can|could|shall|should) we (?:\w+ )?(?:re-?)?run\b|(?P<foreign>(?:você )?pode(?:ria)?|puedes|podrías"
    r"|kannst du|könntest du|peux-tu|pourrais-tu|tu peux|можешь|можете)\b)",
    re.IGNORECASE,
)
_STATED = lazy(r"\b(?:why|how|where|who|which|explain|tell me what|what (?:is|are|does|do)|describe)\b", re.IGNORECASE)


_NAMES = lazy(rf"{_C}|test|spec|suite|测|用例", re.IGNORECASE)
"""What a sentence has that can be a demand."""


def reword(text: str) -> str:
    """Return a sentence in which indirect wordings of an instruction are plain ones."""
    if not _NAMES.search(text):
        return text
    asked = _ASKED.match(text)
    if asked and text.rstrip().endswith("?") and not _STATED.search(text):
        text = text[asked.end("foreign") if asked["foreign"] else 0 :].strip()[:-1] + "."
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return text
