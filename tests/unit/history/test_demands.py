"""What a prompt demands to be run."""

from __future__ import annotations

import pytest

from policy_engine.history.demands import Demands, read_demands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (
            "只有 **`npm ci` → `npm test` → `npm run build` → `npm run test:e2e` 全部成功** 后，才结束",
            (
                "npm ci",
                "npm test",
                "npm run build",
                "npm run test:e2e",
            ),
        ),
        (
            "从零实现 survivors roguelike。只有 **`npm ci` → `npm test` 全部成功** 后，才输出交付 bullet 并结束",
            (
                "npm ci",
                "npm test",
            ),
        ),
        (
            "Only after npm ci → npm test → npm run build all succeed may you stop.",
            (
                "npm ci",
                "npm test",
                "npm run build",
            ),
        ),
        (
            "All of npm ci, npm test, npm run build must pass.",
            (
                "npm ci",
                "npm test",
                "npm run build",
            ),
        ),
        (
            "只有 `npm ci` 和 `npm test` 全部成功后才结束",
            (
                "npm ci",
                "npm test",
            ),
        ),
        ("ordinary example `npm run build`, must pass `npm test`.", ("npm test",)),
        ("Run `npm run dev` while working, must pass `npm test`.", ("npm test",)),
        ("Acceptance: must pass `make verify`.", ("make verify",)),
        ("Before you finish, run exactly `make verify` and fix what it shows.", ("make verify",)),
        ("Builds must pass before you push: `make build` and `make verify`.", ("make build", "make verify")),
        ("- Always validate after an edit: `make verify && make lint`. Both must pass.", ("make verify && make lint",)),
        ("- `make verify`: types and lint. Must pass before you say that you are done.", ("make verify",)),
        ("## Gates (must pass before you report)\n\n1. `make verify`\n2. `make lint`", ("make verify", "make lint")),
        ("Run the full flow of `CONTRIBUTING.md`:\n\n1. `make fmt`\n2. `make verify`", ("make fmt", "make verify")),
        ("## Done means\n`make verify` passes.", ("make verify",)),
        ("Fix it. Acceptance: `npm test`.", ("npm test",)),
        (
            "You are done only after `npm test` and `npm run build` succeed.",
            (
                "npm test",
                "npm run build",
            ),
        ),
        ("Before you finish, `npm test` has to pass.", ("npm test",)),
        ("Run `npm ci` before you finish.", ("npm ci",)),
        (
            "Finish only after `npm ci` → `npm test` passed.",
            (
                "npm ci",
                "npm test",
            ),
        ),
        (
            "Done when `npm ci → npm test → npm ci` is green.",
            (
                "npm ci",
                "npm test",
            ),
        ),
        (
            "`make all`, `make check`",
            (
                "make all",
                "make check",
            ),
        ),
        (
            "Acceptance:\n- `npm test`\n- `npm run lint`\n\nSee `README.md`.",
            (
                "npm test",
                "npm run lint",
            ),
        ),
        ("验收命令：`pytest -q`。之后再看 `x`。", ("pytest -q",)),
        (
            "验收命令 npm ci → npm run lint（必须） → pnpm build",
            (
                "npm ci",
                "npm run lint",
                "pnpm build",
            ),
        ),
        (
            "Completion condition: must run `cargo test`, `cargo clippy`.",
            (
                "cargo test",
                "cargo clippy",
            ),
        ),
        ("Only after npm test.", ("npm test",)),
        ("`src/app.ts`; acceptance: `npm test`.", ("npm test",)),
        (
            "`npm ci → npm test`",
            (
                "npm ci",
                "npm test",
            ),
        ),
        ("done when `make verify` must pass", ("make verify",)),
        (
            "## Verification\n\n1. `bun run typecheck` — no type errors\n"
            "2. `bun run build` — compiles\n3. Manual: `capy push` → verify `~/.capy/keep/{hash}` file created",
            (
                "bun run typecheck",
                "bun run build",
            ),
        ),
        (
            "### Verification\n1. `bun run lint` — passes\n2. Manual test:\n   - `note.json` has `src`",
            ("bun run lint",),
        ),
        ("Make sure `npm test` passes before committing", ("npm test",)),
        ("Make sure all tests pass by running `pytest` from the command line.", ("pytest",)),
        (
            "Before committing, run `npm ci`, `npm run types`, `npm run build`, `npm run pack:dry`, and `npm test`.",
            (
                "npm ci",
                "npm run types",
                "npm run build",
                "npm run pack:dry",
                "npm test",
            ),
        ),
        (
            "Before committing, run `yarn lint fix`. Check package changes with `yarn build` and `yarn test`.",
            (
                "yarn lint fix",
                "yarn build",
                "yarn test",
            ),
        ),
        ("Add tests for any new functionality, and make sure all tests pass by running cargo test.", ("cargo test",)),
        (
            "When done, run go test ./... and golangci-lint run.",
            (
                "go test ./...",
                "golangci-lint run",
            ),
        ),
        ("Please run `npm run lint` and fix the warnings", ("npm run lint",)),
        ("运行 `npm run lint` 并修复所有错误", ("npm run lint",)),
        ("请先跑 npm test，确保通过", ("npm test",)),
        ("完成后运行 pytest -q，必须全部通过。", ("pytest -q",)),
        ("例如 `npm run build`，必须通过 `npm test`。", ("npm test",)),
        ("Can you run `npm test` and tell me what fails?", ("npm test",)),
        (
            "`cargo test` and `cargo clippy -- -D warnings` must both be clean.",
            (
                "cargo test",
                "cargo clippy -- -D warnings",
            ),
        ),
        (
            "Done when:\n\n```bash\nnpm run lint\nnpm test\n```\n",
            (
                "npm run lint",
                "npm test",
            ),
        ),
        ("确保 `npm run build` 能成功", ("npm run build",)),
        ("Verify with `make check` at the end.", ("make check",)),
        ("All 162 examples stay green.\n- **`bun run typecheck` must be clean.**", ("bun run typecheck",)),
        (
            "Finally `ruff check .` and `mypy src` should report no errors.",
            (
                "ruff check .",
                "mypy src",
            ),
        ),
        ("run pytest", ("pytest",)),
        ("1. Do X\n2. Do Y\n3. Run `make test` to verify", ("make test",)),
        ("Stop when `./scripts/ci.sh` exits 0", ("./scripts/ci.sh",)),
        ("Keep going until make check passes", ("make check",)),
        (
            "must pass: npm test, npm run lint",
            (
                "npm test",
                "npm run lint",
            ),
        ),
    ],
)
def test_words_that_demand_govern_commands(text: str, commands: tuple[str, ...]) -> None:
    assert read_demands(text).commands == commands


@pytest.mark.parametrize(
    "text",
    [
        "I usually check it with `npm start`.",
        "The acceptance criteria mention `npm test` here.",
        "Explain `only after` to me.",
        "Acceptance: `bad\ncommand`",
        "`npm test`",
        "You may look at `npm test`.",
        "Until recently we used `go run`",
        "Make sure `dd283666-3a94-43cd-8565-7dff030c01d1` is kept and ensure `LastInteractionAt` passes",
        "Don't run `npm test`, it is slow.",
        "If the schema changes, run `npm run db:generate`.",
        "不要运行 `npm publish`",
        "The CI runs `npm test` on every push. Why does it fail?",
        "how do I run `npm test`?",
        "I ran `npm test` and it failed with X",
        "This must stay the source of truth. Acceptance: `source of truth`, `end to end`, `pull request`, `happy path`",
        "Use npm test for testing. Then you can run `npm start`.",
        "make sure tests pass",
        "Do not:\n- run `pytest`\n- run `npm publish`",
        "- `cargo tile` cannot start until `cargo build` has run",
        "你可以运行 `npm start`",
        "For example `make verify`. It must pass.",
        "Never run `make deploy`. It must pass review.",
        "If you use Docker, `make verify` works too. Both must pass.",
        "The handler is `parse_all`. It must pass the id on.",
        "## Logic gates\n\n- `and_gate`\n- `or_gate`",
        "> Run `npm test` before you finish.",
        "| check | `npm test` must pass |",
        "<system-reminder>Run `npm test` before you finish.</system-reminder>",
        "",
    ],
)
def test_examples_background_and_negations_demand_nothing(text: str) -> None:
    assert read_demands(text).commands == ()


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Run `npm ci`, then add the field.", ("npm ci",)),
        ("Run `npm ci`. Must pass: `npm test`.", ("npm ci",)),
        ("Please run `npm test` and tell me what you see.", ("npm test",)),
        ("Run `npm test` before you finish.", ()),
        ("Run `npm run lint` and fix all warnings.", ()),
        ("运行 `npm run build`", ("npm run build",)),
        ("完成后运行 `npm run build`", ()),
    ],
)
def test_an_instruction_is_a_step_and_a_condition_is_none(text: str, steps: tuple[str, ...]) -> None:
    found = read_demands(text)
    assert found.commands != ()
    assert found.steps == steps


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("Acceptance: `src/foo.ts`, `docs/runbook.md`", ("src/foo.ts", "docs/runbook.md")),
        ("Acceptance: `dd283666-3a94-43cd-8565-7dff030c01d1`", ("dd283666-3a94-43cd-8565-7dff030c01d1",)),
        ("Make sure `LastInteractionAt` is kept.", ()),
    ],
)
def test_marked_text_that_is_no_command_is_a_mention(text: str, mentions: tuple[str, ...]) -> None:
    assert read_demands(text) == Demands(mentions=mentions)


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("Make sure all tests pass.", True),
        ("Run the test suite.", True),
        ("确保测试通过", True),
        ("Why do the tests fail?", False),
        ("Write a test for it.", False),
        ("If the tests pass, say so.", False),
    ],
)
def test_tests_may_be_demanded_without_a_command(text: str, tests: bool) -> None:
    assert read_demands(text).tests is tests


def test_a_prompt_of_many_spans_is_read_in_bounds() -> None:
    text = "Acceptance: " + ", ".join(f"`make t{number}`" for number in range(9_000))
    assert len(read_demands(text).commands) <= 6144


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (
            "I'll accept the change when `pnpm lint` and `pnpm typecheck` are both clean.",
            ("pnpm lint", "pnpm typecheck"),
        ),
        ("It is accepted if and only if `cmake --build build` succeeds.", ("cmake --build build",)),
        ("Make sure everything still compiles: `./gradlew compileKotlin`.", ("./gradlew compileKotlin",)),
        ("Make sure the README has these lines: `npm test`.", ()),
        ("Write the migration, run it with `alembic upgrade head`.", ("alembic upgrade head",)),
        ("After your edits execute `mix format` and `mix test`; both need to succeed.", ("mix format", "mix test")),
        ("Fix it and don't finish before `bun test` passes.", ("bun test",)),
        ("I want `poetry run pytest` green before we merge.", ("poetry run pytest",)),
        ("I want `poetry run pytest` in the documentation.", ()),
        ("Just get `cargo build --release` to pass.", ("cargo build --release",)),
        ("Write unit tests; they must pass with `npx jest utils/date`.", ("npx jest utils/date",)),
        ("改完以后跑一遍 `mvn -q verify`，有报错就修。", ("mvn -q verify",)),
        ("我运行 `mvn -q verify` 时报错。", ()),
        ("完成后请用 `npx tsc --noEmit` 检查类型。", ("npx tsc --noEmit",)),
        ("请用 `tsc --noEmit` 替换这一步。", ()),
        ("改完必须跑通 `pytest tests/api`。", ("pytest tests/api",)),
        ("最后执行 `npm run build` 确认没有报错。", ("npm run build",)),
        ("验收标准：`npm run lint` 无报错，`npm test` 全部通过。", ("npm run lint", "npm test")),
    ],
)
def test_other_words_demand_as_well(text: str, commands: tuple[str, ...]) -> None:
    assert read_demands(text).commands == commands


def test_all_tests_are_demanded_in_chinese() -> None:
    assert read_demands("所有单元测试必须通过。实现分页。").tests


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("Rename Foo to Bar and make sure `pytest -q tests/foo` passes.", ("pytest -q tests/foo",)),
        ("As usual: lint, then test: `golangci-lint run`, `go test ./...`", ("golangci-lint run", "go test ./...")),
        (
            "Steps:\n* update the lockfile\n* run pnpm install\n* run pnpm build and fix what breaks",
            ("pnpm install", "pnpm build"),
        ),
        (
            "Checks to run before you hand over:\n- cargo fmt --check\n- cargo clippy\n- cargo test --workspace",
            ("cargo fmt --check", "cargo clippy", "cargo test --workspace"),
        ),
        ("Your work is complete when: npm run lint && npm test exits with 0", ("npm run lint", "npm test")),
        ("Keep iterating on this till `deno test` passes.", ("deno test",)),
        ("Gate: PYTHONPATH=src pytest tests/unit", ("PYTHONPATH=src pytest tests/unit",)),
        ("Do the upgrade. It's done when ./scripts/check.sh exits cleanly.", ("./scripts/check.sh",)),
        ("kindly rerun `mvn verify` and tell me the result", ("mvn verify",)),
        ("Finish with a clean `npx tsc --noEmit`.", ("npx tsc --noEmit",)),
        ("改好了记得跑 `go test ./...`", ("go test ./...",)),
        ("把类名改掉，跑完 `mvn test` 没问题再合并。", ("mvn test",)),
        ("提交前务必执行 pre-commit run --all-files", ("pre-commit run --all-files",)),
        ("每次修改后都要跑 `make test`", ("make test",)),
        ("做完之后 npm run lint → npm test → npm run build 走一遍", ("npm run lint", "npm test", "npm run build")),
        ("交付前：make fmt、make test 都得过。", ("make fmt", "make test")),
        ("Nicht aufhören, bis `npm test` grün ist.", ("npm test",)),
        ("Asegúrate de que `npm test` pase antes de terminar.", ("npm test",)),
        ("Avant de terminer, lance `npm run lint`.", ("npm run lint",)),
        ("Swap the logger, then run `make fmt && make test`.", ("make fmt && make test",)),
        ("Required to pass:\n• `npm run lint`\n• `npm run unit`", ("npm run lint", "npm run unit")),
        ("Bring `cargo fmt --check` back to green.", ("cargo fmt --check",)),
        ("Use the new API. Validate with: python -m unittest discover", ("python -m unittest discover",)),
        ("No commit without a green `npm test`.", ("npm test",)),
        ("Then: npm run lint, npm run build.", ("npm run lint", "npm run build")),
        ("收工前：cargo fmt、cargo clippy", ("cargo fmt", "cargo clippy")),
        ("流程照旧：make lint，make test", ("make lint", "make test")),
        ("需要通过以下检查：\n1. `ruff check .`\n2. `mypy src`", ("ruff check .", "mypy src")),
        ("测试（pytest -x）通过之前不要停", ("pytest -x",)),
        ("Lass danach bitte `pytest tests` laufen.", ("pytest tests",)),
        ("Vérifie le résultat avec `mypy src`.", ("mypy src",)),
        ("Make sure that nothing breaks (pytest -q tests).", ("pytest -q tests",)),
        ("Refactor the store. Proof of success: `npm run test:store` passes.", ("npm run test:store",)),
        ("Only when `mypy .` and `pytest` are clean are you allowed to commit.", ("mypy .", "pytest")),
        (
            "Quality gates: `dotnet format --verify-no-changes`, `dotnet test`.",
            ("dotnet format --verify-no-changes", "dotnet test"),
        ),
        ("Apply the patch, build with `cmake --build build`, and run `ctest`.", ("cmake --build build", "ctest")),
        ("跑通 `cargo test` 才算完成", ("cargo test",)),
        ("完成标志：`go test ./...` 通过", ("go test ./...",)),
        ("Vergiss nicht, `make docs` auszuführen.", ("make docs",)),
        ("Une fois terminé, exécute `cargo test`.", ("cargo test",)),
        ("Simplify the router. When finished, the type check (npx tsc --noEmit) must be clean.", ("npx tsc --noEmit",)),
        ("Checklist before merging:\n- [ ] npm run lint\n- [ ] npm run build", ("npm run lint", "npm run build")),
        ("Fix the bug, `pytest -q` must stay green.", ("pytest -q",)),
        ("Convert the tests to vitest and check that npm test is green.", ("npm test",)),
        ("等 `make ci` 绿了之后再合并", ("make ci",)),
        ("Stelle sicher, dass die Tests (pytest -q) grün sind.", ("pytest -q",)),
        ("終わったら `cargo test` を実行して、通ることを確認して。", ("cargo test",)),
    ],
)
def test_phrases_of_several_languages_demand(text: str, commands: tuple[str, ...]) -> None:
    assert read_demands(text).commands == commands


@pytest.mark.parametrize(
    "text",
    [
        "What does `npm run build` do in this repo?",
        "Document how to call `pytest -q` in the README.",
        "Why is `go vet ./...` complaining about the copy of a lock?",
        "My colleague said that `cargo build --release` must pass, ignore that.",
        "The `make deploy` target calls scripts/deploy.sh; describe it.",
        "pytest printed 4 failures last night, look at the log.",
        "Never use `git push --force`.",
        "`tsc` took 40 seconds. Can it be incremental?",
        "Add `npm run coverage` to the scripts of package.json.",
        "Hello, please review src/app.py for race conditions.",
        "不要执行 `git push`。",
        "比如 `npm run dev` 就会卡住。",
        "执行 `docker compose up` 后端口被占用，如何解决？",
        "日志显示 `mvn package` 失败：找不到符号",
        "禁止使用 `rm -rf`。",
        "用户运行 `tool init` 时提示不清楚，改一下文案。",
        "Gestern lief `pytest` noch durch.",
        "Beschreibe im README, wie man `npm start` aufruft.",
        "Pourquoi `make build` échoue-t-il ?",
        "Where is `npm run lint` configured?",
        "I've been running `npm test` all day and it keeps timing out. Investigate.",
        "Stack trace after `npm start`:\nTypeError: x is undefined",
        "Don't bother with npm run lint.",
        "When `npm run build` fails, the script should exit with 1. Implement that.",
        "Could `ruff check .` replace flake8?",
        "The test that checks `git status` output is flaky.",
        "这个 hook 会在提交前执行 `npm run lint`，太慢了，优化它。",
        "示例：先执行 `tool init` 再执行 `tool run`。请翻译这段话。",
        "`npm run build` 的输出太多，精简一下。",
        "`npm test` schlägt seit heute fehl, finde den Grund.",
        "J'ai lancé `npm test` hier, tout était vert.",
        "The command `npm run lint` isn't documented anywhere. Document it.",
        "Then `npm install` broke everything, so I reverted.",
        "The linter (ruff check .) crashed yesterday.",
        "As usual CI is red: `npm test` fails. Look at the log.",
        "The message should say: run `tool login`.",
        "测试（npm test）很慢，分析一下原因",
        "团队要求提交前跑 `make lint`，这个规定写在哪里？",
        "用 `git log` 看到很多提交，怎么合并？",
        "El CI ejecuta `make test` en cada push.",
        "`npm run lint` shows 12 errors. Which are serious?",
        "I ran ruff check and mypy before I asked you.",
        "What happens if `cargo test` is interrupted?",
        "In the changelog, mention that `tool check` must pass before release.",
        "刚才 `pytest` 通过了，但是覆盖率下降了。",
        "La commande `npm test` est trop lente.",
    ],
)
def test_the_same_commands_as_background_demand_nothing(text: str) -> None:
    assert read_demands(text).commands == ()


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("We need `make test` working again, it broke after the upgrade. Repair it.", ("make test",)),
        ("Never report success without having run `npm test`.", ("npm test",)),
        ("Behebe den Rundungsfehler und stelle sicher, dass `pytest -q` durchläuft.", ("pytest -q",)),
        ("Bitte räume cart.py auf und führe danach `npm test` aus.", ("npm test",)),
        ("Du bist erst fertig, wenn `make check` ohne Fehler durchläuft.", ("make check",)),
        ("Corrige l'arrondi puis lance `pytest -q` et vérifie que tout passe.", ("pytest -q",)),
        ("Assure-toi que `npm run build` fonctionne avant de terminer.", ("npm run build",)),
        ("Arregla el error y ejecuta `npm test` al final.", ("npm test",)),
        ("Asegúrate de que `cargo test` pase antes de terminar.", ("cargo test",)),
        ("Corrija o bug e execute `pytest -q` no final; tem que passar.", ("pytest -q",)),
        ("Sistema il modulo e assicurati che `npm test` passi.", ("npm test",)),
        ("在 `make check` 通过之前不要结束。", ("make check",)),
        ("丸め誤差を修正し、最後に `pytest -q` を実行して成功することを確認してください。", ("pytest -q",)),
        ("`npm test` が通るようにしてください。", ("npm test",)),
        ("버그를 고치고 `npm test`를 실행해서 통과하는지 확인해 주세요.", ("npm test",)),
        ("Исправь ошибку и убедись, что `pytest -q` проходит.", ("pytest -q",)),
        ("Benenne die Klasse um. Zum Schluss bitte `cargo test` starten.", ("cargo test",)),
        ("Hör erst auf, wenn `npm run build` ohne Fehler durchgeht.", ("npm run build",)),
        ("Cambia el nombre y después lanza `pytest -q`.", ("pytest -q",)),
        ("No termines hasta que `make check` esté en verde.", ("make check",)),
        ("Refactorise le module. `npm test` doit passer.", ("npm test",)),
        ("Atualize a dependência e garanta que `npm run build` passe.", ("npm run build",)),
        ("Rode `pytest -q` no final.", ("pytest -q",)),
        ("Alla fine esegui `cargo test`.", ("cargo test",)),
        ("В конце запусти `npm test`.", ("npm test",)),
        ("最後に `make check` を実行してください。", ("make check",)),
        ("마지막에 `pytest -q`를 실행하세요.", ("pytest -q",)),
        ("We need `cargo test` green before the release, so repair it.", ("cargo test",)),
        ("Don't say it's done without having run `pytest -q`.", ("pytest -q",)),
        ("Run `make check` once you're through.", ("make check",)),
        ("Refactor the price module. Run npm test when you are done.", ("npm test",)),
        ("帮我把 cart.ts 改成函数式写法,保证 npx vitest run 还是绿的。", ("npx vitest run",)),
        ("I want eslint . to come back with zero problems.", ("eslint .",)),
    ],
)
def test_a_clause_that_tells_the_agent_to_act_demands(text: str, commands: tuple[str, ...]) -> None:
    assert read_demands(text).commands == commands


@pytest.mark.parametrize(
    "text",
    [
        "Gestern habe ich `pytest -q` laufen lassen, alles grün. Schreib nur die Commit-Nachricht.",
        "Warum schlägt `npm test` auf dem Server fehl?",
        "Bitte `make check` nicht ausführen, das dauert zu lange.",
        "Die Pipeline führt `pytest -q` bei jedem Push aus. Ergänze das in der README.",
        "Pourquoi `npm run build` échoue-t-il sur la CI ?",
        "N'exécute pas `npm test`, je le ferai moi-même.",
        "¿Qué hace `make check`?",
        "Ayer ejecuté `npm test` y pasó. Solo escribe el mensaje del commit.",
        "Não execute `pytest -q`, demora muito.",
        "`npm test` はなぜ失敗するのですか？",
        "昨日 `pytest -q` を実行しました。コミットメッセージだけ書いてください。",
        "Wenn ich `npm test` starte, kommt ein Fehler. Woran liegt das?",
        "Der Befehl `make check` muss in der README stehen.",
        "Alice hat die Tests repariert.",
        "El script que ejecuta `npm test` es lento, hazlo más rápido.",
        "Explica cómo se ejecuta `make check`.",
        "Los tests son lentos.",
        "La CI lance `pytest -q` à chaque commit.",
        "Les tests sont trop lents, explique pourquoi.",
        "O CI executa `npm test` em cada push.",
        "Ontem rodei `pytest -q` e passou.",
        "Perché `npm test` fallisce?",
        "Non eseguire `make check`.",
        "Вчера я запускал `npm test`, всё прошло.",
        "Почему `pytest -q` падает?",
        "Не запускай `make check`, это долго.",
        "CIは `npm test` を実行します。READMEに書いてください。",
        "`make check` は実行しないでください。",
        "`npm test`가 왜 실패하나요?",
        "어제 `pytest -q`를 실행했습니다.",
        "`make check`는 실행하지 마세요.",
        "We want `npm run build` in the docs.",
        "Reviewers say that `make check` must pass first; is that written anywhere?",
        "The new hire should run `npm ci` first, add that to the onboarding page.",
        "Lass die Tests in Ruhe und ändere nur die Doku.",
        "Les tests doivent être renommés.",
        "Тесты должны лежать в папке tests.",
        "Somebody should run `npm audit` someday. For now only fix the header.",
        "No need to run npm test, I'll do that myself.",
        "Add a section that says contributors should run `make check` before opening a pull request.",
        "The docs state that you must run `prisma generate` after each change. Is that true?",
    ],
)
def test_a_clause_of_another_mood_or_actor_demands_nothing(text: str) -> None:
    found = read_demands(text)
    assert (found.commands, found.tests) == ((), False)


@pytest.mark.parametrize(
    "text",
    [
        "Alle Tests müssen grün sein, bevor du aufhörst.",
        "Todos los tests deben pasar.",
        "Die Tests müssen nach der Änderung durchlaufen.",
        "Vérifie que tous les tests passent.",
        "Tutti i test devono passare.",
        "Все тесты должны проходить.",
        "すべてのテストが通ることを確認してください。",
        "모든 테스트가 통과해야 합니다.",
    ],
)
def test_all_tests_are_demanded_in_other_languages(text: str) -> None:
    assert read_demands(text).tests
