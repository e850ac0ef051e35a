// The beginnings of rounds below the slider: as many numbers as there is room for.

import { byId } from "../elements_by_id.js";
import { html } from "./elements.js";
import { roundName } from "./tale.js";

const WIDE = 45; // pixels of a number with its room
const MARKS = 100; // rounds that all have a mark; of more, those with a number have one

export function markRounds(rounds, steps) {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => rounds.length / size <= innerWidth / WIDE) ?? 1000;
  const numbered = (round) => round === 1 || (round > 0 && round % every === 0);
  const marked = rounds.filter(({ round }) => rounds.length <= MARKS || numbered(round));
  byId("rounds").replaceChildren(...marked.map(({ at, round }) => mark(at / Math.max(1, steps - 1), roundName(round), numbered(round) ? String(round) : "")));
}

function mark(share, title, number) {
  const tick = html("span", { title }, number);
  tick.style.left = `${share * 100}%`;
  return tick;
}
