// What a trial of the reference needs first: requests of the API that find or make it, and the values they bring.

import { commitmentOf } from "../play/vault.js";

/** @typedef {{send: string, body?: unknown, accept?: string, as?: string, commits?: number, keep?: Record<string, string>, until?: [string, unknown]}} Step */
/** @typedef {{uses?: string[], find?: Step[], steps: Step[]}} Recipe */
/** @typedef {{status: number, value: unknown}} Answer */
/** @typedef {(method: string, path: string, more: {body?: unknown, accept?: string, as?: string}) => Promise<Answer>} Ask */

const MOST_WAITS = 20;
const PAUSE = 500; // milliseconds

/** A request that makes what a trial needs was refused, or one that looks for it found nothing. */
export class NotPrepared extends Error {
  /** @param {string} request @param {Answer} answer */
  constructor(request, answer) {
    super(request);
    this.request = request;
    this.answer = answer;
  }
}

/**
 * Follows recipes; adds the values that they bring.
 * @param {string[]} needs
 * @param {Record<string, Recipe>} recipes
 * @param {Record<string, unknown>} values
 * @param {Ask} ask
 */
export async function prepare(needs, recipes, values, ask) {
  for (const name of needs) await follow(recipes[name], recipes, values, ask);
}

/** @param {Recipe} recipe @param {Record<string, Recipe>} recipes @param {Record<string, unknown>} values @param {Ask} ask */
async function follow(recipe, recipes, values, ask) {
  for (const step of recipe.find ?? []) {
    const answer = await taken(step, values, ask);
    if (isSuccess(answer) && keep(step, answer, values)) return;
    if (step === recipe.find?.at(-1) && !recipe.uses && !recipe.steps.length) throw new NotPrepared(step.send, answer);
  }
  await prepare(recipe.uses ?? [], recipes, values, ask);
  for (const step of recipe.steps) {
    if (step.commits !== undefined) values.commitment = await commitmentOf(values.game, step.commits, values.entropy);
    const answer = await taken(step, values, ask);
    if (!isSuccess(answer)) throw new NotPrepared(String(fill(step.send, values)), answer);
    keep(step, answer, values);
  }
}

/** @param {Step} step @param {Record<string, unknown>} values @param {Ask} ask */
async function taken(step, values, ask) {
  const [method, path] = String(fill(step.send, values)).split(" ");
  const more = { body: fill(step.body, values), accept: step.accept, as: step.as };
  for (let wait = 1; ; wait++) {
    const answer = await ask(method, path, more);
    if (!step.until || !isSuccess(answer) || at(answer.value, step.until[0]) === step.until[1] || wait === MOST_WAITS) return answer;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}

/** @param {Answer} answer */
function isSuccess(answer) {
  return answer.status >= 200 && answer.status < 400;
}

/** @param {Step} step @param {Answer} answer @param {Record<string, unknown>} values */
function keep(step, answer, values) {
  const places = Object.entries(step.keep ?? {}).map(([name, place]) => [name, at(answer.value, place)]);
  for (const [name, value] of places) {
    if (value !== undefined && value !== null) values[String(name)] = value;
  }
  return places.every(([, value]) => value !== undefined && value !== null);
}

/** @param {unknown} value @param {string} place members between slashes */
function at(value, place) {
  return place.split("/").filter(Boolean).reduce((inner, name) => /** @type {any} */ (inner)?.[name], value);
}

/**
 * Returns a part of a request with its values: `$name` stands for one.
 * @param {unknown} part @param {Record<string, unknown>} values @returns {unknown}
 */
export function fill(part, values) {
  if (Array.isArray(part)) return part.map((inner) => fill(inner, values));
  if (part && typeof part === "object") return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, fill(inner, values)]));
  if (typeof part !== "string") return part;
  const whole = /^\$(\w+)$/.exec(part);
  if (whole && whole[1] in values) return values[whole[1]];
  return part.replace(/\$(\w+)/g, (text, name) => (name in values ? String(values[name]) : text));
}

/** @param {unknown} part whether values are still to be filled in */
export function isOpen(part) {
  return /\$\w+/.test(typeof part === "string" ? part : JSON.stringify(part ?? ""));
}

/**
 * Reads an answer; of a stream, which may never end, its first part.
 * @param {Response} response @param {number} [milliseconds]
 * @returns {Promise<{text: string, whole: boolean}>}
 */
export async function beginning(response, milliseconds = 4000) {
  if (!/event-stream|ndjson/.test(response.headers.get("Content-Type") ?? "") || !response.body) {
    return { text: await response.text(), whole: true };
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const end = new Promise((done) => setTimeout(() => done({ late: true }), milliseconds));
  let text = "";
  for (;;) {
    const part = await Promise.race([reader.read(), end]);
    if (part.done) return { text, whole: true };
    if (!part.late) text += decoder.decode(part.value, { stream: true });
    if (part.late || text.length > 16_384) {
      reader.cancel().catch(() => {});
      return { text: text.slice(0, 16_384), whole: false };
    }
  }
}
