"""Channels of wake-ups in Redis: one for each topic, so that a process hears only the topics it follows.

On a Redis Cluster of version 7 a message stays on the node of its channel (sharded pub/sub). Elsewhere the channels are
plain; the nodes of an older cluster pass each message on to one another.
"""

import threading
from collections.abc import Collection, Iterable
from typing import Any, Final, Protocol
from urllib.parse import unquote, urlsplit

import redis
from redis.cluster import ClusterNode, RedisCluster

from service.core.redis_connections import host_and_port, open_redis
from service.setting_parsers import CLUSTER

PREFIX: Final = "cabildo:wake:"
SHARDED_SINCE: Final = 7  # the version of Redis
WOKEN: Final = ("subscribe", "ssubscribe", "message", "smessage")


class Inbox(Protocol):
    """The subscriptions of one process; for one thread."""

    def follow(self, topics: Collection[str]) -> None:
        """Subscribes to topics; each is heard once when its subscription begins."""

    def leave(self, topics: Collection[str]) -> None:
        """Ends subscriptions."""

    def heard(self, timeout: float) -> str | None:
        """Returns the topic of the next wake-up, or None after a time."""

    def close(self) -> None:
        """Ends all subscriptions."""


class WakeChannels:
    """Publishes and hears wake-ups; opened with the first use."""

    def __init__(self, url: str, **options: Any) -> None:
        self._url = url
        self._options = options
        self._lock = threading.Lock()
        self._client: redis.Redis | RedisCluster | None = None
        self._is_sharded = False

    def publish(self, topics: Iterable[str]) -> None:
        """Wakes the followers of topics, in all processes. Raises redis.RedisError."""
        client = self._opened()
        try:
            if isinstance(client, RedisCluster) and not self._is_sharded:
                client = client.get_primaries()[0].redis_connection  # any node passes them on
            sending = client.pipeline() if isinstance(client, RedisCluster) else client.pipeline(transaction=False)
            for topic in topics:
                sending.execute_command("SPUBLISH" if self._is_sharded else "PUBLISH", channel_of(topic), "")
            sending.execute()
        except redis.RedisError:
            self._reopen()
            raise

    def listen(self) -> Inbox:
        """Returns an inbox without subscriptions. Raises redis.RedisError."""
        self._reopen()  # the nodes of a cluster may have changed
        client: Any = self._opened()
        return _ShardedInbox(client.pubsub()) if self._is_sharded else _PlainInbox(client.pubsub())

    def close(self) -> None:
        """Closes the connections."""
        with self._lock:
            if self._client is not None:
                self._client.close()

    def _opened(self) -> "redis.Redis | RedisCluster":
        with self._lock:
            if self._client is None:
                self._client, self._is_sharded = open_channels(self._url, **self._options)
            return self._client

    def _reopen(self) -> None:
        """Asks the nodes of a cluster anew which of them holds what, before the next use."""
        with self._lock:
            if isinstance(self._client, RedisCluster):
                self._client = None


class _PlainInbox:
    """Subscriptions on one server, or on one node that hears from the others."""

    def __init__(self, pubsub: Any) -> None:
        self._pubsub = pubsub

    def follow(self, topics: Collection[str]) -> None:
        """Subscribes to topics."""
        self._pubsub.subscribe(*map(channel_of, topics))

    def leave(self, topics: Collection[str]) -> None:
        """Ends subscriptions."""
        self._pubsub.unsubscribe(*map(channel_of, topics))

    def heard(self, timeout: float) -> str | None:
        """Returns the topic of the next wake-up, or None after a time."""
        return _topic_of(self._pubsub.get_message(timeout=timeout))

    def close(self) -> None:
        """Ends all subscriptions."""
        self._pubsub.close()


class _ShardedInbox(_PlainInbox):
    """Subscriptions on the nodes of a cluster that hold the channels."""

    def __init__(self, pubsub: Any) -> None:
        super().__init__(pubsub)
        self._idle = threading.Event()

    def follow(self, topics: Collection[str]) -> None:
        """Subscribes to topics."""
        self._pubsub.ssubscribe(*map(channel_of, topics))

    def leave(self, topics: Collection[str]) -> None:
        """Ends subscriptions."""
        self._pubsub.sunsubscribe(*map(channel_of, topics))

    def heard(self, timeout: float) -> str | None:
        """Returns the topic of the next wake-up; the nodes are asked in turn."""
        nodes = len(self._pubsub.node_pubsub_mapping)
        if not nodes:
            self._idle.wait(timeout)
            return None
        return _topic_of(self._pubsub.get_sharded_message(timeout=timeout / nodes))


def open_channels(url: str, **options: Any) -> "tuple[redis.Redis | RedisCluster, bool]":
    """Returns a client of a server, a master of Sentinels or a cluster, and whether its channels are sharded."""
    if not url.startswith(f"{CLUSTER}://"):
        return open_redis(url, retry=None, **options), False
    access, _, hosts = urlsplit(url).netloc.rpartition("@")
    user, _, password = (unquote(part) or None for part in access.partition(":"))
    nodes = [ClusterNode(*host_and_port(host)) for host in hosts.split(",")]
    client = RedisCluster(startup_nodes=nodes, username=user, password=password, **options)
    version: str = client.info("server", target_nodes=RedisCluster.RANDOM)["redis_version"]
    return client, int(version.split(".")[0]) >= SHARDED_SINCE


def channel_of(topic: str) -> str:
    """Returns the channel of a topic."""
    return PREFIX + topic


def _topic_of(message: Any) -> str | None:
    if message is None or message["type"] not in WOKEN:
        return None
    channel: str = message["channel"].decode(errors="replace")
    return channel.removeprefix(PREFIX)
