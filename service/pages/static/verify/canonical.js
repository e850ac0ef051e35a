// Canonical JSON (RFC 8785) without floats: the parsed text must be serialised to the same bytes.

export class Wrong extends Error {
  constructor(sentence, seq = null) {
    super(sentence);
    this.seq = seq;
  }
}

export function need(holds, sentence, seq = null) {
  if (!holds) throw new Wrong(sentence, seq);
}

const HALF = /\p{Surrogate}/u;

export function readJson(bytes, limit) {
  need(bytes.length <= limit, "too large");
  let text, value;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new Wrong("not JSON in UTF-8");
  }
  need(canonical(value, 32) === text, "not in canonical form");
  need(!HALF.test(text) && text.normalize("NFC") === text, "text that is not in NFC");
  return value;
}

function canonical(value, room) {
  if (typeof value === "number") {
    need(Number.isSafeInteger(value), "a number is no integer within 2^53");
    return Object.is(value, -0) ? "0" : String(value);
  }
  if (typeof value === "string") {
    need(!HALF.test(value), "half a surrogate");
    return JSON.stringify(value);
  }
  if (value === null || typeof value === "boolean") return String(value);
  need(room > 0, "too deep");
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, room - 1)).join()}]`;
  const names = Object.keys(value).sort(); // by UTF-16 code units
  return `{${names.map((name) => `${canonical(name, 0)}:${canonical(value[name], room - 1)}`).join()}}`;
}

export const isText = (value) => typeof value === "string";
export const matches = (pattern, value) => isText(value) && pattern.test(value);
export const whole = (value, least, most) => Number.isSafeInteger(value) && value >= least && value <= most;
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const has = (value, ...names) =>
  isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
