// Frames the parts that differ between two drawn boards.

import { svg } from "./elements.js";

// Returns the content of each part of a drawn board.
export function values(drawn) {
  return new Map(parts(drawn).map((node) => [node.dataset.part, node.dataset.value]));
}

// `before`: another drawn board, or the content of its parts.
export function mark(drawn, before) {
  const known = before instanceof Map ? before : values(before);
  const changed = parts(drawn).filter((node) => known.get(node.dataset.part) !== node.dataset.value && !slid(node, drawn, known));
  changed.forEach(frame);
  return changed.length;
}

// Returns whether a piece was in its row before, at any position.
function slid(node, drawn, known) {
  const { row, value } = node.dataset;
  if (row === undefined) return false;
  const alike = parts(drawn).filter(({ dataset }) => dataset.row === row && dataset.value === value);
  return alike.indexOf(node) < [...known].filter(([key, was]) => key.startsWith(`${row}.`) && was === value).length;
}

function parts(root) {
  return [...root.querySelectorAll("[data-part]")];
}

function frame(node) {
  node.classList.add("changed");
  if (node.tagName !== "g") return;
  const { x, y, width, height } = node.getBBox();
  if (width) node.append(svg("rect", { class: "frame", x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: 6 }));
}
