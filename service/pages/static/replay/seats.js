// What the seats of a game are called on a page.

import { say } from "../words.js";

const LEVELS = ["random", "greedy", "search"];

// The names by seat; the bots of the house carry their seat, for there are several of a kind.
export function named(seats) {
  return seats.map(({ player, bot, stand_in }, seat) => {
    if (player) return player.name ?? say("common.forgotten");
    const level = (bot ?? stand_in)?.replace(/^bot:/, "");
    if (!level) return say("common.seat", { seat });
    return `${LEVELS.includes(level) ? say(`common.bot_${level}`) : level} ${seat}`;
  });
}
