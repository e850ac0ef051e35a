// Keeps the lists of one's own games up to date: asks for the page anew when the player's stream tells of a change.

import { inLanguage, say } from "./words.js";
import { Stream } from "./stream.js";

const LISTS = ["waiting", "running", "open", "finished"];
const PAUSE = 2000; // milliseconds between two requests of the page, however much happens
const LONGER = 5 * PAUSE; // after a request that failed
const content = document.getElementById("content");
let told = content.dataset.state; // what the lists show by the stream
let asked = null; // when the page is asked for anew
let last = -Infinity;

function hear(_kind, { event, state }) {
  if (event !== "games") return;
  told = state;
  if (told !== content.dataset.state) ask(last + PAUSE - performance.now());
}

function ask(pause) {
  asked ??= setTimeout(() => renew().catch(() => ask(LONGER)), pause); // the newest page answers all that was told
}

async function renew() {
  asked = null;
  if (document.hidden) return; // the stream begins with the state of the lists when the page is shown again
  last = performance.now();
  const answer = await fetch(inLanguage(location.pathname), { headers: { Accept: "text/html" } });
  if (answer.redirected) return; // to log in: the stream says that the session has ended
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const before = content.dataset.state;
  content.dataset.state = page.getElementById("content").dataset.state;
  const shown = LISTS.map(gamesOf);
  redraw(page);
  announce(shown);
  if (content.dataset.state === before && told !== before) ask(PAUSE); // this answer came from behind
}

// Puts the new lists in place; games that show the same keep their elements, and the reader the focus.
function redraw(page) {
  const focused = place(document.activeElement);
  const known = new Map([...document.querySelectorAll("li[data-game]")].map((drawn) => [drawn.dataset.game, drawn]));
  for (const name of LISTS) {
    const [heading, ...fresh] = document.importNode(page.getElementById(name), true).children;
    document.querySelector(`#${name}`).replaceChildren(document.querySelector(`#${heading.id}`), ...fresh);
    for (const drawn of document.querySelectorAll(`#${name} li[data-game]`)) {
      const same = known.get(drawn.dataset.game);
      if (same && outline(same) === outline(drawn)) drawn.replaceWith(same);
    }
  }
  const [fresh, sign] = [page, document].map((one) => one.querySelector(".me"));
  if (!sign.contains(document.activeElement)) sign.replaceChildren(...document.importNode(fresh, true).childNodes);
  if (focused && document.activeElement === document.body) find(focused).focus({ preventScroll: true });
}

// Returns what an element of a list is, wherever the list will have it; null for others.
function place(element) {
  const section = element?.closest("section");
  if (!section) return null;
  const ways = [...(element.closest("li[data-game]")?.querySelectorAll("a, button") ?? [])];
  return { section: section.id, game: element.closest("li[data-game]")?.dataset.game, way: ways.indexOf(element), words: element.textContent };
}

// Returns the same element in the lists as they are now, else the link of its game, else the heading of its list.
function find({ section, game, way, words }) {
  const drawn = document.querySelector(`li[data-game="${game}"]`);
  const ways = [...(drawn?.querySelectorAll("a, button") ?? [])];
  const same = ways[way]?.textContent === words ? ways[way] : ways[0];
  return same ?? document.querySelector(`#${section} h2`);
}

// Returns what a game of a list shows, without what the page writes in the reader's own way.
function outline(drawn) {
  const copy = drawn.cloneNode(true);
  for (const time of copy.querySelectorAll("time")) time.replaceWith(time.dateTime);
  for (const field of copy.querySelectorAll("input")) field.remove();
  return copy.outerHTML;
}

function gamesOf(name) {
  return [...document.querySelectorAll(`#${name} li[data-game]`)].map((drawn) => drawn.dataset.game);
}

// Tells readers of the screen that more games wait, or that games came, went, or changed their list; no turns of others.
function announce(before) {
  const now = LISTS.map(gamesOf);
  if (JSON.stringify(now) === JSON.stringify(before)) return;
  const [waited, waiting] = [before[0], now[0]];
  const sentence = waiting.some((game) => !waited.includes(game)) ? say("chrome.due", { n: waiting.length }) : say("lobby.mine_changed");
  const news = document.getElementById("mine-news");
  news.textContent = news.textContent === sentence ? `${sentence}\u00a0` : sentence; // the same words are read out again
}

new Stream("/v1/me/stream?games=true", null, hear).whileVisible();
