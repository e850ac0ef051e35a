// What a trial of the reference needs first: recipes, the values that they bring, and the first part of a stream.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { beginning, fill, isOpen, NotPrepared, prepare } from "../../../../service/pages/static/docs/trials.js";

const RECIPES = {
  game: { steps: [{ send: "POST /games", body: { seats: ["me", "$bot"] }, keep: { game: "id" } }] },
  turn: { uses: ["game"], steps: [{ send: "GET /games/$game/legal", keep: { move: "moves/0/move" } }] },
  any: { find: [{ send: "GET /games", keep: { game: "games/0/id" } }], uses: ["game"], steps: [] },
  own: { find: [{ send: "GET /hooks", keep: { hook: "hooks/0/id" } }], steps: [] },
  committed: { uses: ["game"], steps: [{ send: "POST /games/$game/seats", commits: 1, body: { commitment: "$commitment" } }] },
  done: { steps: [{ send: "GET /analysis", until: ["status", "done"] }] },
};

function service(answers) {
  const sent = [];
  const ask = async (method, path, more) => {
    sent.push([`${method} ${path}`, more.body]);
    const answer = answers[`${method} ${path}`];
    return Array.isArray(answer) ? answer.shift() : answer;
  };
  return { sent, ask };
}

test("values take the place of their names, whole ones with their type", () => {
  const values = { game: "g1", number: 7 };
  assert.deepEqual(fill({ a: ["$number", "x$game", "$other"], b: null }, values), { a: [7, "xg1", "$other"], b: null });
  assert.ok(isOpen({ a: ["$game"] }));
  assert.ok(!isOpen("5 $ a month"));
});

test("a recipe makes what it uses first and keeps values of the answers", async () => {
  const { sent, ask } = service({
    "POST /games": { status: 201, value: { id: "g1" } },
    "GET /games/g1/legal": { status: 200, value: { moves: [{ move: "rest" }] } },
  });
  const values = { bot: "b1" };
  await prepare(["turn"], RECIPES, values, ask);
  assert.deepEqual(values, { bot: "b1", game: "g1", move: "rest" });
  assert.deepEqual(sent[0], ["POST /games", { seats: ["me", "b1"] }]);
});

test("what exists is found; nothing is made then", async () => {
  const found = service({ "GET /games": { status: 200, value: { games: [{ id: "g2" }] } } });
  const values = {};
  await prepare(["any"], RECIPES, values, found.ask);
  assert.deepEqual([values, found.sent.length], [{ game: "g2" }, 1]);
  const none = service({ "GET /games": { status: 200, value: { games: [] } }, "POST /games": { status: 401, value: {} } });
  await assert.rejects(prepare(["any"], RECIPES, {}, none.ask), (error) => error instanceof NotPrepared && error.answer.status === 401);
});

test("what can only be found and is not there ends the sending", async () => {
  const none = service({ "GET /hooks": { status: 200, value: { hooks: [] } } });
  await assert.rejects(prepare(["own"], RECIPES, {}, none.ask), (error) => error instanceof NotPrepared && error.request === "GET /hooks");
});

test("a recipe commits to the random bytes that are revealed after it", async () => {
  const game = "01a1f573-0000-7000-8000-000000000001";
  const { sent, ask } = service({ "POST /games": { status: 201, value: { id: game } }, [`POST /games/${game}/seats`]: { status: 200, value: {} } });
  await prepare(["committed"], RECIPES, { bot: "b1", entropy: "11".repeat(32) }, ask);
  const bytes = Buffer.from(`${game.replaceAll("-", "")}01${"11".repeat(32)}`, "hex");
  const commitment = createHash("sha256").update("cabildo/entropy/v1").update(bytes).digest("hex");
  assert.deepEqual(sent.at(-1), [`POST /games/${game}/seats`, { commitment }]);
});

test("a recipe waits until a value has come", async () => {
  const { sent, ask } = service({ "GET /analysis": [{ status: 200, value: { status: "queued" } }, { status: 200, value: { status: "done" } }] });
  await prepare(["done"], RECIPES, {}, ask);
  assert.equal(sent.length, 2);
});

test("of a stream that does not end, the first part is read", async () => {
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("data: 1\n\n")) });
  const stream = new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  assert.deepEqual(await beginning(stream, 20), { text: "data: 1\n\n", whole: false });
  assert.deepEqual(await beginning(new Response("{}"), 20), { text: "{}", whole: true });
});
