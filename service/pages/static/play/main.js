// The page to play on: shows the table, handles clicks, applies live events.

import { bought } from "../replay/city.js";
import { html } from "../replay/elements.js";
import { mark as markChanges } from "../replay/marks.js";
import * as puertoRico from "../replay/puerto_rico.js";
import { named } from "../replay/seats.js";
import * as spiceRoad from "../replay/spice_road.js";
import { say } from "../words.js";
import { Away, Refused, text, watch } from "../api.js";
import { byId } from "../elements_by_id.js";
import { stepsOf } from "../live_steps.js";
import { keepFocus, open, point } from "./clickable.js";
import { seats, terms } from "./clocks.js";
import * as consent from "./consent.js";
import { Deciding } from "./deciding.js";
import { draggable } from "./drag.js";
import { announcement, Log } from "./log.js";
import { Mayor } from "./mayor.js";
import { arrange, focus, sheet, steady, uncover } from "./narrow.js";
import * as news from "./news.js";
import { panel } from "./panel.js";
import { sentence } from "./prompt.js";
import { room } from "./room.js";
import { secret } from "./secret.js";
import { Stream } from "../stream.js";
import { STALE, Table } from "./table.js";
import { targets } from "./targets.js";

const UNAUTHENTICATED = 401;
const PATIENCE = 6000; // milliseconds to wait for the stream after an own request
const LOOK = 20; // milliseconds
const KEPT = 30; // announcements that stay readable
const BOARDS = { puerto_rico: puertoRico, spice_road: spiceRoad };
const setting = JSON.parse(byId("setting").textContent);
const table = new Table(setting);
const view = { only: null, chosen: null, from: null, mayor: null, before: null, announced: null, mine: true };
const deciding = new Deciding(table, view, {
  asks: () => byId("ask", HTMLSelectElement).value,
  ask: showChoice,
  complain: (sentence) => (byId("trouble").textContent = sentence),
  fail,
  made: async (version) => {
    await arrived(version);
    if (document.activeElement === document.body) byId("prompt").focus({ preventScroll: true });
  },
  wait: (on) => byId("panel").classList.toggle("busy", on),
});
const log = new Log(byId("log"), setting);
const choose = (offer) => deciding.choose(offer);
const messages = []; // live steps to apply
let wanted = false; // whether the table has to be read
let running = null;
let stream = null;

// Reads the table; a call during a reading repeats it once.
function refresh() {
  wanted = true;
  return work();
}

// Applies a live step; requests only the reader's own legal moves.
function hear(kind, message) {
  if (kind === "closed") return;
  messages.push(message);
  work().catch(reach);
}

function work() {
  running ??= (async () => {
    try {
      while (wanted || messages.length) await renew();
    } catch (problem) {
      wanted = true; // with the next event, or connection
      throw problem;
    } finally {
      running = null;
    }
  })();
  return running;
}

async function renew() {
  const was = signature();
  if (!wanted && !(await table.apply(messages.splice(0)))) {
    table.forget();
    wanted = true;
  }
  if (wanted) {
    wanted = false;
    await table.refresh();
  }
  if (await table.deal.sendOwed(table.summary)) wanted = true;
  const fresh = signature() !== was;
  if (fresh) begin();
  steady(() => show(fresh));
}

// Waits until the stream has brought the changes of an own request; else reads the table.
async function arrived(version) {
  const until = Date.now() + PATIENCE;
  while (stream?.open && table.summary.version < version && Date.now() < until) await new Promise((again) => setTimeout(again, LOOK));
  if (table.summary.version >= version) return running;
  table.forget();
  await refresh();
}

// The decision of the reader; choices in progress are kept while it is the same.
function signature() {
  return JSON.stringify([table.legal, table.summary?.status, table.deal.missing]).replace(/"version":\d+,?/, "");
}

function begin() {
  Object.assign(view, { only: null, chosen: null, from: null, mayor: null });
  if (table.mine && table.legal.slots?.to_place) view.mayor = new Mayor(table, setting, byId("mat"), () => show());
}

// Leaves the panel alone while the decision is the same.
function show(fresh = true) {
  setting.seats = named(table.summary.seats);
  setting.built = bought(table.steps, setting.seats.length);
  byId("prompt").textContent = sentence(table, setting);
  document.body.classList.toggle("mine", table.mine);
  document.body.classList.toggle("waiting", !table.position);
  news.mark(table.mine, say("play.your_turn"));
  byId("seats").replaceChildren(...(table.position ? seats(table.summary, setting.seats) : []));
  byId("terms").textContent = table.position ? terms(table.summary) : "";
  byId("offer").replaceChildren(...consent.offer(table, setting.seats, act));
  byId("actions").replaceChildren(...(table.position && table.seat !== null ? consent.actionButtons(table, act) : []));
  if (fresh) showPanel();
  if (fresh) byId("secret").replaceChildren(...secret(table, refresh));
  showBoard();
  if (table.position) log.show(table.story, table.steps[table.own - 1]);
  announce();
}

// Keeps the focus, or moves it to the confirmation or the next decision.
function showPanel() {
  const drawn = byId("panel");
  const focused = drawn.contains(document.activeElement) ? document.activeElement : null;
  drawn.classList.remove("busy");
  sheet(drawn, Boolean(view.chosen || view.only));
  drawn.replaceChildren(...panel(table, view, setting, { choose: listed, cancel, commit: (move) => deciding.commit(move), widen }));
  byId("placing").textContent = table.mine && view.mayor && !view.chosen ? view.mayor.state : "";
  const again = focused?.dataset.key && drawn.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
  if (focused || view.chosen) focus(again || drawn.querySelector("[data-first]"));
  if (focused && !drawn.contains(document.activeElement)) byId("prompt").focus({ preventScroll: true });
}

function showBoard() {
  const board = byId("board");
  if (!table.position) return board.replaceChildren(room(table, refresh, fail));
  keepFocus(() => {
    board.replaceChildren(...BOARDS[setting.game].board(view.mayor?.preview() ?? table.position, setting));
    board.removeAttribute("aria-busy");
    board.dataset.version = table.summary.version;
    const mats = board.querySelectorAll(".mat");
    mats[0]?.before(mats[table.seat]); // the reader's own board first
    byId("mat").replaceChildren(...(view.mayor ? [mats[table.seat]] : [])); // and close by during the placement
    if (view.before && byId("changes", HTMLInputElement).checked && !view.mayor) markChanges(board, html("div", {}, ...BOARDS[setting.game].board(view.before, setting)));
    if (view.mayor && !view.chosen) view.mayor.open();
    else if (table.mine && !view.chosen) open(board, spots(), pick);
    else if (view.chosen) point(board, targets(setting.game, view.chosen.move, table.position, table.seat));
  });
}

// Returns the moves by the part of the board to click.
function bySpot() {
  const found = new Map();
  for (const offer of table.legal.moves) {
    for (const key of targets(setting.game, offer.move, table.position, table.seat)) found.set(key, [...(found.get(key) ?? []), offer]);
  }
  return found;
}

function spots() {
  return [...bySpot()].map(([key, offers]) => [key, offers.length > 1 ? several(offers) : () => [offers[0].label, offers[0].effect].filter(Boolean).join(": ")]);
}

// The label of a part with several moves: its name and their number.
function several(offers) {
  return (name) => `${name ?? `${offers[0].label} …`}: ${say("play.ways_here", { n: offers.length })}`;
}

function pick(key) {
  const offers = bySpot().get(key);
  view.from = key;
  if (offers.length === 1) return choose(offers[0]);
  view.only = offers;
  showPanel();
  focus(byId("panel").querySelector("button[data-move]"));
  uncover(byId("panel"), spot());
}

// Chooses a move of the list, which a click on the board may have filtered.
function listed(offer) {
  if (!view.only) view.from = null;
  return choose(offer);
}

// The part of the board that the reader clicked first.
function spot() {
  return view.from && byId("board").querySelector(`[data-part="${CSS.escape(view.from)}"]`);
}

function showChoice() {
  steady(() => {
    showPanel();
    showBoard();
  });
  uncover(byId("panel"), spot());
}

// Returns the focus to the part where the choice began.
function cancel() {
  const move = view.chosen?.move;
  view.chosen = null;
  showChoice();
  const begun = spot() ?? byId("panel").querySelector(`[data-move="${CSS.escape(move)}"]`);
  focus(begun ?? byId("panel").querySelector("button") ?? byId("prompt"));
}

function widen() {
  view.only = null;
  steady(showPanel);
  focus(spot() ?? byId("panel").querySelector("button"));
}

async function act(what, more) {
  try {
    const answer = await table.act(what, what === "rematch" ? table.deal.promise(table.summary) : more);
    if (what === "rematch") return location.assign(`/games/${answer.id}/play`);
    await arrived(answer.version);
  } catch (problem) {
    fail(problem);
  }
}

// Reports a lost race or a refusal, and reloads the table.
function fail(problem) {
  byId("trouble").textContent = problem.type === STALE ? say("play.stale") : problem.message;
  view.chosen = null;
  if (problem.status === UNAUTHENTICATED) return location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
  if (problem instanceof Refused) refresh().catch(reach);
  else reach(problem);
}

// Ignores an unreachable service; reports every other failure.
function reach(problem) {
  if (!(problem instanceof Away)) throw problem;
  connected(false);
}

function connected(well) {
  byId("connection").textContent = well ? "" : say("common.away");
}

// Announces new steps and the reader's next decision to screen readers.
function announce() {
  const fresh = view.announced === null ? table.since() : table.story.filter(({ version }) => version > view.announced);
  view.announced = Math.max(view.announced, ...table.story.map(({ version }) => version));
  const lines = fresh.slice(-KEPT).map((step) => announcement(step, setting));
  const decision = byId("prompt").textContent;
  const matters = table.mine || table.over || view.mine;
  if (matters && (decision !== view.decision || (lines.length && table.mine))) lines.push(decision);
  Object.assign(view, { decision, mine: table.mine });
  byId("said").append(...lines.map((line) => html("p", {}, line)));
  while (byId("said").childElementCount > KEPT) byId("said").firstChild.remove();
  if (byId("in-words", HTMLDetailsElement).open) words().catch(reach);
}

async function words() {
  byId("text").textContent = await text(`${table.path}/position`);
}

async function elsewhere() {
  const games = await news.waiting(setting.player, setting.id);
  const link = byId("next", HTMLAnchorElement);
  link.hidden = !games.length;
  if (!games.length) return;
  link.href = `/games/${games.at(-1).id}/play`;
  link.textContent = say("play.next_game", { n: games.length });
}

function connect() {
  watch(connected);
  byId("ask", HTMLSelectElement).value = localStorage.getItem("cabildo-ask") ?? "final";
  byId("ask").addEventListener("change", () => localStorage.setItem("cabildo-ask", byId("ask", HTMLSelectElement).value));
  byId("changes").addEventListener("change", showBoard);
  byId("in-words").addEventListener("toggle", () => byId("in-words", HTMLDetailsElement).open && words().catch(reach));
  document.addEventListener("keydown", (event) => event.key === "Escape" && (view.chosen ? cancel() : view.only && widen()));
  document.addEventListener("visibilitychange", () => document.hidden || elsewhere().catch(reach));
  draggable(byId("mat"), (key) => Boolean(view.mayor?.grabs(key)), (from, to) => view.mayor?.drop(from, to));
  arrange();
  news.listen(() => {
    elsewhere().catch(reach);
    if (document.hidden) refresh().catch(reach);
  });
}

async function start() {
  connect();
  await refresh();
  if (table.before()) view.before = await table.board(table.before());
  stream = new Stream(stepsOf(table.path), table.summary.version, hear, (well) => {
    connected(well);
    if (well && wanted) refresh().catch(reach); // changes that could not be read before
  });
  stream.whileVisible(() => table.summary.status === "open"); // a hidden page sends contributions to the deal, too
  await elsewhere();
}

start().catch(fail);
