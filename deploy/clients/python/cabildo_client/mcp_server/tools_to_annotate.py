"""Tools of the scope `annotate`: studies of games, and comments in them."""

from typing import Any

from cabildo_client.async_client import AsyncClient
from cabildo_client.json_values import Json


class AnnotatingTools:
    """What a token of the scope `annotate` allows."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def create_study(self, title: str, games: list[str], visibility: str = "unlisted") -> dict[str, Any]:
        """Create a study of games, a chapter for each. `visibility` is private, unlisted or public."""
        body: dict[str, Json] = {"title": title, "games": games, "visibility": visibility}
        made = await self._client.ask("POST", "/v1/studies", body)
        return {"study": made["study"], "version": made["version"]}

    async def comment(self, study: str, chapter: int, event: int, text: str) -> dict[str, Any]:
        """Comment on an event of the game of a chapter (chapters count from 1), in Markdown."""
        known = await self._client.ask("GET", f"/v1/studies/{study}")
        edit: dict[str, Json] = {"do": "comment", "chapter": chapter, "at": str(event), "text": text}
        body: dict[str, Json] = {"saw": known["version"], "edits": [edit]}
        made = await self._client.ask("POST", f"/v1/studies/{study}/edits", body)
        return {"study": made["study"], "version": made["version"]}

    async def read_chapter(self, study: str, chapter: int) -> dict[str, Any]:
        """Read a chapter of a study with its comments and variations."""
        return dict(await self._client.ask("GET", f"/v1/studies/{study}/chapters/{chapter}"))
