// What this browser keeps to itself: the secret from which its seats' entropies and hash chains come, as those of the Python client.

import { bigEndian, hex, joined, sha256, unhex, utf8 } from "../verify/bytes.js";

const LINKS = 2000; // more than a seat has moves
const SECRET = /^[0-9a-f]{64}$/;
export const able = Boolean(globalThis.crypto?.subtle); // only pages that came by https, or from this machine

// A player's secrets, the own one first; after it those that were restored from other browsers.
export class Vault {
  constructor(player) {
    this.place = `cabildo-secrets-${player}`;
    this.chains = new Map(); // game -> its links
  }

  get secrets() {
    return read(localStorage.getItem(this.place) ?? "");
  }

  // The secret of new promises, made when there is none.
  own() {
    if (!this.secrets.length) this.keep([hex(randomSecret())]);
    return this.secrets[0];
  }

  keep(secrets) {
    localStorage.setItem(this.place, secrets.join("\n"));
  }

  // What a saved file holds is kept beside what there is; whether it holds anything.
  restore(text) {
    const found = read(text);
    this.keep([...new Set([...this.secrets, ...found])]);
    return found.length > 0;
  }

  // The secret with which a seat has committed; undefined when it is kept elsewhere.
  async behind(game, { chair, commitment }) {
    for (const secret of this.secrets) {
      if ((await commitmentOf(game, chair, await entropyOf(secret, game, chair))) === commitment) return secret;
    }
    return undefined;
  }

  // The links of a seat's chain: the first is what it commits to, each move shows the next.
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
