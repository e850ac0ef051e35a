import assert from "node:assert/strict";
import test from "node:test";
import { Tree } from "../../../../service/pages/static/study/tree.js";

const node = (name, parent, rank = 0) => ({ node: name, parent, rank });
const steps = [1, 2, 3].map((version) => ({ version, kept: true }));
const chapter = { of: "a game", notes: { 2: {} }, nodes: [node("b", "2", 1), node("a", "2", 0), node("c", "a")] };
const tree = new Tree(chapter, { steps });

test("variations are listed by rank, each with its depth", () => {
  assert.deepEqual(tree.branches("2"), ["a", "b"]);
  assert.deepEqual(tree.listed("2").map(({ place, deep }) => [place, deep]), [["a", 1], ["c", 1], ["b", 1]]);
});

test("a line goes from the beginning of the game to a place", () => {
  assert.deepEqual(tree.line("c"), ["1", "2", "a", "c"]);
});

test("the game goes on before its variations do", () => {
  assert.equal(tree.next("2"), "3");
  assert.equal(tree.next("a"), "c");
  assert.equal(tree.next("c"), null);
});

test("siblings are the other moves of a decision", () => {
  assert.equal(tree.sibling("3", 1), "a");
  assert.equal(tree.sibling("a", 1), "b");
  assert.equal(tree.sibling("b", 1), null);
});

test("the next noted place follows the last one around", () => {
  assert.equal(tree.noted("1", chapter.notes), "2");
  assert.equal(tree.noted("3", chapter.notes), "2");
});
