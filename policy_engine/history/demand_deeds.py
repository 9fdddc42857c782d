"""Read an order to do what a command does, with the command behind it: in parentheses, behind a colon, in a block.

"Regenerate the client (`make client`)", "Check for new files:" and a block, "重新安装依赖（`pnpm install`）". The verb
stands first in its clause, names a deed that a command does, and has an object; what the object calls a text (a
command, a script, an example, an error) is talked about, and not run.
"""

from __future__ import annotations

import re

_MARK = "[\ue000-\uf7ff]"
_LEAD = (
    r"(?:(?:please|then|and|also|finally|next|first|now|always|again|afterwards|you (?:must|should|have to|need to)"
    r"|must|should|make sure to|be sure to|remember to|don'?t forget to|let'?s|go ahead and),?\s+)*"
)
_DEED = (
    r"(?:(?:double-?|re-?)?(?:check|verify|test|validate|run|format|lint|type-?check|build|compile|generate|install"
    r"|execute|start|deploy|sync|seed|index|pack|measure)"
    r"|confirm|synchroni[sz]e|update|upgrade|refresh|fetch|pull|push|commit|stage|migrate|publish|clean up|clean"
    r"|reset|apply|inspect|audit|scan|benchmark|profile|exercise|ensure|make sure|prove|bundle|package|render|bootstrap"
    r"|restore|prune|rebase|merge|tag|lock|dry-?run|smoke-?test)"
)
_OBJECT = rf"(?:\s+(?!(?:to|when|how|why|using)\b)[^\s:：()（）.;,?!{_MARK[1:-1]}]+){{1,12}}?"
_ORDER = re.compile(
    rf"(?:^|[.;!，。；—–]\s*|\s-\s+|:\s+|(?P<joined>\b(?:and|then)\s+)"
    r"|(?P<timed>(?:^|[.;!]\s*)(?:after|before|once|following|upon|prior to|every time|each time"
    r"|whenever you)\b[^.;:]{2,80},\s*))"
    rf"\W{{0,3}}(?P<lead>{_LEAD})(?P<deed>{_DEED})\b"
    rf"(?P<object>{_OBJECT}|\s*)(?:,? (?:then|and) [^:：()（）]{{2,50}})?\s*(?P<link>[:：(（]|—|–|\s-)\s*$",
    re.IGNORECASE,
)
_DEED_ZH = (
    r"(?:重新|再次|手动|完整|批量|一并|统一)?(?:安装|拉取|更新|升级|提交|推送|构建|编译|打包|部署|生成|清理|清除"
    r"|检查|验证"
    r"|校验|同步|格式化|测试|初始化|执行|运行|跑|获取|查看|确认|回归|迁移|启动|应用|发布|重建|刷新|扫描|审计)"
)
_ORDER_ZH = re.compile(
    rf"(?:^|[，。；、：:\s]|请|先|需要?|必须|务必|应|(?P<joined>[并再]|然后|最后))(?P<deed>{_DEED_ZH})"
    rf"(?P<object>[^，。；：:()（）？?{_MARK[1:-1]}]{{0,20}})\s*(?P<link>[:：(（])\s*$"
)
ASKS_FIRST = re.compile(
    r"^\W*(?:always |then )?(?:ask|propose|suggest|offer|wait|confirm with)\b|^\W*(?:先)?(?:询问|征求|提示用户|建议)",
    re.IGNORECASE,
)
_TALKED = re.compile(
    r"\b(?:commands?|scripts?|alias(?:es)?|examples?|errors?|warnings?|logs?|messages?|docs?|documentation|readme"
    r"|wording|texts?|sections?|titles?|names?|lines?|blocks?|snippets?|targets?|hooks?|pipelines?|workflows?|jobs?"
    r"|ci|config\w*|settings?|options?|flags?|usage|syntax|failures?|crash\w*|bugs?|issues?|parser|reader|regex"
    r"|template"
    r"|one|either|different|like|instead|alternative\w*|specific|single|individual)\b"
    r"|命令|脚本|示例|例子|报错|错误|日志|文档|说明|章节|标题|名称|流水线|配置|问题|方式|方法|用法|单个|参数",
    re.IGNORECASE,
)
"""What an object calls a text, or one of several."""
_NONE = re.compile(
    r"\b(?:if|unless|whenever|in case|optional\w*|alternatively|or|instead of|can|could|may|might|not|never|don'?t"
    r"|without|to|example|e\.?g|such as|like|was|were|did|i|we|he|she|they|it|ci|users?|why|how|what|which|who)\b"
    r"|如果|假如|若|可选|可以|例如|比如|不要|别|禁止|无需|自动|已|会|将|我们?|用户|为什么|怎么|如何|或",
    re.IGNORECASE,
)
_CHECKS = re.compile(
    r"check|verify|test|confirm|ensure|make sure|prove|validate|检查|确认|验证|测试|校验", re.IGNORECASE
)
_CHECKED = re.compile(r"\b(?:whether|that|which|what|it|if|not|no|or|was|were|we|can|to)\b|已|会", re.IGNORECASE)
"""Words of what is checked, which take an order back elsewhere."""
_ASIDE = re.compile(r"^[^()（）]{0,60}[)）]")
_EXAMPLE_ASIDE = re.compile(r"^[^()（）]*\b(?:or|for example|e\.?g|optional\w*|if)\b|^[^()（）]*(?:或|例如|可选|如果)")
_ENDS = re.compile(r"^\s*(?:$|[.。;；,，)）]|—|–|-\s|and\b|then\b|to\b|并|后|以|确保)")
_NEAR = 300  # characters before a command that are read
_CLAUSES = re.compile(r"[.;!?。；！？\n]")


def is_deed(before: str, after: str = "") -> bool:
    """Return whether the clause before a command or a block orders what it does.

    Args:
        before: the sentence up to the command, or up to the end of what announces a block
        after: the sentence behind the command
    """
    said = _CLAUSES.split(before[-_NEAR:])[-1]
    order = _ORDER.search(said) or _ORDER_ZH.search(said)
    if order is None or ASKS_FIRST.match(said) or "?" in after or "？" in after:
        return False
    link, aim = order["link"], order["object"].strip()
    whole = order.groupdict().get("timed") or (link in "(（" and (order["joined"] or order["deed"].startswith("重新")))
    if not aim and not whole:
        return False
    if _TALKED.search(aim) or _NONE.search(said[: order.start()]) or _is_denied(order, said):
        return False
    if link in "(（":
        return _ASIDE.match(after) is not None and not _EXAMPLE_ASIDE.match(after)
    return _ENDS.match(after) is not None


def _is_denied(order: re.Match[str], said: str) -> bool:
    """Return whether the words of an order take it back: a case, a choice, a negation."""
    words = order["object"]
    if _CHECKS.search(order["deed"]):
        words = _CHECKED.sub(" ", words)
    return _NONE.search(words) is not None or said.rstrip().endswith(("?", "？"))
