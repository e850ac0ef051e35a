"""The application with streams that say a lot or nothing at all, for tests of readers who do not keep up."""

from collections.abc import Sequence

from flask import Flask, Response, request

from service.app import create_app
from service.live.delivery.follower import Following
from service.live.protocol import FORMS, Item, Pace
from service.live.pubsub import Topic
from service.web.live.responses import live_response

ITEMS = 2_000
HURRIED = Pace(keep_alive=0.2, send_seconds=1.0)
NEVER = 1e9  # seconds


class Flood:
    """So many items of a kilobyte, then silence."""

    forgets = False
    lags: Sequence[float] = ()

    def __init__(self, items: int) -> None:
        self.key = "flood", items
        self.topic = Topic()
        self._items = items

    def after(self, number: int) -> Sequence[Item]:
        """The next hundred."""
        return [Item(n, "drop", f'{{"seq":{n},"data":"{"x" * 1_000}"}}') for n in range(number + 1, self._last(number))]

    def _last(self, number: int) -> int:
        return min(number + 100, self._items) + 1

    def newest(self) -> int:
        """Returns the number of the last item."""
        return self._items

    def end(self, _number: int) -> None:
        """Returns None: it does not end."""

    def close(self) -> None:
        """Releases nothing."""


def create_flooding_app() -> Flask:
    """The service's application with `/flood` and `/silence`, in which nothing is heard but by wake-ups."""
    app = create_app()
    container = app.extensions["cabildo"]
    container.pubsub.look_again = NEVER

    def told(items: int) -> Response:
        form = FORMS[request.accept_mimetypes.best_match(tuple(FORMS)) or "application/x-ndjson"]
        source = Flood(items)
        return live_response(Following(None, lambda: source), source, 0, form, None, HURRIED)

    app.add_url_rule("/flood", "flood", lambda: told(ITEMS))
    app.add_url_rule("/silence", "silence", lambda: told(0))
    return app
