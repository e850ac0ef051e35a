"""Refusals of what stops clocks: pauses and days away."""

from service.core.errors import Refusal


class PauseRefused(Refusal):
    """The clocks of the game cannot stop now, or do not stand."""


class VacationRefused(Refusal):
    """The days away cannot be declared, or there are none to end."""
