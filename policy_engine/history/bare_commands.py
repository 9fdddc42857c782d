"""Find commands that stand in a text without marks, by the words of known programs."""

from __future__ import annotations

import re

from policy_engine.model.lazy_regex import lazy

_ARGS = (
    r"(?:[ \t]+(?:(?:src|tests|lib)(?![\w./-])|-D[ \t]+warnings|--[\w-]+[ \t]+(?:\d[\w.]*|[\w./]+(?=[ \t]+--\w))"
    r"|-(?:[kmnprfC]|scheme|target|-(?:build|filter|project|config|env|workspace|package|target"
    r"|profile))[ \t]+(?:\"[^\"\n]{1,80}\"|(?!(?:and|then|to|until|so|or|again)\b)[\w./-]+)"
    r"|--[\w-]+[ \t]+(?:'[^'\n]{1,80}'|\"[^\"\n]{1,80}\")|(?:origin"
    r"|upstream)(?:[ \t]+(?:main|master|HEAD|dev(?:elop)?))?|--?[A-Za-z][\w=:.,/@*%+-]*|--(?=[ \t]+-)|-\d+(?![\w.])"
    r"|\.{1,3}/?[\w./*-]*"
    r"|[A-Z]:\\[\w.\\-]+|https?://[^\s,;)]+|localhost[\w:/.?=&-]*|[@~]?[\w*.-]*[/=][\w./:=*@-]*|\w[\w-]*\.(?:py|sh|js"
    r"|ts|mjs|rb|toml|json|ya?ml|txt|csv)\b))*"
)
_OPERANDS = (
    r"(?:(?:[ \t]+(?!(?:again|first|now|pls|please|plz|works?|fails?|failed|once|then|and|before|after|locally|too"
    r"|everything|it|is|was|for|in|on|at"
    r"|to|with|or|so|if|when|until|from|as|not|never|has|had|takes|hangs|command|manually|myself|yourself"
    r"|on)\b)(?:[a-z@]|[A-Z]\w*\.)[\w@/.:-]*){1,4}(?=[ \t]*(?:$|[.,;:)](?![\w/])|&|(?:and|then|for|to)\b)))?"
)
"""Words behind a program that can only be its operands."""
_NAMED = r"[\w@][\w@/:.-]*\w"
_TASK = (
    r"(?:[a-z]+(?:[:-][\w:-]+)+|test|tests|build|lint|check|typecheck|type-check|tsc|format|fmt|ci|verify|install"
    r"|e2e|coverage|validate|compile|audit(?:[ \t]+fix)?|jest|vitest|eslint|docs|deploy|generate|dev|start)"
)
BARE = lazy(
    r"(?<![\w./`\ue000-\uf7ff-])(?:[A-Z_][A-Z\d_]*=[\w./:,-]*[ \t]+){0,4}(?:(?<!&& )cd[ \t]+[\w./~-]+[ \t]*&&[ \t]*)?"
    r"(?:"
    rf"(?:npm|pnpm|yarn|bun|pip3?|uv|uv pip|cargo|go|brew|conda|gem|composer|winget|ollama)[ \t]+(?:i|ci|add|install"
    rf"|uninstall|remove|outdated|ls|list|why|publish"
    rf"|version|upgrade|dedupe|prune|tool list|get|show|pull)(?![\w:-])(?:[ \t]+-[gDU]\b)?{_OPERANDS}"
    rf"|docker[ \t]+(?:build|ps|pull|push|logs|stop|images){_OPERANDS}"
    rf"|docker(?:-| )compose[ \t]+(?:up|down|config|logs|ps|pull|restart|stop|build){_OPERANDS}|kubectl[ \t]+(?:get"
    rf"|apply|logs|describe|rollout)"
    rf"|git[ \t]+(?:add|checkout|switch|merge|reset|show|restore|init|clean|clone|cherry-pick){_OPERANDS}"
    rf"|(?:npm|pnpm|yarn|bun)[ \t]+(?:--?[\w-]+[ \t]+)*(?:run(?:-script)?[ \t]+{_NAMED}|exec[ \t]+{_NAMED}|{_TASK})"
    rf"|(?:npx|bunx|bun x|uvx|pipx run|pnpm dlx|yarn dlx)[ \t]+(?:--?[\w-]+[ \t]+)*{_NAMED}(?:[ \t]+(?:test|run|check"
    rf"|build|lint|generate|migrate|(?:add|init|install)(?:[ \t]+(?!(?:and|then|to|for|in"
    rf"|on)\b)[a-z][\w@/.-]*)?)\b(?:[ \t]+(?:dev|deploy|status)\b)?)?"
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
    r"|ruff[ \t]+(?:check|format)|alembic[ \t]+upgrade[ \t]+head|(?:(?:pnpm|yarn)[ \t]+)?prisma[ \t]+(?:generate"
    r"|migrate[ \t]+deploy)|(?:(?:black|prettier)(?:(?=[ \t]+[-./]|,?(?: and)? (?:isort|mypy|ruff|flake8|pylint"
    r"|eslint|tsc|pytest)\b|(?: and \w+)? (?:must|pass\w*|is clean)\b)|(?<=run black)|(?<=run prettier))"
    r"|pytest|tox|mypy|pyright|flake8|pylint|isort|bandit|staticcheck|stylelint|eslint|tsc|jest(?! and \w+ tests)"
    r"|vitest(?:[ \t]+run)?|rspec|rubocop|phpstan|phpunit"
    r"|golangci-lint(?:[ \t]+run)?|shellcheck|ctest|biome[ \t]+check|playwright[ \t]+test"
    r"|cypress[ \t]+run)(?![\w/-]|\.\w)"
    r"|(?:(?<=run )|(?<=execute )|(?![\w./-]*\.[cm]?[jt]sx?\b))(?:\./|(?:scripts?|bin|tools|dev|ci"
    r"|hack)/)[\w./-]+\w(?!:\d)|(?:(?<=run )|(?<=call )|(?<=execute )|(?<=use ))[~./]{0,3}[\w./-]+\.(?:sh|bash)(?!:\d)"
    r"|(?:(?<=run: )|(?<=done: ))[a-z][\w.-]*(?:[ \t]+[a-z][\w-]*){0,2}(?=[ \t]+--?[A-Za-z])"
    r"(?:[ \t]+(?:'[^'\n]{1,120}'|\"[^\"\n]{1,120}\"|(?!(?:and|then|to|until|so|or|again|before|after|for|if"
    r"|first|please|pls|with|once|when|in|on)\b)[\w./=:@-]+)){1,10}$"
    r"|(?<![\w-]run )(?:(?<=run )|(?<=run: )|(?<=running )|(?<=execute )|(?<=command: ))(?!(?:it|the|this|them|tests?"
    r"|all|a|an|with|and)\b)[a-z][\w.-]*"
    r"(?:[ \t]+(?!(?:in|with|and|on|the|for|to|as)\b)[a-z][\w-]*){0,2}(?=[ \t]+-{1,2}[A-Za-z])|curl(?=[ \t]+(?:-"
    r"|https?:|localhost))|curl[ \t]+[\w-]+(?:\.[\w-]+){0,4}\.[a-z]{2,6}(?![\w.])"
    rf"){_ARGS}",
    re.ASCII,
)
LINE = lazy(
    rf"^(?=[^\n]*[ \t](?:--?[A-Za-z]|[^\s]*/))({BARE.pattern}(?:[ \t]+(?!(?:and|then|to|until|so|or|again|before"
    r"|after|for|if|first|please|pls|with|once|when|in|on|is|it|was|the|a|must|should|pass\w*|fail\w*|work\w*)\b)[\w./:=@%+-]+)+)"
    r"[ \t]*$",
    re.ASCII | re.MULTILINE,
)
"""A line that is one command, with operands that may be any words."""
BARE_END = lazy(r"(?=$|/(?:\s|$)|[\s,，.。;；:：!！?？)）(（\]→'\"”、]|-[>-]|[ぁ-ヿ一-鿿가-힣])")
QUOTED = lazy(r"\"([^\"\n`]{2,200})\"|(?<!\w)'([^'\n`]{2,200})'(?!\w)|“([^”\n`]{2,200})”|「([^」\n`]{2,200})」")
SPAN = lazy(r"``([^`]+)``|`([^`]*)`")
READS = lazy(
    r"(?:git (?:diff|log|status|show|blame)|gh (?:pr|run|issue) (?:view|list|checks|diff|status)|docker(?:-| compose"
    r"| )?(?:ps|logs)|kubectl (?:get|logs|describe)|(?:npm|pnpm|pip|uv tool) (?:ls|list|outdated|audit))\b"
)
"""Commands of which one reads the output, and words to look at it."""
