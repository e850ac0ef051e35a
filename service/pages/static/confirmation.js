// Confirmation of actions that cannot be undone.

import { byId } from "./elements_by_id.js";
import { html } from "./replay/elements.js";

// Asks in the page's dialog; resolves to the answer.
export function confirmed(question, consequence, yes, no) {
  const dialog = byId("sure", HTMLDialogElement);
  const go = html("button", { class: "main", value: "yes" }, yes);
  const stay = html("button", { value: "" }, no);
  dialog.replaceChildren(html("form", { method: "dialog" }, html("h2", { id: "sure-title" }, question), html("p", {}, consequence), html("div", { class: "row" }, go, stay)));
  dialog.returnValue = "";
  dialog.showModal();
  stay.focus();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}
