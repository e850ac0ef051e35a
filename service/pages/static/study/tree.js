// The places of a chapter: the steps of the game or the first board, and all variations.

export class Tree {
  constructor(chapter, game) {
    this.nodes = new Map(chapter.nodes.map((node) => [node.node, node]));
    this.children = new Map();
    for (const node of [...chapter.nodes].sort((one, other) => one.rank - other.rank)) {
      this.children.set(node.parent, [...(this.children.get(node.parent) ?? []), node.node]);
    }
    const hung = new Set([...Object.keys(chapter.notes), ...this.children.keys()]);
    this.steps = new Map(game.steps.filter((step) => step.kept || hung.has(String(step.version))).map((step) => [String(step.version), step]));
    this.trunk = chapter.of ? [...this.steps.keys()] : chapter.position ? ["v0"] : [];
  }

  has(place) {
    return this.nodes.has(place) || this.trunk.includes(place);
  }

  branches(place) {
    return this.children.get(place) ?? [];
  }

  parent(place) {
    return this.nodes.get(place)?.parent ?? this.trunk[this.trunk.indexOf(place) - 1] ?? null;
  }

  // Returns the next place of a line: in the game, or in the first variation.
  next(place) {
    const at = this.trunk.indexOf(place);
    if (at >= 0 && at < this.trunk.length - 1) return this.trunk[at + 1];
    return this.branches(place)[0] ?? null;
  }

  // Returns the alternatives to a move.
  sibling(place, way) {
    const parent = this.parent(place);
    if (parent === null) return null;
    const at = this.trunk.indexOf(parent);
    const all = [...(at >= 0 && at < this.trunk.length - 1 ? [this.trunk[at + 1]] : []), ...this.branches(parent)];
    return all[all.indexOf(place) + way] ?? null;
  }

  // Returns the next place with notes or variations; after the last one, the first.
  noted(place, notes) {
    const at = this.trunk.indexOf(this.line(place).findLast((one) => this.trunk.includes(one)));
    const worth = (one) => notes[one] || this.branches(one).length || this.steps.get(one)?.comments?.length;
    return this.trunk.slice(at + 1).find(worth) ?? this.trunk.find(worth) ?? null;
  }

  // Returns the places from the beginning of the line to this one.
  line(place) {
    const found = [];
    for (let at = place; at !== null; at = this.parent(at)) found.unshift(at);
    return found;
  }

  // Yields the variations of a place with their depth, alternatives first.
  listed(place) {
    const rows = [];
    const waiting = this.waiting(place, 0, !place.startsWith("v"));
    while (waiting.length) {
      const row = waiting.pop();
      rows.push(row);
      waiting.push(...this.waiting(row.place, row.deep, false));
    }
    return rows;
  }

  waiting(place, deep, inGame) {
    const [first, ...others] = this.branches(place);
    if (first === undefined) return [];
    const on = inGame ? [] : [{ place: first, deep, begins: false }];
    return [...on, ...(inGame ? [first, ...others] : others).reverse().map((one) => ({ place: one, deep: deep + 1, begins: true }))];
  }
}
