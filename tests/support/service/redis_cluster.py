"""A Redis Cluster of three nodes on this machine."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import redis

from deploy.bench.temporary_service import free_ports
from deploy.local.processes import Process, ServerProgram
from deploy.local.stores import answers_ping
from tests.support.lifelines import bound
from tests.support.running_program import eventually

SLOTS = 16_384
HIGHEST = 50_000  # port; the nodes talk to one another on a port that is 10,000 higher


class Node(NamedTuple):
    """One node of a cluster."""

    port: int
    program: ServerProgram

    @property
    def url(self) -> str:
        """Returns the address of the node alone."""
        return f"redis://127.0.0.1:{self.port}"


class RedisCluster:
    """Three masters that share the slots."""

    def __init__(self, program: Path, directory: Path) -> None:
        ports = [port for port in free_ports(30) if port < HIGHEST][:3]
        self.nodes = [_node(program, directory, port) for port in ports]
        self._processes: dict[int, Process] = {}

    @property
    def url(self) -> str:
        """Returns the address of the cluster."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def start(self, node: Node) -> None:
        """Starts a node, which takes its slots up again."""
        process = self._processes[node.port] = Process(node.program)
        process.wait_ready()

    def kill(self, node: Node) -> None:
        """Ends a node at once, as a lost machine does."""
        process = self._processes.pop(node.port)
        os.kill(process.pid, signal.SIGKILL)
        process.stop()

    def stop(self) -> None:
        """Stops the nodes that run."""
        for process in self._processes.values():
            process.stop()

    def share_slots(self) -> None:
        """Makes the nodes known to one another and shares the slots among them."""
        first, *_ = self.nodes
        bounds = [SLOTS * at // len(self.nodes) for at in range(len(self.nodes) + 1)]
        for node, (begin, end) in zip(self.nodes, pairwise(bounds), strict=True):
            with redis.Redis.from_url(node.url) as client:
                client.execute_command("CLUSTER", "ADDSLOTS", *range(begin, end))
                client.execute_command("CLUSTER", "MEET", "127.0.0.1", first.port)
        assert all(eventually(partial(self.is_whole, node)) for node in self.nodes)

    def is_whole(self, node: Node) -> bool:
        """Returns whether a node knows of all nodes and slots."""
        with redis.Redis.from_url(node.url) as client:
            told = client.execute_command("CLUSTER INFO")
        return told["cluster_state"] == "ok" and int(told["cluster_known_nodes"]) == len(self.nodes)


@contextmanager
def redis_cluster(program: Path, directory: Path) -> Iterator[RedisCluster]:
    """A cluster that answers, for a while."""
    cluster = RedisCluster(program, directory)
    with ExitStack() as ending:
        ending.callback(cluster.stop)
        for node in cluster.nodes:
            cluster.start(node)
        cluster.share_slots()
        yield cluster


def _node(program: Path, directory: Path, port: int) -> Node:
    folder = directory / str(port)
    folder.mkdir()
    clustered = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--save", "")
    command = (str(program), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), *clustered)
    ready = partial(answers_ping, f"redis://127.0.0.1:{port}")
    return Node(port, ServerProgram(f"redis-{port}", bound(command), folder / "log", ready))
