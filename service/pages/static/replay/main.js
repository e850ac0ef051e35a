// The page on which a game is watched: which step is shown, how one gets to another, and what follows live.

import { html } from "./elements.js";
import { Game, verdict } from "./game.js";
import { chart } from "./chart.js";
import { mark } from "./marks.js";
import * as tale from "./tale.js";
import * as puertoRico from "./puerto_rico.js";
import * as spiceRoad from "./spice_road.js";

const TABLES = { puerto_rico: puertoRico, spice_road: spiceRoad };
const setting = JSON.parse(byId("setting").textContent);
const table = TABLES[setting.game];
const game = new Game(setting.id);
let at = 0;
let rounds = [];
let playing = null;
let asked = 0;

function byId(id) {
  return document.getElementById(id);
}

async function start() {
  await game.open();
  byId("eyes").value = game.eyes;
  setting.seats = game.summary.seats.map(named);
  for (const name of Object.keys(table.SERIES)) byId("series").append(html("option", { value: name }, name));
  connect();
  await tell();
  await show(addressed() ?? game.steps.length - 1);
  if (!game.over) follow();
}

function named({ player, bot, stand_in }, seat) {
  const level = (bot ?? stand_in)?.replace(/^bot:/, "");
  return player?.name ?? (level ? `${level} bot ${seat}` : `seat ${seat}`);
}

// The step that the address names, or the last one before it.
function addressed() {
  const version = Number(location.hash.slice(1));
  if (!location.hash || !Number.isInteger(version)) return null;
  return Math.max(0, game.steps.findLastIndex((step) => step.version <= version));
}

// Everything that depends on which steps there are, and through whose eyes.
async function tell() {
  rounds = tale.rounds(game.steps);
  byId("steps").replaceChildren(...tale.list(game.steps, setting.seats, rounds));
  byId("slider").max = Math.max(0, game.steps.length - 1);
  byId("rounds").replaceChildren(...rounds.map(roundMark));
  byId("state").textContent = game.summary.status;
  [...byId("eyes").options].forEach((option, number) => {
    if (number && option.value !== "all") option.textContent = `seat ${option.value}, ${setting.seats[option.value]}`;
  });
  byId("eyes").querySelector("[value=all]").disabled = !game.over;
  game.fetchBoards().then(draw, fail);
}

function roundMark({ at: first, round }) {
  const every = [1, 5, 10, 20, 50].find((size) => rounds.length / size <= innerWidth / 45) ?? 100;
  const tick = html("span", { title: `round ${round}` }, round % every === 0 ? String(round) : "");
  tick.style.left = `${(first / Math.max(1, game.steps.length - 1)) * 100}%`;
  return tick;
}

async function show(next) {
  if (!game.steps.length) {
    byId("now").textContent = "The game has not begun.";
    return;
  }
  at = Math.min(Math.max(next, 0), game.steps.length - 1);
  const mine = ++asked;
  const step = game.steps[at];
  history.replaceState(null, "", `#${step.version}`);
  const [board, before] = await Promise.all([game.board(step.version), at ? game.board(game.steps[at - 1].version) : null]);
  if (mine !== asked) return; // somebody has gone on meanwhile
  lay(board, before);
  label(step);
  draw();
  if (byId("told").open) byId("text").textContent = await game.text(step.version);
}

function lay(board, before) {
  const drawn = byId("board");
  drawn.replaceChildren(...table.board(board, setting));
  drawn.removeAttribute("aria-busy");
  drawn.dataset.version = game.steps[at].version;
  if (before) mark(drawn, html("div", {}, ...table.board(before, setting)));
}

function label(step) {
  const said = tale.told(step, setting.seats);
  const gains = tale.gained(step, setting.seats);
  byId("now").replaceChildren(html("strong", {}, said), gains ? html("span", {}, ` ${gains}`) : "");
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", said);
  const round = rounds.findLast((begins) => begins.at <= at)?.round;
  byId("place").textContent = `${at + 1} / ${game.steps.length} · round ${round}`;
  byId("steps").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const link = byId("steps").querySelector(`[data-at="${at}"]`);
  link.setAttribute("aria-current", "step");
  const list = byId("steps");
  list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function draw() {
  const series = byId("series").value;
  const read = table.SERIES[series];
  const rows = game.steps.map(({ version, scores }) => setting.seats.map((_, seat) => read(game.boards.get(version), scores, seat)));
  byId("chart").replaceChildren(chart(rows, at, series));
}

const WAYS = {
  first: () => show(0),
  last: () => show(game.steps.length - 1),
  back: () => show(at - 1),
  on: () => show(at + 1),
  turnBack: () => show(tale.turn(game.steps, at, -1)),
  turnOn: () => show(tale.turn(game.steps, at, 1)),
  play: () => play(playing === null),
};
const KEYS = { Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "on", ArrowUp: "turnBack", ArrowDown: "turnOn", " ": "play" };

function play(on) {
  clearTimeout(playing);
  playing = null;
  const button = document.querySelector("[data-go=play]");
  button.setAttribute("aria-pressed", String(on));
  button.textContent = on ? "Pause" : "Play";
  if (on) playing = setTimeout(onward, 0);
}

async function onward() {
  if (at >= game.steps.length - 1 && game.over) return play(false);
  await show(at + 1);
  if (playing !== null) playing = setTimeout(onward, Number(byId("speed").value));
}

function connect() {
  for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => WAYS[button.dataset.go]()?.catch(fail));
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)).catch(fail));
  byId("series").addEventListener("change", draw);
  byId("eyes").addEventListener("change", (event) => look(event.target).catch(fail));
  byId("told").addEventListener("toggle", () => show(at).catch(fail));
  byId("verify").addEventListener("click", () => verify().catch(fail));
  addEventListener("hashchange", () => show(addressed() ?? at).catch(fail));
  document.addEventListener("keydown", press);
}

function press(event) {
  const way = KEYS[event.key];
  const typing = event.target.matches("select, textarea, input:not([type=range]), pre");
  if (!way || typing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && event.target.matches("button, a, summary")) return;
  event.preventDefault();
  WAYS[way]()?.catch(fail);
}

async function look(select) {
  const version = game.steps[at]?.version;
  try {
    await game.look(select.value);
  } catch (refused) {
    select.value = game.eyes;
    throw refused;
  }
  await tell();
  await show(game.steps.findLastIndex((step) => step.version <= version));
}

// New steps as they happen; who looks at the newest one goes along.
async function follow() {
  while (!game.over) {
    try {
      const newest = at >= game.steps.length - 1;
      const known = game.steps.length;
      if (!(await game.wait())) continue;
      if (game.steps.length === known && !game.over) continue;
      await tell();
      await show(newest ? game.steps.length - 1 : at);
    } catch (away) {
      fail(away);
      await new Promise((again) => setTimeout(again, 5000));
    }
  }
}

async function verify() {
  byId("verdict").textContent = "Checking the bundle…";
  const report = await verdict(setting.id);
  const passed = report.checks.filter((check) => check.status === "passed").length;
  const sign = report.verdict.startsWith("valid") ? "✓" : "✗";
  const proved = html("span", {}, `${sign} The service judges its bundle ${report.verdict}: ${passed} of ${report.checks.length} checks passed. `);
  const here = html("a", { href: "/verify" }, "Check the bundle in this browser instead");
  const open = report.checks.filter((check) => check.status !== "passed").map((check) => html("li", {}, `${check.asks} — ${check.status}`));
  const not = report.not_proved.map((sentence) => html("li", {}, sentence));
  const more = html("details", {}, html("summary", {}, "What this does not prove"), html("ul", {}, ...open, ...not));
  byId("verdict").replaceChildren(proved, here, more);
}

function fail(problem) {
  byId("verdict").textContent = problem.message;
}

start().catch(fail);
