"""Hashes passwords, a few at once, and verifies them in the same time for known and unknown names."""

from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from events.messages import Message
from service.core.work_gate import Capacity, WorkGate

HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
# The hash of a random password: verified for an unknown name, so that both answers take equally long.
HASH_OF_NO_PLAYER: Final = (
    "$argon2id$v=19$m=19456,t=2,p=1$QAv+B9gQXuNz/HkuZegQ0g$YSuxB5Y1GuCLpgFq3VrucOFPv19AT8g/vuYyrqZAqNc"
)
CAPACITY: Final = Capacity(Message("logins"), at_once=2, waiting=16, wait_seconds=10.0, longest=10.0)


class Passwords:
    """Hashes passwords; callers hold no connection meanwhile. Raises ServiceBusy when too many wait."""

    def __init__(self) -> None:
        self.gate = WorkGate(CAPACITY)

    def hash(self, password: str | None) -> str | None:
        """Returns the hash to store; None for no password."""
        if password is None:
            return None
        with self.gate.passed():
            return HASHER.hash(password)

    def matches(self, stored: str | None, password: str) -> bool:
        """Returns whether a password has the stored hash; False for an account without one."""
        with self.gate.passed():
            try:
                HASHER.verify(stored or HASH_OF_NO_PLAYER, password)
            except VerifyMismatchError:
                return False
        return stored is not None


def needs_new_hash(stored: str) -> bool:
    """Returns whether the stored hash was made with earlier parameters."""
    return HASHER.check_needs_rehash(stored)
