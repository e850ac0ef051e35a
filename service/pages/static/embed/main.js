// A game in a frame of another site: its steps, its board, and the moves as they come. It stores nothing.

import { byId } from "../elements_by_id.js";
import { stepsOf } from "../live_steps.js";
import { TABLES } from "../live_board.js";
import { bought } from "../replay/city.js";
import { html } from "../replay/elements.js";
import { Game } from "../replay/game.js";
import { mark, values } from "../replay/marks.js";
import { playerTabs } from "../replay/players.js";
import { named } from "../replay/seats.js";
import { stepSentence } from "../replay/tale.js";
import { explain } from "../rules/popovers.js";
import { Stream } from "../stream.js";
import { say } from "../words.js";
import { standing } from "./standing.js";
import { Whole } from "./whole.js";

const setting = JSON.parse(byId("setting").textContent);
const game = new Game(setting);
const table = TABLES[setting.game];
const slider = byId("slider", HTMLInputElement);
const whole = new Whole(byId("board"), byId("enlarge"));
let at = 0;
let asked = 0;
let position = null; // of the board that is shown

async function start() {
  await game.open(firstBoard);
  refresh();
  for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => show(TARGETS[button.dataset.go]()).catch(fail));
  slider.addEventListener("input", () => show(Number(slider.value)).catch(fail));
  document.querySelector(".title").append(explain(byId("board"), () => position && { game: setting.game, position, seats: setting.seats }));
  await show(setting.at === null ? game.steps.length - 1 : game.steps.findLastIndex(({ version }) => version <= setting.at));
  if (!game.over) follow();
}

// Shows the board of a long game before its steps are there.
async function firstBoard() {
  const board = await game.position(setting.at ?? game.summary.version).catch(() => null);
  if (!board || game.steps.length) return;
  setting.seats = named(game.summary.seats);
  setting.built = bought([], setting.seats.length);
  byId("board").replaceChildren(...table.board(board, setting));
  playerTabs(byId("board"), setting.seats, null, board.turn?.seat);
  byId("board").removeAttribute("aria-busy");
  performance.mark("board");
  whole.fit();
}

const TARGETS = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => game.steps.length - 1 };

function refresh() {
  setting.seats = named(game.summary.seats);
  setting.built = bought(game.steps, setting.seats.length);
  slider.max = String(Math.max(0, game.steps.length - 1));
  byId("state").textContent = `${say(`common.status_${game.summary.status}`)} · ${setting.seats.join(", ")}`;
}

async function show(next) {
  if (!game.steps.length) {
    byId("now").textContent = say("replay.not_begun");
    return;
  }
  at = Math.min(Math.max(next, 0), game.steps.length - 1);
  const mine = ++asked;
  const [step, earlier] = [game.steps[at], game.steps[at - 1]];
  const [board, before] = await Promise.all([game.board(step.version), earlier ? game.board(earlier.version) : null, game.read(at, at + 1)]);
  if (mine !== asked) return; // the reader has moved on meanwhile
  const drawn = byId("board");
  position = board;
  drawn.replaceChildren(...table.board(board, setting));
  playerTabs(drawn, setting.seats, step.seat, board.turn?.seat);
  drawn.removeAttribute("aria-busy");
  drawn.dataset.version = step.version;
  if (before) mark(drawn, values(html("div", {}, ...table.board(before, setting))));
  performance.mark("board");
  const said = stepSentence(step, setting.seats);
  byId("now").replaceChildren(html("strong", {}, said));
  byId("standing").replaceChildren(...standing(step.scores, setting.seats, board.turn?.seat));
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", said);
  byId("place").textContent = `${at + 1} / ${game.steps.length}`;
  whole.keep();
}

// Applies each event; a viewer of the newest step goes along.
function follow() {
  let applied = Promise.resolve();
  const apply = async (message) => {
    const along = at >= game.steps.length - 1;
    if (!game.applyMessages([message])) return location.reload();
    if (game.stale) await game.renew();
    refresh();
    await show(along ? game.steps.length - 1 : at);
  };
  const hear = (kind, message) => {
    if (kind !== "closed" && kind !== "talk") applied = applied.then(() => apply(message)).catch(fail);
  };
  new Stream(stepsOf(game.path), Math.min(game.known, game.summary.version), hear).whileVisible();
}

function fail(problem) {
  byId("trouble").textContent = problem.message;
}

start().catch(fail);
