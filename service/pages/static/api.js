// Requests to the public API with the session of this browser; repeats them safely, translates refusals.

import { say } from "./words.js";

const csrf = JSON.parse(document.getElementById("setting")?.textContent ?? "{}").csrf; // of a logged-in reader
const PAUSES = [300, 700, 1500, 3000, 6000, 10000]; // milliseconds before a request without an answer is sent again
const GONE = new Set([502, 503, 504]);
/** @type {(reached: boolean) => void} */
let watcher = () => {};

// A refusal of the service: its sentence, its problem type, and its data.
export class Refused extends Error {
  constructor(problem) {
    super(problem.sentence ?? problem.detail ?? problem.title);
    this.problem = problem;
    this.status = problem.status;
    this.type = problem.type?.split("#")[1];
  }
}

// The service cannot be reached.
export class Away extends Error {
  constructor() {
    super(say("common.away"));
  }
}

// Listeners to whether the service can be reached.
export function watch(hear) {
  watcher = hear;
}

export async function get(path) {
  return documentOf(await fetchAnswer(path, { headers: { Accept: "application/json" } }));
}

export async function text(path) {
  return (await fetchAnswer(path, { headers: { Accept: "text/plain" } })).text();
}

// Yields the documents of an NDJSON answer as they arrive.
export async function* lines(path) {
  const answer = await fetchAnswer(path, { headers: { Accept: "application/x-ndjson" } });
  if (!answer.ok) await documentOf(answer);
  for await (const line of blocks(answer.body, "\n")) yield JSON.parse(line);
}

// Lets the service verify a bundle; needs no login.
export async function judged(bundle) {
  return documentOf(await fetchAnswer("/v1/verify", { method: "POST", body: bundle, headers: { "Content-Type": "application/json" } }));
}

// Yields the parts of a body between separators; `waiting` is called before each read.
export async function* blocks(body, separator, waiting = (piece) => piece) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await waiting(reader.read());
    if (done) return;
    const found = (rest + decoder.decode(value, { stream: true })).split(separator);
    rest = found.pop();
    yield* found;
  }
}

// Sends a request that takes effect once; repeats it with the same key.
export async function send(path, body, method = "POST") {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf, "Idempotency-Key": crypto.getRandomValues(new Uint32Array(4)).join("-") };
  const request = { method, headers, body: method === "DELETE" ? undefined : JSON.stringify(body) };
  for (const pause of PAUSES) {
    const answer = await fetch(path, request).catch(() => null);
    if (answer && !GONE.has(answer.status)) {
      watcher(true);
      return documentOf(answer);
    }
    watcher(false);
    await new Promise((again) => setTimeout(again, pause));
  }
  return documentOf(await fetchAnswer(path, request));
}

async function fetchAnswer(path, request) {
  try {
    return await fetch(path, request);
  } catch {
    throw new Away();
  }
}

async function documentOf(answer) {
  const document = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Refused(document);
  return document;
}
