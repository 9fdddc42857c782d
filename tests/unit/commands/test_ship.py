"""`policy ship`: send the decision log, say what arrived, go on later; a secret of a command is not in it."""

from __future__ import annotations

from policy_engine import Engine
from policy_engine.audit.log import append
from policy_engine.model.event import Event
from tests.faults.ship import receiving, values
from tests.unit.commands.running import GOOD, Shell, event

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def write_decisions(*commands: str) -> None:
    """Decisions in the log of this user."""
    engine = Engine.from_text(GOOD)
    for number, command in enumerate(commands):
        known = Event.from_dict(event(number, command))
        append(engine.decide(known), known, "claude-code")


def test_the_command_sends_the_log_and_tells(policy: Shell) -> None:
    write_decisions("ls", "rm a")
    with receiving() as sink:
        first = policy("ship", "--otlp", sink.url)
        assert (first.status, first.out, first.err) == (0, "", "sent 2 records, all up to number 2\n")
        record = sink.logs[1]
        known = values(record)
        assert (record.event_name, record.severity_text, record.time_unix_nano) == (
            "policy.decision", "deny", 1_795_168_800_000_000_000,
        )  # fmt: skip
        assert {name: known[name] for name in ("gen_ai.tool.name", "gen_ai.conversation.id", "policy.rule")} == {
            "gen_ai.tool.name": "Bash", "gen_ai.conversation.id": "s-1", "policy.rule": "no-rm",
        }  # fmt: skip
        sink.refusing = True
        write_decisions("rm b")
        assert policy("ship", "--otlp", sink.url).status == 4
        sink.refusing = False
        assert policy("ship", "--otlp", sink.url).err == "sent 1 record, all up to number 3\n"
        assert [values(each)["policy.resent"] for each in sink.logs] == [False, False, True]


def test_no_secret_goes_out(policy: Shell) -> None:
    write_decisions(f"curl -H 'Authorization: Bearer {SECRET}' https://example.com", f"rm {SECRET}")
    with receiving() as sink:
        for form in ("otlp", "ocsf"):
            assert policy("ship", "--otlp", f"{sink.url}{'/' * (form == 'ocsf')}", "--format", form).status == 0
        assert len(sink.logs) == 4
        assert not any(SECRET.encode() in body for body in sink.bodies)


def test_an_address_is_one_of_the_web(policy: Shell) -> None:
    done = policy("ship", "--otlp", "localhost:4317")
    assert (done.status, "not `localhost:4317`" in done.err) == (2, True)
