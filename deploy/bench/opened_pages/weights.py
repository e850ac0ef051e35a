"""What each page weighs on a phone, when its first board stands and how steady it is, by the browser's own timings."""

import os
import shutil
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import click

from deploy.bootstrap import BROWSERS

PHONE: Final = {"width": 390, "height": 844}
AIM_WEIGHT: Final = 250_000  # bytes
AIM_BOARD: Final = 1_000  # milliseconds
AIM_SHIFT: Final = 0.1  # of the screen
SETTLED: Final = 1_500  # milliseconds without which late pictures and boards would not be counted
PATIENCE: Final = 30_000  # milliseconds for a page
PLAY_NOW: Final = "form[action='/play-now'] button"
SHOWN: Final = "() => !document.querySelector('[aria-busy=true]')"
FILES: Final = "performance.getEntriesByType('resource').length"
READ: Final = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const files = performance.getEntriesByType("resource");
  const painted = performance.getEntriesByName("first-contentful-paint")[0];
  const boards = performance.getEntriesByName("board");
  return {
    files: files.length + 1,
    weight: [page, ...files].reduce((sum, one) => sum + one.transferSize, 0),
    painted: painted?.startTime ?? null,
    largest: globalThis.largest ?? null,
    board: boards[0]?.startTime ?? null,
    loaded: page.loadEventEnd,
    shift: globalThis.shift,
    blocked: globalThis.blocked,
  };
}"""
OBSERVE: Final = """(() => {
  const LONG = 50; // milliseconds of a task after which the page does not answer in time
  Object.assign(globalThis, { shift: 0, blocked: 0 });
  const observe = (type, take) => {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  };
  observe("largest-contentful-paint", (entry) => { globalThis.largest = entry.startTime; });
  observe("layout-shift", (entry) => { if (!entry.hadRecentInput) globalThis.shift += entry.value; });
  observe("longtask", (entry) => { globalThis.blocked += entry.duration - LONG; });
})();"""


class PageTimes(NamedTuple):
    """The medians of a page: files, bytes in transfer, milliseconds; None for what a page does not have.

    `shift` is the cumulative layout shift, the share of the screen that moved by itself; `blocked` the milliseconds of
    long tasks beyond 50 each.
    """

    files: int
    weight: int
    painted: float | None
    largest: float | None
    board: float | None
    loaded: float
    shift: float
    blocked: float


def addresses(id: str) -> Mapping[str, str]:
    """Returns the pages that anybody may open, by name, with those of a game."""
    game = f"/games/{id}"
    names = ("watch", "lobby", "tournaments", "studies", "ratings", "docs", "changelog", "verify", "register")
    found = {"home": "/", **{name: f"/{name}" for name in names}}
    lessons = {"learn": "/learn/puerto_rico", "rules": "/rules/puerto_rico"}
    return {**found, **lessons, "game": game, "game at 41": f"{game}#41", "embed": f"{game}/embed?size=small"}


def measured(browser: Any, url: str, times: int, session: Any = None) -> PageTimes:
    """Returns the medians of a page that is opened with an empty cache, with the cookies of a session."""
    return _median([_opened(browser, url, session) for _ in range(times)])


def own_table(browser: Any, url: str) -> tuple[str, Any]:
    """Opens a table against bots from the home page, as a guest does; returns its page and the guest's session."""
    context = browser.new_context(viewport=PHONE)
    try:
        page = context.new_page()
        page.goto(url, timeout=PATIENCE)
        page.locator(PLAY_NOW).first.click()
        page.wait_for_url("**/games/*/play", timeout=PATIENCE)
        return page.url, context.storage_state()
    finally:
        context.close()


def _opened(browser: Any, url: str, session: Any) -> Mapping[str, Any]:
    context = browser.new_context(viewport=PHONE, storage_state=session)
    try:
        page = context.new_page()
        page.add_init_script(OBSERVE)
        page.goto(url, wait_until="load", timeout=PATIENCE)
        _settle(page)
        found: Mapping[str, Any] = page.evaluate(READ)
        return found
    finally:
        context.close()


def _settle(page: Any) -> None:
    """Waits until the page shows what it loads and asks for nothing more; a slow machine weighs no less of it."""
    page.wait_for_function(SHOWN, timeout=PATIENCE)
    known, files = -1, 0
    while files != known:
        known = files
        page.wait_for_timeout(SETTLED)
        files = page.evaluate(FILES)


def _median(found: Sequence[Mapping[str, Any]]) -> PageTimes:
    def middle(name: str) -> float | None:
        known = [float(one[name]) for one in found if one[name] is not None]
        return statistics.median(known) if known else None

    return PageTimes(
        int(middle("files") or 0),
        int(middle("weight") or 0),
        middle("painted"),
        middle("largest"),
        middle("board"),
        middle("loaded") or 0.0,
        middle("shift") or 0.0,
        middle("blocked") or 0.0,
    )


def table(rows: Mapping[str, PageTimes]) -> Iterator[str]:
    """Yields the lines of a table, and which pages miss an aim."""
    head = f"{'first paint':>13}{'largest':>9}{'board':>8}{'loaded':>8}{'shift':>8}{'blocked':>9}"
    yield f"  {'page':<14}{'files':>6}{'kB':>8}{head}"
    for name, row in rows.items():
        times = (_ms(row.painted, 13), _ms(row.largest, 9), _ms(row.board, 8), _ms(row.loaded, 8))
        steady = f"{row.shift:>8.3f}{row.blocked:>9.0f}"
        yield f"  {name:<14}{row.files:>6}{row.weight / 1000:>8.1f}{''.join(times)}{steady}"
    late = [name for name, row in rows.items() if (row.board or 0) > AIM_BOARD]
    yield f"over {AIM_WEIGHT // 1000} kB: {', '.join(too_heavy(rows)) or 'none'}"
    yield f"first board after {AIM_BOARD} ms: {', '.join(late) or 'none'}"
    yield f"layout shift over {AIM_SHIFT}: {', '.join(unsteady(rows)) or 'none'}"


def too_heavy(rows: Mapping[str, PageTimes]) -> list[str]:
    """Returns the pages that weigh more than the aim; unlike times, weights do not depend on the machine."""
    return [name for name, row in rows.items() if row.weight > AIM_WEIGHT]


def unsteady(rows: Mapping[str, PageTimes]) -> list[str]:
    """Returns the pages whose contents move more than the aim while they load."""
    return [name for name, row in rows.items() if row.shift > AIM_SHIFT]


def _ms(value: float | None, width: int) -> str:
    return f"{'-' if value is None else f'{value:.0f}':>{width}}"


def weigh(url: str, game: str, study: str | None, times: int) -> None:
    """Opens the pages in Chromium with an empty cache and prints the table, with a table of a guest and a study.

    Raises ClickException without Chromium, and for pages that are too heavy.
    """
    try:
        from playwright.sync_api import sync_playwright  # of the extra `test`
    except ImportError as missing:
        raise click.ClickException("takes Playwright: install the extra `test`, or use --no-browser") from missing
    program = os.environ.get("CABILDO_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise click.ClickException("takes Chromium: install it, name one in CABILDO_CHROMIUM, or use --no-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        try:
            rows = every_page(browser, url, game, study, times)
        finally:
            browser.close()
    click.echo(f"in a browser of {PHONE['width']} px without a cache; medians of {times}, milliseconds")
    for line in table(rows):
        click.echo(line)
    if heavy := too_heavy(rows):
        raise click.ClickException(f"over {AIM_WEIGHT // 1000} kB: {', '.join(heavy)}")


def every_page(
    browser: Any, url: str, game: str, study: str | None, times: int, long_game: str | None = None
) -> Mapping[str, PageTimes]:
    """Returns what each page takes, by its name."""
    pages = dict(addresses(game)) | ({} if study is None else {"study": f"/studies/{study}"})
    if long_game is not None:
        path = f"/games/{long_game}"
        pages |= {"long game": path, "long at 41": f"{path}#41", "long embed": f"{path}/embed?size=small"}
    rows = {name: measured(browser, url + path, times) for name, path in pages.items()}
    table_page, session = own_table(browser, url)
    return {**rows, "play": measured(browser, table_page, times, session)}
