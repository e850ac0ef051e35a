// A long game: the outline has all steps without their words, which are read in parts when somebody needs them.

export const LONG = 1000; // events of a game whose steps are not read at once
export const PART = 256; // versions whose words are read at once

// The facts that headings, charts, tables and cities are made of.
export const FACTS = [
  ...["building_drafted", "phase_begun", "round_begun", "round_ended", "role_taken", "building_bought"],
  ...["tile_bought", "draw_paid", "goods_loaded", "wharf_used", "small_wharf_used", "point_card_claimed"],
].join(",");

const NO_WORDS = { back_to: null, move: null, label: null, then: [], gains: [], comments: [], reason: null, drew: [null] }; // what was drawn is unknown

// Returns the steps of an outline; those without words are marked as unread.
export function outlined({ steps, kinds, kind, seats, undone, ends, facts, points }) {
  let version = 0;
  const found = steps.map((distance, at) => {
    version += distance;
    return { ...NO_WORDS, version, kind: kinds[kind[at]], seat: seats[at], kept: true, turn: {}, facts: [], scores: [], unread: true };
  });
  for (const [first, count] of undone) for (const step of found.slice(first, first + count)) step.kept = false;
  for (const at of ends) found[at].turn = null;
  for (const [at, told] of facts) found[at].facts = told;
  for (const [at, seats] of points) found[at].scores = seats.map((total) => (total === null ? null : { total }));
  return found;
}

// The parts of a game's log that were read, for one viewpoint.
export class Parts {
  // `read` fetches the steps and notes after a version and until another one; `newest` is the version of the outline.
  constructor(read, newest) {
    this.fetch = read;
    this.newest = newest;
    this.parts = new Map(); // number -> the promise of its answer
  }

  // Gives steps their words, asking for each part once. Returns the notes of the parts.
  /**
   * @param {any[]} steps
   * @param {Iterable<number>} numbers
   */
  async read(steps, numbers = partsOf(steps)) {
    const notes = [];
    for (const number of numbers) {
      const part = await this.part(number);
      const words = new Map(part.steps.map((step) => [step.version, step]));
      for (const step of steps) if (step.unread && partOf(step) === number) Object.assign(step, words.get(step.version), { kept: step.kept, unread: false });
      notes.push(...part.notes);
    }
    return notes;
  }

  part(number) {
    if (!this.parts.has(number)) {
      const asked = this.fetch(number * PART, Math.min((number + 1) * PART, this.newest));
      this.parts.set(number, asked);
      asked.catch(() => this.parts.delete(number)); // asked for again with the next step
    }
    return this.parts.get(number);
  }
}

// Returns the number of the part that has a version; parts begin after a multiple of their length.
export function partOf({ version }) {
  return Math.floor((version - 1) / PART);
}

function partsOf(steps) {
  return new Set(steps.filter(({ unread }) => unread).map(partOf));
}
