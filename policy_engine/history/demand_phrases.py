"""Read the phrases around a command that demand it: fixed phrases, commands in parentheses, and other languages.

A row of the table has what stands before the command and what stands after it; either may be empty. A negation, a
question, a report of the past or a person who acts in the same clause takes the demand back.
"""

from __future__ import annotations

import re

_MARK = "[\ue000-\uf7ff]"
_NOUN = (
    r"(?:lint(?:er|ing|s)?|(?:\b\w{1,20} )?tests?|test suite|suite|type[ -]?check(?:er|s|ing)?|build|compile[rd]?"
    r"|compilation"
    r"|checks?|formatter|migrations?|benchmarks?|script|command|codegen|smoke test|nothing breaks"
    r"|everything (?:still )?(?:works|compiles|builds|passes)|检查|测试|单测|构建|编译|类型检查|格式化|pruebas?"
    r"|compilación|vérification"
    r"|prüfung|テスト|ビルド)"
)
_ASIDE = re.compile(
    rf"(?:\b(?:the|our|your|a|der|die|das|den|el|la|los|las|le|les)\s+)?(?:\b(?:full|whole|final|unit)\s+)?{_NOUN}"
    rf"\s*[(（]\s*(?:(?:with|via|using|i\.e\.|mit|con|avec|用)\s*)?({_MARK}(?:[\s,，、&+]*{_MARK})*)\s*[)）]",
    re.IGNORECASE,
)
_END_ZH = r"(?:提交|合并|结束|推送|收工|完成|交付|发布|停)"
_GREEN = (
    r"(?:grün|fehlerfrei|sauber|erfolgreich|en verde|verdes?|limpio|sin errores|sans erreurs?|au vert|verte?s?|propre)"
)
_ROWS = tuple(
    (re.compile(rf"(?:{before})\s*$", re.IGNORECASE), re.compile(rf"^\s*(?:{after})", re.IGNORECASE))
    for before, after in (
        # English
        (r"\b(?:as|the) (?:usual|always)\b[^.!?]{0,40}[:：]", r""),
        (r"\b(?:finish|end|conclude|close) (?:off |up )?with (?:a |an )?(?:clean |green |final |successful )?", r""),
        (r"\bfix (?:the )?(?:failing |broken |red )?", r"(?:and|so) (?:that )?(?:make|get) (?:it|them) (?:to )?pass"),
        (r"(?:^|[;,.])\s*", r"(?:must|should|shall|has to|needs to) (?:produce|give|report|show|find|print) (?:no"
         r"|none|nothing|zero)\b"),
        (r"^(?!(?:our|the|my|a|this|that|each)\b)[^:：?.]{3,80}(?:→|->|=>|⇒)", r"[.。]?$"),
        (r"(?:^|[.;]\s*)(?:before (?:you |the |we )?[^.:?]{2,40}|(?:and )?(?:then|finally|lastly|afterwards))[:：]",
         r""),
        (r"\b(?:no|never|don't|do not) (?:commit|merge|push|release|hand|pr)\w*\b[^.?]{0,20}\bwithout (?:a |an )?"
         r"(?:green |clean |passing |successful )?(?:running |run of )?", r""),
        (r"\byour (?:last|final|first|next) (?:step|thing|action) (?:is|must be|has to be)(?: always| to run"
         r"| running)?[:：]?", r""),
        (r"\b(?:don't|do not|never) forget(?: about)?(?: the)?", r""),
        (r"(?:^|[.;]\s*)to (?:verify|check|validate|test|confirm)\b[^.?]{0,40},\s*(?:please )?use", r""),
        (r"\b(?:be sure|make sure|remember|don't forget|please)(?: to| and)? [^.,;:?]{3,40}\b(?:with|using|via)", r""),
        (r"\bmake (?:it|this|that|everything|all) (?:compile|build|pass|work|green)(?: again)?\s*[:：(]", r""),
        (r"(?:^|[.;,]\s*|\b(?:then|please|and)\s+)use", r"to (?:make sure|ensure|verify|check|confirm|validate)\b"),
        # Chinese
        (r"最后一步\s*(?:[:：]|是)", r""),
        (r"以", r"(?:全部|都)?(?:通过|成功)为(?:准|标准)"),
        (r"(?:^|[，。；：前后])请?先", r"(?:$|[。，])"),
        (rf"{_END_ZH}(?:之)?前\s*[:：,，]", r""),
        (r"(?:^|[，。；：、]|后)", r"(?:不能|不得|不应|不许|不可)(?:再)?(?:有|出现|报)[^，。]{0,4}(?:警告|错|失败)"),
        (r"(?:先|再|要|请|必须|你|^|[，。；])(?:你)?(?:让|使|把)", r"(?:能|都|全部|重新)*(?:通过|跑通|成功|变绿|跑过)"),
        (r"(?:条件|前提|标准)(?:是|为)", r"(?:能|都|全部)*(?:通过|跑通|成功|变绿|无错)"),
        (r"(?:别|不要)忘(?:了|记)?(?:跑|运行|执行|用)?", r""),
        (r"(?:^|[，。；]|再|先|后)\s*用", r"(?:再)?(?:跑|走|过|测)"),
        (r"(?:^|[，。；：、]|后)", r"(?:全部|都)?(?:要|得|必须|需要?|应)(?:全部|都)?(?:能够?|可以)?(?:编译|构建"
         r"|运行|跑)?(?:过|通过|成功)"),
        (r"(?:^|[，。；：、])", r"(?:没|未)?(?:全部|都)?通过之?前[^。]{0,4}(?:不要|别|不得|不许|不能)"),
        (r"没(?:有)?(?:跑|运行|执行|通)?(?:过|通过)?", rf"(?:(?:通)?过)?.{{0,6}}?(?:不许|不准|不能|不得|不可|别"
         rf"|不要).{{0,4}}{_END_ZH}"),
        (r"(?:等|等到|待|跑通|通过|跑完|跑过|运行完|执行完)", rf"[^，。；]{{0,10}}?(?:再|才|之后|以后"
         rf"|后)[^，。；]{{0,4}}{_END_ZH}"),
        (r"(?:^|[，。；：、]|后|先|再|把)", r"(?:都|全部|各|再|也|先)*(?:走|跑|过|执行|运行|跑通)(?:一遍|一下|一次"
         r"|一轮)"),
        (r"(?:验证|检查|收尾|自测|交付)(?:步骤|方式|方法|流程)\s*[:：](?:\s|\d[.)、])*", r""),
        (r"(?:老规矩|照旧|照例|按惯例)[^。？]{0,20}[:：,，]", r""),
        # German
        (r"\b(?:stelle? (?:bitte )?sicher|achte darauf|sorge dafür|sicherstellen|vergewissere dich), dass", r""),
        (r"(?:^|[,.:;]\s*|\b(?:bitte|dann|danach|anschließend|noch|und)\s+)(?:führe?|lass(?:e)?|starte|rufe?)"
         r"(?: (?:bitte|noch|dann|einmal|zuerst|am ende|zum schluss|danach))*", r""),
        (r"(?:^|[,.:;]\s*|\b(?:am ende|zum schluss|danach|anschließend|bitte|noch|dann|immer|und)\s*)",
         r"(?:bitte )?(?:noch )?(?:laufen lassen|ausführen|durchlaufen lassen|starten)"),
        (r"(?:^|[,.:;]\s*|\b(?:bitte|dann|danach|und)\s+)(?:prüfe?|überprüfe?|verifiziere?|teste?|kontrolliere?)\b"
         r"[^.,;?]{0,40}\bmit", r""),
        (r"\b(?:erst|nur|fertig|nicht)\b[^.?]{0,50}\b(?:wenn|bis|nachdem|bevor)", r""),
        (r"(?:^|[,.:;]\s*|\bund\s+)", rf"(?:muss|müssen|soll|sollen|sollte)\b[^.,;]{{0,20}}(?:{_GREEN}|durchlaufen"
         rf"|bestehen|laufen)"),
        (r"\b(?:muss|müssen|soll|sollen)(?: noch| auch| immer)*", rf"(?:noch |auch |immer )*(?:{_GREEN}|durchlaufen"
         rf"|laufen|bestehen)"),
        (r"\b(?:vergiss nicht|denk(?:e)? daran),?", r""),
        (r"(?:^|[,.:;]\s*|\bund\s+)", r"(?:darf|dürfen) (?:nichts|keine)"),
        # Spanish
        (r"\bno olvides(?: ejecutar| correr| lanzar)?", r""),
        (r"\b(?:debe|tiene que|deben|tienen que) pasar(?: el| la)?", r""),
        (r"\b(?:asegúrate|asegurate|asegúrese|comprueba|verifica|confirma)(?: de)? que", r""),
        (r"(?:^|[,.:;]\s*|\b(?:y|luego|después|por favor|antes|finalmente)\s+)(?:ejecuta|corre|lanza|pasa"
         r"|vuelve a ejecutar)", r""),
        (r"(?:^|[,.:;]\s*|\b(?:y|luego|por favor)\s+)(?:verifica|comprueba|valida|revisa)\b[^.,;?]{0,40}\bcon", r""),
        (r"\bno (?:pares|termines|acabes|te detengas|hagas commit|subas)\b[^.?]{0,20}\b(?:hasta que|antes de que"
         r"|sin que)", r""),
        (r"(?:^|[,.:;]\s*|\by\s+)", rf"(?:debe|deben|tiene que|tienen que)\b[^.,;]{{0,20}}(?:{_GREEN}|pasar"
         rf"|funcionar|compilar)"),
        (r"\bsolo\b[^.?]{0,40}\b(?:cuando|si|después de que)", r""),
        # French
        (r"\b(?:assure[- ]toi|assurez[- ]vous|vérifie|vérifiez|veille|fais en sorte)(?: bien)?(?: à ce)? qu[e']", r""),
        (r"(?:^|[,.:;]\s*|\b(?:et|puis|ensuite|enfin)\s+)(?:lance|lancez|exécute|exécutez|relance|fais tourner)", r""),
        (r"(?:^|[,.:;]\s*|\b(?:et|puis|ensuite)\s+)(?:vérifie|valide|contrôle|teste)\b[^.,;?]{0,40}\bavec", r""),
        (r"\bne (?:t'arrête|termine|commite|finis|pousse)\b[^.?]{0,12}\bpas\b[^.?]{0,20}\b(?:tant que|avant que"
         r"|jusqu'à ce que)", r""),
        (r"(?:^|[,.:;]\s*|\bet\s+)", rf"(?:doit|doivent)\b[^.,;]{{0,20}}(?:{_GREEN}|passer|réussir|compiler)"),
        (r"\b(?:il faut que|n'oublie pas (?:de lancer|d'exécuter))", r""),
        # Japanese
        (r"(?:^|[。、にら]|して|後|前)", r"(?:を)?(?:必ず|も|一度|再度)?(?:を)?(?:実行|走らせ|流し|回し)(?:し(?=、)"
         r"|(?:し)?て(?:ください|下さい|から|ね|おいて"
         r"|。|、|$)|すること)"),
        (r"(?:^|[。、にら]|して|後|前)", r"(?:の(?:成功|実行))?(?:が|も)[^。、]{0,8}(?:通る|成功する|パスする"
         r"|グリーンになる|緑になる)(?:ことを確認|ようにし|まで|こと)"),
        (r"(?:^|[。、にら]|して|後|前)", r"(?:が|も)(?:通って|成功して|パスして|通った|成功した|パスした)(?:から|ら"
         r"|後に)"),
        (r"(?:^|[。、にら]|して|後|前)", r"で(?:[^。、]{0,8}を)?(?:確認|検証|チェック)(?:して|すること)"),
    )
)  # fmt: skip
_TAKEN_BACK = re.compile(
    r"\b(?:why|how|what|which|who|example|was|were|ran|said|says|i|he|she|they)\b|为什么|怎么|如何|例如|比如|昨天"
    r"|上次|我们?\s*(?:跑"
    r"|运行|执行)"
    r"|自动|同事|脚本|程序|系统|流水线|用户|示例|说明"
    r"|\b(?:warum|wieso|wie|was|kein(?:e[nmrs]?)?|nie(?:mals)?|gestern|beispiel|beschreibe|dokumentiere|ich|wir|er"
    r"|sie)\b"
    r"|\b(?:por qué|cómo|qué|nunca|jamás|ayer|ejemplo|documenta|describe|explica)\b|\bno (?:ejecutes|corras|lances"
    r"|ejecuta|corre)\b"
    r"|\b(?:pourquoi|comment|jamais|hier|exemple|documente|décris|explique)\b|\bne (?:lance|exécute|relance)\b"
    r"|なぜ|どう|例えば|昨日|方法",
    re.IGNORECASE,
)
_TAKEN_AFTER = re.compile(
    r"^[^.。!！;；]*[?？]|^\s*(?:auf keinen fall|nicht|niemals)\b|^[^.。]{0,12}(?:しないで|しない|失敗|不是)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.!?。！？\n]")


def open_asides(text: str) -> str:
    """Return the sentence with the command in the place of what it explains: "run the linter (X)" is "run X"."""
    return _ASIDE.sub(r" \1 ", text)


def is_phrased_as_demand(before: str, after: str) -> bool:
    """Return whether a row of the table demands the command that stands between two texts of a sentence."""
    said = _CLAUSE.split(before.rstrip())[-1]
    if _TAKEN_BACK.search(said) or _TAKEN_AFTER.match(after):
        return False
    return any(head.search(before) and tail.match(after) for head, tail in _ROWS)
