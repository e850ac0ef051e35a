// Signed notes, keys, checkpoints and policies (C2SP), proofs of the tree (RFC 6962, RFC 9162).

import { need, Wrong } from "./canonical.js";
import { decimal, equal, fromBase64, hex, joined, sha256, utf8 } from "./bytes.js";

const P = 2n ** 255n - 19n;
const ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const goodName = (name) => name !== "" && !/[+\s\u0000-\u001f]/.test(name);

function power(base, exponent) {
  let result = 1n;
  let square = base % P;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

const D = ((P - 121665n) * power(121666n, P - 2n)) % P;

function checkPoint(bytes) {
  const y = BigInt(`0x${hex(bytes.slice().reverse())}`) & (2n ** 255n - 1n);
  need(y < P && ![0n, 1n, P - 1n, ORDER_8, P - ORDER_8].includes(y), "a key that libraries disagree about");
  const square = ((y * y - 1n) * power(D * y * y + 1n, P - 2n)) % P;
  need(power(square, (P - 1n) / 2n) === 1n, "a key that is no point of the curve");
}

async function readKey(text) {
  const [, name, id, encoded] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(text) ?? [];
  need(name !== undefined && goodName(name), "not a verifier key");
  const data = fromBase64(encoded, 33);
  need(data[0] === 1 || data[0] === 4, "a key of an unknown kind");
  checkPoint(data.slice(1));
  const keyId = hex((await sha256(utf8(`${name}\n`), data)).slice(0, 4));
  need(keyId === id, "the id of a key is not its own");
  return { name, kind: data[0], public: data.slice(1), id: keyId };
}

async function signed(key, text, signature) {
  let message = utf8(text);
  if (key.kind === 4) {
    if (signature.length < 8) return false;
    const seconds = BigInt(`0x${hex(signature.slice(0, 8))}`);
    message = joined(utf8(`cosignature/v1\ntime ${seconds}\n`), message);
    signature = signature.slice(8);
  }
  if (signature.length !== 64) return false;
  const imported = await crypto.subtle.importKey("raw", key.public, { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, imported, signature, message);
}

export class Note {
  constructor(text) {
    need(utf8(text).length <= 1_000_000, "too long a note");
    need(!/[\u0000-\u0009\u000b-\u001f]/.test(text), "a control character in a note");
    const at = text.lastIndexOf("\n\n");
    need(at >= 0 && text.endsWith("\n") && at + 2 < text.length, "a note without signatures");
    this.text = text.slice(0, at + 1);
    this.lines = text.slice(at + 2, -1).split("\n").map(readLine);
    need(this.lines.length <= 100, "too many signatures");
  }

  checkpoint() {
    const lines = this.text.slice(0, -1).split("\n");
    need(lines.length >= 3 && !lines.includes(""), "a checkpoint has three lines");
    return { origin: lines[0], size: decimal(lines[1]), root: fromBase64(lines[2], 32), text: this.text };
  }

  async verified(keys) {
    const found = new Map();
    for (const key of keys) {
      for (const line of this.lines.filter((each) => each.name === key.name && each.id === key.id)) {
        need(await signed(key, this.text, line.data), `the signature of ${key.name} is false`);
        if (!found.has(key)) found.set(key, line.data);
      }
    }
    return found;
  }
}

function readLine(line) {
  need(line.startsWith("\u2014 "), "a signature line without its dash");
  const rest = line.slice(2);
  const at = rest.indexOf(" ");
  need(at > 0 && goodName(rest.slice(0, at)), "a signature line without a name");
  const data = fromBase64(rest.slice(at + 1));
  need(data.length > 4, "a signature line without a signature");
  return { name: rest.slice(0, at), id: hex(data.slice(0, 4)), data: data.slice(4) };
}

export class Policy {
  constructor() {
    this.logs = [];
    this.witnesses = new Map();
    this.groups = new Map();
    this.quorum = null;
  }

  static async read(text) {
    const policy = new Policy();
    need(text.length <= 100_000 && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text), "not a policy");
    for (const line of text.split("\n")) {
      const words = line.split(/[ \t]+/).filter((word) => word !== "");
      if (words.length && !words[0].startsWith("#")) await policy.#take(words);
    }
    need(policy.quorum !== null, "a policy has one quorum line");
    return policy;
  }

  async #take([what, ...rest]) {
    if (what === "log" && rest.length >= 1 && rest.length <= 2) {
      this.logs.push(await this.#key(rest[0], 1, this.logs));
    } else if (what === "witness" && rest.length >= 2 && rest.length <= 3 && this.#isNew(rest[0])) {
      this.witnesses.set(rest[0], await this.#key(rest[1], 4, [...this.witnesses.values()]));
    } else if (what === "group" && rest.length >= 3 && this.#isNew(rest[0])) {
      this.#takeGroup(rest[0], rest[1], rest.slice(2));
    } else if (what === "quorum" && rest.length === 1 && this.quorum === null) {
      need(rest[0] === "none" || !this.#isNew(rest[0]), "an unknown quorum");
      this.quorum = rest[0];
    } else throw new Wrong(`a line of a policy: ${what}`);
  }

  #takeGroup(name, threshold, members) {
    const used = [...this.groups.values()].flatMap((group) => group.members).concat(members);
    need(new Set(used).size === used.length, "a member is listed twice");
    need(members.every((member) => member !== "none" && !this.#isNew(member)), "an unknown member");
    const least = { any: 1, all: members.length }[threshold] ?? Number(decimal(threshold));
    need(least >= 1 && least <= members.length, "a threshold that cannot be");
    this.groups.set(name, { least, members });
  }

  #isNew(name) {
    return name !== "none" && !this.witnesses.has(name) && !this.groups.has(name);
  }

  async #key(text, kind, others) {
    const key = await readKey(text);
    need(key.kind === kind && others.every((other) => !equal(other.public, key.public)), "a key of another kind, or twice");
    return key;
  }

  met(name, times) {
    const group = this.groups.get(name);
    return group ? group.members.filter((member) => this.met(member, times)).length >= group.least : times.has(name);
  }

  async judge(note) {
    const { origin } = note.checkpoint();
    const logs = this.logs.filter((key) => key.name === origin);
    need((await note.verified(logs)).size > 0, "no known log signed the checkpoint");
    const found = await note.verified([...this.witnesses.values()]);
    const times = new Map();
    for (const [name, key] of this.witnesses) {
      if (found.has(key)) times.set(name, BigInt(`0x${hex(found.get(key).slice(0, 8))}`));
    }
    return times;
  }

  since(times) {
    const seconds = [...new Set(times.values())].sort((one, other) => (one < other ? -1 : 1));
    return seconds.find((at) => this.met(this.quorum, new Map([...times].filter(([, time]) => time <= at)))) ?? null;
  }
}

const ONE = Uint8Array.of(1);
const up = (state) => {
  while (state.number > 0n && !(state.number & 1n)) {
    state.number >>= 1n;
    state.last >>= 1n;
  }
};

export async function checkInclusion(index, size, leaf, proof, root) {
  need(index < size, "no such leaf");
  const state = { number: index, last: size - 1n };
  let found = leaf;
  for (const each of proof) {
    need(state.last > 0n, "too long a proof");
    if (state.number & 1n || state.number === state.last) {
      found = await sha256(ONE, each, found);
      up(state);
    } else found = await sha256(ONE, found, each);
    state.number >>= 1n;
    state.last >>= 1n;
  }
  need(state.last === 0n && equal(found, root), "the inclusion proof leads to another root");
}

export async function checkGrowth(old, size, oldRoot, root, proof) {
  need(old > 0n && old < size, "nothing proves this growth");
  const path = (old & (old - 1n)) === 0n ? [oldRoot, ...proof] : proof;
  need(path.length > 0, "an empty proof");
  const state = { number: old - 1n, last: size - 1n };
  while (state.number & 1n) {
    state.number >>= 1n;
    state.last >>= 1n;
  }
  let [first, second] = [path[0], path[0]];
  for (const each of path.slice(1)) {
    need(state.last > 0n, "too long a proof");
    if (state.number & 1n || state.number === state.last) {
      [first, second] = [await sha256(ONE, each, first), await sha256(ONE, each, second)];
      up(state);
    } else second = await sha256(ONE, second, each);
    state.number >>= 1n;
    state.last >>= 1n;
  }
  const leads = state.last === 0n && equal(first, oldRoot) && equal(second, root);
  need(leads, "the later tree does not begin with the earlier");
}
