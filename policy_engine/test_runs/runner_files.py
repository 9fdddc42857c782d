"""Find what came in the session into files that runners and build tools read by themselves, and that lets tests out,
makes failures pass, or starts no test.

One table: the ecosystem, the names of the files, what in them matters, and what that does. Only what the commit of the
session's start does not say counts: settings of before are the repository's own. Not on the hook path: it is imported
when a run of tests passed.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.narrowed_scripts import narrowed_scripts
from policy_engine.test_runs.outside_settings import folders_around
from policy_engine.test_runs.runners import RUNNERS
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.repository import Repository
    from policy_engine.test_runs.classify import Run

_LEAVES_OUT, _PASSES, _OTHER = "leaves tests out", "lets failing tests pass", "runs other code around the tests"
_ELSEWHERE = "takes the sources from elsewhere"
_REPLACES = "replaces what the tests are about"
_OFF_ASSERTIONS, _RENEWS = "switches assertions off", "writes anew what tests compare with"
_BRINGS = "puts a package of the workspace in the place of a test runner"
_FILES = 64
_FOLDER_OPTION = re.compile(r"--(?:test-dir|build|directory)[ =]([\w./-]+)")
_FLAGS = re.MULTILINE | re.DOTALL


class _Row(NamedTuple):
    """`files`: paths below any folder, `*` in them is within one part; `sets`: what matters in their text, without
    comments, within what `scope` finds if that is given, and without what `apart` finds."""

    of: str
    files: str
    sets: str
    does: str = _LEAVES_OUT
    scope: str = ""
    apart: str = ""


_EMULATORS = r"(?:qemu(?:-\w+)*|wine(?:64)?|node)(?![\w./-])"  # programs that run what is built for another machine
_COPIES = r"\b(?:copy(?:_if_different)?|cp|install|ln|mv|rename|create_(?:sym|hard)link|tee|cat|echo|printf)\b(?!\s*\()"
"""What may put another program in the place of one that was built."""


def _words(runner: str, *columns: str) -> str:
    """Return a pattern for the options of a runner that leave tests out or run none, at the beginning of a word."""
    options = sorted({one for column in columns for one in RUNNERS[runner].get(column, "").split() if one[0] == "-"})
    return rf"(?<![^\s\"'])(?:{'|'.join(map(re.escape, options))})(?=[\s=\"']|$)[^\n]*"


def _properties(runner: str) -> str:
    """Return a pattern for the names of properties by which a build tool leaves tests out."""
    return "|".join(map(re.escape, sorted(RUNNERS[runner]["skips"].split(), key=len, reverse=True)))


def _programs(of: str, *others: str) -> str:
    """Return a pattern for the names of the runners of an ecosystem, and of others that stand before them."""
    names = {key.partition(" ")[0] for key, row in RUNNERS.items() if row.get("of") == of}
    return rf"(?<![\w./-])(?:{'|'.join(map(re.escape, sorted(names.union(others), reverse=True)))})(?![\w./-])"


_PYTHONS = _programs("python", "_pytest", "pluggy", "py.test", "coverage", "uv", "uvx")
_NODES = _programs("javascript", "npx", "npm", "pnpm", "yarn", "bun", "turbo", "nx")
_RUBIES = r"(?:rspec(?:-(?:core|expectations|mocks|support|rails))?|minitest|test-unit|rake|bundler)"
_PHPS = r"(?:phpunit/[\w-]+|pestphp/[\w-]+|brianium/paratest|codeception/codeception|sebastian/[\w-]+)"
_AROUND_JUNIT = (
    r"\b(?:TestExecutionExceptionHandler|LifecycleMethodExecutionExceptionHandler|InvocationInterceptor"
    r"|ExecutionCondition|PostDiscoveryFilter|IInvokedMethodListener|IHookable|IAnnotationTransformer"
    r"|IMethodInterceptor)\b"
)
_GRADLE_TEST = (
    r"(?:\btest|\btasks\.(?:test|check|named\([^)\n]*[tT]est[^)\n]*\)|withType(?:<\s*Test\s*>(?:\(\))?|\(\s*Test\b[^)\n]*\)))"
    r"(?:\.configure(?:Each)?)?|\btasks\.\w+<\s*Test\s*>\([^)\n]*\))\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
)
_INIT = "init.gradle init.gradle.kts init.d/*.gradle init.d/*.gradle.kts"
_SPEC_HELPERS = "spec_helper.rb rails_helper.rb spec/support/*.rb"
_SWIFT_TEST = r"\.testTarget\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_RELEASE = r"(?:Release|RelWithDebInfo|MinSizeRel|Rel)"
_NDEBUG = r"(?:-D\s*|\b)NDEBUG\b"
_OF_RELEASE = (
    rf"^\s*if\s*\(\s*[\"']?(?:\$\{{)?CMAKE_BUILD_TYPE\}}?[\"']?\s+(?:STREQUAL|MATCHES)\s+[\"']?\^?{_RELEASE}(?:\|{_RELEASE})*"
    rf"\$?[\"']?\s*\).*?^\s*(?:else|elseif|endif)\b|\$<\$<CONFIG:{_RELEASE}(?:,{_RELEASE})*>:[^>]*>"
)
"""What CMake reads for releases alone, whose compilers switch assertions off anyhow."""
_OF_OPTION = r"(?i:release|minsize|prod\b|production)"
_RENEWING = (
    r"\b(?=\w*(?:UPDATE|OVERWRITE|RECORD|REGEN|BLESS|ACCEPT))"
    r"(?=\w*(?:SNAP|EXPECT|GOLDEN|BASELINE|INSTA|CASSETTE|APPROV))[A-Z][A-Z0-9_]+\b"
)
"""Variables by which libraries write snapshots anew."""
_SET_TO = r"[\"']?\s*[=:,](?!=|\s*[\"']?(?:0|no|false)?[\"']?\s*(?:$|[,})\]]))[^\n]*"
_RUBY_FILES = r"\.\s*(?:pattern|test_files|test_globs)\s*=(?!=)"
_ON = r"\s*[=:(]?\s*(?:\.set\(\s*)?[\"']?true\b"
_OFF = r"\s*[=:(]?\s*(?:\.set\(\s*)?[\"']?false\b"
_ROWS = (
    _Row("jvm", ".mvn/maven.config .mvn/jvm.config",
         rf"(?<!\S)-D(?:{_properties('mvn')})(?:=(?!false)\S*|(?!\S))|{_words('mvn', 'part', 'informs', 'config')}"),
    _Row("jvm", ".mvn/maven.config .mvn/jvm.config gradle.properties",
         r"-(?:javaagent|agentlib|agentpath|Xbootclasspath)\S*|(?<!\S)-Dmaven\.(?:ext|main|compiler)\.\S*", _OTHER),
    _Row("jvm", ".mvn/extensions.xml", r"<extension>.*?</extension>", _OTHER),
    _Row("jvm", "gradle.properties", rf"^\s*(?:systemProp\.)?(?:{_properties('gradle')})\s*[=:](?!\s*false)[^\n]*"),
    _Row("jvm", f"gradle.properties {_INIT}", r"ignoreFailures\s*[=:]\s*true", _PASSES),
    _Row("jvm", "junit-platform.properties", r"^\s*junit\.platform\.execution\.dryRun\.enabled\s*[=:\s]\s*true"),
    _Row("jvm", "META-INF/services/org.junit.* META-INF/services/org.testng.*", r"^[ \t]*[\w.$]+", _OTHER),
    _Row("jvm", "*.java *.kt *.groovy *.scala", _AROUND_JUNIT, _OTHER, r"\b(?:class|object|fun)\b.*"),
    _Row("jvm", "pom.xml",
         r"<(?:skip|skipTests|skipITs|skipExec|testFailureIgnore|trimStackTrace\.ignore)>\s*true\b[^<]*"
         r"|<enableAssertions>\s*false|<(?:excludes|includes|excludedGroups|groups|test|excludesFile|includesFile"
         r"|suiteXmlFiles)>.*?</|<argLine>[^<]*(?:-da\b|-disableassertions)[^<]*",
         _LEAVES_OUT, r"maven-(?:surefire|failsafe)-plugin.*?</plugin>"),
    _Row("jvm", "settings.xml", rf"<(?:{_properties('mvn')})>\s*(?!false)[^<\s][^<]*"),
    _Row("jvm", "pom.xml", rf"<(?:{_properties('mvn')})>\s*(?!false)[^<\s][^<]*",
         _LEAVES_OUT, r"<properties>.*?</properties>"),
    _Row("jvm", f"build.gradle build.gradle.kts {_INIT}",
         rf"ignoreFailures{_ON}|enableAssertions{_OFF}|failOnNoMatchingTests{_OFF}|\benabled{_OFF}|\bonlyIf\b[^\n]*"
         r"|\b(?:exclude|include|excludeTags|includeTags|excludeTestsMatching|includeTestsMatching|excludeEngines"
         r"|excludeGroups|includeGroups)\b[^\n]*", _LEAVES_OUT, _GRADLE_TEST),
    _Row("jvm", f"build.gradle build.gradle.kts {_INIT}",
         rf"\btest\.(?:ignoreFailures{_ON}|enabled{_OFF}|onlyIf\b[^\n]*)"),
    _Row("jvm", "pom.xml", r"<(?:testS|s)ourceDirectory>(?!\s*(?:\$\{[^}]*\}/)?src\b)[^<]*", _ELSEWHERE),
    _Row("jvm", "build.gradle build.gradle.kts",
         r"\b(?:srcDirs?|setSrcDirs)\b(?![^\n]*[\"'](?:\$\w+/)?(?:src|build/generated)\b)[^\n]*", _ELSEWHERE),
    _Row("elixir", "mix.exs", r"\belixirc_paths\b[^\n]*\[(?![^\]]*\"lib\")[^\]]*\]", _ELSEWHERE),
    _Row("rust", "Cargo.toml", r"^\s*path\s*=\s*\"(?!src/)[^\"]*\"", _ELSEWHERE, r"^\[(?:lib|\[bin\])\][^\[]*"),
    _Row("rust", "Cargo.toml", r"\b(?:exclude|default-members)\s*=\s*\[[^\]]*\]", _LEAVES_OUT,
         r"^\[workspace\][^\[]*(?:\[[^\]\n]*\"[^\[]*)*"),
    _Row("rust", "Cargo.toml .cargo/config.toml", r"^\s*debug-assertions\s*=\s*false", _OFF_ASSERTIONS,
         r"^\[profile\.(?:test|dev)\][^\[]*"),
    _Row("rust", ".cargo/config.toml .cargo/config",
         r"^\s*rustflags\s*=[^\n\[]*(?:\[[^\]]*)?\bdebug-assertions=(?:off|no?|false)\b", _OFF_ASSERTIONS),
    _Row("c", "CMakeLists.txt *.cmake",
         r"\b(?:(?:add_compile_definitions|add_definitions|add_compile_options|target_compile_definitions"
         r"|target_compile_options|set_property|set_target_properties|set_source_files_properties)\s*\("
         rf"|(?:set|(?:list|string)\s*\(\s*APPEND)\s*\(?\s*CMAKE_C(?:XX)?_FLAGS(?:_DEBUG)?\b)[^)]*?{_NDEBUG}",
         _OFF_ASSERTIONS, "", _OF_RELEASE),
    _Row("c", "CMakePresets.json CMakeUserPresets.json",
         rf"\"CMAKE_C(?:XX)?_FLAGS(?:_DEBUG)?\"\s*:[^\n]*{_NDEBUG}", _OFF_ASSERTIONS),
    _Row("c", "meson.build *.ini",
         r"\bb_ndebug\b[\"']?\s*[=:]\s*[\"']?true"
         r"|\b(?:add_\w+_arguments\s*\(|\w*c(?:pp)?_args\s*[:=])[^)\n]*-DNDEBUG\b", _OFF_ASSERTIONS, "",
         rf"^\s*if\b(?![^\n]*(?:!=|\bnot\b))[^\n]*{_OF_OPTION}.*?^\s*(?:else|elif|endif)\b"),
    _Row("c", "Makefile makefile GNUmakefile Makefile.am *.mk",
         r"^[ \t]*(?:(?:override|export)\s+)*\w*(?:FLAGS|DEFS|DEFINES)\s*[:+?]*=[^\n]*-DNDEBUG\b", _OFF_ASSERTIONS, "",
         rf"^[ \t]*(?:ifeq|ifdef)\b[^\n]*{_OF_OPTION}.*?^[ \t]*(?:else|endif)\b"),
    _Row("c", "BUILD BUILD.bazel .bazelrc", r"-DNDEBUG\b|\b(?:local_)?defines\s*=[^\n]*?\"NDEBUG", _OFF_ASSERTIONS, "",
         rf"^\s*\w+:[\w-]*{_OF_OPTION}[^\n]*|\"[^\"\n]*{_OF_OPTION}[^\"\n]*\"\s*:\s*\[[^\]]*\]"),
    _Row("rust", ".config/insta.yaml insta.yaml",
         r"^\s*(?:update\s*:\s*[\"']?(?:always|unseen|force)|force_(?:pass|update)\w*\s*:\s*true)\b", _RENEWS),
    _Row("rust", ".cargo/config.toml .cargo/config *.rs",
         rf"(?:^\s*[\"']?|set_var\(\s*\")(?:{_RENEWING}|TRYBUILD\b){_SET_TO}", _RENEWS),
    _Row("go", "*_test.go", rf"\bSetenv\(\s*\"{_RENEWING}{_SET_TO}", _RENEWS),
    _Row("python", "pytest.ini pyproject.toml tox.ini setup.cfg",
         rf"(?:^\s*|[\"'])(?:D:)?{_RENEWING}{_SET_TO}", _RENEWS),
    _Row("python", "conftest.py",
         rf"\b(?:environ\s*\[\s*[\"']{_RENEWING}[\"']\s*\]|(?:setdefault|putenv|setenv)\(\s*[\"']{_RENEWING}){_SET_TO}",
         _RENEWS),
    _Row("javascript", "vitest.config.* vitest.workspace.* *setup*.js *setup*.ts *setup*.mjs *setup*.mts",
         rf"\bupdate['\"]?\s*:\s*(?:true\b|['\"](?:all|new)['\"])|{_RENEWING}{_SET_TO}", _RENEWS),
    _Row("python", "conftest.py",
         r"\b(?:register_profile|settings)\s*\([^()]*\bphases\s*=\s*(?:\[\s*\]|\(\s*\)|set\(\)|tuple\(\))"),
    _Row("ruby", "Rakefile rakefile Rakefile.rb *.rake",
         rf"{_RUBY_FILES}(?![^\n]*[\"'{{,/](?:spec|test)s?\}}?/(?:\*\*/)?(?:\*|test_\*|\{{))[^\n]*"
         rf"|{_RUBY_FILES}[^\n]*(?:\bexclude\b|\breject\b|\]\s*-|\)\s*-)[^\n]*|\.\s*exclude_pattern\s*=(?!=)[^\n]*"
         rf"|\b(?:rspec_opts|options)\s*=[^\n]*?{_words('rspec', 'part', 'informs')}"),
    _Row("swift", "Package.swift", r"\b(?:exclude|sources)\s*:\s*\[[^\]]*\]", _LEAVES_OUT, _SWIFT_TEST),
    _Row("javascript", "pnpm-workspace.yaml", r"^\s*-\s*[\"']?![^\n]*"),
    _Row("c", "CMakePresets.json CMakeUserPresets.json", r"\"filter\"\s*:\s*\{(?:[^{}]|\{[^{}]*\})*\}"),
    _Row("dotnet", "Directory.Build.targets Directory.Build.props *.csproj *.fsproj",
         r"<Target\b[^>]*\b(?:Name|BeforeTargets|AfterTargets)=[\"'][^\"']*\b(?:VSTest\w*|CoreCompile|Test)\b[^>]*",
         _OTHER),
    _Row("ruby", ".rspec .rspec-local", _words("rspec", "part", "informs")),
    _Row("ruby", ".rspec .rspec-local", r"(?<!\S)-I[ =]?(?!(?:\./)?(?:lib|spec|app|test|\.)(?:[/:\s]|$))\S+"
         r"|(?<!\S)(?:-r[ =]?|--require[ =])\./(?!spec/|lib/)\S+", _ELSEWHERE),
    _Row("ruby", "spec_helper.rb rails_helper.rb test_helper.rb spec/support/*.rb Rakefile",
         r"(?:\$(?:LOAD_PATH|:)\s*\.\s*(?:unshift|prepend|insert|replace)|\.libs\s*(?:=|<<|\.\w+))"
         r"(?![^\n]*[\"'/](?:lib|spec|test|app)\b)[^\n]*", _ELSEWHERE),
    _Row("ruby", _SPEC_HELPERS,
         r"\b(?:filter_run(?:_(?:including|excluding|when_matching))?|inclusion_filter|exclusion_filter)\b"
         r"(?!\(?\s*:?focus\b(?!\s*(?:=>|:)\s*false))[^\n]*"
         r"|\b(?:exclude_pattern|pattern|files_to_run|only_failures)\s*=(?!=)[^\n]*"
         r"|\bdry_run\s*=\s*true|\bARGV\s*(?:<<|\.(?:push|concat|replace|unshift))[^\n]*"),
    _Row("ruby", _SPEC_HELPERS,
         r"\bdefine_derived_metadata\b(?:(?!^\s*end\b).){0,600}?\[?:(?:skip|pending)\b[^\n]*"
         r"|^([ \t]*)[\w.]*\baround\b[^\n|]*\bdo\s*\|(\w+)\|(?:(?!\b\2\.(?:run\w*|call)\b|[&(,]\s*\2\b).)*?^\1end\b"
         r"|\baround\b[^\n|]*\{\s*\|(\w+)\|(?:(?!\b\3\.(?:run\w*|call)\b|[&(,]\s*\3\b)[^\n{}])*\}"
         r"|@example_block\b"),
    _Row("ruby", _SPEC_HELPERS,
         r"\b(?:allow|allow_any_instance_of)[ (]\s*(?:self|subject|described_class)\b[^\n]*", _REPLACES),
    _Row("ruby", _SPEC_HELPERS,
         r"\b(?:failure_exit_code|error_exit_code)\s*=\s*0|@exception\b|\bset_exception\b|\.display_exception\s*="
         r"|\baround\b(?:(?!^\s*(?:config|c)\.).){0,600}?\brescue\b", _PASSES),
    _Row("elixir", "test_helper.exs", r"\bExUnit\.(?:configure|start)\b[^\n]*\b(?:exclude|only_test_ids)\b[^\n]*"),
    _Row("elixir", "mix.exs",
         r"\b(?:test_paths|test_pattern|test_ignore_filters|test_load_filters)\s*:[^\n]*"
         r"|\btest:\s*(?!\[[^\]]*[\"']test\b)(?:\[[^\]]*\]|[\"'&f][^\n]*)"),
    _Row("rust", ".config/nextest.toml", r"^\s*default-filter\s*=(?!\s*[\"']all\(\)[\"'])[^\n]*"),
    _Row("rust", ".config/nextest.toml", r"on-timeout\s*=\s*[\"']pass[\"']", _PASSES),
    _Row("rust", ".config/nextest.toml .cargo/config.toml .cargo/config",
         r"^\s*(?:run-wrapper|runner|rustc-wrapper|rustc-workspace-wrapper|rustc|rustdoc)\s*=[^\n]*", _OTHER),
    _Row("c", "CTestCustom.cmake CTestCustom.ctest CTestCustom.cmake.in CTestConfig.cmake",
         r"\bCTEST_CUSTOM_(?:TESTS_IGNORE|PRE_TEST|POST_TEST)\b[^\n]*"),
    _Row("c", "CMakeLists.txt *.cmake", r"\bset_(?:tests_properties|property)\s*\([^)]*\bDISABLED\b[^)]*"),
    _Row("c", "CMakeLists.txt *.cmake",
         r"\b(?:WILL_FAIL|SKIP_(?:RETURN_CODE|REGULAR_EXPRESSION))\b[^)\n]*|\bPASS_REGULAR_EXPRESSION\s+(?:\"[.*^$|?]+\"|[.*^$|?]+[)\s])"
         r"|\badd_test\s*\([^)]*(?:\|\||;)[^)]*", _PASSES),
    _Row("c", "CMakeLists.txt *.cmake CMakePresets.json CMakeUserPresets.json",
         rf"\b(?:CMAKE_)?(?:CROSSCOMPILING_EMULATOR|TEST_LAUNCHER)\b(?![\s\":]+{_EMULATORS})[^)\n]*", _OTHER),
    _Row("c", "CMakeLists.txt *.cmake",
         rf"\badd_custom_command\s*\([^)]*{_COPIES}[^)]*(?:\$<TARGET_FILE:[^>]*>|/(?:test_\w+|\w+_tests?))\"?\s*"
         rf"(?:\)|(?:COMMAND|VERBATIM|COMMENT|DEPENDS|BYPRODUCTS|WORKING_DIRECTORY)\b)|\bRULE_LAUNCH_LINK\b[^)\n]*"
         rf"|\b\w+_LINKER_LAUNCHER\b(?![\s\"]+\w*ccache\b)[^)\n]*", _OTHER),
    _Row("c", "Makefile makefile GNUmakefile Makefile.am *.mk CMakeLists.txt *.cmake meson.build",
         rf"{_COPIES}[^\n]*?\s\"?(?:/usr)?/bin/(?:true|echo|cat|ls|date|env|yes|:)\"?\s+[\w$./][^\n]*", _OTHER),
    _Row("c", "meson.build *.ini *.txt",
         rf"\bexe_wrapper\s*[:=](?!\s*\[?\s*(?:find_program\(\s*)?['\"](?:valgrind|{_EMULATORS})['\"])[^\n]*", _OTHER),
    _Row("", ".bazelrc *.bazelrc tools/bazel.rc",
         r"^\s*[\w:-]+\s[^\n]*--run_under(?:=|\s)(?!\S*valgrind\b)[^\n]*", _OTHER),
    _Row("", ".bazelrc *.bazelrc tools/bazel.rc",
         r"^\s*[\w:-]+\s[^\n]*--(?:test_(?:filter|tag_filters|lang_filters|size_filters|timeout_filters)|build_tests_only"
         r"|deleted_packages|runs_per_test=0)\b[^\n]*"),
    _Row("dotnet", "*.runsettings Directory.Build.props Directory.Build.targets *.csproj *.fsproj",
         r"<(?:TestCaseFilter|VSTest(?:TestCaseFilter|NoBuild|ListTests|CLIRunSettings|TestAdapterPath|ConsolePath))>[^<]*"
         r"|<(?:RunSettingsFilePath|VSTestSetting)>(?![^<]*\.runsettings\s*<)[^<]*"
         r"|<TestingPlatformCommandLineArguments>[^<]*--(?:[\w-]*filter|list-tests|ignore-exit-code)[^<]*"
         r"|<(?:IsTestProject|IsTestingPlatformApplication|EnableDefaultCompileItems)>\s*false"
         r"|<Compile\s+Remove=[\"'][^\"']*(?i:test|spec)[^\"']*"),
    _Row("dotnet", "Directory.Build.rsp MSBuild.rsp",
         r"(?i)[-/]p(?:roperty)?:[^\n]*\b(?:VSTest\w*|RunSettingsFilePath|TestingPlatform\w*Arguments|IsTest\w*)\s*=[^\n]*"),
    _Row("dart", "dart_test.yaml", r"^\s*(?:exclude_tags|include_tags|skip|paths|filename|test_on)\s*:[^\n]*"),
    _Row("haskell", "cabal.project cabal.project.local", r"^\s*(?:tests\s*:\s*False|test-options\s*:[^\n]*)"),
    _Row("python", "pyproject.toml setup.cfg setup.py",
         rf"{_PYTHONS}[\"']?\s*=\s*[\"']?\w[\w.]*:\w[\w.]*"
         rf"|\bname\s*=\s*[\"']{_PYTHONS}[\"']|^name\s*=\s*{_PYTHONS}\s*$|#egg={_PYTHONS}"
         rf"|{_PYTHONS}[\"']?\s*=\s*\{{[^}}]*\b(?:path|file|workspace)\s*=[^}}]*\}}"
         rf"|{_PYTHONS}(?:\[[^\]]*\])?\s*@\s*(?:file:|[./~])[^\n]*"
         r"|\b(?:scripts|script-files)\s*=\s*\[[^\]]*/(?:py\.?test|coverage|tox|nox|python3?)[\"'][^\]]*\]", _BRINGS),
    _Row("javascript", "package.json",
         rf"\"bin\"\s*:\s*\{{[^}}]*\"{_NODES}\"\s*:[^}}]*\}}|\"{_NODES}\"\s*:\s*\"(?:file|link|portal):[^\"]*\""
         rf"|\"name\"\s*:\s*\"{_NODES}\"(?=.*\"bin\"\s*:\s*\")"
         rf"|\"bin\"\s*:\s*\"[^\"]*\"(?=.*\"name\"\s*:\s*\"{_NODES}\")", _BRINGS),
    _Row("ruby", "Gemfile gems.rb *.gemfile",
         rf"\bgem\b[ (]*[\"']{_RUBIES}[\"'][^\n]*\b(?:path\b|git\b\W+(?:file:|[./~]))[^\n]*", _BRINGS),
    _Row("ruby", "Gemfile gems.rb *.gemfile", rf"\bgem\b[ (]*[\"']{_RUBIES}[\"'][^\n]*", _BRINGS,
         r"^\s*path\b.*?^\s*end\b"),
    _Row("ruby", "Gemfile.lock gems.locked", rf"^    {_RUBIES} \([^\n]*", _BRINGS,
         r"^PATH$.*?^$|^GIT\n  remote: (?:file:|[./~]).*?^$"),
    _Row("ruby", "*.gemspec",
         rf"(?:\bname\s*=|\bSpecification\.new)[\s(]*[\"']{_RUBIES}[\"']|\bexecutables\b[^\n;]*[\"'\s(\[]{_RUBIES}\b",
         _BRINGS),
    _Row("ruby", "exe/rspec exe/rake exe/minitest exe/bundle", r"\A[^\n]+", _BRINGS),
    _Row("php", "composer.json",
         rf"\"name\"\s*:\s*\"{_PHPS}\"|\"bin\"\s*:\s*\[?[^\]}}]*\b(?:phpunit|pest|paratest)\"", _BRINGS),
    _Row("go", "go.mod go.work",
         r"\b(?:gotest\.tools/\S+|github\.com/(?:stretchr/testify|onsi/\w+)\S*)\s[^\n]*=>\s*[./][^\n]*", _BRINGS),
    _Row("python", "tox.ini setup.cfg", r"^\s*(?:ignore_errors|ignore_outcome)\s*=\s*(?i:true|1|yes)", _PASSES),
    _Row("python", "noxfile.py", r"\bsuccess_codes\s*=\s*(?!\[\s*0\s*\])[^\n]*", _PASSES),
    _Row("python", "noxfile.py",
         rf"\.run(?:_always|_install)?\([^)]*?[\"'](?:py\.?test|unittest)[\"'][^)]*?{_words('pytest', 'part')}"),
)  # fmt: skip
_COMMANDS = {
    "tox": ("tox.ini", r"^commands[ \t]*=[ \t]*([^\n]*(?:\n[ \t]+[^\n]*)*)", "\n"),
    "nox": ("noxfile.py", r"\.run(?:_always)?\(([^()]*)", "\0"),
}
"""Starters of tests, the file that says which commands they run, how these are found in it, and what parts them."""
_PLACEHOLDER = re.compile(
    r"\{posargs[^}]*\}|\{toxinidir\}/?|\{(?=env)|(?<=[a-z])\}|\*\w+(?:\.\w+)*|\b(?<!-)env=[^\n]*|,"
)
_MEMBERS = {
    "pom.xml": ("jvm", r"<module>\s*([^<\s]+)\s*</module>"),
    "settings.gradle": ("jvm", r"(?<=[\"']):?([\w.:-]+)(?=[\"'])"),
    "settings.gradle.kts": ("jvm", r"(?<=[\"']):?([\w.:-]+)(?=[\"'])"),
    "Cargo.toml": ("rust", r"(?<=\")([\w./*-]+)(?=\")"),
    "go.work": ("go", r"^\s*(?:use\s+)?(\./[\w./-]+)"),
    "*.sln": ("dotnet", r"\"([^\"\n]+)[\\/][^\"\n\\/]+proj\""),
    "*.slnx": ("dotnet", r"\"([^\"\n]+)[\\/][^\"\n\\/]+proj\""),
    "CMakeLists.txt": ("c", r"\badd_subdirectory\s*\(\s*([\w./-]+)"),
    "meson.build": ("c", r"\bsubdir\s*\(\s*'([\w./-]+)'"),
}
"""Files that say which folders belong to a build: the ecosystem, and how the folders are found in them."""
_LIST = re.compile(r"[\w./-]*\w\.(?:txt|list|lst|json|ya?ml|toml|ini|cfg|conf|csv)\b")
_WORDS = re.compile(r"[\w./:*\[\]-]+")
_NAMES_TESTS = re.compile(r"(?i)(?:^|[\W_])(?:tests?|specs?)(?:[\W_]|$)")
_PATHS = str.maketrans(":\\", "//")
_COMMENT_OF_TASKS = re.compile(r"^\s*#[^\n]*", re.MULTILINE)
_COMMENTS = {
    "properties": r"^\s*[#!][^\n]*", "ini": r"^\s*[#;][^\n]*", "xml": r"<!--.*?-->",
    **dict.fromkeys(("rb", "exs", "toml", "cmake", "txt", "yaml", "py", "rake", "mk", "build", "bazelrc",
                    "Rakefile", "Makefile"), r"^\s*#[^\n]*"),
    **dict.fromkeys(("java", "kt", "kts", "gradle", "groovy", "scala", "swift"), r"^\s*//[^\n]*|/\*.*?\*/"),
}  # fmt: skip
"""By the ending of a file."""


def set_in_session(
    run: Run, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem
) -> Iterator[tuple[str, str, str]]:
    """Yield the files with what the session set in them against its tests, and what that does.

    `commit` is that of the session's start, "" if there is none.
    """
    rows = [row for row in _ROWS if run.of in ("", row.of)]
    try:
        root = filesystem.real_workspace.rstrip("/")
        for real in _written(rows, run, commit, wrote, filesystem):
            mine = [row for row in rows if _fits(real, row)]
            now = _plain(real, text_of(real, filesystem)) if mine else ""
            found = [(choice, row.does) for row in mine for choice in _choices(row, now)]
            if found:
                then = _before(real, commit, filesystem.repository()) if commit and real.startswith(root) else ""
                known = {choice for row in mine for choice in _choices(row, _plain(real, then))}
                yield from ((real, choice, does) for choice, does in found if choice not in known)
        yield from _without_tests(run, commit, wrote, filesystem)
        yield from _without_members(run, commit, wrote, filesystem)
        yield from _without_scripts(run, commit, wrote, filesystem)
        yield from _without_listed(run, commit, wrote, filesystem)
    except Undecided:
        return


def _without_tests(
    run: Run, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem
) -> Iterator[tuple[str, str, str]]:
    """Yield the files that say which commands a starter of tests runs, if none of them runs all tests any more."""
    for starter, folder in run.started:
        name, *commands = _COMMANDS.get(starter, ("", "", ""))
        if not name or not wrote(real := f"{folder}/{name}"):
            continue
        now, then = text_of(real, filesystem), _before(real, commit, filesystem.repository()) if commit else ""
        if _runs_all(now, commands, folder, filesystem) or (then and not _runs_all(then, commands, folder, filesystem)):
            continue
        yield real, next((match[1].strip() for match in re.finditer(commands[0], now, _FLAGS)), ""), _LEAVES_OUT


def _without_members(
    run: Run, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem
) -> Iterator[tuple[str, str, str]]:
    """Yield the files that name a folder no more that is there and whose tests ran before, and new modules of Go, whose
    tests a run of the module around them does not start.
    """
    if not commit:
        return
    repository = filesystem.repository()
    rows = [_Row(of, name, pattern) for name, (of, pattern) in _MEMBERS.items() if run.of in ("", of)]
    for real in _written(rows, run, commit, wrote, filesystem):
        now, then = _plain(real, text_of(real, filesystem)), _plain(real, _before(real, commit, repository))
        for row in (one for one in rows if _fits(real, one)):
            known = {match[1] for match in re.finditer(row.sets, now, _FLAGS)}
            for member in dict.fromkeys(match[1] for match in re.finditer(row.sets, then, _FLAGS)):
                folder = f"{real.rpartition('/')[0]}/{member.partition('*')[0].strip('./').translate(_PATHS)}"
                if member not in known and filesystem.present(PathValue(folder, folder)):
                    yield real, f"{member} is no part of it any more", _LEAVES_OUT
    modules = [_Row("go", "go.mod", "")] if run.of in ("", "go") else []
    for real in _written(modules, run, commit, wrote, filesystem) if modules else ():
        folder = real.rpartition("/")[0]
        below = folder.removeprefix(repository.root.rstrip("/")).lstrip("/")
        before = repository.ask("ls-tree", "-r", "--name-only", commit, "--", f"{below}/").decode() if below else ""
        names = before.split("\n")
        if "_test.go" in before and f"{below}/go.mod" not in names:
            yield real, "a module of its own", _LEAVES_OUT


def _without_scripts(
    run: Run, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem
) -> Iterator[tuple[str, str, str]]:
    """Yield the packages below the workspace whose script for tests is gone, or runs less than all of them now, and
    those whose script a run starts that leaves out tests of the commit since the session."""
    rows = [_Row("javascript", "package.json", "")] if commit and run.of in ("", "javascript") else []
    for real in _written(rows, run, commit, wrote, filesystem) if rows else ():
        folder = real.rpartition("/")[0]
        was = _test_script(_before(real, commit, filesystem.repository()))
        now = _test_script(text_of(real, filesystem))
        below = folder != filesystem.real_workspace.rstrip("/")
        if below and was and now != was and not (now and _is_whole(now, folder, filesystem)):
            yield real, f'"test": "{now}"' if now else "no script `test`", _LEAVES_OUT
    for real in run.files if rows else ():
        if real.endswith("/package.json") and wrote(real):
            yield from ((real, choice, _LEAVES_OUT) for choice in narrowed_scripts(real, run, commit, filesystem))


def _test_script(text: str) -> str:
    try:
        return str(json.loads(text)["scripts"]["test"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _without_listed(
    run: Run, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem
) -> Iterator[tuple[str, str, str]]:
    """Yield the files that a script, or a file of tasks, names and that name tests no more which they named before."""
    root = filesystem.real_workspace.rstrip("/")
    scripts = [one for one in run.files if not one.endswith((".json", ".toml"))] if run.named and commit else []
    for script in scripts:
        for word in dict.fromkeys(_LIST.findall(text_of(script, filesystem))):
            for folder in dict.fromkeys((root, script.rpartition("/")[0])):
                real = filesystem.resolve(word, folder).real
                if not real.startswith(f"{root}/") or real in run.files or not wrote(real):
                    continue
                now = set(_WORDS.findall(text_of(real, filesystem)))
                then = _WORDS.findall(_before(real, commit, filesystem.repository()))
                for lost in (one for one in then if one not in now and _NAMES_TESTS.search(one)):
                    place = f"{root}/{re.split('::|[*]', lost)[0]}".rstrip("/")
                    if filesystem.present(PathValue(place, place)):
                        yield real, f"{lost} is not in it any more", _LEAVES_OUT


def _runs_all(text: str, commands: Sequence[str], folder: str, filesystem: FileSystem) -> bool:
    """Return whether one of the commands is a run of all tests."""
    return any(
        _is_whole(" ".join(line.split()), folder, filesystem)
        for match in re.finditer(commands[0], _COMMENT_OF_TASKS.sub("", text), _FLAGS)
        for line in _PLACEHOLDER.sub(" ", match[1].replace("\\\n", " ")).split(commands[1])
    )


def _is_whole(line: str, folder: str, filesystem: FileSystem) -> bool:
    """Return whether a line runs all tests of a folder, or cannot be read."""
    from policy_engine.shell.parse import parse
    from policy_engine.test_runs.classify import Place, classify

    try:
        parsed = parse(line, folder, filesystem)
    except Undecided:
        return True
    place = PathValue(folder, folder)
    runs = [classify(one.argv, Place(place, filesystem, one.env)) for one in parsed if one.argv]
    return any(run is not None and not run.problem and not run.limited for run in runs)


def _fits(real: str, row: _Row) -> bool:
    return any(re.search(rf"/{_glob(one)}$", real) for one in row.files.split())


def _glob(path: str) -> str:
    return re.escape(path).replace(r"\*", "[^/]*")


def _written(
    rows: list[_Row], run: Run, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem
) -> Iterator[str]:
    """Yield the files of some rows that the session wrote: those of the workspace and of where the run was started,
    and those that git tells to be other ones than in the commit."""
    root = filesystem.real_workspace.rstrip("/")
    names = dict.fromkeys(name for row in rows for name in row.files.split())
    named = (*run.targets, *_FOLDER_OPTION.findall(run.line))
    around = folders_around(filesystem)
    started = (folder for _, folder in run.started)
    folders = dict.fromkeys((root, *started, *(f"{root}/{one}" for one in named), *around))
    reals = {f"{folder.rstrip('/')}/{name}": None for folder in folders for name in names if "*" not in name}
    scripts = next((one for one in around if one.endswith("/init.d")), "")
    reals |= dict.fromkeys(f"{scripts}/{name}" for name in filesystem.names(PathValue(scripts, scripts))[:_FILES])
    if commit:
        repository = filesystem.repository()
        below = f"{root}/".removeprefix(repository.root.rstrip("/") + "/")
        globs = [f":(glob){below}**/{name}" for name in names]
        changed = repository.ask("diff", "--name-only", "--no-renames", "-z", commit, "--", *globs)
        others = repository.ask("ls-files", "--full-name", "--others", "--exclude-standard", "-z", "--", *globs)
        paths = (changed + others).decode("utf-8", "surrogateescape").split("\0")
        reals |= dict.fromkeys(f"{repository.root.rstrip('/')}/{path}" for path in paths[:_FILES] if path)
    yield from (real for real in reals if filesystem.present(PathValue(real, real)) and wrote(real))


def _before(real: str, commit: str, repository: Repository) -> str:
    below = real.removeprefix(repository.root.rstrip("/") + "/")
    return repository.ask("show", f"{commit}:{below}", failing=True).decode("utf-8", "replace")


def _plain(real: str, text: str) -> str:
    ending = real.rpartition("/")[2].rpartition(".")[2]
    return re.sub(_COMMENTS.get(ending, r"(?!)"), "", text, flags=_FLAGS)


def _choices(row: _Row, text: str) -> Iterator[str]:
    text = re.sub(row.apart, "", text, flags=_FLAGS) if row.apart else text
    for part in (match[0] for match in re.finditer(row.scope, text, _FLAGS)) if row.scope else (text,):
        yield from (" ".join(match[0].split()) for match in re.finditer(row.sets, part, _FLAGS))
