import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { Game } = await import("../../../../service/pages/static/replay/game.js");

const step = (version, more = {}) => ({ version, kind: "moved", back_to: null, kept: true, ...more });
const head = (version) => `head ${version}`;
const message = (version, more = {}) => ({ version, kind: "moved", prev: head(version - 1), step: step(version), position: null, changes: { "/n": version }, summary: { "/version": version, "/head": head(version) }, ...more });
const undone = (version, to) => message(version, { kind: "undone", step: step(version, { kind: "undone", back_to: to }), changes: { "/n": to } });
const KEPT = { steps: [step(1)] };
const ALL = { steps: [step(1), step(2, { kept: false }), step(3, { kind: "undone", back_to: 1 })] };

// A service whose answers the test gives when it likes; steps come in lines.
function service() {
  const requests = [];
  const lines = ({ steps }) => steps.map((step) => `${JSON.stringify(step)}\n`).join("");
  globalThis.fetch = (path) =>
    new Promise((answer) => requests.push({ path, answer: (document, status = 200) => answer(new Response(document.steps ? lines(document) : JSON.stringify(document), { status, headers: { "Content-Type": "application/json" } })) }));
  return requests;
}

// A game that is shown after its first step, with its board.
function shown() {
  const game = new Game({ id: "g", over: false });
  game.steps = [step(1)];
  game.known = 1;
  game.boards.set(1, { n: 1 });
  game.summary = { status: "running", version: 1, head: head(1) };
  return game;
}

const versions = (game) => game.steps.map(({ version }) => version);

test("a live step brings its board and summary without a request", () => {
  const requests = service();
  const game = shown();
  game.applyMessages([message(2), message(3)]);
  assert.deepEqual(versions(game), [1, 2, 3]);
  assert.deepEqual(game.boards.get(3), { n: 3, version: 3 });
  assert.equal(game.summary.version, 3);
  assert.equal(game.stale, false);
  assert.equal(requests.length, 0);
});

test("a live step that is known already changes nothing", () => {
  const game = shown();
  game.applyMessages([message(2), message(2), message(1)]);
  assert.deepEqual(versions(game), [1, 2]);
});

test("an event of another history is not applied", () => {
  const game = shown();
  assert.equal(game.applyMessages([message(2, { prev: "another head" })]), false);
  assert.deepEqual(versions(game), [1]);
});

test("a board whose predecessor is missing is asked for when it is shown", async () => {
  const requests = service();
  const game = shown();
  game.boards = game.noBoards();
  game.applyMessages([message(2)]);
  const board = game.board(2);
  assert.match(requests[0].path, /position\?at=2/);
  requests[0].answer({ n: 2 });
  assert.deepEqual(await board, { n: 2 });
});

test("a return takes steps away, or marks them where they are shown", () => {
  const [plain, full] = [shown(), shown()];
  full.undone = true;
  for (const game of [plain, full]) game.applyMessages([message(2), undone(3, 1), message(4)]);
  assert.deepEqual(versions(plain), [1, 4]);
  assert.deepEqual(versions(full), [1, 2, 3, 4]);
  assert.deepEqual(full.steps.map(({ kept }) => kept), [true, false, true, true]);
  assert.deepEqual(full.boards.get(3), { n: 1, version: 3 });
  assert.deepEqual(plain.boards.get(4), { n: 4, version: 4 });
});

test("an event that changes names has the summary read again", () => {
  const game = shown();
  game.applyMessages([message(2, { kind: "resigned", step: null, changes: {}, summary: null })]);
  assert.equal(game.stale, true);
  assert.deepEqual(versions(game), [1]);
});

test("a live step during the viewer's choice is kept", async () => {
  const requests = service();
  const game = shown();
  const choice = game.changeView("", true);
  game.applyMessages([message(2), undone(3, 1), message(4)]);
  requests[0].answer(ALL); // without the newest step
  await choice;
  assert.equal(game.undone, true);
  assert.deepEqual(versions(game), [1, 2, 3, 4]);
});

test("an older answer that is overtaken by the viewer's choice changes nothing", async () => {
  const requests = service();
  const game = shown();
  const [first, second] = [game.changeView("", false), game.changeView("", true)];
  requests[1].answer(ALL);
  await second;
  requests[0].answer(KEPT);
  await first;
  assert.equal(game.undone, true);
  assert.deepEqual(versions(game), [1, 2, 3]);
});

test("a refused view leaves the former one wanted", async () => {
  const requests = service();
  const game = new Game({ id: "g", over: false });
  const choice = game.changeView("1");
  requests[0].answer({ title: "Not allowed", type: "x#forbidden", status: 403 }, 403);
  await assert.rejects(choice);
  assert.equal(game.wanted.eyes, "");
  assert.equal(game.eyes, "");
});
