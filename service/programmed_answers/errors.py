"""Refusals of programmed answers."""

from service.core.errors import Refusal


class AnswerRefused(Refusal):
    """The player may not leave this answer for the seat, or it was cleared."""
