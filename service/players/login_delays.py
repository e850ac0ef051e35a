"""Slows down guessing of passwords and registering in bulk: delays that grow with failures, up to a minute.

Wrong passwords count for the account and for the network they come from. An address that waits out its delay gets one
attempt, whatever others try meanwhile; an address from which the owner has logged in before waits only for its own
failures. So an attack delays the owner by a minute at most. Names without an account are treated alike.
"""

import hashlib
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import redis
import structlog
from cachetools import TTLCache

from service.core.errors import TooManyAttempts
from service.core.networks import network_of
from service.core.stores import REDIS_AWAY

FREE_OF_ACCOUNT: Final = 5  # wrong passwords before an account is slowed down
FREE_OF_ADDRESS: Final = 20
MOST_DELAY: Final = 60  # seconds
REMEMBERED: Final = 3_600  # seconds after the last failure
KNOWN_FOR: Final = 30 * 86_400  # seconds after the last login from an address
MOST_KEPT: Final = 20_000  # of the numbers that a process keeps itself while Redis is away
log = structlog.get_logger("service.players.login_delays")


class Numbers:
    """Numbers with an end, in Redis for all processes; while Redis is away, in this process."""

    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self._own: TTLCache[str, int] = TTLCache(MOST_KEPT, REMEMBERED)

    def get(self, name: str) -> int:
        """Returns a number; 0 for none."""
        try:
            return int(self._redis.get(name) or 0)
        except REDIS_AWAY as problem:
            log.warning("logins are counted by each process", reason=str(problem))
            return int(self._own.get(name, 0))

    def add(self, name: str, amount: int, seconds: int) -> None:
        """Adds to a number and keeps it for so long."""
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                pipe.incrby(name, amount)
                pipe.expire(name, seconds)
                pipe.execute()
        except REDIS_AWAY:
            self._own[name] = self._own.get(name, 0) + amount

    def put(self, name: str, value: int, seconds: int) -> None:
        """Sets a number for so long."""
        try:
            self._redis.set(name, value, ex=seconds)
        except REDIS_AWAY:
            self._own[name] = value

    def remove(self, name: str) -> bool:
        """Removes a number. Returns whether it was there: of several callers, one is told so."""
        try:
            return bool(self._redis.delete(name))
        except REDIS_AWAY:
            return self._own.pop(name, None) is not None


class Delay(NamedTuple):
    """What is counted, how much of it is free, and who waits."""

    counted: str
    free: int
    waiting: str


class LoginAttempt(NamedTuple):
    """An attempt that was counted as failed before it is judged."""

    name: str  # of the account in the counters
    network: str
    counted: Sequence[str]


class Delays:
    """The delays of logins and registrations."""

    def __init__(self, numbers: Numbers, registrations_per_hour: int) -> None:
        self._numbers = numbers
        self._registrations = registrations_per_hour

    def begin_login(self, account: str, address: str | None) -> LoginAttempt:
        """Counts an attempt as failed, until `end_login`; raises TooManyAttempts while it has to wait."""
        delays = self._of_login(account, address)
        self._begin(delays)
        return LoginAttempt(_account(account), network_of(address), [delay.counted for delay in delays])

    def end_login(self, attempt: LoginAttempt) -> None:
        """Forgets the failures of an account after its owner has logged in, and knows the address.

        Of the address it takes back this attempt alone: other logins from there free no guesses.
        """
        self.withdraw_login(attempt)
        own = f"{attempt.name}:{attempt.network}"
        for failed in (f"{attempt.name}:failed", f"{own}:failed", f"{attempt.name}:codes", f"{own}:codes"):
            self._numbers.remove(failed)
        self._numbers.put(f"{own}:known", 1, KNOWN_FOR)

    def begin_second_factor(self, account: str, address: str | None) -> LoginAttempt:
        """Counts a code of a second factor as wrong, until `end_login`; raises TooManyAttempts while it has to wait.

        Who guesses codes has the password. So all addresses but those that the owner has logged in from wait together.
        """
        name, network = _account(account), network_of(address)
        counted = f"{name}:{network}" if self._numbers.get(f"{name}:{network}:known") else name
        self._begin([Delay(f"{counted}:codes", FREE_OF_ACCOUNT, f"{counted}:codes:wait")])
        return LoginAttempt(name, network, [f"{counted}:codes"])

    def withdraw_login(self, attempt: LoginAttempt) -> None:
        """Takes back what an attempt counted, and nothing else."""
        for counted in attempt.counted:
            self._numbers.add(counted, -1, REMEMBERED)

    def begin_registration(self, address: str | None) -> None:
        """Counts a registration; raises TooManyAttempts while the address has to wait."""
        name = _address(network_of(address))
        self._begin([Delay(f"{name}:registered", self._registrations, f"{name}:registers")])

    def begin_guest(self, address: str | None) -> None:
        """Counts a new guest; raises TooManyAttempts while the address has to wait."""
        name = _address(network_of(address))
        self._begin([Delay(f"{name}:guests", self._registrations, f"{name}:guests:wait")])

    def begin_mailed_recovery(self, asked: str, address: str | None) -> None:
        """Counts a request for recovery by mail, for a name or an address; raises TooManyAttempts."""
        name, network = _account(asked), network_of(address)
        of_address = Delay(f"{_address(network)}:mails", FREE_OF_ADDRESS, f"{_address(network)}:mails:wait")
        self._begin([Delay(f"{name}:mails", FREE_OF_ACCOUNT, f"{name}:{network}:mails:wait"), of_address])

    def may_mail(self, receiver: str, most: int) -> bool:
        """Counts a mail to an account or address. Returns whether it may be sent: so many may within an hour.

        What is refused is not counted, or refusals would go on for as long as somebody asks.
        """
        counted = f"{_account(receiver)}:mailed"
        if self._numbers.get(counted) >= most:
            return False
        self._numbers.add(counted, 1, REMEMBERED)
        return True

    def _of_login(self, account: str, address: str | None) -> list[Delay]:
        name, network = _account(account), network_of(address)
        own = f"{name}:{network}"
        if self._numbers.get(f"{own}:known"):
            return [Delay(f"{own}:failed", FREE_OF_ACCOUNT, f"{own}:waits")]
        of_address = Delay(f"{_address(network)}:failed", FREE_OF_ADDRESS, f"{_address(network)}:waits")
        return [Delay(f"{name}:failed", FREE_OF_ACCOUNT, f"{own}:waits"), of_address]

    def _begin(self, delays: list[Delay]) -> None:
        waits = [self._wait(delay) for delay in delays]
        if longest := max(waits):
            raise TooManyAttempts(longest)
        for delay in delays:
            if self._slows(delay) and not self._numbers.remove(delay.waiting):  # another request used the attempt
                raise TooManyAttempts(1)
        for delay in delays:
            self._numbers.add(delay.counted, 1, REMEMBERED)

    def _slows(self, delay: Delay) -> int:
        """Returns the seconds that an attempt has to wait for."""
        failed = self._numbers.get(delay.counted)
        return 0 if failed < delay.free else min(MOST_DELAY, 2 ** min(failed - delay.free + 1, 16))

    def _wait(self, delay: Delay) -> int:
        """Returns the seconds left to wait; begins to wait when nobody does."""
        seconds = self._slows(delay)
        if not seconds:
            return 0
        now = int(time.time())
        until = self._numbers.get(delay.waiting)
        if until:
            return max(0, min(until - now, MOST_DELAY))
        self._numbers.put(delay.waiting, now + seconds, seconds + REMEMBERED)
        return seconds


def _account(folded: str) -> str:
    """Returns the prefix of an account; the name itself is not stored."""
    return f"cabildo:login:account:{hashlib.sha256(folded.encode()).hexdigest()[:32]}"


def _address(network: str) -> str:
    return f"cabildo:login:address:{network}"
