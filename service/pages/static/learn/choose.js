// The choice of a guided game: offers to go on where the reader left off.

import { say } from "../words.js";
import { reached } from "./progress.js";

for (const door of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-guide]"))) {
  const game = door.dataset.guide ?? "";
  const step = reached(game);
  const link = /** @type {HTMLAnchorElement} */ (door.querySelector("[data-go-on]"));
  if (step === null || step < 2 || step > Number(door.dataset.steps)) continue; // not begun, or played to its end
  link.href = `/learn/${game}#${step}`;
  link.textContent = say("guide.go_on_at", { n: step });
  link.classList.add("main");
  link.hidden = false;
  door.querySelector("[data-begin]")?.classList.remove("main");
}
