import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

globalThis.addEventListener ??= () => {};
const { Table } = await import("../../../../service/pages/static/play/table.js");

const step = (version, more = {}) => ({ version, kind: "moved", back_to: null, seat: 1, facts: [], drew: [], ...more });
const turn = (seat) => ({ seat, decision: "action" });
const head = (version) => `head ${version}`;
const message = (version, seat, more = {}) => ({ version, kind: "moved", prev: head(version - 1), step: step(version), position: null, changes: { "/n": version }, summary: { "/version": version, "/head": head(version), "/turn/seat": seat }, note: null, ...more });

// The table of the player of seat 0 after event 4, in the turn of seat 1; what the service is asked for is answered from `answers`.
function table(answers = {}) {
  const asked = [];
  globalThis.fetch = async (path) => {
    asked.push(path);
    return new Response(JSON.stringify(answers[new URL(path, "http://localhost").pathname.split("/").at(-1)]), { headers: { "Content-Type": "application/json" } });
  };
  const found = new Table({ id: "g", player: "me", revealing: [] });
  const seats = [{ seat: 0, player: { id: "me" } }, { seat: 1, player: { id: "you" } }];
  found.take({ status: "running", version: 4, head: head(4), turn: turn(1), seats }, { n: 4, version: 4 }, null);
  Object.assign(found, { steps: [step(3), step(4)], told: 4, complete: true });
  return { table: found, asked };
}

const versions = ({ steps }) => steps.map(({ version }) => version);

test("a move of another seat is applied without a request", async () => {
  const { table: found, asked } = table();
  assert.equal(await found.apply([message(5, 1), message(6, 1)]), true);
  assert.deepEqual([asked, versions(found), found.position, found.summary.version, found.legal], [[], [3, 4, 5, 6], { n: 6, version: 6 }, 6, null]);
});

test("in the own turn only the legal moves are asked for", async () => {
  const { table: found, asked } = table({ legal: { version: 5, seat: 0, moves: [] } });
  assert.equal(await found.apply([message(5, 0)]), true);
  assert.deepEqual([asked, found.mine], [["/v1/games/g/legal?language=en"], true]);
});

test("an event that is no step keeps the legal moves", async () => {
  const { table: found, asked } = table({ legal: { version: 5, seat: 0, moves: [] } });
  await found.apply([message(5, 0)]);
  const offer = message(6, 0, { kind: "offer_made", step: null, changes: {}, note: { version: 6, kind: "offer_made" } });
  assert.equal(await found.apply([offer]), true);
  assert.deepEqual([asked.length, found.legal.version, found.notes.length, found.position.version], [1, 6, 1, 6]);
});

test("legal moves of another version have everything read again", async () => {
  const { table: found } = table({ legal: { version: 7, seat: 0, moves: [] } });
  assert.equal(await found.apply([message(5, 0)]), false);
});

test("a changed seat has the summary read, and nothing else", async () => {
  const { table: found, asked } = table({ g: { status: "running", version: 5, head: head(5), turn: turn(1), seats: [] } });
  assert.equal(await found.apply([message(5, 1, { kind: "resigned", step: null, changes: {}, summary: null })]), true);
  assert.deepEqual([asked, found.summary.seats], [["/v1/games/g?language=en"], []]);
});

test("a return takes steps away, also when its event is known already", async () => {
  const returned = (version) => message(version, 1, { kind: "undone", step: step(version, { kind: "undone", back_to: 3 }), changes: { "/n": 3 } });
  const [fresh, known] = [table().table, table().table];
  assert.equal(await fresh.apply([returned(5)]), true);
  known.summary = { ...known.summary, version: 5 };
  assert.equal(await known.apply([returned(5)]), true);
  assert.deepEqual([versions(fresh), versions(known), fresh.position.n], [[3], [3], 3]);
});

test("a gap has everything read again", async () => {
  const { table: found } = table();
  assert.equal(await found.apply([message(6, 1)]), false);
  found.forget();
  assert.equal(await found.apply([message(5, 1)]), false);
});

test("an event of another history has everything read again", async () => {
  const { table: found } = table();
  assert.equal(await found.apply([message(5, 1, { prev: "another head" })]), false);
});
