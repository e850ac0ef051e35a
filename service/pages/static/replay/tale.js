// The sentences of steps, and the beginnings of turns and rounds.

import { fill, say } from "../words.js";
import { html } from "./elements.js";

// Events of a seat, which are put after the name of its player, and events of the game.
const OF_A_SEAT = {
  resigned: "replay.resigned",
  flag_fell: "replay.flag_fell",
  player_replaced: "replay.player_replaced",
  undone: "replay.undone_step",
};
const OF_THE_GAME = {
  game_started: "replay.game_started",
  game_ended: "replay.game_ended",
  ruled: "replay.ruled",
  rules_changed: "replay.rules_changed",
};

// The sentence of the log about a step: "Nina built the hacienda".
export function stepSentence(step, seats) {
  const said = event(step, seats);
  return step.reason ? `${said} (${step.reason})` : said;
}

function event(step, seats) {
  const name = seats[step.seat];
  const done = step.label ?? (OF_A_SEAT[step.kind] && say(OF_A_SEAT[step.kind]));
  if (done && name !== undefined) return did(name, done);
  if (done) return done;
  const kind = OF_THE_GAME[step.kind];
  if (kind) return say(kind);
  const recorded = say("replay.other_event", { kind: step.kind.replaceAll("_", " ") });
  return name === undefined ? recorded : `${name}: ${recorded}`;
}

// Returns the name and the report in the word order of the language.
export function did(name, done) {
  return say("replay.done", { name, done });
}

// Moves that the rules made after a step; passes, of which there may be many, are left out.
export function forced(step, seats) {
  return automatic(step.then.filter(({ move }) => move !== "pass"), seats);
}

function automatic(moves, seats) {
  return moves.map(({ seat, move, label }) => `${did(seats[seat], label ?? move)} (${say("replay.by_itself")}).`);
}

export function gained(step, { seats, names }) {
  const tellers = names.counts ? puertoRico(names) : spiceRoad(names);
  return step.gains
    .map((things, seat) => {
      const parts = tellers.map(([sums, say]) => [total(things, sums), say]).filter(([n]) => n).map(([n, say]) => `${n > 0 ? "+" : "−"}${say(Math.abs(n))}`);
      return parts.length ? `${seats[seat]} ${parts.join(", ")}` : null;
    })
    .filter(Boolean)
    .join("; ");
}

// People who move between San Juan, island and city are neither won nor lost: they are summed up wherever they stand.
function puertoRico({ counts, goods }) {
  const people = (kind) => new RegExp(`^(san_juan|island\\.[a-z_]+|city\\.[a-z_]+)\\.${kind}s$`);
  const counted = (sums, piece) => [sums, (n) => fill(counts[piece], { n })];
  return [
    counted(/^doubloons$/, "doubloon"),
    counted(/^vp_(chips|noted)$/, "victory_point"),
    counted(people("colonist"), "colonist"),
    counted(people("noble"), "noble"),
    ...Object.entries(goods).map(([good, name]) => [new RegExp(`^goods\\.${good}$`), (n) => `${n} ${name}`]),
  ];
}

function spiceRoad({ spices, amount, gold, silver }) {
  const cubes = Object.entries(spices).map(([id, spice]) => [new RegExp(`^caravan\\.${id}$`), (count) => fill(amount, { count, spice })]);
  return [...cubes, [/^gold$/, (count) => fill(gold, { count })], [/^silver$/, (count) => fill(silver, { count })]];
}

// Returns the sum of the gains whose names match.
export function total(things, sums) {
  return Object.entries(things).reduce((sum, [name, n]) => (sums.test(name) ? sum + n : sum), 0);
}

// Returns the lines of the steps from a number until another one, below the headings of their rounds.
export function list(steps, seats, rounds, from = 0, until = steps.length) {
  const begins = new Map(rounds.map(({ at, round }) => [at, round]));
  const begun = rounds.findLast((begun) => begun.at <= from);
  if (begun) begins.set(from, begun.round);
  return steps.slice(from, until).flatMap((step, number) => {
    const at = from + number;
    const comments = (step.comments ?? []).map((comment) => html("q", {}, comment));
    const link = html("a", { href: `#${step.version}`, "data-at": at }, stepSentence(step, seats), ...comments);
    if (!step.kept) link.append(html("small", {}, ` (${say("replay.taken_back")})`));
    const after = automatic(step.then, seats).map((said) => html("small", {}, said));
    const item = html("li", { value: step.version, class: step.kept ? null : "undone" }, link, ...after);
    return begins.has(at) ? [html("li", { class: "round" }, roundName(begins.get(at))), item] : [item];
  });
}

// Returns the heading of a round; round 0 is the draft of the buildings.
export function roundName(round) {
  return round === 0 ? say("rules.draft") : say("replay.round", { round });
}

// Returns the beginnings of rounds: after the step that ended the round before. A draft of buildings
// is round 0; the last windows before scoring belong to the last round.
export function rounds(steps) {
  const first = steps.some((step) => step.facts.some(([name]) => name === "building_drafted")) ? 0 : 1;
  const found = [{ at: 0, round: first }];
  steps.forEach((step, at) => {
    if (at < steps.length - 1 && step.kept && step.turn && begins(step.facts, found.at(-1).round)) {
      found.push({ at: at + 1, round: found.at(-1).round + 1 });
    }
  });
  return found;
}

function begins(facts, round) {
  const has = (name, phase) => facts.some(([told, which]) => told === name && (!phase || which === phase));
  if (round === 0) return has("phase_begun", "role_choice");
  return has("round_begun") || (has("round_ended") && !has("phase_begun", "final_guests"));
}

// Returns the next step of another seat.
export function turn(steps, at, way) {
  const seat = steps[at].seat;
  let next = at + way;
  while (next > 0 && next < steps.length - 1 && steps[next].seat === seat) next += way;
  return Math.min(Math.max(next, 0), steps.length - 1);
}
