"""The pages of the documentation, its index for searching, and what language models read of it."""

import json
from functools import partial
from typing import Final

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as Redirection

from service.core.errors import NotThere
from service.i18n.messages import translate
from service.pages.docs import data_schemas, errors, game_words, language_models, own_documents, reference, search_index
from service.pages.docs.contents import FORMATS_AT, GROUPS, GUIDES, GUIDES_AT, PICTURES_AT, Guide
from service.pages.site.visitor import visitor
from service.web.openapi.trials import recipes_of, samples_of
from service.web.responses import etag_response, markdown_response, request_language
from service.web.routing import Routes, container

EXAMPLE_URL: Final = "http://127.0.0.1:8080"  # in the documents; readers get the address of this service


def pages(routes: tuple[Routes, ...]) -> Blueprint:
    """Returns the pages about these routes."""
    blueprint = Blueprint("docs", __name__)
    _add_guides(blueprint)
    _add_game_words(blueprint)
    _add_reference(blueprint, routes)
    _add_searching(blueprint, routes)
    _add_schemas(blueprint)

    @blueprint.get("/docs")
    def docs() -> str:
        return render_template("docs/home.html", groups=GROUPS)

    return blueprint


def _add_guides(blueprint: Blueprint) -> None:
    @blueprint.get("/docs/quickstart", defaults={"guide": "quickstart"})
    @blueprint.get(FORMATS_AT, defaults={"guide": "data"})
    @blueprint.get(f"{FORMATS_AT}/<guide>")
    @blueprint.get(f"{GUIDES_AT}/<guide>")
    def guide(guide: str) -> str | Redirection:
        found = GUIDES.get(guide)
        if found is None:
            raise NotThere("guide", guide)
        return _shown(found) if found.path == request.path else redirect(found.path, 301)

    @blueprint.get(f"{GUIDES_AT}/<guide>.md")
    def markdown(guide: str) -> Response:
        if guide not in GUIDES:
            raise NotThere("guide", guide)
        return markdown_response(with_own_url(GUIDES[guide].text))

    @blueprint.get("/docs/errors")
    def problems() -> str:
        words = request_language()
        document = own_documents.read(GUIDES["errors"].file)
        return render_template(
            "docs/errors.html",
            groups=GROUPS,
            here=GUIDES["errors"],
            document=document,
            problems=errors.shown_problems(words),
        )

    @blueprint.get("/problems")
    def problem_types() -> Redirection:
        return redirect("/docs/errors", 301)  # browsers keep the fragment, which names the type

    @blueprint.get(f"{PICTURES_AT}/<picture>")
    def picture(picture: str) -> Response:
        found = own_documents.picture(picture)
        if found is None:
            raise NotThere("picture", picture)
        return Response(found.read_bytes(), mimetype="image/svg+xml")


def _add_game_words(blueprint: Blueprint) -> None:
    @blueprint.get("/docs/notation")
    def notation() -> str:
        games = list(game_words.notation(request_language()))
        return render_template("docs/notation.html", groups=GROUPS, games=games)

    @blueprint.get("/docs/options")
    def options() -> str:
        games = list(game_words.options(request_language()))
        return render_template("docs/options.html", groups=GROUPS, games=games)


def _shown(here: Guide) -> str:
    """Renders a guide."""
    document = own_documents.read(here.file)
    return render_template(
        "docs/guide.html", groups=GROUPS, here=here, document=document, written=with_own_url(document.html)
    )


def with_own_url(text: str) -> str:
    """Returns a text of the documents with the address of this service in its examples."""
    return text.replace(EXAMPLE_URL, container().settings.public_url.rstrip("/"))


def _add_reference(blueprint: Blueprint, routes: tuple[Routes, ...]) -> None:
    @blueprint.get("/openapi.json")
    def openapi_json() -> Response:
        from service.web.openapi import specification  # imported on use: slow to load, and few processes serve it

        text = json.dumps(specification.document(routes), indent=2, sort_keys=False)
        return Response(text, mimetype="application/json")

    @blueprint.get("/docs/reference")
    def all_operations() -> str:
        return render_template("docs/reference.html", groups=GROUPS, subjects=reference.subjects(routes).values())

    @blueprint.get("/docs/reference/<subject>")
    def operations(subject: str) -> str:
        subjects = reference.subjects(routes)
        if subject not in subjects:
            raise NotThere("subject", subject)
        translated = partial(translate, language=request_language())
        shown, reader = subjects[subject], visitor()
        trials = [operation.trial for operation in shown.operations]
        setting = {
            "csrf": reader.csrf if reader else None,
            "recipes": recipes_of(trials),
            "samples": samples_of(trials),
        }
        return render_template(
            "docs/operations.html", groups=GROUPS, subject=shown, translated=translated, setting=setting
        )


def _add_schemas(blueprint: Blueprint) -> None:
    @blueprint.get("/schemas/<schema>/<version>.json")
    def json_schema(schema: str, version: str) -> Response:
        text = data_schemas.TEXTS.get((schema, version))
        if text is None:
            raise NotThere("schema", f"{schema}/{version}")
        return Response(text, mimetype="application/schema+json")


def _add_searching(blueprint: Blueprint, routes: tuple[Routes, ...]) -> None:
    @blueprint.get("/docs/search")
    def search() -> str:
        return render_template("docs/search.html", groups=GROUPS)

    @blueprint.get("/docs/search.json")
    def index() -> Response:
        entries = search_index.entries(routes)
        return etag_response(("search", entries), lambda: _json(entries))

    @blueprint.get("/llms.txt")
    def llms() -> Response:
        return _plain(language_models.contents(container().settings.public_url.rstrip("/"), routes))

    @blueprint.get("/llms-full.txt")
    def llms_full() -> Response:
        return _plain(with_own_url(language_models.guides()))


def _plain(text: str) -> Response:
    return Response(text, mimetype="text/plain")


def _json(entries: object) -> Response:
    return Response(json.dumps(entries, ensure_ascii=False, separators=(",", ":")), mimetype="application/json")
