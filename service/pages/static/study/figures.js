// The figures of an analysis: a chart with swings, the evaluated moves, links to swings.

import { chart } from "../replay/chart.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";

let unfolded = false; // the list of swings

export function figures({ decisions, advice }, place, tree, number, seats) {
  const trunk = tree.line(place).filter((at) => !at.startsWith("v")).at(-1);
  const at = Math.max(0, decisions.findLastIndex(({ version }) => version <= Number(trunk)));
  const rows = decisions.map(({ shares }) => shares.map(percent));
  const marks = decisions.flatMap(({ swing, seat }, at) => (swing ? [{ at, seat }] : []));
  const drawn = html("div", { class: "shares" }, chart(rows, at, say("study.expected"), marks));
  const thin = advice ? html("p", { class: "refused" }, advice) : null;
  return [thin, drawn, String(decisions[at].version) === place ? evaluation(decisions[at], seats) : null, swings(decisions, number)].filter(Boolean);
}

function evaluation(decision, seats) {
  return decision.enough ? weighed(decision, seats) : html("p", {}, say("study.too_few_steps"));
}

// The played move among its alternatives, best first.
function weighed(decision, seats) {
  const { seat, best, alternatives } = decision;
  const worth = (one) => (one.move === best ? Infinity : one.shares[seat]);
  const moves = [decision, ...alternatives].sort((one, other) => worth(other) - worth(one));
  const heads = seats.map((name, at) => html("th", { scope: "col" }, html("abbr", { class: `disc seat-${at}`, title: name }, String(at + 1))));
  const rows = moves.map((one) => {
    const said = one === decision ? html("strong", {}, say("study.played", { move: one.label })) : one.label;
    return html("tr", {}, html("th", { scope: "row" }, said), ...one.shares.map((share, at) => html("td", { class: at === seat ? "own" : null }, percent(share))));
  });
  const caption = html("caption", {}, say("study.weighed", { name: seats[seat] }));
  return html("table", { class: "weighed" }, caption, html("thead", {}, html("tr", {}, html("th", { scope: "col" }, say("study.move")), ...heads)), html("tbody", {}, ...rows));
}

function swings(decisions, number) {
  const found = decisions.filter(({ swing }) => swing);
  if (!found.length) return null;
  const rows = found.map(({ version, swing, label, loss, best, alternatives }) => {
    const better = alternatives.find(({ move }) => move === best)?.label ?? best;
    return html("li", {}, html("a", { href: `#${number}/${version}` }, say("study.swing", { what: say(`study.swing_${swing}`), loss: percent(loss), move: label, best: better })));
  });
  const list = html("details", { open: unfolded ? "" : null }, html("summary", {}, say("study.swings", { n: found.length })), html("ol", { class: "swings" }, ...rows));
  list.addEventListener("toggle", () => (unfolded = list.open));
  return list;
}

function percent(thousandths) {
  return Math.round(thousandths / 10);
}
