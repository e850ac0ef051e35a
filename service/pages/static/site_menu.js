// The menu of the site on narrow screens: Escape and a click elsewhere close it.

const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".site-menu"));
const header = document.querySelector("header.site");

document.addEventListener("click", ({ target }) => {
  if (menu?.open && target instanceof Node && !header?.contains(target)) menu.open = false;
});

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
});
