// The search on the page of the rules finds words however their accents are typed.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { matches } = await import("../../../../service/pages/static/rules/search.js");
const { plain } = await import("../../../../service/pages/static/rules/plain.js");

const blocks = ["4.2 Fjólubláar byggingar", "Nýlendubúar stíga á land", "Þegar skipið er fullt", "Šlechtici", "Fűszerek és ültetvények", "Härbärge"].map((text) => ({ text, found: plain(text), node: { id: "" } }));
const found = (question) => matches(blocks, question).map(({ text }) => text);

test("a word is found without its accents, in every language", () => {
  assert.deepEqual(found("nylend"), ["Nýlendubúar stíga á land"]);
  assert.deepEqual(found("NÝLENDUBÚAR"), ["Nýlendubúar stíga á land"]);
  assert.deepEqual(found("thegar skipid"), ["Þegar skipið er fullt"]);
  assert.deepEqual(found("slechtic"), ["Šlechtici"]);
  assert.deepEqual(found("fuszerek ultetveny"), ["Fűszerek és ültetvények"]);
  assert.deepEqual(found("harbarge"), ["Härbärge"]);
  assert.deepEqual(found("fjolublaar"), ["4.2 Fjólubláar byggingar"]);
  assert.deepEqual(found("quarry"), []);
});
