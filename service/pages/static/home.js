// Shows a running game on the first page: the newest board, in small, and the last step.

import { Away, get } from "./api.js";
import { boardAfter, stepsOf } from "./live_steps.js";
import { html } from "./replay/elements.js";
import * as puertoRico from "./replay/puerto_rico.js";
import { named } from "./replay/seats.js";
import * as spiceRoad from "./replay/spice_road.js";
import { stepSentence } from "./replay/tale.js";
import { Stream } from "./stream.js";

const AGAIN = 6000; // milliseconds before a start that failed is repeated
const LAST = 4; // events that are read at first: not all of them are steps
const BOARDS = { puerto_rico: puertoRico, spice_road: spiceRoad };
const setting = JSON.parse(document.getElementById("setting").textContent);
const path = `/v1/games/${setting.id}`;
let seats = [];
let board; // the newest one, where it is known
let applied = Promise.resolve();

function draw(step) {
  document.getElementById("now").replaceChildren(html("strong", {}, stepSentence(step, seats)));
  document.getElementById("board").replaceChildren(...BOARDS[setting.game].board(board, { ...setting, seats }));
}

// Applies a live step; requests only changed names, and the first board.
async function apply(message) {
  const { version, step, summary } = message;
  if (!summary) seats = named((await get(path)).seats);
  if (!step) return;
  board = boardAfter(board, message) ?? (await get(`${path}/position?at=${version}`));
  draw(step);
}

function hear(kind, message) {
  if (kind !== "closed") applied = applied.then(() => apply(message)).catch(quietly);
}

async function start() {
  const summary = await get(path);
  seats = named(summary.seats);
  const { steps } = await get(`${path}/replay?after=${Math.max(0, summary.version - LAST)}`);
  const step = steps.at(-1);
  if (step) {
    board = step.position;
    draw(step);
  }
  if (summary.status !== "running") return;
  new Stream(stepsOf(path), Math.max(summary.version, step?.version ?? 0), hear).whileVisible();
}

// Ignores an unreachable service.
function quietly(problem) {
  board = undefined; // asked for with the next step
  if (!(problem instanceof Away)) throw problem;
}

function begin() {
  start().catch((problem) => {
    quietly(problem);
    setTimeout(begin, AGAIN);
  });
}

begin();
