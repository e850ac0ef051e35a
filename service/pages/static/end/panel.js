// The end of a game: who won, the points by kind, the curve, what decided it, and what to do next.

import { chart } from "../replay/chart.js";
import { html } from "../replay/elements.js";
import { stepSentence } from "../replay/tale.js";
import { say } from "../words.js";
import { kindInWords } from "./account.js";
import { actions } from "./actions.js";
import { pointsTable } from "./table.js";

// `more` holds the reader's further buttons: a rematch, the replay.
export function endPanel(account, steps, setting, link, more) {
  const winners = account.seats.filter(({ place }) => place === 1).map(({ seat }) => setting.seats[seat]);
  const title = winners.length ? say("end.won", { name: winners.join(", ") }) : say("end.nobody_won");
  const totals = new Map(account.curve.map((point) => [point.version, point.totals]));
  const rows = steps.map(({ version, scores }) => totals.get(version) ?? setting.seats.map((_, seat) => (account.curve.length ? null : (scores[seat]?.total ?? null))));
  return html(
    "section",
    { class: "panel end", "aria-label": `${say("board.points_title")}: ${title}` }, // the heading alone is the prompt's, too
    html("div", { class: "end-head" }, html("h2", {}, title), html("div", { class: "row" }, ...more, ...actions(setting))),
    html("div", { class: "end-body" }, html("div", {}, ...pointsTable(account, steps, setting, link)), html("div", {}, html("h3", {}, say("end.curve")), chart(rows, rows.length - 1, say("board.series_points")), ...reasons(account, steps, setting, link))),
  );
}

// The step from which the winner led; of a long game its words may have to be read.
function ledSince(version, step, setting, link) {
  const drawn = html("a", { href: link(version) }, step && !step.unread ? stepSentence(step, setting.seats) : String(version));
  if (step?.unread) setting.read([step.version]).then(() => (drawn.textContent = stepSentence(step, setting.seats)));
  return drawn;
}

// What decided the game, in sentences of computed facts.
function reasons({ decision }, steps, setting, link) {
  if (!decision) return [];
  const { by, first, second, margin: n, kind, difference, tie_break: tie, lead_since: since } = decision;
  const names = { first: setting.seats[first], second: setting.seats[second] ?? "" };
  const sort = by === "tie_break" && setting.game === "spice_road" ? "seat" : by;
  const lines = [html("li", {}, say(`end.by_${sort}`, { ...names, n, mine: tie?.[0], other: tie?.[1] }))];
  if (kind && by !== "forfeit") lines.push(html("li", {}, say("end.kind", { kind: kindInWords(kind, setting.names), n: difference })));
  const step = since === null ? null : steps.find(({ version }) => version === since);
  if (since !== null) lines.push(html("li", {}, say("end.lead"), ledSince(since, step, setting, link)));
  else lines.push(html("li", {}, say("end.no_lead")));
  return [html("h3", {}, say("end.decided")), html("ul", { class: "decided" }, ...lines)];
}
