"""A bot in ten lines: `python -m deploy.examples.bot http://127.0.0.1:8080` registers, opens a game and plays it."""

import sys

from service.client import Client, Turn
from workers.runner import Runner


class Newcomer:
    """Takes the last move on the list."""

    def choose(self, turn: Turn) -> str:
        """One of the legal moves."""
        return turn.legal[-1]


if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        client.register("newcomer")
        game = client.create("spice_road", ["me", "bot:greedy"])["id"]
        Runner(client, Newcomer()).run(over=lambda news: news["event"] == "game_over" and news["game"] == game)
        sys.stdout.write(f"{client.ask('GET', f'/v1/games/{game}')['result']}\n")
