// Markers over a drawn board: frames of several shapes, and arrows from one part to another.

import { svg } from "../replay/elements.js";
import { finder } from "./parts.js";

const SIGNS = { look: "●", good: "✓", bad: "✕", idea: "✦" };
export const KINDS = Object.keys(SIGNS);

// Draws all markers with labels for screen readers.
export function draw(board, position, markers, say) {
  board.querySelector(".over")?.remove();
  if (!markers.length) return;
  const drawn = finder(board, position);
  const frame = board.getBoundingClientRect();
  const over = svg("svg", { class: "over", width: frame.width, height: frame.height, role: "img", "aria-label": markers.map((one) => say(one)).join("; ") });
  over.append(svg("defs", {}, ...KINDS.map(head)));
  for (const { on, kind, to } of markers) {
    const from = middle(drawn(on), frame);
    if (!from) continue;
    over.append(...ring(from, kind));
    const end = to && middle(drawn(to), frame);
    if (end) over.append(svg("path", { d: `M${from.x} ${from.y}L${end.x} ${end.y}`, class: `arrow-over ${kind}`, "marker-end": `url(#head-${kind})` }));
  }
  board.append(over);
}

function head(kind) {
  return svg("marker", { id: `head-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8Z", class: `head ${kind}` }));
}

function ring({ x, y, width, height }, kind) {
  const rect = svg("rect", { x: x - width / 2 - 3, y: y - height / 2 - 3, width: width + 6, height: height + 6, rx: 9, class: `ring ${kind}` });
  const badge = svg("circle", { cx: x + width / 2, cy: y - height / 2, r: 9, class: `head ${kind}` });
  return [rect, badge, svg("text", { x: x + width / 2, y: y - height / 2 + 4, class: "sign", "text-anchor": "middle" }, SIGNS[kind])];
}

function middle(node, frame) {
  if (!node) return null;
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: left - frame.left + width / 2, y: top - frame.top + height / 2, width, height };
}
