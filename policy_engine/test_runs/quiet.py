"""The table of what may stand beside a run of tests and prints nothing that reads like a summary. Data only.

Imported by the hook path.
"""

from __future__ import annotations

FILTERS = {"tail": "n c", "head": "n c", "cat": "", "tee": "", "grep": "eABCm", "egrep": "eABCm", "rg": "eABCmg",
           "xcbeautify": "", "xcpretty": ""}  # fmt: skip
"""Programs at the end of a pipe that let a summary through as it is, with the letters that take a value."""

QUIET = frozenset(
    (
        "cd pushd popd set export unset source . : true test [ mkdir rm rmdir touch sleep wait trap exit ulimit umask "
        "read local declare shopt hash cp mv chmod ln kill pkill uv-sync deactivate nvm type"
    ).split()
)
"""Programs that print nothing that reads like a summary."""

FILES_ONLY = frozenset("cat printf echo sed jq sort head tail base64 envsubst".split())
"""Programs that print nothing where their output goes to a file."""

QUIET_VERBS = {
    "npm": "ci install i", "pnpm": "install i", "yarn": "install", "bun": "install i", "pip": "install",
    "pip3": "install", "uv": "sync lock pip", "poetry": "install lock", "cargo": "fmt build check clippy install fetch",
    "go": "build vet mod fmt generate install", "ruff": "check format", "git": "add stash checkout fetch",
    "docker": "build pull",
    "mypy": "*", "black": "*", "isort": "*", "flake8": "*", "pyright": "*", "tsc": "*", "eslint": "*", "prettier": "*",
    "gofmt": "*", "biome": "*", "stylelint": "*", "rubocop": "*", "golangci-lint": "*",
    "bundle": "install", "oxlint": "*", "vue-tsc": "*", "next": "lint", "pylint": "*", "ty": "*", "staticcheck": "*",
    "shellcheck": "*", "yamllint": "*", "phpstan": "*", "pint": "*", "phpcs": "*", "phpcbf": "*", "php-cs-fixer": "*",
    "psalm": "*", "rector": "*", "composer": "install", "cmake": "*",
    "swift": "build format package", "swiftlint": "*", "swiftformat": "*", "goimports": "*", "gofumpt": "*",
    "clang-format": "*", "stylua": "*", "shfmt": "*", "autopep8": "*", "yapf": "*", "pyupgrade": "*", "dprint": "*",
    "taplo": "*", "ktlint": "*", "standardrb": "*", "codespell": "*", "actionlint": "*", "markdownlint": "*",
    "markdownlint-cli2": "*", "basedpyright": "*", "tsgo": "*", "oxfmt": "*", "djlint": "*", "knip": "*",
    "terraform": "fmt", "buf": "generate lint format", "sqlc": "generate", "prisma": "generate format", "protoc": "*",
    "templ": "generate fmt", "pdm": "install sync lock", "rye": "sync lock fmt lint", "pixi": "install",
    "deno": "fmt lint check", "zig": "fmt", "gleam": "format", "pod": "install",
    "docker-compose": "build pull down start stop restart create rm", "dotnet": "build restore format",
    "mix": "format compile deps.get deps.compile local.hex local.rebar", "flutter": "analyze pub",
    "dart": "analyze format pub",
    "rustup": "component target toolchain update", "fnm": "*", "venv": "*", "virtualenv": "*",
    "apt-get": "install update", "apt": "install update", "apk": "add", "dnf": "install", "brew": "install",
    "gem": "install", "playwright": "install", "pre-commit": "install", "stack": "setup", "cabal": "update",
}  # fmt: skip
"""The same of programs of which only some verbs are so."""

CODE_OF_LINTERS = {
    "eslint": ("eslint.config.", ".eslintrc", "package.json"), "prettier": ("prettier.config.", ".prettierrc",
        "package.json"),
    "stylelint": ("stylelint.config.", ".stylelintrc", "package.json"), "rubocop": (".rubocop",),
    "mypy": ("mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml"), "flake8": (".flake8", "setup.cfg", "tox.ini"),
    "golangci-lint": (".golangci.",), "biome": ("biome.json",), "cmake": ("CMakeLists.txt", "CMakePresets.json"),
    "npm": (".npmrc", "package.json"), "pnpm": (".npmrc", ".pnpmfile.", "pnpm-workspace.yaml", "package.json"),
    "yarn": (".yarnrc", "package.json"), "bun": ("bunfig.toml", "package.json"), "pip": ("setup.py", "pyproject.toml"),
    "pip3": ("setup.py", "pyproject.toml"), "uv": ("setup.py", "pyproject.toml", "uv.toml"), "cargo": ("build.rs",),
    "poetry": ("setup.py", "pyproject.toml"), "bundle": ("Gemfile",), "composer": ("composer.json",),
    "mix": ("mix.exs",), "docker": ("Dockerfile", "compose.", "docker-compose."), "dotnet": ("Directory.Build.",),
    "next": ("next.config.", "eslint.config.", ".eslintrc", "package.json"), "pylint": (".pylintrc", "pyproject.toml"),
    "phpstan": ("phpstan.",), "phpcs": ("phpcs.", ".phpcs."), "phpcbf": ("phpcs.", ".phpcs."), "psalm": ("psalm.",),
    "php-cs-fixer": (".php-cs-fixer.", ".php_cs"), "rector": ("rector.",), "go": ("tools.go",),
    "swift": ("Package.swift",), "pdm": ("setup.py", "pyproject.toml"), "rye": ("setup.py", "pyproject.toml"),
    "knip": ("knip.", "package.json"), "markdownlint": (".markdownlint",), "buf": ("buf.gen.",), "pod": ("Podfile",),
    "markdownlint-cli2": (".markdownlint",), "prisma": ("prisma.config.", "package.json"), "pixi": ("pixi.toml",),
    "dart": ("analysis_options.yaml",), "flutter": ("analysis_options.yaml",),
}  # fmt: skip
"""Beginnings of the names of files that such programs run code from, or load what they name."""
