"""The base class of all errors of the product, and the errors of the event store; each carries its data."""

from uuid import UUID

from events.messages import Message


class CabildoError(Exception):
    """A refusal with a name; the message is a pattern, the values fill its places."""

    def __init__(self, sentence: str = "", /, **values: object) -> None:
        super().__init__(Message(sentence, **values))

    @property
    def words(self) -> Message:
        """The message with its pattern and values."""
        return Message(self.args[0] if self.args else "")


class UnfitJson(CabildoError):
    """The value has no canonical bytes: a float, a duplicate key, a lone surrogate, an integer beyond 2^53."""

    def __init__(self, reason: str, detail: str = "") -> None:
        pattern = "cannot be stored: {reason} ({detail})" if detail else "cannot be stored: {reason}"
        super().__init__(pattern, reason=Message(reason), detail=detail)
        self.reason = reason
        self.detail = detail


class EventTooLarge(CabildoError):
    """An event, or one batch of events, exceeds the limits of the store."""

    def __init__(self, what: str, size: int, limit: int) -> None:
        super().__init__("{what}: {size} is above the limit of {limit}", what=Message(what), size=size, limit=limit)
        self.what = what
        self.size = size
        self.limit = limit


class UnknownKind(CabildoError):
    """This program knows no kind of event of this name and shape."""

    def __init__(self, kind: str, shape: int) -> None:
        super().__init__(f"{kind} in shape {shape} is not a known kind of event")
        self.kind = kind
        self.shape = shape


class UnfitEvent(CabildoError):
    """An event lacks the fields of its kind."""

    def __init__(self, kind: str, field: str, reason: str) -> None:
        super().__init__(f"{kind}.{field}: {reason}")
        self.kind = kind
        self.field = field
        self.reason = reason


class BrokenChain(CabildoError):
    """Events do not follow one another: a number, a link, a hash or a byte is wrong."""

    def __init__(self, stream: UUID | None, seq: int, reason: str) -> None:
        super().__init__(f"event {seq} of {stream or 'an unknown stream'}: {reason}")
        self.stream = stream
        self.seq = seq
        self.reason = reason


class StaleVersion(CabildoError):
    """A version conflict: the stream is at another version, or has another history, than the writer expected."""

    def __init__(self, stream: UUID, version: int, head: bytes) -> None:
        super().__init__("stream {stream} is at version {version}", stream=stream, version=version)
        self.stream = stream
        self.version = version
        self.head = head


class KeyReused(CabildoError):
    """The client used the idempotency key before, for another request."""

    def __init__(self, scope: str, name: str) -> None:
        super().__init__("the key {name!r} of {scope} belongs to another request", name=name, scope=scope)
        self.scope = scope
        self.name = name


class OutcomeUnknown(CabildoError):
    """The connection broke during a write; repeat the request with its key to learn the outcome."""


class CommitOverdue(OutcomeUnknown):
    """A write has no answer in time: the server is silent, or the commit waits for a lost standby."""

    def __init__(self) -> None:
        super().__init__("the write was not confirmed in time; repeat it with the same key to learn its outcome")


class StoreAway(CabildoError):
    """PostgreSQL cannot be reached; nothing was written."""


class LogNotReconciled(CabildoError):
    """The gate is shut: nobody has compared this database with what was published since its server started."""

    def __init__(self) -> None:
        super().__init__(
            "the log of this database is not reconciled with what was published, so nothing is written; "
            "the operator runs cabildo log status, and cabildo log recover where it tells of a loss"
        )


class StreamArchived(CabildoError):
    """The events of a finished game were moved to files; nothing is added to them until the operator restores them."""

    def __init__(self, stream: UUID) -> None:
        super().__init__(
            "{stream} is archived: it can be read and replayed, but nothing is added to it until the operator "
            "restores its month",
            stream=stream,
        )
        self.stream = stream


class StoreSilent(StoreAway):
    """PostgreSQL did not answer for seconds; to try again at once would wait as long."""

    def __init__(self) -> None:
        super().__init__("PostgreSQL gives no answer")


class StoreReadOnly(StoreAway):
    """The database takes no writes: it is a standby, or was switched to read-only."""

    def __init__(self) -> None:
        super().__init__("the database is read-only at the moment: reading works, nothing is written")


class CommitsHang(StoreAway):
    """Commits wait for a standby that is lost; another write would wait, too."""

    def __init__(self) -> None:
        super().__init__("commits wait for a lost standby: reading works, nothing is written")


class PoolerRefused(CabildoError):
    """A pooler stands before the database, and its login has another role than the service's."""

    def __init__(self, role: str, needed: str) -> None:
        super().__init__(
            "DATABASE_URL leads through a pooler such as PgBouncer to sessions of the role {role}; "
            "set the role for good (ALTER ROLE ... SET role = {needed}), and let the pooler connect anew",
            role=role,
            needed=needed,
        )
        self.role = role
        self.needed = needed


class DirectAddressNeeded(CabildoError):
    """A keeper or a command holds locks of a session, which a pooler does not keep."""

    def __init__(self) -> None:
        super().__init__(
            "the address leads through a pooler such as PgBouncer, which keeps no lock of a session; "
            "name the server itself in CABILDO_DIRECT_DATABASE_URL"
        )


class SchemaMismatch(CabildoError):
    """Another version of this program migrated the database, or migrations are missing."""

    def __init__(self, component: str, number: int, reason: str) -> None:
        super().__init__(f"schema of {component}, migration {number:04}: {reason}")
        self.component = component
        self.number = number
        self.reason = reason


class GuardsMissing(CabildoError):
    """The database does not protect its events from being changed."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__("the database does not protect its acts: " + "; ".join(missing))
        self.missing = missing


class NotAllowedToMigrate(CabildoError):
    """The role may not create roles, or does not own the database."""

    def __init__(self, role: str, reason: str = "it is no superuser and may not create roles") -> None:
        super().__init__(
            f"{role} may not migrate: {reason}; let a superuser, or the owner of the database with CREATEROLE, run: "
            "cabildo migrate"
        )
        self.role = role
