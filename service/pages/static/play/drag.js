// Dragging between parts of a board with mouse, pen or finger; a pointer that hardly moves is a click, not a drag.

import { html } from "../replay/elements.js";

const FAR = 6; // pixels

// `grab(key)` returns whether a part can be dragged; `drop(from, to)` is called at the end, `to` may be outside.
export function draggable(board, grab, drop) {
  let held = null;
  board.addEventListener("pointerdown", (event) => {
    const key = partAt(event.target);
    if (event.button === 0 && key && grab(key)) held = { key, x: event.clientX, y: event.clientY, ghost: null };
  });
  board.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) {
      held.ghost = html("div", { class: "ghost", "aria-hidden": "true" });
      document.body.append(held.ghost);
      board.setPointerCapture(event.pointerId);
    }
    if (held.ghost) Object.assign(held.ghost.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
  });
  board.addEventListener("pointercancel", letGo);
  board.addEventListener("pointerup", (event) => {
    const { key, ghost } = held ?? {};
    letGo();
    if (!ghost) return;
    const to = partAt(document.elementFromPoint(event.clientX, event.clientY));
    const deaf = (click) => click.stopPropagation(); // ignores the click that ends a drag
    board.addEventListener("click", deaf, { capture: true });
    setTimeout(() => {
      board.removeEventListener("click", deaf, { capture: true });
      drop(key, to);
    });
  });
  function letGo() {
    held?.ghost?.remove();
    held = null;
  }
}

function partAt(node) {
  return node?.closest?.("[data-part]")?.dataset.part ?? null;
}
