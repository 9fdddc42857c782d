"""Read the phrases around a command that demand it in English and Chinese, and commands in parentheses.

A row of the table has what stands before the command and what stands after it; either may be empty. A negation, a
question, a report of the past or a person who acts in the same clause takes the demand back.
"""

from __future__ import annotations

import re

from policy_engine.history import clause_moods
from policy_engine.model.lazy_regex import lazy

_MARK = "[\ue000-\uf7ff]"
_NOUN = (
    r"(?:lint(?:er|ing|s)?|(?:\b\w{1,20} )?tests?|test suite|suite|type[ -]?check(?:er|s|ing)?|build|compile[rd]?"
    r"|compilation|checks?|formatter|migrations?|benchmarks?|script|command|codegen|smoke test|nothing breaks"
    r"|everything (?:still )?(?:works|compiles|builds|passes)|检查|测试|单测|构建|编译|类型检查|格式化|pruebas?"
    r"|compilación|vérification|prüfung|テスト|ビルド)"
)
_ASIDE = lazy(
    rf"(?:\b(?:the|our|your|a|der|die|das|den|el|la|los|las|le|les)\s+)?(?:\b(?:full|whole|final|unit)\s+)?{_NOUN}"
    rf"\s*[(（]\s*(?:(?:with|via|using|i\.e\.|mit|con|avec|用)\s*)?({_MARK}(?:[\s,，、&+]*{_MARK})*)\s*[)）]",
    re.IGNORECASE,
)
_STATES = (
    r"the|an?|our|my|your|its?|this|that|these|those|we|i|you|he|she|they|there|when|if|as|because|since|while|where"
    r"|replaced?|document|rename|write|describe|compare|add|wrap|swap|work|explain|deal|start|call|name|label"
    r"|mention|\w+s"
)
"""First words of a clause that makes statements, or that asks for a change of the text of a command."""
_BEING = r"is|are|was|were|be|been|has|have|had|can|will|would|could|might"
_DEEDS = (
    r"add|adapt|adjust|address|apply|archive|backfill|bring|build|bump|change|clean|combine|commit|compile|convert"
    r"|copy|correct"
    r"|cut|delete|deploy|disable|do|drop|dry-run|edit|enable|extend|extract|finish|fix|format|generate|get|handle"
    r"|harden|impl|implement"
    r"|improve|increase|inline|install|introduce|make|merge|migrate|modify|move|optimi[sz]e|patch|port|pull|push"
    r"|put|rebase|rebuild"
    r"|reduce|refactor|regenerate|remove|rename|reorder|replace|resolve|restore|restructure|revert|rewrite|rework"
    r"|rm|run|set"
    r"|simplify|sort|speed|split|swap|switch|sync|tidy|tighten|turn|unify|update|upgrade|use|wire|write|no more"
)
REPAIR = (
    r"(?:fix(?: up)?|get rid of|take care of|sort(?= (?:it|this|that|them) out)|deal with"
    r"|(?:make|get)(?= (?:it|this|that|them) (?:to )?(?:work|pass|green|compile|build|run|go away|fixed|back))"
    r"|bring(?= (?:it|this|that|them) (?:down |back )?to (?:0|zero|green|no)\b)|repair|mend|solve|resolve|debug|address"
    r"|correct|unbreak|corr[ií]g[ea](?:l[oa]s?)?|corrija"
    r"|arr[eé]gla(?:l[oa]s?)?|repara|soluciona|conserte|arrum[ea]|resolva|répare|fixen?|behebe?n?|repariere?n?"
    r"|korrigiere?n?|correggi|sistema|почини(?:те)?|исправь(?:те)?)"
)
"""Imperatives of repairing."""
FAULTS = (
    r"(?:errors?|warnings?|failures?|issues?|problems?|violations?|erros?|falhas?|errores|fallos|fehler|erreurs|ошибки)"
)
_END_ZH = r"(?:提交|合并|结束|推送|收工|完成|交付|发布|停)"
_ROWS = tuple(
    (lazy(rf"(?:{before})\s*$", re.IGNORECASE), lazy(rf"^\s*(?:{after})", re.IGNORECASE))
    for before, after in (
        # English
        (r"\b(?:as|the) (?:usual|always)\b[^.!?]{0,40}[:：]", r""),
        (r"\b(?:finish|end|conclude|close) (?:off |up )?with (?:a |an )?(?:clean |green |final |successful )?", r""),
        (r"^(?!(?:our|the|my|a|this|that|each)\b)[^:：?.]{3,80}(?:→|->|=>|⇒)", r"[.。]?$"),
        (r"(?:^|[.;]\s*)(?:before (?:you |the |we )?[^.:?]{2,40}|(?:and )?(?:then|finally|lastly|afterwards))[:：]",
         r""),
        (r"\b(?:no|never|don't|do not) (?:commit|merge|push|release|hand|pr|report|claim|finish|stop|say|declare"
         r"|submit)\w*\b[^.?]{0,30}\bwithout (?:having )?(?:a |an )?(?:green |clean |passing |successful )?"
         r"(?:running |run of |run )?", r""),
        (r"\b(?:your|the) (?:last|final|first|next) (?:step|thing|action)(?: to do| to run)?"
         r" (?:is|must be|has to be)(?: always| to run| running)?[:：]?", r""),
        (r"\b(?:make|get|bring|turn) (?:it|this|that|everything|all|(?:the )?[\w-]+) (?:to )?(?:compile|build|pass|work"
         r"|green|clean)(?:ing)?(?: again)?\s*[:：(]", r""),
        (r"(?:^|[.;,]\s*|\b(?:please|pls|plz|then|and|just) )(?:do|type|issue)\s*[:：]", r""),
        (r"(?:^|[.;,]\s*|\b(?:then|please|and)\s+|(?:^"
         r"|[.;]\s*)for [^.;,:?]{2,40} )use", r"to (?:make sure|ensure|verify|check|confirm|validate"
         r"|see|find|inspect|list|determine|figure|diagnose|identify|get|(?:re)?generate|(?:re)?build"
         r"|format|lint|test|migrate|seed)\b"),
        (r"\bwith (?:a |an )?(?:passing|green|clean|successful)", r""),
        (r"\b(?:create|add|install|do|make|generate|set up)\b[^.;?]{0,60}\b(?:via|using|with|through) (?:the |its )?"
         r"(?:cli|command(?: line)?|terminal)\s*[:：]", r"(?:$|[.;,])"),
        (r"(?:^|[.;,]\s*|\b(?:please|then|and)\s+)(?:call|use)", r"to (?:re-?)?(?:build|compile|install|deploy)\b"),
        (r"\b(?:get|bring|drive|keep|take)",
         r"(?:all |both )?(?:(?:down |back )?to (?:zero|0|no|exit|green|pass)|(?:back )?(?:through|passing|working))"
         r"\b"),
        (r"(?:^|[.;]\s*|\b(?:please|then) )(?:run|execute) [^.;:?]{3,60}[:：](?:\s*[\w ()/-]{1,30}[:：])?", r""),
        (r"\bso(?: that)?", r"(?:still )?(?:pass(?:es)?|succeeds?|works?|(?:is|are) (?:all )?(?:green|clean|passing)"
         r"|(?:returns?|exits?) (?:0|zero|clean\w*|green))\b"),
        (r"\bfor (?:the |a )?(?:final |last )?(?:check|verification|validation|proof),? (?:please )?use", r""),
        (r"\b(?:convince|satisfy) yourself (?:with|by|of|that)", r""),
        (rf"(?:^|[.;,]\s*|\b(?:and|then|please)\s+)(?!(?:{_STATES})\b)[a-z]+ (?:(?!(?:{_BEING})\b)[\w'-]+ ){{1,8}}"
         r"(?:with|using|via)", r"[.;,]?\s*(?:$|(?:and|that|so|to)\b)"),
        (r"", r"(?:all |both |still )?(?:must|should|shall|may|can|has to|have to|needs? to)(?:n't|not| not| never)"
         r" (?:break|fail|regress|crash|complain|warn|(?:go|turn|be) red)"
         r"(?: any ?more| again| either| afterwards| then)?\s*(?:$|[.,;!)）])"),
        (r"^(?:and |that |then )*(?:all|both|each)(?: of)?(?: the)?", r"(?:still |also )?(?:pass(?:es)?|succeeds?"
         r"|(?:is|are) (?:green|clean)|exits? (?:with )?0)\b"),
        (r"(?:^|[.;,]\s*|\b(?:and|then|please)\s+)(?:re)?(?:build|test|check|verify|format|lint|compile|install"
         r"|generate|validate|migrate|deploy|seed|type-?check|audit|benchmark|package|debug)"
         r" (?:with|using|via)", r"[.;,]?\s*(?:$|(?:and|that|so|to|done)\b)"),
        (r"(?:^|[.;]\s*)(?:always )?", r"first(?:$|[.,;]| (?:before|and|then|when|to)\b)"),
        (r"\bwith", r"as (?:the |a |final |your |my )*(?:proof|evidence|check|verification|gate|test|acceptance)\b"),
        (r"^(?:(?:please|pls|plz|ok|okay|now|just|first|let'?s|then)\W+)*",
         rf"(?:[,&+;]+\s*|(?:and|then) )(?:(?:and|then|please|also) )*(?:{_DEEDS}|give|tell|show|summari[sz]e"
         rf"|explain|check|see|look"
         r"|report|paste|list|analy[sz]e|describe|verify|continue)\b"
         r"(?! (?:are|is|was|were|have|has|takes?|needs?|fail\w*|do(?:es)?n'?t|both|gives?|says?)\b)"),
        (r"^(?:(?:and|ok|so|please) )*(?:after that|afterwards|at the end|when done|in the end|then|finally),?",
         r"(?:$|[.!]|please\b)"),
        (r"\bwith", r"(?:still )?(?:passing|green|clean|working)\b"),
        (r"\b(?:don'?t|do not|not|never|without) break(?:ing)?", r""),
        (rf"(?:^|[.,;!]\s*|\b(?:and|then|please|y|e|et|und|и) ){REPAIR} (?:\w+ ){{0,3}}{FAULTS} (?:\w+ )?"
         r"(?:of|from|in|by|with|d\w{1,2}|von|aus|из|в)", r""),
        (r"(?:^|[.,;!]\s*|\b(?:y|e|et|und|и|dann|luego|depois|puis|потом) )(?:haz|fais|faça|dá|mache?|сделай)"
         r"(?: (?:une?|um|ein(?:en)?|mal))*", r"(?:$|[.,;!]|(?:y|e|et|und|и|bitte|por favor)\b)"),
        (r"(?:^|[.;]\s*)",
         r"(?:->|→|=>|=|:)\s*(?:(?:must|should) be |all )*(?:green|clean|exit 0|(?:0|no|zero) errors|pass(?:es)?)\b"),
        (r"(?:^|[.;,]\s*|\b(?:an?|with|and|need|want|then) )(?:clean|green|passing"
         r"|successful)", r"run\b(?! (?:of|in|is|was)\b)"),
        (rf"(?:^|[.,;!]\s*|\b(?:and|then|please|can you) ){REPAIR} (?:\w+ ){{0,3}}{FAULTS}\s*[(（:]", r"(?:[)）]|$)"),
        (r"\bkeep (?:on )?(?:re-?)?running", r""),
        # Chinese
        (r"(?:提交|推送|完成|更新|修改)[^，。]{0,6}(?:并|再|后|然后)", r"(?:$|[。，])"),
        (r"(?:^|[，。；])", r"(?:查看|看|检查|对比|确认)(?:一下|下)"),
        (r"(?:^|[，。；：、后先再]|最后|记得)", r"(?:一下|一遍|一次)"),
        (r"(?:[改修跑]|一直|直)到", r"(?:完全)?(?:没有?|无|不再?)(?:任何)?(?:报错|错误?|警告|问题)[^。]{0,4}"
         r"(?:为止|$|[，。])"),
        (r"(?:^|[，。；：、])", r"(?:都|也)?(?:要|需要?|得|必须|应该?)[^，。；]{0,10}(?:跑|运行|执行)"),
        (r"(?:^|[，。；：前后])请?先", r"(?:$|[。，再])"),
        (rf"(?:{_END_ZH}|部署|上线|推送|打包|发版)(?:之)?前(?:[:：,，]|\s|请|先|须|需)*", r"(?:$|[。；;])"),
        (r"(?:^|[，。；：、]|后)", r"(?:不能|不得|不应|不许|不可)(?:再)?(?:有|出现|报)[^，。]{0,4}(?:警告|错|失败)"),
        (r"(?:先|再|要|请|必须|你|^|[，。；])你?[让使把]", r"(?:能|都|全部?|重新)*(?:通过|跑通|成功|变?绿|跑过)"),
        (r"(?:条件|前提|标准|标志|目标|要求|门槛)(?:是|为)", r"(?:能|都|全部|全)*(?:绿|通过|跑通|成功|变绿|无错)"),
        (r"(?:别|不要)忘(?:了|记)?[^，。]{0,6}?(?:跑|运行|执行|用)?(?:一遍|一下|一次)?", r""),
        (r"(?:^|[，。；]|再|先|后)\s*用", r"(?:再)?(?:跑|走|过|测)"),
        (r"(?:^|[，。；：、]|后)", r"(?:全部|都)?(?:要|得|必须|需要?|应)(?:全部|都)?(?:能够?|可以)?(?:编译|构建"
         r"|运行|跑)?(?:过|通过|成功)"),
        (r"(?:^|[，。；：、]|在)", r"(?:没|未)?(?:全部|都)?(?:通过|成功|没有?报错|无错)之?前[^。]{0,4}"
         r"(?:不要|别|不得|不许|不能)"),
        (r"没(?:有)?(?:跑|运行|执行|通)?(?:过|通过)?", rf"(?:(?:通)?过)?.{{0,6}}?(?:不许|不准|不能|不得|不可|别"
         rf"|不要).{{0,4}}{_END_ZH}"),
        (r"(?:等|等到|待|跑通|通过|跑完|跑过|运行完|执行完)", rf"[^，。；]{{0,10}}?(?:再|才|之后|以后"
         rf"|后)[^，。；]{{0,4}}{_END_ZH}"),
        (r"(?:^|[，。；：、]|后|先|再|把)", r"(?:都|全部|各|再|也|先)*(?:走|跑|过|执行|运行|跑通)(?:一遍|一下|一次"
         r"|一轮)"),
        (r"(?:老规矩|照旧|照例|按惯例)[^。？]{0,20}[:：,，]", r""),
    )
)  # fmt: skip
_TAKEN_BACK = lazy(
    r"\b(?:(?:you|we|one) (?:can|may|could)|why|how|what|which|who|example|was|were|ran|said|says|i|he|she|they)\b"
    r"|为什么|怎么|如何|例如|比如|昨天|上次|我们?\s*(?:跑|运行|执行)|自动|同事|脚本|程序|系统|流水线|用户|示例|说明",
    re.IGNORECASE,
)
_TAKEN_AFTER = lazy(r"^[^.。!！;；]*[?？]|^[^.。]{0,12}不是")
_CLAUSE = lazy(r"[.!?。！？\n]")


_ORDER = lazy(
    r"(?:\W|\b(?:first|firstly|then|next|and|after that|afterwards?|finally|lastly|last|second(?:ly)?|third(?:ly)?"
    r"|steps?|in|this|order|please|run)\b|[先再请]|然后|接着|最后|依次|步骤|按顺序)*",
    re.IGNORECASE,
)
_NEXT = lazy(r"\b(?:first|then|next|finally|lastly)\b|[先再]|然后|接着|最后", re.IGNORECASE)


def is_sequence(text: str) -> bool:
    """Return whether a sentence without its commands says nothing but in which order they come."""
    return _NEXT.search(text) is not None and _ORDER.fullmatch(text) is not None


def open_asides(text: str) -> str:
    """Return the sentence with the command in the place of what it explains: "run the linter (X)" is "run X"."""
    return _ASIDE.sub(r" \1 ", text)


def is_phrased_as_demand(before: str, after: str) -> bool:
    """Return whether a row of the table demands the command that stands between two texts of a sentence."""
    said = _CLAUSE.split(before.rstrip())[-1]
    if _TAKEN_BACK.search(said) or _TAKEN_AFTER.match(after):
        return False
    if any(head.search(before) and tail.match(after) for head, tail in _ROWS):
        return True
    return clause_moods.demands(said, after)


_WORK = lazy(rf"^\W*(?:(?:please|now|then|first|also|just|and|ok|okay)\W+)*(?:{_DEEDS})\b", re.IGNORECASE)
_WORK_ZH = lazy(r"(?:修复?|改|加|删|实现|重构|完成|更新|升级|迁移|优化|替换|补|写|调整|拆|合并|去掉|把|将)")
_LINK = (
    r"(?:\s|\b(?:first|one|a|final|last|more|another|and|then|finally|also|again|always|lastly|plus|now|afterwards?"
    r"|next|last|run|please|pls|plz|after(?: that| this)?|in the end|at the end|once more)\b|[再先]|然后|接着|最后"
    r"|之后|并|且)*"
)
_GREEN = (
    r"(?:\b(?:(?:is|are|be|stays?|all|both|still|nice and|should be|must be|has to be|needs to be|gotta be"
    r"|better be|to be)\s+)*"
    r"(?:x ?\d+ )?(?:clean|green|ok|okay|quiet|silent|passing|passes|pass|happy|exit 0|exits 0|zero errors"
    r"|no errors|0 errors|no warnings|error[- ]free)\b|(?:全|都|要|得|必须)*(?:绿|通过|过))"
)
_PLEAS = (
    r"(?:\s|\b(?:pls|plz|please|too|again|afterwards?|after|at the (?:very )?end|in the end|x ?\d+|\d+x|now|once"
    r"|thx|thanks|when (?:you're |you are )?(?:done|finished|through)|as well|twice|last)\b|一下|一遍|一次)*"
)
_BREAK = r"(?:[.;,+!&，。；、！]|→|->|=>|\s[-–—]\s)"
_ALONE = lazy(
    rf"(?:^|{_BREAK}|\s(?=then\b))({_LINK})(?:{_MARK}(?:[\s,，、+&/]|and|then|→|->|=>|和|再|然后)*)*$", re.IGNORECASE
)
_GREEN_AFTER = lazy(
    rf"^{_PLEAS}(?:[,，(（–—-]\s*(?=all|both|each))?{_GREEN}{_PLEAS}(?={_BREAK}|[)）]|$)", re.IGNORECASE
)
_NOTHING_AFTER = lazy(
    rf"^{_PLEAS}(?:(?={_BREAK}|and\b|then\b)|$|(?:for|against|on)\b[^.;?]{{2,40}}[.!]?$)", re.IGNORECASE
)
_NO_WORK = lazy(
    r"\b(?:was|were|is|are|has|have|had|fails?|failed|failing|says?|said|shows?|like|e\.?g|i\.?e|example|such as"
    r"|namely|including"
    r"|called|named|between|versus|vs|alias(?:es)?|scripts?|targets?|commands?|docs?|documentation|readme|hook"
    r"|pipeline|workflow|ci"
    r"|job|label|option|flags?|instead|not|never|without|don'?t|no longer)\b|[?？]|例如|比如|不要|文档|脚本|命令|别",
    re.IGNORECASE,
)

_CLAUSES = lazy(r"[.;:,，。；：、]")
_FIRST = lazy(r"\bfirst\b|先", re.IGNORECASE)


def gives_work(entry: str) -> bool:
    """Return whether an entry of a list begins with what is to be done, or is a check that is to be done."""
    if entry.rstrip(" *").endswith((":", "：")):
        return False
    return bool(_WORK.match(entry) or _WORK_ZH.match(entry) or entry.strip(" .;,").lower() in ("lint", "test", "build"))


def is_own_clause(before: str, after: str) -> bool | None:
    """Return whether commands that make a clause of their own are demanded: None, False (to be run), True (to succeed).

    "Split the module, `make check` green, commit" has three clauses; the second is demanded since it says what is to
    come out. Without such a word the clauses before it must give work, and it must be the last or have another behind.

    Args:
        before: the sentence up to the commands
        after: the sentence behind them
    """
    alone = _ALONE.search(before)
    if alone is None or _NO_WORK.search(before) or "?" in after:
        return None
    if _GREEN_AFTER.match(after):
        return True
    work = before[: alone.start()]
    clauses = [*_CLAUSES.split(work), *(_CLAUSES.split(after)[1:] if _FIRST.search(alone[1]) else ())]
    gives_work = any(_WORK.match(clause) or _WORK_ZH.match(clause.strip()) for clause in clauses) and (
        re.search(rf"{_MARK}\s*$", work) is None
    )
    return False if gives_work and _NOTHING_AFTER.match(after) else None
