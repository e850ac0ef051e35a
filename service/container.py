"""What a request needs besides its own data, put together once per process."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from events.store.stream_lock import Turns
from projections.games.seed_vault import SeedBox
from projections.rules.time_budget import Patience
from service.core import clock
from service.core.announce import Announcer
from service.core.command_handler import Clerk
from service.core.repository import Shelf
from service.core.stores import Stores
from service.games.shared_deals import SharedDeals
from service.live.event_cache import Feeds
from service.live.pubsub import Wakeups
from service.proof.public_log import OwnLog, Receipts
from service.settings import Settings
from service.studies.repository import Studies
from service.tournaments.repository import Desk
from service.web.auth import Gate
from service.webhooks.deliveries import Courier

MASTER = "1"  # the id under which the master key seals
TELL_WITHIN = 5.0  # seconds for what is still to be told at the end


@dataclass(frozen=True)
class World:
    """The outside of the use cases, handed to them by the routes, the jobs and the keeper's duties."""

    settings: Settings
    stores: Stores
    now: Callable[[], int]
    gate: Gate
    shelf: Shelf
    announcer: Announcer
    clerk: Clerk
    desk: Desk
    deals: SharedDeals
    receipts: Receipts
    feeds: Feeds
    studies: Studies
    box: SeedBox

    def courier(self) -> Courier:
        """Who delivers to webhooks."""
        return Courier(self.stores.pool, self.box, anywhere=self.settings.calls_anywhere)

    def patience(self) -> Patience:
        """How long a question that begins now may be worked on."""
        return Patience(self.settings.question_seconds, time.monotonic)

    def close(self) -> None:
        """Let those who follow take leave, tell what is still to be told, and let go of the stores."""
        self.feeds.close()
        self.announcer.told(TELL_WITHIN)
        self.stores.close()


def open_world(settings: Settings, name: str, now: Callable[[], int] = clock.now) -> World:
    """The world of a process of this name, over connections of its own."""
    stores = Stores(settings, name)
    box, log = SeedBox({MASTER: bytes(settings.master_key)}, MASTER), OwnLog(settings, stores.pool)
    shelf = Shelf(stores.pool, box, log.newest_tree)
    announcer, turns = Announcer(stores.redis), Turns(stores.pool)
    desk = Desk(stores.pool, box, now, announcer.ring, turns)
    deals = SharedDeals(stores.pool, desk)
    feeds = Feeds(shelf.book, Wakeups(stores.redis))
    clerk = Clerk(shelf, announcer, now, turns)
    gate, receipts = Gate(stores.pool, now), Receipts(settings, log)
    studies = Studies(stores.pool, now, turns)
    return World(settings, stores, now, gate, shelf, announcer, clerk, desk, deals, receipts, feeds, studies, box)
