// Shares the address of a game at a step: by the device, by the clipboard, or as a text to copy by hand.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

/**
 * @param {{id: string, title: string}} setting
 * @param {number | undefined} version the step to show; none for the newest
 * @param {HTMLButtonElement} own the button, which says that the address was copied
 */
export async function share({ id, title }, version, own) {
  const url = `${location.origin}/games/${id}${version === undefined ? "" : `?at=${version}`}`;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) return navigator.share({ title, url }).catch(() => {}); // closed by the reader
  own.parentElement?.querySelector(".address")?.remove();
  if (await copied(url)) own.textContent = `✓ ${say("end.shared")}`;
  else own.after(shown(url));
}

// Returns whether the text was copied; the clipboard exists on secure addresses only.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

function copiedBySelection(text) {
  const focused = document.activeElement;
  const field = /** @type {HTMLTextAreaElement} */ (html("textarea", { class: "unseen", readonly: "" }));
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return done;
}

// The address in a field, selected, to be copied by hand.
function shown(url) {
  const field = /** @type {HTMLInputElement} */ (html("input", { class: "address", readonly: "", value: url, "aria-label": say("end.share") }));
  setTimeout(() => field.select());
  return field;
}
