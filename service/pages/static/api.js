// Requests to the public API with the session of this browser; repeats them safely, translates refusals.

import { AWAY, newKey, sendUntilAnswered } from "./client/sending.js";
import { textBlocks } from "./client/text_blocks.js";
import { inLanguage, say } from "./words.js";

const setting = JSON.parse(document.getElementById("setting")?.textContent ?? "null") ?? {};
const { csrf } = setting; // of a logged-in reader
const { acting } = setting; // for a person at this screen
const { spectator } = setting; // the page shows what everybody sees, also to those who play
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

export async function get(path, signal = undefined) {
  return documentOf(await fetchAnswer(path, { headers: { Accept: "application/json" }, signal }));
}

export async function text(path) {
  return (await fetchAnswer(path, { headers: { Accept: "text/plain" } })).text();
}

// Yields the documents of an NDJSON answer as they arrive.
export async function* lines(path) {
  const answer = await fetchAnswer(path, { headers: { Accept: "application/x-ndjson" } });
  if (!answer.ok) await documentOf(answer);
  for await (const line of textBlocks(answer.body, "\n")) yield JSON.parse(line);
}

// Lets the service verify a bundle; needs no login.
export async function judged(bundle) {
  return documentOf(await fetchAnswer("/v1/verify", { method: "POST", body: bundle, headers: { "Content-Type": "application/json" } }));
}

// Sends a request that takes effect once; repeats it with the same key.
export async function send(path, body, method = "POST") {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf, "Idempotency-Key": newKey(), ...seatHeaders(path) };
  const request = { method, headers, body: method === "DELETE" ? undefined : JSON.stringify(body) };
  try {
    return await documentOf(await sendUntilAnswered(inLanguage(path), request, { passing: AWAY, reached: watcher }));
  } catch (problem) {
    throw problem instanceof Refused ? problem : new Away();
  }
}

// The headers of the person at this screen for whom the page acts.
export function seatHeaders(path) {
  return acting && path.startsWith("/v1/games/") ? { "X-Seat-Of": acting } : {};
}

// Sends a request with the session of this browser, or without it where the page shows what everybody sees.
export function ask(path, request) {
  return fetch(inLanguage(path), spectator ? { ...request, credentials: "omit" } : request);
}

async function fetchAnswer(path, request) {
  try {
    return await ask(path, { ...request, headers: { ...request.headers, ...seatHeaders(path) } });
  } catch {
    throw new Away();
  }
}

async function documentOf(answer) {
  const document = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Refused(document);
  return document;
}
