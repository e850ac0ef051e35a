"""Several keepers, databases that lose their newest events, and a list of everything that was ever published."""

import base64
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
from psycopg import sql

from events.chain import link
from events.errors import CabildoError
from events.event import START
from events.log.leaves import leaf_hashes
from events.log.signing_gate import is_open
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import COSIGNATURE, Note, SigningKey
from events.merkle.policy import Policy
from events.merkle.tree import Tree
from events.store.connections import connect
from events.store.postgres import write
from service.proof.witness import Witness, serve
from tests.support.databases import Databases
from tests.support.events.filled_store import created, ignoring_guards, resigned
from tests.support.events.keeper_turns import BROKEN, ENDED, STOPPED, Turn, Turns, shown
from tests.support.service.object_server import ACCESS_KEY, BUCKET, REGION, SECRET_KEY, Objects, object_server

SEED: Final = bytes(range(32))
ORIGIN: Final = "127.0.0.1:8080/log"
NODES: Final = ("a", "b", "c")
TABLES: Final = ("origins", "events", "log", "outbox", "checkpoints", "cosignatures", "gates", "publications")
NUMBERED: Final = "SELECT setval(pg_get_serial_sequence(%s, 'number'), coalesce(max(number), 0) + 1) FROM {}"
PUBLIC: Final = ("checkpoint", "checkpoint.witnessed", "claim")

Rows = Mapping[str, bytes]  # the rows of each table, as a backup holds them


class Published(NamedTuple):
    """A checkpoint that was shown to anybody, with the entries that its root stands for."""

    checkpoint: Checkpoint
    leaves: tuple[bytes, ...]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_values: Any) -> None:
        """Says nothing."""


class World:
    """The databases, the nodes and what they share: nothing, a directory, a bucket, their addresses, or witnesses."""

    def __init__(self, databases: Databases, turns: Turns, root: Path, link_of_keepers: str) -> None:
        self._databases, self._turns, self._root = databases, turns, root
        self._stack = ExitStack()
        self.kind = link_of_keepers
        self.nodes = NODES[:1] if link_of_keepers == "alone" else NODES
        self._databases_ever: list[str] = []  # a keeper that was stopped may go on with one that nobody else has
        self.alive = [self._new_database()]
        self.backups: list[Rows] = []
        self.published: dict[tuple[int, bytes], Published] = {}
        self.stopped: list[int] = []
        self.outcomes: list[str] = []
        self._objects: Objects | None = None
        self._witnesses: list[Witness] = []
        self._variables = {node: self._environ(node) for node in self.nodes}
        getattr(self, f"_share_{link_of_keepers}")()

    def close(self) -> None:
        while self.stopped:
            self._turns.go_on(self.stopped.pop())
        self._stack.close()

    @property
    def primary(self) -> str:
        """The address of the database that clients are sent to."""
        return self.alive[-1]

    def play(self, number: int, count: int, url: str) -> None:
        """Writes a stream; the gate may refuse it."""
        stream = UUID(int=number << 64 | 1)
        drafts = [created(), *(resigned() for _ in range(count - 1))]
        with connect(url) as connection, suppress(CabildoError, psycopg.DatabaseError):
            write(connection, list(link(stream, START, drafts)), None, b"", ())

    def keep(self, node: str, url: str, kill: int = 0, stop: int = 0) -> str:
        """One turn of a node's keeper; returns how it went."""
        how, process = self._turns.run(self._turn(node, url)._replace(kill=kill, stop=stop))
        self._note(how, process)
        return how

    def go_on(self, number: int) -> None:
        """Lets a stopped keeper go on, whatever has happened since."""
        process = self.stopped.pop(number)
        self._note(self._turns.go_on(process), process)

    def back_up(self) -> None:
        """Backs up the database."""
        with psycopg.connect(self.primary) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            rows = {}
            for table in TABLES:
                statement = sql.SQL("COPY (SELECT * FROM {}) TO STDOUT").format(sql.Identifier(table))
                with connection.cursor().copy(statement) as copy:
                    rows[table] = b"".join(bytes(piece) for piece in copy)
            self.backups.append(rows)

    def restore(self, number: int, *, keeping: bool) -> None:
        """Promotes a database that ends at a backup; the old one lives on where it was not stopped."""
        url = self._new_database()
        with ignoring_guards(url) as connection:
            connection.execute("SET session_replication_role = replica")
            connection.execute("DELETE FROM gates")
            for table, data in self.backups[number].items():
                with connection.cursor().copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))) as copy:
                    copy.write(data)
            for table in ("outbox", "gates"):
                connection.execute(sql.SQL(NUMBERED).format(sql.Identifier(table)), (table,))
        self.alive = [*self.alive, url] if keeping else [url]

    def recover(self, node: str) -> bool:
        """The operator brings lost events back, while no keeper runs; returns whether that was possible."""
        with connect(self.primary) as connection:
            if is_open(connection):
                return False
        how, process = self._turns.run(self._turn(node, self.primary)._replace(recovers=True))
        self._note(how, process)
        return how == ENDED

    def copy_files(self, node: str) -> None:
        """Backs up the files of a node."""
        if (self._root / node).exists():
            shutil.rmtree(self._root / f"copy of {node}", ignore_errors=True)
            shutil.copytree(self._root / node, self._root / f"copy of {node}")

    def stale_files(self, node: str) -> None:
        """Puts the backup of a node's files back."""
        if (self._root / f"copy of {node}").exists():
            shutil.rmtree(self._root / node, ignore_errors=True)
            shutil.copytree(self._root / f"copy of {node}", self._root / node)

    def knows_all(self) -> bool:
        """Whether the primary holds all that was published, and the files of the nodes show it."""
        if not self.published:
            return True
        newest = max(self.published.values(), key=lambda one: one.checkpoint.size)
        return newest.leaves == self._leaves(self.primary)[: len(newest.leaves)] and any(
            found.size == newest.checkpoint.size for found in self._shown_by_files()
        )

    def check(self) -> None:
        """All that was ever published is one history."""
        chain = sorted(self.published.values(), key=lambda one: one.checkpoint.size)
        for one in chain:
            for other in chain:
                if one.checkpoint.size <= other.checkpoint.size:
                    assert other.leaves[: one.checkpoint.size] == one.leaves, (one.checkpoint, other.checkpoint)

    def _turn(self, node: str, url: str) -> Turn:
        return Turn(self._variables[node] | {"DATABASE_URL": url}, str(self._root / "journal"))

    def _note(self, how: str, process: int) -> None:
        assert how != BROKEN
        self.outcomes.append(how)
        if how == STOPPED:
            self.stopped.append(process)
        self._collect()

    def _collect(self) -> None:
        texts = [text for _, _, text in shown(self._root / "journal")]
        places = [self._root / node / "public" / "log" for node in self.nodes] + [self._root / "shared" / "log"]
        texts += [(place / name).read_text() for place in places for name in PUBLIC if (place / name).exists()]
        if self._objects is not None:
            texts += [data.decode() for name, data in self._objects.history if name.rpartition("/")[2] in PUBLIC]
        if self._witnesses:
            texts = [text for text in texts if self._is_witnessed(text)]
        for text in texts:
            found = Checkpoint.parse(Note.parse(text.encode()).text)
            if (found.size, found.root) not in self.published:
                self.published[found.size, found.root] = Published(found, self._entries_of(found))

    def _entries_of(self, found: Checkpoint) -> tuple[bytes, ...]:
        for url in reversed(self._databases_ever):
            leaves = self._leaves(url)[: found.size]
            if Tree(leaves).root() == found.root:
                return leaves
        raise AssertionError(f"no database holds what {found} stands for")

    def _leaves(self, url: str) -> tuple[bytes, ...]:
        with psycopg.connect(url) as connection:
            row = connection.execute("SELECT coalesce(max(idx) + 1, 0) FROM log").fetchone()
            return tuple(leaf_hashes(connection, 0, row[0] if row else 0))

    def _shown_by_files(self) -> Iterator[Checkpoint]:
        for node in self.nodes:
            for name in PUBLIC:
                if (file := self._root / node / "public" / "log" / name).exists():
                    yield Checkpoint.parse(Note.parse(file.read_bytes()).text)

    def _is_witnessed(self, text: str) -> bool:
        return Policy.parse(self._policy()).judge(Note.parse(text.encode())).quorum

    def _new_database(self) -> str:
        url = self._stack.enter_context(self._databases.migrated())
        with ignoring_guards(url) as connection:
            connection.execute("DELETE FROM gates")
        self._databases_ever.append(url)
        return url

    def _environ(self, node: str) -> dict[str, str]:
        key = base64.b64encode(SEED).decode()
        return {
            "DATABASE_URL": "postgresql://set later",
            "REDIS_URL": "redis://127.0.0.1:1/none",
            "CABILDO_DATA_DIR": str(self._root / node),
            "CABILDO_MASTER_KEY": key,
            "CABILDO_LOG_KEY": key,
        }

    def _set_for_all(self, **variables: str) -> None:
        for environ in self._variables.values():
            environ.update(variables)

    def _share_alone(self) -> None:
        """One keeper: nothing is shared."""

    def _share_directory(self) -> None:
        place = str(self._root / "shared")
        self._set_for_all(CABILDO_LOG_STORE=f"{place}/log", CABILDO_ARCHIVE_STORE=f"{place}/archive")

    def _share_bucket(self) -> None:
        url, self._objects = self._stack.enter_context(object_server())
        self._set_for_all(
            CABILDO_LOG_STORE=f"s3://{BUCKET}/log",
            CABILDO_ARCHIVE_STORE=f"s3://{BUCKET}/archive",
            AWS_ENDPOINT_URL=url,
            AWS_ACCESS_KEY_ID=ACCESS_KEY,
            AWS_SECRET_ACCESS_KEY=SECRET_KEY,
            AWS_REGION=REGION,
        )

    def _share_peers(self) -> None:
        urls = {node: self._stack.enter_context(self._serving(node)) for node in self.nodes}
        for node, environ in self._variables.items():
            environ["CABILDO_LOG_PEERS"] = " ".join(url for other, url in urls.items() if other != node)

    def _share_witnesses(self) -> None:
        log_key = SigningKey.from_seed(ORIGIN, SEED)
        lines = []
        for number in range(3):
            key = SigningKey.from_seed(f"witness {number}".replace(" ", "-"), bytes([number]) * 32, COSIGNATURE)
            self._witnesses.append(Witness(self._root / f"witness-{number}", key, {ORIGIN: [log_key.verifier]}))
            url = self._stack.enter_context(_running(serve(self._witnesses[-1], "127.0.0.1", 0)))
            lines.append(f"witness w{number} {key.verifier} {url}\n")
        (self._root / "policy").write_text("".join(lines) + "group g 2 w0 w1 w2\nquorum g\n")
        self._set_for_all(CABILDO_LOG_POLICY=str(self._root / "policy"))

    def _policy(self) -> bytes:
        log_key = SigningKey.from_seed(ORIGIN, SEED).verifier
        return f"log {log_key}\n".encode() + (self._root / "policy").read_bytes()

    @contextmanager
    def _serving(self, node: str) -> Iterator[str]:
        """Serves the public files of a node, as its web server does."""
        public = self._root / node / "public"
        public.mkdir(parents=True)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(public)))
        with _running(server) as url:
            yield f"{url}/log"


@contextmanager
def _running(server: ThreadingHTTPServer) -> Iterator[str]:
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()
