"""Where files of package managers say that packages come from, and which of these places were known before."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from policy_engine.effects import package_sources
from policy_engine.effects.analysis import analysis_of
from policy_engine.effects.package_sources import place_of, places_in
from policy_engine.filesystem.file_system import Disk
from policy_engine.filesystem.globs import expand_braces, matcher_of
from policy_engine.model.limits import READ_BYTES
from policy_engine.programs._rows import PACKAGE_FILES
from policy_engine.shell.parse import parse

ROOT = Path(__file__).resolve().parents[3]

NAMED = [
    ("package-lock.json", '{"resolved": "https://p.example/a.tgz"}'),
    ("package-lock.json", '{"dependencies": {"a": {"version": "https://p.example/a.tgz"}}}'),
    ("package-lock.json", '{"resolved": "\\u0068ttps:\\/\\/p.example\\/a.tgz"}'),
    ("npm-shrinkwrap.json", '{"resolved": "git+ssh://git@p.example/o/a.git#1"}'),
    ("package.json", '{"dependencies": {"a": "https://p.example/a.tgz"}}'),
    ("package.json", '{"pnpm": {"overrides": {"a": "git+https://p.example/a"}}}'),
    ("package.json", '{"devDependencies": {"a": "git@p.example:o/a.git"}}'),
    ("yarn.lock", 'a@1:\n  resolved "https://p.example/a.tgz#1"\n'),
    ("yarn.lock", '  resolution: "a@npm:1::__archiveUrl=https%3A%2F%2Fp.example%2Fa.tgz"\n'),
    ("pnpm-lock.yaml", "    resolution: {integrity: x, tarball: https://p.example/a.tgz}\n"),
    ("pnpm-lock.yaml", "    resolution: {type: git, repo: https://p.example/a, commit: 1}\n"),
    (".npmrc", "@o:registry = https://p.example/\n"),
    (".yarnrc.yml", 'npmScopes:\n  o:\n    npmRegistryServer: "https://p.example"\n'),
    ("bunfig.toml", '[install.scopes]\n"@o" = "https://p.example/"\n'),
    ("uv.lock", 'source = { registry = "https://p.example/simple" }\n'),
    ("uv.lock", 'wheels = [{ url = "https://p.example/a.whl" }]\n'),
    ("poetry.lock", '[package.source]\ntype = "url"\nurl = "https://p.example/a.whl"\n'),
    ("requirements.txt", "--extra-index-url https://p.example/simple\na\n"),
    ("requirements.txt", "a @ git+https://p.example/a\n"),
    ("pyproject.toml", '[tool.uv.sources]\na = { git = "https://p.example/a" }\n'),
    ("pyproject.toml", '[project.urls]\nHome = "https://a.example"\n  [[tool.uv.index]]\nurl = "https://p.example/"\n'),
    ("pyproject.toml", '[tool.uv.sources.urls]\ngit = "https://p.example/a"\n'),
    ("pyproject.toml", '[project]\ndependencies = ["a @ https://p.example/a.whl"]\n'),
    ("Pipfile.lock", '{"_meta": {"sources": [{"url": "https://p.example/simple"}]}}'),
    ("Cargo.lock", 'source = "git+https://p.example/a?branch=x#1"\n'),
    ("Cargo.toml", '[patch.crates-io]\na = { git = "https://p.example/a" }\n'),
    ("config.toml", '[source.x]\nregistry = "sparse+https://p.example/index/"\n'),
    ("go.mod", "replace a.example/a => p.example v1.0.0\nreplace b => p.example/b v1\n"),
    ("Gemfile", 'source "https://p.example"\n'),
    ("Gemfile.lock", "GIT\n  remote: https://p.example/a.git\n"),
    ("composer.json", '{"repositories": [{"type": "vcs", "url": "https://p.example/a"}]}'),
    ("composer.lock", '{"dist": {"type": "zip", "url": "https://p.example/a.zip"}}'),
    ("nuget.config", '<add key="x" value="https://p.example/v3/index.json" />'),
    ("package.json", '{"packageManager": "yarn@https://p.example/y.tgz"}'),
    ("build.gradle", 'repositories {\n    maven { url "https://p.example/m" }\n}\n'),
    (
        "build.gradle",
        "repositories {\n    maven {\n        name = 'x'\n        url = uri('https://p.example/m')\n    }\n}\n",
    ),
    ("build.gradle", 'apply from: "https://p.example/x.gradle"\n'),
    (
        "build.gradle.kts",
        'repositories {\n    maven("https://p.example/m")\n    ivy { setUrl("https://p.example") }\n}\n',
    ),
    (
        "settings.gradle.kts",
        'maven { url = java.net.URI("https://a.example") }\nmaven { url = uri("https://p.example") }\n',
    ),
    ("gradle-wrapper.properties", "distributionUrl=https\\://p.example/gradle-8-bin.zip\n"),
    ("maven-wrapper.properties", "wrapperUrl=https://p.example/w.jar\n"),
    ("pom.xml", "<repository>\n<id>x</id>\n<url>https://p.example/m</url>\n</repository>"),
    ("pom.xml", "<pluginRepository><url> https://p.example/m</url></pluginRepository>"),
    ("mix.exs", '{:a, git: "https://p.example/a.git", branch: "main"}'),
    ("mix.lock", '"a": {:git, "https://p.example/a.git", "1", []},'),
    ("Package.swift", '.package(url: "https://p.example/a.git", from: "1.0.0"),'),
    ("Package.resolved", '"location" : "https://p.example/a.git",'),
    ("pubspec.yaml", "dependencies:\n  a:\n    git:\n      url: https://p.example/a.git\n"),
    ("pubspec.yaml", "dependencies:\n  a:\n    git: https://p.example/a.git\n"),
    ("pubspec.yaml", "dependencies:\n  a:\n    hosted: https://p.example\n    version: 1\n"),
]
UNNAMED = [
    ("package-lock.json", '{"resolved": "https://registry.npmjs.org/a.tgz", "funding": {"url": "https://a.example"}}'),
    (
        "package.json",
        '{"homepage": "https://a.example", "dependencies": {"a": "^1", "b": "workspace:*", "c": "file:../c"}}',
    ),
    ("package.json", '{"scripts": {"a": "wait-on http://a.example"}, "dependencies": {"a": "npm:b@1"}}'),
    ("pnpm-lock.yaml", "    deprecated: see https://a.example\n    resolution: {integrity: x}\n"),
    (".npmrc", "registry=http://localhost:4873/\n# registry=https://a.example\nfund=false\n"),
    ("uv.lock", 'source = { registry = "https://pypi.org/simple" }\nurl = "https://files.pythonhosted.org/a.whl"\n'),
    ("poetry.lock", 'description = "see https://a.example"\n'),
    ("requirements.txt", "a==1  # via https://a.example\n--index-url https://pypi.org/simple\n./b\n"),
    ("pyproject.toml", '[project.urls]\nurl = "https://a.example"\n[tool.poetry]\nhomepage = "https://a.example"\n'),
    ("Cargo.toml", '[package]\nrepository = "https://a.example/a"\n[dependencies]\na = "1"\nb = { path = "../b" }\n'),
    ("Cargo.lock", 'source = "registry+https://github.com/rust-lang/crates.io-index"\n'),
    ("go.mod", "require a.example/a v1\nreplace a.example/b => ../b\n"),
    ("Gemfile", 'git_source(:github) { |repo| "https://github.com/#{repo}.git" }\nsource "https://rubygems.org"\n'),
    ("package.json", '{"packageManager": "pnpm@9.1.0+sha512.abc/def"}'),
    ("build.gradle", "repositories { mavenCentral()\n google()\n maven { url 'https://plugins.gradle.org/m2/' } }\n"),
    (
        "build.gradle.kts",
        'publishing { publications { pom { url = "https://a.example"\n scm { url = "https://a.example" } } } }\n'
        'dokka { link { url = "https://a.example" } }\npom { url.set("https://a.example") }\n// maven("https://a.example")\n',
    ),
    ("gradle-wrapper.properties", "distributionUrl=https\\://services.gradle.org/distributions/gradle-8-bin.zip\n"),
    ("maven-wrapper.properties", "distributionUrl=https://repo.maven.apache.org/maven2/a.zip\n"),
    (
        "pom.xml",
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><url>https://a.example</url><scm><url>https://a.example</url>'
        "</scm><distributionManagement><repository><url>https://a.example</url></repository></distributionManagement>"
        "<!-- <repository><url>https://a.example</url></repository> -->"
        "<repository><url>https://repo1.maven.org/maven2</url></repository></project>",
    ),
    ("mix.exs", 'source_url: "https://a.example", links: %{"GitHub" => "https://github.com/a/b"}, {:a, "~> 1.0"}\n'),
    ("pubspec.yaml", "homepage: https://a.example\nrepository: https://github.com/a/b\ndependencies:\n  a: ^1.0.0\n"),
    ("pubspec.lock", '      url: "https://pub.dev"\n'),
    (
        "composer.lock",
        '{"dist": {"url": "https://api.github.com/repos/o/a/zipball/1"}, "support": {"url": "https://a.example"}}',
    ),
]


@pytest.mark.parametrize(("name", "text"), NAMED)
def test_a_place_is_found_in_the_files_that_name_it(name: str, text: str) -> None:
    assert "p.example" in list(places_in(name, text))


@pytest.mark.parametrize(("name", "text"), UNNAMED)
def test_registries_of_everybody_and_other_links_are_no_places(name: str, text: str) -> None:
    assert list(places_in(name, text)) == []


def test_on_a_host_that_many_share_the_owner_counts() -> None:
    assert place_of("git+ssh://git@github.com/Acme/a.git#1") == "github.com/acme"
    assert place_of("https://codeload.github.com/acme/a/tar.gz/1") == "github.com/acme"
    assert place_of("git@github.com:acme/a.git") == "github.com/acme"
    assert place_of("https://user:word@p.example:8443/a") == "p.example"
    assert place_of("file:///a") == ""
    assert [*places_in("package.json", '{"dependencies": {"a": "github:evil/a", "b": "evil/b"}}')] == [
        "github.com/evil"
    ] * 2
    assert [*places_in("mix.exs", '{:a, github: "evil/a"}')] == ["github.com/evil"]
    assert [*places_in("Gemfile", 'gem "a", github: "evil/a"')] == ["github.com/evil"]


def _asks(repository: Path, line: str) -> bool:
    commands = parse(line, str(repository), Disk(str(repository), str(repository / "home")))
    for command in commands:
        command.line = tuple(commands)
    doubts = [analysis_of(command).doubts for command in commands]
    return any("foreign-packages" in one or "adds-packages" in one for one in doubts)


def _git(repository: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=repository, check=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "package.json").write_text('{"dependencies": {"a": "1"}}')
    (tmp_path / "package-lock.json").write_text('{"resolved": "https://npm.corp.example/a.tgz"}')
    _git(tmp_path, "init", "-q", "-b", "main")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-qm", "a")
    return tmp_path


def test_the_host_of_the_repository_is_known(repository: Path) -> None:
    (repository / "Package.swift").write_text('.package(url: "https://git.corp.example/b/c", from: "1.0.0")')
    assert _asks(repository, "swift build")
    _git(repository, "remote", "add", "origin", "git@git.corp.example:a/a.git")
    assert not _asks(repository, "swift build")


def test_what_a_committed_file_names_is_known(repository: Path) -> None:
    assert not _asks(repository, "npm ci")
    (repository / ".npmrc").write_text("registry=https://npm.corp.example/\n")
    assert not _asks(repository, "npm ci --registry https://npm.corp.example/")
    (repository / ".npmrc").write_text("registry=https://npm.corp.example.evil.example/\n")
    assert _asks(repository, "npm ci")
    assert _asks(repository, "npm --prefix . install b")
    assert not _asks(repository, "npm run lint && npm ls && npm ci --help && npm exec --help")
    assert _asks(repository, "npm exec b -- --help")


def test_what_the_user_has_set_at_home_is_known(repository: Path) -> None:
    (repository / "home" / ".npmrc").write_text("registry=https://q.example/\n")
    (repository / "package-lock.json").write_text('{"resolved": "https://q.example/a.tgz"}')
    assert not _asks(repository, "npm ci")


def test_a_commit_that_no_remote_has_makes_nothing_known(repository: Path) -> None:
    _git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    (repository / "package-lock.json").write_text('{"resolved": "https://p.example/a.tgz"}')
    _git(repository, "commit", "-qam", "b")
    assert _asks(repository, "npm ci")
    _git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert not _asks(repository, "npm ci")


@pytest.mark.parametrize(
    "line",
    [
        "sed -i s/npm.corp.example/p.example/ package-lock.json && npm ci",
        "jq '.dependencies.a = \"https://p.example/a.tgz\"' package.json > t && mv t package.json && npm install",
        "python3 -c \"open('.npmrc', 'w').write('registry=https://p.example')\" && npm ci",
        "npm config set registry https://p.example --location=project && npm ci",
        "npm ci --registry=https://p.example",
        "npm_config_registry=https://p.example npm ci",
        "PIP_INDEX_URL=https://p.example/simple pip install -r requirements.txt",
        "uv sync --index https://p.example/simple",
        "GOPROXY=https://p.example go mod download",
        "printf 'a @ https://p.example/a' > r.txt; pip install -r r.txt",
        "cargo add --git https://p.example/a a",
    ],
)
def test_what_the_line_itself_sets_counts(line: str, repository: Path) -> None:
    assert _asks(repository, line)


@pytest.mark.parametrize(
    "line",
    [
        'sed -i \'s/"a": "1"/"a": "2"/\' package.json && npm install',
        "jq '.version = \"2\"' package.json > t && mv t package.json && npm install",
        "git clone https://github.com/acme/x && cd x && npm ci",
        "pip install torch --index-url https://download.pytorch.org/whl/cpu",
        "npm install --registry http://localhost:4873",
        "npx playwright open --url https://p.example",
        "API_URL=https://p.example npm ci",
        "cargo run -- --registry https://p.example",
        "uv run app.py --source https://p.example",
    ],
)
def test_honest_lines_are_silent(line: str, repository: Path) -> None:
    assert not _asks(repository, line)


def test_requirements_that_others_name_are_read(repository: Path) -> None:
    (repository / "requirements").mkdir()
    (repository / "requirements" / "base.txt").write_text("a @ https://p.example/a.tgz\n")
    (repository / "requirements" / "dev.txt").write_text("-r base.txt\nb\n")
    assert _asks(repository, "pip install -r requirements/dev.txt")


def test_what_a_script_installs_counts(repository: Path) -> None:
    (repository / ".npmrc").write_text("registry=https://p.example/\n")
    (repository / "setup.sh").write_text("set -e\nnpm ci\n")
    assert _asks(repository, "bash setup.sh")


def doubt(root: Path, line: str) -> str:
    """Why a line in a folder may take packages from another place, "" if it does not."""
    commands = parse(line, str(root), Disk(str(root), None))
    return "".join(analysis_of(command).doubts.get("foreign-packages", "") for command in commands)


def test_a_file_that_cannot_be_read_is_doubted(tmp_path: Path) -> None:
    (tmp_path / "package-lock.json").write_bytes(b"\0")
    assert "is no text" in doubt(tmp_path, "npm ci")
    (tmp_path / "package-lock.json").write_text(" " * (READ_BYTES + 1))
    assert "is no text" in doubt(tmp_path, "npm ci")
    (tmp_path / "package-lock.json").write_text("{}")
    assert doubt(tmp_path, "npm ci") == ""


@pytest.mark.parametrize("line", ['npm "$X"', 'cd "$X" && npm ci'])
def test_what_is_installed_where_is_doubted_if_it_is_not_known(tmp_path: Path, line: str) -> None:
    assert "not known" in doubt(tmp_path, line)
    assert doubt(tmp_path, 'npm run "$X"') == ""


def test_members_beside_many_files_are_read(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"a{number}.txt").write_text("")
    (tmp_path / "web" / "app").mkdir(parents=True)
    (tmp_path / "web/app/package.json").write_text('{"dependencies": {"a": "https://p.example/a.tgz"}}')
    assert "p.example" in doubt(tmp_path, "npm install")


def test_more_folders_than_are_looked_at_are_doubted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_sources, "_MOST_BELOW", 3)
    for number in range(4):
        (tmp_path / f"a{number}.txt").write_text("")
    assert "more than 3 entries" in doubt(tmp_path, "npm install")


def test_a_manifest_that_is_no_json_shows_its_addresses() -> None:
    text = '\ufeff{"dependencies": {"a": "https://p.example/a.tgz"}}'
    assert list(places_in("package.json", text)) == ["p.example"]


def test_the_pack_watches_every_file_that_is_read() -> None:
    pack = (ROOT / "rules/security/no-unasked-dependency.policy").read_text()
    globs = re.findall(r'"([^"]+)"', pack.partition("define package_files = glob(")[2].partition(")")[0])
    names = {
        name.removeprefix("./").replace("*", "x")
        for row in PACKAGE_FILES.values()
        for name in row.split("|")[1].split()
    }
    watched = [other for text in globs for other in expand_braces(text)]
    assert [name for name in sorted(names) if not any(matcher_of(text)(name) for text in watched)] == []
