import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { fill, inLanguage } = await import("../../../../service/pages/static/words.js");

test("a phrase is filled in with the values of its places", () => {
  assert.equal(fill("{name} played {move}", { name: "Nina", move: "pass" }), "Nina played pass");
});

test("the value n chooses the plural form", () => {
  const doubloons = { one: "{n} doubloon", other: "{n} doubloons" };
  assert.equal(fill(doubloons, { n: 1 }), "1 doubloon");
  assert.equal(fill(doubloons, { n: 3 }), "3 doubloons");
});

test("an address names the language of the page, unless it names one already", () => {
  const addresses = ["/v1/games", "/v1/games?", "/v1/games?limit=5&game=x", "/v1/rules?language=hu"];
  assert.deepEqual(addresses.map(inLanguage), ["/v1/games?language=en", "/v1/games?language=en", "/v1/games?limit=5&game=x&language=en", "/v1/rules?language=hu"]);
});
