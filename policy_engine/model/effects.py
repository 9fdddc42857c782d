"""The words for what a command does beside touching paths, and a tuple that may have members nobody knows.

The words are a closed set: a program's model chooses among them, a policy asks for them (`c.effects contains
"network"`). Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EFFECTS = {
    "network": "it fetches or sends data over the network",
    "executes": "it runs code that it is given: a file, a text, another program",
    "executes-input": "it runs what it reads from its standard input as code",
    "executes-remote": "it runs code that it fetched or decoded itself",
    "decodes": "it prints text that it made from encoded or scrambled data",
    "elevates": "it runs something with more rights than the user has",
    "publishes": "it puts a package, an image or a release where others get it",
    "configures": "it changes what later commands or sessions do: settings, services, aliases, schedules",
    "formats": "it formats, overwrites or partitions a device, or brings the machine down",
    "kills": "it ends or stops processes",
    "destroys": "it deletes for good what lies elsewhere: databases, volumes, clusters, resources of a cloud",
    "adds-packages": "it installs packages that its words name, others' code",
    "foreign-packages": "it installs packages from where neither a registry of everybody nor a committed file says",
    "deploys": "it changes what runs for others: services, infrastructure, releases of an application",
    "exposes": "it opens a way in: a port, a tunnel, a share that others can read",
    "sends": "it hands data or messages to others: uploads, comments, mail, pushes",
    "discards": "it throws away git work that cannot be brought back",
    "skips-hooks": "it leaves out, disables or replaces git hooks",
    "discloses": "it prints secrets, or an environment that may hold some",
    "unguarded-agent": "it starts a coding agent without hooks or approval",
    "controls-engine": "it changes the policy engine: its trust, its installation, its daemon",
}
"""Effect → what it means, as the reference prints it."""

HARMLESS = frozenset(("network", "executes", "executes-input", "decodes", "configures", "kills"))
"""Effects that a command may have and be suggested to be allowed; every other one forbids it."""
APPROVABLE = HARMLESS - {"executes-input", "configures", "kills"}
"""Effects that a command may have which is approved by its first words."""

ANY = "*"


LISTED = "it acts upon processes that it looks for among all, and one of them may keep this session"
OF_HEAD = "which branches are forced depends on what is checked out and configured"
OF_HEAD_NOW = "which branches are forced depends on the branch and the settings at that time"
"""Why it is not known which branch of a remote is rewritten, until git is asked."""


class OpenTuple(tuple[str, ...]):
    """A tuple of texts of which more may belong: asking for one that may is undecided, `in` never guesses.

    `doubts` maps a text (ANY: every text) to the reason why nobody knows whether it belongs.
    """

    doubts: dict[str, str]

    @classmethod
    def of(cls, known: Iterable[str], doubts: dict[str, str]) -> OpenTuple:
        """The known members and the doubts about others."""
        made = cls(known)
        made.doubts = doubts
        return made

    def __iter__(self) -> Iterator[str]:
        """The known members; raises Undecided after them if any text may belong too."""
        yield from super().__iter__()
        if ANY in self.doubts:
            raise Undecided(self.doubts[ANY])

    def __str__(self) -> str:
        return ", ".join(super().__iter__())

    def __contains__(self, word: object) -> bool:
        """Return whether the text is known to belong. Raises Undecided where that is in doubt."""
        if super().__contains__(word):
            return True
        reason = self.doubts.get(word) if type(word) is str else None
        reason = reason or self.doubts.get(ANY)
        if reason is not None:
            raise Undecided(reason)
        return False
