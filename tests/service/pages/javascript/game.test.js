import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { Game } = await import("../../../../service/pages/static/replay/game.js");

const step = (version) => ({ version, position: {} });
const KEPT = { steps: [step(1)] };
const ALL = { steps: [step(1), step(2), step(3)] };

// A service whose answers the test gives when it likes.
function service() {
  const requests = [];
  globalThis.fetch = (path) =>
    new Promise((answer) => requests.push({ path, answer: (document, status = 200) => answer(new Response(JSON.stringify(document), { status, headers: { "Content-Type": "application/json" } })) }));
  return requests;
}

const settled = () => new Promise((again) => setImmediate(again));

test("a refresh that is overtaken by the viewer's choice shows what the viewer chose", async () => {
  const requests = service();
  const game = new Game({ id: "g", over: false });
  const refresh = game.catchUp(["undone"]);
  requests[0].answer({ status: "running" });
  await settled();
  const choice = game.look("", true);
  requests[2].answer(ALL);
  await choice;
  requests[1].answer(KEPT); // the refresh had asked without the moves that were taken back
  await refresh.catch(() => {});
  assert.equal(game.undone, true);
  assert.equal(game.steps.length, 3);
});

test("a refresh during the viewer's choice asks for the chosen view", async () => {
  const requests = service();
  const game = new Game({ id: "g", over: false });
  const choice = game.look("", true);
  const refresh = game.catchUp(["undone"]);
  requests[1].answer({ status: "running" });
  await settled();
  assert.match(requests[2].path, /undone=true/);
  requests[2].answer(ALL);
  await refresh;
  requests[0].answer(KEPT); // older than the refresh
  await choice;
  assert.equal(game.steps.length, 3);
});

test("a refused view leaves the former one wanted", async () => {
  const requests = service();
  const game = new Game({ id: "g", over: false });
  const choice = game.look("1");
  requests[0].answer({ title: "Not allowed", type: "x#forbidden", status: 403 }, 403);
  await assert.rejects(choice);
  assert.equal(game.wanted.eyes, "");
  assert.equal(game.eyes, "");
});
