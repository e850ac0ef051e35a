// What the seats of a game are called on a page.

import { say } from "../words.js";

const LEVELS = ["random", "greedy", "search"];

// The names by seat; the bots of the house carry a number, for there are several of a kind: of the entrant, or the seat.
export function named(seats) {
  return seats.map(({ player, name, program, bot, stand_in, entrant }, seat) => {
    if (player) return person(player, program);
    if (name) return name;
    return bot ?? stand_in ? `${robot(bot ?? stand_in)} ${entrant ?? seat + 1}` : say("common.seat", { seat: seat + 1 });
  });
}

// A player by name; the account of a bot is marked as one.
export function person(player, program) {
  const name = player.name ?? say("common.forgotten");
  return program ? `${name} (${say("common.program")})` : name;
}

// What a bot of the house is called.
export function robot(named) {
  const level = named.replace(/^bot:/, "");
  return LEVELS.includes(level) ? say(`common.bot_${level}`) : say("common.bot", { level });
}
