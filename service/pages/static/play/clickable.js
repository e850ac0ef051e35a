// Parts of a drawn board that can be clicked: buttons with a frame, for mouse, keyboard and screen reader.

import { svg } from "../replay/elements.js";

// `offers`: part -> a function from the name of the part to the label of a click. All other parts stay a picture.
export function open(board, offers, choose) {
  for (const [key, label] of offers) {
    for (const node of board.querySelectorAll(`[data-part="${CSS.escape(key)}"]`)) button(node, label(node.getAttribute("aria-label")), () => choose(key));
  }
  for (const picture of board.querySelectorAll("svg[role=group]")) hideUnlabelled(picture);
}

// Hides parts without a label of their own from screen readers; the label of the picture covers them.
function hideUnlabelled(picture) {
  for (const drawn of picture.children) {
    if (!drawn.matches("[role], title") && !drawn.querySelector("[role]")) drawn.setAttribute("aria-hidden", "true");
  }
}

function button(node, label, act) {
  const picture = node.closest("svg[role=img]") ?? node.querySelector("svg[role=img]");
  if (picture && picture !== node && picture.contains(node)) picture.setAttribute("role", "group");
  if (picture && node.contains(picture) && picture !== node) picture.setAttribute("role", "presentation");
  node.classList.add("can");
  node.setAttribute("role", "button");
  node.setAttribute("tabindex", "0");
  node.setAttribute("aria-label", label);
  titled(node, label);
  if (node.tagName === "g") frame(node);
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
}

// The tooltip of a part: the cost before the click.
function titled(node, label) {
  if (!(node instanceof SVGElement)) return node.setAttribute("title", label);
  node.querySelector(":scope > title")?.remove();
  node.prepend(svg("title", {}, label));
}

// Marks the part of the chosen move.
export function point(board, keys) {
  for (const key of keys) {
    for (const node of board.querySelectorAll(`[data-part="${CSS.escape(key)}"]`)) {
      node.classList.add("picked");
      if (node.tagName === "g") frame(node, "pick-frame");
    }
  }
}

// A part that can be dragged: its whole area, not only the painted one.
export function hold(node) {
  frame(node, "hold");
}

function frame(node, kind = "target") {
  const { x, y, width, height } = node.getBBox();
  node.append(svg("rect", { class: kind, x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 6 }));
}

// Redraws and keeps the focus.
export function keepFocus(redraw) {
  const key = document.activeElement?.dataset.part;
  redraw();
  if (key) document.querySelector(`[data-part="${CSS.escape(key)}"][tabindex]`)?.focus({ preventScroll: true });
}
