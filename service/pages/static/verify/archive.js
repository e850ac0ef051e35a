// An archive: the bundles of a set of games in a zip file, exactly those that its manifest names.

import { matches, has, need, readJson, Wrong } from "./canonical.js";
import { hex, sha256 } from "./bytes.js";

const MAGIC = [0x50, 0x4b, 0x03, 0x04];
const [ENTRY, LOCAL, END] = [0x02014b50, 0x04034b50, 0x06054b50];
const [STORED, DEFLATED] = [0, 8];
const LARGEST = 2 ** 28; // unpacked
const MOST_FILES = 10_003;
const HASH = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const POOL = /^(people|programs)$/;
const FIELDS = { "cabildo/archive/v1": ["format", "games"], "cabildo/archive/v2": ["format", "games", "ratings"] };

export const isArchive = (data) => MAGIC.every((byte, at) => data[at] === byte);

// Returns the bundles of an archive by stream id; throws Wrong for anything but exactly one archive.
export async function readArchive(data) {
  const files = await unzip(data);
  need(files.has("archive.json"), "no manifest");
  const manifest = readJson(files.get("archive.json"), LARGEST);
  files.delete("archive.json");
  need(has(manifest, ...(FIELDS[manifest?.format] ?? [""])), "not a manifest");
  const games = rows(manifest.games, "stream", UUID, (stream) => `${stream}.bundle.json`);
  const named = new Map([...games, ...rows(manifest.ratings ?? [], "pool", POOL, (pool) => `${pool}.ratings.json`)]);
  need(named.size === files.size && [...named.keys()].every((name) => files.has(name)), "its files are not those of its manifest");
  for (const [name, { hash }] of named) need(hex(await sha256(files.get(name))) === hash, `${name} is not the one of the manifest`);
  need(games.length > 0, "it holds no games");
  return games.map(([name, { stream }]) => ({ stream, data: files.get(name) }));
}

function rows(list, field, form, fileOf) {
  need(Array.isArray(list) && list.every((row) => has(row, field, "hash") && matches(form, row[field]) && matches(HASH, row.hash)), "not a manifest");
  need(new Set(list.map((row) => row[field])).size === list.length, "a file twice");
  return list.map((row) => [fileOf(row[field]), row]);
}

async function unzip(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const files = new Map();
  let unpacked = 0;
  try {
    for (const entry of entries(view)) {
      need(!files.has(entry.name), "a file twice");
      unpacked += entry.size;
      need(unpacked <= LARGEST, "too large");
      files.set(entry.name, await contents(view, entry));
    }
  } catch (fault) {
    throw fault instanceof Wrong ? fault : new Wrong("a damaged zip file"); // data beyond the end, or a broken deflate stream
  }
  return files;
}

function* entries(view) {
  let end = view.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  need(end >= 0, "a damaged zip file");
  const count = view.getUint16(end + 10, true);
  need(count <= MOST_FILES, "too many files");
  for (let at = view.getUint32(end + 16, true), left = count; left > 0; left -= 1) {
    need(view.getUint32(at, true) === ENTRY, "a damaged zip file");
    const [length, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    need(!(flags & 1) && (method === STORED || method === DEFLATED), "a file that is neither stored nor deflated");
    const name = new TextDecoder("utf-8", { fatal: true }).decode(bytes(view, at + 46, length));
    yield { name, method, packed: view.getUint32(at + 20, true), size: view.getUint32(at + 24, true), start: view.getUint32(at + 42, true) };
    at += 46 + length + extra + comment;
  }
}

async function contents(view, { method, packed, size, start }) {
  need(view.getUint32(start, true) === LOCAL, "a damaged zip file");
  const at = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  const raw = bytes(view, at, packed);
  const made = method === STORED ? raw : await inflated(raw, size);
  need(made.length === size, "a file of another size than stated");
  return made;
}

// Inflates data, at most to its stated size.
async function inflated(raw, size) {
  const reader = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const made = new Uint8Array(size);
  for (let at = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return made.subarray(0, at);
    need(at + value.length <= size, "a file of another size than stated");
    made.set(value, at);
    at += value.length;
  }
}

const bytes = (view, at, length) => new Uint8Array(view.buffer, view.byteOffset + at, length);
