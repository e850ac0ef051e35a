// Explains the pieces of a board: by hover, by focus, by a long press, and by taps and keys while the board explains itself.

import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { Card } from "./card.js";
import { facts } from "./facts.js";
import { pieceAt } from "./pieces.js";
import { keyOf, Walk } from "./walk.js";

const HOVER = 450; // milliseconds that the pointer rests before a card opens
const LEAVE = 350; // milliseconds to reach the card
const PRESS = 500; // milliseconds of a long press
const MOVED = 10; // pixels that a finger may slip
const PIECES = "[data-part], [data-piece]";

// `current` returns { game, position, seats } of the board that `root` shows, or null; `taps`: a tap on a piece that
// cannot be chosen explains it. Returns the button that switches the mode of explaining.
export function explain(root, current, { taps = true } = {}) {
  return new Explainer(root, current, taps).button;
}

class Explainer {
  constructor(root, current, taps) {
    this.root = root;
    this.current = current;
    this.taps = taps;
    this.card = new Card();
    this.known = null; // the facts of the game that is shown
    this.game = null;
    this.asked = null; // settles when the facts have come
    this.timer = 0;
    this.press = null;
    this.button = html("button", { type: "button", class: "explain", "aria-pressed": "false" }, html("span", { "aria-hidden": "true" }, "? "), say("rules.explain"));
    this.walk = new Walk(root, {
      named: (node) => this.pieceOf(node)?.name,
      look: (node) => this.show(node),
      follow: (node) => this.enter(node),
      changed: (on) => this.changed(on),
    });
    this.listen();
  }

  listen() {
    const { root, card } = this;
    this.button.addEventListener("click", () => this.toggle());
    root.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.hover(pieceUnder(event)));
    root.addEventListener("pointerleave", () => this.later(LEAVE, () => card.hide()));
    root.addEventListener("pointerdown", (event) => this.pressed(event));
    for (const kind of ["pointerup", "pointercancel", "pointermove"]) root.addEventListener(kind, (event) => this.released(event));
    root.addEventListener("contextmenu", (event) => this.press?.done && event.preventDefault());
    root.addEventListener("click", (event) => this.clicked(event), true);
    root.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.show(pieceUnder(event)));
    root.addEventListener("focusout", () => this.later(LEAVE, () => card.hide()));
    for (const kind of ["pointerenter", "focusin"]) card.node.addEventListener(kind, () => clearTimeout(this.timer));
    card.node.addEventListener("pointerleave", () => this.later(LEAVE, () => card.hide()));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.escape(event), true);
    document.addEventListener("pointerdown", (event) => !root.contains(target(event)) && !card.node.contains(target(event)) && card.hide());
    window.addEventListener("scroll", () => card.open && card.place(), { passive: true });
    new MutationObserver(() => this.redrawn()).observe(root, { childList: true, subtree: true });
  }

  // Returns the facts of a part's piece with those of the board; null as long as they are not known.
  pieceOf(node) {
    const shown = this.current();
    if (!shown || !this.facts(shown.game)) return null;
    const { piece, lines } = node.dataset.piece ? { piece: node.dataset.piece, lines: [] } : (pieceAt(node.dataset.part, shown) ?? {});
    return piece && this.known[piece] ? { ...this.known[piece], lines } : null;
  }

  facts(game) {
    if (this.game !== game) {
      Object.assign(this, { game, known: null });
      this.asked = facts(game).then((known) => {
        this.known = known;
        if (this.walk.on) this.walk.arm();
      }, () => (this.game = null));
    }
    return this.known;
  }

  later(delay, act) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(act, delay);
  }

  hover(node) {
    if (!node) return this.later(LEAVE, () => this.card.hide());
    if (node === this.card.anchor) return clearTimeout(this.timer);
    this.pieceOf(node); // its facts arrive while the pointer rests
    this.later(HOVER, () => this.show(node));
  }

  show(node) {
    clearTimeout(this.timer);
    const tells = node?.dataset.told !== undefined && !this.walk.on; // it shows its effect itself
    const piece = node?.isConnected && !tells ? this.pieceOf(node) : null;
    if (!piece) return this.card.hide();
    for (const title of node.querySelectorAll("title")) title.remove(); // the card stands in its place
    node.closest("svg")?.querySelector(":scope > title")?.remove();
    node.removeAttribute("title");
    const way = !this.walk.on && node.classList.contains("can") ? node.getAttribute("aria-label") : "";
    this.card.show(node, piece, piece.lines, way);
  }

  pressed(event) {
    const node = pieceUnder(event);
    if (event.pointerType !== "touch" || !node) return;
    const press = { x: event.clientX, y: event.clientY, done: false, timer: 0 };
    press.timer = window.setTimeout(() => {
      press.done = true;
      this.show(node);
    }, PRESS);
    this.press = press;
    this.pieceOf(node);
  }

  released(event) {
    if (!this.press || (event.type === "pointermove" && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) < MOVED)) return;
    clearTimeout(this.press.timer);
    if (event.type !== "pointerup") this.press = null;
  }

  // A click after a long press, or while the board explains itself, chooses nothing.
  clicked(event) {
    const node = pieceUnder(event);
    const held = this.press?.done;
    this.press = null;
    if (!node) return;
    if (held || this.walk.on) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (this.walk.on || (this.taps && !held && !node.closest(".can, a, button"))) this.tapped(node);
  }

  // Shows the card of a tapped piece, as soon as the facts are known: a tap does not wait for them as a resting pointer does.
  tapped(node) {
    this.show(node);
    if (!this.known) this.asked?.then(() => this.known && this.show(node));
  }

  // Enter leads from a piece into its card, Escape back to it.
  enter(node) {
    this.show(node);
    this.card.node.querySelector("a")?.focus();
  }

  // Closes the card. A card under the resting pointer leaves the key to the page as well: its reader is elsewhere.
  escape(event) {
    if (!this.card.open && !(this.walk.on && this.root.contains(document.activeElement))) return;
    const { anchor } = this.card;
    const inside = this.card.node.contains(document.activeElement);
    if (inside || this.walk.on || anchor === document.activeElement) event.stopPropagation();
    if (!this.card.open) return this.toggle();
    this.card.hide();
    if (inside && anchor) anchor.focus();
    clearTimeout(this.timer);
    if (inside) this.card.hide();
  }

  toggle() {
    this.facts(this.current()?.game ?? this.game);
    this.walk.turn(!this.walk.on);
  }

  changed(on) {
    this.button.setAttribute("aria-pressed", String(on));
    if (!on) this.card.hide();
  }

  // Keeps the card at its piece when the board is drawn anew.
  redrawn() {
    if (this.walk.on) this.walk.arm();
    const { anchor } = this.card;
    if (!anchor || anchor.isConnected) return;
    const again = this.root.querySelector(`[data-part="${CSS.escape(keyOf(anchor) ?? "")}"]`);
    if (again) this.show(again);
    else this.card.hide();
  }
}

function target(event) {
  return event.target instanceof Node ? event.target : null;
}

// Returns the piece of an event. What lies on a part that can be chosen belongs to it.
function pieceUnder(event) {
  const node = event.target instanceof Element ? event.target.closest(PIECES) : null;
  return node && !node.dataset.part ? (node.closest(".can[data-part]") ?? node) : node;
}
