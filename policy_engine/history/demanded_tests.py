"""Decide whether a sentence demands that the tests run or pass, without a command.

The words that name the tests ("the failing unit tests", "os testes", "测试") take the place of a command, and the
clause around them is judged as it is for a command. Said of tests only: an order to repair them ("fix the failing
specs", "把挂掉的单测修好"), and a share of them that is to be reached ("100 % must pass").
"""

from __future__ import annotations

import re
from itertools import islice

from policy_engine.history.clause_moods import OWING, is_written
from policy_engine.history.demand_kinds import ASSURE, ENDING, LEAD, MUST, PASS, VERB, find_kind
from policy_engine.history.demand_phrases import FAULTS, REPAIR
from policy_engine.history.demand_wording import reword
from policy_engine.model.lazy_regex import lazy

_MARK = "\uf7ff"
_MOST = 8  # names of tests in one sentence that are judged
_FAILING = (
    r"fail\w*|broken|red|flaky|crashing|erroring|fehlschlagende\w*|fehlgeschlagene\w*|roten|kaputten|упавш\w+"
    r"|падающ\w+|сломанн\w+"
)
_KIND = (
    rf"{_FAILING}|unit|integration|e2e|end[- ]to[- ]end|smoke|regression|snapshot|acceptance|backend|frontend|back-end"
    r"|front-end|ci|server|client|python|go|rust|js|ts|java|node|jest|pytest|vitest|playwright|cypress|rspec|test"
)
_COUNT = (
    r"all(?: of)?|each|every|both|the|teh|your|our|my|these|those|this|that|its|their|any|an?|some|only|just|full|whole"
    r"|complete|entire|remaining|existing|relevant|affected|new|updated|related|corresponding|focused|targeted|other"
    r"|last|\d+|[\w.-]{0,30}/[\w/.-]{0,60}\.\w+|die|alle|den|unsere|nur|l[oa]s|el|todos|todas|sol[oa]|solamente|l[ea]s?"
    r"|tous|toutes|seulement|os?|somente|apenas|só|tutti|gli|i|все|только"
)
_OTHER = (
    r"and|or|to|of|for|in|on|at|with|by|from|as|than|like|is|are|was|were|be|has|have|had|not|no|i|we|you|he|she|it"
    r"|they|ab|a/b|which|that"
)
_BEHIND = (
    r"unit[aá]ri[oa]s?|unitaires?|quebrad[oa]s?|rot[oa]s|fallid[oa]s|cassés"
    r"|qu[ei] (?:\w+ )?(?:fall|falh|quebr|échou)\w*"
)
_RED = (
    r"(?:fail\w*|broken?|break|red|time out|timing out|schl[aä]g\w+ fehl|fall[ae]\w*|falha\w*|échoue\w*|пада\w+"
    r"|не проход\w+)"
)
_NO_TESTS = (
    r"pages?|folders?|dir\w*|files?|data|accounts?|envs?|environments?|servers?|badges?|labels?|plans?|names?|runners?"
    r"|buttons?|reports?|counts?|structure|helpers?|fixtures?|configs?|configuration"
)
_NAMES = lazy(
    rf"(?<![\w/.@'\"-])(?<!/b )(?<!\bab )(?:(?:{_COUNT}|{_KIND})(?:,?(?:\s+and)?(?=\s+(?:{_KIND})\b))?\s+){{0,6}}"
    rf"(?:(?:(?<=run )|(?<=the )|(?<=ing ))(?!(?:{_OTHER})\s)[a-z][\w-]*\s+)?(?:(?:{_KIND})\s+){{0,2}}"
    rf"(?:(?:tests|test ?suites?|testsuites?|test ?cases|test failures|suite|specs|testes|pruebas|тест(?:ы|ов))"
    rf"(?!\w|\.\w|-\w|'\w|/[\w.-]+(?:/|\.\w)| (?:{_NO_TESTS})\b)"
    r"|(?:test|(?<!with the )(?<!against the )(?<!per the )spec|teste|prueba|тест)(?=\s*(?:$|[.,;:!?)]|(?:that|which"
    r"|again|and|so|until|till|please|pls|must|should|to"
    rf"|is|pass\w*|{_RED}|now|still|keeps|for|of|in|with|are|de|du|des|d[oa]|dev\w+|deb\w+|doi\w+|muss|soll|e|y|et|und"
    rf"|otra|de novo"
    rf"|{_BEHIND})\b)))(?:\s+(?:{_BEHIND})\b| (?:in|of|for) (?:the )?[\w/.@-]{{1,60}}(?= (?:to )?(?:pass|green|work)))?"
    r"|(?:(?:所有|全部|全量|完整|整个|失败|挂掉|报错|没过|单元|集成|回归|后端|前端)的?)*(?:测试(?:用例)?|单测"
    r"|用例)(?![页环数账服脚框工方题目中]|报(?!错)|一下\s*[\w.-])"
    r"|(?:(?:すべての|全ての|全|失敗した|落ちている|落ちてる)){0,2}テスト(?:エラー)?(?![ァ-ヿしすさ]|(?!回|通|実行"
    r"|全)[一-鿿])|(?:모든\s*)?테스트(?!하)",
    re.IGNORECASE,
)
_WORDS = lazy(f"{_MARK}|test|suite|spec|prueba|тест|测|用例|テスト|테스트", re.IGNORECASE)
"""What a sentence has that names tests, or a file of tests."""
_ASKED = r"(?:so|then|please|pls|plz|can you|could you|bitte|por favor|s'il te plaît|пожалуйста)"
_AT = (
    rf"(?:^|[,.;:!，。；]\s*|\b(?:{LEAD}|let|must|help(?: me| us)?|(?:we|i) (?:need to|have to|must|should)|bitte"
    r"|por favor|y|e|et|und|и)\s+)"
)
_THEM = r"(?:(?:them|it|all|each|both|please|pls|now)\b|th(?:is|at|ese|ose)\b(?! \w)|$|[.,;!?])"
_ROWS = tuple(
    (lazy(rf"(?:{before})\s*$", re.IGNORECASE), lazy(rf"^\s*(?:{after})", re.IGNORECASE))
    for before, after in (
        # repair
        (rf"{_AT}{REPAIR}(?: (?:\w+ ){{0,2}}{FAULTS} (?:\w+ )?(?:of|in|from|with|d\w{{1,2}}|en|в)(?: \w+)?)?", r""),
        (r"\b(?:continue|keep(?: on)?|go on|finish|start)(?: with)? (?:fixing|repairing|debugging|solving"
         r"|correcting)", r""),
        (r"\b(?:identify|find|look (?:for|at)|check(?: for)?|search for|detect|locate|read|inspect|go through"
         r"|work through)"
         r"(?: (?:the )?(?:output|logs?|results?|errors?) of)?", rf"[^.;?]{{0,30}}\b(?:and|then) (?:\w+ )?{REPAIR}\b"),
        (r"", r"[^.;?]{0,40}\b(?:must|needs? to|should|ha(?:s|ve) to) be (?:fixed|repaired|solved|resolved)\b"),
        (r"(?:修复|修好|修一下|修正|解决|搞定)(?:[^，。；]{0,10}的)?", r""),
        (r"(?:保证|确保)[^，。；]{0,6}", r"(?:[和与、及]\s*[\w ]{1,12}?)*\s*(?:都|能|全部?)*通过"),
        (r"把", r"(?:都|全|全部)?(?:修|搞|弄)[好复一掉通]"),
        (r"", r"(?:没过|失败|挂|不过|红)[^，。]{0,4}[，,](?:请|帮我)?(?:修|解决|处理)"),
        (r"", r"[をが][^。]{0,12}(?:修正し|直し|なおし)て"),
        (rf"{_AT}{REPAIR} (?:\w+ )?(?:whatever|what|anything|everything|all)(?: that)? (?:\w+ )?(?:makes?|lets?|breaks?"
         r"|causes?|broke|fails?)(?: in)?", r""),
        (r"把", r"(?:都|全|全部)?(?:[修改调搞弄]|跑)(?:绿|过)"),
        # run, or pass
        (r"", r"[^;?]{0,60}(?:[,.]|\band|\bthen) (?:then |also |please )?(?:make|get|bring|have) "
         r"(?:them|it|those|these|all(?: of them)?)(?: all)? (?:to )?(?:pass|green|work|go green|run)\b"),
        (r"(?:^|[.,;]\s*|\b(?:and|with|then) )(?:green|passing)", r"(?:$|[.,;!]|first|before|then|please|pls)"),
        (r"", r"(?:也|都|全|全部|必须)*(?:要|得|必须|应该?)(?:全|全部|都)*(?:是)?(?:绿|通过|过)"),
        (r"", r"(?:还|再)?(?:跑|过)一?(?:遍|下|次)"),
        (r"", r"[^.;?]{0,60}(?:,|\band|\bthen) (?:then |also )?(?:re-?run|run|execute) (?:them|these|those|all)\b"),
        (r"", rf"[^.;?]{{0,80}}(?<!\bto )\b(?:make sure|ensure|verify|check)(?: that| if)? (?:they|these|those|it"
         rf"|all(?: of them)?|everything)(?: all| still)* {PASS}"),
        (rf"{_AT}pass", r"(?:$|[.,;!])"),
        (rf"{_AT}use [\w ./-]{{1,30}} to (?:re-?)?run", r""),
        (r"", rf"so (?:that )?(?:it|they)(?: all| still)? {PASS}"),
        (r"\bmake (?:\w+ ){1,3}pass", r""),
        (r"\b(?:make sure|ensure|be sure)(?: that)? (?:we|you|to)(?: also| always)? (?:re-?)?run(?:/\w+)?", r""),
        (r"\b(?:make|be) sure (?:that )?you (?:validate|verify|check|confirm)(?: that)?",
         rf"(?:are )?(?:all )?(?:still )?{PASS}"),
        (r"\b(?:make|get)", r"(?:to )?work(?:ing)?\b(?! (?:with|like|as|without|in)\b)"),
        (r"\b(?:para(?: que)?|damit|pour que|чтобы)", r"[^.;?]{0,12}(?:pas[es]\w+|durchlaufen|grün|прош\w+"
         r"|проход\w+)\b"),
        (r"^\W*", r"(?:(?:again|now|once more|please|pls|plz|thx)\W*)+$"),
        (r"[让使]", r"(?:能|都|全部?|重新)*(?:通过|跑通|成功|变?绿|过)"),
        (r"", r"[，,]?\s*(?:并且?|然后|再)(?:运行|执行|跑)"),
        (r"", r"を?(?:全部|全て)?(?:通|パスさせ|成功させ)し?て"),
    )
)  # fmt: skip
_SHARE = lazy(
    r"\b(?:must|needs? to|ha(?:s|ve) to|should|wants?|let'?s|until|till)\b[^.;?\n]{0,30}"
    r"(?<!\w)(?:100 ?%|0|zero)\s+(?:of (?:the )?)?(?:tests? )?(?:pass\w*|green|fail\w*)\b",
    re.IGNORECASE,
)
_FILE = (
    r"(?<![\w/.-])(?:(?:[\w-]{1,40}/){0,6}(?:test_\w{1,60}|\w{1,60}_test|\w[\w.-]{0,60}\.(?:test|spec))\.(?:py|[jt]sx?"
    r"|go|rb|rs)|tests?/(?:[\w-]{1,40}/){0,5}\w{1,60}\.(?:py|[jt]sx?|go|rb|rs)|test_\w{1,80})(?![\w/(]|\.\w)"
)
_FILE_NAMES = lazy(_FILE)
_FILE_PASSES = lazy(
    rf"(?:^|[.,;:!]\s*|\b{LEAD} ){REPAIR} {_FILE}\s*(?:$|[.,;!])|"
    rf"{_FILE} {MUST}\b|\b(?:get|make|bring) {_FILE} (?:back )?(?:to )?(?:pass|green|work)"
    rf"|(?:^|[.,;:!]\s*|\b{LEAD} ){VERB} (?:(?:the |only |just )*(?:tests?|specs?)? ?(?:file|in)? ?){_FILE}\s*(?:$"
    rf"|[.,;!]|(?:only|now|and|again|until|to|please|pls)\b)",
    re.IGNORECASE,
)
"""What is said of the file or the name of a test."""
_NONE_FAIL = lazy(
    r"\b(?:make sure|ensure|so that|check)(?: that)? (?:no|none of the) (?:\w+ )?(?:tests?|specs) (?:fail|break)s?\b|"
    rf"(?:^|[,.;!]\s*|\b(?:and|with|want|need|see|must be|should be|until)\s+)(?:no|zero|0)(?: more)? (?:{_FAILING})"
    r" (?:\w+ )?(?:tests?|specs)\s*(?:$|[.,;!]|(?:please|pls|allowed|left|any ?more|remain\w*|at the end|when)\b)"
    r"|\bre-?run (?:the|our|all) (?:\w+ )?test set\s*(?:$|[.,;!])"
    r"|\b(?:tests?|suite|specs)\b[^.;?\n]{0,20}\b(?:must|needs? to|ha(?:s|ve) to|should) be (?:at )?(?:\d+ ?/ ?\d+"
    r"|100 ?%)",
    re.IGNORECASE,
)
_SPAN = "[\ue000-\uf7fe]"
_BESIDE = r"(?:lint\w*|type-?check\w*|types|build|format\w*|fmt|coverage|mypy|ruff|eslint)"
_COORDINATED = lazy(
    rf"\b(?:the )?{_BESIDE}(?:\s*[(（]?{_SPAN}[)）]?)?(?:\s*[,/&+和与跟及、]|\s+and)+\s*(?:the )?(?={_MARK})"
    rf"|(?<={_MARK})(?:\s*(?:[,/&+]|\band\b)+\s*(?:the )?{_BESIDE})+\b",
    re.IGNORECASE,
)
"""Checks that are named beside the tests, of which the same is said."""
_FAILS = lazy(rf"\b(?:{_FAILING})|\b{_RED}\b", re.IGNORECASE)
_ORDER = rf"(?:(?:{LEAD}|bitte|por favor|s'il te plaît|пожалуйста) ){{0,4}}{REPAIR} ?{_THEM}"
THEN_REPAIR = lazy(rf"(?:[,;:(!]\W*|\band |\b(?={_ASKED}\b)){_ORDER}", re.IGNORECASE)
REPAIRS = lazy(rf"^(?:if (?:so|not|it (?:is|does)|they (?:are|do)),? )?{_ORDER}", re.IGNORECASE)
_RUNS = lazy(
    rf"^(?:{LEAD}\s+){{0,4}}(?:(?:re-?)?run (?:them|these|those|it)\b|(?:make sure|ensure|check)(?: that)? "
    rf"(?:they|it|all(?: of them)?)(?: all)? (?:pass|(?:is |are )?green)|(?:make|get) (?:them"
    rf"|it)(?: all)? (?:to )?(?:pass|green))",
    re.IGNORECASE,
)
_AIMED = lazy(r"(?i)^\W*(?:please |pls )?(?:re-?)?run\s+to (?:verify|check|confirm|make sure|see)\b")
_COUNTED = lazy(r"(?i)(?:^|[.,;!]|\b(?:only|and|now|but))\s*\d+(?:/\d+| (?:out )?of(?: the)?(?: \d+)?)\s*$")
"""How many of the tests, before what they do."""
_TRIALS = lazy(
    r"(?i)\b(?:do|perform|make) (?:some|a few|several) (?:\w+ )?tests? (?=to (?!make|verify|check))"
    r"|\b(?:add|write|create|include) [^.;,:\n]{0,50}\b(?:with|of|containing) (?:\w+ ){0,2}"
    r"test (?:cases|items|points)\b"
)
"""What tries something out, and what is written with so many tests."""
_STATED = lazy(
    r"^\s*(?:(?:all|now|still|is|are) )*(?:pass(?:es|ed|ing)?|green|ok|fine|通过|通りました)\b", re.IGNORECASE
)
_LATER = lazy(r"^\s*(?:later|tomorrow|some ?day)\b", re.IGNORECASE)
_REQUEST = lazy(r"\b(?:can|could|would|will) you\b", re.IGNORECASE)
_WANTED = lazy(
    r"\b(?:make|get|bring|keep|leave|have|with|until|till|before|when|once|after|want|need|expect|so|sure|only)\b|直到"
    r"|[让使]",
    re.IGNORECASE,
)


def demands_tests(sentence: str, before: str = "") -> bool:
    """Return whether a sentence demands that the tests run or pass.

    Args:
        sentence: the sentence
        before: the sentence before it, which may name the tests
    """
    named = _WORDS.search(sentence) is not None
    if _SHARE.search(sentence) or (named and (_NONE_FAIL.search(sentence) or _FILE_PASSES.search(sentence))):
        return True
    if (_RUNS.match(sentence) and _NAMES.search(before)) or (REPAIRS.match(sentence) and _fails(before)):
        return True
    if not named:
        return False
    failed = _fails(sentence)
    if failed and THEN_REPAIR.search(sentence, failed):
        return True
    text = _NAMES.sub(f" {_MARK} ", _TRIALS.sub(" ", sentence))
    if _MARK not in text:
        return False
    text = reword(_COORDINATED.sub(" ", " ".join(text.split())))
    return any(
        _is_demanded(text[: match.start()], text[match.end() :]) for match in islice(re.finditer(_MARK, text), _MOST)
    )


def _fails(sentence: str) -> int:
    """Return where a sentence has said that tests fail, 0 if it says nothing of it."""
    name = _NAMES.search(sentence) or _FILE_NAMES.search(sentence)
    fails = name and _FAILS.search(sentence, name.start(), name.end() + 60)
    return max(name.end(), fails.end()) if name and fails else 0


def _is_demanded(before: str, after: str) -> bool:
    asked = ("?" in after or "？" in after) and not _REQUEST.search(after)
    if _LATER.match(after) or (asked and not _AIMED.match(before + after)):
        return False
    if not is_written(before) and any(head.search(before) and tail.match(after) for head, tail in _ROWS):
        return True
    if _STATED.match(after) and _COUNTED.search(before):
        return False
    if _STATED.match(after) and not any(word.search(before) for word in (_WANTED, ASSURE, ENDING, OWING)):
        return False
    return find_kind(before, before, after) is not None
