"""Era 1: summaries of tool output, which are the wording of another product."""

from __future__ import annotations

from tools.seeds.base import Answer, Area, Case, Skip


def success_summary(case: Case) -> Answer:
    raise Skip("what a build tool printed, said in iceCoder's words: prompt wording; a policy sees status and text")


AREAS: dict[str, Area] = {"e1.success_summary": success_summary}
