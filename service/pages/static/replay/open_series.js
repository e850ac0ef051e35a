// What spectators may know of each seat step by step, also where points are hidden: counted from the facts of the moves.

import { total } from "./tale.js";

const PAID = { building_bought: (paid) => paid, tile_bought: () => 1, draw_paid: () => 1 }; // a fact -> the doubloons of its seat
const LOADED = { goods_loaded: 1, wharf_used: 1, small_wharf_used: 0 }; // a fact -> where it tells its goods, after the seat

// Returns the running totals of the seats over the steps.
function summed(steps, seats, gain) {
  const totals = Array.from({ length: seats }, () => 0);
  return steps.map((step) => totals.map((total, seat) => (totals[seat] = total + gain(step, seat))));
}

// Returns the running totals of what the facts bring; undone moves bring nothing.
function summedFacts(steps, seats, gain) {
  return summed(steps, seats, ({ kept, facts }, seat) => (kept === false ? 0 : gain(facts, seat)));
}

// Returns the goods that a seat shipped in a step, on ships and by wharves.
function shipped(facts, seat) {
  return facts.reduce((sum, [name, of, ...told]) => sum + (name in LOADED && of === seat ? count(told[LOADED[name]]) : 0), 0);
}

// Returns the doubloons that a seat paid in a step: for buildings, and for tiles in a trader phase.
function spent(facts, seat) {
  return facts.reduce((sum, [name, of, _, paid]) => sum + (name in PAID && of === seat ? PAID[name](paid) : 0), 0);
}

function count(goods) {
  return typeof goods === "number" ? goods : Object.values(goods).reduce((sum, one) => sum + one, 0);
}

function claimed(facts, seat) {
  return facts.filter(([name, of]) => name === "point_card_claimed" && of === seat).length;
}

export const OPEN_SERIES = {
  puerto_rico: {
    shipped: (steps, seats) => summedFacts(steps, seats, shipped),
    spent: (steps, seats) => summedFacts(steps, seats, spent),
  },
  spice_road: { claimed: (steps, seats) => summedFacts(steps, seats, claimed) },
};

// Returns the names of the series that take no board: points where some are known, then what anybody may count.
export function openSeries(game, steps) {
  const known = !steps.length || steps.some(({ scores }) => scores.some(Boolean));
  return [...(known ? ["points"] : []), ...Object.keys(OPEN_SERIES[game])];
}

// Returns the name of the series to show first.
export function firstSeries(game, steps) {
  return openSeries(game, steps)[0];
}

// Returns the rows of a series over the steps, without any board.
export function rowsWithoutBoards(game, name, steps, seats) {
  if (name !== "points") return OPEN_SERIES[game][name](steps, seats);
  return steps.map(({ scores }) => Array.from({ length: seats }, (_, seat) => scores[seat]?.total ?? null));
}

// Returns what the seats hold after each step, counted by their gains from what they hold on the board after step `at`.
export function heldRows(steps, at, players, { held, gains }) {
  const rows = summed(steps, players.length, (step, seat) => total(step.gains[seat], gains));
  const now = players.map((player, seat) => (held(player) === null ? null : held(player) - rows[at][seat]));
  return rows.map((row) => row.map((sum, seat) => (now[seat] === null ? null : now[seat] + sum)));
}
