// The chart or the table of the whole game beside the board, by the series that the reader chooses.

import { byId } from "../elements_by_id.js";
import { say } from "../words.js";
import { chart } from "./chart.js";
import { html } from "./elements.js";
import { firstSeries, heldRows, OPEN_SERIES, rowsWithoutBoards } from "./open_series.js";

// `table` has the series of a game that take a board, and its tables.
export function offerSeries(game, table, steps) {
  const names = ["points", ...Object.keys({ ...table.SERIES, ...OPEN_SERIES[game], ...table.TABLES })];
  byId("series").append(...names.map((name) => html("option", { value: name }, say(`board.series_${name}`))));
  byId("series", HTMLSelectElement).value = firstSeries(game, steps);
}

// Returns whether the chosen series is counted from the words of all steps.
export function takesAllWords(table) {
  return byId("series", HTMLSelectElement).value in table.SERIES;
}

// Draws the chosen series over the steps, of which step `at` with its board is shown.
export function drawSeries(setting, table, steps, rounds, at, board) {
  const series = byId("series", HTMLSelectElement).value;
  if (table.TABLES?.[series]) return chosen(table.TABLES[series](steps, rounds, at, setting));
  byId("chart").replaceChildren(chart(rowsOf(series, setting, table, steps, at, board), at, say(`board.series_${series}`)));
}

function rowsOf(series, setting, table, steps, at, board) {
  const holding = table.SERIES[series];
  if (!holding) return rowsWithoutBoards(setting.game, series, steps, setting.seats.length);
  return board ? heldRows(steps, at, board.players, holding) : [];
}

// Scrolls a table to the shown step.
function chosen(drawn) {
  byId("chart").replaceChildren(drawn);
  const row = drawn.querySelector("[aria-current]")?.closest("tr");
  if (row) drawn.scrollTop = row.offsetTop - drawn.clientHeight / 2;
}
