"""Decide of one command in a sentence whether the words around it demand it, and as a condition or as a step."""

from __future__ import annotations

import re

from policy_engine.history.clause_moods import (
    ASKS,
    DESCRIBES,
    EXAMPLE,
    OTHERS,
    OWING,
    PAST,
    REPORTED,
    UNTOLD,
    is_own_deed,
    is_written,
)
from policy_engine.history.demand_deeds import is_deed
from policy_engine.history.demand_phrases import is_own_clause, is_phrased_as_demand
from policy_engine.model.lazy_regex import lazy

_NEAR = 4_000  # characters on each side that are read for one command
SPAN_MARK = "[\ue000-\uf7ff]"  # a code span

JOIN = (
    r"(?:\s|,|、|，|;|；|→|->|⇒|=>|/|&+|\+|\b(?:and|then|plus|or|both|also|finally|followed by|as well as|und|dann|y"
    r"|luego|et|puis|e|и)\b|和|と|や|及|以及|与|跟|然后|再|接着|最后|\d{1,2}[.)、]|[(（][^()（）]{0,40}[)）])*"
)
GROUP = lazy(f"{SPAN_MARK}(?:{JOIN}{SPAN_MARK})*")
_END = (
    r"(?:finish(?:ing|ed)?|commit(?:ting)?|push(?:ing)?|end(?:ing)?|stop(?:ping)?|submit(?:ting)?|conclud(?:e|ing)"
    r"|complet(?:e|ing|ion)|clos(?:e|ing)|merg(?:e|ing)|done|deliver(?:ing)?|releas(?:e|ing)"
    r"|hand(?:ing)? (?:(?:it|this|that) )?(?:over|back)"
    r"|report(?:ing)?(?: back)?|(?:you(?:'re| are) )done|(?:open|creat|mak)(?:e|ing)? (?:a |the )?(?:pr\b"
    r"|pull request)|(?:say|claim|declar)(?:e|ing)?)"
)
_AT_END = (
    rf"(?:before (?:you |the |it is |it's |we )?(?:can |may |are )?{_END}|(?:when|once|after) (?:you(?:'re| are"
    rf"| have)? |it(?:'s| is) |everything is |all is )?(?:done|finish(?:ed)?|complet(?:e|ed)|ready|through"
    rf"|implement(?:ed|ing))|at the (?:very )?end|as (?:a |the )?(?:last|final) step"
    rf"|(?:完成|结束|提交|交付|合并|推送|收尾|发布)之?前|结束之前|完成后|最后)"
)
PASS = (
    r"(?:does ?n'?t (?:give|show|report|throw|produce|print|break|complain|error|crash|warn|fail)\b|succeed(?:s|ed)?"
    r"|succeeding|(?:is |are |be |has |have |can |stays? |c[ao]mes? (?:out|back) |turns? |goes )?"
    r"(?:all |fully |completely |still )?(?:pass(?:es|ed|ing)?|green|clean|successful|ok|happy|silent|quiet|satisfied"
    r"|error[- ]free)|(?:goes|went|go|gets?|got|went) through|c[ao]mes? (?:back|out) (?:empty|without (?:any )?\w+)"
    r"|(?:returns?|exits?|ends?|reports?) (?:clean|green|ok|success\w*)|exits? (?:with )?(?:code |status )?(?:0"
    r"|zero|cleanly|successfully)|(?:can )?(?:runs?|compiles?|builds?|completes?|works?|starts?"
    r"|finish(?:es)?)\b(?! (?:(?:with)?in|both|all|the|an?|every|each|only|its?|these|those)\b)(?: (?:cleanly"
    r"|successfully|ok|fine|through))?|(?:reports?|has|have|shows?|gives?|returns?|leaves?|prints?|finds?"
    r"|with) (?:no|zero|0) (?:\w+ ){0,2}(?:diff|changes|errors?|warnings?|failures?|issues?|problems?|findings?"
    r"|offen[cs]es?|violations?|complaints?))"
)
_WITHOUT = r"(?:no|zero|without) (?:\w+ ){0,3}(?:errors?|warnings?|failures?|issues?|problems?|findings?|regressions?)"
MUST = (
    rf"(?:(?:must|should|shall|has to|have to|had to|needs? to|ought to|(?:is|are)"
    rf" (?:required|expected|supposed) to)(?: all"
    rf"| both| each| still| also| now| finally| then)*(?: be able to)? (?:{PASS}|(?:keep(?: on)?|continue to"
    rf"|remain) (?:pass(?:ing)?|green|work(?:ing)?|clean)|(?:be|come back|stay) (?:green"
    rf"|clean|silent|empty|run|running|working|executed|passing|successful|ok)|run\b|go through))"
)
MUST_ZH = (
    r"(?:(?:必须|务必|一定要|都要|均需|需要?|应当?|应该)(?:全部|都|均|能)?(?:运行|执行)?(?:通过|成功|为绿|变绿|跑通"
    r"|无误)|(?:全部|都|均|全都)?(?:运行)?(?:通过|成功|跑通|变绿|执行成功)(?:后|之后|以后|才|即可|为止|时)"
    r"|(?:必须|应当?|应该|要)(?:没有?|无|零)(?:任何)?(?:错误|报错|警告|问题|失败)|全部(?:通过|成功)|(?:都|均"
    r"|全部)?(?:得|要|必须)(?:全部|都)?能?(?:通过|过|跑通|成功))"
)
_FILL = (
    r"(?:\s|:|：|\"|'|“|”|\b(?:all(?: of)?|both|each(?: of)?|every|either|the|these|those|this|that|of|your|a|an"
    r"|full|whole|final|quick|clean|fresh|short|proper|following|command|commands|check|checks|test|tests|suite|script"
    r"|scripts|running|run|as"
    r"|ci|you(?: have|'ve)? (?:run|seen)|you can run|executing|using|with|via|by|is|are|be|pass(?:es|ing)?"
    r"|successful(?:ly)?|must|results? of|output of|outcome of|locally|again|one by one|exactly|just|simply)\b"
    r"|运行|执行|跑|命令|以下|所有|全部|通过|成功|依次|能够|可以|能)*"
)

ANNOUNCE = lazy(
    r"(?:\b(?:only (?:after|when|once|if)|(?:not|never|don'?t)\b[^.。]{0,40}\b(?:until|till|before)|until|till"
    r"|unless and until"
    rf"|\b(?:nothing|no \w+|not|never|don'?t|won'?t|can'?t|cannot)\b[^.。,]{{0,40}}\bunless"
    rf"|\bonly {_END}(?: \w+){{0,2}} (?:if|when|once|after)"
    r"|(?:done|finished|complete[d]?|accepted|ready|over) (?:only )?(?:when|once|after|as soon as|if(?: and only if)?)"
    r"|(?:finish|stop|end|complete|commit|merge|accept (?:it|this|that|(?:the|your) \w+)) (?:only )?"
    r"(?:when|once|after|if)"
    r"|(?:acceptance|completion|exit|success|done|verification|validation|quality|definition of done|required"
    r"|mandatory)(?: (?:commands?|criteri(?:a|on)|checks?|tests?|conditions?|gates?|steps?|plan))?\s*(?:[:：=]|\s(?:is"
    r"|are)\b|-\s|—)|acceptance commands?\b|definition of done\b|gates?:|dod\s*[:：]"
    r"|\b(?:acceptance|completion|success|gates?|criteri(?:a|on)|exit condition|bar)\b[^.?!:：]{0,30}[:：]"
    r"|must (?:all |also |always |first )?(?:run|pass|survive|succeed|execute)|ha(?:s|ve) to (?:run|pass|survive)"
    r"|needs? to (?:run|pass)"
    r"|(?:verif(?:y|ied)|validated?|confirm(?:ed)?|check(?:ed)?|prove[dn]?|type-?check|lint|build|measured?"
    r"|(?:re)?format|inspect|review|test(?:ed)?)\b[^.,;:!?]{0,40}?"
    r" (?:with|via|by|using|through)\b|by (?:re-?)?(?:running|executing)\b"
    rf"|(?:{MUST}|\b(?:make sure|ensure|verify|check)\b[^.,:]{{0,40}}\b{PASS})\b[^.。:：]{{0,40}}[:：]"
    r"|(?:passes|pass|passing|green)\b)|验收(?:命令|标准|条件|检查|要求)?\s*(?:[:：]|是|为)?|(?:完成|交付|合并"
    r"|发布)(?:条件|标准|标志|定义)|通过条件|只有|仅当|直到"
    rf"|{MUST} (?:with|under|via|using|by)\b"
    r"|(?:必须|务必|一定要|(?<!不)需要)(?:先|再)?(?:运行|执行|通过|跑通|跑|调用)"
    rf"){_FILL}$",
    re.IGNORECASE,
)
STRICT = lazy(
    r"(?:\b(?:acceptance|completion|done|required|definition of done|dod|exit|success)\b[^.。]{0,24}[:：]"
    r"|\bmust (?:run|pass)\b|only after|done when|验收|完成条件|完成标准)",
    re.IGNORECASE,
)
ASSURE = lazy(
    rf"(?:\b(?:make (?:very |\w+ly )?sure|ensure|be sure|guarantee|see to it|verify|check|confirm|double-?check|show"
    rf"|prove|demonstrate|see)(?: me| us)?(?: that| if| whether)?|确保|保证|确认|验证|检查){_FILL}$",
    re.IGNORECASE,
)
_WANT = lazy(
    r"\b(?:(?:i|we) (?:want|need|expect)|get|keep|have|leave|give|make|bring)(?: to see)?\s*$"
    r"|(?:^|[,，。；]|请|先|再|并|然后|最后|必须|务必|[前后完])\s*(?:使|运)?用\s*$",
    re.IGNORECASE,
)
_WANTED = lazy(
    r"^\s*(?:and |all |both |still )*(?:to (?:pass|succeed|come (?:back|out)|(?:exit|return) (?:with )?(?:code )?0"
    r"|(?:be )?(?:green|clean))|(?:back )?"
    r"to (?:pass(?:ing)?|green)|pass(?:ing)?\b|working|work again|green|clean|an? (?:go|try|run|spin|shot))\b"
    r"|^\s*(?:来|去|做)?(?:检查|验证|校验|测试|确认|编译|构建)",
    re.IGNORECASE,
)
VERB = (
    r"(?:run|re[- ]?run|try|execute|invoke|launch|perform|kick off|trigger|(?:fire|spin|bring) up|fire off|do(?= an? ))"
)
LEAD = (
    r"(?:please|pls|plz|kindly|simply|then|and|also|finally|next|first|firstly|now|always|again|just|afterwards?|lastly"
    r"|second|third|instead|so|ok|okay|but|you (?:must|should|have to|need to|will|shall)|(?:can|could|would"
    r"|will) you|(?:remember|be sure|don't forget|do not forget|make sure|ensure) (?:to|you"
    r"|that you)|let'?s|go ahead and|want you to|need you to|like you to|asks? you to|must(?: be)?|should"
    r"|after (?:that|this)|(?:when|once) (?:you(?:'re| are) |that's )?(?:done|finished))"
)
_RUN = lazy(
    rf"(?:^|[,，;；:：.。!！?？—–(（\n>→⇒-]\s*|\b{LEAD}\s+"
    r"|(?:^|[.;:]\s*)(?:in|from|inside|within|under) [^,.;:\ue000-\uf7ff]{2,50} "
    rf"|{_AT_END}[,，:]?\s*(?:please )?|(?:^|[,，;]\s*|\band )after (?:you|your|the|every|each)\b"
    rf"[^,.;:\ue000-\uf7ff]{{1,30}}\s)(?:{LEAD}\s+)*{VERB}\b(?: (?:it|them|that)(?= (?:with|by|via|using)\b))?{_FILL}$"
    rf"|(?:^|[,;:.!?]\s*|\b{LEAD}\s+)(?:(?:re-?)?generate|rebuild|update|refresh|migrate|apply|seed|compile|render)\b"
    r" [^.,;:?\ue000-\uf7ff]{2,50}\b(?:with|using|via|by running)\s*$"
    r"|(?:^|[,，;；:：。.!！?？、(（\s]|请|先|再|并|且|然后|最后|记得|麻烦|帮忙|要|就|务必|必须|之后|后|前|来|帮我|都"
    r"|接着|随后|之后|好了|应|应该|重新|手动|直接|本地|完|调用|依次|逐个|分别)(?:你)?(?:本地)?(?:运行|执行|跑一下"
    r"|跑一遍|跑|重跑)(?:完|下|个|一下|一遍|一次|命令|以下)?\s*[:：]?\s*(?:命令|以下命令)?\s*[:：]?\s*$",
    re.IGNORECASE,
)
OWED = lazy(r"\b(?:must|ha(?:s|ve) to|needs? to)\b|必须|需要?(?:通过|运行|执行)|确保|make sure|ensure", re.IGNORECASE)
ENDING = lazy(rf"\b{_AT_END}|(?:完成前|结束前|提交前|完成后|最后)", re.IGNORECASE)
CHECKS = lazy(
    rf"(?:\b(?:to (?:verify|confirm|check|validate|ensure|make sure|prove)|and (?:make sure|ensure|verify"
    rf"|confirm|fix|repair|resolve)|until|fix (?:any|all|what)|{MUST}|should|passes|{PASS})\b|,? and (?:it"
    rf"|they|both|all) (?:must|should)|{_WITHOUT}|确保|通过|成功|并修复|验证)",
    re.IGNORECASE,
)
_MUST_AFTER = lazy(
    rf"^(?:[^,，;；:：.。!?！？\ue000-\uf7ff]{{0,30}}?\b{MUST}|[^,，;；.。\ue000-\uf7ff]{{0,12}}?{MUST_ZH})",
    re.IGNORECASE,
)
_IT_MUST_AFTER = lazy(
    rf"^\s*[,，;；(（–—-]+\s*(?:(?:and|which|that|it|they|this|these|both|all)\s+)+{MUST}"
    rf"|^\s*[,，;；(（–—-]+\s*(?:它们?|两者|并且?|而且|且)?(?:都|也)?{MUST_ZH}",
    re.IGNORECASE,
)
_USE = lazy(r"(?:^|[.;:!,]\s*|\b(?:please|then|and|also)\s+)use\s*$", re.IGNORECASE)
_PASS_AFTER = lazy(
    rf"^(?:\s|(?:all|both|each|still|also|now|it|then)\b|[^\w\s,，.;]|,? as well\b)*(?:command |commands "
    rf"|script |suite |tests? )?(?:{PASS}|{_WITHOUT}|$|[.。!！;；,，)）—–-])"
    r"|^\s*(?:全部|都|均|能|可以|正常)*(?:通过|成功|运行|跑通|执行|无错|还?是?绿|(?:没有?|无|不)(?:任何|再)?(?:错误?"
    r"|报错|警告|问题)|返回\s*0|退出码(?:为|是)?\s*0|$|[,，。；])",
    re.IGNORECASE,
)
MAKES = lazy(
    r"^\s*(?:still |also |now |correctly |actually )*(?:produces?|outputs?|generates?|prints?|creates?|emits?"
    r"|returns?|reports?|shows?)\b",
    re.IGNORECASE,
)
_SUCCESS = lazy(r"通过|成功|\bpass", re.IGNORECASE)
ALSO_PASSES = lazy(
    rf"^\s*(?:still |also |all |both )?(?:{PASS}|(?:is |are |be )?(?:green|clean)|(?:全部|都|也|能)*(?:通过|成功))",
    re.I,
)
BEFORE_END = lazy(
    rf"^[^.。;；\ue000-\uf7ff]{{0,50}}?\b(?:before (?:you |the |it is |we )?(?:can |may |are )?{_END})"
    rf"|^[^。；]{{0,12}}?(?:再|后再|之后再|后才|才)(?:提交|结束|完成|合并|交付)",
    re.IGNORECASE,
)
SUPPOSED = lazy(
    r"(?:^|[,，;；:：(（]\s*)(?:only )?(?:for (?:codes?|cases?|exit|errors?|status|failures?)\b|if|whenever|unless"
    r"|in case|should you|optionally|optional|feel free"
    r"|ideally|maybe|when(?!\s+(?:you|it|everything|all|we)(?:'s|'re| is| are| have)?\s*(?:done|finish|complet"
    r"|ready|implement|through)|\s+(?:done|finished|complete|ready|creating|opening|submitting)))\b"
    r"|如果|假如|若|可选|必要时|如需|需要时",
    re.IGNORECASE,
)
_NOT = lazy(
    r"\b(?:don'?t|do not|never|no need to|needn'?t|need not|without|instead of|rather than|avoid|skip|not"
    r"|no longer|stop|cannot|can'?t|could ?n'?t|won'?t)\b(?: \w+){0,2}$"
    r"|(?:不要|不再|不需要?|没必要|并不|不直接|别|不用|不必|无需|禁止|严禁|避免|切勿|勿|没有|不能)[^,，。]{0,6}$"
    r"|(?:询问|是否|自动|提示|便于)[^,，。]{0,8}$|(?:它|他|她|其|脚本|程序|系统|流水线|CI|会|将"
    r"|已)(?:们)?(?:在[^,，。]{0,8})?(?:先|再|然后)?\s*$",
    re.IGNORECASE,
)
AFTER_NO = lazy(
    r"^,? (?:and got|with|gives?|gave|giving)(?: me)? (?:the following|this|these) (?:output|error|result|log)"
    r"|^\s*(?:lines?|sections?|(?:output|log) (?:below|above|is|was|says)|snippets?|examples?)\b|^\s*(?:in|on|from"
    r"|inside|as part of) (?:the |our |a |every )?(?:[\w-]+ ){0,2}(?:hooks?|ci|pipelines?|workflows?|jobs?|cron)\b"
    r"|^\s*[,，]?\s*(?:\(?(?:optional(?:ly)?|first if|only (?:when|if) (?!(?:you|it|all|everything"
    r"|that)\b[^.]{0,12} (?:done"
    r"|ready|finish|complete|pass))|if (?:needed|necessary|you|possible|that|there|it|the)|while (?:you"
    r"|working|developing)|as (?:needed|you)|when (?:needed|necessary|you(?!(?:'re| are|'ve| have)? (?:all )?(?:done"
    r"|finish\w*|through|ready|complete\w*))|working|developing)|during"
    r"|for example|e\.g|would|instead|yourself if|is (?:not|only|what|how|optional|broken|slow|used|the|an?)"
    r"|was\b|are (?:not|only|optional)|does ?n'?t (?!give|show|report|throw|produce|print|break|complain|error|crash"
    r"|warn|fail)|did ?n'?t|fail(?:s|ed)?\b|crash|now fails|hangs)|可选|被|时(?!候?[^，。]{0,3}确保)"
    r"|的时候|[^。]*(?:哪里|哪儿|为什么|怎么|什么)[^。]*[?？]|如有需要|是为了|(?:(?!没|无|不)[^,，。；]){0,16}(?:报错"
    r"|出错)(?![^,，。；]{0,3}[修改]))",
    re.IGNORECASE,
)
_HAPPENS = lazy(
    r"\b(?:appears?|occurs?|happens?|fails?|crash\w*|breaks?|seen|shows up|reproduc\w*|works?|visible|possible"
    r"|available)\s*$",
    re.IGNORECASE,
)
FAILS = lazy(r"^\s*(?:is |are |now |still )*(?:fail\w*|red|broken|crash\w*|hangs)\b", re.IGNORECASE)
_ONLY = lazy(rf"^\s*only (?:when|if|once)\s+(?=both |all |{SPAN_MARK}|$)", re.IGNORECASE)
THEN = lazy(r"^(?:and |then |afterwards |finally )+$|^(?:然后|再|最后)$", re.IGNORECASE)
CHECKED = lazy(
    r"\b(?:tests?|suite|builds?|lint\w*|types?|type-?check\w*|checks?|format\w*|compil\w+|coverage)\b|测试|构建|编译"
    r"|检查|格式",
    re.IGNORECASE,
)
STATES = lazy(
    r"^\s*(?:[:：—–=]|-{1,2}\s|[(（]|(?:to|for|is|are|must|should|shows?|has|exits?|returns?|passes|succeeds)\b)"
)
"""What stands between the command of an open task and its result."""
STOP = lazy(r"^\s*(?:$|[.。;；,，])")
_HAVE = lazy(r"(?:['’]ve|\b(?:have|has|had))(?: just| already| also| now| then)*\s*$", re.IGNORECASE)
_MAY = lazy(r"\b(?:can|may|could|might|would)(?: \w+)?\s*$", re.IGNORECASE)
ASSURES = lazy(r"^\W*(?:\w+ )?(?:ensure|make sure|verify|confirm)\b", re.IGNORECASE)
MIGHT = lazy(r"\b(?:can|may|could|might)\b|可以", re.IGNORECASE)
_UNTIL = lazy(
    r"^\W*$|\b(?:done|finish\w*|complete|stop|end|keep|continue|repeat|iterat\w*|work|retry|go on|fix\w*|loop"
    r"|commit\w*|merg\w*|push\w*|hold|wait|accept\w*|report|claim)\b",
    re.IGNORECASE,
)
CLAUSE = lazy(r"[.;:!?。；：！？\n]|,\s|，")


def find_kind(before: str, whole: str, after: str) -> bool | None:
    """Return True if a group of commands is a condition, False if it is to be run, None if nothing demands it.

    Args:
        before: the text since the group before it
        whole: the sentence up to the group
        after: the rest of the sentence
    """
    whole, after = whole[-_NEAR:], after[:_NEAR]
    clause = CLAUSE.split(before)[-1]
    if SUPPOSED.search(_ONLY.sub("", whole)) or AFTER_NO.match(after):
        return None
    if DESCRIBES.match(_last_sentence(whole)):
        return None
    if re.match(r"\W*or\b", before) and _CHOICE.search(_last_sentence(whole)):
        return None
    if REPORTED.search(whole) or ASKS.match(whole + after) or is_written(whole) or is_own_deed(whole, after):
        return None
    announced = ANNOUNCE.search(before)
    if (
        announced
        and not _NOT.search(before[: announced.start()][-25:].rstrip())
        and not UNTOLD.search(clause)
        and not OTHERS.search(clause)
        and not _weak(announced[0], before, after)
    ):
        return True
    if (_MUST_AFTER.match(after) or _IT_MUST_AFTER.match(after)) and not is_background(_BUT.split(clause)[-1]):
        return True
    assured = ASSURE.search(before)
    passes = _PASS_AFTER.match(after) or MAKES.match(after) or (assured and _SUCCESS.search(assured[0]))
    if assured and _SEES.match(assured[0]) and re.match(r"\s*[)）]", after):
        passes = None
    if assured and _CHOICE.search(_last_sentence(before[: assured.start()])):
        assured = None
    if assured and passes and not _NOT.search(before[: assured.start()]):
        return True
    ran = _RUN.search(before)
    if (
        ran
        and not _NOT.search(before[: ran.start() + 1])
        and not _NOT.search(ran[0])
        and not _MAY.search(before[: ran.start()])
        and not _HAVE.search(before[: ran.start()])
        and not OTHERS.search(clause)
    ):
        ends = ENDING.search(whole) or BEFORE_END.match(after) or CHECKS.search(after)
        return bool(ends)
    if (
        _WANT.search(before)
        and _WANTED.match(after)
        and not is_background(re.sub(r"^(?:i|we) ", "", clause.strip(), flags=re.IGNORECASE))
    ):
        return True
    if BEFORE_END.match(after) and (_USE.search(before) or (not is_background(clause) and not clause.strip())):
        return True
    end = re.search(rf"(?:^|[.;,，。]\s*){_AT_END}\s*([,，:：]?)\s*$", before, re.IGNORECASE)
    if end and (end[1] or STOP.match(after)):
        return True
    owing = OWING.search(whole) and ALSO_PASSES.match(after) and not is_background(clause)
    if owing or is_phrased_as_demand(before, after):
        return True
    if is_deed(before, after):
        return False
    return is_own_clause(whole, after)


def _weak(marker: str, before: str, after: str) -> bool:
    """Return whether a marker that is also an ordinary word announces nothing here."""
    word = marker.split()[0].lower() if marker.split() else ""
    if re.search(
        r"\b(?:shown|reported|printed|raised|produced|caused|found|listed|generated|written|built|checked"
        r"|enforced|verified|validated|run|executed|tested|formatted) by\b",
        marker,
        re.I,
    ):
        return True
    if re.search(r"[:：]\s*$", marker) and _TELLS.match(after):
        return True
    if re.search(r"\b(?:running|executing)\b", marker) and PAST.match(_last_sentence(before)):
        return True
    if re.search(r"\b(?:with|via|by|using|through|running|executing)\b", marker, re.I) and not OWED.search(marker):
        clause = re.sub(r"(?<=\w )(?:it|them)\b", "", CLAUSE.split(before[: before.rfind(marker)])[-1])
        return is_background(clause) or bool(
            AFTER_NO.match(after) or (_CHOICE.search(_last_sentence(before)) and "please" not in after[:40])
        )
    if marker.rstrip().endswith("通过") and _BY_WAY_OF.match(after):
        return True
    if word in ("passes", "pass", "passing", "green"):
        return not re.search(r"[:：]\s*$", before)
    until = re.search(r"\b(?:until|till)\b", marker, re.I)
    if until:
        return not _UNTIL.search(_last_sentence(before[: before.rfind(until[0])]))
    if word == "only" and _HAPPENS.search(before[: before.rfind(marker)]):
        return True
    if word in "only until done finish finished stop end complete completed 只有 仅当 直到".split():
        return bool(re.search(r"\b(?:example|instance|such as|like)\b", marker, re.I))
    return False


_BUT = lazy(r"\bbut\b", re.IGNORECASE)
_SEES = lazy(r"\b(?:see|check)\s*$", re.IGNORECASE)
"""Words that refer to a command in parentheses."""
_CHOICE = lazy(r"\b(?:can|may|could) be\b|\b(?:you|we|one) (?:can|may|could|might)\b", re.IGNORECASE)
"""What a sentence leaves to the reader."""
_TELLS = lazy(
    r"^\s*(?!(?:pass|succeed|work|run|exit|compile|build|complete|finish|start|return|report|show|give|print|find"
    r"|leave|come|goe|stay|turn|get|i|ha|wa|must)s\b)(?:also |automatically )?[a-z]{3,}(?<!s)s (?!green|clean|ok)[a-z]",
    re.IGNORECASE,
)
"""What goes on behind a command with what it does."""
_BY_WAY_OF = lazy(r"^\s*(?!后|之后|以后|才|再|即|为|且|并|和|与|及|的?(?:检查|测试|校验|验证|构建|编译))[一-鿿]")
"""What goes on behind "通过 X" where it says by which way, and not that X passes."""


def is_told(before: str) -> bool:
    """Return whether the words right before a code span say that it is run."""
    return _RUN.search(before[-_NEAR:]) is not None


def _last_sentence(text: str) -> str:
    return re.split(r"[.;。；]", text)[-1]


def is_background(clause: str) -> bool:
    """Return whether the words before a command make an example, background or a negation of it."""
    return bool(EXAMPLE.search(clause) or _NOT.search(clause))
