"""Select what is kept on the disk of a host's todos, goal and plan. Imported by the hook path.

Rules need of a goal the commands that it demands and whether it changed; its text only where a rule reads it. A title
of a todo is shown in messages, and is kept as it may be shown.
"""

from __future__ import annotations

from policy_engine.history.digest import text_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.history.session import History

GOAL_TEXT = "goal.text"  # among the kinds of facts: a rule reads it
TITLE_CHARS = 300
_PLAN = ("open_steps", "status", "created", "tokens", "cents")
_PLAIN = ("status", "required", "owned", "retries", "revision", "created")
_TEXTS = ("id", "title", "blocked_reason")
_LISTS = ("dependencies", "supersedes")


def kept_goal(goal: dict[str, Any], history: History, asked: frozenset[str]) -> dict[str, Any]:
    """Return a goal without its text, unless it is asked for."""
    text = goal.get("text")
    if text is None and "commands" not in goal:
        return {}
    kept: dict[str, Any] = {"digest": text_digest(str(goal.get("text", "")))}
    if "commands" in goal:
        commands = goal["commands"]
        whole = type(commands) is list and all(type(command) is str for command in commands)
        kept["commands"] = [history.keep_command(command) for command in commands] if whole else None
    elif type(text) is str:  # of a text of the wrong type no commands are known
        from policy_engine.history.demands import read_demands

        demands = read_demands(text)
        kept["commands"] = [history.keep_command(command) for command in demands.commands]
        kept["steps"] = [history.shown(command) for command in demands.steps]
        kept["mentions"] = [history.shown(mention) for mention in demands.mentions]
        kept["tests"] = demands.tests
    if GOAL_TEXT in asked:
        kept["text"] = history.shown(text) if type(text) is str else text
    elif text is not None and type(text) is not str:
        kept["text"] = 0  # that it is no text is kept, and nothing else of it
    return kept


def kept_plan(plan: dict[str, Any]) -> dict[str, Any]:
    """The parts of a plan, or of what was used, that rules can read."""
    return {key: plan[key] for key in _PLAN if key in plan}


def kept_todos(todos: list[Any], shown: Callable[[str], str]) -> list[Any]:
    """The parts of todos that rules can read, texts as they may be shown."""
    return [_todo(todo, shown) if type(todo) is dict else todo for todo in todos]


def _todo(todo: dict[str, Any], shown: Callable[[str], str]) -> dict[str, Any]:
    kept = {key: todo[key] for key in _PLAIN if key in todo}
    for key in _TEXTS:
        if key in todo:
            value = todo[key]
            kept[key] = shown(value[:TITLE_CHARS]) if type(value) is str else value
    for key in _LISTS:
        if key in todo:
            value = todo[key]
            kept[key] = [shown(one) if type(one) is str else one for one in value] if type(value) is list else value
    return kept
