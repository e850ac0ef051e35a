// Verifies V1 to V5 of a bundle in the browser, without the service. A check throws Wrong, or returns why its claim is
// not established (the name of a phrase of the page), or nothing: then it passed.

import { matches, has, isObject, isText, need, readJson, whole, Wrong } from "./canonical.js";
import { bigEndian, decimal, fromBase64, hex, sha256, unhex, utf8 } from "./bytes.js";
import { checkGrowth, checkInclusion, Note } from "./notes.js";
import { Chance } from "./chance.js";

const HASH = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BIGGEST = Number.MAX_SAFE_INTEGER;
const DATED = ["game_started", "flag_fell", "ruled"];
const ENDS = ["game_ended", "game_aborted"];
const LISTS = {
  events: 100_000, barriers: 1_000, growth: 1_000, receipt_keys: 100, receipts: 100_000, roots: 1_000, withheld: 100_000,
};
const EVENT = {
  actor: (value) => matches(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/, value),
  at: (value) => whole(value, 0, BIGGEST),
  data: isObject,
  kind: (value) => matches(/^[a-z0-9][a-z0-9_.:+-]{0,63}$/, value),
  prev: (value) => matches(HASH, value),
  rules: (value) => matches(/^[a-z0-9][a-z0-9_./+-]{0,63}$/, value),
  salt: (value) => matches(/^[0-9a-f]{32}$/, value),
  seq: (value) => whole(value, 1, BIGGEST),
  shape: (value) => whole(value, 1, 1_000),
  stream: (value) => matches(UUID, value),
};

const barrierRow = (row) => has(row, "seq", "proof") && whole(row.seq, 1, 100_000) && isText(row.proof);
const growthRow = (row) =>
  has(row, "old", "size", "hashes") && whole(row.old, 0, BIGGEST) && whole(row.size, 0, BIGGEST) &&
  Array.isArray(row.hashes) && row.hashes.length <= 63 && row.hashes.every(isText);
const rootRow = (row) => has(row, "seq", "checkpoint") && whole(row.seq, 1, 100_000) && isText(row.checkpoint);
const rulesRow = (row) => row === null || (has(row, "version", "hash") && EVENT.rules(row.version) && matches(HASH, row.hash));
const withheldRow = (row) =>
  has(row, "seq", "field", "hash", "why") && whole(row.seq, 1, 100_000) && matches(HASH, row.hash) &&
  row.field === "reason" && ["erased", "private"].includes(row.why);

class Proof {
  constructor(text) {
    const at = text.indexOf("\n\n");
    const lines = text.slice(0, Math.max(at, 0)).split("\n");
    need(at > 0 && lines[0] === "c2sp.org/tlog-proof@v1" && lines.length >= 2 && lines.length <= 65, "not a log proof");
    need(lines[1].startsWith("index "), "a log proof without an index");
    this.index = decimal(lines[1].slice(6));
    this.hashes = lines.slice(2).map((line) => fromBase64(line, 32));
    this.note = new Note(text.slice(at + 2));
  }
}

const CHECKS = {
  async V1(bundle) {
    const found = readJson(bundle.data, 2 ** 28);
    need(has(found, "format", "stream", "proof", "rules", ...Object.keys(LISTS)), "not a bundle");
    need(found.format === "cabildo/bundle/v1" && matches(UUID, found.stream), "not a bundle");
    for (const [name, most] of Object.entries(LISTS)) {
      need(Array.isArray(found[name]) && found[name].length <= most, `${name} is not a list`);
    }
    need([...found.events, ...found.receipt_keys, ...found.receipts].every(isText), "not a text");
    need(found.proof === null || isText(found.proof), "the proof is not a text");
    const rows = [[found.barriers, barrierRow], [found.growth, growthRow], [found.roots, rootRow], [found.withheld, withheldRow]];
    need(rulesRow(found.rules) && rows.every(([list, fine]) => list.every(fine)), "a row of another form");
    need(found.events.length > 0, "no events");
    for (const text of [...found.receipt_keys, ...found.receipts]) new Note(text);
    bundle.final = found.proof === null ? null : new Proof(found.proof);
    bundle.barriers = found.barriers.map((row) => [row.seq, new Proof(row.proof)]);
    bundle.roots = found.roots.map((row) => [row.seq, new Note(row.checkpoint)]);
    bundle.growth = found.growth.map((row) => ({ ...row, hashes: row.hashes.map((each) => fromBase64(each, 32)) }));
    Object.assign(bundle, { stream: found.stream, bodies: found.events.map(utf8) });
  },

  async V2(bundle) {
    let prev = "0".repeat(64);
    for (const [at, body] of bundle.bodies.entries()) {
      const seq = at + 1;
      let event;
      try {
        event = readJson(body, 2 ** 16);
        need(has(event, ...Object.keys(EVENT)), "not an event");
        need(Object.entries(EVENT).every(([name, fine]) => fine(event[name])), "not an event");
      } catch (wrong) {
        throw new Wrong(wrong.message, seq);
      }
      need(event.stream === bundle.stream, "of another stream", seq);
      need(event.seq === seq && event.prev === prev, "does not follow the event before it", seq);
      const hash = await sha256(utf8("cabildo/event/v1\n"), body);
      prev = hex(hash);
      bundle.events.push(event);
      bundle.hashes.push(hash);
    }
  },

  async V3(bundle) {
    if (bundle.final === null) return "not_sealed";
    if (bundle.policy === null) return "no_policy";
    const shown = new Map();
    const proofs = [...bundle.barriers.map(([, proof]) => proof), bundle.final];
    let witnessed = true;
    for (const note of [...proofs.map((proof) => proof.note), ...bundle.roots.map(([, each]) => each)]) {
      witnessed = bundle.policy.since(await bundle.policy.judge(note)) !== null && witnessed;
      const tree = note.checkpoint();
      need((shown.get(tree.size) ?? tree.text) === tree.text, "two roots for one size");
      shown.set(tree.size, tree.text);
    }
    if (bundle.policy.quorum === "none") return null;
    need(witnessed, "too few witnesses cosigned: the log may show another history to others");
    const since = bundle.policy.since(await bundle.policy.judge(bundle.final.note));
    const late = since !== null && (since + 60n) * 1_000_000n < BigInt(bundle.events.at(-1).at);
    need(!late, "witnessed before it happened", bundle.events.length);
    for (const [seq, note] of bundle.roots) {
      const [seen, event] = [bundle.policy.since(await bundle.policy.judge(note)), bundle.events[seq - 1]];
      const early = seen !== null && event !== undefined && (seen - 60n) * 1_000_000n > BigInt(event.at);
      need(!early, "names a tree that was not there yet", seq);
    }
    return null;
  },

  async V4(bundle) {
    if (bundle.final === null) {
      const stray = bundle.barriers.length || bundle.growth.length || bundle.roots.length;
      need(!stray, "proofs without a last checkpoint");
      return "not_sealed";
    }
    const places = [...bundle.barriers, [bundle.events.length, bundle.final]];
    const included = [];
    for (const [seq, proof] of places) included.push([seq, proof.index, await include(bundle, seq, proof)]);
    const last = included.at(-1)[2];
    const trees = new Map([[last.size, last]]);
    let [index, before] = [-1n, 0];
    for (const [seq, place, tree] of included) {
      need((trees.get(tree.size) ?? tree).text === tree.text, "two roots for one size");
      trees.set(tree.size, tree);
      const fine = seq === before ? place === index : seq > before && place - index >= BigInt(seq - before);
      need(fine, "its place in the log contradicts the order of events", seq);
      [index, before] = [place, seq];
    }
    for (const [seq, note] of bundle.roots) {
      const tree = named(bundle, seq, note);
      need((trees.get(tree.size) ?? tree).text === tree.text, "two roots for one size");
      trees.set(tree.size, tree);
    }
    await checkAllGrowth(bundle, trees);
    return bundle.policy === null ? "no_policy" : null;
  },

  async V5(bundle) {
    if (bundle.events[0].kind !== "game_created") return "no_game";
    const chance = new Chance(unhex(bundle.stream.replaceAll("-", "")));
    for (const [at, event] of bundle.events.entries()) {
      try {
        await chance.apply(event.kind, event.data);
      } catch (wrong) {
        throw wrong instanceof Wrong ? new Wrong(wrong.message, at + 1) : wrong;
      }
    }
    const over = bundle.events.findIndex((event) => ENDS.includes(event.kind)) + 1;
    if (chance.imported) return "imported";
    if (chance.seed === null) {
      need(!over || chance.shared, "the game is over and the seed is not revealed", over);
      return over ? "seed_shared" : "seed_pending";
    }
    return sealedFirst(bundle) ? null : "not_sealed_first";
  },
};

// Whether a checkpoint held all commitments before the first entropy was revealed, where one was.
function sealedFirst(bundle) {
  const at = (found) => bundle.events.findIndex(found) + 1;
  const reveal = at(({ kind, data }) => kind === "entropy_revealed" && data.entropy !== null);
  if (!reveal) return true;
  const places = new Map(bundle.barriers);
  const [closed, revealed] = [places.get(at(({ kind }) => kind === "commitments_closed")), places.get(reveal)];
  return closed !== undefined && revealed !== undefined && revealed.index >= closed.note.checkpoint().size;
}

function named(bundle, seq, note) {
  need(seq <= bundle.events.length, "a root for an event that is not there");
  const [event, tree] = [bundle.events[seq - 1], note.checkpoint()];
  const after = event.data.after;
  const size = has(after, "size", "root") && whole(after.size, 0, BIGGEST) && BigInt(after.size) === tree.size;
  need(size && after.root === hex(tree.root) && DATED.includes(event.kind), "does not name this tree as older than itself", seq);
  return tree;
}

async function include(bundle, seq, proof) {
  need(seq <= bundle.events.length, "a proof for an event that is not there");
  const stream = unhex(bundle.stream.replaceAll("-", ""));
  const leaf = await sha256(Uint8Array.of(0, 1), stream, bigEndian(seq, 8), bundle.hashes[seq - 1]);
  const tree = proof.note.checkpoint();
  await checkInclusion(proof.index, tree.size, leaf, proof.hashes, tree.root);
  return tree;
}

async function checkAllGrowth(bundle, trees) {
  const sizes = [...trees.keys()].sort((one, other) => (one < other ? -1 : 1));
  const fine = bundle.growth.length === sizes.length - 1 &&
    bundle.growth.every((step, at) => BigInt(step.old) === sizes[at] && BigInt(step.size) === sizes[at + 1]);
  need(fine, "the checkpoints are not all linked by proofs");
  need(new Set([...trees.values()].map((tree) => tree.origin)).size === 1, "checkpoints of different logs");
  for (const [at, step] of bundle.growth.entries()) {
    const [old, grown] = [trees.get(sizes[at]), trees.get(sizes[at + 1])];
    await checkGrowth(old.size, grown.size, old.root, grown.root, step.hashes);
  }
}

// Returns the first failed check with its event, or none; `report` gets each other check: why its claim is not
// established, or null when it passed.
export async function verify(data, policy, report = (_code, _why) => {}) {
  const bundle = { data, policy, events: [], hashes: [] };
  const open = new Map();
  for (const [code, check] of Object.entries(CHECKS)) {
    let why;
    try {
      why = (await check(bundle)) ?? null;
    } catch (wrong) {
      if (!(wrong instanceof Wrong)) throw wrong;
      return { failed: code, event: wrong.seq, says: wrong.message, open };
    }
    if (why !== null) open.set(code, why);
    report(code, why);
  }
  return { failed: null, event: null, says: "", open };
}
