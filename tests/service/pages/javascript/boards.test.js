// The boards of a replay are loaded in ranges whose ends join, only near what is shown, and few are kept.

import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { Boards, RANGE } = await import("../../../../service/pages/static/replay/boards.js");
const { Game } = await import("../../../../service/pages/static/replay/game.js");

const LAST = 15_000; // events of the game
const upTo = (last) => Array.from({ length: last }, (_, at) => at + 1);

// A service that has a board after each event of a game.
function service() {
  const asked = [];
  globalThis.fetch = async (path) => {
    const query = new URL(path, "http://localhost").searchParams;
    const [after, until] = [Number(query.get("after")), Math.min(LAST, Number(query.get("until")))];
    asked.push([after, until]);
    const steps = Array.from({ length: until - after }, (_, at) => ({ version: after + at + 1, position: { n: after + at + 1 } }));
    return new Response(steps.map((step) => `${JSON.stringify(step)}\n`).join(""));
  };
  return asked;
}

const boards = () => new Boards((after, until) => `/replay?after=${after}&until=${until}`);

function longGame() {
  const game = new Game({ id: "g", over: true });
  game.steps = upTo(LAST).map((version) => ({ version }));
  return game;
}

test("the ends of the ranges join: each version is in one of them", async () => {
  const asked = service();
  const some = boards();
  await some.load(upTo(3 * RANGE));
  assert.deepEqual(asked, [[0, RANGE], [RANGE, 2 * RANGE], [2 * RANGE, 3 * RANGE]]);
  assert.deepEqual(upTo(3 * RANGE).map((version) => some.get(version).n), upTo(3 * RANGE));
  assert.equal(some.get(3 * RANGE + 1), undefined);
});

test("a step asks for the boards near it alone, and once", async () => {
  const asked = service();
  const game = longGame();
  await game.loadNear(40 - 1);
  assert.deepEqual(asked, [[0, RANGE]]);
  await game.loadNear(41 - 1); // the end of the range is 23 steps away
  await game.loadNear(42 - 1);
  assert.deepEqual(asked, [[0, RANGE], [RANGE, 2 * RANGE]]);
  await game.loadNear(157.5 * RANGE - 1);
  assert.deepEqual(asked.slice(2), [[157 * RANGE, 158 * RANGE]]);
});

test("boards come before they are shown, and few are kept", async () => {
  service();
  const game = longGame();
  for (let at = 0; at < 2000; at++) {
    assert.equal(at === 0 || game.boards.get(at + 1)?.n === at + 1, true);
    await game.loadNear(at);
  }
  const kept = [...game.boards.ranges.values()].reduce((sum, range) => sum + range.size, 0);
  assert.equal(kept <= 8 * RANGE, true);
  assert.equal(game.boards.get(1), undefined);
  await game.loadNear(0); // what was forgotten is asked for again
  assert.equal(game.boards.get(1).n, 1);
});

test("the boards of a game that is followed take no request", async () => {
  const asked = service();
  const game = new Game({ id: "g", over: false });
  game.steps = [{ version: 3 }];
  game.known = 3;
  game.summary = { status: "running", version: 3, head: "head 3" };
  game.boards.set(3, { n: 3 });
  const message = (version) => ({ version, kind: "moved", prev: `head ${version - 1}`, step: { version, back_to: null }, position: null, changes: { "/n": version }, summary: { "/version": version, "/head": `head ${version}` } });
  for (let version = 4; version < 200; version++) {
    game.applyMessages([message(version)]);
    await game.loadNear(game.steps.length - 1);
    assert.equal((await game.board(version)).n, version);
  }
  assert.deepEqual(asked, []);
});

test("a range that could not be reached is asked for again", async () => {
  const some = boards();
  globalThis.fetch = () => Promise.reject(new TypeError("no connection"));
  await assert.rejects(some.load([1]));
  const asked = service();
  await some.load([1]);
  assert.deepEqual(asked, [[0, RANGE]]);
});

test("a long game shows a board before its steps have come", async () => {
  const order = [];
  const opened = async (version) => {
    let tell;
    const steps = new Promise((answer) => (tell = answer));
    globalThis.fetch = async (path) => (path.includes("/replay") ? steps : new Response(JSON.stringify({ status: "finished", version })));
    const game = new Game({ id: "g", over: true });
    const opening = game.open(async () => order.push(version));
    await new Promise((again) => setImmediate(again));
    await new Promise((again) => setTimeout(again));
    tell(new Response('{"version":1,"scores":[{"total":2,"items":{}},null]}\n'));
    await opening;
    return game.steps;
  };
  assert.deepEqual(await opened(LAST), [{ version: 1, scores: [{ total: 2 }, null] }]);
  await opened(300);
  assert.deepEqual(order, [LAST]);
});
