// Keeps text typed into a form when the page around it is renewed.

import { html } from "../replay/elements.js";

// A named form about a subject; marked while it holds unsaved text. `press` returns its result.
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

// Discards the typed text of a form.
export function discard(form) {
  form.toggleAttribute("data-typed", false);
}

// Renews the contents of a panel, except forms with unsaved text about the same subject. A field in which somebody is about to write
// hands the focus to the one in its place.
export function renew(panel, inside) {
  const typed = [...panel.querySelectorAll("[data-typed]")];
  const focused = document.activeElement;
  const place = panel.contains(focused) ? field(focused) : null;
  panel.replaceChildren(...inside);
  for (const form of typed) panel.querySelector(named(form))?.replaceWith(form);
  if (panel.contains(focused)) focused.focus();
  else if (place) panel.querySelector(place)?.focus({ preventScroll: true });
}

function named(form) {
  return `[data-form="${form.dataset.form}"][data-of="${form.dataset.of}"]`;
}

// The place of a field in its form, null for anything else.
function field(element) {
  return element.name && element.form?.dataset.form ? `${named(element.form)} [name="${element.name}"]` : null;
}
