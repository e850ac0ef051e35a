// Checks the chance commitments of a game.

import { matches, need, whole } from "./canonical.js";
import { bigEndian, equal, sha256, unhex, utf8 } from "./bytes.js";

const NAME = /^[a-z0-9][a-z0-9_.:+-]{0,63}$/;
const SECRET = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOST_DRAWS = 2_000; // of one event
const same = (one, other) => (one === null || other === null ? one === other : equal(one, other));

function given(data, name) {
  need(Object.hasOwn(data, name), `${name} is missing`);
  return data[name];
}

function secret(data, name) {
  const value = given(data, name);
  need(value === null || matches(SECRET, value), `${name} is not 32 bytes in hexadecimal`);
  return value === null ? null : unhex(value);
}

function number(data, name, most) {
  need(whole(given(data, name), 0, most), `${name} is not an integer from 0 to ${most}`);
  return data[name];
}

function list(data, name, most) {
  need(Array.isArray(given(data, name)) && data[name].length <= most, `${name} is not a list of at most ${most}`);
  return data[name];
}

// The commitments of server and seats in one game.
export class Chance {
  constructor(game) {
    this.game = game;
    this.deal = game;
    this.level = 0;
    this.draws = 0;
    this.commitment = null;
    this.declared = null;
    this.seed = null;
    this.order = [];
    this.created = false;
    this.started = false;
    this.closed = false;
    this.imported = false;
    this.shared = false;
    this.promised = new Map();
    this.entropies = new Map();
    this.links = new Map();
    this.owing = new Set();
  }

  async apply(kind, data) {
    if (Object.hasOwn(READERS, kind)) await READERS[kind](this, data);
  }

  forget(chair) {
    need(!this.closed && !this.started, "a seat changes after all commitments were in");
    for (const kept of [this.promised, this.entropies, this.links, this.owing]) kept.delete(chair);
  }

  async checkSeed(seed) {
    const shown = await sha256(utf8("cabildo/seed/v1"), this.deal, seed);
    need(same(shown, this.commitment), "the seed is not the one committed to");
  }

  chairOf(data) {
    const seat = number(data, "seat", 255);
    need(seat < this.order.length, "names a seat that is not there");
    return this.order[seat];
  }

  draw(data) {
    const drew = list(data, "drew", MOST_DRAWS);
    need(drew.every((name) => matches(NAME, name)), "drew is not a list of names");
    this.draws += drew.length;
  }
}

// A stand-in has no links of the player's hash chain.
const gone = (chance, data) => chance.owing.delete(chance.chairOf(data));

const READERS = {
  async game_created(chance, data) {
    need(!chance.created, "a game is created twice");
    chance.created = true;
    chance.level = number(data, "level", 3);
    number(data, "seats", 255);
    chance.commitment = secret(data, "commitment");
    chance.declared = secret(data, "seed");
    need(typeof given(data, "imported") === "boolean", "imported is not true or false");
    chance.imported = data.imported;
    if ((data.deal ?? null) !== null) {
      need(matches(UUID, data.deal), "deal is not a UUID");
      need(chance.level === 0, "a deal is shared above level 0");
      Object.assign(chance, { deal: unhex(data.deal.replaceAll("-", "")), shared: true });
    }
    const { level, commitment, declared } = chance;
    need(!level || declared === null, `the host chose the seed beforehand, and calls it chance of level ${level}`);
    need(!level || chance.imported || commitment, `the server commits to no seed at level ${level}`);
    if (commitment && declared) await chance.checkSeed(declared);
  },
  async seat_taken(chance, data) {
    const [chair, echo] = [number(data, "chair", 255), secret(data, "echo")];
    const [promised, entropy, chain] = [secret(data, "commitment"), secret(data, "entropy"), secret(data, "chain")];
    need(echo === null || same(echo, chance.commitment), `chair ${chair + 1} echoed another commitment`);
    need(echo !== null || promised === null, `chair ${chair + 1} commits without an echo of the server's commitment`);
    chance.forget(chair);
    if (promised) chance.promised.set(chair, promised);
    if (chain) {
      chance.links.set(chair, { k: 0, value: chain });
      chance.owing.add(chair);
    }
    if (chance.level === 1) chance.entropies.set(chair, entropy);
  },
  async seat_left(chance, data) {
    chance.forget(number(data, "chair", 255));
  },
  async commitments_closed(chance) {
    chance.closed = true;
  },
  async entropy_revealed(chance, data) {
    const [chair, entropy] = [number(data, "chair", 255), secret(data, "entropy")];
    need(!chance.entropies.has(chair), `chair ${chair + 1} reveals twice`);
    if (entropy) {
      need(chance.closed, `chair ${chair + 1} reveals before all commitments were in`);
      const shown = await sha256(utf8("cabildo/entropy/v1"), chance.game, Uint8Array.of(chair), entropy);
      need(same(shown, chance.promised.get(chair) ?? null), `chair ${chair + 1} reveals something else`);
    }
    chance.entropies.set(chair, entropy);
  },
  async game_started(chance, data) {
    need(!chance.started, "a game starts twice");
    chance.order = list(data, "order", 256).map((chair) => number({ chair }, "chair", 255));
    chance.started = true;
    const silent = [...chance.promised.keys()].some((chair) => !chance.entropies.has(chair));
    need(!silent, "an entropy neither revealed nor recorded as absent");
    chance.draw(data);
  },
  async moved(chance, data) {
    const chair = chance.chairOf(data);
    if (Object.hasOwn(data, "link")) await follow(chance, chair, secret(data, "link"));
    else need(!chance.owing.has(chair), "the seat has a hash chain, and moves without its next link");
    chance.draw(data);
  },
  async resigned(chance, data) {
    gone(chance, data);
  },
  async flag_fell(chance, data) {
    gone(chance, data);
  },
  async player_replaced(chance, data) {
    gone(chance, data);
  },
  async seed_revealed(chance, data) {
    const seed = secret(data, "seed");
    need(seed !== null, "seed is not 32 bytes in hexadecimal");
    need(number(data, "draws", Number.MAX_SAFE_INTEGER) === chance.draws, "the number of draws is another");
    chance.seed = seed;
    if (chance.commitment) await chance.checkSeed(seed);
    else need(same(seed, chance.declared), "the seed is not the one declared");
  },
};

async function follow(chance, chair, link) {
  need(link !== null && chance.links.has(chair), "a link of no chain");
  const { k, value } = chance.links.get(chair);
  const shown = await sha256(utf8("cabildo/link/v1"), chance.game, Uint8Array.of(chair), bigEndian(k + 1, 4), link);
  need(equal(shown, value), `chair ${chair + 1} reveals a link that is not of its chain`);
  chance.links.set(chair, { k: k + 1, value: link });
}
