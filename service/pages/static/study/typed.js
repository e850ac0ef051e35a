// What somebody has typed into a form, and not made of it yet, outlives the renewal of what stands around it.

import { html } from "../replay/elements.js";

// A form of a name about something; it is marked while it holds what was typed. `press` says what it made, if anything.
export function form(name, of, attributes, inside, press) {
  const made = html("form", { "data-form": name, "data-of": of, ...attributes }, ...inside);
  const typed = (on) => made.toggleAttribute("data-typed", on);
  made.addEventListener("input", () => typed(true));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    typed(false);
    typed(!(await press(new FormData(made))));
  });
  return made;
}

// Let go of what was typed into a form.
export function forget(form) {
  form.toggleAttribute("data-typed", false);
}

// Renew what a panel holds, but the forms in which somebody is typing about the same thing.
export function renew(panel, inside) {
  const typed = [...panel.querySelectorAll("[data-typed]")];
  const focused = document.activeElement;
  panel.replaceChildren(...inside);
  for (const form of typed) panel.querySelector(`[data-form="${form.dataset.form}"][data-of="${form.dataset.of}"]`)?.replaceWith(form);
  if (panel.contains(focused)) focused.focus();
}
