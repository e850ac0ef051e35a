// Server-sent events: resumes an interrupted stream and detects a silently dead connection.

import { blocks } from "./api.js";

const SILENCE = 25_000; // milliseconds; the service sends a keep-alive every ten seconds
const REPLACED = "history_replaced"; // the database was replaced by another copy; the page shows steps that are not stored
const TEXTS = "texts_changed"; // an administrator hid a text that the page may show
const ENDED = "access_ended"; // the session or the right to read has ended
const REFUSALS = new Set([401, 403, 404, 410]); // of a resumed stream whose right has ended meanwhile
const PAUSES = [200, 1000, 2000, 5000];

export class Stream {
  // `handle` gets each event as (kind, document); `state` gets whether the stream is connected.
  constructor(path, after, handle, state = (_connected) => {}) {
    this.path = path;
    this.last = after;
    this.handleEvent = handle;
    this.state = state;
    this.failures = 0;
    this.wanted = false;
    this.open = false; // whether it is connected
    this.reread = null; // reads the texts again after one was hidden; without it, the page is loaded anew
    this.stale = false; // whether a text was hidden since the texts were read
  }

  // Keeps the connection while the page is visible or needs it; a browser has few connections.
  whileVisible(needed = () => false) {
    const startOrStop = () => (document.hidden && !needed() ? this.stop() : this.start());
    document.addEventListener("visibilitychange", startOrStop);
    startOrStop();
  }

  start() {
    if (this.wanted || this.over) return;
    this.wanted = true;
    this.run();
  }

  stop() {
    this.wanted = false;
    this.connection?.abort();
  }

  async run() {
    while (this.wanted && !this.over) {
      try {
        await this.read();
        this.failures = 0;
      } catch {
        if (!this.wanted) return;
        this.state(false);
      } finally {
        this.open = false;
      }
      await new Promise((again) => setTimeout(again, PAUSES[Math.min(this.failures++, PAUSES.length - 1)]));
    }
  }

  async read() {
    this.connection = new AbortController();
    const headers = { Accept: "text/event-stream" };
    if (this.last !== null) headers["Last-Event-ID"] = String(this.last);
    const answer = await fetch(this.path, { headers, signal: this.connection.signal });
    if (answer.status === 204) {
      this.over = true;
      return;
    }
    if (REFUSALS.has(answer.status)) return this.end();
    if (!answer.ok) throw new Error(String(answer.status));
    this.open = true;
    this.state(true);
    await this.readAgain();
    for await (const block of blocks(answer.body, "\n\n", (piece) => this.withDeadline(piece))) this.handle(block);
  }

  // Reads the texts again once the stream is open: it tells of what is hidden from then on.
  async readAgain() {
    if (!this.stale) return;
    await this.reread();
    this.stale = false;
  }

  // Treats a connection as dead after too long a silence.
  withDeadline(piece) {
    const watchdog = setTimeout(() => this.connection.abort(), SILENCE);
    return piece.finally(() => clearTimeout(watchdog));
  }

  handle(block) {
    this.failures = 0;
    const fields = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
    if (!fields.event) return; // a keep-alive
    if (fields.id) this.last = Number(fields.id);
    const message = JSON.parse(fields.data);
    if (message.closed === REPLACED || (message.closed === TEXTS && !this.reread)) return location.reload();
    if (message.closed === TEXTS) this.stale = true;
    if (message.closed === ENDED) this.end();
    this.handleEvent(fields.event, message);
  }

  // The stream has ended for good: shows why and stops requesting.
  end() {
    this.over = true;
    const reason = document.getElementById("access-ended");
    if (reason) reason.hidden = false;
  }
}
