// Messages as parts of a log; texts are never parsed as markup, and addresses in them are no links.

import { localTime } from "../local_times.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";

const GONE = { erased: "talk.erased", hidden: "talk.hidden", muted: "talk.muted" }; // why a text is not shown

// Returns the item of a message; `deeds` are the reader's own: erase, mute, report.
export function item(message, { player, covers, several, reports }, deeds) {
  const own = message.by.id === player;
  const who = html("b", { class: message.by.seat === null ? "" : `speaker seat-${message.by.seat}` }, message.by.name ?? say("talk.forgotten"));
  const room = several ? html("small", { class: "room" }, say(`talk.room_${message.room}`)) : "";
  const text = message.state === "shown" ? html("span", { class: "said", dir: "auto" }, ...worded(message, covers)) : html("i", {}, say(GONE[message.state]));
  const names = own ? ["erase"] : reports ? ["mute", "report"] : ["mute"];
  const menu = player && message.state === "shown" ? choices(message, names, deeds) : "";
  return html("div", { class: own ? "message own" : "message", "data-number": message.number }, html("span", { class: "head" }, who, room, html("time", { class: "at", datetime: message.at }, localTime(message.at)), menu), text);
}

function choices(message, names, deeds) {
  const buttons = names.map((name) => {
    const button = html("button", { type: "button" }, say(`talk.${name}`, { name: message.by.name ?? say("talk.forgotten") }));
    button.addEventListener("click", () => deeds[name](message));
    return button;
  });
  return html("details", { class: "deeds" }, html("summary", { title: say("talk.deeds"), "aria-label": say("talk.deeds") }, "⋯"), html("span", { class: "row" }, ...buttons));
}

// The text in pieces: a covered word is a button that uncovers it.
function worded({ text, rough }, covers) {
  if (!covers) return [text];
  const letters = [...text];
  let at = 0;
  const pieces = rough.flatMap(([from, to]) => {
    const before = letters.slice(at, from).join("");
    at = to;
    return [before, cover(letters.slice(from, to).join(""))];
  });
  return [...pieces, letters.slice(at).join("")];
}

function cover(word) {
  const button = html("button", { type: "button", class: "cover", title: say("talk.uncover"), "aria-label": say("talk.uncover") }, "•••");
  button.addEventListener("click", () => {
    const shown = html("span", { tabindex: "-1" }, word);
    button.replaceWith(shown);
    shown.focus();
  });
  return button;
}
