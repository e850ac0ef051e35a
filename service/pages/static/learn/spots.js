// The parts of the board that a move is about, for the moves of a guided game.

import { targets, wishes } from "../play/targets.js";

// Returns the parts to click and to point at; those of a placement of colonists are its circles.
export function spotsOf({ game, position, seat }, move) {
  const [verb, ...rest] = move.split(" ");
  if (verb !== "place" && verb !== "drop") return targets(game, move, position, seat);
  if (verb === "drop") return [`players.${seat}.caravan`];
  const places = rest.map((part) => part.split("=")[0]);
  return places.flatMap((place) => {
    const built = position.players[seat].city.some(({ building }) => building === place);
    return built ? [`players.${seat}.city.${place}`] : [`players.${seat}.island.${place}.1`];
  });
}

// Returns moves that a reader may try and that are not legal now, by the part of the board that they are about.
export function wishesBySpot(lesson) {
  const offered = lesson.legal.moves.map(({ move }) => move);
  const asked = wishes(lesson.legal.decision, lesson.position, lesson.seat).filter((move) => !offered.some((legal) => legal === move || legal.startsWith(`${move} `)));
  return new Map(asked.flatMap((move) => spotsOf(lesson, move).map((key) => [key, move])));
}
