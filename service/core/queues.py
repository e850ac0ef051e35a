"""The queues of jobs that run elsewhere: what they are for, and how many jobs are in them."""

from typing import Final

import redis

BOTS: Final = "bots"  # turns of the house's bots
ANALYSES: Final = "analyses"  # what may take long
WEBHOOKS: Final = "webhooks"  # what waits for others
QUEUES: Final = (BOTS, ANALYSES, WEBHOOKS)


def waiting_jobs(client: redis.Redis) -> dict[str, int]:
    """How many jobs wait in each queue."""
    return {queue: client.llen(f"rq:queue:{queue}") for queue in QUEUES}


def failed_jobs(client: redis.Redis) -> dict[str, int]:
    """How many jobs of each queue have failed for good lately; what is still due is called again all the same."""
    return {queue: client.zcard(f"rq:failed:{queue}") for queue in QUEUES}
