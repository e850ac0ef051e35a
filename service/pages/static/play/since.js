// What has happened since the reader's own last move, each step with what it brought.

import { html } from "../replay/elements.js";
import { gained, told } from "../replay/tale.js";
import { say } from "../words.js";

export function since(list, table, setting) {
  const steps = table.since();
  const items = steps.map((step) => html("li", {}, html("a", { href: `/games/${setting.id}#${step.version}` }, told(step, setting.seats)), html("small", {}, gained(step, setting))));
  list.replaceChildren(...(items.length ? items : [html("li", {}, say("play.nothing_since"))]));
  list.scrollTop = list.scrollHeight;
}
