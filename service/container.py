"""The container of dependencies: all that a use case needs besides its own data, created once per process."""

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
from service.webhooks.deliveries import WebhookSender

MASTER = "1"  # the id of the master key in sealed secrets
CLOSING_SECONDS = 5.0  # how long pending announcements may take when a process ends


@dataclass(frozen=True)
class Container:
    """The dependencies of the use cases; routes, jobs and the keeper's duties pass them on."""

    settings: Settings
    stores: Stores
    now: Callable[[], int]
    authenticator: Authenticator
    shelf: Repository
    announcer: Announcer
    clerk: CommandHandler
    desk: Desk
    deals: SharedDeals
    receipts: Receipts
    event_cache: EventCache
    studies: Studies
    seed_vault: SeedVault

    def webhook_sender(self) -> WebhookSender:
        """Returns a sender of webhook deliveries."""
        return WebhookSender(self.stores.pool, self.seed_vault, anywhere=self.settings.calls_anywhere)

    def time_budget(self) -> TimeBudget:
        """Returns the time budget of an analysis or import that begins now."""
        return TimeBudget(self.settings.question_seconds, time.monotonic)

    def close(self) -> None:
        """Ends the streams, publishes pending announcements and closes the stores."""
        self.event_cache.close()
        self.announcer.told(CLOSING_SECONDS)
        self.stores.close()


def open_container(settings: Settings, name: str, now: Callable[[], int] = clock.now) -> Container:
    """Creates the container of a process over its own connections; `name` is shown in PostgreSQL's and Redis' lists."""
    stores = Stores(settings, name)
    seed_vault, log = SeedVault({MASTER: bytes(settings.master_key)}, MASTER), OwnLog(settings, stores.pool)
    shelf = Repository(stores.pool, seed_vault, log.newest_tree)
    announcer, lock = Announcer(stores.redis), StreamLock(stores.pool)
    desk = Desk(stores.pool, seed_vault, now, announcer.ring, lock)
    return Container(
        settings=settings,
        stores=stores,
        now=now,
        authenticator=Authenticator(stores.pool, now),
        shelf=shelf,
        announcer=announcer,
        clerk=CommandHandler(shelf, announcer, now, lock),
        desk=desk,
        deals=SharedDeals(stores.pool, desk),
        receipts=Receipts(settings, log),
        event_cache=EventCache(shelf.book, PubSub(stores.redis)),
        studies=Studies(stores.pool, now, lock),
        seed_vault=seed_vault,
    )
