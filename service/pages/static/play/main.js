// The page to play on: shows the table, handles clicks, applies live events.

import { bought } from "../replay/city.js";
import { named } from "../replay/seats.js";
import { explain } from "../rules/popovers.js";
import { fill as fillRules } from "../rules/region.js";
import { paragraph, told } from "../rules/paragraph.js";
import { say } from "../words.js";
import { Answers } from "./answers.js";
import { Away, Refused, text, watch } from "../api.js";
import { byId } from "../elements_by_id.js";
import { invite } from "../end/rematch.js";
import { talkedStepsOf } from "../live_steps.js";
import { redrawn } from "../motion.js";
import { Announcer } from "./announce.js";
import { closeList, connectBar, isListClosed, openList, showBar } from "./bar.js";
import { draw, shownPosition } from "./board.js";
import { keepFocus } from "./clickable.js";
import { seats, terms } from "./clocks.js";
import * as consent from "./consent.js";
import { Deciding } from "./deciding.js";
import { draggable } from "./drag.js";
import { beginsCovered, cover, coverForTurn, firstToSee, handOver } from "./hotseat.js";
import { Mayor } from "./mayor.js";
import { arrange, focus, steady, uncover } from "./narrow.js";
import * as news from "./news.js";
import { markBusy, panel } from "./panel.js";
import { sentence } from "./prompt.js";
import { fillPause } from "./pauses.js";
import { build, mark, offer } from "./regions.js";
import { room } from "./room.js";
import { secret } from "./secret.js";
import { follow } from "../own_settings.js";
import { movesBySpot } from "./spots.js";
import { rolesOf, storyTeller } from "./story.js";
import { Stream } from "../stream.js";
import { STALE, Table } from "./table.js";
import { Talk } from "../talk/talk.js";

const UNAUTHENTICATED = 401;
const PATIENCE = 6000; // milliseconds to wait for the stream after an own request
const LOOK = 20; // milliseconds
const setting = JSON.parse(byId("setting").textContent);
const table = new Table(setting);
const view = { only: null, chosen: null, from: null, mayor: null, before: null };
const announcer = new Announcer(table, setting);
const deciding = new Deciding(table, view, {
  asks: () => byId("ask", HTMLSelectElement).value,
  ask: showChoice,
  complain: (sentence, page) => byId("trouble").replaceChildren(sentence, ...paragraph(page)),
  fail,
  made: async (version) => {
    await arrived(version);
    if (document.activeElement === document.body) byId("prompt").focus({ preventScroll: true });
  },
  leave: (move) => answers.always(move),
  wait: (on) => markBusy(byId("panel"), on),
});
const answers = new Answers(byId("answers"), table, setting);
const story = storyTeller(setting, act);
const choose = (offer) => deciding.choose(offer);
const talk = new Talk(byId("talk"), { about: "game", id: setting.id, player: setting.acting ? null : setting.player, unread: (count) => mark("talk", count) });
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
  if (kind === "talk") {
    invite(byId("rematch"), message.rematch, table.summary, setting.acting);
    return talk.hear(message.talk);
  }
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
  answers.follow().catch(reach);
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
  closeList();
  Object.assign(view, { only: null, chosen: null, from: null, mayor: null });
  if (table.mine && table.legal.slots?.to_place) view.mayor = new Mayor(table, setting, byId("mat"), () => show());
}

// Leaves the panel alone while the decision is the same.
function show(fresh = true) {
  if (coverForTurn(table, setting)) return;
  setting.seats = named(table.summary.seats);
  setting.built = bought(table.steps, setting.seats.length);
  byId("prompt").textContent = sentence(table, setting);
  document.body.classList.toggle("mine", table.mine);
  document.body.classList.toggle("waiting", !table.position);
  news.mark(table.mine, say("play.your_turn"));
  byId("seats").replaceChildren(...(table.position ? seats(table.summary, setting.seats, (seat) => rolesOf(table, seat, setting)) : []));
  byId("terms").textContent = table.position ? terms(table.summary) : "";
  fillPause(byId("pause"), table, act);
  byId("offer").replaceChildren(...consent.offer(table, setting.seats, act));
  byId("actions").replaceChildren(...(table.position && (table.over ? table.joined : table.seat !== null) ? consent.actionButtons(table, act) : []));
  if (fresh) showPanel();
  else showBar(table, view);
  if (fresh) byId("secret").replaceChildren(...secret(table, refresh));
  showBoard();
  if (table.position) story(table);
  announcer.announce();
  if (byId("in-words", HTMLDetailsElement).open) words().catch(reach);
}

// Keeps the focus, or moves it to the confirmation or the next decision.
function showPanel() {
  const drawn = byId("panel");
  const focused = drawn.contains(document.activeElement) ? document.activeElement : null;
  markBusy(drawn, false);
  drawn.replaceChildren(...panel(table, view, setting, { choose: listed, cancel, commit: (move) => deciding.commit(move), always: (move) => deciding.always(move), widen }));
  showBar(table, view);
  byId("placing").textContent = table.mine && view.mayor && !view.chosen ? view.mayor.state : "";
  const again = focused?.dataset.key && drawn.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
  if (focused || view.chosen) focus(again || drawn.querySelector("[data-first]"));
  if (focused && !drawn.contains(document.activeElement)) byId("prompt").focus({ preventScroll: true });
}

function showBoard() {
  const board = byId("board");
  if (!table.position) return board.replaceChildren(room(table, setting.invited, refresh, fail));
  redrawn(board, () => keepFocus(() => draw(board, table, view, setting, pick)));
}

function pick(key) {
  const offers = movesBySpot(table, setting.game).get(key);
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
  if (!spot() && isListClosed()) return focus(byId("bar-open"));
  focus(begun ?? byId("panel").querySelector("button") ?? byId("prompt"));
}

function widen() {
  openList();
  view.only = null;
  steady(showPanel);
  focus(spot() ?? byId("panel").querySelector("button"));
  uncover(byId("panel"), spot());
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
  byId("trouble").replaceChildren(...(problem.type === STALE ? [say("play.stale")] : told(problem)));
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

async function words() {
  byId("text").textContent = await text(`${table.path}/position`);
}

// Returns the board as the reader sees it, for the explanations of its pieces.
function shown() {
  return table.position && { game: setting.game, position: shownPosition(table, view), seats: setting.seats };
}

function connect() {
  watch(connected);
  follow(byId("ask", HTMLSelectElement), "confirm", setting.csrf);
  byId("title-tools").append(explain(document.querySelector(".desk"), shown));
  byId("changes").addEventListener("change", showBoard);
  byId("in-words").addEventListener("toggle", () => byId("in-words", HTMLDetailsElement).open && words().catch(reach));
  document.addEventListener("keydown", (event) => event.key === "Escape" && (view.chosen ? cancel() : view.only && widen()));
  document.addEventListener("visibilitychange", () => document.hidden || news.showNext(setting).catch(reach));
  draggable(byId("mat"), (key) => Boolean(view.mayor?.grabs(key)), (from, to) => view.mayor?.drop(from, to));
  arrange(() => showBar(table, view));
  connectBar(() => showBar(table, view));
  build();
  offer("talk");
  news.listen(() => {
    news.showNext(setting).catch(reach);
    if (document.hidden) refresh().catch(reach);
  });
}

// Fills the region of the rules; without it the cards and the page of the rules have them, too.
function readRules() {
  const inPlay = () => (table.summary.turn?.decision === "D-DRAFT" ? null : table.position?.supply?.buildings);
  fillRules(byId("rules"), setting.game, inPlay).then(() => offer("rules"), () => null);
}

async function start() {
  if (beginsCovered(setting)) return cover(firstToSee(setting));
  byId("title-tools").append(...handOver(setting));
  connect();
  await refresh();
  readRules();
  if (table.before()) view.before = await table.board(table.before());
  stream = new Stream(talkedStepsOf(table.path), table.summary.version, hear, (well) => {
    connected(well);
    if (well && wanted) refresh().catch(reach); // changes that could not be read before
  });
  stream.whileVisible(() => table.summary.status === "open"); // a hidden page sends contributions to the deal, too
  await Promise.all([news.showNext(setting), talk.start()]);
}

start().catch(fail);
