// A game as the public API tells it: its steps at once, its boards as they are needed.

export class Game {
  constructor({ id, over }) {
    this.path = `/v1/games/${id}`;
    this.summary = { status: over ? "finished" : "running" };
    this.eyes = "";
    this.undone = false; // whether moves that were taken back are shown
    this.steps = [];
    this.boards = new Map(); // version -> position, as the eyes see it
  }

  // What was hidden is hidden no more when the game is over.
  async open() {
    [this.summary] = await Promise.all([read(this.path), this.look(this.over ? "all" : "")]);
  }

  get over() {
    return this.summary.status === "finished" || this.summary.status === "aborted";
  }

  // Look through other eyes, or at what was taken back too: nothing that was seen before is kept.
  async look(eyes, undone = this.undone) {
    const told = await read(this.address("replay", { positions: false, undone }, eyes));
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
    if (!this.boards.has(version)) this.boards.set(version, await read(this.address("position", { at: version })));
    return this.boards.get(version);
  }

  text(version) {
    return fetch(this.address("position", { at: version }), { headers: { Accept: "text/plain" } }).then((told) => told.text());
  }

  // All boards in one answer, line by line, so that every later step is there before it is asked for.
  async fetchBoards() {
    const boards = this.boards;
    const answer = await fetch(this.address("replay", { undone: this.undone }), { headers: { Accept: "application/x-ndjson" } });
    for await (const line of lines(answer.body)) {
      const step = JSON.parse(line);
      boards.set(step.version, step.position);
    }
  }

  // Wait for something to happen; whether anything did.
  async wait() {
    const after = this.summary.version;
    const page = await read(`${this.path}/events?after=${after}&wait=25&limit=100`);
    if (!page.events.length) return false;
    const [summary, told] = await Promise.all([read(this.path), read(this.address("replay", { after: this.steps.at(-1)?.version ?? 0, undone: this.undone }))]);
    const returned = page.events.some((event) => event.kind === "undone" || event.kind === "ruled");
    this.summary = { ...summary, version: Math.max(summary.version, page.next) };
    if (returned) await this.look(this.eyes);
    else for (const step of told.steps) this.add(step);
    return true;
  }

  add(step) {
    this.boards.set(step.version, step.position);
    this.steps.push(step);
  }
}

export async function read(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  const document = await answer.json();
  if (!answer.ok) throw new Error(document.detail ?? document.title);
  return document;
}

async function* lines(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const found = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = found.pop();
    yield* found;
  }
}
