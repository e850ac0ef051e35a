// Bytes, hashes, and the two encodings of the log formats.

import { need } from "./canonical.js";

const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const equal = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function bigEndian(number, size) {
  const bytes = new Uint8Array(size);
  for (let at = size - 1, rest = BigInt(number); at >= 0; at -= 1, rest >>= 8n) bytes[at] = Number(rest & 255n);
  return bytes;
}

export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

export function fromBase64(text, length = null) {
  need(/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0, "not base64");
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  need(btoa(String.fromCharCode(...bytes)) === text, "base64 in an unusual form");
  need(length === null || bytes.length === length, "bytes of another length");
  return bytes;
}

export function decimal(text) {
  need(/^(0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) < 2n ** 63n, "not a plain decimal");
  return BigInt(text);
}
