"""Decide of the clause around a command who acts and in which mood, in languages other than English and Chinese.

A clause demands a command if the person who reads it is told to run it (an imperative, which stands first in its clause
or ends a Japanese or Korean one), is told to see to its success, or if its success is owed or awaited. A clause that
asks, forbids, tells of the past, or in which somebody else acts, demands nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from policy_engine.model.lazy_regex import lazy


class _Language(NamedTuple):
    """The words of a language by what they say of a clause; each a regular expression, empty where there is none."""

    linking: str  # words before an imperative
    runs: str  # imperatives of running
    assures: str  # imperatives of seeing to it
    checks: str  # imperatives of checking, and the word for "with" behind them
    owes: str  # what must be
    passes: str  # success
    awaits: str  # not before, only when
    tells: str  # questions, negations, the past, somebody else, examples
    runs_after: str = ""  # an imperative behind the command


_GERMAN = _Language(
    r"bitte|dann|jetzt|danach|noch|nochmal|mal|und|anschließend|abschließend|zuletzt|am ende|zum schluss|immer"
    r"|einmal|zuerst",
    r"führe?|starte|rufe?|führen sie|starten sie",
    r"(?:stell(?:e|en sie|t)? (?:bitte )?sicher|acht(?:e|en sie) darauf|sorg(?:e|en sie|t)? dafür|vergewissere dich"
    r"|sicherstellen|vergiss nicht|denk(?:e)? daran),?(?: dass)?",
    r"(?:prüfe?|überprüfe?|verifiziere?|teste?|kontrolliere?|baue?|kompiliere?|installiere?)\b[^.,;?]{0,40}\bmit",
    r"muss|müssen|soll|sollen|sollte|darf|dürfen|bring(?:e|t)?|mach(?:e|t)?|(?:prüfe?|check\w*|schau(?: nach)?),? ob",
    r"grün|fehlerfrei|sauber|erfolgreich|durchläuft|durchlaufen|durchgeh\w+|bestehen|besteht|laufen|läuft|passen"
    r"|ohne fehler|funktionier\w+|nichts|keine",
    r"(?:erst|nur|fertig|nicht)\b[^.?]{0,50}\b(?:wenn|bis|nachdem|bevor)",
    r"warum|wieso|wie|was|kein(?:e[nmrs]?)?|nie(?:mals)?|gestern|beispiel|beschreibe|dokumentiere|ich|wir|er|sie(?= )"
    r"|auf keinen fall|habe|hat|wurde|lief",
    r"(?:bitte |noch |einmal )*(?:durch)?(?:laufen(?: (?:zu )?lassen)?|ausführen|starten|auszuführen|aus(?=$|[.,;!]))",
)
_SPANISH = _Language(
    r"y|luego|después|por favor|antes|ahora|finalmente|al final|también|de nuevo|nuevamente|otra vez",
    r"ejecut(?:a|e|ar)|corre|(?:vamos a )?(?:correr|ejecutar|lanzar)|lanza|pasa|repite|vuelve a ejecutar"
    r"|no olvides(?: ejecutar| correr| lanzar)?",
    r"(?:asegúrate|asegurate|asegúrese|comprueba|verifica|confirma|revisa|haz|haced|logra)(?: de)? que|se (?:verifica"
    r"|comprueba|valida|revisa|ejecuta)n? con",
    r"(?:verifica|comprueba|valida|revisa|compila|construye|instala)\b[^.,;?]{0,40}\bcon",
    r"debe|deben|tiene que|tienen que|(?:quiero|necesito) que|(?:mira|revisa|comprueba|verifica) si",
    r"en verde|verdes?|limpio|sin errores|pasar|funcionar|compilar|pasen?",
    r"\bno (?:pares|termines|acabes|te detengas|hagas commit|subas)\b[^.?]{0,20}\b(?:hasta que|antes de que|sin que)"
    r"|\bsolo\b[^.?]{0,40}\b(?:cuando|si|después de que)",
    r"por qué|cómo|qué|nunca|jamás|ayer|ejemplo|documenta|describe|explica|no (?:ejecutes|corras|lances|ejecuta|corre)",
)
_FRENCH = _Language(
    r"et|puis|maintenant|ensuite|enfin|finalement|à la fin|s'il te plaît|à nouveau",
    r"lancer?|lancez|exécuter|exécute|exécutez|relance|fais tourner|n'oublie pas (?:de lancer|d'exécuter)",
    r"(?:assure[- ]toi|assurez[- ]vous|vérifie|vérifiez|veille|fais en sorte|il faut)(?: bien)?(?: à ce)? qu[e']"
    r"|fais passer",
    r"(?:vérifie|valide|contrôle|teste|compile|construis|installe)\b[^.,;?]{0,40}\bavec",
    r"doit|doivent|je veux que|(?:vérifie|regarde) si",
    r"sans erreurs?|au vert|verte?s?|propre|passer|passent?|réussir|compiler|fonctionn\w+",
    r"\bne (?:t'arrête|termine|commite|finis|pousse)\b[^.?]{0,12}\bpas\b[^.?]{0,20}\b(?:tant que|avant que"
    r"|jusqu'à ce que)",
    r"pourquoi|comment|jamais|hier|exemple|documente|décris|explique|ne (?:lance|exécute|relance)|n'exécute|j'ai",
)
_PORTUGUESE = _Language(
    r"e|depois|então|por favor|antes|agora|finalmente|no final|também|de novo|novamente",
    r"execut(?:e|a|ar)|rod(?:e|a|ar)|vamos (?:rodar|executar)|refaça|repita|corra|lance"
    r"|não (?:se )?esqueça de (?:rodar|executar)",
    r"(?:certifique-se|garanta|assegure(?:-se)?|verifique|confirme|confira)(?: de)? (?:que|se)",
    r"(?:verifique|valide|confira|teste|compile|instale)\b[^.,;?]{0,40}\bcom",
    r"deve|devem|faça|faz|(?:quero|preciso) que|tem que|têm que|tem de|precisam?",
    r"verdes?|sem erros|pass(?:ar|em?|arem)|funcion\w+|compil\w+",
    r"\bnão (?:pare|termine|finalize|acabe|faça commit|comite)\b[^.?]{0,20}\b(?:até|antes|sem que|enquanto)"
    r"|\bsó\b[^.?]{0,40}\b(?:quando|se|depois)",
    r"por que|como|o que|nunca|jamais|ontem|exemplo|documente|descreva|explique|não (?:execute|rode|corra|lance)"
    r"|eu|ele|ela",
)
_ITALIAN = _Language(
    r"e|poi|dopo|infine|alla fine|per favore|anche",
    r"esegui|lancia|avvia|rilancia|fai girare|non dimenticare di (?:eseguire|lanciare)",
    r"(?:assicurati|verifica|controlla|accertati|fai in modo)(?: di)? che",
    r"(?:verifica|controlla|valida|prova)\b[^.,;?]{0,40}\bcon",
    r"deve|devono",
    r"verd[ei]|senza errori|pass\w+|funzion\w+|compil\w+",
    r"\bnon (?:fermarti|finire|terminare|fare commit|chiudere)\b[^.?]{0,20}\b(?:finché|prima che|senza che)"
    r"|\bsolo\b[^.?]{0,40}\b(?:quando|se|dopo)",
    r"perché|come|che cosa|cosa|mai|ieri|esempio|documenta|descrivi|spiega|non (?:eseguire|lanciare)|io|ho",
)
_RUSSIAN = _Language(
    r"и|сначала|теперь|затем|потом|пожалуйста|после этого|в конце|также|а",
    r"(?:пере)?запусти(?:те|ть)?|выполни(?:те|ть)?|погоняй(?:те)?|прогони(?:те)?|не забудь(?:те)? (?:запустить"
    r"|выполнить)",
    r"(?:убедись|убедитесь|удостоверься|проверь(?:те)?|сделай(?:те)?(?: так)?|следи(?: за тем)?"
    r"|добейся(?: того)?),? что(?:бы)?",
    r"(?:проверь(?:те)?|протестируй(?:те)?|собери(?:те)?|установи(?:те)?)\b[^.,;?]{0,40}(?:с помощью|через|командой)",
    r"долж(?:ен|на|но|ны)|обязан\w*",
    r"проход\w+|прош\w+|пройти|не (?:руга|пада|лома)\w+|зел[её]н\w+|успешн\w+|без ошибок|чист\w+|работа\w+",
    r"\bне (?:останавливайся|заканчивай|завершай|коммить|пушь)\b[^.?]{0,20}\b(?:пока|прежде чем)"
    r"|\bтолько\b[^.?]{0,40}\b(?:когда|если|после)",
    r"почему|зачем|как|что делает|вчера|пример|опиши|объясни|не (?:запускай|выполняй)(?:те)?|я|мы|он|она|запускал\w*",
)
_LANGUAGES = (_GERMAN, _SPANISH, _FRENCH, _PORTUGUESE, _ITALIAN, _RUSSIAN)

# Japanese and Korean say at the end of a sentence in which mood it is.
_JAPANESE = (
    r"(?:を|も|だけ|のみ)?(?:必ず|も|一度|再度?|最後に)*(?:を)?(?:実行|走らせ|流し|回し)(?:し(?=、)|し?て|すること"
    r"|してから)",
    r"(?:の(?:成功|実行))?(?:が|も)[^。、]{0,8}(?:通る|成功する|パスする|グリーンになる|緑になる|通って|成功して"
    r"|パスして|通った|成功した|パスした|通らない)(?:ことを確認|よう|まで|こと|から|ら|後に)",
    r"し(?:てから|てください|てほしい|て(?=[、。\s]|$))",
    r"で(?:[^。、]{0,8}を)?(?:確認|検証|チェック)(?:して|すること)",
    r"(?:[でのが]|から)(?:は|も)?(?:何も|一切|全ての)?(?:NG|エラー|警告|ワーニング|指摘|問題|error"
    r"|warning)[がをもは]?(?:全て|全部|何も)?"
    r"(?:(?:出|起き|残ら|発生し)?(?:ない|なくなる|なくな)(?:よう|まで|こと|状態)|(?:直|なお|修正|解消|なく"
    r"|ゼロに)し?て)",
)
_KOREAN = (
    r"(?:을|를|도|은|는)?\s*(?:꼭|반드시|다시|마지막에|한 번)?\s*(?:실행|수행)(?:하고|해서|해|하세요|하십시오"
    r"|한\s*(?:뒤|후))",
    r"(?:을|를|도)?\s*(?:돌려|돌리고|통과시켜)",
    r"(?:이|가|도)?\s*(?:모두\s*)?(?:통과|성공)(?:하는지|해야|하도록|할\s*때까지|하게|하기\s*전)",
    r"(?:으)?로\s*(?:확인|검증|테스트)(?:하|해)",
)
_ENDS = (
    r"(?:ました|ません|ですか|ますか|します|しないで|しない)(?:$|[。、?？])|失敗(?!したら)|なぜ|方法|昨日|例えば"
    r"|했(?:습니다|어요|다|지만|는데)|하지\s*마|않|(?<!야 )합니다|입니까|나요|까요|왜|어떻게|어제"
)
_NEAR = 400  # characters before a command that are read for it
_SPACE = r"\s*[\"'«»„“”]*\s*"


def _compiled(language: _Language) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return what stands before and behind a command of a clause that demands it, one pair for each way."""
    first = rf"(?:^|[,.:;—–(]\s*|\b(?:{language.linking})\s+)(?:(?:{language.linking})\s+)*"
    adverbs = rf"(?:\s+(?:{language.linking}|die|den|das|les|los|las|os|le|il))*"
    ways = [
        (rf"{first}(?:{language.runs})\b{adverbs}", ""),
        (rf"\b(?:{language.assures})\b[^.;?]{{0,60}}", ""),
        (rf"{first}(?:{language.checks})", ""),
        (rf"(?:{first}|\b)", rf"(?:{language.owes})\b[^.,;]{{0,20}}(?:{language.passes})\b"),
        (rf"\b(?:{language.owes})\b[^.,;]{{0,20}}", rf"[^.,;]{{0,12}}(?:{language.passes})\b"),
        (rf"\b(?:{language.owes})\b[^.,;]{{0,20}}(?:{language.passes})\b[^.,;]{{0,12}}", ""),
        (language.awaits, ""),
    ]
    if language.runs_after:
        ways.append((rf"(?:{first}|\blass(?:e|t)?\b[^.,;]{{0,30}})", language.runs_after))
    return tuple(
        (lazy(rf"(?:{head}){_SPACE}$", re.IGNORECASE), lazy(rf"^{_SPACE}(?:{tail})", re.IGNORECASE))
        for head, tail in ways
    )


_WAYS = tuple((lazy(rf"\b(?:{language.tells})\b", re.IGNORECASE), _compiled(language)) for language in _LANGUAGES)
_BEHIND = lazy(rf"^{_SPACE}(?:{'|'.join((*_JAPANESE, *_KOREAN))})")
_ENDINGS = lazy(_ENDS)
REPORTED = lazy(
    r"\b(?:was|were|said|says?|reads?|told (?:me|us)|used to be|old \w+)\b[^.。]{0,20}[:：]"
    r"|\b(?:is|would) it (?:be )?(?:also )?(?:fine|ok|okay|safe|enough|possible|better|alright) (?:to|if)\b"
    r"|^\W*(?:please )?(?:describe|document|explain|mention|state|note|write|say|tell)\b[^:：]{0,80}\bthat\b"
    r"|\b(?:to|how to|steps to) repro(?:duce)?\b|\breproduc(?:ible|ed|tion)\b|复现|重现"
    r"|(?:加|写|新增|添加|创建|实现|提供|做)[^，。；]{0,10}(?:脚本|钩子|函数|按钮|工具|任务"
    r"|流水线)[^，。；]{0,4}[，,]?(?:用来|来|让它|先)?\s*(?:执行|运行|跑)\s*$"
    r"|(?:示例|例子|以前|原来)[^。]{0,8}[:：]|(?:脚本|程序|系统|文档|团队|同事|流水线|hook|\bCI)[^。，：:]{0,10}(?:写"
    r"|说|规定|要求|会|将|提到)"
    r"|(?:workflow|Actions|工作流|流水线|服务|程序|命令)\s*(?:会|将)[^。]{0,40}$|(?:^|[，。；])\s*(?:之前|以前|刚才"
    r"|上次|昨天)",
    re.IGNORECASE,
)
"""Words that report what was said, in English and Chinese."""
EXAMPLE = lazy(
    r"\b(?:example|examples|e\.?g\.?|for instance|such as|like|similar to|equivalent (?:of|to)|mentions?"
    r"|mentioned|calls?|called|named|usually|normally|previously|used to|recently|already|yesterday|earlier"
    r"|currently|was|were|ran|tried|looked?|see|describes?|explains?|wrote|writes|says?|said|documents?|shows?"
    r"|using|uses?|output of|results? of|log of|why|how|what|which|who|i|we|he|she|they|it|users?|people|ci"
    r"|developers?|someone|anyone)\b|例如|比如|譬如|示例|举例|曾|之前|普通|通常|平时|我(?:们)?|用户|他们|为什么|怎么"
    r"|如何|什么",
    re.IGNORECASE,
)
OWING = lazy(
    r"\b(?:make sure|ensure|until|unless|only|must|should|ought|done|finished|accept\w*|goal|target|want|expect)\b"
    r"|必须|确保|保证|验收|直到|务必|才算",
    re.IGNORECASE,
)
OTHERS = lazy(
    r"\b(?:somebody|someone|anyone|anybody|everybody|everyone|nobody|he|she|they|people|users?|readers?|contributors?"
    r"|developers?|reviewers?|maintainers?|customers?|colleagues?|(?:ci|pipelines?|workflows?|hooks?|actions)"
    r" (?:should|must|will|can|has to|needs to|runs?)|"
    r"(?:the|our|my|an?) (?!agent|assistant|model|bot)(?:\w+ ){1,3}(?:should|must|has to|needs to|will)"
    r"|(?:says?|said|states?|stated|claims?|wrote|writes)(?: that)?)\b[^.,;:]*$",
    re.IGNORECASE,
)
"""Somebody who acts or speaks in the clause of an instruction, in place of the agent."""
_FILES = (
    r"(?:readme|docs?|documentation|(?:\w+ )?guide|contributing|changelog|wiki|dockerfiles?|compose file|makefile|ci"
    r"|skills?|pipelines?|workflows?|(?:\w+ )?hooks?|instructions|rules|[\w/-]*\.(?:md|json|ya?ml|toml))(?:\.md)?"
    r"(?! (?:folder|dir\w*|mode)\b|/)"
)
_TOOLS = r"scripts?|commands?|buttons?|steps?|jobs?|agents?|functions?|alias(?:es)?|targets?|tasks?|templates?"
_WRITTEN = lazy(
    rf"^\W*(?:please |also |and |then )*(?:in|inside|into) (?:(?:the|our|my|your|this|all) )?(?:\w+ )?{_FILES}\b"
    r"(?:(?!\b(?:and|then|until|sure)\b)[^.;])*$"
    r"|\b(?:update|change|edit|extend|write|add|create|make(?! sure)|build|put|adjust|implement|configure|set up)\b"
    rf"[^.;:]{{0,60}}?\b(?:{_FILES}|{_TOOLS}|documents?)(?: [\w\ue000-\uf7ff]+){{0,3}}?(?:\s*[:：]|,? (?:(?:that|which"
    rf"|who|saying|where)\b"
    r"|to (?!make|get|keep|pass|check|verify)|so (?:that )?(?:it|they)\b))(?:(?!\b(?:and|then|afterwards)\b)[^.;])*$"
    r"|\b(?:create|add|set up|write|make|schedule) (?:an? |the )?(?:\w+ )?(?:cron\w*|timer)\b(?:(?!\bthen\b)[^;])*$"
    r"|\b(?:tell|ask|remind|instruct) (?:the |our )?(?:readers?|users?|people|developers|contributors|them)\b[^.;]*$"
    r"|(?:README|文档|Dockerfile|CI|流水线|脚本|配置|说明|\.\w{2,4})\s*(?:文件)?[里中上][^，。；]{0,6}(?:写|加|改"
    r"|注明|声明|添加|要|应)[^。；]*$",
    re.IGNORECASE,
)
"""A clause that says what is to be written into a file or done by a tool that is made."""
_SENTENCE = lazy(r"[.;](?:\s|$)|[。；\n]")


def is_written(before: str) -> bool:
    """Return whether the sentence up to a command says that it is to be written into a file or done by a tool."""
    return _WRITTEN.search(_SENTENCE.split(before[-_NEAR:])[-1]) is not None


_OWN = lazy(
    r"\b(?:should|shall|do|can|could|may|must|did|would) i\b|\bi(?:'ll| can| could| may| might| will| would)\b"
    r"(?! (?:\w+ )?(?:like|love|want|wish|ask|need|prefer|appreciate|be|see|expect|accept|merge|check|verify)\b)"
    r"|\bable to\b|\bmyself\b|\bdo we (?:have|need) to\b|\bplans? (?:to|for|of|how)\b"
    r"|\b(?:is|are|was|were) (?:\w+ )?(?:tested|linted|built|formatted|managed|deployed|type-?checked) (?:with|using"
    r"|via|through)\b|\blet me (?:run|try|test|check)\b|我自己|我来|要不要|是否|需不需要|吗|нужно ли|soll ich|debo\b"
    r"|devo\b|dois-je",
    re.IGNORECASE,
)
_OWN_AFTER = lazy(
    r"^[^。；\n]{0,20}[吗嗎么]\W*$|^\s*(?:should|must|will) (?:also )?run (?:lint\w*|tests?|the|all|both|a)\b|"
    r"^[^.;,]{0,60}\b(?:myself|on my own)\b|^[^.;?]{0,60}[,;–—-]+\s*(?:please )?(?:add|put|write|note|mention|document)"
    r" (?:this|that|it)(?: down)? (?:to|in|into)\b",
    re.IGNORECASE,
)


_STATED = lazy(
    r"^\s*(?:[:：]?\s*\d+ (?:tests? )?passed|(?:just |finally |has |all )?(?:succeeded|passed|worked|finished"
    r"|completed)|(?:passes|works|succeeds|builds|compiles|is (?:green|clean|fine|ok|passing)) (?:now|again)(?=\s*(?:$"
    r"|[.,;!])))\b",
    re.IGNORECASE,
)


def is_own_deed(before: str, after: str) -> bool:
    """Return whether a sentence tells of a command that the person runs, that ran, or that is to be noted down."""
    said = _SENTENCE.split(before[-_NEAR:])[-1]
    return bool(_OWN.search(said) or _OWN_AFTER.match(after) or (not said.strip() and _STATED.match(after)))


DESCRIBES = lazy(
    r"^\W*(?:the|these|those|our|this|that|it|they|both|each)\s+(?!(?:agent|assistant)\b)(?:(?!must|should|shall"
    r"|have|has|needs?)"
    r"[\w./-]+\s+){0,3}?(?:(?:automatically|also|then) )?(?:runs?|executes?|calls?|invokes?|performs?|uses?)\b"
    r"(?!.*\b(?:must|should|shall|make sure|ensure|please)\b)",
    re.IGNORECASE,
)
"""A sentence that says what something runs."""
PAST = lazy(
    r"^\W*(?:\d+\W+)?(?:i |we )?(?!need|embed|feed|seed|proceed|succeed|speed)(?:\w{2,}ed|built|ran|made|wrote|got"
    r"|set up)\b",
    re.IGNORECASE,
)
"""A sentence that begins with what was done."""
UNTOLD = lazy(r"\bno(?:body)? needs? to\b|\b(?:states?|says?|claims?) that\b", re.IGNORECASE)
"""An obligation that is denied or only told of."""
ASKS = lazy(
    r"^\W*(?:why|how|what|which|where|who|is|are|does|did|was|warum|wie|was|por qué|cómo|pourquoi"
    r"|comment)\b[^.!]*[?？]$",
    re.IGNORECASE,
)
"""A sentence that asks from its beginning."""
_NOT_AFTER = lazy(
    r"^[^.。!！;；]*[?？]|^\s*(?:noch |jetzt )?(?:auf keinen fall|nicht|niemals|non|nicht mehr)\b", re.IGNORECASE
)


def demands(before: str, after: str) -> bool:
    """Return whether the clause around a command tells the reader to run it or to see to its success.

    Args:
        before: the sentence up to the command.
        after: the sentence behind it.
    """
    before = before[-_NEAR:].rstrip() + " "
    if _NOT_AFTER.match(after):
        return False
    if _BEHIND.match(after):
        return not _ENDINGS.search(before + " " + after)
    return any(
        not tells.search(before) and any(head.search(before) and tail.match(after) for head, tail in ways)
        for tells, ways in _WAYS
    )
