"""The job queues and their lengths."""

from typing import Final

import redis

BOTS: Final = "bots"  # turns of house bots in games with players
BOT_GAMES: Final = "bot-games"  # turns in games that house bots play alone
ANALYSES: Final = "analyses"  # long computations
QUEUES: Final = (BOTS, BOT_GAMES, ANALYSES)
BACKGROUND: Final = (BOT_GAMES, ANALYSES)  # no player waits for these; their workers yield the processor to others
WEBHOOKS: Final = "webhooks"  # messages to other servers: no queue in Redis, the database says what is due
WORKERS: Final = (*QUEUES, WEBHOOKS)
WEBHOOK_WORKERS: Final = "cabildo:webhooks:"


def waiting_jobs(client: redis.Redis) -> dict[str, int]:
    """Returns the number of waiting jobs in each queue."""
    return {queue: client.llen(f"rq:queue:{queue}") for queue in QUEUES}


def failed_jobs(client: redis.Redis) -> dict[str, int]:
    """Returns the number of recently failed jobs in each queue; the sweep enqueues due work again."""
    return {queue: client.zcard(f"rq:failed:{queue}") for queue in QUEUES}


def unfinished_jobs(client: redis.Redis, queue: str) -> int:
    """Returns the number of jobs of a queue that wait or run."""
    return client.llen(f"rq:queue:{queue}") + client.zcard(f"rq:wip:{queue}")


def worker_key(queue: str, name: str) -> str:
    """Returns the Redis key that a worker of a queue keeps while it runs."""
    return f"{WEBHOOK_WORKERS}{name}" if queue == WEBHOOKS else f"rq:worker:{name}"
