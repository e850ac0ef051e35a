// Searches the documentation: the index is fetched when the reader begins to type.

import { byId } from "../elements_by_id.js";
import { search } from "./ranking.js";

/** @typedef {import("./ranking.js").Entry} Entry */

const field = byId("search", HTMLInputElement);
const found = byId("found", HTMLElement);
const list = /** @type {HTMLOListElement} */ (found.querySelector("ol"));
const told = /** @type {HTMLElement} */ (found.querySelector("[role=status]"));
/** @type {Promise<Entry[]> | null} */
let index = null;

async function fetchIndex() {
  const answer = await fetch("/docs/search.json");
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

function entries() {
  index ??= fetchIndex().catch((fault) => {
    index = null; // the next letter tries again
    throw fault;
  });
  return index;
}

/** @param {Entry} entry */
function row([address, title, inside, excerpt]) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = address;
  link.append(title);
  const where = document.createElement("small");
  where.append(inside === title ? excerpt : `${inside}: ${excerpt}`);
  item.lang = "en";
  item.append(link, where);
  return item;
}

async function show() {
  const text = field.value.trim();
  if (!text) {
    found.hidden = true;
    return;
  }
  try {
    const rows = await entries();
    if (field.value.trim() !== text) return; // the reader has typed on
    const hits = search(rows, text, Number(field.dataset.most));
    list.replaceChildren(...hits.map(row));
    told.textContent = hits.length ? "" : found.dataset.none ?? "";
    found.hidden = false;
  } catch {
    found.hidden = true; // Enter asks for the page of the search
  }
}

function leave() {
  found.hidden = true;
}

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});
field.addEventListener("input", show);
if (found.classList.contains("whole")) {
  field.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `/docs/search?${new URLSearchParams({ q: field.value })}`);
    show();
  });
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.focus();
  show();
} else {
  field.form?.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.findIndex((link) => link === document.activeElement);
    if (event.key === "Escape") {
      leave();
      field.focus();
    } else if (!found.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      (next < 0 ? field : links[Math.min(next, links.length - 1)])?.focus();
    }
  });
  field.form?.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !field.form?.contains(event.relatedTarget)) leave();
  });
}
