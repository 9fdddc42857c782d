"""Decide which words of a prompt speak to the agent, before anything in them is read as a demand.

A person quotes errors, relays what others said, gives texts to be translated and describes how things are. Such words
hold orders that nobody gives. Three structures tell them: what introduces them (a report with a colon, a request about
a text), the quotes around several words, and a sentence whose subject is a thing or somebody else and that says nothing
of what ought to be.
"""

from __future__ import annotations

import re

from policy_engine.model.lazy_regex import lazy

_MARK = "[\ue000-\uf7ff]"
_OPENING = lazy(
    r"\A\s*(?:(?:/[a-z][\w:-]*|@[\w./-]+)\s+(?=\S))*(?:(?:hey|hi|hello|hmm+|well|yo|great|nice|cool|perfect|thanks"
    r"|claude|codex)\b[,!.]*\s+)*",
    re.IGNORECASE,
)
"""What stands before the first sentence: a slash command, files that are named, a greeting."""
ASIDE_TITLE = lazy(
    r"\b(?:later|not now|not yet|future|out of scope|non-?goals?|backlog|nice[- ]to[- ]have|post-\w+|someday|ideas?"
    r"|follow-?ups?|optional|background|motivation|history|examples?|current (?:state|status|situation|behaviou?r"
    r"|implementation|setup)|previous\w*|prior work|already done|what (?:has been|was|we|i)\b.*(?:done|tried|did))\b"
    r"|^\W*(?:features|prerequisites|installation|usage|getting started|quick ?start|project structure|tech stack"
    r"|license|contributing|api endpoints|configuration|table of contents)\W*$"
    r"|以后|后续|未来|将来|暂不|可选|背景|历史|现状|示例",
    re.IGNORECASE,
)
"""Titles of what is not to be done now, or not at all."""
_WHO = (
    r"(?:you|he|she|it|they|\w+ (?:said|says)|boss|colleagues?|friend|someone|readme|docs?|documentation|wiki|guide"
    r"|manual|article|tutorial|page|message|error|warning|hint|log|output|console|terminal|compiler|linter|bot"
    r"|copilot|chat ?gpt|gpt|claude|gemini|codex|reviewer|issue|ticket|email|answer|prompt|text|sentence)"
)
_SAYS = (
    r"(?:said|says?|wrote|writes?|told(?: me| us)?|tells? (?:me|us)|suggest(?:s|ed)|replie[sd]|repl(?:y|ies)"
    r"|answer(?:s|ed)?|reads?|states?|recommend(?:s|ed)?|prints?|printed|responded|responds|shows?|showed|gave|gives?"
    r"|got|was|is)"
)
_MATERIAL = lazy(
    rf"\b{_WHO}\b[^.:;!?\n{_MARK[1:-1]}]{{0,30}}\b{_SAYS}\b[^.:;!?,\n{_MARK[1:-1]}]{{0,25}}[:：]\s"
    r"|(?:^|[.!?\n] *)(?:(?:please|can you|could you|pls) ){0,3}(?:translate|explain|rephrase|reword|summari[sz]e"
    r"|proof-?read|shorten|paraphrase|analy[sz]e|interpret)\b[^.:!?\n]{0,60}[:：]\s"
    r"|(?:^|[.!?\n] *)(?:(?:the|an?|my|this|full|exact|following|same|new|another) ){0,4}(?:[a-z]+ )?(?:error|warning"
    r"|exception|traceback|stack ?trace|log|output|stderr|stdout|hint)s?(?: (?:message|log|output|text))?\s*[:：]\s"
    rf"|(?:报错|错误(?:信息)?|日志|提示|输出|他说|她说|你说|文档[里中]?(?:写|说)|翻译|解释)[^，。：:{_MARK[1:-1]}]{{0,10}}[:：]",
    re.IGNORECASE,
)
"""What introduces words of somebody else or of a program, to the end of their paragraph."""
_QUOTES = lazy(r"\"([^\"]{1,600})\"|“([^”]{1,600})”|「([^」]{1,600})」|(?<!\w)'([^'\n]{12,400})'(?!\w)")
_PASTED = lazy(
    r"(?<![^\s:：(])[\"“](?=[^\"“”\n]{8}[^\"“”\n]*\n)(?:[^\"“”\n]*\n){2}.*(?:[\"”](?=[\s.]*\Z)|\Z)"
    r"|\A.*(?:什么意思|\bwhat (?:do|does) (?:this|that|it|these|those) mean\b|\bwhat(?: is|'s) this (?:for|about)\b)",
    re.DOTALL | re.IGNORECASE,
)
"""A quote of several lines, and what is asked about."""
_SUBJECT = lazy(
    r"^\W*(?:(?:so|and|but|also|now|then|well|yes|no|ok|okay|currently|actually|because|since|as|however|basically"
    r"|anyway|right)\W+)*(?:the|an?|this|that|these|those|its?|there|he|she|they|we|i|my|our|his|her|their|some|many"
    r"|people|users?|usually|who|which)(?:['’](?:s|re|ve|m|d|ll))?(?![\w.-])",
    re.IGNORECASE,
)
_IT = lazy(
    rf"^\W*{_MARK}(?:\W|and(?=\W))*(?!\W|(?:pass|succeed|exit|run)e?s)(?:(?:still|now|also|just) )?[a-z]{{3,}}s\b", re.I
)
"""A command that does something."""
_ROLE = lazy(
    r"^(?!(?:test|spec|check|build|lint|suite|case|alway|thi|unles|type|make)s\b)[a-z]{3,}[^s\W]s (?:only |also )?"
    r"(?:after|before|the|an?|what|no|not|all|from|into|on|with)\b"
)
"""What a role does, as the entry of a list tells it."""
_DOES = lazy(
    r"^\W*(?:the|this|that|each) (?!last|next|final|first)[\w-]+ (?!(?:is|has|was|count|need|pass\w*|succeed|exit|work"
    r"|test|build|check|spec|goe|come|fail|suite|run|job|change|mean|let|must|require)s?\b)[a-z]{3,}[^s\W]s\b",
    re.IGNORECASE,
)
_OWED = lazy(r"\b(?:must|should|make sure|ensure|ha(?:s|ve) to|needs? to|please|fix|want|can you)\b", re.IGNORECASE)
"""What a thing that is made does."""
_CONTINUED = lazy(r"\s\\\n\s*")
SIMPLE = str.maketrans(
    "請執測試運驗證確認後過構編譯檢條標準無錯誤報須務結並將從實現幫軟補順這個嗎們時會讓為沒還開啟動",
    "请执测试运验证确认后过构编译检条标准无错误报须务结并将从实现帮软补顺这个吗们时会让为没还开启动",
)
"""Traditional characters, read as the simplified ones."""
_OUGHT = lazy(
    r"\b(?:must|should|shall|ought|ha(?:s|ve) to|ha(?:s|ve) got to|had better|gotta|needs?|wants?|wish|expect\w*|like"
    r"|love|appreciate|ask\w*|please|pls|plz|make sure|ensure|until|till|unless|only|before|required?|requires"
    r"|mandatory|let'?s|(?:can|could|would|will) you|remember|forget|fix\w*|repair|sort|goal|gates?|bar"
    r"|criteri\w+|accept\w*|merge|last|first|final|next|(?:task|job|step|command|order|aim|plan) is|so have"
    r"|(?:be|feel) (?:great|good|nice|fine|happy|glad|cool|lovely|helpful|grateful)|(?:is|['’]s|counts?|are)"
    r"(?: \w+){1,3} (?:when|once|if|as soon as|after)|finish\w*|done|run (?:it|them|this|that|these|those)"
    r"|(?:muss|müssen|soll\w*|bitte|deb\w+|doit|doivent|deve|devono|должн\w+))\b|必须|要|请|确保|需",
    re.IGNORECASE,
)
"""What says that something ought to be, or asks for it."""


RECEIVED = lazy(
    r"\b(?:i|we)(?:'m| am| are|'re)? (?:also |just |now )?(?:got|get|getting|received?|see|saw)\b|收到|得到", re.I
)
"""What introduces the message of a program, without a mark."""


def own_words(text: str) -> str:
    """Return a paragraph without the words that it only quotes or relays; its commands are marks already."""
    material = _MATERIAL.search(text)
    if material:
        text = text[: material.end()].rstrip()
    whole = len(text.strip(" .!"))

    def quote(match: re.Match[str]) -> str:
        inner = next(part for part in match.groups() if part is not None)
        few = len(inner.split()) < 4 and sum(char > "\u3000" for char in inner) < 8
        return match[0] if few or len(match[0]) >= whole else '"…"'

    return _QUOTES.sub(quote, text) if material or '"' in text or "“" in text or "「" in text or "'" in text else text


def is_statement(sentence: str) -> bool:
    """Return whether a sentence says how things are: it begins with its subject, and nothing in it ought to be."""
    if _ROLE.match(sentence) or (_DOES.match(sentence) and not _OWED.search(sentence)):
        return True
    return bool(_SUBJECT.match(sentence) or _IT.match(sentence)) and _OUGHT.search(sentence) is None


def own_text(text: str) -> str:
    """Return a prompt without what stands before its first sentence, and without quotes of several lines."""
    text = _OPENING.sub("", _CONTINUED.sub(" ", text), count=1)
    return _PASTED.sub("\n", text) if '"' in text or "“" in text or "mean" in text or "意思" in text else text
