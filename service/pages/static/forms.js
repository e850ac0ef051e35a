// Adds to forms: the address to return to, and the browser's contribution to a deal.

const HIDDEN = {
  back: () => location.pathname + location.search + location.hash, // includes the fragment of the address
  commits: () => (globalThis.crypto?.subtle ? "true" : ""), // commitments need a secure context
  entropy: () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
};

document.addEventListener("submit", ({ target }) => {
  for (const [name, value] of Object.entries(HIDDEN)) {
    const field = /** @type {HTMLFormElement} */ (target).elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === "hidden") field.value = value();
  }
});
