// Live steps of a game: what each event changed for this viewer, as streamed with `items=steps`.

export function stepsOf(path) {
  return `${path}/events?items=steps`;
}

// The same with notices of the talk; such a stream goes on when the game is over.
export function talkedStepsOf(path) {
  return `${stepsOf(path)}&talk=true`;
}

// Returns whether an event follows another head than the summary's: the database was replaced by another copy.
export function isOfAnotherHistory(summary, { version, prev }) {
  return version === summary.version + 1 && prev !== summary.head;
}

// Returns a copy of a document with new values set by JSON pointer.
export function patched(document, changes) {
  const found = { "": structuredClone(document) };
  for (const [pointer, value] of Object.entries(changes)) {
    const path = pointer.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = path.pop();
    path.reduce((inner, part) => inner[part], found)[last] = value;
  }
  return found[""];
}

// Returns the board after an event; undefined when the board before it is not known.
export function boardAfter(before, { version, position, changes }) {
  if (position) return { ...position, version };
  return before ? { ...patched(before, changes), version } : undefined;
}

// Returns the steps that are part of the game after an undo.
export function keptSteps(steps, { version, step }) {
  if (typeof step?.back_to !== "number") return steps;
  return steps.filter((one) => one.version <= step.back_to || one.version > version);
}
