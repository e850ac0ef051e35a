// What has happened since the reader's own last move, each step with what it brought.

import { html } from "../replay/elements.js";
import { forced, gained, told } from "../replay/tale.js";
import { say } from "../words.js";

export function since(list, table, setting) {
  const steps = table.since();
  const items = steps.map((step) => {
    const link = html("a", { href: `/games/${setting.id}#${step.version}` }, told(step, setting.seats));
    return html("li", {}, link, ...[gained(step, setting), ...forced(step, setting.seats)].map((said) => html("small", {}, said)));
  });
  list.replaceChildren(...(items.length ? items : [html("li", {}, say("play.nothing_since"))]));
  list.scrollTop = list.scrollHeight;
}

// The same for the ear: what was done, what it brought, what followed by itself.
export function spoken(step, setting) {
  const sentences = [told(step, setting.seats), gained(step, setting)].filter(Boolean).map((said) => `${said}.`);
  return [...sentences, ...forced(step, setting.seats)].join(" ");
}
