// The page of the rules: search while one types, and the worked examples drawn as boards.

import { byId } from "../elements_by_id.js";
import { drawExamples } from "./examples.js";
import { Place } from "./place.js";
import { Search } from "./search.js";

const setting = JSON.parse(byId("setting").textContent);
const place = new Place(byId("book"));
new Search(byId("find", HTMLInputElement), byId("found"), byId("number"), (node) => place.hold(node, "center"));
drawExamples(setting);
if (matchMedia("(min-width: 62rem)").matches) document.querySelector(".contents details")?.setAttribute("open", "");
reachTables();
addEventListener("resize", reachTables);

// Lets keys reach the tables that are wider than the page, to scroll them.
function reachTables() {
  for (const table of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#book table"))) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
    else table.removeAttribute("tabindex");
  }
}
