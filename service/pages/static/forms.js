// Adds to forms: the address to return to, and the browser's contribution to a deal.

const ONCE = 4000; // milliseconds in which a second click on a button is none

const HIDDEN = {
  back: () => location.pathname + location.search + location.hash, // includes the fragment of the address
  commits: () => (globalThis.crypto?.subtle ? "true" : ""), // commitments need a secure context
  entropy: () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
};

document.addEventListener("submit", (event) => {
  const { target } = event;
  if (repeated(/** @type {HTMLFormElement} */ (target))) return event.preventDefault();
  for (const [name, value] of Object.entries(HIDDEN)) {
    const field = /** @type {HTMLFormElement} */ (target).elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === "hidden") field.value = value();
  }
});

// Returns whether a form that opens something was sent a moment ago, as by a double click.
function repeated(form) {
  if (!("once" in form.dataset)) return false;
  const before = Number(form.dataset.once);
  form.dataset.once = String(Date.now());
  return Date.now() - before < ONCE;
}
