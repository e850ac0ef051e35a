// The steps in words, and where turns and rounds begin.

import { html } from "./elements.js";

const KINDS = {
  game_started: "The game begins",
  game_ended: "The game is over",
  resigned: "Resigns",
  flag_fell: "Runs out of time",
  player_replaced: "Is replaced",
  undone: "A move is taken back",
  ruled: "The referee rules",
};

export function told(step, seats) {
  const said = step.label ?? KINDS[step.kind] ?? step.kind.replaceAll("_", " ");
  return step.seat === null || step.seat === undefined ? said : `${seats[step.seat]}: ${said}`;
}

export function gained(step, seats) {
  return step.gains
    .map((things, seat) => {
      const parts = Object.entries(things).filter(([name]) => !/^(hand|played|point_cards?|island|city|role)/.test(name));
      return parts.length ? `${seats[seat]} ${parts.map(([name, n]) => `${n > 0 ? "+" : "−"}${Math.abs(n)} ${plain(name)}`).join(", ")}` : null;
    })
    .filter(Boolean)
    .join("; ");
}

function plain(name) {
  return name.split(".").at(-1).replaceAll("_", " ");
}

export function list(steps, seats, rounds) {
  const begins = new Map(rounds.map(({ at, round }) => [at, round]));
  return steps.flatMap((step, at) => {
    const link = html("a", { href: `#${step.version}`, "data-at": at }, told(step, seats));
    const forced = step.then.map(({ seat, move }) => html("small", {}, ` ${seats[seat]}: ${move}, by itself.`));
    const item = html("li", { value: step.version }, link, ...forced);
    return begins.has(at) ? [html("li", { class: "round" }, `Round ${begins.get(at)}`), item] : [item];
  });
}

// Where rounds begin: after the step that ended the one before, whichever of the two the game records.
export function rounds(steps) {
  const found = [{ at: 0, round: 1 }];
  steps.forEach((step, at) => {
    if (at < steps.length - 1 && step.turn && step.facts.some(([name]) => name === "round_begun" || name === "round_ended")) {
      found.push({ at: at + 1, round: found.length + 1 });
    }
  });
  return found;
}

// The next step at which another seat is at work than here.
export function turn(steps, at, way) {
  const seat = steps[at].seat;
  let next = at + way;
  while (next > 0 && next < steps.length - 1 && steps[next].seat === seat) next += way;
  return Math.min(Math.max(next, 0), steps.length - 1);
}
