// Search over the paragraphs of a page: results as one types, chosen by keys or clicks.

import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { plain, wordsOf } from "./plain.js";

const MOST = 12; // results
const AROUND = 60; // characters of a paragraph before what was found
const NAME = 30; // characters of a name
const LONG = 150; // characters that a result shows
const BLOCKS = "#book [id], #tables [data-find], #book p, #book li, #book tr";

// Returns the blocks with every word of a question, best first: those with an anchor, those that begin with the first word.
export function matches(blocks, question) {
  const words = wordsOf(question);
  if (!words.length) return [];
  const rank = ({ found, node }) => (found.startsWith(words[0]) ? 0 : found.indexOf(words[0]) < NAME ? 1 : 2) + (node.id ? 0 : 3);
  const hits = blocks.filter(({ found }) => words.every((word) => found.includes(word)));
  return hits.map((block, at) => ({ block, rank: rank(block), at })).sort((one, other) => one.rank - other.rank || one.at - other.at).map(({ block }) => block);
}

export class Search {
  // `come` brings a paragraph into sight that has no anchor.
  constructor(input, list, status, come) {
    this.come = come;
    this.input = input;
    this.list = list;
    this.status = status;
    this.blocks = null; // of the page, read at the first search
    this.nodes = new WeakMap(); // result -> paragraph
    this.at = -1; // the chosen result
    input.addEventListener("input", () => this.search());
    input.addEventListener("focus", () => this.search());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the field
    list.addEventListener("click", (event) => this.go(event.target instanceof Element ? event.target.closest("[role=option]") : null));
    document.addEventListener("keydown", (event) => this.slash(event));
  }

  slash(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || (event.target instanceof Element && event.target.closest("input, textarea, select"))) return;
    event.preventDefault();
    this.input.focus();
    this.input.select();
  }

  // Returns the paragraphs of the page, each with the anchor to go to and the heading above it.
  read() {
    const blocks = [];
    let heading = "", anchor = "";
    for (const node of document.querySelectorAll(BLOCKS)) {
      const parts = node.tagName === "TR" ? [...node.children] : [node];
      const text = parts.map((part) => (part.textContent ?? "").replace(/\s+/g, " ").trim()).filter(Boolean).join(" · ");
      if (!text) continue;
      if (/^H[23]$/.test(node.tagName)) heading = text;
      if (node.closest("table") && node.tagName !== "TR") continue;
      if (node.parentElement?.tagName === "LI") continue;
      anchor = node.id || anchor;
      blocks.push({ text, found: plain(text), heading: text === heading ? "" : heading, anchor, node });
    }
    return blocks;
  }

  search() {
    this.blocks ??= this.read();
    const hits = matches(this.blocks, this.input.value);
    this.at = -1;
    this.list.replaceChildren(...hits.slice(0, MOST).map((block, number) => this.row(block, number)));
    this.list.hidden = !hits.length;
    this.input.setAttribute("aria-expanded", String(hits.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    this.status.textContent = this.input.value.trim() ? say("rules.number_found", { n: hits.length }) : "";
  }

  row({ text, heading, node }, number) {
    const words = wordsOf(this.input.value);
    const from = Math.max(0, plain(text).indexOf(words[0]) - AROUND);
    const shown = `${from ? "… " : ""}${text.slice(from, from + LONG)}${from + LONG < text.length ? " …" : ""}`;
    const row = html("li", { role: "option", id: `found-${number}`, "aria-selected": "false" }, shown, heading ? html("small", {}, heading) : null);
    this.nodes.set(row, node);
    return row;
  }

  key(event) {
    const rows = [...this.list.children];
    if (event.key === "Escape" && !this.list.hidden) this.close();
    else if (event.key === "Enter") this.go(rows[Math.max(0, this.at)]);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.select(rows, event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  select(rows, step) {
    if (!rows.length) return this.search();
    this.at = this.at < 0 && step < 0 ? rows.length - 1 : (this.at + step + rows.length) % rows.length;
    rows.forEach((row, number) => row.setAttribute("aria-selected", String(number === this.at)));
    this.input.setAttribute("aria-activedescendant", rows[this.at].id);
    rows[this.at].scrollIntoView({ block: "nearest" });
  }

  // Goes to a paragraph: to its anchor where it has one, else it comes into sight and takes the focus.
  go(row) {
    const node = row && this.nodes.get(row);
    if (!node) return;
    this.close();
    if (node.id) location.hash = node.id;
    node.setAttribute("tabindex", "-1");
    node.focus({ preventScroll: true });
    if (!node.id) this.come(node);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}
