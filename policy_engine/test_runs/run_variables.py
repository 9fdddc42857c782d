"""Name the variables of the environment that can change what a run of tests says. Imported by the hook path."""

from __future__ import annotations

CHANGING = frozenset(
    (
        "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT BASH_ENV ENV IFS SHELLOPTS PYTHONHOME PYTHONUSERBASE PYTEST_ADDOPTS "
        "PYTEST_PLUGINS NODE_PATH MAKEFLAGS MFLAGS GNUMAKEFLAGS RUBYOPT RUBYLIB PERL5LIB PERL5OPT RUSTC RUSTDOC "
        "RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CLASSPATH GTEST_FILTER GTEST_LIST_TESTS SPEC_OPTS SPEC TEST TESTS "
        "TESTOPTS TESTARGS TEST_ARGS TEST_OPTS TEST_FILTER BUNDLE_GEMFILE RUBY_OPTS JEST_JASMINE "
        "COVERAGE_PROCESS_START MAKEFILES MAKE MAKESHELL PYTHONPYCACHEPREFIX "
        "TOX_OVERRIDE TOX_TESTENV_PASSENV NOX_SESSION NOXSESSION TOXENV TOX_ENV PYTHONSTARTUP DOTNET_STARTUP_HOOKS "
        "GRADLE_USER_HOME MAVEN_CONFIG JAVA_HOME GOROOT GOTOOLDIR CTEST_FILTER VITEST_FILTER VSTEST_TESTCASEFILTER "
        "UNITTEST_ARGS PYTHONBREAKPOINT PYTHONOPTIMIZE PYTHONPLATLIBDIR CC CXX SHELL "
        "NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell NODE_TEST_CONTEXT CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH "
        "OBJC_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX CCC_OVERRIDE_OPTIONS CCC_ADD_ARGS "
        "MIX_EXS MIX_DEPS_PATH MIX_BUILD_PATH ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ELIXIR_ERL_OPTIONS REBAR_CONFIG PHPRC "
        "JASMINE_CONFIG_PATH R_PROFILE_USER LUA_INIT"
    ).split()
)
"""Variables that can change what runs under a name, or which tests do."""

CHANGING_STARTS = ("DYLD_", "BASH_FUNC_", "npm_config_", "NPM_CONFIG_", "CARGO_BUILD_", "CARGO_ALIAS_")
CHANGING_ENDS = ("_RUNNER", "_WRAPPER", "_ADDOPTS")
OPTION_VARIABLES = {
    "NODE_OPTIONS": "--max-old-space-size --max_old_space_size --experimental- --no-warnings --no-deprecation "
    "--trace- --unhandled-rejections --enable-source-maps --openssl-legacy-provider --dns-result-order "
    "--disable-warning --no-experimental- --stack-trace-limit --max-http-header-size --expose-gc",
    "GOFLAGS": "-mod= -count=1 -count=2 -count=3 -count=5 -race -v -tags -buildvcs -trimpath -timeout -cover",
    "MAVEN_OPTS": "-X -Djava. -Dfile. -Dorg.slf4j", "GRADLE_OPTS": "-X -Dorg.gradle. -Dfile.",
    "JAVA_TOOL_OPTIONS": "-X -Djava. -Dfile.", "JAVA_OPTS": "-X -Djava. -Dfile.", "_JAVA_OPTIONS": "-X",
    "MAVEN_ARGS": "-B -T -q -ntp --no-transfer-progress", "CTEST_OPTIONS": "-j", "CARGO_OPTIONS": "",
        "TEST_OPTIONS": "",
    **dict.fromkeys(("CFLAGS", "CXXFLAGS", "CPPFLAGS"),
                    "-O -g -W -std= -march= -mtune= -pedantic -pipe -pthread -fsanitize -fno-omit -fPIC -fprofile "
                    "-fcoverage -ftest-coverage --coverage -D_ -DDEBUG -Iinclude -Isrc -I."),
    **dict.fromkeys(("RUSTFLAGS", "RUSTDOCFLAGS"),
                    "-D -W -A -C -Cdebuginfo -Copt-level -Ctarget-cpu -Cinstrument-coverage -Clink-arg=-fuse-ld "
                    "-Cstrip --deny --warn --allow --cfg debuginfo= opt-level= target-cpu= instrument-coverage strip= "
                    "link-arg=-fuse-ld= codegen-units= warnings unused dead_code tokio_unstable docsrs loom"),
    "GOWORK": "off",
    "LDFLAGS": "-g -O -pthread -fsanitize -lm -lpthread -fprofile --coverage",
}  # fmt: skip
"""Variables that hold options, with the beginnings of those that change nothing."""
