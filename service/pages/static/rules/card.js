// The card that explains a piece: shown beside it, inside the window, and not over what can be chosen.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

const GAP = 10; // pixels between a piece and its card
const EDGE = 6; // pixels that stay free at the edge of the window
const WORDS = "piece-words"; // begins the id that describes a piece to screen readers; a page may have several cards

const PRINTED = ["cost", "points", "column", "circles"]; // numbers on a building, in this order

// Returns the content of a card: name, printed numbers, effect, facts of the board, and the way to the rules.
function content(piece, lines, way, id) {
  const numbers = PRINTED.filter((name) => piece[name] !== undefined && !(name === "circles" && !piece.circles)).map((name) => html("li", {}, say(`rules.${name}`, { n: piece[name] })));
  const words = html("div", { id }, numbers.length ? html("ul", {}, ...numbers) : null, html("p", {}, piece.effect), ...lines.map((line) => html("p", { class: "live" }, line)));
  const link = html("a", { href: piece.rule_page, target: "_blank", rel: "noopener" }, `${say("rules.more")}${/^[A-Z\d]/.test(piece.rule) ? ` (${piece.rule})` : ""}`);
  return [html("strong", {}, piece.name), words, way ? html("p", { class: "way" }, way) : null, link].filter((part) => part !== null);
}

// Returns the place of a card in a window: beside the piece where it fits, where it covers least of what can be chosen.
export function placed(anchor, size, room, choices) {
  const middle = { x: anchor.left + anchor.width / 2 - size.width / 2, y: anchor.top + anchor.height / 2 - size.height / 2 };
  const spots = [
    { left: anchor.right + GAP, top: middle.y },
    { left: anchor.left - GAP - size.width, top: middle.y },
    { left: middle.x, top: anchor.bottom + GAP },
    { left: middle.x, top: anchor.top - GAP - size.height },
  ].map((spot) => within(spot, size, room));
  const cost = (spot) => 1e6 * overlap(spot, size, anchor) + choices.reduce((sum, one) => sum + overlap(spot, size, one), 0);
  return spots.reduce((best, spot) => (cost(spot) < cost(best) ? spot : best));
}

function within({ left, top }, size, room) {
  return {
    left: Math.max(EDGE, Math.min(left, room.width - size.width - EDGE)),
    top: Math.max(EDGE, Math.min(top, room.height - size.height - EDGE)),
  };
}

function overlap({ left, top }, { width, height }, other) {
  const wide = Math.min(left + width, other.right) - Math.max(left, other.left);
  const high = Math.min(top + height, other.bottom) - Math.max(top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

let cards = 0; // on this page

export class Card {
  constructor() {
    this.words = cards++ ? `${WORDS}-${cards}` : WORDS;
    this.node = html("div", { class: "piece-card", role: "group", hidden: "" });
    this.anchor = null;
    (document.querySelector("main") ?? document.body).append(this.node); // within a landmark
  }

  get open() {
    return !this.node.hidden;
  }

  show(anchor, piece, lines, way) {
    this.leave();
    this.anchor = anchor;
    this.node.setAttribute("aria-label", piece.name);
    this.node.replaceChildren(...content(piece, lines, way, this.words));
    this.node.hidden = false;
    anchor.setAttribute("aria-describedby", this.words);
    this.place();
  }

  // Below a sheet at the lower edge there is no room.
  place() {
    const { width, height } = this.node.getBoundingClientRect();
    const sheet = document.querySelector(".sheet")?.getBoundingClientRect();
    const room = { width: document.documentElement.clientWidth, height: sheet ? sheet.top : window.innerHeight };
    const choices = [...document.querySelectorAll(".can, .picked, button[data-move]")].filter((one) => one !== this.anchor).map((one) => one.getBoundingClientRect());
    const { left, top } = placed(this.anchor.getBoundingClientRect(), { width, height }, room, choices);
    this.node.style.left = `${left}px`;
    this.node.style.top = `${top}px`;
  }

  hide() {
    this.leave();
    this.anchor = null;
    this.node.hidden = true;
    this.node.replaceChildren();
  }

  leave() {
    if (this.anchor?.getAttribute("aria-describedby") === this.words) this.anchor.removeAttribute("aria-describedby");
  }
}
