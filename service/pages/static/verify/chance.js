// The promises of a game about chance, and whether they are kept.

import { fits, need, whole } from "./canonical.js";
import { bigEndian, equal, sha256, unhex, utf8 } from "./bytes.js";

const SECRET = /^[0-9a-f]{64}$/;
const same = (one, other) => (one === null || other === null ? one === other : equal(one, other));

function secret(data, name) {
  const value = data[name] ?? null;
  need(value === null || fits(SECRET, value), `${name} is not 32 bytes in hexadecimal`);
  return value === null ? null : unhex(value);
}

function number(data, name, most) {
  need(whole(data[name], 0, most), `${name} is not a small number`);
  return data[name];
}

export class Chance {
  constructor(game) {
    Object.assign(this, { game, deal: game, level: 0, draws: 0, commitment: null, declared: null, seed: null, order: [] });
    Object.assign(this, { closed: false, imported: false, shared: false });
    Object.assign(this, { promised: new Map(), entropies: new Map(), links: new Map() });
  }

  async hear(kind, data) {
    if (Object.hasOwn(READERS, kind)) await READERS[kind](this, data);
    this.draws += Array.isArray(data.drew) ? data.drew.length : 0;
  }

  forget(chair) {
    need(!this.closed, "a seat changes after all commitments were in");
    for (const kept of [this.promised, this.entropies, this.links]) kept.delete(chair);
  }

  async checkSeed(seed) {
    const shown = await sha256(utf8("cabildo/seed/v1"), this.deal, seed);
    need(same(shown, this.commitment), "the seed is not the one committed to");
  }
}

const READERS = {
  async game_created(chance, data) {
    chance.level = number(data, "level", 3);
    number(data, "seats", 255);
    chance.commitment = secret(data, "commitment");
    chance.declared = secret(data, "seed");
    chance.imported = data.imported === true;
    if (data.deal) {
      need(chance.level === 0, "a deal is shared above level 0");
      Object.assign(chance, { deal: unhex(String(data.deal).replaceAll("-", "")), shared: true });
    }
    if (chance.commitment && chance.declared) await chance.checkSeed(chance.declared);
  },
  async seat_taken(chance, data) {
    const chair = number(data, "chair", 255);
    const echo = secret(data, "echo");
    need(echo === null || same(echo, chance.commitment), `chair ${chair} echoed another commitment`);
    const [promised, chain] = [secret(data, "commitment"), secret(data, "chain")];
    chance.forget(chair);
    if (promised) chance.promised.set(chair, promised);
    if (chain) chance.links.set(chair, { k: 0, value: chain });
    if (chance.level === 1) chance.entropies.set(chair, secret(data, "entropy"));
  },
  async seat_left(chance, data) {
    chance.forget(number(data, "chair", 255));
  },
  async commitments_closed(chance) {
    chance.closed = true;
  },
  async entropy_revealed(chance, data) {
    const [chair, entropy] = [number(data, "chair", 255), secret(data, "entropy")];
    need(!chance.entropies.has(chair), `chair ${chair} reveals twice`);
    if (entropy) {
      const shown = await sha256(utf8("cabildo/entropy/v1"), chance.game, Uint8Array.of(chair), entropy);
      need(same(shown, chance.promised.get(chair) ?? null), `chair ${chair} reveals something else`);
    }
    chance.entropies.set(chair, entropy);
  },
  async game_started(chance, data) {
    const order = Array.isArray(data.order) ? data.order : [];
    chance.order = order.map((chair) => number({ chair }, "chair", 255));
    const silent = [...chance.promised.keys()].some((chair) => !chance.entropies.has(chair));
    need(!silent, "an entropy neither revealed nor recorded as absent");
  },
  async moved(chance, data) {
    const link = secret(data, "link");
    if (link === null) return;
    const chair = chance.order[number(data, "seat", 255)];
    need(chance.links.has(chair), "a link of no chain");
    const { k, value } = chance.links.get(chair);
    const shown = await sha256(utf8("cabildo/link/v1"), chance.game, Uint8Array.of(chair), bigEndian(k + 1, 4), link);
    need(equal(shown, value), `chair ${chair} reveals a link that is not of its chain`);
    chance.links.set(chair, { k: k + 1, value: link });
  },
  async seed_revealed(chance, data) {
    const seed = secret(data, "seed");
    need(seed !== null && data.draws === chance.draws, "the number of draws is another");
    chance.seed = seed;
    if (chance.commitment) await chance.checkSeed(seed);
    else need(same(seed, chance.declared), "the seed is not the one declared");
  },
};

