// The names of seats on a page.

import { say } from "../words.js";

const LEVELS = ["random", "greedy", "search"];

// Returns the names by seat; house bots get the number of the entrant or the seat.
export function named(seats) {
  return seats.map(({ player, name, program, bot, stand_in, entrant }, seat) => {
    if (player) return person(player, program);
    if (name) return name;
    return bot ?? stand_in ? `${robot(bot ?? stand_in)} ${entrant ?? seat + 1}` : say("common.seat", { seat: seat + 1 });
  });
}

// Returns the name of a player; marks bot accounts.
export function person(player, program) {
  const name = player.name ?? say("common.forgotten");
  return program ? `${name} (${say("common.program")})` : name;
}

// Returns the name of a house bot.
export function robot(named) {
  const level = named.replace(/^bot:/, "");
  return LEVELS.includes(level) ? say(`common.bot_${level}`) : say("common.bot", { level });
}
