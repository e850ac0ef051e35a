"""The container of dependencies: all that a use case needs besides its own data, created once per process."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from events.sealing.vault import Vault
from events.store.stream_lock import StreamLock
from projections.rules.time_budget import TimeBudget
from service.core import clock
from service.core.announce import Announcer
from service.core.commit_watch import CommitWatch
from service.core.outages import Outages
from service.core.quotas import Quotas
from service.core.seeds import SeedStore
from service.core.stores import Stores
from service.core.work_gate import SharedGate
from service.games.command_handler import GameCommandHandler
from service.games.game_repository import GameRepository
from service.games.lists.listed_games import newest_public
from service.games.lists.lobby_state import lobby_state
from service.games.lists.public_lists import NewestGames, PublicLists
from service.games.shared_deals import SharedDeals
from service.live.access import AccessWatch
from service.live.delivery.hub import Hub
from service.live.event_cache import EventCache
from service.live.followed_talks import FollowedTalks
from service.live.lobby_source import FollowedLobby
from service.live.player_source import FollowedPlayers
from service.live.pubsub import PubSub
from service.live.stream_limits import StreamLimits
from service.live.text_watch import TextWatch
from service.operations.queries import HealthMonitor
from service.players.export.capacity import EXPORTS
from service.players.login_delays import Delays, Numbers
from service.players.passwords import Passwords
from service.players.vacation.days_away import DaysAway
from service.proof.judgement import Judge, judging_capacity
from service.proof.public_log import OwnLog, Receipts
from service.settings import Settings
from service.studies.study_repository import StudyCommandHandler, StudyRepository
from service.tournaments.tournament_repository import TournamentCommandHandler, TournamentRepository
from service.web.auth import Authenticator

CLOSING_SECONDS = 5.0  # how long pending announcements may take when a process ends


@dataclass(frozen=True)
class Container:
    """The dependencies of the use cases; routes, jobs and the keeper's duties pass them on."""

    settings: Settings
    stores: Stores
    now: Callable[[], int]
    authenticator: Authenticator
    announcer: Announcer
    quotas: Quotas
    seeds: SeedStore
    games: GameRepository
    outages: Outages
    game_commands: GameCommandHandler
    tournaments: TournamentRepository
    tournament_commands: TournamentCommandHandler
    studies: StudyRepository
    study_commands: StudyCommandHandler
    deals: SharedDeals
    receipts: Receipts
    public_lists: PublicLists[NewestGames]
    hub: Hub
    pubsub: PubSub
    event_cache: EventCache
    followed_players: FollowedPlayers
    followed_lobby: FollowedLobby
    followed_talks: FollowedTalks
    stream_limits: StreamLimits
    access_watch: AccessWatch
    vault: Vault
    judge: Judge
    passwords: Passwords
    delays: Delays
    health: HealthMonitor
    commit_watch: CommitWatch
    exports: SharedGate

    def time_budget(self) -> TimeBudget:
        """Returns the time budget of an analysis or import that begins now."""
        return TimeBudget(self.settings.question_seconds, time.monotonic)

    def end_streams(self) -> None:
        """Tells all who follow something that the process ends."""
        self.hub.close()
        self.pubsub.close()

    def close(self) -> None:
        """Ends the streams, publishes pending announcements and closes the stores."""
        self.public_lists.close()
        self.end_streams()
        self.hub.join()
        self.stream_limits.close()
        self.announcer.flush(CLOSING_SECONDS)
        self.stores.close()


def open_container(settings: Settings, name: str, now: Callable[[], int] = clock.now) -> Container:
    """Creates the container of a process over its own connections; `name` is shown in PostgreSQL's and Redis' lists."""
    stores = Stores(settings, name)
    vault, log = Vault(settings.master_keys), OwnLog(settings, stores.pool)
    announcer, pubsub, hub = Announcer(stores.redis, stores.wake_channels), PubSub(stores.wake_channels), Hub()
    lock, quotas, seeds = StreamLock(stores.pool), Quotas(settings), SeedStore(stores.pool, vault)
    outages = Outages(stores.pool, now, settings.keeper_grace * clock.SECOND)
    games, players = GameRepository(stores.pool, seeds, log.newest_tree), FollowedPlayers(stores.pool, pubsub)
    tournaments, studies = TournamentRepository(stores.pool), StudyRepository(stores.pool)
    event_cache, talks = EventCache(games.store, pubsub, TextWatch(stores.pool, pubsub)), FollowedTalks(stores.pool)
    lists, lobby = _public_lists(stores, pubsub, tournaments, announcer, now)
    pubsub.sweep = hub.sweeping(event_cache.sweep, players.sweep, lobby.sweep, talks.sweep)
    return Container(
        settings=settings,
        stores=stores,
        now=now,
        authenticator=Authenticator(stores.pool, now),
        announcer=announcer,
        quotas=quotas,
        seeds=seeds,
        games=games,
        outages=outages,
        game_commands=GameCommandHandler(games, announcer, now, lock, quotas, outages, DaysAway(stores.pool)),
        tournaments=tournaments,
        tournament_commands=TournamentCommandHandler(tournaments, announcer, now, lock, seeds),
        studies=studies,
        study_commands=StudyCommandHandler(studies, announcer, now, lock, quotas),
        deals=SharedDeals(stores.pool, tournaments),
        receipts=Receipts(settings, log),
        public_lists=lists,
        hub=hub,
        pubsub=pubsub,
        event_cache=event_cache,
        followed_players=players,
        followed_lobby=lobby,
        followed_talks=talks,
        stream_limits=StreamLimits(stores.redis, settings),
        access_watch=AccessWatch(stores.pool, pubsub, now),
        vault=vault,
        passwords=Passwords(),
        delays=Delays(Numbers(stores.redis), settings.registrations_per_hour),
        health=HealthMonitor(settings, stores, now),
        commit_watch=CommitWatch(stores.pool),
        exports=SharedGate(stores.redis, EXPORTS),
        judge=Judge(settings, stores.pool, SharedGate(stores.redis, judging_capacity(settings))),
    )


def _public_lists(
    stores: Stores, pubsub: PubSub, tournaments: TournamentRepository, announcer: Announcer, now: Callable[[], int]
) -> tuple[PublicLists[NewestGames], FollowedLobby]:
    lists = PublicLists(pubsub, partial(newest_public, stores.pool, tournaments))
    announcer.noted = lists.note
    return lists, FollowedLobby(pubsub, partial(lobby_state, lists), now)
