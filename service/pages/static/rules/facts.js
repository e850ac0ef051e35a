// The facts about the pieces of a game: names, printed numbers, effects. Read once for a page; the browser keeps them.

import { get } from "../api.js";

/** @type {Map<string, Promise<Record<string, any>>>} */
const asked = new Map();

// Returns the pieces of a game by name, in the language of the page.
export function facts(game) {
  if (!asked.has(game)) {
    const answer = get(`/v1/rules/${game}/pieces`).then(({ pieces }) => pieces);
    answer.catch(() => asked.delete(game)); // the next reader asks again
    asked.set(game, answer);
  }
  return /** @type {Promise<Record<string, any>>} */ (asked.get(game));
}
