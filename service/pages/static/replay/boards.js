// The boards of a game for one viewpoint: loaded in ranges of versions, of which the last used ones are kept.

import { lines } from "../api.js";

export const RANGE = 64; // versions
const KEPT = 8; // ranges

export class Boards {
  // `address` returns where the steps after a version and until another one are read.
  constructor(address) {
    this.address = address;
    this.ranges = new Map(); // number -> boards by version; the range that was not used for longest is first
    this.asked = new Set(); // the numbers of ranges that were requested
  }

  get(version) {
    return this.used(numberOf(version))?.get(version);
  }

  set(version, board) {
    const number = numberOf(version);
    const range = this.used(number) ?? new Map();
    this.ranges.set(number, range.set(version, board));
    if (this.ranges.size > KEPT) this.forget(this.ranges.keys().next().value);
  }

  // Requests the ranges of those versions whose boards are missing, each once.
  load(versions) {
    const missing = new Set(versions.filter((version) => !this.get(version)).map(numberOf));
    return Promise.all([...missing].filter((number) => !this.asked.has(number)).map((number) => this.loadRange(number)));
  }

  async loadRange(number) {
    this.asked.add(number);
    try {
      for await (const { version, position } of lines(this.address(number * RANGE, (number + 1) * RANGE))) this.set(version, position);
    } catch (problem) {
      this.asked.delete(number); // asked for again with the next step
      throw problem;
    }
  }

  // Returns a range and puts it last.
  used(number) {
    const range = this.ranges.get(number);
    if (range && this.ranges.delete(number)) this.ranges.set(number, range);
    return range;
  }

  forget(number) {
    this.ranges.delete(number);
    this.asked.delete(number);
  }
}

// Ranges begin after a multiple of their length, as `after` does.
function numberOf(version) {
  return Math.floor((version - 1) / RANGE);
}
