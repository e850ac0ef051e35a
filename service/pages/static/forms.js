// What a script adds to the forms of every page: the moment that one looks at, and what a browser brings to a deal.

const HIDDEN = {
  back: () => location.pathname + location.search + location.hash, // the part of the address that no server sees goes along
  commits: () => (globalThis.crypto?.subtle ? "true" : ""), // promises can be kept only on pages that came safely
  entropy: () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
};

document.addEventListener("submit", ({ target }) => {
  for (const [name, value] of Object.entries(HIDDEN)) {
    const field = /** @type {HTMLFormElement} */ (target).elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === "hidden") field.value = value();
  }
});
