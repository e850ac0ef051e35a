"""What people see in a browser; a new subject is a module and a line in this table."""

from flask import Blueprint

from service.pages import (
    creating,
    declaring,
    diary,
    directing,
    entering,
    home,
    lobby,
    people,
    play,
    proof,
    ratings,
    ruling,
    seating,
    studies,
    tokens,
    tournaments,
    webhooks,
)

PAGES: tuple[Blueprint, ...] = (
    home.pages,
    play.pages,
    lobby.pages,
    creating.pages,
    seating.pages,
    people.pages,
    tokens.pages,
    webhooks.pages,
    ratings.pages,
    studies.pages,
    tournaments.pages,
    entering.pages,
    declaring.pages,
    directing.pages,
    ruling.pages,
    diary.pages,
    proof.pages,
)
