"""The page of the playground imports only what it brings: the engine, and lark."""

from __future__ import annotations

import subprocess
import sys

from tests.house.sources import ROOT

ABSENT = ("pydantic", "yaml", "click", "watchdog")
REPLACED = ("ahocorasick", "re2", "re2._re2")  # by the page, before it imports the engine


def test_what_the_page_imports_of_the_engine_needs_no_package_that_is_not_there() -> None:
    page = (ROOT / "docs" / "playground" / "play.py").read_text("utf-8")
    imports = [line for line in page.splitlines() if line.startswith("from policy_engine.")]
    program = "\n".join(
        (
            "import sys, types",
            f"sys.modules.update(dict.fromkeys({ABSENT!r}))",
            f"sys.modules.update({{name: types.ModuleType(name) for name in {REPLACED!r}}})",
            "sys.modules['ahocorasick'].Automaton = sys.modules['re2._re2'].RE2 = object",
            *imports,
        )
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert len(imports) == 4 and (done.returncode, done.stderr) == (0, "")
