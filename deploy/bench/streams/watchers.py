"""Processes that hold thousands of streams each: raw sockets from several addresses, one poller, no threads."""

import multiprocessing
import re
import resource
import select
import signal
import socket
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Final, NamedTuple

import click

PROCESSES: Final = 2
OF_ONE_ADDRESS: Final = 4_000  # watchers; each address has some 28,000 ports
CONNECTING: Final = 100  # at once
PIECE: Final = 65_536
LONGEST_LINE: Final = 100  # bytes that may hold the beginning of a number
SEQ: Final = re.compile(rb'\n\{[^\n]{0,60}?"seq":(\d+),')
CONNECT_WITHIN: Final = 300.0
SPARE: Final = 100  # open files that are no watchers
PAUSE: Final = 0.05


class Watched(NamedTuple):
    """A game and how many of one process watch it."""

    game: str
    after: int
    address: tuple[str, int]
    watchers: int


class Heard(NamedTuple):
    """What the watchers of one process have of one event: when each received it."""

    game: str
    seq: int
    times: Sequence[float]


class Faults(NamedTuple):
    """What went wrong for the watchers of one process."""

    gaps: int  # events that were missing or came twice
    closed: int  # streams that the server ended


def allow_connections(number: int) -> None:
    """Raises the limit of open files. Raises UsageError when the system allows too few."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    needed = number + SPARE
    if most != resource.RLIM_INFINITY and most < needed:
        raise click.UsageError(f"{number} connections of a process need {needed} open files; this system allows {most}")


class WatcherProcesses:
    """Some processes of watchers, as the measuring process sees them."""

    def __init__(self, watched: Sequence[Watched]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes = []
        for number in range(PROCESSES):
            shares = [one._replace(watchers=_share(one.watchers, number, place)) for place, one in enumerate(watched)]
            here, there = context.Pipe()
            process = context.Process(target=watch, args=(number, shares, there), daemon=True)
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)

    def connected(self) -> float:
        """Waits until all watch. Returns the seconds it took. Raises RuntimeError."""
        began = time.perf_counter()
        for pipe in self._pipes:
            if not pipe.poll(CONNECT_WITHIN) or pipe.recv() != "watching":
                raise RuntimeError("the watchers did not come")
        return time.perf_counter() - began

    def heard(self, number: int, within: float) -> list[Heard]:
        """Returns what was received of so many watchers' events, or as many as came in time."""
        found: list[Heard] = []
        until = time.perf_counter() + within
        while number > 0 and (left := until - time.perf_counter()) > 0:
            for pipe in wait(self._pipes, left):
                assert isinstance(pipe, Connection)
                one: Heard = pipe.recv()
                found.append(one)
                number -= len(one.times)
        return found

    def leave(self) -> Faults:
        """Lets all watchers hang up. Returns what went wrong."""
        found = []
        for pipe in self._pipes:
            pipe.send("leave")
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            while pipe.poll(CONNECT_WITHIN):
                if isinstance(said := pipe.recv(), Faults):
                    found.append(said)
                    break
            process.join(CONNECT_WITHIN)
        return Faults(*(sum(values) for values in zip(*found, strict=True)))

    def kill(self) -> None:
        """Ends the processes, whatever they do."""
        for process in self._processes:
            process.kill()


def _share(watchers: int, number: int, place: int) -> int:
    """Returns how many of the watchers of a game belong to one process."""
    return watchers // PROCESSES + ((number + place) % PROCESSES < watchers % PROCESSES)


class Watcher:
    """One stream."""

    __slots__ = ("game", "rest", "seq", "sock")

    def __init__(self, sock: socket.socket, game: int, seq: int) -> None:
        self.sock = sock
        self.game = game
        self.seq = seq
        self.rest = b"\n"


def watch(number: int, watched: Sequence[Watched], pipe: Connection) -> None:
    """Runs in a process of its own: connects, and tells of each event when all of this process have it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    allow_connections(sum(one.watchers for one in watched))
    try:
        crowd = WatcherCrowd(number, watched)
    except (OSError, RuntimeError) as fault:
        pipe.send(str(fault))
        return
    pipe.send("watching")
    while not pipe.poll():
        for heard in crowd.turn():
            pipe.send(heard)
    pipe.send(crowd.leave())


class WatcherCrowd:
    """The watchers of one process."""

    def __init__(self, number: int, watched: Sequence[Watched]) -> None:
        self._watched = watched
        self._poller = select.epoll()
        self._all: dict[int, Watcher] = {}
        self._times: dict[tuple[int, int], list[float]] = {}
        self._gaps = self._closed = 0
        wanted = [place for place, one in enumerate(watched) for _ in range(one.watchers)]
        for begin in range(0, len(wanted), CONNECTING):
            self._connect(wanted[begin : begin + CONNECTING], f"127.0.{number + 1}.{begin // OF_ONE_ADDRESS + 2}")

    def _connect(self, games: Sequence[int], address: str) -> None:
        """Opens some streams at once, and waits for the header of each."""
        opened = []
        for game in games:
            of = self._watched[game]
            sock = socket.create_connection(of.address, CONNECT_WITHIN, (address, 0))
            sock.sendall(
                f"GET /v1/games/{of.game}/events?after={of.after} HTTP/1.1\r\n"
                "Host: bench\r\nAccept: application/x-ndjson\r\n\r\n".encode()
            )
            opened.append(Watcher(sock, game, of.after))
        for one in opened:
            answer = one.sock.recv(PIECE)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(answer[:200].decode(errors="replace"))
            one.sock.setblocking(False)
            self._all[one.sock.fileno()] = one
            self._poller.register(one.sock.fileno(), select.EPOLLIN)

    def turn(self) -> list[Heard]:
        """Reads what has arrived. Returns the events that all have now."""
        complete = []
        for file, _ in self._poller.poll(PAUSE, maxevents=len(self._all) + 1):
            one = self._all[file]
            for seq in self._read(one):
                times = self._times.setdefault((one.game, seq), [])
                times.append(time.perf_counter())
                if len(times) == self._watched[one.game].watchers:
                    del self._times[one.game, seq]
                    complete.append(Heard(self._watched[one.game].game, seq, times))
        return complete

    def _read(self, one: Watcher) -> list[int]:
        try:
            data = one.sock.recv(PIECE)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self._poller.unregister(one.sock.fileno())
            self._closed += 1
            return []
        data = one.rest + data
        begun = data[data.rfind(b"\n") :] if b"\n" in data else data
        one.rest = b"" if SEQ.search(begun) else begun[:LONGEST_LINE]
        seqs = [int(seq) for seq in SEQ.findall(data)]
        for seq in seqs:
            self._gaps += seq != one.seq + 1
            one.seq = seq
        return seqs

    def leave(self) -> Faults:
        """Hangs up."""
        for one in self._all.values():
            one.sock.close()
        return Faults(self._gaps, self._closed)
