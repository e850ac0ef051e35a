import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { outlined, PART, Parts } = await import("../../../../service/pages/static/replay/outline.js");

const OUTLINE = {
  version: 2 * PART + 3,
  steps: [2, 1, PART, PART],
  kinds: ["game_started", "moved"],
  kind: [0, 1, 1, 1],
  seats: [null, 0, 1, 0],
  undone: [[2, 1]],
  ends: [3],
  facts: [[1, [["round_begun", 2]]]],
  points: [[0, [0, null]], [3, [7, 9]]],
};

// The parts of a log whose steps are called by their version.
function parts(fail = () => false) {
  const asked = [];
  const fetch = async (after, until) => {
    asked.push([after, until]);
    if (fail(asked.length)) throw new Error("away");
    const steps = Array.from({ length: until - after }, (_, at) => ({ version: after + at + 1, label: `move ${after + at + 1}`, kept: true }));
    return { steps, notes: [{ version: until, kind: "resigned" }] };
  };
  return { log: new Parts(fetch, OUTLINE.version), asked };
}

test("an outline has all steps, marked as unread", () => {
  const steps = outlined(OUTLINE);
  assert.deepEqual(steps.map(({ version }) => version), [2, 3, PART + 3, 2 * PART + 3]);
  assert.deepEqual(steps.map(({ kind, seat, kept }) => [kind, seat, kept]), [["game_started", null, true], ["moved", 0, true], ["moved", 1, false], ["moved", 0, true]]);
  assert.deepEqual(steps.map(({ turn }) => Boolean(turn)), [true, true, true, false]);
  assert.deepEqual(steps[1].facts, [["round_begun", 2]]);
  assert.deepEqual(steps.map(({ scores }) => scores), [[{ total: 0 }, null], [], [], [{ total: 7 }, { total: 9 }]]);
  assert.ok(steps.every(({ unread }) => unread));
});

test("words are asked for in parts, each once, and change nothing that the outline knows", async () => {
  const { log, asked } = parts();
  const steps = outlined(OUTLINE);
  const notes = await log.read(steps.slice(2));
  await log.read(steps.slice(2));
  assert.deepEqual(asked, [[PART, 2 * PART], [2 * PART, OUTLINE.version]]);
  assert.deepEqual(notes.map(({ version }) => version), [2 * PART, OUTLINE.version]);
  assert.deepEqual(steps.map(({ label, unread, kept }) => [label, unread, kept]), [[null, true, true], [null, true, true], [`move ${PART + 3}`, false, false], [`move ${2 * PART + 3}`, false, true]]);
});

test("a part that could not be read is asked for again", async () => {
  const { log, asked } = parts((number) => number === 1);
  const steps = outlined(OUTLINE);
  await assert.rejects(log.read(steps.slice(3)));
  await log.read(steps.slice(3));
  assert.equal(asked.length, 2);
  assert.equal(steps[3].unread, false);
});
