"""The tests of wake-ups on a cluster of Redis 7, whose channels are sharded: `deploy/test --cluster` runs them."""

import shutil
from pathlib import Path

import pytest

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
    found = shutil.which("redis-server", path="/usr/bin:/usr/local/bin")
    assert found is not None, "install redis-server"
    return Path(found)


def test_the_channels_are_sharded(cluster: RedisCluster) -> None:
    client, is_sharded = open_channels(cluster.url)
    assert is_sharded
    client.close()
