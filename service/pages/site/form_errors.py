"""Messages of a refused request, for the form that is rendered again; a rule of a game is linked."""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from events.errors import CabildoError
from service.core.errors import InvalidRequest
from service.i18n import messages
from service.i18n.phrases import phrase
from service.rulebook.addresses import address_of_refusal
from service.web.error_excerpts import first_faults
from service.web.problem_types import problem_of
from service.web.responses import request_language


def error_sentences(refused: CabildoError) -> Iterator[str]:
    """Yields a message for each invalid field, else one sentence for the error."""
    if isinstance(refused, InvalidRequest):
        yield from _faults("", messages.translate_faults(first_faults(refused.errors).faults or {}, request_language()))
    else:
        language = request_language()
        title = messages.translate(problem_of(refused).title, language)
        told = f"{title}: {messages.error_sentence(refused, language)}"
        page = address_of_refusal(refused, language)
        yield told if page is None else _linked(told, page, phrase(language, "rules.more"))


def _linked(sentence: str, page: str, words: str) -> str:
    return Markup('{} <a class="rule-page" href="{}" target="_blank" rel="noopener">{}</a>').format(
        sentence, page, words
    )


def _faults(name: str, reasons: object) -> Iterator[str]:
    if isinstance(reasons, Mapping):
        for field, inner in reasons.items():
            yield from _faults(str(field), inner)
    elif isinstance(reasons, list):
        for reason in reasons:
            yield from _faults(name, reason)
    else:
        yield f"{name}: {reasons}"
