"""The script that a host runs at every lifecycle point: `python -I -S …/policy_engine/hook.py HOST [--event NAME]`.

It imports nothing before the handler that turns any failure, its own imports included, into a refusal: exit status 2
with the reason on standard error is what the hosts understand without words (security R1, R2, R6).
"""

import posix
import sys


def run(arguments: list[str]) -> int:
    """One event from standard input to an exit status; never raises."""
    try:
        # `-I -S` leaves neither the script's folder nor site-packages on the path; a repository cannot put itself there
        sys.path.append(__file__.rsplit("/", 2)[0])
        from policy_engine.loading.hook_entry import main

        return main(arguments)
    except BaseException as fault:
        text = f"E-START: the policy engine could not start ({type(fault).__name__}: {fault}); the action is refused.\n"
        try:
            posix.write(2, text.encode("utf-8", "backslashreplace"))
        except OSError:
            pass
        return 2


if __name__ == "__main__":
    posix._exit(run(sys.argv[1:]))
