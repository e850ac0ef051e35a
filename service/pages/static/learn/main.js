// A guided game: shows a step, answers what the reader tries, and goes on with the move that it teaches.

import { get } from "../api.js";
import { byId } from "../elements_by_id.js";
import { open, point } from "../play/clickable.js";
import { menu } from "../play/menu.js";
import { html } from "../replay/elements.js";
import { playerTabs } from "../replay/players.js";
import * as puertoRico from "../replay/puerto_rico.js";
import * as spiceRoad from "../replay/spice_road.js";
import { paragraph, told } from "../rules/paragraph.js";
import { explain as explainPieces } from "../rules/popovers.js";
import { say } from "../words.js";
import { pointsTable } from "./ending.js";
import { reached, remember } from "./progress.js";
import { spotsOf, wishesBySpot } from "./spots.js";

const WIDE = matchMedia("(min-width: 62rem)"); // text and board are side by side
const BOARDS = { puerto_rico: puertoRico, spice_road: spiceRoad };
const setting = JSON.parse(byId("setting").textContent);
const path = `/v1/guides/${setting.game}/steps`;
setting.seats = [...setting.others.slice(0, setting.learner), say("guide.you"), ...setting.others.slice(setting.learner)];
let lesson = null;
let asked = 0; // steps read so far: only the newest is shown

// Reads a step and shows it with words about the move before; a step that does not exist is the first one. `how` writes
// the address: pushState where the reader went on, else replaceState, so that the way back leads out of the page.
async function go(step, how, praise = "") {
  const wanted = step >= 1 && step <= setting.steps + 1 ? step : 1;
  const mine = ++asked;
  const read = await get(`${path}/${wanted}`);
  if (mine !== asked) return;
  lesson = read;
  remember(setting.game, wanted);
  if (stepOfAddress() !== wanted) history[how](null, "", `#${wanted}`);
  show(praise);
}

function stepOfAddress() {
  return Number(location.hash.slice(1));
}

function show(praise) {
  const over = lesson.move === null;
  byId("progress").textContent = over ? say("guide.the_end") : say("guide.step_of", { step: lesson.step, n: lesson.steps });
  byId("lesson-bar", HTMLProgressElement).value = lesson.step - 1;
  byId("lesson-title").textContent = lesson.title;
  byId("explains").textContent = lesson.explains;
  byId("reason").textContent = over ? lesson.reason : `${say("guide.try_this", { move: lesson.move.label })} ${lesson.reason}`;
  byId("back", HTMLButtonElement).disabled = lesson.step === 1;
  byId("own-table").hidden = !over;
  reply(praise);
  story();
  byId("choices").replaceChildren(...(over ? [] : choices()));
  byId("end").replaceChildren(...(over ? [pointsTable(lesson, setting)] : []));
  board();
}

// The moves since the step before, in words; long stretches are counted.
function story() {
  const lines = lesson.story.map(({ seat, label }) => html("li", {}, `${setting.seats[seat]}: ${label}`));
  const skipped = lesson.passed - lesson.story.length;
  const more = skipped > 0 ? [html("p", {}, say("guide.rounds_pass", { n: lesson.passed }))] : [];
  const drawn = byId("story", HTMLDetailsElement);
  drawn.hidden = !lines.length;
  drawn.open = lines.length > 0 && lines.length < 6 && skipped <= 0;
  drawn.replaceChildren(html("summary", {}, say("guide.happened")), ...more, html("ol", {}, ...lines));
}

// The advised move as a button, and all others behind it.
function choices() {
  const advised = html("button", { type: "button", class: "main advised", "data-move": lesson.move.move }, lesson.move.label);
  advised.addEventListener("click", () => choose(lesson.move));
  const others = html("details", {}, html("summary", {}, say("guide.other_moves")), ...menu(lesson.legal.moves, choose));
  return [advised, others];
}

function board() {
  const drawn = byId("board");
  drawn.replaceChildren(...BOARDS[setting.game].board(lesson.position, setting));
  drawn.removeAttribute("aria-busy");
  drawn.dataset.step = lesson.step;
  performance.mark("board");
  const mats = drawn.querySelectorAll(".mat");
  mats[0]?.before(mats[lesson.seat]);
  playerTabs(drawn, setting.seats, lesson.seat, lesson.position.turn?.seat);
  if (lesson.move === null) return;
  const bySpot = offersBySpot();
  const refused = wishesBySpot(lesson);
  const labels = new Map([...bySpot].map(([key, offer]) => [key, () => offer.label]));
  for (const key of refused.keys()) if (!labels.has(key)) labels.set(key, (name) => name ?? "");
  open(drawn, labels, (key) => (bySpot.has(key) ? choose(bySpot.get(key)) : explain(refused.get(key))));
  point(drawn, spotsOf(lesson, lesson.move.move));
  if (WIDE.matches) drawn.querySelector(".picked")?.scrollIntoView({ block: "nearest" });
}

// Returns a move for each part of the board: the advised one where it is about that part.
function offersBySpot() {
  const found = new Map();
  for (const offer of [...lesson.legal.moves].reverse()) for (const key of spotsOf(lesson, offer.move)) found.set(key, offer);
  for (const key of spotsOf(lesson, lesson.move.move)) found.set(key, lesson.move);
  return found;
}

// Goes on with the advised move; says of another one that it is allowed, too.
function choose(offer) {
  if (offer.move !== lesson.move.move) return reply(`${say("guide.allowed", { move: lesson.move.label })} ${lesson.reason}`);
  return turnTo(lesson.step + 1, "pushState", say("guide.well_done"));
}

// Tells why a move does not work.
async function explain(move) {
  const { refused: [no] } = await get(`${path}/${lesson.step}?${new URLSearchParams([["why_not", move]])}`);
  if (no) reply(say("guide.not_now", { why: no.sentence }), ...paragraph(no.rule_page));
  else reply(say("guide.allowed", { move: lesson.move.label }));
}

function reply(...words) {
  byId("reply").replaceChildren(...words);
}

// Goes to a step and reads its title out; on a narrow screen the text comes into view.
async function turnTo(step, how = "pushState", praise = "") {
  try {
    await go(step, how, praise);
  } catch (problem) {
    return reply(...told(problem));
  }
  byId("lesson-title").focus();
}

document.querySelector(".title").append(explainPieces(byId("board"), () => lesson && { game: setting.game, position: lesson.position, seats: setting.seats }, { taps: false }));
byId("back").addEventListener("click", () => turnTo(lesson.step - 1));
byId("again").addEventListener("click", () => turnTo(1));
addEventListener("popstate", () => turnTo(stepOfAddress(), "replaceState"));
go(stepOfAddress() || (reached(setting.game) ?? 1), "replaceState").catch((problem) => reply(...told(problem)));
