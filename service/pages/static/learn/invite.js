// Buttons of an invitation: copies its link, or hands it to the share sheet of the device.

// Copies a text; where the browser forbids it, selects what shows it. Returns whether it was copied.
export async function copied(text, shown) {
  try {
    await navigator.clipboard.writeText(text); // exists on secure addresses only
    return true;
  } catch {
    globalThis.getSelection()?.selectAllChildren(shown);
    return false;
  }
}

// Returns whether the device has a share sheet for the link.
export function sharable(url) {
  return Boolean(navigator.canShare?.({ url }));
}

// Opens the share sheet; a reader who closes it has changed their mind.
export async function share(url, title) {
  try {
    await navigator.share({ url, title });
  } catch (closed) {
    if (!(closed instanceof DOMException)) throw closed;
  }
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-copy]"))) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const shown = button.closest("section")?.querySelector(".link");
    if (await copied(button.dataset.copy, shown)) button.textContent = button.dataset.copied ?? "";
  });
}
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-share]"))) {
  button.hidden = !sharable(button.dataset.share);
  button.addEventListener("click", () => share(button.dataset.share, button.dataset.title));
}
