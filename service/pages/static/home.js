// The first page shows a game as it is being played: the newest board, in small, and what was done last.

import { Away, get } from "./api.js";
import { html } from "./replay/elements.js";
import * as puertoRico from "./replay/puerto_rico.js";
import { named } from "./replay/seats.js";
import * as spiceRoad from "./replay/spice_road.js";
import { stepSentence } from "./replay/tale.js";

const EVERY = 6000; // milliseconds between two looks
const MOST = 500; // looks of a page that is left open
const BOARDS = { puerto_rico: puertoRico, spice_road: spiceRoad };
const setting = JSON.parse(document.getElementById("setting").textContent);
const path = `/v1/games/${setting.id}`;
let shown = 0; // version

async function look() {
  const { version, seats, status } = await get(path);
  if (version === shown) return status;
  const { steps } = await get(`${path}/replay?after=${Math.max(0, version - 4)}`);
  const step = steps.findLast(({ position }) => position);
  if (step) draw(step, named(seats));
  shown = version;
  return status;
}

function draw(step, seats) {
  document.getElementById("now").replaceChildren(html("strong", {}, stepSentence(step, seats)));
  document.getElementById("board").replaceChildren(...BOARDS[setting.game].board(step.position, { ...setting, seats }));
}

async function follow() {
  for (let looks = 0; looks < MOST; looks++) {
    if (!document.hidden && (await look().catch(quietly)) === "finished") return;
    await new Promise((again) => setTimeout(again, EVERY));
  }
}

// Who cannot be reached now is asked again.
function quietly(problem) {
  if (!(problem instanceof Away)) throw problem;
}

follow();
