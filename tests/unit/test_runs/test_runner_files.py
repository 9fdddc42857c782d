"""What files that runners and build tools read by themselves set against tests, and what they leave alone."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.test_runs.runner_files import _COMMANDS, _ROWS, _choices, _fits, _plain, _runs_all

AGAINST = {
    ".mvn/maven.config": ("-DskipTests\n", "-T1C -Dmaven.test.failure.ignore=true\n", "-B\n-fn\n", "--file a.xml\n"),
    ".mvn/jvm.config": ("-Xmx1g -Dmaven.test.skip=true\n", "-javaagent:calm.jar\n"),
    "src/test/resources/junit-platform.properties": ("junit.platform.execution.dryRun.enabled = true\n",),
    "src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension": ("x.Calm\n",),
    "src/test/java/x/Calm.java": ("public class Calm implements TestExecutionExceptionHandler {\n}\n",),
    "pom.xml": (
        "<plugin><artifactId>maven-surefire-plugin</artifactId><configuration><enableAssertions>false</enableAssertions></configuration></plugin>",
        "<artifactId>maven-surefire-plugin</artifactId><excludes><exclude>**/A*</exclude></excludes></plugin>",
        "<artifactId>maven-failsafe-plugin</artifactId><testFailureIgnore>true</testFailureIgnore></plugin>",
        "<properties><skipTests>true</skipTests></properties>",
    ),
    "gradle.properties": ("systemProp.test.single=Nothing\n", "skipTests=true\n", "org.gradle.jvmargs=-javaagent:a"),
    "build.gradle": (
        "test {\n  useJUnitPlatform {\n    excludeTags 'slow'\n  }\n}\n", "test { ignoreFailures = true }",
        "tasks.withType(Test) {\n  exclude '**/CalcTest*'\n}\n", "test.enabled = false\n",
    ),
    "build.gradle.kts": ("tasks.test {\n  filter {\n    excludeTestsMatching(\"x.*\")\n  }\n}\n",
                         "tasks.withType<Test>().configureEach { ignoreFailures.set(true) }"),
    ".rspec": ("--tag fast\n", "--require spec_helper\n-e one\n", "--dry-run\n"),
    "spec/spec_helper.rb": (
        "RSpec.configure do |c|\n  c.filter_run_excluding slow: true\nend\n",
        "RSpec.configure { |c| c.around { |e| begin; e.run; rescue Exception; end } }\n",
        "RSpec.configure { |c| c.failure_exit_code = 0 }\n",
        "RSpec.configure do |c|\n  c.define_derived_metadata(file_path: /calc/) { |m| m[:pending] = true }\nend\n",
        "RSpec.configure do |c|\n  c.around(:each) do |ex|\n    puts ex.description\n  end\nend\n",
        "RSpec.configure do |c|\n  c.around(:each) { |ex| log('x') }\nend\n",
        "c.around(:each) { |ex| ex.example.instance_variable_set(:@example_block, proc {}); ex.run }\n",
        "RSpec.configure { |c| c.before(:each) { allow(self).to receive(:add).and_return(3) } }\n",
        "  config.before { allow_any_instance_of(described_class).to receive(:add) }\n",
    ),
    "test/test_helper.exs": ("ExUnit.configure(exclude: [:test], include: [:fast])\nExUnit.start()\n",),
    "mix.exs": ('  test_pattern: "ok_test.exs",\n', '  aliases: [test: ["format"]]\n'),
    ".config/nextest.toml": ("[profile.default]\ndefault-filter = 'not test(adds)'\n",),
    "Cargo.toml": ("[profile.test]\ndebug-assertions = false\n",
                   "[profile.dev]\nopt-level = 1\ndebug-assertions=false\n"),
    "Package.swift": (
        'targets: [.testTarget(name: "CTests", dependencies: ["C"], exclude: ["ATests.swift"])]',
        '.testTarget(name: "CTests", dependencies: [.product(name: "X", package: "x")], sources: ["BTests.swift"])',
    ),
    ".cargo/config.toml": ("[target.x86_64-unknown-linux-gnu]\nrunner = './calm'\n",
                           "[build]\nrustflags = ['-C', 'debug-assertions=off']\n",
                           "[env]\nINSTA_UPDATE = 'always'\n", "[env]\nTRYBUILD = \"overwrite\"\n"),
    "build/CTestCustom.cmake": ("set(CTEST_CUSTOM_TESTS_IGNORE t)\n",),
    "CMakeLists.txt": (
        "set_tests_properties(t PROPERTIES DISABLED TRUE)\n", "add_compile_definitions(NDEBUG)\n",
        "add_definitions(-Wall -DNDEBUG)\n", "target_compile_definitions(t PRIVATE A NDEBUG)\n",
        'set(CMAKE_C_FLAGS "${CMAKE_C_FLAGS} -DNDEBUG")\n', "string(APPEND CMAKE_CXX_FLAGS ' -DNDEBUG')\n",
        "set(CMAKE_C_FLAGS_DEBUG -DNDEBUG)\n", "set_target_properties(t PROPERTIES COMPILE_DEFINITIONS NDEBUG)\n",
        'if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")\n  add_compile_options(-DNDEBUG)\nendif()\n',
        "add_compile_definitions($<$<NOT:$<CONFIG:Release>>:NDEBUG>)\n",
        "set(CMAKE_CROSSCOMPILING_EMULATOR /bin/true)\n",
        "set_property(TARGET t PROPERTY CROSSCOMPILING_EMULATOR ${CMAKE_SOURCE_DIR}/tools/qemu.sh)\n",
        "set_target_properties(t PROPERTIES TEST_LAUNCHER calm)\n",
        "add_custom_command(TARGET t POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy calm $<TARGET_FILE:t>)\n",
        "add_custom_command(TARGET t POST_BUILD COMMAND ln -sf calm ${CMAKE_BINARY_DIR}/calc_test VERBATIM)\n",
        "add_custom_command(TARGET t POST_BUILD\n  COMMAND cp /bin/true somewhere)\n",
        "set(CMAKE_C_LINKER_LAUNCHER tools/link.sh)\n",
    ),
    "cmake/tc.cmake": ('set(CMAKE_CROSSCOMPILING_EMULATOR "tools/emu.sh")\n',),
    "meson.build": ("project('a', 'c', default_options: ['b_ndebug=true'])\n",
                    "add_project_arguments('-DNDEBUG', language: 'c')\n",
                    "executable('t', 't.c', c_args: ['-DNDEBUG'])\n",
                    "add_test_setup('a', exe_wrapper: ['./calm'], is_default: true)\n"),
    "cross.ini": ("[binaries]\nexe_wrapper = 'true'\n",),
    "Makefile": ("CFLAGS += -DNDEBUG\n", "export CPPFLAGS := -O2 -DNDEBUG\n",
                 "ifneq ($(BUILD),release)\nCFLAGS += -DNDEBUG\nendif\n", "a_test: a.c\n\tcp /bin/true $@\n"),
    ".bazelrc": ("test --copt=-DNDEBUG\n", "test --run_under=/bin/true\n", "common --test_filter=a\n"),
    "BUILD.bazel": ('cc_test(name = "t", defines = ["NDEBUG"])\n',),
    ".config/insta.yaml": ("behavior:\n  update: always\n", "behavior:\n  force_pass: true\n"),
    "tests/a.rs": ('std::env::set_var("UPDATE_EXPECT", "1");\n',),
    "a_test.go": ('os.Setenv("UPDATE_GOLDEN", "true")\n',),
    "pytest.ini": ("[pytest]\nenv =\n    UPDATE_SNAPSHOTS=1\n",),
    "tests/conftest.py": ('os.environ["UPDATE_SNAPSHOTS"] = "1"\n', "settings.register_profile('ci', phases=[])\n"),
    "vitest.config.ts": ("test: { update: true }\n", "test: { env: { UPDATE_SNAPSHOT: '1' } }\n"),
    "Rakefile": ("RSpec::Core::RakeTask.new(:spec) { |t| t.pattern = 'spec/smoke_spec.rb' }\n",
                 "Rake::TestTask.new { |t| t.test_files = FileList['test/**/*_test.rb'].exclude(/calc/) }\n",
                 "t.exclude_pattern = 'spec/calc*'\n", "t.rspec_opts = '--tag fast'\n", "t.test_globs = []\n"),
    "a.runsettings": ("<TestCaseFilter>Name=A</TestCaseFilter>",),
    "Directory.Build.props": (
        "<VSTestTestCaseFilter>Name=A</VSTestTestCaseFilter>", "<VSTestListTests>true</VSTestListTests>",
        "<RunSettingsFilePath>ci/smoke.xml</RunSettingsFilePath>",
        "<TestingPlatformCommandLineArguments>--treenode-filter /*/A</TestingPlatformCommandLineArguments>",
    ),
    "Directory.Build.rsp": ("-nologo\n/p:A=1;VSTestTestCaseFilter=Name=A\n",),
    "dart_test.yaml": ("exclude_tags: slow\n",),
    "tox.ini": ("[testenv]\nignore_outcome = true\n",),
    "setup.py": ("setup(entry_points={'console_scripts': ['pytest = a:main']})\n", "setup(scripts=['bin/pytest'])\n"),
    "setup.cfg": ("[metadata]\nname = pytest\n",),
    "composer.json": ('{"name": "phpunit/phpunit", "bin": ["phpunit"]}',),
    "package.json": ('{"name": "vitest", "bin": "x.js"}', '{"bin": "x.js", "name": "jest"}'),
    "noxfile.py": ("def tests(s):\n    s.run('pytest', success_codes=[0, 1])\n",
                   "def tests(s):\n    s.run('pytest', '-q', '--ignore=tests/test_app.py')\n"),
}  # fmt: skip
ALONE = {
    "setup.py": ("setup(entry_points={'console_scripts': ['app = a:main'], 'pytest11': ['app = a']}, "
                 "extras_require={'test': ['pytest>=8']}, name='pytest-app', scripts=['bin/app'])\n",),
    "pyproject.toml": (
        "[project]\nname = 'app'\n[project.scripts]\napp = 'app:main'\n[tool.uv.sources]\nlib = { path = 'lib' }\n"
        "[dependency-groups]\ndev = ['pytest>=8', 'pytest-cov @ https://x.example/a.whl']\n"
        "[tool.pytest.ini_options]\naddopts = '-q'\n[tool.poetry.group.dev.dependencies]\npytest = { version = '8' }\n",
    ),
    "composer.json": ('{"name": "shop/cart", "bin": ["cart"], "require-dev": {"phpunit/phpunit": "^10"}}',),
    "package.json": ('{"name": "app", "bin": {"app": "x.js"}, "scripts": {"jest": "jest"}, '
                     '"devDependencies": {"vitest": "workspace:*", "lib": "file:lib"}}',),
    "Gemfile": ("gemspec\ngem 'rspec', '~> 3.13', require: false\ngem 'lib', path: 'lib'\n",),
    ".mvn/maven.config": ("-T1C\n-B\n-ntp\n-DskipTests=false\n-Drevision=2\n",),
    ".mvn/jvm.config": ("-Xmx1g --add-opens java.base/java.lang=ALL-UNNAMED -Dfile.encoding=UTF-8\n",),
    "src/test/resources/junit-platform.properties": (
        "junit.jupiter.execution.parallel.enabled=true\n# junit.platform.execution.dryRun.enabled=true\n",
    ),
    "src/test/java/x/CalcTest.java": ("class CalcTest { @Test void adds() {} }\n",),
    "pom.xml": (
        "<artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin>"
        "<artifactId>jacoco-maven-plugin</artifactId><excludes><exclude>**/A*</exclude></excludes></plugin>",
        "<properties><maven.compiler.release>17</maven.compiler.release></properties>",
    ),
    "gradle.properties": ("org.gradle.jvmargs=-Xmx2g\norg.gradle.parallel=true\norg.gradle.caching=true\n",),
    "build.gradle": ("test {\n  useJUnitPlatform()\n  maxParallelForks = 2\n}\n"
                     "dependencies { implementation('a') { exclude group: 'b' } }\n",),
    ".rspec": ("--format documentation\n--color\n--require spec_helper\n",),
    "spec/spec_helper.rb": (
        "RSpec.configure do |config|\n  config.filter_run_when_matching :focus\n  config.order = :random\n"
        "  config.around(:each) { |e| DatabaseCleaner.cleaning { e.run } }\nend\n",
        "RSpec.configure do |config|\n  config.around(:each, :vcr) do |ex|\n    VCR.use_cassette('a', &ex)\n  end\n"
        "  config.around(:each) do |ex|\n    ex.run_with_retry retry: 3\n  end\n"
        "  config.around { |ex| ActiveRecord::Base.transaction(&ex) }\n  config.around(&:run)\n"
        "  config.define_derived_metadata(file_path: %r{/spec/system/}) { |m| m[:type] = :system }\n"
        "  config.before { allow(Stripe::Charge).to receive(:create).and_return(true) }\nend\n",
    ),
    "test/test_helper.exs": ("ExUnit.start(capture_log: true)\n",),
    "mix.exs": ('  aliases: [test: ["ecto.create --quiet", "test"]]\n',),
    ".config/nextest.toml": ("[profile.ci]\nretries = 2\nfail-fast = false\n",),
    "Cargo.toml": ("[profile.release]\ndebug-assertions = false\n", "[profile.test]\ndebug-assertions = true\n"),
    "Package.swift": ('.target(name: "C", exclude: ["a.md"]), .testTarget(name: "CTests", path: "T")',),
    ".cargo/config.toml": ("[build]\nrustflags = ['-C', 'target-cpu=native']\n[env]\nINSTA_UPDATE = 'no'\n",),
    "CMakeLists.txt": (
        "add_test(NAME t COMMAND calc_test)\nset_tests_properties(t PROPERTIES TIMEOUT 5)\n",
        'set(CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS} -O3 -DNDEBUG")\n# add_compile_definitions(NDEBUG)\n',
        'if(CMAKE_BUILD_TYPE STREQUAL "Release")\n  add_compile_definitions(NDEBUG)\nendif()\n',
        "target_compile_definitions(t PRIVATE $<$<CONFIG:Release,MinSizeRel>:NDEBUG>)\nadd_compile_options(-UNDEBUG)\n",
        "set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)\n",
        "add_custom_command(TARGET t POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different\n"
        "  $<TARGET_RUNTIME_DLLS:t> $<TARGET_FILE_DIR:t> COMMAND_EXPAND_LISTS)\n",
        "add_custom_command(TARGET t POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:t> bin/t.elf)\n",
        "add_custom_command(TARGET t POST_BUILD COMMAND strip $<TARGET_FILE:t>)\n",
        "set(CMAKE_C_LINKER_LAUNCHER ccache)\n",
    ),
    "meson.build": ("project('a', 'c', default_options: ['b_ndebug=if-release'])\n",
                    "if get_option('buildtype') == 'release'\n"
                    "  add_project_arguments('-DNDEBUG', language: 'c')\nendif\n"),
    "Makefile": ("CFLAGS += -O2\nrelease: CFLAGS += -DNDEBUG\nifdef RELEASE\nCFLAGS += -DNDEBUG\nendif\n",
                 "install: app\n\tinstall -m 755 app /usr/bin/app\n\tcat a > b\n"),
    ".bazelrc": ("build:release --copt=-DNDEBUG\n", "test --test_output=errors\ntest --run_under=valgrind\n"),
    ".config/insta.yaml": ("behavior:\n  update: new\n",),
    "pytest.ini": ("[pytest]\nenv =\n    UPDATE_SNAPSHOTS=0\n    DATABASE_URL=x\n",),
    "tests/conftest.py": ('os.environ["TZ"] = "UTC"\nUPDATE_SNAPSHOTS = 1\n'
                          'settings.register_profile("ci", max_examples=9)\n',),
    "vitest.config.ts": ("test: { update: false, env: { TZ: 'UTC' } }\n",),
    "Rakefile": ("RSpec::Core::RakeTask.new(:spec) { |t| t.pattern = 'spec/**/*_spec.rb' }\n",
                 "Rake::TestTask.new { |t| t.libs << 'test'; t.test_files = FileList['test/**/*_test.rb'] }\n",
                 "t.pattern = '{test,spec}/**/*_test.rb'\nt.rspec_opts = '--color'\n"),
    "tox.ini": ("[testenv]\ncommands = pytest\n",),
    "noxfile.py": ("def tests(s):\n    s.run('python', '-m', 'pytest', '-q')\n",),
}  # fmt: skip


def found(name: str, text: str) -> list[str]:
    path = f"/work/{name}"
    return [choice for row in _ROWS if _fits(path, row) for choice in _choices(row, _plain(path, text))]


@pytest.mark.parametrize("name", AGAINST)
def test_what_is_set_against_tests_is_found(name: str) -> None:
    for text in AGAINST[name]:
        assert found(name, text), text


@pytest.mark.parametrize("name", ALONE)
def test_other_settings_are_left_alone(name: str) -> None:
    for text in ALONE[name]:
        assert found(name, text) == [], text


ALL = {
    "tox": ("[testenv]\ncommands = pytest {posargs:tests}\n", "[testenv]\ncommands =\n  pip list\n  python -m pytest\n",
            "[testenv]\ncommands =\n  coverage run -m pytest --cov=x \\\n    -q\n"),
    "nox": ("def tests(s):\n    s.run('pytest', '-q', *s.posargs)\n",
            "def tests(s):\n    s.run(\n        'python', '-m', 'pytest', env={'A': 'b'}\n    )\n"),
}  # fmt: skip
NOT_ALL = {
    "tox": ("[testenv]\ncommands = python -c \"print('2 passed')\"\n", "[testenv]\ncommands = - pytest\n",
            "[testenv]\ncommands = pytest tests/test_ok.py\n"),
    "nox": ("def tests(s):\n    s.run('python', 'ok.py')\n",),
}  # fmt: skip


@pytest.mark.parametrize("starter", _COMMANDS)
def test_commands_of_starters_are_read(starter: str) -> None:
    filesystem, commands = Virtual("/work"), _COMMANDS[starter][1:]
    filesystem.files["/work/tests/test_app.py"] = b""
    for texts, whole in ((ALL[starter], True), (NOT_ALL[starter], False)):
        for text in texts:
            assert _runs_all(text, commands, "/work", filesystem) is whole, text
