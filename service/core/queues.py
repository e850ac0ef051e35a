"""The job queues and their lengths."""

from typing import Final

import redis

BOTS: Final = "bots"  # turns of house bots in games with players
BOT_GAMES: Final = "bot-games"  # turns in games that house bots play alone
ANALYSES: Final = "analyses"  # long computations
WEBHOOKS: Final = "webhooks"  # calls to other servers
QUEUES: Final = (BOTS, BOT_GAMES, ANALYSES, WEBHOOKS)
BACKGROUND: Final = (BOT_GAMES, ANALYSES)  # no player waits for these; their workers yield the processor to others


def waiting_jobs(client: redis.Redis) -> dict[str, int]:
    """Returns the number of waiting jobs in each queue."""
    return {queue: client.llen(f"rq:queue:{queue}") for queue in QUEUES}


def failed_jobs(client: redis.Redis) -> dict[str, int]:
    """Returns the number of recently failed jobs in each queue; the sweep enqueues due work again."""
    return {queue: client.zcard(f"rq:failed:{queue}") for queue in QUEUES}
