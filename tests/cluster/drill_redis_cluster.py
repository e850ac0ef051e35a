"""The tests of wake-ups on a cluster of Redis 7, whose channels are sharded: `deploy/test --cluster` runs them."""

from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from deploy.cluster_drills import find_program
from service.live.wake_channels import open_channels
from tests.service.conftest import environ
from tests.service.live.test_wake_channels import (
    cluster,
    test_a_process_hears_only_its_topics_on_a_cluster,
    test_wake_ups_go_through_a_cluster_of_their_own,
)
from tests.support.service.redis_cluster import RedisCluster

__all__ = [
    "cluster",
    "environ",
    "test_a_process_hears_only_its_topics_on_a_cluster",
    "test_wake_ups_go_through_a_cluster_of_their_own",
]


@pytest.fixture(scope="module")
def program() -> Path:
    """The installed server."""
    found = find_program("redis-server")
    assert found is not None, "install redis-server"
    return found


def test_the_channels_are_sharded(cluster: RedisCluster, record_property: Callable[[str, object], None]) -> None:
    client, is_sharded = open_channels(cluster.url)
    assert is_sharded
    client.close()
    with redis.Redis.from_url(cluster.nodes[0].url) as node:
        version = node.info("server")["redis_version"]
    record_property(
        "told", f"Redis {version}: {len(cluster.nodes)} nodes lost one after the other, wake-ups heard again"
    )
