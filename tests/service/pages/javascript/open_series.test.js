import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { firstSeries, heldRows, openSeries, rowsWithoutBoards } = await import("../../../../service/pages/static/replay/open_series.js");

const step = (scores, ...facts) => ({ scores, facts, kept: true });

test("goods shipped are counted from the moves, by ship and by wharf", () => {
  const steps = [step([null, null], ["goods_loaded", 1, "corn", 2, 0], ["goods_loaded", 0, "sugar", 1, 1]), step([null, null], ["wharf_used", 1, "corn", 3]), step([null, null], ["small_wharf_used", 0, [1, 0, 2, 0, 0]])];
  assert.equal(firstSeries("puerto_rico", steps), "shipped");
  assert.deepEqual(rowsWithoutBoards("puerto_rico", "shipped", steps, 2), [[1, 2], [1, 5], [4, 5]]);
});

test("doubloons spent are those for buildings and for tiles of the trader phase", () => {
  const steps = [step([null, null], ["building_bought", 1, "hacienda", 2]), step([null, null], ["draw_paid", 1], ["tile_drawn", 1, "corn"]), step([null, null], ["tile_bought", 0, "sugar"], ["doubloons_gained", 0, 3])];
  assert.deepEqual(openSeries("puerto_rico", steps), ["shipped", "spent"]);
  assert.deepEqual(rowsWithoutBoards("puerto_rico", "spent", steps, 2), [[0, 2], [0, 3], [1, 3]]);
});

test("a building whose purchase was taken back cost nothing", () => {
  assert.deepEqual(rowsWithoutBoards("puerto_rico", "spent", [{ ...step([null], ["building_bought", 0, "hacienda", 2]), kept: false }], 1), [[0]]);
});

test("a move that was taken back ships nothing", () => {
  assert.deepEqual(rowsWithoutBoards("puerto_rico", "shipped", [{ ...step([null], ["wharf_used", 0, "corn", 3]), kept: false }], 1), [[0]]);
});

test("points are shown first where spectators see them", () => {
  const steps = [step([{ total: 4 }, { total: 1 }], ["point_card_claimed", 0, "points_8_x"])];
  assert.equal(firstSeries("spice_road", steps), "points");
  assert.deepEqual(rowsWithoutBoards("spice_road", "points", steps, 2), [[4, 1]]);
  assert.deepEqual(rowsWithoutBoards("spice_road", "claimed", steps, 2), [[1, 0]]);
});

test("what seats hold is counted from one board by the gains before and after it", () => {
  const goods = { held: (player) => player.goods, gains: /^goods\./ };
  const steps = [[{}, {}], [{ "goods.corn": 2, "goods.sugar": 1, doubloons: 5 }, {}], [{ "goods.corn": -1 }, { "goods.corn": 1 }]].map((gains) => ({ gains }));
  const rows = [[1, 0], [4, 0], [3, 1]];
  assert.deepEqual(heldRows(steps, 1, [{ goods: 4 }, { goods: 0 }], goods), rows);
  assert.deepEqual(heldRows(steps, 2, [{ goods: 3 }, { goods: 1 }], goods), rows);
  assert.deepEqual(heldRows(steps, 2, [{ goods: null }, { goods: 1 }], goods), rows.map(([, other]) => [null, other]));
});
