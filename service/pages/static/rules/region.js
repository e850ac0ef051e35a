// The rules beside the board: what each piece of the game does, filtered as one types, and the way to the whole text.

import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { facts } from "./facts.js";
import { plain, wordsOf } from "./plain.js";

// Fills the region once; resolves when it has its content. `inPlay` returns the buildings of the game by name; null: any.
export async function fill(region, game, inPlay) {
  const known = await facts(game);
  const list = html("ul", { class: "piece-list" });
  const find = html("input", { type: "search", "aria-label": say("rules.search"), placeholder: say("rules.search"), autocomplete: "off" });
  const there = (name) => {
    const buildings = inPlay();
    return !buildings || !name.startsWith("buildings.") || name.split(".")[1] in buildings;
  };
  const show = () => {
    const words = wordsOf(find.value);
    const rows = Object.entries(known).filter(([name, { name: called, effect }]) => there(name) && words.every((word) => plain(`${called} ${effect}`).includes(word)));
    list.replaceChildren(...rows.map(([, piece]) => row(piece)));
  };
  find.addEventListener("input", show);
  find.addEventListener("focus", show); // buildings may have come into the game
  region.append(html("p", {}, html("a", { href: `/rules/${game}`, target: "_blank", rel: "noopener" }, say("rules.all"))), find, list);
  show();
}

function row({ name, effect, cost, points, rule_page: page }) {
  const numbers = [cost === undefined ? "" : say("rules.cost", { n: cost }), points === undefined ? "" : say("rules.points", { n: points })].filter(Boolean).join(" · ");
  return html("li", {}, html("a", { href: page, target: "_blank", rel: "noopener" }, name), numbers ? html("small", {}, ` ${numbers}`) : null, html("p", {}, effect));
}
