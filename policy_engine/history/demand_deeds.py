"""Read an order to do what a command does, with the command behind it: in parentheses, behind a colon, in a block.

"Regenerate the client (`make client`)", "Check for new files:" and a block, "重新安装依赖（`pnpm install`）". The verb
stands first in its clause, names a deed that a command does, and has an object; what the object calls a text (a
command, a script, an example, an error) is talked about, and not run.
"""

from __future__ import annotations

import re

from policy_engine.model.lazy_regex import lazy

_MARK = "[\ue000-\uf7ff]"
_LEAD = (
    r"(?:(?:please|then|and|also|finally|next|first|now|always|again|afterwards|you (?:must|should|have to|need to)"
    r"|must|should|make sure to|be sure to|remember to|don'?t forget to|let'?s|go ahead and),?\s+){0,3}"
)
_DEED = (
    r"(?:(?:double-?|re-?)?(?:check|verify|test|validate|run|format|lint|type-?check|build|compile|generate|install"
    r"|execute|start|deploy|sync|seed|index|pack|measure)"
    r"|confirm|synchroni[sz]e|update|upgrade|refresh|fetch|pull|push|commit|stage|migrate|publish|clean up|clean"
    r"|reset|apply|inspect|audit|scan|benchmark|profile|exercise|ensure|make sure|prove|bundle|package|render|bootstrap"
    r"|switch|restart|clone|download|restore|prune|rebase|merge|tag|lock|dry-?run|smoke-?test)"
)
_LOOKS = (
    r"(?:review|determine|infer|find|list|look up|discover|resolve|bump|point|query|collect|gather|capture|record"
    r"|search|view|show|get|see|identify"
    r"|diff|compare|count|preview|detect|read|explore|monitor|watch for|prepare|set up|activate|enable|initiali[sz]e"
    r"|bootstrap|create|delete|remove|download|clone|reload|restart|launch|invoke|trigger|call|kick off|open|switch"
    r"|stop|kill|revert|roll back|squash|cherry-pick|stash|register|authenticate|log in|login|configure|use the"
    r"|use a|mark|produce|rebuild|reinstall|recompile|export|import|load|make (?:a|the))"
)
"""Verbs that order a deed where a block of commands follows, and may be about a text where one command does."""
_CHECKS = lazy(r"check|verify|test|confirm|ensure|make sure|prove|validate|检查|确认|验证|测试|校验", re.IGNORECASE)
_OBJECT = rf"(?:\s+(?!(?:to|when|how|why|using)\b)[^\s:：()（）.;,?!{_MARK[1:-1]}]+){{1,12}}?"
_START = (
    r"(?:^|[.;!，。；—–]\s*|\s-\s+|:\s+|(?P<joined>,?\s*\b(?:and|then)\s+)"
    r"|(?P<timed>(?:^|[.;!]\s*)(?:after|before|once|following|upon|prior to|every time|each time"
    r"|whenever you)\b[^.;:]{2,80},\s*))"
)


def _order(deed: str) -> re.Pattern[str]:
    return lazy(
        rf"{_START}\W{{0,3}}(?P<lead>{_LEAD})(?P<deed>{deed})\b"
        rf"(?P<object>{_OBJECT}|\s*)(?:,? (?:then|and) [^:：()（）]{{2,50}})?\s*(?P<link>[:：(（]|—|–|\s-)\s*$",
        re.IGNORECASE,
    )


_DEED_ZH = (
    r"(?:重新|再次|手动|完整|批量|一并|统一)?(?:安装|拉取|更新|升级|提交|推送|构建|编译|打包|部署|生成|清理|清除"
    r"|检查|验证|校验|同步|格式化|测试|初始化|执行|运行|跑|获取|查看|确认|回归|迁移|启动|应用|发布|重建|刷新|扫描|审计)"
)
_LOOKS_ZH = (
    r"(?:推断|查找|汇总|收集|分析|统计|定位|列出|搜索|重启|停止|创建|删除|设置|登录|审查|对比|下载|克隆|重载|切换|回滚)"
)


def _order_zh(deed: str) -> re.Pattern[str]:
    return lazy(
        r"(?:^|[，。；、：:\s]|请|先|需要?|必须|务必|应|(?P<joined>[并再]|然后|最后))"
        rf"(?:[从用在对将把]|使用|根据)?[^，。；：:()（）？?{_MARK[1:-1]}]{{0,14}}?(?P<deed>{deed})"
        rf"(?P<object>[^，。；：:()（）？?{_MARK[1:-1]}]{{0,20}})\s*(?P<link>[:：(（])\s*$"
    )


_MAIN = r"(?!(?:the|an?|we|i|you|it|this|that|there|they|he|she|our|my|your|all|ci|some|each|no|these|those)\b)[a-z]+"
_ORDERS = (_order(_DEED), _order_zh(_DEED_ZH))
_ORDERS_BLOCK = (_order(rf"(?:{_DEED}|{_LOOKS}|(?(timed){_MAIN}|(?!)))"), _order_zh(rf"(?:{_DEED_ZH}|{_LOOKS_ZH})"))
ASKS_FIRST = lazy(
    r"^\W*(?:always |then )?(?:ask|propose|suggest|offer|wait|tell|confirm with)\b"
    r"|^\W*(?:include|provide|list|suggest|generate|write)\b(?!.*\b(?:output|result)s?\b)[^.:]*\b(?:commands|steps)\b"
    r"|.*[,;]\s*(?:then )?ask (?:before|for|first|the user)\b|^\W*(?:先)?(?:询问|征求|提示用户|建议|告诉用户)",
    re.IGNORECASE,
)
"""A sentence that wants somebody asked or told."""
_TALKED = lazy(
    r"\b(?:commands?|scripts?|alias(?:es)?|examples?|messages?|wording|texts?|sections?|titles?|names?|lines?|blocks?"
    r"|snippets?|usage|syntax|parser|reader|regex|template|one|either|different|like|instead|alternative\w*|specific"
    r"|single|individual|individually)\b|命令|脚本|示例|例子|说明|章节|标题|名称|方式|方法|用法|单个|参数",
    re.IGNORECASE,
)
"""What an object calls a text, or one of several."""
_TEXTS = lazy(
    r"\b(?:errors?|warnings?|logs?|docs?|documentation|readme|targets?|hooks?|pipelines?|workflows?|jobs?|ci|config\w*"
    r"|settings?|options?|flags?|failures?|crash\w*|bugs?|issues?)\b|报错|错误|日志|文档|流水线|配置|问题",
    re.IGNORECASE,
)
"""What can be made or looked at by a command, and can be a text that is changed."""
_MAKES = lazy(
    r"generat|build|render|check|lint|format|compile|publish|deploy|sync|verif|validat|test|confirm|inspect|review|find"
    r"|list|collect|show|view|install|检查|验证|生成|构建|查看|查找|收集",
    re.IGNORECASE,
)
_CASE = lazy(
    r"\b(?:if|unless|whenever|in case|optional\w*|alternatively|can|could|may|might|example|e\.?g|why|how|what|who"
    r"|don'?t|never|avoid)\b|如果|假如|若|可选|可以|例如|比如|不要|别|禁止|无需|自动|为什么|怎么|如何",
    re.IGNORECASE,
)
"""What makes a sentence a case, a choice or a ban before its order comes."""
_NONE = lazy(
    rf"{_CASE.pattern}|\b(?:or|instead of|not|to|such as|like|was|were|did|i|we|he|she|they|it|ci|users?|that"
    r"|which)\b|已|会|将|我们?|用户|或",
    re.IGNORECASE,
)
_CHECKED = lazy(r"\b(?:whether|that|which|what|it|if|not|no|or|was|were|we|can|to)\b|已|会", re.IGNORECASE)
"""Words of what is checked, which take an order back elsewhere."""
_ASIDE = lazy(r"^[^()（）]{0,60}[)）]")
_EXAMPLE_ASIDE = lazy(r"^[^()（）]*\b(?:or|for example|e\.?g|optional\w*|if)\b|^[^()（）]*(?:或|例如|可选|如果)")
_ENDS = lazy(r"^\s*(?:$|[.。;；,，)）]|—|–|-\s|and\b|then\b|to\b|并|后|以|确保)")
_NEAR = 140  # characters before a command that are read
_CLAUSES = lazy(r"[.;!?。；！？\n]")


def is_deed(before: str, after: str | None = None) -> bool:
    """Return whether the clause before a command or a block orders what it does.

    Args:
        before: the sentence up to the command, or up to the end of what announces a block
        after: the sentence behind the command, none before a block
    """
    said = _CLAUSES.split(before[-_NEAR:])[-1]
    english, chinese = _ORDERS if after is not None else _ORDERS_BLOCK
    order = english.search(said) or chinese.search(said)
    after = after or ""
    if order is None or ASKS_FIRST.match(said) or "?" in after or "？" in after:
        return False
    link, aim = order["link"], order["object"].strip()
    whole = order.groupdict().get("timed") or (link in "(（" and (order["joined"] or order["deed"].startswith("重新")))
    if not aim and not whole:
        return False
    if _CASE.search(said[: order.start()]) or _is_denied(order, said):
        return False
    if link in "(（":
        return _ASIDE.match(after) is not None and not _EXAMPLE_ASIDE.match(after)
    return _ENDS.match(after) is not None


def _is_denied(order: re.Match[str], said: str) -> bool:
    """Return whether the words of an order take it back: a text, a case, a choice, a negation."""
    words = order["object"]
    if _TALKED.search(words) or (_TEXTS.search(words) and not _MAKES.search(order["deed"])):
        return True
    if _CHECKS.search(order["deed"]):
        words = _CHECKED.sub(" ", words)
    return _NONE.search(words) is not None or said.rstrip().endswith(("?", "？"))
