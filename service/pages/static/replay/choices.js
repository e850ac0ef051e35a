// The table of roles: a row for each round, a column for each seat, a link for each choice.

import { say } from "../words.js";
import { html, picture } from "./elements.js";
import { icon } from "./pieces.js";

export function choices(steps, rounds, current, { seats, names }) {
  const latest = steps.findLastIndex((step, at) => at <= current && taken(step).length);
  const head = html("tr", {}, html("td", {}), ...seats.map((name, seat) => html("th", { scope: "col" }, html("span", { class: `disc seat-${seat}`, title: name }, String(seat + 1)))));
  const rows = rounds.flatMap(({ at: first, round }, number) => {
    if (round === 0) return []; // the draft of the buildings
    const within = steps.slice(first, rounds[number + 1]?.at);
    const cells = seats.map((_, seat) => html("td", {}, ...within.flatMap((step) => links(step, seat, names, step === steps[latest]))));
    return html("tr", {}, html("th", { scope: "row", title: say("replay.round", { round }) }, String(round)), ...cells);
  });
  return html("div", { class: "choices scrolled", tabindex: "0" }, html("table", {}, html("caption", { class: "unseen" }, say("board.series_roles")), html("thead", {}, head), html("tbody", {}, ...rows)));
}

function taken({ kept, facts }) {
  return kept ? facts.filter(([name]) => name === "role_taken") : [];
}

function links(step, seat, names, latest) {
  const own = taken(step).filter(([, chooser]) => chooser === seat);
  return own.map(([, , role]) => html("a", { href: `#${step.version}`, "aria-current": latest ? "step" : null }, picture(24, 24, names.roles[role], icon(role, 0, 0))));
}
