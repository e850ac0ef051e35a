import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { Store } = await import("../../../../service/pages/static/study/store.js");

// Does something after so many others have had their turn.
async function after(turns, act) {
  for (let turn = 0; turn < turns; turn++) await null;
  return act();
}

test("a change that is told of as an earlier one ends is read", async () => {
  for (let turns = 0; turns < 30; turns++) {
    let [newest, renewed] = [2, null];
    const store = new Store({ id: "s" }, async () => {
      renewed ??= after(turns, () => {
        newest = 3;
        return store.renew(3);
      });
    });
    store.read = async () => ({ heading: { version: newest } });
    store.heading = { version: 1 };
    await store.renew(2);
    await renewed;
    assert.equal(store.heading.version, 3, `${turns} turns later`);
  }
});
