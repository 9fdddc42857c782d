"""One table holds what is known of programs: the module of the hook is made from it, and each row has a case."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.effects import EFFECTS
from policy_engine.programs._rows import MODEL_OF, ROWS
from policy_engine.programs.base import find_program, named
from tests.house.sources import ROOT
from tools.programs import FOLDER, module, table

KEYS = frozenset(
    (
        "about names options effects handler abbreviates stops raw shows_content evident final tolerant single_dash "
        "looks read_only reads reads_unless many_verbs no_option_harms authors informs worst folders works asks "
        "complete agent packages pids texts elevates starts runs installs hands_on interprets service feeds options_in "
        "labels"
    ).split()
)
HOOKED = ("claude", "codex", "gemini", "opencode", "copilot", "cursor-agent", "qwen", "cline", "droid", "kiro-cli")
MODELS = [key for key, row in ROWS.items() if "effects" in row or "handler" in row]


def test_the_module_of_the_hook_is_made_from_the_table() -> None:
    assert (FOLDER / "_rows.py").read_text("utf-8") == module(), "run `make programs`"


@pytest.mark.parametrize("key", MODELS)
def test_each_program_has_a_case_or_a_unit_test(key: str) -> None:
    stem = key.replace("-", "_")
    names = {stem, "sevenzip"} if key == "7z" else {stem}
    places = [ROOT / "tests/cases/programs" / f"{name}.case" for name in names]
    places += [ROOT / "tests/unit/programs" / f"test_{name}.py" for name in names]
    assert any(place.is_file() for place in places)


def test_rows_use_known_traits_and_effects_only() -> None:
    wrong = [(key, trait) for key, row in table().items() for trait in row if trait not in KEYS]
    for key, row in ROWS.items():
        said = [action.get(kind, "") for action in row.get("effects", []) for kind in ("does", "may")]
        wrong += [(key, word) for text in said for word in text.split() if word not in EFFECTS and word != "*"]
        feared = {*EFFECTS, "reads", "writes", "deletes", "rewrites"}
        wrong += [(key, word) for word in row.get("worst", "").split() if word not in feared]
    assert wrong == []


def test_a_name_belongs_to_one_row() -> None:
    names = [name for row in ROWS.values() for name in row.get("names", "").split()]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert twice == []
    assert set(MODEL_OF) <= set(names)


def test_the_packs_know_each_agent_that_a_hook_can_guard() -> None:
    text = (ROOT / "rules" / "builtin" / "no-tamper.policy").read_text("utf-8")
    missing = [name for name in HOOKED if f'"{name}"' not in text.partition("c.via != []")[0]]
    assert missing == []


def test_each_handler_belongs_to_a_row() -> None:
    files = {path.stem for path in (FOLDER / "handlers").glob("*.py")} - {"__init__"}
    assert files == {row["handler"] for row in ROWS.values() if "handler" in row}


def test_each_agent_with_an_adapter_is_a_row_with_agent() -> None:
    files = (ROOT / "policy_engine" / "adapters").glob("*.py")
    adapters = {path.stem for path in files} - {"__init__", "base", "generic"}
    starts = {"claude_code": "claude", "cursor": "cursor-agent", "kiro": "kiro-cli", "windsurf": None}
    agents = named("agent")
    assert {starts.get(one, one) for one in adapters} - {None} <= agents


@pytest.mark.parametrize("name", sorted(named("agent")))
def test_an_agent_without_approval_is_unguarded_whatever_it_is_called(name: str) -> None:
    program = find_program(name)
    assert program is not None
    filesystem = Virtual()
    for words in (("--yolo",), ("chat", "--trust-all-tools"), ("run", "--dangerously-skip-permissions", "x")):
        analysis = program.effects(
            program.arguments(words), filesystem.resolve("/workspace", None), filesystem, called=name
        )
        assert "unguarded-agent" in analysis.words, words
