// What to do with a finished game: play again, analyse it, study it, share it.

import { send } from "../api.js";
import { Deal } from "../play/deal.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { share } from "./share.js";

/** @typedef {{id: string, title: string, csrf?: string, guest?: boolean}} Setting */

/** @param {Setting} setting */
export function actions(setting) {
  const link = (words, href) => html("a", { class: "button", href }, words);
  const keep = `/keep?${new URLSearchParams({ next: `/games/${setting.id}` })}`; // a guest annotates nothing
  const study = link(say("end.study"), setting.guest ? keep : `/studies?game=${setting.id}`);
  const analysis = setting.guest ? link(say("end.analyse"), keep) : button(say("end.analyse"), () => analyse(setting));
  return [...(setting.csrf ? [analysis] : []), study, button(say("end.share"), (own) => share(setting, undefined, own))];
}

/**
 * Returns the button that asks the players of a game for another one.
 * @param {Setting & {player: string}} setting
 * @param {any} summary of the game
 */
export function playAgain({ id, player }, summary) {
  const drawn = button(say("end.rematch"), async () => {
    const path = `/v1/games/${id}`;
    const made = await send(`${path}/rematch`, new Deal(path, player).promise(summary));
    location.assign(`/games/${made.id}/play`);
  });
  drawn.classList.add("main");
  return drawn;
}

/**
 * @param {string} words
 * @param {(own: HTMLButtonElement) => unknown} act
 */
function button(words, act) {
  const drawn = html("button", { type: "button" }, words);
  drawn.addEventListener("click", async () => {
    drawn.disabled = true;
    try {
      await act(drawn);
    } catch (problem) {
      drawn.textContent = problem.message;
    } finally {
      drawn.disabled = false;
    }
  });
  return drawn;
}

// Begins an analysis by the search bot, and opens a private study of the game that shows it.
async function analyse({ id, title }) {
  await send(`/v1/games/${id}/analyses`, {});
  const { study } = await send("/v1/studies", { title: say("end.analysis_of", { title }), games: [id], visibility: "private" });
  location.assign(`/studies/${study}`);
}
