// The sentence about the turn, the results of the game, and reasons why moves are not legal.

import { html } from "../replay/elements.js";
import { paragraph } from "../rules/paragraph.js";
import { say } from "../words.js";
import { wishes } from "./targets.js";

export function sentence(table, setting) {
  const { summary, position } = table;
  if (summary.status === "open") return say("play.not_begun");
  if (summary.status === "aborted") return say("play.aborted");
  if (summary.status === "finished") return ending(summary, setting.seats, table.seat);
  if (!summary.turn) return ""; // the last move has come, and the event of the end has not
  const what = setting.decisions[summary.turn.decision] ?? "";
  const role = setting.names?.roles?.[position.turn?.role];
  const more = role ? ` (${role})` : "";
  return table.mine ? say("play.your_turn_to", { what }) + more : say("play.waiting_for", { name: setting.seats[summary.turn.seat], what }) + more;
}

function ending({ result }, names, seat) {
  const winners = names.filter((_, at) => result.places[at] === 1).join(", ");
  if (!winners) return say("play.nobody_won");
  return result.places[seat] === 1 ? say("play.you_won") : say("play.won", { name: winners });
}

// Reasons why plausible moves are not legal; requested when the reader unfolds them.
export function whyNot(table, setting) {
  const list = html("ul", {});
  const shown = html("details", { class: "why" }, html("summary", {}, say("play.why_not")), list);
  const offered = table.legal.moves.map(({ move }) => move);
  const asked = wishes(table.legal.decision, table.position, table.seat).filter((move) => !offered.some((legal) => legal === move || legal.startsWith(`${move} `)));
  if (!asked.length) return "";
  shown.addEventListener("toggle", async () => {
    if (!shown.open || list.childElementCount) return;
    const reasons = new Map();
    for (const { move, sentence: why, rule_page: page } of await table.refusals(asked)) reasons.set(why, { page, things: [...(reasons.get(why)?.things ?? []), subject(move, setting)] });
    list.replaceChildren(...[...reasons].map(([why, { page, things }]) => html("li", {}, html("strong", {}, [...new Set(things)].join(", ")), ` – ${why}`, ...paragraph(page))));
    if (!reasons.size) list.append(html("li", {}, say("play.all_possible")));
  });
  return shown;
}

const ROWS = { claim: "board.point_cards", buy: "board.merchant_cards" };

// Returns the thing that a move is about, by its name on the board.
function subject(move, { names }) {
  const [verb, thing] = move.split(" ");
  if (verb in ROWS) return `${say(ROWS[verb])} ${thing}`;
  const sections = { build: "buildings", role: "roles", take: "tiles", play: "cards" };
  return names[sections[verb] ?? "goods"]?.[thing] ?? say(`play.verb_${verb}`);
}
