"""The table of contents of the documentation: which document is a guide, in which group, at which address."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

DEPLOY: Final = Path(__file__).parents[3] / "deploy"
GUIDES_AT: Final = "/docs/guides"
FORMATS_AT: Final = "/docs/formats"


class Guide(NamedTuple):
    """A document that is served as a guide; its phrases are `docs.guide_NAME` and, in lists, `docs.about_NAME`."""

    name: str
    group: str  # its phrase is `docs.group_GROUP`
    file: str  # below deploy/
    path: str

    @property
    def text(self) -> str:
        """The Markdown of the guide."""
        return (DEPLOY / self.file).read_text(encoding="utf-8")


def _guide(name: str, group: str, file: str | None = None, path: str | None = None) -> Guide:
    return Guide(name, group, file or f"docs/{name}.md", path or f"{GUIDES_AT}/{name}")


TABLE: Final = (
    _guide("quickstart", "begin", path="/docs/quickstart"),
    _guide("playing", "begin"),
    _guide("legal", "begin"),
    _guide("bots", "begin"),
    _guide("webhooks", "begin"),
    _guide("oauth", "begin"),
    _guide("errors", "begin", path="/docs/errors"),
    _guide("python", "clients", "clients/python/README.md"),
    _guide("typescript", "clients", "clients/typescript/README.md"),
    _guide("tournaments", "subjects"),
    _guide("formats", "subjects"),
    _guide("studies", "subjects"),
    _guide("data", "formats", path="/docs/formats"),
    _guide("record", "formats", path=f"{FORMATS_AT}/record"),
    _guide("position", "formats", path=f"{FORMATS_AT}/position"),
    _guide("bundle", "formats", path=f"{FORMATS_AT}/bundle"),
    _guide("archive", "formats", path=f"{FORMATS_AT}/archive"),
    _guide("export", "formats", path=f"{FORMATS_AT}/export"),
    _guide("verifying", "proof"),
    _guide("log", "proof"),
    _guide("threats", "proof"),
    _guide("compatibility", "promises", path="/compatibility"),
    _guide("changelog", "promises", path="/changelog"),
    _guide("operating", "operating", "README.md"),
    _guide("machines", "operating"),
    _guide("scale", "operating"),
    _guide("performance", "operating"),
    _guide("reference", "inside"),
    _guide("architecture", "inside"),
    _guide("adding", "inside"),
    _guide("decisions", "inside"),
    _guide("glossary", "inside"),
)
GUIDES: Final[Mapping[str, Guide]] = {  # an installed wheel lacks the documents of the clients
    guide.name: guide for guide in TABLE if (DEPLOY / guide.file).exists()
}
GROUPS: Final[Mapping[str, tuple[Guide, ...]]] = {
    group: tuple(guide for guide in GUIDES.values() if guide.group == group)
    for group in dict.fromkeys(guide.group for guide in GUIDES.values())
}
RULES: Final[Mapping[Path, str]] = {
    (DEPLOY / "docs" / "rules" / f"{game.replace('_', '-')}.md").resolve(): f"/rules/{game}"
    for game in ("puerto_rico", "spice_road")
}
SERVED: Final[Mapping[Path, str]] = {
    **{(DEPLOY / guide.file).resolve(): guide.path for guide in GUIDES.values()},
    **RULES,
}
PICTURES: Final = DEPLOY / "docs" / "pictures"
PICTURES_AT: Final = "/docs/pictures"
