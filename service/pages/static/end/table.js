// The table of points by kind: each number leads to the moves that made it.

import { html } from "../replay/elements.js";
import { rounds, stepSentence } from "../replay/tale.js";
import { say } from "../words.js";
import { kindInWords, kindsOf } from "./account.js";

// `steps` are those of the replay; `link` makes the address of a version.
export function pointsTable(account, steps, setting, link) {
  const { seats, names } = setting;
  const moves = html("div", { class: "made-by", "aria-live": "polite" });
  const open = async (button, seat, part, kind) => {
    await setting.read?.(part.changes.map(({ version }) => version)); // of a long game not all words are read
    show(moves, button, movesOf(part, steps, setting, link), say("end.made", { name: seats[seat], kind, n: part.points }));
  };
  const heads = account.seats.map(({ seat, place }) => html("th", { scope: "col", class: place === 1 ? "best" : null }, html("span", { class: `disc seat-${seat}` }, String(seat + 1)), html("span", { class: "named", title: seats[seat] }, seats[seat].split(" (")[0])));
  const rows = kindsOf(account, setting.game).map((kind) => {
    const label = kindInWords(kind, names);
    return row("", label, account.seats.map(({ seat, parts }) => cell(parts.find((part) => part.kind === kind), label, seat, open)));
  });
  const plain = (name, label, read) => row(name, label, account.seats.map((one) => String(read(one))));
  const ruled = account.seats.some(({ total, result }) => total !== result);
  const sums = [plain("total", say("board.points_total"), ({ total }) => total), ...(ruled ? [plain("total", say("board.points_result"), ({ result }) => result)] : [])];
  const ties = setting.game === "puerto_rico" ? [plain("", say("board.points_tie"), ({ tie_break: tie }) => tie)] : [];
  const places = plain("place", say("board.points_place"), ({ place }) => say("common.place", { place }));
  const title = say("board.points_title");
  const drawn = html("table", {}, html("caption", { class: "unseen" }, title), html("thead", {}, html("tr", {}, html("td", {}), ...heads)), html("tbody", {}, ...rows, ...sums, ...ties, places));
  return [html("div", { class: "points scrolled", tabindex: "0", role: "group", "aria-label": title }, drawn), html("p", { class: "hint" }, say("end.pick")), moves];
}

function row(kind, label, cells) {
  return html("tr", { class: kind || null }, html("th", { scope: "row" }, label), ...cells.map((content) => html("td", {}, content)));
}

function cell(part, kind, seat, open) {
  if (!part) return "0";
  const button = html("button", { type: "button", class: "made", "data-kind": part.kind, "data-seat": seat, "aria-expanded": "false" }, String(part.points));
  button.addEventListener("click", () => open(button, seat, part, kind));
  return button;
}

// Shows the moves behind a number under the table; a second click takes them away.
function show(moves, button, lines, title) {
  const opens = button.getAttribute("aria-expanded") === "false";
  for (const other of moves.parentElement.querySelectorAll(".made")) other.setAttribute("aria-expanded", "false");
  if (!opens) return moves.replaceChildren();
  button.setAttribute("aria-expanded", "true");
  const close = html("button", { type: "button" }, say("end.close"));
  close.addEventListener("click", () => {
    moves.replaceChildren();
    button.setAttribute("aria-expanded", "false");
    button.focus();
  });
  moves.replaceChildren(html("h3", {}, title), html("ol", {}, ...lines), close);
}

function movesOf({ changes }, steps, setting, link) {
  const begins = rounds(steps);
  return changes.map(({ version, points }) => {
    const at = steps.findIndex((step) => step.version === version);
    const round = begins.findLast((one) => one.at <= at)?.round;
    const told = at < 0 ? String(version) : stepSentence(steps[at], setting.seats);
    return html("li", {}, html("b", {}, points > 0 ? `+${points}` : `−${-points}`), html("a", { href: link(version) }, told), round === undefined ? "" : html("small", {}, say("end.round", { round })));
  });
}
