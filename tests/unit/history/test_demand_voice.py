"""Forms in which a demand stays one, and forms in which nobody gives it, each tried with many demands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.history.demands import Demands, read_demands

Form = Callable[[str], str]
PROMPTS = [
    json.loads(line)["prompt"]
    for line in (Path(__file__).resolve().parents[2] / "cases/prompts.jsonl").read_text("utf-8").splitlines()
]
SHORT = [text for text in PROMPTS if len(text) < 250 and "\n" not in text][::7]
DEMANDS = [(text, read) for text in SHORT if (read := read_demands(text)).commands or read.tests]


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _spaced(text: str) -> str:
    parts = text.split("`")
    return "`".join(part if at % 2 else part.replace(" ", "  ") for at, part in enumerate(parts))


KEPT: dict[str, Form] = {
    "spaces": _spaced,
    "slash command": lambda text: "/goal " + text,
    "mentioned file": lambda text: "@src/app.ts " + text,
    "greeting": lambda text: "hey, " + _lower(text),
    "line before": lambda text: "Fix the parser\n" + text,
    "sentence before": lambda text: "I got a 500 on the login page. " + text,
    "dash before": lambda text: "Fix the parser - " + _lower(text),
    "bold": lambda text: "**" + text + "**",
    "step": lambda text: "Do this:\n\n1. Fix the parser.\n2. " + text,
    "error before": lambda text: "I get this:\n```\nError: x is undefined\n```\n" + text,
    "line ends": lambda text: text + "\r\n",
}
LOST: dict[str, Form] = {
    "quoted error": lambda text: 'I got this error: "' + text.replace('"', "'") + '"',
    "asked about": lambda text: 'What does "' + text.replace('"', "'") + '" mean here?',
    "answer": lambda text: "In your last answer you wrote: " + text,
    "document": lambda text: "The README says: " + text,
    "somebody": lambda text: "My colleague said: " + text,
    "error": lambda text: "Error: " + text,
    "background": lambda text: "## Background\n\n" + text + "\n\n## Task\n\nRename the module.",
    "below it": lambda text: "## Background\n\n### Detail\n\n" + text,
    "later": lambda text: "## Next steps (later, not now)\n\n- " + text,
    "written": lambda text: 'Add a section to README.md that reads: "' + text.replace('"', "'") + '"',
    "translated": lambda text: "Translate into German: " + text,
    "report": lambda text: "## Steps to reproduce\n\n1. " + text + "\n\n## Expected\n\nNo error",
    "pasted": lambda text: 'Use this "First lines of a page\n\nmore of it\n' + text.replace('"', "'") + '"',
}


def _holds(text: str, wanted: Demands) -> bool:
    found = read_demands(text)
    return set(wanted.commands) <= set(found.commands) and (found.tests or bool(wanted.commands) or not wanted.tests)


@pytest.mark.parametrize("form", KEPT)
def test_a_demand_stays_one(form: str) -> None:
    lost = [text for text, read in DEMANDS if not _holds(KEPT[form](text), read)]
    assert len(lost) <= 0.03 * len(DEMANDS), lost


@pytest.mark.parametrize("form", LOST)
def test_what_nobody_demands_is_none(form: str) -> None:
    kept = [text for text, _ in DEMANDS if (read := read_demands(LOST[form](text))).commands or read.tests]
    assert len(kept) <= 0.03 * len(DEMANDS), kept


@pytest.mark.parametrize(
    "text",
    [
        "`nc -zv localhost 8080` works.\n`curl http://localhost:8080` works",
        'i got X is not registered. Please run "az provider register -n Y --wait" to register it. when I run yours',
        "31 packages are looking for funding\n  run `npm fund` for details\nfound 0 vulnerabilities",
        "Run npm run audit:unused\n\n> audit:unused\n> knip",
        "The user must run the following command:\n```bash\npip install openpyxl\n```",
        "- refactors only after tests pass",
        "Check: `if (dealer has 0 forms) { createDefaultForms(dealerId) }`",
        "python3 tools/make.py compile set1 --config x.toml\n\nDONE\n====\nwhy?",
        "for each file add a random test item with 300 test cases.",
        "我可以直接執行 python -m pytest -m smoke testcase/test_ssh.py 嗎",
    ],
)
def test_what_is_told_demands_nothing(text: str) -> None:
    assert (read_demands(text).commands, read_demands(text).tests) == ((), False)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("I found bugs. \nyou run  ./tuner.py models/m.mlir --analyze -s 39 \nread its report", "./tuner.py"),
        ("1. Run `.specify/scripts/powershell/setup-plan.ps1 -Json` from the root.", ".specify/scripts"),
        ("請執行 `npm run build`", "npm run build"),
        ("please run python3 tools/gen.py \\\n    --dir out \\\n    --fast", "python3 tools/gen.py --dir out --fast"),
        ("run `deploy.sh`", "deploy.sh"),
    ],
)
def test_orders_in_other_forms_are_found(text: str, command: str) -> None:
    assert [found for found in read_demands(text).commands if found.startswith(command)]


@pytest.mark.parametrize(
    "text",
    [
        "migrate a.py into b.py. pass all tests.",
        "use Makefile to run all tests and evaluate the size",
        "go ahead and commit; then let's try to fix the remaining failing tests.",
        "/compact run the e2e tests",
    ],
)
def test_orders_about_tests_are_found(text: str) -> None:
    assert read_demands(text).tests


def test_an_argument_keeps_its_letters() -> None:
    assert read_demands("請執行 `python 測試.py --fast`").commands == ("python 測試.py --fast",)
