"""Find commands that stand in a text without marks, by the words of known programs."""

from __future__ import annotations

import re

_ARGS = (
    r"(?:[ \t]+(?:(?:src|tests|lib)(?![\w./-])|-D[ \t]+warnings|--[\w-]+[ \t]+(?:\d[\w.]*|[\w./]+(?=[ \t]+--\w))"
    r"|--?[A-Za-z][\w=:.,/@*%+-]*|--(?=[ \t]+-)"
    r"|\.{1,3}/?[\w./*-]*"
    r"|@?[\w*.-]*[/=][\w./:=*@-]*|\w[\w-]*\.(?:py|sh|js|ts|mjs|rb|toml|json|ya?ml)\b))*"
)
_NAMED = r"[\w@][\w@/:.-]*\w"
_TASK = (
    r"(?:[a-z]+(?:[:-][\w:-]+)+|test|tests|build|lint|check|typecheck|type-check|tsc|format|fmt|ci|verify|install"
    r"|e2e|coverage|validate|compile|audit|jest|vitest|eslint|docs|deploy|generate)"
)
BARE = re.compile(
    r"(?<![\w./`\ue000-\uf7ff-])(?:[A-Z_][A-Z\d_]*=[\w./:,-]*[ \t]+){0,4}(?:"
    rf"(?:npm|pnpm|yarn|bun)[ \t]+(?:--?[\w-]+[ \t]+)*(?:run(?:-script)?[ \t]+{_NAMED}|exec[ \t]+{_NAMED}|{_TASK})"
    rf"|(?:npx|bunx|uvx|pipx run)[ \t]+(?:--?[\w-]+[ \t]+)*{_NAMED}(?:[ \t]+(?:test|run|check|build|lint"
    rf"|generate|migrate)\b(?:[ \t]+(?:dev|deploy|status)\b)?)?"
    r"|cargo[ \t]+(?:\+\w+[ \t]+)?(?:test|build|check|clippy|fmt|run|nextest(?:[ \t]+run)?|bench|doc|deny|audit"
    r"|update)"
    r"|go[ \t]+(?:test|build|vet|generate|fmt|mod[ \t]+tidy)"
    rf"|(?:make|just|mise run|task)[ \t]+(?:-[\w]+[ \t]+)*(?:test|check|lint|build|verify|ci|docs|format|fmt"
    rf"|validate|coverage|typecheck|e2e|\w+(?:[-:]\w+)+)(?![ \t]+(?:happy|green|clean|pass|work|succeed)\b)"
    r"|(?:(?<=run )|(?<=running )|(?<=execute )|(?<=executing )|(?<=[行跑])|(?<=[行跑] ))"
    r"(?:make|just|task|rake|mage|nox -s|invoke)[ \t]+(?!sure\b|it\b|the\b|a\b)[a-z][\w:-]*"
    r"|(?:mvn|\./mvnw|gradle|\./gradlew)(?:[ \t]+(?:-[\w.=-]+|:?\w[\w-]*(?::[\w-]+)+|:\w+|[a-z]+[A-Z]\w+"
    r"|clean|compile|test|verify|install|package|build"
    r"|check|assemble)\b)+"
    r"|(?:dotnet|swift|mix|flutter|dart|deno|sbt|zig|stack|cabal|bazel|rake|phpunit|composer|terraform"
    r"|turbo run|nx run|nx|hatch|nox|helm|ansible-playbook)[ \t]+(?:[\w-]+:)?(?:test|build|check|lint|format"
    r"|analyze|compile|credo|dialyzer|validate|plan|fmt|[\w-]+:[\w:-]+)"
    r"|(?:python3?|node|bash|sh|ruby|perl|php|deno run|tsx|ts-node)[ \t]+(?:-m[ \t]+[\w.]+(?:[ \t]+(?:test|run"
    r"|discover|check|upgrade)\b)?|manage\.py[ \t]+\w+|[\w./-]+\.(?:py|sh|js|ts|mjs|cjs|rb|pl|php)"
    r"|artisan[ \t]+[\w:]+)"
    rf"|(?:uv|poetry|pdm|pipenv|hatch|rye|pixi)[ \t]+(?:run[ \t]+{_NAMED}(?:[ \t]+check\b)?|sync|lock|install)"
    r"|bundle[ \t]+(?:exec[ \t]+[\w-]+(?:[ \t]+[\w:]+)?|install)|pre-commit[ \t]+run|docker(?:-"
    r"| )compose[ \t]+(?:run|exec|build)[ \t]+[\w-]+(?:[ \t]+[\w-]+)?"
    r"|git[ \t]+(?:status|diff|fetch|pull|push|log|rebase|stash|commit(?![ \t]+(?:message|hook|hash|history|log|sha"
    r"|id)))|gh[ \t]+(?:pr|run|issue)[ \t]+[a-z]+"
    r"|ruff[ \t]+(?:check|format)|alembic[ \t]+upgrade[ \t]+head|prisma[ \t]+generate"
    r"|(?:pytest|tox|mypy|pyright|flake8|pylint|black|isort|bandit|staticcheck|stylelint|eslint|prettier|tsc|jest"
    r"|vitest|rspec|rubocop|phpstan"
    r"|golangci-lint(?:[ \t]+run)?|shellcheck|ctest|biome[ \t]+check|playwright[ \t]+test"
    r"|cypress[ \t]+run)(?![\w/-]|\.\w)"
    r"|\./[\w./-]+\w|(?:scripts?|bin|tools|dev|ci|hack)/[\w./-]+\w"
    rf"){_ARGS}",
    re.ASCII,
)
BARE_END = re.compile(r"(?=$|[\s,，.。;；:：!！?？)）(（\]→'\"”、]|-[>-]|[ぁ-ヿ一-鿿가-힣])")
QUOTED = re.compile(r"\"([^\"\n`]{2,200})\"|'([^'\n`]{2,200})'|“([^”\n`]{2,200})”|「([^」\n`]{2,200})」")
SPAN = re.compile(r"``([^`]+)``|`([^`]*)`")
