// The secrets of this browser; entropies and hash chains of seats are derived from them as in the Python client.

import { bigEndian, hex, joined, sha256, unhex, utf8 } from "../verify/bytes.js";

const LINKS = 2000; // more than a seat has moves
const SECRET = /^[0-9a-f]{64}$/;
export const able = Boolean(globalThis.crypto?.subtle); // only on pages loaded by https, or from this machine

// The secrets of a player: the own one first, then those restored from other browsers.
export class Vault {
  constructor(player) {
    this.place = `cabildo-secrets-${player}`;
    this.chains = new Map(); // game -> its links
  }

  get secrets() {
    return read(localStorage.getItem(this.place) ?? "");
  }

  // Returns the secret for new commitments; creates it when there is none.
  newest() {
    if (!this.secrets.length) this.store([hex(randomSecret())]);
    return this.secrets[0];
  }

  store(secrets) {
    localStorage.setItem(this.place, secrets.join("\n"));
  }

  // Adds the secrets of a file; returns whether there were any.
  restore(text) {
    const found = read(text);
    this.store([...new Set([...this.secrets, ...found])]);
    return found.length > 0;
  }

  // Returns the secret behind a seat's commitment; undefined when another browser has it.
  async secretOf(game, { chair, commitment }) {
    for (const secret of this.secrets) {
      if ((await commitmentOf(game, chair, await entropyOf(secret, game, chair))) === commitment) return secret;
    }
    return undefined;
  }

  // Returns the links of a seat's hash chain: the seat commits to the first, each move reveals the next.
  chain(secret, game, chair) {
    if (!this.chains.has(game)) this.chains.set(game, chainOf(secret, game, chair));
    return this.chains.get(game);
  }
}

function read(text) {
  return text.split(/\s+/).filter((line) => SECRET.test(line));
}

export function randomSecret() {
  return crypto.getRandomValues(new Uint8Array(32));
}

export async function entropyOf(secret, game, chair) {
  return hex(await derived(secret, "entropy", game, chair));
}

export async function commitmentOf(game, chair, entropy) {
  return hex(await sha256(utf8("cabildo/entropy/v1"), placeOf(game, chair), unhex(entropy)));
}

export async function chainOf(secret, game, chair, length = LINKS) {
  const links = [await derived(secret, "last link", game, chair)];
  for (let number = length; number; number--) links.push(await sha256(utf8("cabildo/link/v1"), placeOf(game, chair), bigEndian(number, 4), links.at(-1)));
  return links.reverse().map(hex);
}

async function derived(secret, what, game, chair) {
  const key = await crypto.subtle.importKey("raw", unhex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(utf8(what), placeOf(game, chair))));
}

function placeOf(game, chair) {
  return joined(unhex(game.replaceAll("-", "")), Uint8Array.of(chair));
}
