// The invitations in the waiting room: link, QR code, buttons to copy and to share.

import { copied, sharable, share } from "../learn/invite.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";

// The host has a link for each seat that waits for its code; an open table has one link for all.
export function invitations({ id, invites, seats }) {
  const table = `${location.origin}/games/${id}/play`;
  const codes = Object.entries(invites ?? {});
  if (codes.length) return codes.map(([chair, code]) => invitation(id, `${table}?invite=${code}`, say("play.invitation", { chair: Number(chair) + 1 }), `?chair=${chair}`));
  return seats.some(({ player, bot, kept_for: kept }) => !player && !bot && kept === "open") ? [invitation(id, table, say("guide.table_link"), "")] : [];
}

function invitation(game, link, label, asked) {
  const field = html("input", { readonly: "", value: link, "aria-label": label });
  const copy = html("button", { type: "button" }, say("play.copy"));
  const send = html("button", { type: "button" }, say("guide.share_sheet"));
  const code = html("details", {}, html("summary", {}, say("guide.qr")), html("img", { src: `/games/${game}/invite.svg${asked}`, width: "220", height: "220", alt: say("guide.qr"), loading: "lazy" }));
  field.addEventListener("focus", () => field.select());
  copy.addEventListener("click", async () => {
    field.select();
    if (await copied(link, field)) copy.textContent = `✓ ${say("play.copied")}`;
  });
  send.hidden = !sharable(link);
  send.addEventListener("click", () => share(link, document.title));
  return html("div", { class: "invitation" }, html("small", {}, label), html("div", { class: "row" }, field, copy, send), code);
}
