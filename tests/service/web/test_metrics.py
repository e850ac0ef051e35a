"""Metrics: however odd what clients ask for is, it makes no new series."""

import random
import re
import string

from flask import Flask
from flask.testing import FlaskClient

from service.web.request_log import METHODS, OTHER_METHOD
from tests.support.service.scrape import scraped

SERIES = re.compile(r'cabildo_requests_total\{method="([^"]*)",route="([^"]*)",status="(\d+)"\}')


def series(app: Flask) -> set[tuple[str, str, str]]:
    """Method, route and status of each counted kind of request."""
    return set(SERIES.findall(scraped(app)))


def odd_word(rnd: random.Random) -> str:
    return "".join(rnd.choices(string.ascii_letters + string.digits + "-._~%", k=rnd.randint(1, 30)))


def test_odd_methods_paths_and_parameters_make_no_new_series(app: Flask, client: FlaskClient) -> None:
    rnd = random.Random(17)
    routes, before = [rule.rule for rule in app.url_map.iter_rules()], series(app)  # of other tests' applications
    for _ in range(300):
        method = rnd.choice([odd_word(rnd), odd_word(rnd).upper(), *METHODS])
        place = rnd.choice([f"/{odd_word(rnd)}", f"/{odd_word(rnd)}/{odd_word(rnd)}", rnd.choice(routes)])
        client.open(place.replace("%", ""), method=method, query_string={odd_word(rnd): odd_word(rnd)}).close()
    found = series(app)
    assert {method for method, _, _ in found} <= {*METHODS, OTHER_METHOD}
    assert {route for _, route, _ in found - before} <= {*routes, "unmatched"}
    assert {status for _, route, status in found if route == "unmatched"} == {"404", "405"}
    assert ("OTHER", "unmatched", "404") in found


def test_a_thousand_invented_methods_are_counted_as_one(app: Flask, client: FlaskClient) -> None:
    client.open("/healthz", method="BREW")
    before = series(app)
    for number in range(1_000):
        client.open("/healthz", method=f"BREW{number}")
    assert series(app) == before
