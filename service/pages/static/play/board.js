// Draws the table's board: the reader's own mat first, the changes since the last visit, and what can be clicked.

import { byId } from "../elements_by_id.js";
import { html } from "../replay/elements.js";
import { mark } from "../replay/marks.js";
import { playerTabs } from "../replay/players.js";
import * as puertoRico from "../replay/puerto_rico.js";
import * as spiceRoad from "../replay/spice_road.js";
import { open, point } from "./clickable.js";
import { spots } from "./spots.js";
import { targets } from "./targets.js";

const BOARDS = { puerto_rico: puertoRico, spice_road: spiceRoad };

// `pick` is told the part of the board that the reader clicks.
export function draw(board, table, view, setting, pick) {
  board.replaceChildren(...BOARDS[setting.game].board(shownPosition(table, view), setting));
  board.removeAttribute("aria-busy");
  board.dataset.version = table.summary.version;
  const mats = board.querySelectorAll(".mat");
  if (mats[table.seat]) mats[0].before(mats[table.seat]); // the own board of a reader with a seat first
  playerTabs(board, setting.seats, table.seat, table.position.turn?.seat, table.mine ? table.summary.version : null);
  byId("mat").replaceChildren(...(view.mayor ? [mats[table.seat]] : [])); // and close by during the placement
  if (view.before && byId("changes", HTMLInputElement).checked && !view.mayor) mark(board, html("div", {}, ...BOARDS[setting.game].board(view.before, setting)));
  if (view.mayor && !view.chosen) view.mayor.open();
  else if (table.mine && !view.chosen) open(board, spots(table, setting.game), pick);
  else if (view.chosen) point(board, targets(setting.game, view.chosen.move, table.position, table.seat));
  performance.mark("board");
}

// Returns the board as the reader sees it: with the colonists that they are placing.
export function shownPosition(table, view) {
  return view.mayor?.preview() ?? table.position;
}
