// Notices of turns: other games that wait for the reader, and the marks in title and icon of the tab.

import { get } from "../api.js";
import { byId } from "../elements_by_id.js";
import { noteView, tell } from "../settings/tab_notices.js";
import { say } from "../words.js";
import { Stream } from "../stream.js";

const MARKS = { true: "mark-turn.svg", false: "mark.svg" };
const title = document.title;

// Marks the reader's turn in the title and the icon of the tab.
export function mark(mine, sign) {
  document.title = mine ? `● ${sign} – ${title}` : title;
  const icon = byId("favicon", HTMLLinkElement);
  icon.href = icon.href.replace(/[^/]*$/, MARKS[mine]);
}

// Shows the way to the next game that waits for the reader.
export async function showNext(setting) {
  const games = await waiting(setting.player, setting.id);
  const link = byId("next", HTMLAnchorElement);
  link.hidden = !games.length;
  if (!games.length) return;
  link.href = `/games/${games.at(-1).id}/play`;
  link.textContent = say("play.next_game", { n: games.length });
}

// Returns the running games that wait for a player, except one.
async function waiting(player, besides) {
  const { games } = await get(`/v1/games?player=${player}&status=running&limit=50`);
  return games.filter(({ id, turn, seats }) => id !== besides && turn && seats.some(({ seat, player: who }) => seat === turn.seat && who?.id === player));
}

// Follows turns. One tab holds the stream and forwards it to the others; a browser has few connections.
export function listen(handle) {
  noteView();
  const channel = new BroadcastChannel("cabildo-news");
  channel.addEventListener("message", ({ data }) => handle(data));
  const lead = () => {
    const stream = new Stream("/v1/me/stream", null, (_, news) => {
      handle(news);
      tell(news).catch(() => {}); // the list of waiting games has it, too
      channel.postMessage(news);
    });
    stream.start();
    return new Promise(() => {}); // holds the lock until the tab is closed
  };
  if (navigator.locks) navigator.locks.request("cabildo-news", lead);
  else lead();
}
