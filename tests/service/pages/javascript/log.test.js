import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { announcement } = await import("../../../../service/pages/static/play/log.js");

test("a bot that takes over a seat is called by its name at the table", () => {
  const note = { version: 9, kind: "player_replaced", at: "2026-11-19T12:00:00Z", seat: 1, cause: "ruling", absent: false, player: null, bot: "greedy", until: null, reason: null };
  const seats = ["Nina", "Gunnar (greedy)"];
  assert.equal(announcement(note, { seats }), "Gunnar (greedy) took over a seat.");
  assert.equal(announcement({ ...note, bot: null, player: { name: "Odd" } }, { seats }), "Odd took over a seat.");
});
