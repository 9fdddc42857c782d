"""Orders to do what the command behind them does, and what looks like one."""

from __future__ import annotations

import pytest

from policy_engine.history.demands import read_demands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (
            "Look for stray files first:\n\nCheck for untracked files:\n```bash\ngit status --short\n```",
            ["git status --short"],
        ),
        ("After a change of the schema, regenerate the client (`make client`).", ["make client"]),
        ("After editing the grammar, rebuild:\n```sh\nmake grammar\n```", ["make grammar"]),
        ("2. **Warm the cache**\n   ```sh\n   npm run warm\n   ```", ["npm run warm"]),
        ("- [ ] `make lint` — no warnings", ["make lint"]),
        ("- [ ] 更新依赖（`pnpm install`）", ["pnpm install"]),
        ("提交前，请同步主分支：\n```bash\ngit fetch origin\n```", ["git fetch origin"]),
        ("Builds must pass on all systems. `make build`.", ["make build"]),
        ("In the folder of the server run `make check`, then commit.", ["make check"]),
        ("Run `mytool audit` before the release.", ["mytool audit"]),
        ("Fix the types so `mypy src` returns clean.", ["mypy src"]),
        ("Windows: run `venv\\Scripts\\python -m pytest tests`.", ["venv\\Scripts\\python -m pytest tests"]),
    ],
)
def test_an_order_demands_the_command_that_does_it(text: str, commands: list[str]) -> None:
    assert list(read_demands(text).commands) == commands


@pytest.mark.parametrize(
    "text",
    [
        "- [x] Regenerate the client with `make client`.",
        "- ✅ Types are clean: `mypy src`",
        "1. Installed the tools by running: `make tools`",
        "The hooks run `make lint` first, then run `make test`.",
        "CI should run `make lint` on every push.",
        "To use the wizard, you can:\n1. Run directly: `npm run wizard`",
        "If the port is taken, restart it:\n```sh\nnpm run restart\n```",
        "Never bypass the check with `git commit --no-verify`.",
        "You can run the same check locally with `just lint`.",
        "Ask before you push the tag:\n```sh\ngit push origin v1\n```",
        "Run `gh pr ready` only when the reviewer agrees.",
        "`npm run lint`, `npm run types`: validate the pages.",
        "流水线自动执行 `make sync`，保持最新。",
        "必须通过 `uv pip` 管理依赖。",
        "I've just run `mytool reindex` and saw nothing.",
        "Document the command:\n```sh\nmake docs\n```",
    ],
)
def test_what_only_tells_of_a_command_demands_nothing(text: str) -> None:
    assert read_demands(text).commands == ()
