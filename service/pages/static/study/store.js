// A study from the public API: its heading, one chapter at a time, and the boards of its places.

import { get, send } from "../api.js";
import { Stream } from "../stream.js";

const MOST_TICKETS = 200; // limit of the service

// What the page asked about is being deleted, or is gone: there is nothing to tell the reader.
export class Gone extends Error {}

export class Store {
  // `changed` is called after a change, `fail` when the stream has ended.
  constructor(setting, changed, fail) {
    this.path = `/v1/studies/${setting.id}`;
    this.changed = changed;
    this.stream = null;
    this.fail = fail;
    this.heading = undefined;
    this.number = undefined; // the chapter that is loaded
    this.chapter = undefined;
    this.game = undefined; // its steps and seats
    this.games = new Map(); // game -> its steps and seats
    this.boards = new Map(); // place and eyes -> board
    this.answered = new Map(); // chapter -> tickets of answered questions
    this.chosen = undefined; // the chapter that the reader wants to see
    this.loading = Promise.resolve();
    this.reads = new AbortController(); // of what is asked about the study
  }

  async open(number) {
    this.chosen = number;
    await this.load();
    this.stream ??= new Stream(`${this.path}/changes`, this.heading.version, (kind, change) => (kind === "closed" ? this.closed(change) : this.change(change)).catch(this.fail));
    this.stream.reread = () => this.reread(); // unsaved comments outlive it
    this.stream.start();
  }

  // Loads the study and the chosen chapter, one load after the other: what is shown belongs together.
  load() {
    const loaded = this.loading.then(async () => {
      ({ heading: this.heading, number: this.number, chapter: this.chapter, game: this.game } = await this.read());
      this.boards.clear();
    });
    this.loading = loaded.catch(() => null);
    return loaded;
  }

  // Reads the study and a chapter of it; once more when the chapter was deleted in between.
  async read(gone = null) {
    const heading = await this.ask(this.path);
    const known = heading.chapters.map(({ chapter }) => chapter);
    const wanted = this.chosen;
    const number = known.includes(wanted) ? wanted : known[0];
    try {
      const chapter = number === undefined ? null : await this.ask(`${this.path}/chapters/${number}?${new URLSearchParams(this.ticketQuery(number))}`);
      const game = chapter?.of ? await this.follow(chapter.of) : { steps: [], seats: [] };
      if (this.chosen === wanted) this.chosen = number;
      return { heading, number, chapter, game };
    } catch (problem) {
      if (problem.status !== 404 || number === gone) throw problem;
      return this.read(number);
    }
  }

  // Asks for something that a deletion may take away.
  async ask(path) {
    const { signal } = this.reads;
    try {
      return await get(path, signal);
    } catch (problem) {
      signal.throwIfAborted();
      throw problem;
    }
  }

  // Returns the tickets of the answered questions of the chapter.
  get tickets() {
    return this.answered.get(this.number) ?? [];
  }

  // Returns the newest tickets of all chapters.
  get passed() {
    return [...this.answered.values()].flat().slice(-MOST_TICKETS);
  }

  /** @returns {Record<string, string>} */
  ticketQuery(number = this.number) {
    const tickets = this.answered.get(number) ?? [];
    return tickets.length ? { tickets: tickets.join(",") } : {};
  }

  // Answers a question with a move, or gives up with null; returns the verdict.
  async answer(at, move) {
    const found = await send(`${this.path}/chapters/${this.number}/answers`, { at, move, tickets: this.tickets });
    if (found.ticket && !this.tickets.includes(found.ticket)) this.answered.set(this.number, [...this.tickets, found.ticket].slice(-MOST_TICKETS));
    return found;
  }

  async follow(id) {
    if (!this.games.has(id)) {
      const path = `/v1/games/${id}`;
      const summary = await get(path);
      const over = summary.status === "finished" || summary.status === "aborted";
      const { steps } = await get(`${path}/replay?positions=false&undone=true${over ? "&as=all" : ""}`);
      const found = { steps, seats: summary.seats };
      if (!over) return found; // the game still runs: load again next time
      this.games.set(id, found);
    }
    return this.games.get(id);
  }

  get writes() {
    return this.heading.role === "owner" || this.heading.role === "writer";
  }

  get owns() {
    return this.heading.role === "owner";
  }

  async board(place, eyes, legal = false) {
    const key = `${place} ${eyes} ${legal}`;
    const query = new URLSearchParams({ at: String(place), ...this.ticketQuery(), ...(eyes === "" ? {} : { as: eyes }), ...(legal ? { legal: "true" } : {}) });
    if (!this.boards.has(key)) {
      const asked = this.askPlace(`${this.path}/chapters/${this.number}/board?${query}`);
      asked.catch(() => this.boards.get(key) === asked && this.boards.delete(key)); // asked for again
      this.boards.set(key, asked);
    }
    return this.boards.get(key);
  }

  // Asks for a place. When somebody deleted it meanwhile, the page is renewed, and Gone is thrown.
  async askPlace(path) {
    const { version } = this.heading;
    try {
      return await this.ask(path);
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      const newest = await this.ask(this.path);
      if (newest.version === version) throw problem;
      this.renew(newest.version).catch(this.fail); // not awaited: a renewal may wait for this board
      throw new Gone();
    }
  }

  // Sends edits, all or none, based on a version; returns their results. Renews the page at once.
  async edit(edits, saw = this.heading.version) {
    const answer = await send(`${this.path}/edits`, { edits, saw });
    await this.renew(answer.version);
    return answer.made;
  }

  // Sends an edit that deletes a chapter or a variation; until its answer, nothing is asked about what may be gone.
  async remove(edit) {
    const made = await this.unasking(() => send(`${this.path}/edits`, { edits: [edit], saw: this.heading.version }));
    this.reads = new AbortController();
    await this.renew(made.version);
    return made.made;
  }

  // Does what ends the right to read the study, and asks nothing more.
  leave(act) {
    this.stream.stop(); // its end would be reported as a failure
    return this.unasking(act);
  }

  // Asks nothing until `act` has its answer; goes on when it is refused.
  async unasking(act) {
    this.reads.abort(new Gone());
    try {
      return await act();
    } catch (refused) {
      this.reads = new AbortController();
      this.stream.start();
      this.reread().catch(this.fail);
      throw refused;
    }
  }

  async change({ version }) {
    if (version > this.heading.version) await this.renew(version);
  }

  // The stream has ended: reloads the study, or shows why it cannot be read any more.
  async closed({ closed }) {
    if (closed !== "access_ended") return;
    this.stream.stop();
    await get(this.path).catch(this.fail);
  }

  // Renews one after the other; skips overtaken renewals, and those that a deletion will make.
  async renew(version) {
    this.wanted = Math.max(this.wanted ?? 0, version);
    this.renewing ??= this.catchUp();
    await this.renewing.catch((problem) => {
      if (!(problem instanceof Gone)) throw problem;
    });
  }

  async catchUp() {
    const behind = () => (this.heading.version ?? 0) < this.wanted;
    try {
      do {
        while (behind()) await this.load();
        await this.changed();
      } while (behind()); // changed again while the page was drawn
    } finally {
      this.renewing = null; // before anything else is heard: what comes from now on begins anew
    }
  }

  async reread() {
    await this.load();
    await this.changed();
  }
}
