// Buttons that copy a text of the page, and say so.

import { byId } from "./elements_by_id.js";

// Returns a text in lines: the items of a list, or the text itself.
function textOf(element) {
  const items = [...element.querySelectorAll("li")].map((item) => item.textContent.trim());
  return items.length ? items.join("\n") : element.textContent.trim();
}

// Copies a text; where the browser forbids it, selects it for the keyboard. Returns whether it was copied.
async function copy(element) {
  try {
    await navigator.clipboard.writeText(textOf(element)); // exists on secure addresses only
    return true;
  } catch {
    globalThis.getSelection()?.selectAllChildren(element);
    return false;
  }
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-copies]"))) {
  const told = button.nextElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copy(byId(button.dataset.copies ?? "", HTMLElement));
    if (told) told.textContent = (done ? button.dataset.copied : button.dataset.select) ?? "";
  });
}
