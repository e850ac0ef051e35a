// A stream as a page follows it: while it is visible, until the right to read has ended.

import { ask, seatHeaders } from "./api.js";
import { follow } from "./client/event_stream.js";
import { Refused } from "./client/problems.js";
import { sleep } from "./client/sending.js";

const REPLACED = "history_replaced"; // the database was replaced by another copy; the page shows steps that are not stored
const TEXTS = "texts_changed"; // an administrator hid a text that the page may show
const ENDED = "access_ended"; // the session or the right to read has ended
const PAUSE = 2000; // milliseconds

export class Stream {
  // `handle` gets each event as (kind, document); `state` gets whether the stream is connected.
  constructor(path, after, handle, state = (_connected) => {}) {
    this.path = path;
    this.last = after;
    this.handleEvent = handle;
    this.state = state;
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
    const { signal } = (this.connection = new AbortController());
    while (!signal.aborted && !this.over) {
      try {
        await this.read(signal);
        this.over = true;
      } catch (problem) {
        if (signal.aborted) break;
        if (problem instanceof Refused) this.end();
        else await sleep(PAUSE); // what the page does with a message failed: the message is read again
      }
    }
    this.open = false;
  }

  async read(signal) {
    const follows = { fetch: ask, headers: seatHeaders(this.path), after: this.last, signal, state: (connected) => this.connected(connected), opened: () => this.readAgain() };
    for await (const message of follow(this.path, follows)) {
      this.handle(message);
      this.last = message.id ?? this.last;
    }
  }

  connected(connected) {
    this.open = connected;
    this.state(connected);
  }

  // Reads the texts again once the stream is open: it tells of what is hidden from then on.
  async readAgain() {
    if (!this.stale) return;
    await this.reread();
    this.stale = false;
  }

  handle({ kind, document: message }) {
    if (message.closed === REPLACED || (message.closed === TEXTS && !this.reread)) return location.reload();
    if (message.closed === TEXTS) this.stale = true;
    if (message.closed === ENDED) this.end();
    this.handleEvent(kind, message);
  }

  // The stream has ended for good: shows why and stops requesting.
  end() {
    this.over = true;
    const reason = document.getElementById("access-ended");
    if (reason) reason.hidden = false;
  }
}
