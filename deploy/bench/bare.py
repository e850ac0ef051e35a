"""The yardsticks of `bench api`: an endpoint that commits one INSERT, and an empty one."""

import os

from flask import Flask, Response
from psycopg_pool import ConnectionPool

INSERT = "INSERT INTO bare (body) VALUES (%s)"
TABLE = "CREATE TABLE IF NOT EXISTS bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL)"
BODY = "x" * 200


def create_app() -> Flask:
    """Returns the application; it runs with the gunicorn settings of the service."""
    app = Flask("bare")
    pool = ConnectionPool(
        os.environ["DATABASE_URL"], min_size=1, max_size=8, kwargs={"autocommit": True}, open=True, name="bare"
    )

    @app.post("/")
    def insert() -> Response:
        with pool.connection() as connection:
            connection.execute(INSERT, (BODY,), prepare=True)
        return Response('{"status":"ok"}', content_type="application/json", status=201)

    @app.post("/empty")
    def empty() -> Response:
        return Response('{"status":"ok"}', content_type="application/json", status=201)

    return app
