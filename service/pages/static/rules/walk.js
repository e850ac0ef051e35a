// The mode in which a board explains itself: every piece can be reached by keyboard and tapped, and nothing is chosen.

import { say } from "../words.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class Walk {
  // `named`: the name of a part for screen readers; `look`: shows its card; `changed`: the mode went on or off.
  constructor(root, { named, look, follow, changed }) {
    this.root = root;
    this.named = named;
    this.look = look;
    this.follow = follow;
    this.changed = changed;
    this.on = false;
    this.at = null; // the name of the part that has the tab stop
    this.before = []; // attributes to restore: [node, name, value]
    root.addEventListener("keydown", (event) => this.on && this.key(event), true);
  }

  get parts() {
    return [...this.root.querySelectorAll("[data-part], [data-piece]")].filter((node) => node.getClientRects().length && this.named(node));
  }

  turn(on) {
    this.on = on;
    this.root.classList.toggle("explaining", on);
    if (on) this.arm();
    else this.restore();
    this.changed(on);
  }

  // Gives every new piece a name and a role, and one of them the tab stop; repeated for a board that was drawn anew.
  arm() {
    this.before = this.before.filter(([node]) => node.isConnected);
    const known = new Set(this.before.map(([node]) => node));
    const parts = this.parts;
    const fresh = parts.filter((node) => !known.has(node));
    fresh.forEach((node) => this.name(node));
    if (parts.some((node) => node.getAttribute("tabindex") === "0")) return;
    const stop = parts.find((node) => keyOf(node) === this.at) ?? parts[0];
    stop?.setAttribute("tabindex", "0");
    this.at = stop ? keyOf(stop) : null;
  }

  name(node) {
    this.alter(node, "tabindex", "-1");
    this.alter(node, "role", node.querySelector("[data-part], [data-piece]") ? "group" : "button"); // a button has no parts
    this.alter(node, "aria-label", say("rules.explain_piece", { name: node.getAttribute("aria-label") ?? this.named(node) }));
    if (node.getAttribute("aria-hidden")) this.alter(node, "aria-hidden", null);
    for (let outer = node.parentElement; outer && outer !== this.root; outer = outer.parentElement) {
      if (outer.getAttribute("aria-hidden")) this.alter(outer, "aria-hidden", null);
      if (outer.getAttribute("role") === "img") this.alter(outer, "role", "group");
    }
  }

  alter(node, name, value) {
    this.before.push([node, name, node.getAttribute(name)]);
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }

  restore() {
    for (const [node, name, value] of this.before.reverse()) {
      if (value === null) node.removeAttribute(name);
      else node.setAttribute(name, value);
    }
    this.before = [];
  }

  key(event) {
    const node = event.target.closest("[data-part], [data-piece]");
    if (!node) return;
    if (event.key in STEPS) this.go(node, STEPS[event.key]);
    else if (event.key === "Home") this.go(null, 1);
    else if (event.key === "End") this.go(null, -1);
    else if (event.key === "Enter" || event.key === " ") this.follow(node);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(from, step) {
    const parts = this.parts;
    const next = (parts.indexOf(from) + step + parts.length) % parts.length;
    const node = from ? parts[next] : parts.at(step > 0 ? 0 : -1);
    if (!node) return;
    from?.setAttribute("tabindex", "-1");
    this.at = keyOf(node);
    node.setAttribute("tabindex", "0");
    node.focus();
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.look(node);
  }
}

export function keyOf(node) {
  return node.dataset.part ?? node.dataset.piece;
}
