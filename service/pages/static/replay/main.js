// The replay page: shows a step, navigates, applies live events.

import { Away } from "../api.js";
import { pointsAccount } from "../end/account.js";
import { playAgain } from "../end/actions.js";
import { endPanel } from "../end/panel.js";
import { invite } from "../end/rematch.js";
import { share } from "../end/share.js";
import { byId } from "../elements_by_id.js";
import { talkedStepsOf } from "../live_steps.js";
import { redrawn } from "../motion.js";
import { Stream } from "../stream.js";
import { told } from "../rules/paragraph.js";
import { explain } from "../rules/popovers.js";
import { folded } from "../talk/page.js";
import { say } from "../words.js";
import { bought } from "./city.js";
import { html } from "./elements.js";
import { Game } from "./game.js";
import { mark, values } from "./marks.js";
import { drawSeries, offerSeries, takesAllWords } from "./over_time.js";
import { playerTabs } from "./players.js";
import { judge, verdict } from "./proof.js";
import * as puertoRico from "./puerto_rico.js";
import { markRounds } from "./round_marks.js";
import { named } from "./seats.js";
import * as spiceRoad from "./spice_road.js";
import { StepList } from "./step_list.js";
import * as tale from "./tale.js";

const TABLES = { puerto_rico: puertoRico, spice_road: spiceRoad };
const LONG = 120; // a longer sentence is shown in smaller type
const PAUSE = 60; // milliseconds in which a reader may go on before the words of a step are asked for
const COMPARED = 256; // boards whose parts are kept for comparison
const setting = JSON.parse(byId("setting").textContent);
const table = TABLES[setting.game];
const game = new Game(setting);
const list = new StepList(byId("steps"), [byId("steps-earlier"), byId("steps-later")], (from, until) => game.read(from, until), fail);
let talk = null;
let at = 0;
let rounds = [];
let partsByVersion = new Map(); // version -> the content of the parts of its board
let playing = null;
let asked = 0;
let account = null; // of the points of a finished game
let ending = null; // the drawn end of the game

async function start() {
  byId("verify").addEventListener("click", () => prove().catch(fail)); // needs no pending request
  await game.open(firstBoard);
  byId("eyes", HTMLSelectElement).value = game.eyes;
  offerSeries(setting.game, table, game.steps);
  connect();
  document.querySelector(".title").append(explain(byId("board"), shown));
  await render();
  await show(addressed() ?? game.steps.length - 1);
  const ended = { path: talkedStepsOf(game.path), after: game.summary.version };
  const invitable = setting.seat !== null; // the stream tells of a rematch, too
  talk = folded(byId("talk"), "game", setting.id, setting.player, game.over && !invitable && ended);
  if (!game.over) follow();
  else if (invitable) new Stream(ended.path, ended.after, (kind, message) => kind === "talk" && hearBeside(message)).whileVisible();
}

// Hears what a stream tells beside the steps: the talk, and a rematch.
function hearBeside({ talk: news, rematch }) {
  talk.hear(news);
  invite(byId("rematch"), rematch, game.summary, null);
}

// Returns the board as the reader sees it, for the explanations of its pieces.
function shown() {
  const position = game.boards.get(game.steps[at]?.version);
  return position && { game: setting.game, position, seats: setting.seats };
}

// Shows the board that the address names, with the end above the last one, before the steps of a long game are there.
async function firstBoard() {
  const version = addressedVersion();
  const [board] = await Promise.all([game.position(version ?? game.summary.version).catch(() => null), version === null ? count() : null]);
  if (!board || game.steps.length) return;
  setting.seats = named(game.summary.seats);
  setting.built = bought([], setting.seats.length);
  byId("end").replaceChildren(...(account && version === null ? [endOf([])] : []));
  byId("board").replaceChildren(...table.board(board, setting));
  byId("board").removeAttribute("aria-busy");
  performance.mark("board");
}

// Returns the version that the address names.
function addressedVersion() {
  const version = location.hash ? Number(location.hash.slice(1)) : setting.at;
  return Number.isInteger(version) ? version : null;
}

// Returns the step that the address names, or the last one before it.
function addressed() {
  const version = addressedVersion();
  if (version === null) return null;
  return Math.max(0, game.steps.findLastIndex((step) => step.version <= version));
}

// Renders all that depends on the steps and the viewpoint.
async function render() {
  setting.seats = named(game.summary.seats);
  setting.built = bought(game.steps, setting.seats.length);
  rounds = tale.rounds(game.steps);
  partsByVersion = new Map();
  await count();
  setting.read = (versions) => game.readVersions(versions).catch(fail);
  ending = account && endOf(game.steps);
  list.take(game.steps, setting.seats, rounds);
  byId("slider", HTMLInputElement).max = String(Math.max(0, game.steps.length - 1));
  markRounds(rounds, game.steps.length);
  byId("state").textContent = state();
  for (const option of byId("eyes", HTMLSelectElement).options) {
    if (/^\d$/.test(option.value)) option.textContent = say("replay.seat_named", { seat: Number(option.value) + 1, name: setting.seats[option.value] });
    option.disabled = !game.over && option.value !== "" && option.value !== String(setting.seat); // only one's own seat while it runs
  }
}

// Reads the account of the points of a finished game.
async function count() {
  if (game.summary.result?.points) account ??= await pointsAccount(game.path, game.long);
}

function endOf(steps) {
  return endPanel(account, steps, setting, (version) => `#${version}`, again());
}

// What asks the players for another game.
function again() {
  return setting.seat === null ? [] : [playAgain(setting, game.summary)];
}

function state() {
  const { status, result } = game.summary;
  const said = say(`common.status_${status}`);
  if (!result?.places) return said;
  const winners = setting.seats.filter((_, seat) => result.places[seat] === 1);
  if (!winners.length) return `${said} · ${say("replay.nobody_won")}`; // no player came
  const points = say("common.points", { n: result.points[result.places.indexOf(1)] });
  return `${said} · ${say("replay.won", { names: winners.join(", "), points })}`;
}

async function show(next) {
  if (!game.steps.length) {
    byId("now").textContent = say("replay.not_begun");
    byId("board").removeAttribute("aria-busy");
    return;
  }
  at = Math.min(Math.max(next, 0), game.steps.length - 1);
  const mine = ++asked;
  const step = game.steps[at];
  history.replaceState(null, "", `#${step.version}`);
  if (step.unread) await new Promise((go) => setTimeout(go, PAUSE));
  if (mine !== asked) return;
  const [board, before] = await Promise.all([game.board(step.version), at ? game.board(game.steps[at - 1].version) : null, list.ready(at)]);
  if (mine !== asked) return; // the reader has moved on meanwhile
  lay(board, before);
  label(step);
  draw();
  game.loadNear(at).catch(fail);
  if (byId("in-words", HTMLDetailsElement).open) byId("text").textContent = await game.text(step.version);
}

function lay(board, before) {
  const drawn = byId("board");
  redrawn(drawn, () => {
    drawn.replaceChildren(...table.board(board, setting));
    playerTabs(drawn, setting.seats, game.steps[at].seat, board.turn?.seat);
  });
  byId("end").replaceChildren(...(ending && at === game.steps.length - 1 ? [ending] : []));
  drawn.removeAttribute("aria-busy");
  const { version } = game.steps[at];
  if (partsByVersion.size > COMPARED) partsByVersion.clear();
  partsByVersion.set(version, values(drawn));
  if (before) mark(drawn, partsBefore(before));
  drawn.dataset.version = version;
  performance.mark("board");
}

// Uses the board before as drawn on the page, or draws it for the comparison.
function partsBefore(board) {
  const { version } = game.steps[at - 1];
  if (!partsByVersion.has(version)) partsByVersion.set(version, values(html("div", {}, ...table.board(board, setting))));
  return partsByVersion.get(version);
}

function label(step) {
  const said = tale.stepSentence(step, setting.seats);
  const gains = tale.gained(step, setting);
  const more = [gains && `${gains}.`, ...tale.forced(step, setting.seats)].filter(Boolean).join(" ");
  const comments = (step.comments ?? []).map((comment) => html("q", {}, comment));
  byId("now").replaceChildren(html("strong", {}, said), more ? html("span", {}, ` ${more}`) : "", ...comments);
  byId("now").setAttribute("aria-live", document.activeElement === byId("slider") ? "off" : "polite"); // the slider announces it
  byId("now").classList.toggle("long", said.length > LONG);
  byId("slider", HTMLInputElement).value = String(at);
  byId("slider").setAttribute("aria-valuetext", said);
  const round = rounds.findLast((begins) => begins.at <= at)?.round;
  byId("place").textContent = round === 0 ? `${at + 1} / ${game.steps.length} · ${tale.roundName(round)}` : say("replay.place", { at: at + 1, of: game.steps.length, round });
  list.show(at);
}

function draw() {
  if (takesAllWords(table) && !game.whole) return game.read().then(draw, fail);
  drawSeries(setting, table, game.steps, rounds, at, game.boards.get(game.steps[at]?.version));
}

const ACTIONS = {
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
  button.textContent = say(on ? "replay.pause" : "replay.play");
  if (on) playing = setTimeout(onward, 0);
}

async function onward() {
  if (at >= game.steps.length - 1 && game.over) return play(false);
  await show(at + 1);
  if (playing !== null) playing = setTimeout(onward, Number(byId("speed", HTMLSelectElement).value));
}

function connect() {
  for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => ACTIONS[button.dataset.go]()?.catch(fail));
  const [slider, eyes, undone] = [byId("slider", HTMLInputElement), byId("eyes", HTMLSelectElement), byId("undone", HTMLInputElement)];
  slider.addEventListener("input", () => show(Number(slider.value)).catch(fail));
  eyes.addEventListener("change", () => changeView(eyes.value).catch(fail));
  undone.addEventListener("change", () => changeView(eyes.value, undone.checked).catch(fail));
  byId("series").addEventListener("change", draw);
  byId("share").addEventListener("click", () => share(setting, game.steps[at]?.version, byId("share", HTMLButtonElement)).catch(fail));
  byId("in-words").addEventListener("toggle", () => show(at).catch(fail));
  addEventListener("hashchange", () => show(addressed() ?? at).catch(fail));
  document.addEventListener("keydown", press);
}

function press(event) {
  const action = KEYS[event.key];
  const typing = event.target.matches("select, textarea, input:not([type=range], [type=checkbox]), pre, .scrolled");
  if (!action || typing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && event.target.matches("button, a, summary, input")) return;
  event.preventDefault();
  ACTIONS[action]()?.catch(fail);
}

async function changeView(eyes, undone = byId("undone", HTMLInputElement).checked) {
  const version = game.steps[at]?.version;
  try {
    await game.changeView(eyes, undone);
  } catch (refused) {
    byId("eyes", HTMLSelectElement).value = game.wanted.eyes;
    byId("undone", HTMLInputElement).checked = game.wanted.undone;
    throw refused;
  }
  await render();
  await show(game.steps.findLastIndex((step) => step.version <= version));
}

// Applies each event of the game: one small message, and no request. A viewer of the newest step goes along.
function follow() {
  const messages = [];
  let along = false;
  let running = null;
  const apply = async () => {
    try {
      while (messages.length || game.stale) {
        along ||= at >= game.steps.length - 1;
        if (!game.applyMessages(messages.splice(0))) return location.reload();
        if (game.stale) await game.renew();
        await render();
        await show(along ? game.steps.length - 1 : at);
        along = false;
      }
    } catch (problem) {
      failed(problem);
    } finally {
      running = null; // before anything else is heard: what comes from now on begins anew
    }
    return undefined;
  };
  const work = () => {
    running ??= apply();
  };
  const failed = (problem) => {
    game.stale = true; // shown with the next event, or connection
    fail(problem);
  };
  const hear = (kind, message) => {
    if (kind === "closed") return;
    if (kind === "talk") return hearBeside(message);
    messages.push(message);
    work();
  };
  const after = Math.min(game.known, game.summary.version);
  const stream = new Stream(talkedStepsOf(game.path), after, hear, (connected) => {
    const away = new Away();
    if (!connected) return fail(away);
    if (byId("verdict").textContent === away.message) byId("verdict").textContent = "";
    if (game.stale) work();
  });
  stream.whileVisible();
}

async function prove() {
  byId("verdict").textContent = say("replay.checking");
  byId("verdict").replaceChildren(...verdict(await judge(setting.id)));
}

function fail(problem) {
  byId("verdict").replaceChildren(...told(problem));
}

start().catch(fail);
