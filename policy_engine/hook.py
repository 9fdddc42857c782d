"""The script that a host runs at every lifecycle point: `python -I -S …/policy_engine/hook.py HOST [--event NAME]`.

It imports nothing before the handler that turns any failure, its own imports included, into a refusal: exit status 2
with the reason on standard error is what the hosts understand without words (security R1, R2, R6).

A script is compiled at every start, hence so little of it; what it loads comes out of Python's own cache.
"""

import posix
import sys


def run(arguments: list[str]) -> int:
    """One event from standard input to an exit status; never raises."""
    try:
        # `-I -S` leaves neither the script's folder nor site-packages on the path; a repository cannot put itself there
        sys.path.append(__file__.rsplit("/", 2)[0])
        load("response_writer")
        status: int = load("hook_entry").main(arguments, load)  # type: ignore[attr-defined]
        return status
    except BaseException as fault:
        text = f"E-START: the policy engine could not start ({type(fault).__name__}: {fault}); the action is refused.\n"
        try:
            posix.write(2, text.encode("utf-8", "backslashreplace"))
        except OSError:
            pass
        leave_record(f"{type(fault).__name__}: {fault}")
        return 2


def load(name: str) -> object:
    """Import a module of `hook_process` that imports nothing of the engine, without looking through folders."""
    full = "policy_engine.hook_process." + name
    if full not in sys.modules:
        from _frozen_importlib_external import SourceFileLoader

        module = type(sys)(full)
        module.__file__ = f"{__file__.rsplit('/', 1)[0]}/hook_process/{name}.py"
        code = SourceFileLoader(full, module.__file__).get_code(full)
        sys.modules[full] = module
        exec(code, module.__dict__)  # type: ignore[arg-type]
    return sys.modules[full]


def leave_record(text: str) -> None:
    """Log that the engine could not start, if what the log needs can start."""
    try:
        from policy_engine.audit.log import append_failure

        append_failure("", "", "", "E-START", text)
    except BaseException:  # the answer is given, and there is nowhere else to tell it
        return


if __name__ == "__main__":
    posix._exit(run(sys.argv[1:]))
