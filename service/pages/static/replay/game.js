// A game from the public API: loads all steps in short, the boards near the shown one, and applies live steps.

import { get, lines, text } from "../api.js";
import { boardAfter, isOfAnotherHistory, keptSteps, patched } from "../live_steps.js";
import { Boards } from "./boards.js";
import { FACTS, LONG, outlined, Parts } from "./outline.js";

const RECENT = 200; // live steps kept for answers that do not include them yet
const NEAR = 24; // steps before and after the shown one whose boards are loaded

export class Game {
  constructor({ id, over, version = 0 }) {
    this.path = `/v1/games/${id}`;
    this.long = version > LONG; // only the outline comes whole
    this.summary = { status: over ? "finished" : "running" };
    this.eyes = "";
    this.undone = false; // whether undone moves are shown
    this.wanted = { eyes: this.eyes, undone: this.undone }; // the view that was requested last
    this.asked = 0; // the number of the newest request
    this.held = 0;
    this.steps = [];
    this.known = 0; // the version up to which the steps are known
    this.recent = []; // live steps
    this.stale = false; // whether the summary has to be read again
    this.boards = this.noBoards();
    this.parts = null; // of the words of a long game
  }

  // Nothing is hidden after the end of the game. While the steps of a long game come, `meanwhile` may show a board.
  async open(meanwhile = async () => {}) {
    const summarised = get(this.path).then((summary) => {
      this.summary = summary;
      return summary.version > LONG && !this.held ? meanwhile() : null;
    });
    await Promise.all([summarised, this.changeView(this.over ? "all" : "")]);
  }

  noBoards() {
    const { eyes, undone } = this;
    return new Boards((after, until) => this.address("replay", { after, until, undone }, eyes));
  }

  get over() {
    return this.summary.status === "finished" || this.summary.status === "aborted";
  }

  // Fetches the steps as the wanted view shows them; nothing of an earlier view is kept. Answers may overtake one another:
  // one to an earlier request, or for a view that is no longer wanted, changes nothing.
  async changeView(eyes = this.wanted.eyes, undone = this.wanted.undone) {
    const [asked, before, wanted] = [++this.asked, this.wanted, { eyes, undone }];
    this.wanted = wanted;
    let found;
    try {
      found = await (this.long ? this.outline(eyes, undone) : this.wholeLog(eyes, undone));
    } catch (refused) {
      if (this.wanted === wanted) this.wanted = before;
      throw refused;
    }
    if (asked < this.held || this.wanted.eyes !== eyes || this.wanted.undone !== undone) return;
    this.held = asked;
    this.eyes = eyes;
    this.undone = undone;
    this.steps = found.steps;
    this.parts = found.parts;
    this.known = this.steps.at(-1)?.version ?? 0;
    this.boards = this.noBoards();
    for (const message of this.recent) this.apply(message);
  }

  async wholeLog(eyes, undone) {
    const steps = [];
    for await (const step of lines(this.address("replay", { positions: false, undone }, eyes))) steps.push(short(step));
    return { steps, parts: null };
  }

  async outline(eyes, undone) {
    const outline = await get(this.address("outline", { undone, facts: FACTS }, eyes));
    const part = (after, until) => get(this.address("replay", { after, until, positions: false, undone }, eyes));
    return { steps: outlined(outline), parts: new Parts(part, outline.version) };
  }

  // Gives the steps from a number until another one their words, where they are not read yet.
  async read(from = 0, until = this.steps.length) {
    await this.parts?.read(this.steps.slice(Math.max(0, from), until));
  }

  // Gives the steps of these versions their words.
  async readVersions(versions) {
    await this.parts?.read(this.steps.filter(({ version }) => versions.includes(version)));
  }

  // Whether the words of all steps are read.
  get whole() {
    return !this.parts || !this.steps.some(({ unread }) => unread);
  }

  address(what, query, eyes = this.eyes) {
    const asked = new URLSearchParams(query);
    if (eyes !== "") asked.set("as", eyes);
    return `${this.path}/${what}?${asked}`;
  }

  async board(version) {
    const { boards } = this;
    const known = boards.get(version);
    if (known) return known;
    const board = await this.position(version);
    boards.set(version, board);
    return board;
  }

  // Reads the board after an event, from the wanted viewpoint.
  position(version) {
    return get(this.address("position", { at: version }, this.wanted.eyes));
  }

  text(version) {
    return text(this.address("position", { at: version }));
  }

  // Loads the boards near a step, before somebody goes there.
  loadNear(at) {
    return this.boards.load(this.steps.slice(Math.max(0, at - NEAR), at + NEAR + 1).map(({ version }) => version));
  }

  // Applies live steps without a request; `stale` tells whether the summary has to be read again.
  // Returns false at an event of another history: the page has to be loaded again.
  applyMessages(messages) {
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

  // Reads the summary after changes that live steps do not include: names of seats.
  async renew() {
    this.summary = await get(this.path);
    this.stale = false;
  }

  // Adds the step of an event, and its board when the one before it is known; loads other boards when shown.
  apply(message) {
    const { version } = message;
    const step = message.step && short(message.step);
    if (version <= this.known) return;
    this.known = version;
    if (!step) return;
    const board = boardAfter(this.boards.get(this.steps.at(-1)?.version), message);
    const returns = typeof step.back_to === "number";
    if (!returns) this.steps.push(step);
    else if (!this.undone) this.steps = keptSteps(this.steps, message);
    else this.steps = [...this.steps.map((one) => (one.version > step.back_to && one.kind === "moved" ? { ...one, kept: false } : one)), step];
    if (board && (!returns || this.undone)) this.boards.set(version, board);
  }
}

// Returns a step without what the log and the charts do not need: most of it is the single points of each seat.
/**
 * @param {any} step
 * @returns {any}
 */
function short({ at: _, drew: __, scores, ...step }) {
  return { ...step, scores: scores?.map((score) => score && { total: score.total }) };
}
