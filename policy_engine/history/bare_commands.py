"""Find commands that stand in a text without marks, by the words of known programs."""

from __future__ import annotations

import re

_ARGS = (
    r"(?:[ \t]+(?:(?:src|tests|lib)(?![\w./-])|-D[ \t]+warnings|--[\w-]+[ \t]+(?:\d[\w.]*|[\w./]+(?=[ \t]+--\w))"
    r"|-(?:[kmnprfC]|scheme|target|-(?:build|filter|project|config|env|workspace|package|target"
    r"|profile))[ \t]+(?:\"[^\"\n]{1,80}\"|(?!(?:and|then|to|until|so|or|again)\b)[\w./-]+)|(?:origin"
    r"|upstream)(?:[ \t]+(?:main|master|HEAD|dev(?:elop)?))?|--?[A-Za-z][\w=:.,/@*%+-]*|--(?=[ \t]+-)|-\d+(?![\w.])"
    r"|\.{1,3}/?[\w./*-]*"
    r"|https?://[^\s,;)]+|localhost[\w:/.?=&-]*|[@~]?[\w*.-]*[/=][\w./:=*@-]*|\w[\w-]*\.(?:py|sh|js|ts|mjs|rb|toml|json"
    r"|ya?ml|txt|csv)\b))*"
)
_OPERANDS = (
    r"(?:(?:[ \t]+(?!(?:again|first|now|pls|please|plz|works?|fails?|failed|once|then|and|before|after|locally|too"
    r"|everything|it|is|was|for|in|on|at"
    r"|to|with|or|so|if|when|until|from|as|not|never|has|had|takes|hangs|command|manually|myself|yourself"
    r"|on)\b)[a-z@][\w@/.-]*){1,4}(?=[ \t]*(?:$|[.,;:)](?![\w/])|&|(?:and|then|for|to)\b)))?"
)
"""Words behind a program that can only be its operands."""
_NAMED = r"[\w@][\w@/:.-]*\w"
_TASK = (
    r"(?:[a-z]+(?:[:-][\w:-]+)+|test|tests|build|lint|check|typecheck|type-check|tsc|format|fmt|ci|verify|install"
    r"|e2e|coverage|validate|compile|audit(?:[ \t]+fix)?|jest|vitest|eslint|docs|deploy|generate)"
)
BARE = re.compile(
    r"(?<![\w./`\ue000-\uf7ff-])(?:[A-Z_][A-Z\d_]*=[\w./:,-]*[ \t]+){0,4}(?:(?<!&& )cd[ \t]+[\w./~-]+[ \t]*&&[ \t]*)?"
    r"(?:"
    rf"(?:npm|pnpm|yarn|bun|pip3?|uv|uv pip|cargo|go|brew|conda|gem|composer)[ \t]+(?:i|ci|add|install|uninstall|remove"
    rf"|outdated|ls|list|why|publish"
    rf"|version|upgrade|dedupe|prune|tool list|get|show)(?![\w:-]){_OPERANDS}|docker[ \t]+(?:build|ps|pull|push|logs"
    rf"|stop|images){_OPERANDS}"
    rf"|docker(?:-| )compose[ \t]+(?:up|down|config|logs|ps|pull|restart|stop|build){_OPERANDS}|kubectl[ \t]+(?:get"
    rf"|apply|logs|describe|rollout)"
    rf"|git[ \t]+(?:add|checkout|switch|merge|reset|show|restore|init|clean|clone|cherry-pick){_OPERANDS}"
    rf"|(?:npm|pnpm|yarn|bun)[ \t]+(?:--?[\w-]+[ \t]+)*(?:run(?:-script)?[ \t]+{_NAMED}|exec[ \t]+{_NAMED}|{_TASK})"
    rf"|(?:npx|bunx|uvx|pipx run)[ \t]+(?:--?[\w-]+[ \t]+)*{_NAMED}(?:[ \t]+(?:test|run|check|build|lint"
    rf"|generate|migrate)\b(?:[ \t]+(?:dev|deploy|status)\b)?)?"
    r"|cargo[ \t]+(?:\+\w+[ \t]+)?(?:test|build|check|clippy|fmt|run|nextest(?:[ \t]+run)?|bench|doc|deny|audit|update)"
    r"|go[ \t]+(?:test|build|vet|generate|fmt|mod[ \t]+tidy)"
    rf"|(?:make|just|mise run|task)[ \t]+(?:-[\w]+[ \t]+)*(?:test|check|lint|build|verify|ci|docs|format|fmt"
    rf"|validate|coverage|typecheck|e2e|\w+(?:[-:]\w+)+)(?![ \t]+(?:happy|green|clean|pass|work|succeed)\b)"
    r"|(?:(?<=run )|(?<=running )|(?<=execute )|(?<=executing )|(?<=[行跑])|(?<=[行跑] ))"
    r"(?:make|just|task|rake|mage|nox -s|invoke)[ \t]+(?!sure\b|it\b|the\b|a\b)[a-z][\w:-]*"
    r"|(?:mvn|\./mvnw|gradle|\./gradlew)(?:[ \t]+(?:-[\w.=-]+|:?\w[\w-]*(?::[\w-]+)+|:\w+|[a-z]+[A-Z]\w+"
    r"|clean|compile|test|verify|install|package|build|check|assemble)\b)+"
    r"|(?:dotnet|swift|mix|flutter|dart|deno|sbt|zig|stack|cabal|bazel|rake|phpunit|composer|terraform"
    r"|turbo run|nx run|nx|hatch|nox|helm|ansible-playbook)[ \t]+(?:[\w-]+:)?(?:test|build|check|lint|format"
    r"|analyze|compile|credo|dialyzer|validate|plan|fmt|[\w-]+:[\w:-]+)"
    r"|(?:python3?|node|bash|sh|ruby|perl|php|deno run|tsx|ts-node)[ \t]+(?:-m[ \t]+[\w.]+(?:[ \t]+(?:test|run"
    r"|discover|check|upgrade)\b)?|manage\.py[ \t]+\w+|[\w./-]+\.(?:py|sh|js|ts|mjs|cjs|rb|pl|php)|artisan[ \t]+[\w:]+)"
    rf"|(?:uv|poetry|pdm|pipenv|hatch|rye|pixi)[ \t]+(?:run[ \t]+{_NAMED}(?:[ \t]+check\b)?|sync|lock|install)"
    r"|bundle[ \t]+(?:exec[ \t]+[\w-]+(?:[ \t]+[\w:]+)?|install)|pre-commit[ \t]+run|docker(?:-"
    r"| )compose[ \t]+(?:run|exec|build)[ \t]+[\w-]+(?:[ \t]+[\w-]+)?"
    r"|git[ \t]+(?:status|diff|fetch|pull|push|log|rebase|stash|commit(?![ \t]+(?:message|hook|hash|history|log|sha"
    r"|id)))|gh[ \t]+(?:pr|run|issue)[ \t]+[a-z]+"
    r"|ruff[ \t]+(?:check|format)|alembic[ \t]+upgrade[ \t]+head|prisma[ \t]+generate"
    r"|(?:pytest|tox|mypy|pyright|flake8|pylint|black|isort|bandit|staticcheck|stylelint|eslint|prettier|tsc|jest"
    r"|vitest(?:[ \t]+run)?|rspec|rubocop|phpstan|phpunit"
    r"|golangci-lint(?:[ \t]+run)?|shellcheck|ctest|biome[ \t]+check|playwright[ \t]+test"
    r"|cypress[ \t]+run)(?![\w/-]|\.\w)|\./[\w./-]+\w|(?:scripts?|bin|tools|dev|ci|hack)/[\w./-]+\w"
    r"|(?:(?<=run )|(?<=running )|(?<=execute )|(?<=command: ))(?!(?:it|the|this|them|tests?|all|a|an|with"
    r"|and)\b)[a-z][\w.-]*"
    r"(?:[ \t]+(?!(?:in|with|and|on|the|for|to|as)\b)[a-z][\w-]*)?(?=[ \t]+-{1,2}[A-Za-z])|curl(?=[ \t]+(?:-|https?:"
    r"|localhost))"
    rf"){_ARGS}",
    re.ASCII,
)
BARE_END = re.compile(r"(?=$|/(?:\s|$)|[\s,，.。;；:：!！?？)）(（\]→'\"”、]|-[>-]|[ぁ-ヿ一-鿿가-힣])")
QUOTED = re.compile(r"\"([^\"\n`]{2,200})\"|'([^'\n`]{2,200})'|“([^”\n`]{2,200})”|「([^」\n`]{2,200})」")
SPAN = re.compile(r"``([^`]+)``|`([^`]*)`")
