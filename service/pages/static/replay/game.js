// A game as the public API returns it: its steps at once, its boards as they are needed, new steps as they are made.

import { get, lines, text } from "../api.js";

const RETURNS = new Set(["undone", "ruled"]); // events after which earlier steps are no longer part of the game

export class Game {
  constructor({ id, over }) {
    this.path = `/v1/games/${id}`;
    this.summary = { status: over ? "finished" : "running" };
    this.eyes = "";
    this.undone = false; // whether moves that were taken back are shown
    this.wanted = { eyes: this.eyes, undone: this.undone }; // the view that was asked for last
    this.asked = 0; // how often the replay was asked for, and which answer is held
    this.held = 0;
    this.steps = [];
    this.boards = new Map(); // version -> position, as the eyes see it
  }

  // What was hidden is hidden no more when the game is over.
  async open() {
    [this.summary] = await Promise.all([get(this.path), this.look(this.over ? "all" : "")]);
  }

  get over() {
    return this.summary.status === "finished" || this.summary.status === "aborted";
  }

  // Fetches the steps as the wanted view shows them; nothing of an earlier view is kept. Answers may overtake one another:
  // one to an earlier request, or for a view that is no longer wanted, changes nothing.
  async look(eyes = this.wanted.eyes, undone = this.wanted.undone) {
    const [asked, before, wanted] = [++this.asked, this.wanted, { eyes, undone }];
    this.wanted = wanted;
    let told;
    try {
      told = await get(this.address("replay", { positions: false, undone }, eyes));
    } catch (refused) {
      if (this.wanted === wanted) this.wanted = before;
      throw refused;
    }
    if (asked < this.held || this.wanted.eyes !== eyes || this.wanted.undone !== undone) return;
    this.held = asked;
    this.eyes = eyes;
    this.undone = undone;
    this.steps = told.steps;
    this.boards = new Map();
  }

  address(what, query, eyes = this.eyes) {
    const asked = new URLSearchParams(query);
    if (eyes !== "") asked.set("as", eyes);
    return `${this.path}/${what}?${asked}`;
  }

  async board(version) {
    if (!this.boards.has(version)) this.boards.set(version, await get(this.address("position", { at: version })));
    return this.boards.get(version);
  }

  text(version) {
    return text(this.address("position", { at: version }));
  }

  // All boards in one answer, line by line, so that every later step is there before it is asked for.
  async fetchBoards() {
    const boards = this.boards;
    for await (const step of lines(this.address("replay", { undone: this.undone }))) boards.set(step.version, step.position);
  }

  // Apply what events of these kinds brought: the new steps and, but for plain moves, the summary. Returns whether
  // anything came. The whole replay is read again only when earlier moves were taken back.
  async catchUp(kinds) {
    const known = this.steps.length;
    const more = kinds.some((kind) => kind !== "moved");
    if (more) this.summary = await get(this.path);
    if (kinds.some((kind) => RETURNS.has(kind))) {
      await this.look();
      this.fetchBoards().catch(() => {}); // a board that is missing is asked for when it is shown
      return true;
    }
    const boards = this.boards;
    const { steps } = await get(this.address("replay", { after: this.steps.at(-1)?.version ?? 0, undone: this.undone }));
    if (boards === this.boards) for (const step of steps) this.add(step); // else the viewer looks through other eyes by now
    return more || this.steps.length !== known;
  }

  add(step) {
    this.boards.set(step.version, step.position);
    this.steps.push(step);
  }
}
