// The reader's secret: can be saved to a file and restored in another browser.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

const FILE = "cabildo-secret.txt";

// Shown when a commitment of the seat depends on it; unfolded when it is missing.
export function secret(table, changed) {
  const { deal, summary } = table;
  const seat = deal.seat(summary);
  if (!seat?.commitment || table.over || !(deal.missing || seat.link)) return [];
  const said = html("p", { role: "status" });
  const parts = [html("p", {}, say(deal.missing ? "play.secret_missing" : "play.secret_kept")), html("div", { class: "row" }, ...(deal.missing ? [] : [save(deal.vault)]), restore(deal.vault, said, changed)), said];
  return [html("details", { class: "secret-of-seat", open: deal.missing }, html("summary", {}, say("play.secret")), ...parts)];
}

function save(vault) {
  const button = html("button", { type: "button" }, say("play.secret_save"));
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([`${vault.secrets.join("\n")}\n`], { type: "text/plain" }));
    html("a", { href: address, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
  return button;
}

function restore(vault, said, changed) {
  const field = html("input", { type: "file", accept: ".txt,text/plain" });
  field.addEventListener("change", async () => {
    const found = vault.restore(await field.files[0].text());
    said.textContent = found ? "" : say("play.secret_not_there");
    if (found) changed();
  });
  return html("label", { class: "pick" }, html("span", {}, say("play.secret_restore")), field);
}
