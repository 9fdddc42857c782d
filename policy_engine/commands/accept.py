"""`policy accept`: take the past of a session in doubt as known, if a person says so."""

from __future__ import annotations

import click

from policy_engine.commands.base import FINDINGS, MISUSED, emit, note
from policy_engine.consent.person import answer, no_person
from policy_engine.history.ledger import ledger
from policy_engine.loading.settings_source import store_place
from policy_engine.model.errors import ConfigurationError, StoreError
from policy_engine.model.store_address import shown_place
from policy_engine.reports.base import shown
from policy_engine.runtime.stored_sessions import accept_session, open_store, state_of
from policy_engine.stores.base import Store

PROOF = "accept"


@click.command(
    short_help="Say that nothing unknown happened in a session.",
    epilog="Example: policy accept 3f0c1d52-8a77-4e0b-9d4e-1a2b3c4d5e6f",
)
@click.argument("session", required=False, metavar="[SESSION]")
def COMMAND(session: str | None) -> int:
    """End the doubt about what happened in SESSION (the latest one if it is left out).

    Where events of a session are missing, or were not understood, rules that ask for them are undecided. What can be
    proven again an agent proves by itself; for the rest a person at a terminal can say that nothing happened but what
    is known. Exit status: 1 if the doubt stays, 2 if nobody can be asked.
    """
    place = store_place()
    store = open_store(place)
    try:
        present = store.present()
        name = session or (store.latest() if present else "")
        state = state_of(store, name) if present and name else None
        if state is None:
            raise ConfigurationError(f"there is no session `{shown(name)}` in `{shown_place(place)}`")
        return _accept(store, name, ledger(state)["unknown"])
    except StoreError as error:
        raise ConfigurationError(f"the sessions cannot be read: {error}") from None
    finally:
        store.close()


def _accept(store: Store, session: str, unknown: list[str]) -> int:
    if not unknown:
        emit(f"nothing is in doubt in session {shown(session)}")
        return 0
    objection = no_person()
    if objection:
        note(f"error: nobody can be asked: {objection}")
        return MISUSED
    emit(f"In session {shown(session)}:")
    emit("\n".join(f"  {shown(line)}" for line in unknown))
    if answer(f"\nTo say that nothing else happened, type `{PROOF}`: ") != PROOF:
        note("the doubt stays")
        return FINDINGS
    if not accept_session(store, session):
        raise ConfigurationError("nothing of that session is left that could be accepted; begin a new one")
    emit("what is known of the session counts from the next event on")
    return 0
