// A player that is a program: asks it for a move whenever its seat is to act.

import type { Client } from "./client.js";
import { Refused } from "./problems.js";
import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** A decision of the player. */
export interface Turn {
  game: Schemas["GameDocument"];
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

/** Plays a game to its end with the moves that `choose` returns; returns the game as it ended. */
export async function play(client: Client, game: string, choose: Choose, signal?: AbortSignal): Promise<Schemas["GameDocument"]> {
  const path = { game };
  const settings = signal ? { signal } : {};
  const me = await client.get("/v1/me", settings);
  let known = await client.get("/v1/games/{game}", { path, ...settings });
  const stop = new AbortController();
  const following = client.follow("/v1/games/{game}/events", { path, after: known.version, signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal });
  try {
    for (;;) {
      while (!DONE.has(known.status) && (await moved(client, known, me.id, choose, settings))) known = await client.get("/v1/games/{game}", { path, ...settings });
      if (DONE.has(known.status)) return known;
      const { done } = await nextAfter(following, known.version);
      known = await client.get("/v1/games/{game}", { path, ...settings });
      if (done && !DONE.has(known.status)) throw new Error(`the stream of the game ended at version ${known.version}`);
    }
  } finally {
    stop.abort();
    await following.return(undefined).catch(() => undefined);
  }
}

/** Makes a move if the player is to act; returns whether anything may have happened. */
async function moved(client: Client, game: Schemas["GameDocument"], me: string, choose: Choose, settings: { signal?: AbortSignal }): Promise<boolean> {
  const seat = game.turn?.seat ?? null;
  if (seat === null || game.seats.find((one) => one.seat === seat)?.player?.id !== me) return false;
  const path = { game: game.id };
  const [legal, position] = await Promise.all([client.get("/v1/games/{game}/legal", { path, ...settings }), client.get("/v1/games/{game}/position", { path, ...settings })]);
  if (legal.version !== game.version || position.version !== game.version) return true;
  const moves = legal.moves.map((offered) => offered.move);
  const move = await choose({ game, seat, version: legal.version, position, legal, moves });
  try {
    await client.post("/v1/games/{game}/moves", { path, body: { move, expected: legal.version }, ...settings });
  } catch (problem) {
    if (!(problem instanceof Refused && OUTRUN.has(problem.type))) throw problem;
  }
  return true;
}

/** Waits for an event after a version; says whether the stream has ended instead. */
async function nextAfter(following: AsyncGenerator<{ id: number | null }>, version: number): Promise<{ done: boolean }> {
  for (;;) {
    const { done, value } = await following.next();
    if (done) return { done: true };
    if ((value.id ?? version + 1) > version) return { done: false };
  }
}
