"""`cabildo bench pages`: the waiting time when a long game is opened: its page, its steps, the first board."""

import statistics
import time
from collections.abc import Mapping
from typing import Final

import click
import httpx

from deploy.bench.opened_pages.weights import weigh
from deploy.bench.yardstick import per_second, workload

URL: Final = "http://127.0.0.1:8080"
AIM_FIRST: Final = 1.0  # seconds until the first board, on a warm server
AIM_STEP: Final = 0.1
RANGE: Final = 64  # versions whose boards the viewer asks for at once
YARDSTICK_SECONDS: Final = 0.5
MILLISECONDS: Final = 1000


def longest_game(client: httpx.Client) -> tuple[str, int]:
    """Returns the longest finished game of the newest, and the number of its events. Raises ClickException."""
    games = client.get("/v1/games", params={"status": "finished", "limit": 100}).raise_for_status().json()["games"]
    if not games:
        raise click.ClickException("no public game is finished there; `cabildo up` lays some out on its first start")
    found = max(games, key=lambda game: game["version"])
    return found["id"], found["version"]


def chosen_game(client: httpx.Client, game: str) -> tuple[str, int]:
    """Returns a game and the number of its events."""
    return game, client.get(f"/v1/games/{game}").raise_for_status().json()["version"]


def any_study(client: httpx.Client) -> str | None:
    """Returns a public study to open."""
    studies = client.get("/v1/studies", params={"limit": 1}).raise_for_status().json()["studies"]
    return studies[0]["id"] if studies else None


def requests(game: str, version: int) -> Mapping[str, str]:
    """Returns the requests of the viewer in order."""
    middle = version // 2
    near = middle // RANGE * RANGE
    return {
        "page": f"/games/{game}",
        "summary": f"/v1/games/{game}",
        "steps": f"/v1/games/{game}/replay?positions=false&as=all",
        "board": f"/v1/games/{game}/position?at={middle}&as=all",
        "one more board": f"/v1/games/{game}/position?at={middle + 1}&as=all",
        "boards near it": f"/v1/games/{game}/replay?as=all&after={near}&until={near + RANGE}",
    }


def measured(client: httpx.Client, path: str, times: int) -> tuple[float, int]:
    """Returns the median seconds until an answer is complete, and its size in transfer."""
    spent, size = [], 0
    for _ in range(times):
        begun = time.perf_counter()
        with client.stream("GET", path) as answer:
            size = sum(len(piece) for piece in answer.iter_raw())
        answer.raise_for_status()
        spent.append(time.perf_counter() - begun)
    return statistics.median(spent), size


@click.command()
@click.option("--url", default=URL, show_default=True, help="Where the service listens.")
@click.option("--game", help="The game to open.  [the longest finished one]")
@click.option(
    "--times", type=click.IntRange(1, 1000), default=15, show_default=True, help="The number of times for each request."
)
@click.option("--browser/--no-browser", default=True, help="Whether to open the pages in Chromium, too.")
@click.option("--openings", type=click.IntRange(1, 50), default=3, show_default=True, help="How often each is opened.")
def pages(url: str, game: str | None, times: int, browser: bool, openings: int) -> None:
    """Send the requests of the replay viewer, then open the pages in a browser; print medians, weights and times."""
    with httpx.Client(base_url=url, timeout=60, headers={"Accept-Encoding": "gzip"}) as client:
        id, version = chosen_game(client, game) if game else longest_game(client)
        found = {name: measured(client, path, times) for name, path in requests(id, version).items()}
        study = any_study(client)
    click.echo(f"game {id} of {version} events; medians of {times}")
    for name, (seconds, size) in found.items():
        click.echo(f"  {name:<15} {seconds * MILLISECONDS:8.1f} ms  {size / 1024:8.1f} KiB")
    first = found["page"][0] + max(found["summary"][0], found["steps"][0]) + found["board"][0]
    click.echo(
        f"first board: {first * MILLISECONDS:.0f} ms of answers (aim: {AIM_FIRST * MILLISECONDS:.0f} with drawing)"
    )
    click.echo(
        f"a step: {found['one more board'][0] * MILLISECONDS:.0f} ms at most (aim: {AIM_STEP * MILLISECONDS:.0f})"
    )
    if browser:
        weigh(url, id, study, openings)
    click.echo(f"yardstick: {per_second(workload, YARDSTICK_SECONDS):.0f} workloads a second")
