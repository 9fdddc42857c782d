"""The table of what runs tests: runners, the programs that start them, task runners, and what their options mean.

Data only. Of each runner's options this table says what they do to a run *as evidence*; what a program touches is the
business of `programs/`. Columns of RUNNERS, each a text of blank-separated words:

- `of`: the ecosystem whose tests it runs (ECOSYSTEMS), "" if it may be any.
- `reads`: the summaries (summaries.py) that it prints; without it, any.
- `value`: options with a value in the next word; `informs`: options that run nothing; `part`: options that leave tests
  out, add configuration of their own or make the status worthless (`-o=x`: with this value only; `!-o=x`: not with
  it); `counted`: options that need a count of tests in the result; `folder`: options that name the folder it runs in;
  `package`: options that name a package; `config`: options that name a configuration, harmless if it is one of
  `configs` (beginnings of names).
- `operands`: `paths` (folders and files: standard folders are the whole), `patterns` (of Go), `goals` (one of `goals`
  must be among them), `projects` (solution files are the whole), `filters` (any operand leaves tests out).
- `conditions`: options with a condition by which `package.json` may lead an import elsewhere.
- `loads`: options whose value is a file that sets the run up.
- `after`: flags that are harmless behind a lone `--`; without it, nothing is.
- `prebuilt`: options and goals with which it runs what was built before (`*`: it always does).
- `only`: why it never runs all tests; `needs`: without one of these options it runs none; `place`: options that name
  where it runs, to be kept in what to run instead; `waits`: why only a count of tests shows that it came to its end.
- `several`: what makes it print more than one summary: `*`, options, `FILE:TEXT` in it, `projects` of tests; `total`:
  how it ends then (cut_outputs.py). `last`: the program of which it runs several tasks; the last is the run.
- `long`: single dashes begin long names. `own`: it does not look into nested packages. `usual`: what to run instead.

A leading verb (`go test`, `cargo nextest run`) is part of the row's name. Imported by the hook path.
"""

from __future__ import annotations

ECOSYSTEMS = (
    "python", "javascript", "go", "rust", "jvm", "dotnet", "ruby", "php", "c", "swift", "dart", "elixir", "zig",
    "haskell", "shell",
)  # fmt: skip
"""What `tests_passed("…")` may name."""

SUITE_FOLDERS = frozenset(
    "tests test spec specs __tests__ testing unittests t test-suite integration-test src/test".split()
)
"""Operands that stand for all tests of the folder they are in."""

TASKS = frozenset(
    (
        "test tests test-all test_all testall test:all test:ci test-ci test:run test:cov test:coverage test-cov "
        "test-coverage test.all check checks check-all ci verify validate coverage run-tests run_tests runtests "
        "all-tests alltests unittest unittests pytest go-test cargo-test phpunit rspec jest vitest"
    ).split()
)
"""Names of tasks, targets and scripts that run all tests of a repository."""

SCRIPTS = frozenset(
    (
        "test tests test-all test_all run-tests run_tests runtests check ci verify all_tests unittest testall cibuild"
    ).split()
)
"""Names, without ending, of scripts of the repository that run all its tests."""

SCRIPT_FOLDERS = frozenset(("", "script", "scripts", "bin", "tools", "ci", "dev", "hack", "tests", "test", "build"))

CONFIGURATION = frozenset(
    (
        "pytest.ini .pytest.ini pytest.toml .pytest.toml conftest.py setup.cfg tox.ini pyproject.toml noxfile.py "
        "unittest.cfg .coveragerc sitecustomize.py usercustomize.py package.json .mocharc .mocharc.js .mocharc.json "
        ".mocharc.yml .mocharc.cjs turbo.json nx.json lerna.json project.json Makefile makefile GNUmakefile justfile "
        "Justfile .justfile Taskfile.yml Taskfile.yaml mise.toml .mise.toml Cargo.toml nextest.toml go.mod go.work "
        "build.gradle build.gradle.kts settings.gradle settings.gradle.kts pom.xml phpunit.xml phpunit.xml.dist "
        "composer.json .rspec Rakefile CMakeLists.txt CTestTestfile.cmake meson.build deno.json deno.jsonc "
        "bunfig.toml mix.exs test_helper.exs build.zig cabal.project stack.yaml package.yaml dart_test.yaml "
        "pubspec.yaml Package.swift .runsettings Directory.Build.props spec_helper.rb rails_helper.rb test_helper.rb "
        "Tests.php Pest.php build.sbt project.clj deps.edn tests.edn"
    ).split()
)
CONFIGURATION_STARTS = ("jest.config.", "vitest.config.", "vite.config.", "vitest.workspace.", "playwright.config.",
                        "ava.config.", "karma.conf.", "cypress.config.", "babel.config.")  # fmt: skip
"""Files that decide which tests run and what their status says."""

WATCHED = (
    *sorted(CONFIGURATION), ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "taskfile.yml", "taskfile.yaml",
    "Taskfile.dist.yml", "tests/conftest.py", "test/conftest.py", "pluggy.py", "argparse.py",
    *(f"{start}{end}" for start in ("jest.config.", "vitest.config.", "vite.config.") for end in ("js", "ts", "mjs")),
)  # fmt: skip
"""Files by which a run of tests goes; their change is looked for wherever a rule asks for such runs."""

_PYTEST = {
    "of": "python", "reads": "pytest", "operands": "paths", "usual": "pytest -q",
    "value": "--cov -n --numprocesses --maxprocesses --dist --tx -p -W --pythonwarnings -r --tb --durations "
             "--durations-min --maxfail --color --code-highlight --junitxml --junit-xml --junit-prefix --show-capture "
             "--capture --log-level --log-cli-level --log-file --log-format --log-file-level --basetemp --import-mode "
             "--confcutdir --cov-report --cov-config --cov-fail-under --cov-context --timeout --timeout-method "
             "--asyncio-mode --ds --dc --reruns --reruns-delay --randomly-seed --html --browser --verbosity "
             "--report-log --alluredir --count --benchmark-json --doctest-glob --liveserver",
    "informs": "-h --help -V --version --fixtures --funcargs --fixtures-per-test --markers --cache-show --co "
               "--collect-only --collectonly --setup-plan --trace-config --help-all",
    "part": "-k -m --lf --last-failed --sw --stepwise --sw-skip --stepwise-skip --deselect --ignore "
            "--ignore-glob --pyargs --benchmark-only --benchmark-skip --noconftest --testmon --picked "
            "--snapshot-update --setup-only --pdb --trace --sanity --splits --group --shard-id --num-shards "
            "--mypy-only --ruff-only --doctest-only --cache-show --suppress-no-test-exit-code "
            "--suppress-tests-failed-exit-code --inline-snapshot "
            "-p=no:python -p=no:main -p=no:runner -p=no:terminal -p=no:unittest -p=no:doctest=",
    "settings": "-o --override-ini", "kept": "addopts= log_ junit_ console_output_style cache_dir faulthandler_ "
            "asyncio_ timeout= filterwarnings xfail_strict tmp_path_ verbosity_ markers django_ DJANGO_",
    "config": "-c --config-file --rootdir", "configs": "pyproject.toml pytest.ini tox.ini setup.cfg "
             ".pytest.ini pytest.toml .pytest.toml . ./",
}  # fmt: skip
_JEST = {
    "of": "javascript", "reads": "jest", "operands": "paths", "usual": "npx jest",
    "value": "-w --maxWorkers --reporters --coverageDirectory --coverageReporters --testTimeout --seed --env "
             "--testEnvironment --outputFile --cacheDirectory --collectCoverageFrom --coverageProvider "
             "--coverageThreshold --preset",
    "informs": "-h --help --version --listTests --showConfig --clearCache --show-config --init",
    "part": "-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns --onlyChanged -o "
            "--onlyFailures -f --changedSince --changedFilesWithAncestor --findRelatedTests --lastCommit --shard "
            "--watch --watchAll !--watch=false !--watchAll=false --selectProjects --ignoreProjects --testMatch "
            "--testRegex --filter --projects --runTestsByPath --updateSnapshot -u --globalSetup --setupFiles "
            "--testRunner --roots --modulePathIgnorePatterns",
    "counted": "--passWithNoTests --testFailureExitCode", "config": "-c --config --rootDir",
    "configs": "jest.config. package.json . ./",
}  # fmt: skip
_VITEST = {
    "of": "javascript", "reads": "vitest", "operands": "paths", "usual": "npx vitest run",
    "value": "--reporter --pool --maxWorkers --minWorkers --testTimeout --hookTimeout --outputFile --environment "
             "--retry --bail --coverage.reporter --coverage.provider --sequence.shuffle --maxConcurrency "
             "--teardownTimeout",
    "informs": "-h --help -v --version --list --clearCache --mergeReports",
    "part": "-t --testNamePattern --changed --related --shard --project --exclude --dir --watch -w --ui --standalone "
            "!--watch=false !--run=true --run=false --update -u --typecheck.only --inspect "
                "--dangerouslyIgnoreUnhandledErrors",
    "counted": "--passWithNoTests --allowOnly", "config": "-c --config -r --root",
    "configs": "vitest.config. vite.config. . ./",
}  # fmt: skip
_CARGO = {
    "of": "rust", "reads": "cargo nextest", "operands": "filters", "own": "1", "usual": "cargo test",
    "several": "--no-fail-fast", "total": "cargo",
    "value": "-F --features -j --jobs --target --profile --color --target-dir --message-format -Z",
    "informs": "-h --help --no-run --list -V --version --unit-graph --build-plan",
    "part": "--lib --bin --bins --test --example --examples --bench --benches --doc --exclude "
            "--config",
    "package": "-p --package", "config": "--manifest-path", "configs": "Cargo.toml ./Cargo.toml",
    "after": "--nocapture --no-capture --test-threads -q --quiet --color --include-ignored --show-output --format -Z "
             "--report-time --ensure-time --shuffle",
}  # fmt: skip
_NEXTEST = _CARGO | {
    "several": "",
    "reads": "nextest", "value": _CARGO["value"] + " --retries --test-threads --failure-output --success-output "
    "--status-level --final-status-level -P --cargo-profile --max-fail",
    "part": _CARGO["part"] + " -E --filter-expr --filterset --partition --run-ignored --rerun "
    "--no-tests=pass --no-tests=warn -P", "usual": "cargo nextest run",
}  # fmt: skip
_GO = {
    "several": "-json",
    "of": "go", "reads": "go gotestsum", "operands": "patterns", "long": "1", "own": "1", "usual": "go test ./...",
    "value": "-count -timeout -p -parallel -cpu -covermode -coverprofile -coverpkg -tags -mod -ldflags -gcflags "
        "-shuffle "
             "-vet -o -outputdir -cpuprofile -memprofile -blockprofile -mutexprofile -trace -asmflags -benchtime "
             "-fuzztime -modfile -overlay",
    "informs": "-h -help -list -c -n -V",
    "part": "-run !-run=. !-run=.* !-run=Test !-run=^Test -skip !-skip=^$ -short !-short=false -exec -toolexec "
            "-overlay -modfile -args -fuzz -testlogfile -count=0 -update "
            "!-update=false -update-golden",
    "folder": "-C",
}  # fmt: skip
_PHPUNIT = {
    "of": "php", "reads": "phpunit pest", "operands": "paths", "usual": "vendor/bin/phpunit",
    "value": "--coverage-html --coverage-clover --log-junit --order-by --random-order-seed "
             "--processes --memory-limit -d",
    "informs": "-h --help --version --list-tests --list-suites --list-groups --list-tests-xml --check-version "
               "--warm-coverage-cache --generate-configuration --migrate-configuration",
    "part": "--filter --group --exclude-group --testsuite --exclude-testsuite --covers --uses --no-configuration "
            "--bootstrap --test-suffix --dirty --retry --todos --shard --exclude-filter "
            "--do-not-fail-on-empty-test-suite",
    "config": "-c --configuration", "configs": "phpunit.xml phpunit.dist.xml .",
}  # fmt: skip
_DART = {
    "of": "dart", "reads": "dart", "operands": "paths", "usual": "flutter test",
    "value": "-r --reporter -j --concurrency -d --device-id --timeout --dart-define --dart-define-from-file --flavor "
             "--test-randomize-ordering-seed --coverage-path -p --platform",
    "informs": "-h --help --version", "part": "-n --name -N --plain-name -t --tags -x --exclude-tags --shard-index "
    "--total-shards -P --preset --start-paused --update-goldens",
}  # fmt: skip
_CABAL = {
    "of": "haskell", "reads": "cabal tasty rspec", "operands": "filters", "own": "1", "verbs": "all",
    "usual": "cabal test",
    "value": "--test-show-details -j --jobs -w --with-compiler --ghc-options --builddir",
    "informs": "-h --help --dry-run --only-dependencies --only-configure --only-download",
    "part": "--test-option --test-options --test-wrapper --disable-tests --only", "config": "--project-file", "configs":
    "cabal.project",
}  # fmt: skip
_STACK = {
    "of": "haskell", "reads": "cabal tasty rspec", "operands": "filters", "usual": "stack test",
    "informs": "-h --help --dry-run --no-run-tests", "value": "-j --jobs --ghc-options --flag --resolver --snapshot",
    "part": "--ta --test-arguments --skip --only-dependencies --only-snapshot --file-watch --no-test",
    "config": "--stack-yaml", "configs": "stack.yaml",
}  # fmt: skip
_ESPEC = {
    "of": "elixir", "reads": "counts", "operands": "paths", "usual": "mix test", "several": "mix.exs:apps_path",
    "value": "--seed --max-failures --max-cases --timeout --formatter --slowest --repeat-until-failure",
    "informs": "-h --help", "part": "--only --exclude --failed --stale --partitions --exit-status "
    "--dry-run", "prebuilt": "--no-compile",
}  # fmt: skip
_GRADLE = {
    "of": "jvm", "reads": "maven gradle gradle-tasks", "operands": "goals", "goals": "test check build allTests verify",
    "several": "*", "total": "build",
    "usual": "./gradlew test", "value": "-g --gradle-user-home --max-workers --warning-mode --console --init-script "
    "--priority --task --group --configuration --dependency --args --type",
    "informs": "-h --help -? -v --version --status --stop --gui",
    "part": "-x --exclude-task --tests -m --dry-run -t --continuous -I --init-script -c --settings-file -b "
            "--build-file --include-build -PskipTests -PskipTests=true -DskipTests -DskipTests=true --test-dry-run",
    "long": "mixed", "skips": "skipTests test.single skip.tests skipUnitTests", "folder": "-p --project-dir",
}  # fmt: skip
_MAVEN = {
    "of": "jvm", "reads": "maven", "operands": "goals", "goals": "test package verify install integration-test deploy "
    "surefire:test", "usual": "mvn test", "several": "pom.xml:<module>", "total": "build",
    "value": "-T --threads -P --activate-profiles -l --log-file --color -b",
    "loads": "-s --settings -gs --global-settings -t --toolchains -gt --global-toolchains",
    "informs": "-h --help -v --version", "part": "-rf --resume-from -fn --fail-never -N --non-recursive "
    "-DenableAssertions=false",
    "skips": "skipTests maven.test.skip maven.test.skip.exec test it.test surefire.excludes surefire.includes groups "
    "surefire.excludesFile surefire.includesFile surefire.suiteXmlFiles failsafe.excludesFile failsafe.includesFile "
    "excludedGroups maven.test.failure.ignore testFailureIgnore skip.tests skipUnitTests skip.unit.tests "
    "skip.surefire surefire.skip surefire.failIfNoSpecifiedTests failIfNoTests", "package": "-pl --projects",
    "config": "-f --file", "configs": "pom.xml ./pom.xml .", "long": "mixed",
    "prebuilt": "surefire:test -Dmaven.main.skip",
}  # fmt: skip
_CLOJURE = {
    "of": "jvm", "reads": "clojure", "operands": "filters", "usual": "clojure -M:test", "needs": "-M:test -X:test",
    "part": "-Sdeps -i -e -n -r -v -d --focus --skip --namespace --var --include --exclude", "long": "1",
}  # fmt: skip
_DOTNET = {
    "of": "dotnet", "reads": "dotnet", "operands": "projects", "usual": "dotnet test",
    "several": "projects", "total": "dotnet",
    "value": "-c --configuration -f --framework -v --verbosity -l --logger -r --runtime --results-directory -o "
             "--output --collect --blame-hang-timeout -a --arch --os -e --environment --diag",
    "informs": "-h --help -? -t --list-tests --version --info",
    "part": "--filter --test-adapter-path -s --settings --treenode-filter --ignore-exit-code",
    "own": "", "prebuilt": "--no-build", "properties": "1",
}  # fmt: skip
_RSPEC = {
    "of": "ruby", "reads": "rspec", "operands": "paths", "usual": "bundle exec rspec", "long": "mixed",
    "value": "-f --format -o --out --seed --order -I --deprecation-out --color-mode", "loads": "-r --require",
    "informs": "-h --help -v --version --dry-run --init",
    "part": "-e --example -E --example-matches --tag -t --only-failures -n --next-failure -P --pattern "
        "--exclude-pattern "
            "-O --options --bisect --failure-exit-code --error-exit-code --default-path",
}  # fmt: skip
_RAILS = {
    "of": "ruby", "reads": "minitest rspec", "operands": "paths", "usual": "bin/rails test",
    "value": "-s --seed --environment", "informs": "-h --help",
    "part": "-n --name -e --exclude -i --include -x", "long": "",
}  # fmt: skip
_CTEST = {
    "of": "c", "reads": "ctest", "operands": "filters", "usual": "ctest --output-on-failure",
    "value": "-j --parallel -C --build-config -O --output-log --timeout --output-junit --repeat "
             "--test-dir --preset --test-load --max-width",
    "informs": "-N --show-only -h --help -H --version --print-labels --help-full --list-presets --show-only=json-v1",
    "part": "-R --tests-regex -E --exclude-regex -L --label-regex -LE --label-exclude -I --tests-information "
            "--rerun-failed --stop-time -FA --fixture-exclude-any -M -D -S -SP --dashboard --tests-from-file "
            "--exclude-from-file",
    "long": "mixed", "build": "1", "counted": "--no-tests=ignore", "place": "--test-dir --preset", "prebuilt": "*",
}  # fmt: skip
_UNITTEST = {
    "of": "python", "reads": "unittest", "operands": "filters", "usual": "python -m unittest discover",
    "value": "--durations", "informs": "-h --help --list-tests", "part": "-k",
}  # fmt: skip
_TOX = {
    "of": "python", "reads": "", "operands": "filters", "usual": "tox",
    "value": "-p -x --workdir --colored --result-json", "informs": "-h --help --version -l -a --listenvs "
    "--listenvs-all --showconfig --notest -n --devenv --exit-and-dump-after list l config c exec devenv d depends de "
    "quickstart q", "part": "-m -f --skip-env --override -x", "verbs": "run r p run-parallel "
    "run-parallel", "environments": "-e", "config": "-c --conf --root", "configs": "tox.ini pyproject.toml "
        "setup.cfg .",
    "after": "-q -v -x --tb -n --no-header -s -vv",
}  # fmt: skip
_NOX = {
    "of": "python", "reads": "", "operands": "filters", "usual": "nox",
    "value": "-p --python --pythons --force-python -db --default-venv-backend --envdir",
    "informs": "-h --help --version -l --list --list-sessions --install-only", "part": "-k --keywords -t --tags "
    "", "environments": "-s -e --session --sessions", "config": "-f --noxfile", "configs": "noxfile.py",
    "after": "-q -v -x --tb -n --no-header -s -vv",
}  # fmt: skip
_TASK = {"of": "", "reads": "", "operands": "goals", "goals": ""}

RUNNERS: dict[str, dict[str, str]] = {
    "pytest": _PYTEST, "py.test": _PYTEST,
    "unittest": _UNITTEST | {"usual": "python -m unittest"},
    "unittest discover": _UNITTEST | {"value": "-t --top-level-directory", "operands": "paths",
        "starts": "-s --start-directory", "valued": "-p --pattern -k", "part": "-k -p --pattern !-p=test*.py "
            "!-p=test_*.py !-p=*_test.py "
        "!--pattern=test*.py !--pattern=test_*.py !--pattern=*_test.py"},
    "manage.py test": _UNITTEST | {"usual": "python manage.py test", "value": "--parallel --settings -v --verbosity "
        "--shuffle --pythonpath", "part": "-k --tag --exclude-tag -p --pattern --testrunner "
        "--start-at --start-after --failed"},
    "setup.py test": _UNITTEST | {"usual": "pytest -q", "part": "-k -s --test-suite -m --test-module"},
    "nose2": _UNITTEST | {"usual": "nose2"}, "trial": _UNITTEST | {"operands": "paths"},
    "green": _UNITTEST, "stestr run": _UNITTEST, "zope-testrunner": _UNITTEST,
    "behave": {"of": "python", "reads": "behave", "operands": "paths", "informs": "-h --help --version -d --dry-run",
        "part": "-i --include -e --exclude -n --name -t --tags -w --wip"},
    "tox": _TOX, "nox": _NOX, "rye test": _PYTEST | {"usual": "rye test"}, "hatch "
        "test": _PYTEST | {"reads": "pytest", "usual": "hatch test", "informs":
        _PYTEST["informs"] + " --show -s", "value": _PYTEST["value"] + " -py --python -i --include"},
    "jest": _JEST, "react-scripts test": _JEST, "vitest run": _VITEST, "vitest --run": _VITEST,
    "vitest --watch=false": _VITEST, "vitest --no-watch": _VITEST,
    "vitest": _VITEST | {"waits": "without `run` it may go on watching"},
    **dict.fromkeys(("vitest list", "vitest init"), _VITEST | {"only": "it runs no tests"}),
    **dict.fromkeys(("vitest related", "vitest bench"), _VITEST | {"only": "it leaves tests out"}),
    "mocha": {"of": "javascript", "reads": "mocha", "operands": "paths", "usual": "npx mocha",
        "value": "-R --reporter -t --timeout -r --require -s --slow -u --ui --extension -O --reporter-option -j "
            "--jobs",
        "informs": "-h --help -V --version --dry-run --list-reporters --list-interfaces --list-files",
        "part": "-g --grep -f --fgrep -i --invert -w --watch --ignore --exclude --spec",
        "counted": "--pass-on-failing-test-suite --allow-uncaught", "config": "--config", "configs": ".mocharc"},
    "ava": {"of": "javascript", "reads": "ava", "operands": "paths", "informs": "--help --version", "usual": "npx ava",
        "part": "-m --match -w --watch -u --update-snapshots", "value": "-c --concurrency -T --timeout"},
    "tap": {"of": "javascript", "reads": "tap", "operands": "paths", "informs": "--help --version list"},
    "borp": {"of": "javascript", "reads": "node", "operands": "paths"},
    "node --test": {"of": "javascript", "reads": "node tap", "operands": "paths", "usual": "node --test",
        "informs": "-h --help -v --version", "part": "--check -c -p --print -i --test-name-pattern "
            "--test-skip-pattern --test-only "
        "--watch --test-shard --test-rerun-failures -e --eval --test-update-snapshots", "value": "--test-reporter "
        "--test-reporter-destination --test-concurrency --test-timeout --import --require -r --loader --env-file",
        "conditions": "--conditions -C"},
    "playwright test": {"of": "javascript", "reads": "playwright", "operands": "paths", "usual": "npx playwright test",
        "value": "--workers -j --reporter --retries --timeout --browser --max-failures --output --trace",
        "informs": "-h --help --list --version -V", "part": "-g --grep --grep-invert -gv --shard --project "
            "--only-changed "
        "--last-failed --ui --debug --test-list --ignore-snapshots --update-snapshots -u", "config":
        "-c --config", "configs": "playwright.config.", "counted": "--pass-with-no-tests"},
    "cypress run": {"of": "javascript", "reads": "cypress mocha", "operands": "filters", "informs":
        "-h --help --version", "part": "-s --spec --config-file -P --project"},
    "karma start": {"of": "javascript", "reads": "karma", "operands": "filters", "part": "--grep"},
    "ng test": {"of": "javascript", "reads": "karma jest vitest", "operands": "filters", "part": "--include --exclude"},
    "bun test": {"of": "javascript", "reads": "bun", "operands": "paths", "usual": "bun test",
        "value": "--timeout --coverage-reporter --coverage-dir --preload -r --reporter --reporter-outfile --seed",
        "informs": "-h --help --version", "part": "-t --test-name-pattern --only --todo --watch "
        "-u --update-snapshots -c --config", "counted": "--pass-with-no-tests", "folder": "--cwd"},
    "deno test": {"of": "javascript", "reads": "deno", "operands": "paths", "usual": "deno test",
        "value": "--reporter --junit-path --seed --import-map --env-file", "informs": "-h --help --no-run -V "
            "--version",
        "part": "--filter --ignore --watch --permit-no-files -c --config", "folder": ""},
    "go test": _GO,
    "gotestsum": {"of": "go", "reads": "gotestsum go", "operands": "patterns", "own": "1", "default": "whole",
        "value": "--format -f --junitfile --jsonfile --max-fails --hide-summary "
        "--post-run-command", "informs": "-h --help --version", "part": "--watch --raw-command"
        " --packages", "behind": "go test", "usual": "gotestsum ./..."},
    "ginkgo": {"of": "go", "reads": "ginkgo", "operands": "patterns", "own": "1", "default": "whole", "informs":
        "-h --help --dry-run version help build outline", "part": "--focus --skip --label-filter --focus-file "
            "--skip-file",
        "usual": "ginkgo -r"},
    "bazel test": {"of": "", "reads": "bazel", "operands": "labels", "informs": "--help --nobuild "
        "--check_tests_up_to_date", "part": "--test_filter --test_tag_filters --test_size_filters --test_lang_filters "
        "--test_timeout_filters --run_under", "value": "--config --test_output --jobs", "usual": "bazel test //..."},
    "cargo test": _CARGO, "cargo t": _CARGO, "cross test": _CARGO, "cargo nextest run": _NEXTEST,
    "cargo nextest r": _NEXTEST, "cargo llvm-cov": _CARGO, "cargo llvm-cov nextest": _NEXTEST,
    "cargo tarpaulin": _CARGO | {"value": _CARGO["value"] + " --out -o --output-dir --engine --timeout -t"},
    "gradle": _GRADLE, "gradlew": _GRADLE, "mvn": _MAVEN, "mvnw": _MAVEN, "mvnd": _MAVEN,
    "sbt": {"of": "jvm", "reads": "sbt", "operands": "goals", "goals": "test +test Test/test test:test",
        "informs": "-h --help --version -V", "usual": "sbt test", "several": "*", "total": "sbt"},
    "lein test": {"of": "jvm", "reads": "clojure", "operands": "filters", "usual": "lein test"},
    "clojure": _CLOJURE, "clj": _CLOJURE,
    "dotnet test": _DOTNET,
    "rspec": _RSPEC, "rails test": _RAILS, "rails spec": _RSPEC, "minitest": _RAILS,
    "rake": {"of": "ruby", "reads": "minitest rspec", "operands": "goals", "goals": "test spec ci default check",
        "default": "whole", "informs": "-T --tasks -P --prereqs -n --dry-run -h --help -V --version -D --describe -W "
        "--where", "part": "-e --execute -E -f --rakefile", "value": "-j --jobs -I -r", "usual": "rake test"},
    "phpunit": _PHPUNIT, "pest": _PHPUNIT | {"usual": "vendor/bin/pest"}, "paratest": _PHPUNIT,
    "artisan test": _PHPUNIT | {"usual": "php artisan test"}, "codecept run": _PHPUNIT, "phpspec run": _PHPUNIT,
    "ctest": _CTEST,
    "meson test": {"of": "c", "reads": "meson", "operands": "filters", "build": "1", "value": "-C -t "
        "--timeout-multiplier --num-processes -j --setup --repeat --maxfail", "informs":
        "-h --help --list", "part": "--suite --no-suite --benchmark --gdb --wrapper --wrap", "usual": "meson test",
        "prebuilt": "--no-rebuild", "place": "-C"},
    "swift test": {"of": "swift", "reads": "swift", "operands": "filters", "informs":
        "-h --help --list-tests -l --version list", "part": "--filter --skip --specifier -s --disable-xctest "
        "--disable-swift-testing", "prebuilt": "--skip-build",
        "value": "-c --configuration -j --jobs --num-workers --xunit-output --arch --triple "
        "--build-path --scratch-path -Xswiftc -Xcc -Xlinker", "config": "--package-path", "configs": ". ./",
        "usual": "swift test"},
    "xcodebuild": {"of": "swift", "reads": "swift", "operands": "goals", "goals": "test", "long": "1",
        "informs": "-list -version -showsdks -showBuildSettings -showdestinations -help -usage -json", "value":
        "-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -resultBundlePath -arch",
        "part": "-only-testing -skip-testing -testPlan -dry-run -n"},
    "flutter test": _DART, "dart test": _DART | {"usual": "dart test"}, "dart run test": _DART | {"usual": "dart "
        "test"}, "very_good test": _DART, "melos test": _DART | {"several": "*", "total": "melos"},
    "zig build test": {"of": "zig", "reads": "zig", "operands": "filters", "informs": "-h --help -l --list-steps",
        "long": "mixed", "value": "--summary --color --seed --prefix -p --maxrss --cache-dir --global-cache-dir",
        "part": "--watch --fuzz", "skips": "test-filter test_filter filter skip-tests", "usual": "zig build test",
        "config": "--build-file", "configs": "build.zig"},
    "zig test": {"of": "zig", "reads": "zig", "operands": "filters", "usual": "zig build test"},
    "cabal test": _CABAL, "cabal v2-test": _CABAL, "cabal new-test": _CABAL,
    "stack test": _STACK, "stack build": _STACK | {"needs": "--test", "usual": "stack test"},
    "mix test": _ESPEC, "mix coveralls": _ESPEC, "mix do": {"of": "elixir", "last": "mix", "usual": "mix test"},
    "bats": {"of": "shell", "reads": "tap counts", "operands": "paths", "usual": "bats tests", "value": "-j --jobs -F "
        "--formatter -o --output --report-formatter", "informs": "-h --help -v --version -c --count",
        "part": "-f --filter --filter-status --filter-tags --negative-filter"},
    "shellspec": {"of": "shell", "reads": "rspec", "operands": "paths", "part": "-E --example -T --tag -F --focus "
        "--quick -r --repair -n", "informs": "-h --help -v --version -c --count --list --dry-run --syntax-check"},
    "shunit2": {"of": "shell", "reads": "", "operands": "paths"},
    "busted": {"of": "", "reads": "busted", "operands": "paths", "part": "-t --tags -f --filter --name",
        "informs": "-h --help --version -l --list"},
    "prove": {"of": "", "reads": "prove", "operands": "paths", "informs": "-h --help -V --version --dry -D"},
    "lerna run": _TASK | {"part": "--scope --ignore --since", "of": "javascript", "several": "*", "total": "nx"},
    **dict.fromkeys(("turbo run", "turbo"), _TASK | {"of": "javascript", "usual": "npx turbo run test",
        "several": "*", "total": "turbo",
        "informs": "--dry --dry-run --dry=json --dry-run=json --graph -h --help --version", "package": "--filter -F "
        "--scope", "part": "--affected --since", "value": "--concurrency --output-logs --log-order --cache-dir"}),
    "nx run-many": {"of": "javascript", "reads": "", "operands": "filters", "targets": "-t --target --targets",
        "part": "-p --projects --exclude --graph", "informs": "-h --help", "value": "--parallel --configuration -c "
        "--output-style --runner", "usual": "npx nx run-many -t test", "several": "*", "total": "nx"},
    "wireit": _TASK,
    "make": _TASK | {"several": "-k --keep-going",
        "build": "CMakeCache.txt", "value": "-I", "informs": "-n --just-print --dry-run --recon -h --help "
        "-v --version -p --print-data-base -q --question", "part": "-t --touch -i --ignore-errors -o --old-file "
        "--assume-old -W --what-if -f --file --makefile --eval", "folder": "-C --directory", "usual": "make test",
        "files": "GNUmakefile makefile Makefile", "variables": "1"},
    "just": _TASK | {"value": "", "informs": "-l --list -n --dry-run -h --help -V --version --summary --show -s "
        "--dump --evaluate --variables --choose --fmt --init", "part": "-f --justfile -c --command --set "
        "--shell --no-deps", "folder": "-d --working-directory", "usual": "just test",
        "files": "justfile Justfile .justfile"},
    "task": _TASK | {"value": "-o --output -C --concurrency", "informs": "-l --list -a --list-all --dry -n -h --help "
        "--version --summary --status --init -i", "part": "-t --taskfile -w --watch", "folder": "-d --dir",
        "usual": "task test", "files": "Taskfile.yml Taskfile.yaml Taskfile.dist.yml taskfile.yml"},
    "mise run": _TASK | {"value": "-j --jobs -o --output", "informs": "-n --dry-run -h --help", "part": "--skip-deps",
        "folder": "-C --cd", "usual": "mise run test", "files": "mise.toml .mise.toml mise/config.toml "
            ".config/mise.toml"},
    "composer": _TASK | {"of": "php", "informs": "-h --help -V --version -l --list --dry-run", "folder":
        "-d --working-dir", "value": "--timeout", "usual": "composer test", "files": "composer.json"},
    **dict.fromkeys(("invoke", "inv"), _TASK | {"informs": "-l --list -h --help -R --dry", "files": "tasks.py"}),
    "poe": _TASK | {"of": "python", "informs": "-h --help -d --dry-run"}, "doit": _TASK | {"informs": "-h --help "
        "list"},
    "ninja": _TASK | {"value": "-j -l -k", "informs": "-n -h --version -t", "of": "c", "folder": "-C", "build": "1"},
    "cmake --build": _TASK | {"of": "c", "targets": "-t --target", "value": "-j --parallel --config --preset",
        "operands": "folders", "build": "1"},
    "earthly": _TASK | {"goals": "+test +tests +check +ci", "informs": "ls doc --help --version"},
    "act": _TASK | {"part": "-j -n -l"},
    "deno task": _TASK | {"of": "javascript", "usual": "deno task test", "files": "deno.json deno.jsonc package.json"},
}  # fmt: skip

ALIASES = {
    "py.test": "pytest", "pytest-3": "pytest", "vitest": "vitest", "bazelisk": "bazel",
        "podman-compose": "docker-compose",
    "docker-compose-v1": "docker-compose", "gmake": "make", "remake": "make", "mise": "mise", "go-task": "task",
    "ctest3": "ctest", "pnpx": "npx", "bunx": "npx", "yarnpkg": "yarn", "nodejs": "node", "dotenv-cli": "dotenv",
}  # fmt: skip

MODULES = {
    "pytest": "pytest", "py.test": "pytest", "unittest": "unittest", "tox": "tox", "nox": "nox",
        "coverage": "coverage",
    "nose2": "nose2", "behave": "behave", "twisted.trial": "trial", "hatch": "hatch", "poetry": "poetry", "pdm": "pdm",
    "pipenv": "pipenv", "uv": "uv", "django": "manage.py", "invoke": "invoke", "poethepoet": "poe", "green": "green",
    "stestr": "stestr", "slipcover": "coverage", "kernprof": "", "trace": "", "cProfile": "",
}  # fmt: skip
"""`python -m NAME` → the program that it is."""

# Programs that start another one: (verb or "", options with a value, words between the verb and the command).
STARTERS: dict[str, tuple[tuple[str, str, int], ...]] = {
    "uv": (("run", "--extra --group --no-group --only-group --with --with-editable --with-requirements -p --python "
            "--package --env-file --refresh-package -P --no-extra --color "
            "--index-strategy --resolution --exclude-newer --link-mode --cache-dir --config-file -f", 0),
           ("tool run", "--from --with -p --python", 0)),
    "uvx": (("", "--from --with --with-editable -p --python --with-requirements", 0),),
    "pipx": (("run", "--spec --python", 0),),
    "poetry": (("run", "", 0),), "pdm": (("run", "-p --project --venv", 0),), "pipenv": (("run", "", 0),),
    "rye": (("run", "-p --pyproject", 0),), "pixi": (("run", "-e --environment --manifest-path", 0),),
    "hatch": (("run", "", 0), ("-e run", "", 0)), "conda": (("run", "-n --name -p --prefix --cwd", 0),),
    "mamba": (("run", "-n --name -p --prefix --cwd", 0),), "micromamba": (("run", "-n --name -p --prefix --cwd", 0),),
    "docker": (("compose exec", "-e --env -u --user -w --workdir --index", 1),
               ("compose run", "-e --env -u --user -w --workdir -v --volume -p --publish --name -l --label "
                   "--entrypoint", 1),
               ("exec", "-e --env -u --user -w --workdir --env-file --detach-keys", 1),
               ("run", "-e --env -u --user -w --workdir -v --volume -p --publish --name --mount --network "
                   "--env-file -m "
                "--memory --cpus --platform --entrypoint -l --label -h --hostname --add-host --cap-add --shm-size "
                    "--gpus "
                "--ulimit --pull --tmpfs", 1)),
    "docker-compose": (("exec", "-e --env -u --user -w --workdir --index", 1),
                       ("run", "-e --env -u --user -w --workdir -v --volume -p --publish --name -l --entrypoint", 1)),
    "podman": (("exec", "-e --env -u --user -w --workdir", 1),
               ("run", "-e --env -u --user -w --workdir -v --volume -p --publish --name --mount --network", 1)),
    "kubectl": (("exec", "-n --namespace -c --container", 1),), "devcontainer": (("exec", "--workspace-folder", 0),),
    "ddev": (("exec", "-s --service -d --dir", 0), ("", "", 0)), "lando": (("", "", 0),), "sail": (("", "", 0),),
    "npx": (("", "-p --package -w --workspace -c --call", 0),),
    "bundle": (("exec", "", 0),), "mise": (("exec", "-C --cd -j --jobs", 0), ("x", "-C --cd -j --jobs", 0)),
    "direnv": (("exec", "", 1),), "dotenv": (("run", "-f --file -e", 0), ("", "-f -e -v -c -p", 0)),
    "dotenvx": (("run", "-f --env-file", 0),), "op": (("run", "--env-file --account", 0),),
    "doppler": (("run", "-p --project -c --config -t --token", 0),), "aws-vault": (("exec", "-d --duration", 1),),
    "infisical": (("run", "--env --path --projectId", 0),), "chamber": (("exec", "", 1),),
    "env": (("", "-u --unset -C --chdir", 0),), "cross-env": (("", "", 0),),
    "cross-env-shell": (("", "", 0),), "env-cmd": (("", "-f --file -e --environments", 0),),
    "time": (("", "-f --format -o --output", 0),), "timeout": (("", "-k --kill-after -s --signal", 1),),
    "gtimeout": (("", "-k --kill-after -s --signal", 1),), "nice": (("", "-n --adjustment", 0),),
    "ionice": (("", "-c -n --class --classdata", 0),), "taskset": (("", "-c", 1),), "nohup": (("", "", 0),),
    "stdbuf": (("", "-i -o -e", 0),), "unbuffer": (("", "", 0),), "command": (("", "", 0),), "exec": (("", "-a", 0),),
    "xvfb-run": (("", "-n --server-num -s --server-args -e --error-file -f -w", 0),), "caffeinate": (("", "-t -w",
        0),),
    "dbus-run-session": (("", "", 0),), "arch": (("", "", 0),), "setarch": (("", "", 1),), "firejail": (("", "", 0),),
    "sudo": (("", "-u --user -g --group -h -p -C -D", 0),), "gosu": (("", "", 1),), "su-exec": (("", "", 1),),
    "chronic": (("", "", 0),), "ts-node": (), "sem": (), "rtk": (("test", "", 0), ("", "", 0)),
        "systemd-run": (("", "-p -u", 0),),
    "nix": (("develop", "--option", 0), ("shell", "--option", 0)), "devbox": (("run", "-c --config -e --env", 0),),
    "nix-shell": (("", "-p --packages -A -I", 0),), "flox": (("activate", "-d --dir -r", 0),),
    "fvm": (("", "", 0),), "puro": (("", "-e --env", 0),), "asdf": (("exec", "", 0),), "rbenv": (("exec", "", 0),),
    "pyenv": (("exec", "", 0),), "nodenv": (("exec", "", 0),), "volta": (("run", "--node --npm --yarn", 0),),
    "corepack": (("", "", 0),), "nvm": (("exec", "", 1), ("run", "", 1)), "fnm": (("exec", "--using", 0),),
    "go": (("tool", "", 0),), "rustup": (("run", "", 1),), "toolbox": (("run", "-c --container -r --release", 0),),
    "nerdctl": (("exec", "-e --env -u --user -w --workdir", 1),), "lima": (("", "", 0),),
    "apptainer": (("exec", "-B --bind --env --pwd", 1),), "singularity": (("exec", "-B --bind --env --pwd", 1),),
    "heroku": (("local:run", "", 0),), "act": (), "spring": (("", "", 0),), "zeus": (("", "", 0),),
        "appraisal": (("", "", 1),),
    "nyc": (("", "--reporter -r --report-dir --temp-dir", 0),), "c8": (("", "-r --reporter -o --reports-dir", 0),),
    "concurrently": (), "retry": (), "flock": (("", "-w -E -c", 1),), "script": (),
}  # fmt: skip

COVERAGE = "--source --omit --include --rcfile --data-file --context --concurrency --debug"
"""Options with a value of `coverage run`, which starts `-m MODULE` or a file."""

FOLDER_OPTIONS = {
    "uv": "--directory --project",
    "poetry": "-C --directory -P --project",
    "pdm": "-p --project",
    "git": "-C",
}
"""Options of starters, before their verb, that name the folder."""

MANAGERS = frozenset(("npm", "pnpm", "yarn", "bun", "ni", "nr", "cnpm"))
MANAGER_VALUES = frozenset(
    "--loglevel --registry --cache --userconfig --reporter --workspace-concurrency --concurrency -j --jobs".split()
)
MANAGER_FOLDERS = frozenset("--prefix -C --dir --cwd".split())
MANAGER_PACKAGES = frozenset("--workspace --filter -F --scope".split())
MANAGER_PARTS = frozenset(
    "--since --affected --if-present --no-bail --changed --ignore-scripts --exclude --include".split()
)
MANAGER_SETTINGS = {
    ".npmrc": ("script-shell", "node-options", "scripts-prepend", "shell-emulator", "ignore-scripts"),
    ".yarnrc": ("yarn-path", "script-shell"), ".yarnrc.yml": ("yarnPath", "plugins", "shell"), ".pnpmfile.cjs": ("",),
    "pnpm-workspace.yaml": ("scriptShell", "nodeOptions", "shellEmulator", "ignoreScripts"),
    "bunfig.toml": ("shell", "preload"),
}  # fmt: skip
"""Files of settings of package managers, and what stands in them where they change what running a script is."""
RENEWING = frozenset(
    "-u --update --updateSnapshot --update-snapshots --snapshot-update --test-update-snapshots "
    "--update-goldens -update -update-golden".split()
)
"""Options with which runners write snapshots anew, where they leave tests out or stand behind a script's `--`."""
SCRIPT_FLAGS = frozenset(
    (
        "--run --ci --coverage --no-coverage --silent --verbose --runInBand -i --maxWorkers --watch=false "
        "--watchAll=false --no-watch --reporter --reporters --bail --forceExit --detectOpenHandles --color --colors "
        "--no-color --no-cache --logHeapUsage --detectLeaks --workers --pool --silent=true --quiet -q "
        "--no-file-parallelism "
        "--testTimeout --browsers --coverage.enabled --passWithNoTests --no-colors -v --tb --parallel --force "
        "--skip-nx-cache "
        "--no-watchAll --single-run --hideSkippedTests --outputFile --json --expand --ui=false --output-logs --exit "
        "--timeout --experimental-test-coverage --test-reporter --test-concurrency --enable-source-maps"
    ).split()
)
"""What may stand behind the name of a script without making it run less."""

OUTPUT_FOLDERS = (
    "build",
    "out",
    "cmake-build",
    "_build",
    "builddir",
    "bld",
    "target",
    "obj",
    "bin/Debug",
    "bin/Release",
)
"""How folders begin into which build tools write."""
ENVIRONMENT_PROGRAMS = (".venv/bin", "venv/bin", "node_modules/.bin", "vendor/bin")
"""Folders of a repository that hold installed programs."""
