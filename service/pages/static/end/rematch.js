// The invitation to the rematch that a player of a finished game has opened.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

/**
 * Says in a place that a rematch is open, and leads to it; an invitation that is there already stays.
 * @param {HTMLElement} place which readers of the screen hear of
 * @param {{ game: string, by: string } | undefined} rematch
 * @param {any} summary of the finished game
 * @param {string | null | undefined} acting the person at this screen for whom the page acts
 */
export function invite(place, rematch, summary, acting) {
  if (place.dataset.game === rematch?.game) return;
  delete place.dataset.game;
  place.replaceChildren();
  if (!rematch) return;
  place.dataset.game = rematch.game;
  const host = summary.seats.find(({ player }) => player?.id === rematch.by)?.player;
  const href = `/games/${rematch.game}/play${acting ? `?as=${acting}` : ""}`;
  place.append(html("p", {}, html("strong", {}, say("end.wants_rematch", { name: host?.name ?? say("common.forgotten") }))), html("p", {}, html("a", { class: "button main", href }, say("end.to_rematch"))));
}
