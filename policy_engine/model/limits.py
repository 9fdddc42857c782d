"""Every limit of the language and of its inputs, by name; exceeding one names it (language page, requirement R23).

Imported by the hook path: plain integers only. Units are in the name or in the comment.
"""

from __future__ import annotations

EVENT_BYTES = 8 * 1024 * 1024
EVENT_DEPTH = 64
EVENT_NODES = 100_000
INTEGER_DIGITS = 4300  # of a JSON number; what CPython converts by default
COMMAND_BYTES = 131_072  # MAX_ARG_STRLEN of Linux: a longer command cannot be handed to a shell
SHELL_WORDS = 6_000  # of all simple commands of one line, those of trial rounds of loops included
SHELL_STEPS = 60_000  # pieces of one line that are looked at
SHELL_DEPTH = 40  # scripts in scripts, substitutions in substitutions, calls of functions
SHELL_VARIABLES = 300  # that one line gives values
SHELL_VALUE_CHARS = 65_536  # of a variable; a longer value is not known
POLICY_FILE_BYTES = 8 * 1024 * 1024
POLICY_TOTAL_BYTES = 64 * 1024 * 1024
POLICY_RULES = 100_000
POLICY_FOLDERS = 32  # folders in folders below a policy folder
POLICY_ENTRIES = 10_000  # files and folders below a policy folder, policies or not
POLICY_DEPTH = 100  # nesting of expressions and blocks; generated Python may nest 200 parentheses
POLICY_DIAGNOSTICS = 200  # reported per file
GLOB_ALTERNATIVES = 256  # after expansion of {a,b}
REGEX_BYTES = 4096
REGEX_REPEAT = 1000  # as RE2
DEFINE_EXPANSION = 10_000  # nodes of one rule after its defines are put in
READ_BYTES = 4 * 1024 * 1024  # one file that a predicate looks at
SNAPSHOT_FILES = 400_000  # files of a workspace that are compared after a shell call
SNAPSHOT_MS = 1_200  # that one comparison of a workspace may take
GIT_MS = 1_000  # that git has to answer all that the rules ask of it at one event
GIT_BYTES = 4 * 1024 * 1024  # of one answer of git
EVENT_PATHS = 1_000  # paths of one event that are entered one by one; of more, only what the rules' globs match
BULK_MATCHES = 200_000  # comparisons of a path with a glob that such an event is worth
LOST_FILES = 500  # files that count as written by an event that is missing; of more, nobody knows which
WALK_ENTRIES = 20_000  # entries looked at below a folder that a command reads whole
PATH_BYTES = 4096
WINDOW_EVENTS = 4096  # events remembered by one `within` window; the count saturates there
TRACKED_PATHS = 20_000  # per-path history of one session
TRACKED_COMMANDS = 1_000
MESSAGE_CHARS = 4096
COMPLETION_BUDGET = 3  # refusals of completion with the same unmet set, before a person takes over
COMPLETION_MOST = 50  # refusals of completion in a row, whatever is unmet, where the host has no such bound of its own
HOOK_OUTPUT_BYTES = 4096
TRUST_FILES = 4_096  # files, and words that may be files, that trust in a repository's commands is bound to
TRUST_BYTES = 64 * 1024 * 1024  # of all these files together
VERIFY_TIMEOUT_MS = 600_000  # of a stage that names no time limit
VERIFY_HEAD_BYTES = 262_144  # first bytes of a stage's output that are kept
VERIFY_TAIL_BYTES = 786_432  # last bytes of a stage's output that are kept
VERIFY_FAILURES = 50  # failures read from one stage's output
VERIFY_SUMMARY_CHARS = 300
VERIFY_EXCERPT_CHARS = 2000  # of one failure
VERIFY_OUTPUT_CHARS = 4000  # of a stage's output, shown with its result
VERIFY_LINES = 40_000  # of a stage's output that are read
VERIFY_LINE_CHARS = 2000  # of one line of output, as it is read
SESSION_DAYS = 90  # that a session's past is kept after its last event; taken up later, it is lost
SESSION_MARKERS = 100_000  # sessions without a past any more that are still known to have had one
STORE_BYTES = 256 * 1024 * 1024  # of the store; above, the oldest pasts go although they are younger
PRUNE_COMMITS = 32  # events of one store between two steps of pruning it
PRUNE_SESSIONS = 64  # whose pasts one step drops
PRUNE_ENTRIES = 4_000  # of all these sessions' shelves
PRUNE_PAGES = 256  # of the file that one step gives back
PRUNE_SECONDS = 3_600  # between two steps of pruning what lies beside the store, and the cache
PRUNE_LOOKS = 2_000  # files of one folder that such a step looks at
