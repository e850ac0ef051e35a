// What to do with a finished game: analyse it, study it, share it.

import { send } from "../api.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";

/** @param {{id: string, title: string, csrf?: string}} setting */
export function actions(setting) {
  const study = html("a", { class: "button", href: `/studies?game=${setting.id}` }, say("end.study"));
  return [...(setting.csrf ? [button(say("end.analyse"), () => analyse(setting))] : []), study, button(say("end.share"), (own) => share(setting, own))];
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

async function share({ id, title }, own) {
  const url = `${location.origin}/games/${id}`;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) return navigator.share({ title, url }).catch(() => {}); // closed by the reader
  await navigator.clipboard?.writeText(url).then(() => (own.textContent = `✓ ${say("end.shared")}`));
  if (!navigator.clipboard) location.assign(url); // on an address without https: the address bar shows it
}
