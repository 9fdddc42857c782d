"""The security requirements of a guard in front of an agent, R1 to R24: what each asks, and how it is met; all data.

A test that proves a part of one carries `@pytest.mark.requirement("R1")`.
"""

from __future__ import annotations

ABOUT = """The security requirements of a guard in front of a coding agent, how each is met, and the files with the
tests that prove it. The other half are the [faults](../tests/faults/rows.py) that tests inject; [rounds of
attacks](attack-rounds.md) by people who had not seen the code are listed apart, as are the [known
gaps](known-gaps.md)."""
REQUIREMENTS: dict[str, tuple[str, str]] = {
    "R1": (
        "one outermost handler around everything; no path ends in silence",
        "`hook.py` imports nothing before its handler; each stage inside gives the point's failure verdict",
    ),
    "R2": (
        "a denial goes out as the host's JSON and as exit status 2 with the reason",
        "the adapters write both from one value; recorded answers hold them; `policy doctor` sees one live",
    ),
    "R3": (
        "the engine alone writes on standard output, all of it, without a shell between",
        "one `ResponseWriter` takes descriptor 1 over, sends what others write to standard error, and writes once; "
        "a failed write is a refusal",
    ),
    "R4": (
        "an own deadline, kept by something that can still answer; the host's is far longer",
        "a timer of the kernel runs before the payload is read and writes the failure verdict",
    ),
    "R5": (
        "where nobody can be asked, `ask` is `deny`",
        "the adapter knows by mode, tool and event whether the host asks; else it denies and says why",
    ),
    "R6": (
        "the registered command is absolute, quoted, and refuses if the engine is missing; proved by a canary",
        "the registered line turns every failure to start into status 2 by itself; `policy doctor` fires the canary",
    ),
    "R7": (
        "a set of policies is loaded whole or not at all; the last good one stays",
        "one generation is read, checked, compiled and then swapped as one value",
    ),
    "R8": (
        "content decides what has changed, and every decision says which set it was",
        "digests of the files; a decision carries the digest of its Program",
    ),
    "R9": (
        "what a host reports is declared and checked; what is unknown is not allowed",
        "unknown events refuse, unknown tools are `other` and undecided for the packs; a result without its call is "
        "an alarm",
    ),
    "R10": (
        "the engine protects itself, out of reach of a repository's policy",
        "a built-in layer guards policies, state, programs, registrations and the hosts' settings; reading stays free",
    ),
    "R11": (
        "things are compared by what they are, not by how they are spelt",
        "paths are resolved from the deepest folder that exists, compared by component and identity, folded; "
        "what cannot be resolved is undecided",
    ),
    "R12": ("a protected file that does not exist yet is protected too", "names are guarded, not only files"),
    "R13": (
        "nothing of a workspace changes behaviour before it is trusted",
        "a repository's policy is data that may only tighten; variables of the workspace redirect nothing",
    ),
    "R14": (
        "trust is given by a person at a terminal, shows its effect, and is bound to every file's content",
        "`policy trust` shows the verdicts that change and records digests outside the repository",
    ),
    "R15": (
        "organisation, user, repository: the lower can only tighten",
        "each layer is a set of its own and the maximum of the verdicts decides",
    ),
    "R16": (
        "a repository's policy is data: no code, no network, no environment",
        "the language has no way to name any of them; imports stay in the policy's folder",
    ),
    "R17": (
        "what the engine writes is whole or not there, private, and never through a link",
        "a temporary file in the same folder, fsync, rename; `O_NOFOLLOW`, 0600, owners are checked",
    ),
    "R18": (
        "an isolated interpreter that takes nothing from the folder or the user; no `assert` for safety",
        "`-I -S`, absolute paths, bytes in and out; a house test lets `assert` tell types only",
    ),
    "R19": (
        "what each host enforces is published, as measured",
        "the table of [hosts](reference/hosts.md) comes from the adapters, which hold what was measured",
    ),
    "R20": (
        "every way to fail is tested by making it fail",
        "faults are put into every stage of the hook and of the engine, at every point",
    ),
    "R21": (
        "approvals come from the engine, for one exact call, once; never from the model's words",
        "`ask` is answered by the person in the host's own dialogue; where there is none, at a terminal that no agent "
        "started, or on the page with a one-time code of that terminal, for the very same call and once; what a model "
        "says in its answers, arguments or descriptions is never an input that lowers a verdict",
    ),
    "R22": (
        "a call that another hook rewrote is found",
        "the digest of the input before the call is compared with the one after it; hosts run hooks side by side and "
        "in no order, so it can only be reported",
    ),
    "R23": (
        "limits are part of the language, and exceeding one has a name and refuses",
        "[every limit](reference/limits.md) is a constant with a test; the complaint names it",
    ),
    "R24": (
        "the log shows tampering, keeps no secrets, and every record can be made again",
        "records are chained by digest and redacted; `policy explain` and `policy replay` decide them again",
    ),
}
OPEN: dict[str, str] = {}
