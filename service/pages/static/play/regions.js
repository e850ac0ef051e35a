// The regions beside the board as tabs: log, roles, talk, rules, settings. A region without content has no tab.

import { byId } from "../elements_by_id.js";
import { html } from "../replay/elements.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
const offered = new Set(); // names of the regions with content

// Builds the tabs of the regions that are not hidden, and selects the first one.
export function build() {
  for (const region of regions()) if (!region.hidden) offered.add(region.dataset.region);
  draw();
  byId("tabs").addEventListener("keydown", walk);
}

// Adds the tab of a region that has got its content.
export function offer(name) {
  if (offered.has(name)) return;
  offered.add(name);
  draw();
}

// Shows a region.
export function select(name) {
  for (const region of regions()) region.hidden = region.dataset.region !== name;
  for (const tab of tabs()) {
    const own = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(own));
    tab.tabIndex = own ? 0 : -1;
  }
  if (selected()) mark(name, 0);
  regions().find(({ dataset }) => dataset.region === name)?.dispatchEvent(new Event("shown"));
}

// Puts a number on a tab, such as that of unread messages; 0 takes it off.
export function mark(name, number) {
  const tab = tabs().find(({ dataset }) => dataset.tab === name);
  tab?.querySelector(".mark")?.remove();
  if (number) tab?.append(html("span", { class: "mark act" }, String(number)));
}

// Returns the name of the region that is shown.
export function selected() {
  return tabs().find((tab) => tab.getAttribute("aria-selected") === "true")?.dataset.tab;
}

function draw() {
  const shown = selected();
  const drawn = regions().filter(({ dataset }) => offered.has(dataset.region)).map(tabOf);
  byId("tabs").replaceChildren(...drawn);
  select(shown ?? drawn[0].dataset.tab);
}

function tabOf(region) {
  const name = region.dataset.region;
  region.id ||= `region-${name}`;
  region.setAttribute("role", "tabpanel");
  const heading = region.querySelector("h2");
  heading.classList.add("unseen");
  const tab = html("button", { type: "button", role: "tab", "data-tab": name, "aria-controls": region.id }, heading.textContent);
  tab.addEventListener("click", () => select(name));
  return tab;
}

function walk(event) {
  const step = STEPS[event.key];
  if (!step) return;
  const all = tabs();
  const next = all[(all.findIndex(({ dataset }) => dataset.tab === selected()) + step + all.length) % all.length];
  event.preventDefault();
  select(next.dataset.tab);
  next.focus();
}

function regions() {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#regions > [data-region]"))];
}

function tabs() {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#tabs > [role=tab]"))];
}
