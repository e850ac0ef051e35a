// Moves what a step changed from its old place to its new one, between two drawn boards. Copies of the pieces fly over
// the page: the board itself is complete at once, and takes clicks and focus meanwhile.

import { whole, within } from "./motion_pieces.js";
import { moving } from "./own_settings.js";

const SHORTEST = 150; // milliseconds
const LONGEST = 400;
const PER_PIXEL = 0.35; // milliseconds
const MOST = 24; // pieces that move at once; a leap over many steps moves none
const MOST_OF_A_KIND = 6; // of one kind to one place

let sky = null; // holds the copies that fly

/**
 * A kind of piece at a place: how many there are, and the nodes that show them.
 * @typedef {{ count: number, nodes: Element[], boxes: DOMRect[] }} Heap
 */

// Draws a board anew by `draw`, and moves what changed there. Ends the movements of the board before.
/**
 * @param {HTMLElement} board
 * @param {() => void} draw
 */
export function redrawn(board, draw) {
  land();
  const moves = moving() && !document.hidden && board.querySelector("[data-part]");
  const all = board.closest("main") ?? board; // a mat may lie beside its board
  const before = moves ? heaps(all) : null;
  draw();
  if (before) fly(before, heaps(all));
}

// Ends all movements at once.
export function land() {
  sky?.remove();
  sky = null;
}

// Returns the heaps of drawn boards: kind -> place -> heap.
/** @returns {Map<string, Map<string, Heap>>} */
function heaps(root) {
  const found = new Map();
  for (const node of root.querySelectorAll("[data-part]")) {
    for (const [kind, count, nodes] of [...whole(node), ...within(node)]) {
      if (!count) continue;
      if (!found.has(kind)) found.set(kind, new Map());
      found.get(kind).set(node.dataset.part, { count, nodes, boxes: nodes.map((one) => one.getBoundingClientRect()) });
    }
  }
  return found;
}

function fly(before, after) {
  const flights = [...after].flatMap(([kind, places]) => flightsOf(before.get(kind) ?? new Map(), places));
  if (!flights.length || flights.length > MOST) return;
  sky = document.createElement("div");
  sky.className = "in-flight";
  sky.setAttribute("aria-hidden", "true");
  const { scrollWidth, scrollHeight } = document.documentElement;
  Object.assign(sky.style, { width: `${scrollWidth}px`, height: `${scrollHeight}px` });
  document.body.append(sky);
  const own = sky;
  Promise.allSettled(flights.flatMap(start).map((animation) => animation.finished)).then(() => own.remove());
}

// Pairs the places that gained pieces of a kind with those that lost some.
function flightsOf(was, is) {
  const lost = [...was].flatMap(([place, heap]) => units(heap, is.get(place)).map((at) => heap.boxes[at]));
  return [...is].flatMap(([place, heap]) =>
    units(heap, was.get(place)).map((at) => {
      const from = lost.length > 1 ? lost.shift() : lost[0]; // the last one may give several, as a heap with a number
      return { node: heap.nodes[at], to: heap.boxes[at], from, alone: heap.nodes.length === heap.count };
    }),
  );
}

// Returns which nodes of a heap are there in addition to another one; a node with a number stands for several.
function units(heap, other) {
  const more = Math.min(heap.count - (other?.count ?? 0), MOST_OF_A_KIND);
  return Array.from({ length: Math.max(0, more) }, (_, at) => Math.max(0, heap.nodes.length - 1 - at)).filter((at, number, all) => heap.nodes.length === heap.count || number < all.length);
}

function start({ node, to, from, alone }) {
  if (!to.width) return [];
  if (!from?.width) return [node.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: LONGEST - SHORTEST, easing: "ease-out" })];
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  const duration = Math.min(LONGEST, Math.max(SHORTEST, Math.hypot(x, y) * PER_PIXEL));
  const copy = copied(node, to);
  sky.append(copy);
  const way = copy.animate([{ transform: `translate(${x}px, ${y}px) scale(${Math.min(3, from.width / to.width)})` }, { transform: "none" }], { duration, easing: "ease-in-out", fill: "forwards" });
  const shown = alone ? [node.animate([{ opacity: 0 }, { opacity: 0 }], { duration })] : [];
  return [way, ...shown];
}

// Returns a copy of a piece that lies over it.
function copied(node, box) {
  const copy = /** @type {HTMLElement | SVGElement} */ (node.cloneNode(true));
  let flying = copy;
  if (node instanceof SVGGraphicsElement && !(node instanceof SVGSVGElement)) {
    const { x, y, width, height } = node.getBBox();
    copy.removeAttribute("transform");
    flying = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    flying.setAttribute("viewBox", `${x - 1} ${y - 1} ${width + 2} ${height + 2}`);
    flying.append(copy);
  }
  for (const one of [copy, ...copy.querySelectorAll("[data-part], [tabindex], [role], [aria-label]")]) {
    for (const name of ["data-part", "data-value", "data-row", "tabindex", "role", "aria-label"]) one.removeAttribute(name);
  }
  for (const one of copy.querySelectorAll("title, .frame")) one.remove();
  Object.assign(flying.style, { left: `${box.left + scrollX}px`, top: `${box.top + scrollY}px`, width: `${box.width}px`, height: `${box.height}px` });
  return flying;
}
