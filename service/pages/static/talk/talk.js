// Table talk in a section of a page: reads and writes messages, counts unread ones. The page's own stream tells of new ones.

import { get, send } from "../api.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { item } from "./messages.js";
import { controls } from "./reading.js";

const KEPT = 300; // messages on the page
const LONGEST = 500; // characters
const GUEST = "guest"; // why guests write nothing; they report nothing either
const SPREAD = 700; // milliseconds within which many readers ask one after the other

export class Talk {
  // `about` is game or tournament; without a player the talk is only read; `unread` hears how many messages wait.
  constructor(section, { about, id, player = null, unread = (_count) => {} }) {
    this.section = section;
    this.about = about;
    this.id = id;
    this.player = player;
    this.unread = unread;
    this.path = `/v1/${about}s/${id}/talk`;
    this.messages = new Map();
    this.state = null; // the newest answer, without its messages
    this.told = null; // what the stream told last
    this.running = null;
    this.draw();
  }

  draw() {
    this.title = this.section.querySelector("h2") ?? this.section.appendChild(html("h2", {}, say("talk.title")));
    this.title.id ||= "talk-title";
    this.section.setAttribute("aria-labelledby", this.title.id);
    this.older = html("button", { type: "button", hidden: "" }, say("talk.older"));
    this.older.addEventListener("click", () => this.look(() => this.readOlder()));
    this.list = html("div", { class: "messages", role: "log", "aria-live": "polite", "aria-labelledby": this.title.id, tabindex: "0" });
    this.field = html("input", { type: "text", maxlength: LONGEST, autocomplete: "off", dir: "auto", "aria-label": say("talk.message") });
    this.form = html("form", { class: "row" }, this.field, html("button", {}, say("talk.send")));
    this.form.addEventListener("submit", (event) => this.submit(event));
    this.hint = html("p", { class: "hint" });
    this.trouble = html("p", { class: "trouble", role: "alert" });
    this.more = html("details", { class: "reading" }, html("summary", {}, say("talk.reading")), html("div", {}));
    this.more.addEventListener("toggle", () => this.more.open && this.look(() => this.drawControls()));
    this.section.append(this.older, this.list, this.form, this.hint, this.trouble, this.more);
    this.section.classList.add("talk");
    new IntersectionObserver(() => this.noteRead()).observe(this.list);
    document.addEventListener("visibilitychange", () => this.noteRead());
  }

  // Begins: reads the newest messages.
  async start() {
    await this.look(() => this.readAnew());
  }

  // Hears a notice of the stream.
  hear(told) {
    this.told = told;
    if (!this.isBehind() || this.running) return;
    this.running = new Promise((resolve) => setTimeout(resolve, this.player ? 0 : Math.random() * SPREAD))
      .then(() => this.look(() => this.catchUp()))
      .finally(() => {
        this.running = null;
        if (this.isBehind() && !this.failed) this.hear(this.told);
      });
  }

  isBehind() {
    if (!this.told || !this.state) return false;
    const rooms = Object.entries(this.state.newest);
    const opened = Object.keys(this.told.newest).some((room) => !(room in this.state.newest) && this.opens !== this.told);
    return opened || this.told.changes !== this.state.changes || rooms.some(([room, number]) => (this.told.newest[room] ?? 0) > number);
  }

  async catchUp() {
    this.opens = this.told;
    const behind = Object.entries(this.state.newest).filter(([room, number]) => (this.told.newest[room] ?? 0) > number);
    if (this.told.changes !== this.state.changes || !behind.length) return this.readAnew();
    const after = Math.min(...behind.map(([, number]) => number));
    this.take(await get(`${this.path}?after=${after}&limit=200`));
    return undefined;
  }

  async readAnew() {
    const answer = await get(this.path);
    this.messages.clear();
    this.older.hidden = !answer.more;
    this.take(answer);
  }

  async readOlder() {
    const answer = await get(`${this.path}?before=${Math.min(...this.messages.keys())}`);
    this.older.hidden = !answer.more || this.messages.size > KEPT;
    const { scrollHeight } = this.list;
    this.take({ ...this.state, messages: answer.messages });
    this.list.scrollTop = this.list.scrollHeight - scrollHeight;
  }

  take({ messages, ...state }) {
    const rooms = this.state ? Object.keys(this.state.newest).length : null;
    const redrawn = !this.messages.size || rooms !== Object.keys(state.newest).length || this.state?.covers !== state.covers || messages.some(({ number }) => number < Math.max(0, ...this.messages.keys()));
    for (const message of messages) this.messages.set(message.number, message);
    this.state = state;
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    const sorted = [...this.messages.values()].sort((one, other) => one.number - other.number);
    const view = { player: this.player, covers: state.covers, several: Object.keys(state.newest).length > 1, reports: state.reason !== GUEST };
    const shown = new Set([...this.list.children].map((node) => Number(node.getAttribute("data-number"))));
    const fresh = redrawn ? sorted : sorted.filter(({ number }) => !shown.has(number));
    const items = state.muted ? [] : fresh.map((message) => item(message, view, this));
    if (redrawn || state.muted) this.list.replaceChildren(...items);
    else this.list.append(...items);
    if (atEnd || redrawn) this.list.scrollTop = this.list.scrollHeight;
    this.list.classList.toggle("empty", !this.list.childElementCount);
    this.showState();
    this.noteRead();
  }

  showState() {
    const { writes, reason, silent, muted } = this.state;
    this.form.hidden = !writes;
    this.hint.textContent = muted ? say("talk.is_muted") : writes ? say(`talk.to_${writes}`) : say(silent && reason === "silent" ? "talk.no_silent" : `talk.no_${reason}`);
    this.count();
  }

  count() {
    const { read, muted } = this.state;
    const waiting = [...this.messages.values()].filter((one) => one.number > read && one.by.id !== this.player && one.state === "shown");
    this.unread(muted || !this.player ? 0 : waiting.length);
  }

  // Notes what is shown as read, once the reader can see it.
  noteRead() {
    if (!this.player || !this.state || document.hidden || !this.list.checkVisibility()) return;
    const newest = Math.max(0, ...this.messages.keys());
    if (newest <= this.state.read || this.state.muted) return;
    this.state.read = newest;
    this.count();
    send(`${this.path}/read`, { number: newest }, "PUT").catch(() => undefined); // is noted with the next message
  }

  async submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text || this.sending) return;
    this.sending = true;
    await this.look(async () => {
      const message = await send(this.path, { text });
      this.field.value = "";
      if (!this.messages.has(message.number)) this.take({ ...this.state, messages: [message] });
    });
    this.sending = false;
    this.field.focus();
  }

  erase(message) {
    this.look(async () => {
      await send(`${this.path}/${message.number}`, {}, "DELETE");
      await this.readAnew();
    });
  }

  mute(message) {
    this.change({ about: "player", id: message.by.id });
  }

  report(message) {
    location.assign(`/reports?about=${this.about}&id=${this.id}&thing=message:${message.number}`);
  }

  change(body) {
    return this.look(async () => {
      await send("/v1/me/talk", body, "PUT");
      await this.readAnew();
      if (this.more.open) await this.drawControls();
    });
  }

  async drawControls() {
    const own = this.player ? await get("/v1/me/talk") : null;
    if (!this.state) await this.readAnew(); // unfolded before the messages have come
    this.more.lastElementChild.replaceChildren(...controls(this, own));
  }

  close(room, closed) {
    return this.look(async () => {
      await send(`${this.path}/rooms`, { room, closed }, "PUT");
      await this.readAnew();
      await this.drawControls();
    });
  }

  // Does something with the service, and shows why it failed.
  async look(does) {
    this.failed = false;
    this.trouble.textContent = "";
    try {
      await does();
      if (!this.running && this.isBehind()) this.hear(this.told); // there was more before the answer arrived
    } catch (problem) {
      this.failed = true;
      this.trouble.textContent = problem.message;
    }
  }
}
