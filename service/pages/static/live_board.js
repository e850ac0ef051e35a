// The newest board of a game, drawn again after each event: the first page and the page of running games show one.

import { Away, get } from "./api.js";
import { boardAfter, stepsOf } from "./live_steps.js";
import { redrawn } from "./motion.js";
import { html } from "./replay/elements.js";
import * as puertoRico from "./replay/puerto_rico.js";
import { named } from "./replay/seats.js";
import * as spiceRoad from "./replay/spice_road.js";
import { stepSentence } from "./replay/tale.js";
import { Stream } from "./stream.js";

const AGAIN = 6000; // milliseconds before a start that failed is repeated
const LAST = 4; // events that are read at first: not all of them are steps
const ENDS = new Set(["game_ended", "game_aborted"]);
export const TABLES = { puerto_rico: puertoRico, spice_road: spiceRoad };

export class LiveBoard {
  // `drawn` hears each step that is shown, with its board and the names of the seats; `over` hears that the game has ended.
  constructor(setting, drawn = (_step, _board, _seats) => {}, over = () => {}) {
    this.setting = setting;
    this.drawn = drawn;
    this.over = over;
    this.path = `/v1/games/${setting.id}`;
    this.seats = [];
    this.board = undefined; // the newest one, where it is known
    this.applied = Promise.resolve();
  }

  // Returns the board as it is shown, for the explanations of its pieces.
  shown() {
    return this.board && { game: this.setting.game, position: this.board, seats: this.seats };
  }

  start() {
    this.open().catch((problem) => {
      this.quietly(problem);
      setTimeout(() => this.start(), AGAIN);
    });
  }

  async open() {
    const summary = await get(this.path);
    this.seats = named(summary.seats);
    const { steps } = await get(`${this.path}/replay?after=${Math.max(0, summary.version - LAST)}`);
    const step = steps.at(-1);
    if (step) {
      this.board = step.position;
      this.draw(step);
    }
    if (summary.status !== "running") return this.over();
    new Stream(stepsOf(this.path), Math.max(summary.version, step?.version ?? 0), (kind, message) => this.hear(kind, message)).whileVisible();
  }

  hear(kind, message) {
    if (kind !== "closed") this.applied = this.applied.then(() => this.apply(message)).catch((problem) => this.quietly(problem));
  }

  // Applies a live step; requests only changed names, and the first board.
  async apply(message) {
    const { version, step, summary } = message;
    if (!summary) this.seats = named((await get(this.path)).seats);
    if (ENDS.has(message.kind)) this.over(); // no step: nothing changes on the board
    if (!step) return;
    this.board = boardAfter(this.board, message) ?? (await get(`${this.path}/position?at=${version}`));
    this.draw(step);
  }

  draw(step) {
    document.getElementById("now").replaceChildren(html("strong", {}, stepSentence(step, this.seats)));
    const board = document.getElementById("board");
    redrawn(board, () => board.replaceChildren(...TABLES[this.setting.game].board(this.board, { ...this.setting, seats: this.seats })));
    performance.mark("board");
    this.drawn(step, this.board, this.seats);
  }

  // Ignores an unreachable service.
  quietly(problem) {
    this.board = undefined; // asked for with the next step
    if (!(problem instanceof Away)) throw problem;
  }
}
