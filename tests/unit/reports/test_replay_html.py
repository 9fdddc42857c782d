"""The page of a replay: what the agents and rules wrote is text in it, and nothing is fetched or run."""

from __future__ import annotations

from html.parser import HTMLParser

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.replayed import Replayed
from policy_engine.reports.replay_html import replay_html

EVIL = "<script>alert(1)</script><img src=x onerror='y'>\"&\x1b[31m"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def _page() -> str:
    found = Replayed("sha256:0", EVIL)
    decision = Decision("e", "before_tool", EVIL, "deny", "sha256:0", (RuleResult(EVIL, "violated", "deny", "no"),))
    old = Decision("e", "before_tool", EVIL, "allow", "sha256:1", ())
    found.add(decision, {"hook": "before_tool", "workspace": f"/home/dev/{EVIL}"}, EVIL, old)
    found.damage_at(EVIL, EVIL)
    found.compare(decision, {"verdict": EVIL, "policy": "sha256:0"}, True, EVIL)
    return replay_html(found)


def test_every_text_is_escaped_and_nothing_else_is_needed() -> None:
    page = _page()
    reader = _Reader()
    reader.feed(page)
    assert not {"script", "img", "link", "iframe", "a"} & set(reader.tags)
    assert reader.attributes <= {"lang", "charset", "name", "content", "class"}
    assert "http" not in page and "url(" not in page and "\x1b" not in page
    assert "<script>alert(1)</script>" in reader.text


def test_the_counts_stand_in_it() -> None:
    assert "1 event decided by" in _page()
    assert '<td>1</td><td>0</td><td>100.0</td><td>1 <span class="deny">deny</span></td>' in _page()
