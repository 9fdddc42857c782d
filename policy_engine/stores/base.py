"""What a member of this family is: a `Store`, which keeps one blob of bytes per session, one transaction per event.

    blob = store.begin("s-1")        # None for a new session, LOST if it had a past that is gone; others now wait
    store.commit("s-1", new_blob)    # or store.rollback()

Many processes use one store at once: between `begin` and `commit` no other gets a blob of the same store. Imported by
the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import StoreError

LOST = b""
"""What `begin` gives for a session whose past was damaged: its history is unknown, which is not the same as empty."""


class Store:
    """A store. Every method raises StoreError; its text starts with a stable word.

    `busy` another process holds it too long · `full` no room · `readonly` it cannot be written · `corrupt` it was not
    readable and has been set aside · `foreign` it is not ours, or of another version · `unsafe` others could change it
    · `failed` anything else.
    """

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        """Start the transaction of one event and give the session's blob: None if it is new, LOST if its past is gone.

        `starts`: the event opens the session, so a session that is not known has no past.
        """
        raise NotImplementedError

    def commit(self, session: str, blob: bytes) -> None:
        """Keep the blob and end the transaction."""
        raise NotImplementedError

    def rollback(self) -> None:
        """End the transaction without a change; never raises."""
        raise NotImplementedError

    def lose(self, session: str) -> None:
        """An event of the session could not be recorded: from its next event on its past is LOST. Raises StoreError.

        Needs no transaction, so that it works while the store is busy.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Give up the connection; never raises."""


def failure(word: str, text: str) -> StoreError:
    """The exception for a stable word and its explanation."""
    return StoreError(f"{word}: {text}")
