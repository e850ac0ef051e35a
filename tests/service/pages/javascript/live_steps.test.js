import assert from "node:assert/strict";
import test from "node:test";

const { boardAfter, keptSteps, patched } = await import("../../../../service/pages/static/live_steps.js");

test("changes name new values by pointer, and leave the old document alone", () => {
  const before = { a: [{ n: 1 }], "x/y": { "z~": 1 }, gone: { one: 1, two: 2 } };
  const after = patched(before, { "/a/0/n": 2, "/x~1y/z~0": 3, "/gone": { two: 2 }, "/new": null });
  assert.deepEqual(after, { a: [{ n: 2 }], "x/y": { "z~": 3 }, gone: { two: 2 }, new: null });
  assert.equal(before.a[0].n, 1);
  assert.deepEqual(patched(before, { "": 7 }), 7);
});

test("a whole board needs none before it", () => {
  assert.deepEqual(boardAfter(undefined, { version: 2, position: { n: 1 }, changes: {} }), { n: 1, version: 2 });
  assert.equal(boardAfter(undefined, { version: 2, position: null, changes: { "/n": 1 } }), undefined);
});

test("a return keeps the steps before and after it", () => {
  const steps = [1, 2, 3, 5].map((version) => ({ version }));
  assert.deepEqual(keptSteps(steps, { version: 4, step: { back_to: 1 } }), [{ version: 1 }, { version: 5 }]);
  assert.equal(keptSteps(steps, { version: 4, step: null }), steps);
});
