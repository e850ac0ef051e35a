// The names of seats on a page.

import { say } from "../words.js";

const LEVELS = ["random", "greedy", "search"];

// Returns the names by seat; the service names its bots.
export function named(seats) {
  return seats.map(({ player, name, program }, seat) => (player ? person(player, program) : (name ?? say("common.seat", { seat: seat + 1 }))));
}

// Returns the name of a player; marks bot accounts.
export function person(player, program) {
  const name = player.name ?? say("common.forgotten");
  return program ? `${name} (${say("common.program")})` : name;
}

// Returns the level of a house bot in words.
export function robot(named) {
  const level = named.replace(/^bot:/, "");
  return LEVELS.includes(level) ? say(`common.bot_${level}`) : say("common.bot", { level });
}
