"""What a request needs besides its own data, put together once per process."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from events.store.stream_lock import StreamLock
from projections.games.seed_vault import SeedVault
from projections.rules.time_budget import TimeBudget
from service.core import clock
from service.core.announce import Announcer
from service.core.command_handler import CommandHandler
from service.core.repository import Repository
from service.core.stores import Stores
from service.games.shared_deals import SharedDeals
from service.live.event_cache import EventCache
from service.live.pubsub import PubSub
from service.proof.public_log import OwnLog, Receipts
from service.settings import Settings
from service.studies.repository import Studies
from service.tournaments.repository import Desk
from service.web.auth import Authenticator
from service.webhooks.deliveries import Courier

MASTER = "1"  # the id under which the master key seals
TELL_WITHIN = 5.0  # seconds for what is still to be told at the end


@dataclass(frozen=True)
class Container:
    """The outside of the use cases, handed to them by the routes, the jobs and the keeper's duties."""

    settings: Settings
    stores: Stores
    now: Callable[[], int]
    gate: Authenticator
    shelf: Repository
    announcer: Announcer
    clerk: CommandHandler
    desk: Desk
    deals: SharedDeals
    receipts: Receipts
    feeds: EventCache
    studies: Studies
    box: SeedVault

    def courier(self) -> Courier:
        """Who delivers to webhooks."""
        return Courier(self.stores.pool, self.box, anywhere=self.settings.calls_anywhere)

    def patience(self) -> TimeBudget:
        """How long a question that begins now may be worked on."""
        return TimeBudget(self.settings.question_seconds, time.monotonic)

    def close(self) -> None:
        """Let those who follow take leave, tell what is still to be told, and let go of the stores."""
        self.feeds.close()
        self.announcer.told(TELL_WITHIN)
        self.stores.close()


def open_world(settings: Settings, name: str, now: Callable[[], int] = clock.now) -> Container:
    """The world of a process of this name, over connections of its own."""
    stores = Stores(settings, name)
    box, log = SeedVault({MASTER: bytes(settings.master_key)}, MASTER), OwnLog(settings, stores.pool)
    shelf = Repository(stores.pool, box, log.newest_tree)
    announcer, turns = Announcer(stores.redis), StreamLock(stores.pool)
    desk = Desk(stores.pool, box, now, announcer.ring, turns)
    deals = SharedDeals(stores.pool, desk)
    feeds = EventCache(shelf.book, PubSub(stores.redis))
    clerk = CommandHandler(shelf, announcer, now, turns)
    gate, receipts = Authenticator(stores.pool, now), Receipts(settings, log)
    studies = Studies(stores.pool, now, turns)
    return Container(settings, stores, now, gate, shelf, announcer, clerk, desk, deals, receipts, feeds, studies, box)
