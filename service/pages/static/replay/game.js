// A game as the public API returns it: its steps at once, its boards as they are needed, new steps as they are made.

import { get, lines, text } from "../api.js";
import { boardAfter, isOfAnotherHistory, keptSteps, patched } from "../live_steps.js";

const RECENT = 200; // live steps that are kept to be applied again to an answer that does not have them yet

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
    this.told = 0; // the version up to which the steps are known
    this.recent = []; // live steps
    this.stale = false; // whether the summary is to be read again
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
    this.told = told.steps.at(-1)?.version ?? 0;
    this.boards = new Map();
    for (const message of this.recent) this.apply(message);
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

  // Applies live steps: what each event changed. Asks for nothing; whether the summary is to be read again, `stale` tells.
  // Returns false at an event of another history: everything is to be read again.
  hear(messages) {
    for (const message of messages) {
      if (isOfAnotherHistory(this.summary, message)) return false;
      this.recent.push(message);
      this.apply(message);
      if (message.version <= (this.summary.version ?? 0)) continue; // the summary was read after this event
      if (message.summary) this.summary = patched(this.summary, message.summary);
      else this.stale = true;
    }
    this.recent = this.recent.slice(-RECENT);
    return true;
  }

  // Reads a summary that live steps do not tell: a seat has another name by now.
  async renew() {
    this.summary = await get(this.path);
    this.stale = false;
  }

  // Adds the step of an event, and its board where the one before it is known; other boards are asked for when shown.
  apply(message) {
    const { version, step } = message;
    if (version <= this.told) return;
    this.told = version;
    if (!step) return;
    const board = boardAfter(this.boards.get(this.steps.at(-1)?.version), message);
    const returns = typeof step.back_to === "number";
    if (!returns) this.steps.push(step);
    else if (!this.undone) this.steps = keptSteps(this.steps, message);
    else this.steps = [...this.steps.map((one) => (one.version > step.back_to && one.kind === "moved" ? { ...one, kept: false } : one)), step];
    if (board && (!returns || this.undone)) this.boards.set(version, board);
  }
}
