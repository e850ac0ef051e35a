// What waits elsewhere: other games in which it is the reader's turn, and the marks in title and tab when it is here.

import { get } from "../api.js";
import { byId } from "../elements_by_id.js";
import { Stream } from "../stream.js";

const MARKS = { true: "mark-turn.svg", false: "mark.svg" };
const title = document.title;

// The tab tells whose turn it is, by a sign in the title and by a dot on its picture.
export function mark(mine, sign) {
  document.title = mine ? `● ${sign} – ${title}` : title;
  const icon = byId("favicon", HTMLLinkElement);
  icon.href = icon.href.replace(/[^/]*$/, MARKS[mine]);
}

// The running games that wait for a player, besides one.
export async function waiting(player, besides) {
  const { games } = await get(`/v1/games?player=${player}&status=running&limit=50`);
  return games.filter(({ id, turn, seats }) => id !== besides && turn && seats.some(({ seat, player: who }) => seat === turn.seat && who?.id === player));
}

// Hear of every turn. Of all tabs one listens to the service and passes on to the others; a browser has few connections.
export function listen(hear) {
  const channel = new BroadcastChannel("cabildo-news");
  channel.addEventListener("message", ({ data }) => hear(data));
  const lead = () => {
    const stream = new Stream("/v1/me/stream", null, (_, news) => {
      hear(news);
      channel.postMessage(news);
    });
    stream.start();
    return new Promise(() => {}); // until the tab is closed
  };
  if (navigator.locks) navigator.locks.request("cabildo-news", lead);
  else lead();
}
