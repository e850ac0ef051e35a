// Whole games against the running service at CABILDO_URL.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, play, Refused } from "../../src/index.js";

const url = process.env.CABILDO_URL ?? "";

for (const game of ["puerto_rico", "spice_road"] as const) {
  test(`a program plays ${game} to its end`, { timeout: 120_000 }, async () => {
    const { token } = await new Client(url).post("/v1/players", { body: { name: `TypeScript ${game}` } });
    const client = new Client(url, { token });
    const table = await client.post("/v1/games", { body: { game, seats: ["me", "bot:greedy"] } });
    let decisions = 0;
    const ended = await play(client, table.id, (turn) => {
      decisions++;
      assert.equal(turn.position.game, game);
      return turn.moves[decisions % turn.moves.length] ?? "";
    });
    assert.equal(ended.status, "finished");
    assert.ok(decisions > 5);
    assert.equal(ended.result?.places?.length, 2);
    await assert.rejects(client.post("/v1/games/{game}/moves", { path: { game: table.id }, body: { move: "rest" } }), Refused);
    const kinds: string[] = [];
    for await (const message of client.follow("/v1/games/{game}/events", { path: { game: table.id }, after: 0 })) kinds.push(message.kind);
    assert.equal(kinds.filter((kind) => kind === "game_ended").length, 1);
  });
}
