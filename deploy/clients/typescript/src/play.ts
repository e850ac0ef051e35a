// A player that is a program: asks it for a move whenever its seat is to act.

import type { Client } from "./client.js";
import { Refused } from "./problems.js";
import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** A decision of the player. */
export interface Turn {
  /** The id of the game. */
  game: string;
  seat: number;
  version: number;
  /** The position as the seat sees it. */
  position: Schemas["PositionDocument"];
  legal: Schemas["LegalMovesDocument"];
  /** The legal moves in notation; of a long choice those that the service suggests. */
  moves: string[];
}

export type Choose = (turn: Turn) => string | Promise<string>;

const OUTRUN = new Set(["stale_version", "not_your_turn", "game_is_over", "not_running"]); // something happened before the move came
const DONE = new Set(["finished", "aborted"]);

/**
 * Plays a game to its end with the moves that `choose` returns; returns the game as it ended.
 *
 * One stream brings each decision with its position and its moves, so that a turn is one request: the move.
 */
export async function play(client: Client, game: string, choose: Choose, signal?: AbortSignal): Promise<Schemas["GameDocument"]> {
  const path = { game };
  const settings = signal ? { signal } : {};
  const { version } = await client.get("/v1/games/{game}", { path, ...settings });
  const beginning = { path, query: { with: "position,legal" }, after: Math.max(0, version - 1), ...settings };
  for await (const { document } of client.follow("/v1/games/{game}/events", beginning)) {
    if (document.closed) break;
    if (document.legal?.yours && document.position) await move(client, turnOf(game, document), choose, settings);
  }
  const ended = await client.get("/v1/games/{game}", { path, ...settings });
  if (!DONE.has(ended.status)) throw new Error(`the stream of the game ended at version ${ended.version}`);
  return ended;
}

function turnOf(game: string, event: { seq: number; position: Turn["position"]; legal: Turn["legal"] }): Turn {
  const { seq, position, legal } = event;
  return { game, seat: legal.seat ?? 0, version: seq, position, legal, moves: legal.moves.map((offered) => offered.move) };
}

/** Makes a move; where something else happened first, the stream brings the next decision. */
async function move(client: Client, turn: Turn, choose: Choose, settings: { signal?: AbortSignal }): Promise<void> {
  const chosen = await choose(turn);
  try {
    await client.post("/v1/games/{game}/moves", { path: { game: turn.game }, body: { move: chosen, expected: turn.version }, ...settings });
  } catch (problem) {
    if (!(problem instanceof Refused && OUTRUN.has(problem.type))) throw problem;
  }
}
