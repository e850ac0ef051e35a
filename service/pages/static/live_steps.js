// Live steps of a game: what each event changed for this viewer, as the stream tells with `items=steps`.

export function stepsOf(path) {
  return `${path}/events?items=steps`;
}

// Whether an event follows another head than that of the summary: the database was replaced by another copy.
export function isOfAnotherHistory(summary, { version, prev }) {
  return version === summary.version + 1 && prev !== summary.head;
}

// A copy of a document with new values set by JSON pointer.
export function patched(document, changes) {
  const found = { "": structuredClone(document) };
  for (const [pointer, value] of Object.entries(changes)) {
    const way = pointer.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = way.pop();
    way.reduce((inner, part) => inner[part], found)[last] = value;
  }
  return found[""];
}

// The board after an event; nothing where the board before it is not known.
export function boardAfter(before, { version, position, changes }) {
  if (position) return { ...position, version };
  return before ? { ...patched(before, changes), version } : undefined;
}

// The steps that are still part of the game after an event that returned to an earlier board.
export function keptSteps(steps, { version, step }) {
  if (typeof step?.back_to !== "number") return steps;
  return steps.filter((one) => one.version <= step.back_to || one.version > version);
}
