"""What language models read of the documentation: /llms.txt names it, /llms-full.txt holds the guides."""

from typing import Final

from service.pages.docs import own_documents, reference
from service.pages.docs.contents import GROUPS, GUIDES_AT
from service.web.routing import Routes

FOR_PROGRAMS: Final = (
    "begin",
    "clients",
    "subjects",
    "formats",
    "proof",
    "promises",
)  # groups; not those for operators
HEADINGS: Final = {
    "begin": "Guides",
    "clients": "Clients",
    "subjects": "Tournaments and studies",
    "formats": "Formats",
    "proof": "Verification",
    "promises": "Promises",
    "operating": "Optional",
    "inside": "Optional",
}
ABOUT: Final = """\
# Cabildo

> A game service with replay and audit: Puerto Rico with its expansions, and Century: Spice Road. Programs play over a
> JSON API under /v1 with bearer tokens; every refusal is an RFC 9457 problem; every game can be verified offline.
"""


def contents(url: str, routes: tuple[Routes, ...]) -> str:
    """Returns /llms.txt: what there is to read, with absolute addresses."""
    lines = [ABOUT]
    for heading in dict.fromkeys(HEADINGS.values()):
        lines.append(f"## {heading}\n")
        named = [guide for group, guides in GROUPS.items() if HEADINGS[group] == heading for guide in guides]
        lines += [f"- [{own_documents.read(one.file).title}]({url}{GUIDES_AT}/{one.name}.md)" for one in named]
        lines.append("")
        if heading == "Guides":
            lines += _reference(url, routes)
    return "\n".join(lines)


def _reference(url: str, routes: tuple[Routes, ...]) -> list[str]:
    subjects = reference.subjects(routes).values()
    return [
        "## Reference\n",
        f"- [OpenAPI document]({url}/openapi.json): every operation with schemas and examples",
        f"- [Problem types]({url}/v1/problems): every refusal, and what helps",
        *(f"- [{one.name}]({url}/docs/reference/{one.slug}): {one.description}" for one in subjects),
        "",
    ]


def guides() -> str:
    """Returns /llms-full.txt: the guides for authors of programs, one after the other."""
    return "\n\n".join(guide.text for group in FOR_PROGRAMS for guide in GROUPS.get(group, ()))
