// Keeps the lists of the lobby up to date: asks for the page anew when the stream tells of a change, and swaps its lists.

import { inLanguage, say } from "./words.js";
import { Stream } from "./stream.js";

const LISTS = ["open", "running", "finished"];
const OFFERS = "form[action$='/join'], a.button[href$='/play']";
const PAUSE = 2000; // milliseconds between two requests of the page, however much happens
const LONGER = 5 * PAUSE; // after a request that failed
let known = null; // ids of the open tables
let asked = null;
const held = new Map(); // lists that changed while the reader was in them, by name
let fresh = 0; // tables that opened since the last announcement

function hear(kind, { open }) {
  if (kind !== "lobby") return;
  const ids = open.map(({ id }) => id);
  const first = known === null;
  fresh += first ? 0 : ids.filter((id) => !known.includes(id)).length;
  known = ids;
  if (!first || isBehind(ids)) ask(first ? 0 : PAUSE);
}

// Returns whether the page lacks an open table, or still offers a chair at one that has gone.
function isBehind(ids) {
  const offered = listIn(document, "open")?.querySelectorAll(OFFERS) ?? [];
  return ids.some((id) => !document.querySelector(`[href^="/games/${id}"]`)) || [...offered].some((way) => !ids.some((id) => (way.getAttribute("action") ?? way.getAttribute("href")).includes(id)));
}

function ask(pause) {
  asked ??= setTimeout(() => renew().catch(() => ask(LONGER)), pause); // what was told is not told again
}

async function renew() {
  asked = null;
  const answer = await fetch(inLanguage(location.pathname), { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of LISTS) swap(name, page);
  const news = document.getElementById("lobby-news");
  if (fresh) news.textContent = say("lobby.opened", { n: fresh });
  fresh = 0;
}

// Replaces a list that changed; the one that the reader is in, when the reader has left it.
function swap(name, page) {
  const other = listIn(page, name);
  if (!other) return;
  for (const time of other.querySelectorAll("time")) time.removeAttribute("data-local");
  held.set(name, other);
  replaceHeld();
}

function replaceHeld() {
  for (const [name, other] of held) {
    const list = listIn(document, name);
    if (list?.contains(document.activeElement)) continue;
    list?.replaceWith(document.importNode(other, true));
    held.delete(name);
  }
}

function listIn(page, name) {
  return page.getElementById(`${name}-title`)?.closest("section");
}

document.addEventListener("focusout", () => setTimeout(replaceHeld)); // the focus is elsewhere then

new Stream("/v1/lobby/stream", null, hear).whileVisible();
