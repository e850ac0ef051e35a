import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { forced, rounds, stepSentence, turn } = await import("../../../../service/pages/static/replay/tale.js");

const step = (seat, ...facts) => ({ seat, facts, kept: true, turn: { seat } });

test("a move is told in the past tense with the player's name", () => {
  assert.equal(stepSentence({ kind: "moved", seat: 1, label: "built the hacienda" }, ["Ada", "Nina"]), "Nina built the hacienda");
});

test("an event of a seat names its player, with the reason of a director", () => {
  const names = ["Ada", "Nina"];
  assert.equal(stepSentence({ kind: "resigned", seat: 0 }, names), "Ada resigned");
  assert.equal(stepSentence({ kind: "flag_fell", seat: 0, reason: "no power" }, names), "Ada ran out of time (no power)");
  assert.equal(stepSentence({ kind: "game_ended", seat: null }, names), "The game ended");
  assert.equal(stepSentence({ kind: "draw_offered", seat: 0 }, names), "Ada: Recorded: draw offered");
});

test("moves of the rules are told too, except passes", () => {
  const step = { then: [{ seat: 1, move: "pass", label: "passed" }, { seat: 0, move: "sell corn", label: "sold corn" }] };
  assert.deepEqual(forced(step, ["Ada", "Nina"]), ["Ada sold corn (automatically)."]);
});

test("a round begins after the step that ended the round before", () => {
  const steps = [step(0), step(1, ["round_ended"]), step(0), step(1)];
  assert.deepEqual(rounds(steps), [{ at: 0, round: 1 }, { at: 2, round: 2 }]);
});

test("a draft of buildings is round 0", () => {
  const steps = [step(0, ["building_drafted"]), step(1, ["phase_begun", "role_choice"]), step(0)];
  assert.deepEqual(rounds(steps), [{ at: 0, round: 0 }, { at: 2, round: 1 }]);
});

test("a step that was taken back begins no round", () => {
  const steps = [step(0), { ...step(1, ["round_ended"]), kept: false }, step(0)];
  assert.deepEqual(rounds(steps), [{ at: 0, round: 1 }]);
});

test("the next turn is the next step of another seat", () => {
  const steps = [step(0), step(0), step(1), step(1), step(0)];
  assert.equal(turn(steps, 0, 1), 2);
  assert.equal(turn(steps, 4, -1), 3);
  assert.equal(turn(steps, 4, 1), 4);
});
