import assert from "node:assert/strict";
import test from "node:test";
import { bigEndian, decimal, fromBase64, hex, joined, sha256, unhex, utf8 } from "../../../../service/pages/static/verify/bytes.js";
import { readJson, Wrong } from "../../../../service/pages/static/verify/canonical.js";
import { checkGrowth, checkInclusion } from "../../../../service/pages/static/verify/notes.js";

const leaf = (text) => sha256(Uint8Array.of(0), utf8(text));
const parent = (left, right) => sha256(Uint8Array.of(1), left, right);

test("canonical JSON is read, every other form is refused", () => {
  assert.deepEqual(readJson(utf8('{"a":1,"b":[true,null]}'), 100), { a: 1, b: [true, null] });
  for (const text of ['{"b":1,"a":2}', '{"a": 1}', '{"a":1.5}', '{"a":1,"a":1}', "nonsense", '"e\u0301"']) {
    assert.throws(() => readJson(utf8(text), 100), Wrong, text);
  }
});

test("JSON above the limit is refused", () => {
  assert.throws(() => readJson(utf8('"long"'), 3), { message: "too large" });
});

test("bytes are written and read in hexadecimal and base64", () => {
  assert.equal(hex(unhex("00ff10")), "00ff10");
  assert.deepEqual([...bigEndian(258, 4)], [0, 0, 1, 2]);
  assert.deepEqual([...fromBase64("AQI=", 2)], [1, 2]);
  assert.throws(() => fromBase64("AQJ=", 2), Wrong);
  assert.throws(() => decimal("01"), Wrong);
});

test("a hash covers all its parts in order", async () => {
  assert.equal(hex(await sha256(utf8("ab"), utf8("c"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.deepEqual(joined(utf8("ab"), utf8("c")), utf8("abc"));
});

test("an inclusion proof leads from a leaf to the root", async () => {
  const leaves = await Promise.all(["a", "b", "c"].map(leaf));
  const pair = await parent(leaves[0], leaves[1]);
  const root = await parent(pair, leaves[2]);
  await checkInclusion(2n, 3n, leaves[2], [pair], root);
  await checkInclusion(0n, 3n, leaves[0], [leaves[1], leaves[2]], root);
  await assert.rejects(checkInclusion(1n, 3n, leaves[0], [leaves[1], leaves[2]], root), Wrong);
});

test("a growth proof leads from an older root to the newer one", async () => {
  const leaves = await Promise.all(["a", "b", "c"].map(leaf));
  const pair = await parent(leaves[0], leaves[1]);
  const root = await parent(pair, leaves[2]);
  await checkGrowth(2n, 3n, pair, root, [leaves[2]]);
  await assert.rejects(checkGrowth(2n, 3n, leaves[0], root, [leaves[2]]), Wrong);
});
