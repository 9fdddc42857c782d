"""Every limit of the language and of its inputs, by name; the error for an exceeded one names it (requirement R23).

Imported by the hook path: plain integers only. A comment says what is bounded, and behind the colon what happens
beyond it.
"""

from __future__ import annotations

EVENT_BYTES = 8 * 1024 * 1024  # bytes of one event: refused
DOCUMENT_BYTES = 64 * 1024 * 1024  # bytes of a recording that is one JSON document: read by lines
EVENT_DEPTH = 64  # nesting of an event, of a JSON, TOML or YAML file: refused; undecided
EVENT_NODES = 100_000  # values and keys of one event: refused
INTEGER_DIGITS = 4300  # digits of a JSON number, what CPython converts by default: refused
COMMAND_BYTES = 131_072  # length of a command, MAX_ARG_STRLEN of Linux: refused
SHELL_WORDS = 6_000  # words of all simple commands of a line, rounds of its loops included: undecided
SHELL_STEPS = 60_000  # pieces of a command that are looked at: undecided
SHELL_DEPTH = 40  # nesting of scripts, substitutions and calls of functions in a command: undecided
SHELL_VARIABLES = 300  # variables that a command gives values: undecided
SHELL_VALUE_CHARS = 65_536  # characters of a variable's value: the value is not known
POLICY_FILE_BYTES = 8 * 1024 * 1024  # bytes of one policy file: does not load
POLICY_TOTAL_BYTES = 64 * 1024 * 1024  # bytes of a policy set: does not load
POLICY_RULES = 100_000  # rules, limits and hooks of a set: does not load
POLICY_FOLDERS = 32  # folders in folders below a policy folder: does not load
POLICY_ENTRIES = 10_000  # files and folders below a policy folder: does not load
POLICY_DEPTH = 100  # nesting of expressions and blocks: does not load
POLICY_DIAGNOSTICS = 200  # diagnostics reported per file: the rest is left out
GLOB_ALTERNATIVES = 256  # alternatives of a glob after its braces: does not load
REGEX_BYTES = 4096  # length of a regex: does not load
REGEX_REPEAT = 1000  # counted repetition in a regex, as RE2: does not load
DEFINE_EXPANSION = 10_000  # nodes of a rule after its defines are put in: does not load
READ_BYTES = 4 * 1024 * 1024  # bytes of a file that a predicate reads: undecided
SEARCH_BYTES = 16 * 1024 * 1024  # bytes of a file in which `content_contains` looks for something: undecided
SNAPSHOT_FILES = 400_000  # files of a workspace that a snapshot holds: what was written is uncertain
SNAPSHOT_MS = 1_200  # milliseconds of one comparison of a workspace: what was written is uncertain
GIT_MS = 1_000  # milliseconds that git has to answer what the rules ask of it at one event: undecided
GIT_BYTES = 4 * 1024 * 1024  # bytes of one answer of git: undecided
EVENT_PATHS = 1_000  # paths of one event that are entered one by one: only matches of the rules' globs are known
BULK_MATCHES = 200_000  # paths of such an event that are compared with a glob: what was written is uncertain
LOST_FILES = 500  # files that count as written where nobody knows which were: `changed` is undecided
HELD_ENTRIES = 4_000  # entries below a folder that a command deletes, compared with globs: any may be there
WALK_ENTRIES = 20_000  # entries below a folder that a command reads whole (`c.searched`): undecided
PATH_BYTES = 4096  # length of a path or glob: refused; undecided; does not load
WINDOW_EVENTS = 4096  # events remembered by a window in time: the count saturates
LIMIT_KEYS = 1024  # keys of one limit and agent: the one used longest ago is forgotten
TRACKED_PATHS = 20_000  # paths of a session with their own history: older ones become uncertain
TRACKED_COMMANDS = 1_000  # exact commands of a session: older ones become uncertain
MESSAGE_CHARS = 4096  # characters of a message: cut
COMPLETION_BUDGET = 3  # refusals of completion without progress: the run stops
COMPLETION_MOST = 50  # refusals of completion in a row, where the host has no such bound: the run stops
HOOK_OUTPUT_BYTES = 4096  # output of a hook that is read: cut
OBSERVERS = 16  # answers of observing hooks that a session awaits: another one does not run, undecided
TRUST_FILES = 4_096  # files and names that trust is bound to: the commands are not trusted
TRUST_BYTES = 64 * 1024 * 1024  # of these files together: the commands are not trusted
VERIFY_TIMEOUT_MS = 600_000  # time of a stage that names no limit: it timed out
VERIFY_HEAD_BYTES = 262_144  # first bytes of a stage's output: the middle is left out
VERIFY_TAIL_BYTES = 786_432  # last bytes of a stage's output: the middle is left out
VERIFY_FAILURES = 50  # failures read from a stage's output: the first are kept
VERIFY_SUMMARY_CHARS = 300  # characters of a failure's summary: cut
VERIFY_EXCERPT_CHARS = 2000  # characters of a failure's excerpt: cut
VERIFY_OUTPUT_CHARS = 4000  # characters of the output in a stage's result: the middle is left out
VERIFY_LINES = 40_000  # lines of a stage's output that are read: the middle is left out
VERIFY_LINE_CHARS = 2000  # characters of a line of output that are read: cut
SESSION_DAYS = 90  # days that a session's past is kept after its last event: taken up later, it is lost
SESSION_MARKERS = 100_000  # sessions without a past that are known to have had one: the oldest are new again
STORE_BYTES = 256 * 1024 * 1024  # bytes of the store: pasts that are older than a day go, the oldest first
PRUNE_COMMITS = 32  # events between two steps of pruning the store
PRUNE_SESSIONS = 64  # sessions of one such step: the next step goes on
PRUNE_ENTRIES = 4_000  # entries of these sessions: the next step goes on
PRUNE_PAGES = 256  # pages that a step gives back to the disk: the next step goes on
PRUNE_SECONDS = 3_600  # seconds between two steps beside the store
PRUNE_LOOKS = 2_000  # files of a folder that such a step looks at: the next step goes on
