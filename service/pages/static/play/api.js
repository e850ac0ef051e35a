// Requests to the public API with the session of this browser: refusals in words, repetitions that do nothing twice.

const csrf = JSON.parse(document.getElementById("setting").textContent).csrf;
const PAUSES = [300, 700, 1500, 3000, 6000, 10000]; // milliseconds before a request without an answer is sent again
const GONE = new Set([502, 503, 504]);
let watcher = () => {};

// The service refuses: its sentence, its problem type, and the data of the reason.
export class Refused extends Error {
  constructor(problem) {
    super(problem.sentence ?? problem.detail ?? problem.title);
    this.problem = problem;
    this.status = problem.status;
    this.type = problem.type?.split("#")[1];
  }
}

// The service cannot be reached.
export class Away extends Error {}

// Who wants to know whether the service can be reached.
export function watch(hear) {
  watcher = hear;
}

export async function get(path) {
  return told(await reached(path, { headers: { Accept: "application/json" } }));
}

export async function text(path) {
  return (await reached(path, { headers: { Accept: "text/plain" } })).text();
}

// Send something once, however often it has to be repeated on the way.
export async function send(path, body, method = "POST") {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf, "Idempotency-Key": crypto.getRandomValues(new Uint32Array(4)).join("-") };
  const request = { method, headers, body: method === "DELETE" ? undefined : JSON.stringify(body) };
  for (const pause of PAUSES) {
    const answer = await fetch(path, request).catch(() => null);
    if (answer && !GONE.has(answer.status)) {
      watcher(true);
      return told(answer);
    }
    watcher(false);
    await new Promise((again) => setTimeout(again, pause));
  }
  return told(await reached(path, request));
}

async function reached(path, request) {
  try {
    return await fetch(path, request);
  } catch {
    throw new Away();
  }
}

async function told(answer) {
  const document = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Refused(document);
  return document;
}
