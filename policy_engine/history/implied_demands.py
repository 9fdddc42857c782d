"""Decide of a check that no phrase demands whether its sentence implies it: how linked, what told, what wanted.

Three closed questions, since phrases cannot be listed: the word before the command links it to its clause without
making it the object of the work ("split `make test`" is work on the target); the sentence tells nothing of the past, of
somebody else or of a text; and it says what is wanted: success, an obligation, a check or a time. For known programs
only, so that what the work itself builds ("`mytool check` must print …") is none.
"""

from __future__ import annotations

import re

from policy_engine.history.clause_moods import DESCRIBES, PAST, is_own_deed, is_written
from policy_engine.model.lazy_regex import lazy

_NEAR = 300  # characters on each side that are read
_MARK = "[\ue000-\uf7ff]"
_LINKED = lazy(
    r"(?:^|[.;:,，。；：、(（→⇒\n]|->|=>|\s[-–—]"
    r"|\b(?:and|then|that|so|with|via|by|using|through|until|till|before|after|once|certain|sure|guarantee|ensure|case"
    r"|(?:a |an |the |with )*(?:green|clean|failing|red|passing|broken|successful|error-free)(?: run of)?"
    r"|(?:zero|no|empty) \w+ (?:from|in|of|by)|(?<!you )(?<!i )(?<!we )(?<!they )(?:(?:re-?)?run|execute)|get|keep"
    r"|have|bring|u|please|pls|(?:always|finally|also|now|again|first|last|next|afterwards))"
    r"|danach|anschließend|bitte|noch ?mal|noch einmal|but|as long as|so long as|provided|[用让使跑后前再先要得完]"
    r"|运行|执行|确保|保证|然后|最后|测试命令|验证命令)\s*[\"'“”「]?\s*$",
    re.IGNORECASE,
)
_SUCCESS = (
    r"pass\w*|green|clean|happy|quiet|silent|succe\w+|nothing|zero|no (?:more|longer|output|errors?|warnings?"
    r"|failures?)"
    r"|error-free|without|surviv\w+|enough|suffic\w+|explod\w+|works? again|still works?|works?(?=[.;,!]|$)|compiles?"
    r"|builds?(?=[.;,!]|$)|through|ok|okay|fine|[绿过]|报错|无误"
)
_WANTED = lazy(
    rf"(?:\b(?:{_SUCCESS}|must|ha(?:s|ve) to|needs? to|verif\w+|validat\w+|confirm\w*|coverage|sanity|double-?check"
    r"|check (?:that|it|everything|nothing|all|if|with)|(?:make|be) (?:sure|certain)|ensure|guarantee|until|till"
    r"|(?:doesn't|does not|nothing|not|won't) (?:break|regress|fail)|before (?:you|it|we|the (?:pr|commit|merge))"
    r"|(?:after|for) (?:each|every)|at the (?:very )?end|afterwards|in the end"
    r"|finally|lastly|done|finish\w*|commit|push|hand (?:it|this|that|over|back)|submit|deliver|come back"
    r"|report back|try it|test it|please|pls|real quick)\b"
    r"|muss|grün|danach|anschließend|get (?:it|this|that|them) to|要|看看|有没有|必须|务必|保证|确保|确认|验证|检查"
    r"|提交|结束|完成|记得)",
    re.IGNORECASE,
)
_TOLD = lazy(
    r"\b(?:(?:is|are|gets?) \w+(?:ed|n) by|was|were|did|ran|tried|got|had|said|says|told|yesterday|ago"
    r"|previous(?:ly)?|already|used to|usually|normally"
    r"|currently|examples?|e\.?g|such as|docs?|documentation|readme|guide|changelog|pages?|tutorial|wiki|ci|pipelines?"
    r"|workflows?|hooks?|scripts?|targets?|jobs?|agents?|users?|colleagues?|team|managers?|customers?|people|he|she"
    r"|because|why|how|what|where|which|who|whether|when (?:i|you|we|users?|people) \w+|if|unless|in case|optional\w*"
    r"|missing|alias(?:es)?|hints?|messages?|adr|instead|rather|never|wizard|plugin|app|tool|installer|dockerfile"
    r"|makefile"
    r"|support\w*|implement\w*|document\w*|describe\w*|explain\w*|mention\w*|deprecat\w*|renam\w*|between|versus|vs"
    r"|will run|runs|(?:you|we|one) can"
    r"|prints?|shows?|outputs|displays?|calls?|called|named|bug|reproduc\w*|log|no need|needn'?t|may|might|could|would"
    r"|(?:don'?t|do not|cannot|can'?t|not|stop|skip|avoid|without) (?:\w+ )?(?:run\w*|us\w+|execut\w*|touch\w*"
    r"|need\w*|think|call\w*|try\w*))\b"
    r"|仅限|只限|自动|询问|是否|提示|便于|以便|支持|用于|建议|可以?(?=运行|执行)|后续|文档|脚本|流水线|用户|例如"
    r"|比如|昨天|之前跑|不要|不用|别(?!忘)|无需|如果|怎么|为什么|什么|原因|说明",
    re.IGNORECASE,
)
_GOES_ON = lazy(
    rf"^\s*[\"'”」]?\s*(?:$|[.;:,!)），。；！、→⇒]|->|=>|[-–—]"
    r"|(?:and|then|so|to (?:be|make|see|verify|check|confirm|pass|succeed)|in (?:each|every|all)|for (?:each|every"
    r"|all|verification)"
    r"|until|till|at|after|afterwards|before|once|again|please|pls|plz|just|so that|real quick|real|quick|too"
    r"|as well|first|on|all|both|each|still|back|green|clean|passing|locally|now)\b"
    r"|(?:(?:should|must|shall|has to|have to|needs? to|ought to|does|do|may|can)(?:n'?t| not| no longer| never)? )?"
    rf"(?:no longer |never |not |nothing |not a single )*(?:regress|{_SUCCESS}|be (?:{_SUCCESS})|has nothing|fail|break"
    rf"|warn|crash|err|complain"
    r"|goes|go|comes?|stays?|keeps?|is (?:all )?(?:passing|green|clean|happy|ok|fine|quiet))\b|[一-鿿])",
    re.IGNORECASE,
)
_NOT_ON = lazy(
    r"^\s*(?:的|太|很|慢|报错|出错|失败|报了|挂|卡|已|被|还没|不(?!报错|出错)|在[^，。]{0,6}[里中]|是|会|时|is (?:slow"
    r"|missing|broken|deprecated|wrong|outdated|the|an?)\b|(?:and|or) \w+s\b"
    r"|on (?:windows|mac\w*|linux|the|every)|fail(?:s|ed)|for (?:the|a)\b)",
    re.IGNORECASE,
)


_NAMED = lazy(
    r"\b(?:commands?|scripts?|alias|examples?|errors?|warnings?|logs?|outputs?|currently|today|question|usage"
    r"|syntax|title"
    r"|quotes?|strings?|expansion|probes?|hashes|inside|name|setup|stack|tools?|options?|subcommands?)\b|命令|例|错误"
    r"|日志|问题",
    re.IGNORECASE,
)
"""What a label says that a command behind a colon is, in place of demanding it."""
_SENTENCE = lazy(r"[.;。；]\s")
_DESCRIBED = lazy(
    rf"^\s*(?:[-–—=:：]|->|→)(?!\s*(?:\W*\d|must|should|has to|needs to|{_SUCCESS}|全|都|要|必))", re.IGNORECASE
)
"""A command that begins an entry, and behind it what it does."""
_CHECKED = lazy(
    r"(?:test|check|verif|valid|build|lint|run|format|compil|gate|accept|done|finish|final|last|then|after|before|first|测|验|检|构建|运行|执行|最后|完成"
    r"|green|comando|befehl|commande|команд)[^:：]*[:：]\s*$",
    re.IGNORECASE,
)
_LAST = lazy(r"^\s*(?:[.!]|$)")


def is_implied(before: str, after: str) -> bool:
    """Return whether a sentence implies that the check in it is to succeed.

    Args:
        before: the sentence up to the command
        after: the sentence behind it
    """
    before, after = before[-_NEAR:], after[:_NEAR]
    said = _SENTENCE.split(before)[-1]
    if (
        PAST.match(said)
        or DESCRIBES.match(said)
        or is_written(before)
        or is_own_deed(before, after)
        or "?" in after
        or "？" in after
        or _TOLD.search(before)
        or _TOLD.search(after.split(".")[0])
    ):
        return False
    if not _LINKED.search(before) or not _GOES_ON.match(after) or _NOT_ON.match(after):
        return False
    if not before.strip() and _DESCRIBED.match(after):
        return False
    if _CHECKED.search(before) and _LAST.match(after) and not _NAMED.search(before):
        return True
    return _WANTED.search(re.sub(_MARK, " ", before) + " " + after) is not None
