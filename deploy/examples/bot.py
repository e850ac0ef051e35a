"""A bot in nine lines: `python bot.py http://127.0.0.1:8080 NAME` registers a bot, and plays a game."""

import sys

from cabildo_client import BotRunner, Client, PlayerTurn


class Newcomer:
    def choose(self, turn: PlayerTurn) -> str:
        return turn.legal[-1]


with Client(sys.argv[1]) as client:
    client.register_bot(sys.argv[2], "newcomer 1")
    game = client.create("spice_road", ["me", "bot:greedy"]).id
    sys.stdout.write(f"{BotRunner(client, Newcomer()).play(game)}\n")
