"""May this keeper sign here? Known facts lead to yes, no, or doubt, by one table of which the first fitting row counts.

A database forgets when it is restored or promoted, and the files of one keeper do not know what another one published.
A wrong yes signs a second history under the same key, so that everything short of knowledge is a doubt.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple


class Relation(Enum):
    """What a source outside the database knows of the log, compared with the database."""

    CONTRADICTS = "shows another history, or more than the database holds"
    COVERS = "agrees, and knows all that the database knows to be published"
    BEHIND = "agrees, and knows less than the database knows to be published"
    EMPTY = "has no checkpoint"
    SILENT = "cannot be asked, or answers with something else than a checkpoint of this log"


class Verdict(Enum):
    """The answer to: may this keeper sign here?"""

    YES = "yes"
    NO = "no"
    DOUBT = "doubt"


class SigningFacts(NamedTuple):
    """All that a keeper knows before it signs for the first time."""

    is_known: bool = False  # the gate is open: this database was compared before, on this server since its start
    has_seals: bool = True  # the database holds a checkpoint of at least one event
    store: Relation | None = None  # the store that all keepers share; None: none is set
    own: Relation | None = None  # the folder of this keeper alone; None: a shared store is set
    others_published: bool = False  # the database knows that another keeper published into a folder of its own
    peers: frozenset[Relation] = frozenset()
    witnesses: frozenset[Relation] = frozenset()
    quorum_answered: bool = False  # no quorum of witnesses is possible without one that answered

    @property
    def everything(self) -> frozenset[Relation | None]:
        """The relations of all sources."""
        return frozenset((self.store, self.own, *self.peers, *self.witnesses))


class Rule(NamedTuple):
    """A row of the table."""

    name: str
    holds: Callable[[SigningFacts], bool]
    verdict: Verdict
    reason: str
    advice: str = ""  # what the operator must do


AGREEING: Final = frozenset((Relation.COVERS, Relation.BEHIND))
ASK_ALL: Final = (
    "name the other keepers in CABILDO_LOG_PEERS or give all of them one CABILDO_LOG_STORE; "
    "if nothing more was published than this database holds: cabildo log open --reason ..."
)
WAIT: Final = "the keeper asks again by itself; to go on without an answer: cabildo log open --reason ..."

RULES: Final = (
    Rule(
        "contradiction",
        lambda facts: Relation.CONTRADICTS in facts.everything,
        Verdict.NO,
        "something else was published than this database holds",
        "on the node with those files: cabildo log recover",
    ),
    Rule("known", lambda facts: facts.is_known, Verdict.YES, "this database was compared before"),
    Rule(
        "witnesses",
        lambda facts: facts.quorum_answered and bool(facts.witnesses & AGREEING),
        Verdict.YES,
        "the witnesses that decide have seen no other history",
    ),
    Rule(
        "store",
        lambda facts: facts.store in AGREEING,
        Verdict.YES,
        "the store of all keepers holds no other history",
    ),
    Rule("silent store", lambda facts: facts.store is Relation.SILENT, Verdict.DOUBT, "the store is silent", WAIT),
    Rule(
        "empty store",
        lambda facts: facts.store is Relation.EMPTY and facts.has_seals,
        Verdict.DOUBT,
        "the store has no checkpoint, and this database has sealed some",
        "see that CABILDO_LOG_STORE names the right place, copy the published files there, "
        "or for a new, empty store: cabildo log open --reason ...",
    ),
    Rule(
        "silent witness", lambda facts: Relation.SILENT in facts.witnesses, Verdict.DOUBT, "a witness is silent", WAIT
    ),
    Rule("silent peer", lambda facts: Relation.SILENT in facts.peers, Verdict.DOUBT, "a peer is silent", WAIT),
    Rule("new log", lambda facts: not facts.has_seals, Verdict.YES, "nothing was sealed or published yet"),
    Rule(
        "peers",
        lambda facts: bool((facts.peers | {facts.own}) & AGREEING) and bool(facts.peers),
        Verdict.YES,
        "no keeper has published another history",
    ),
    Rule(
        "no files",
        lambda facts: facts.own is Relation.EMPTY,
        Verdict.DOUBT,
        "the published files are missing",
        "put the files of public/log back, or " + ASK_ALL,
    ),
    Rule(
        "older files",
        lambda facts: facts.own is Relation.BEHIND,
        Verdict.DOUBT,
        "our own files know less than the database",
        ASK_ALL,
    ),
    Rule(
        "another keeper",
        lambda facts: facts.others_published,
        Verdict.DOUBT,
        "another keeper published too, and cannot be asked",
        ASK_ALL,
    ),
    Rule("own files", lambda facts: facts.own is Relation.COVERS, Verdict.YES, "our own files hold all that is public"),
    Rule("nothing known", lambda _facts: True, Verdict.DOUBT, "no source can be asked", ASK_ALL),
)


def decide(facts: SigningFacts) -> Rule:
    """Returns the first row of the table that holds."""
    return next(rule for rule in RULES if rule.holds(facts))
