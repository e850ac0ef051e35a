// Keeps the lists of the lobby up to date: asks for the page anew when the stream tells of a change, and swaps its lists.

import { say } from "./words.js";
import { Stream } from "./stream.js";

const LISTS = ["open", "running", "finished"];
const PAUSE = 2000; // milliseconds between two requests of the page, however much happens
let known = null; // ids of the open tables
let asked = null;
let fresh = 0; // tables that opened since the last announcement

function hear(kind, { open }) {
  if (kind !== "lobby") return;
  const ids = open.map(({ id }) => id);
  const first = known === null;
  fresh += first ? 0 : ids.filter((id) => !known.includes(id)).length;
  known = ids;
  if (!first || ids.some((id) => !document.querySelector(`[href^="/games/${id}"]`))) asked ??= setTimeout(() => renew().catch(() => {}), first ? 0 : PAUSE);
}

async function renew() {
  asked = null;
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of LISTS) swap(name, page);
  const news = document.getElementById("lobby-news");
  if (fresh) news.textContent = say("lobby.opened", { n: fresh });
  fresh = 0;
}

// Replaces a list that changed; leaves alone the one that the reader is in, until the next change.
function swap(name, page) {
  const [list, other] = [document, page].map((one) => one.getElementById(`${name}-title`)?.closest("section"));
  if (!list || !other || list.contains(document.activeElement)) return;
  for (const time of other.querySelectorAll("time")) time.removeAttribute("data-local");
  list.replaceWith(document.importNode(other, true));
}

new Stream("/v1/lobby/stream", null, hear).whileVisible();
