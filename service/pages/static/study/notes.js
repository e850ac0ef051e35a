// The notes at a place: comments of all authors, the reader's own glyphs and markers.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

export function eyes(value, seats) {
  if (value === null || value === undefined) return "";
  return Number.isInteger(value) ? say("study.as_seat", { name: seats[value] ?? say("common.seat", { seat: value + 1 }) }) : say(`study.as_${value}`);
}

export function named({ author, credit }) {
  return credit ?? author.name ?? say("common.forgotten");
}

// `act` has the actions on a comment: look, write, remove.
export function comments(note, seats, me, owns, act) {
  return (note?.comments ?? []).map((comment) => {
    const body = html("div", { class: "prose" });
    if (comment.html === null) body.textContent = say("study.erased");
    else body.innerHTML = comment.html; // sanitised by the service
    const as = comment.eyes === null ? null : button(eyes(comment.eyes, seats), () => act.look(comment.eyes));
    const mine = comment.author.id === me && comment.credit === null;
    const tools = [mine ? button(say("study.edit"), () => act.write(comment)) : null, mine || owns ? button(say("study.delete"), () => act.remove(comment)) : null];
    return html("article", { class: "comment", "data-comment": comment.comment }, html("header", {}, html("b", {}, named(comment)), " ", as, ...tools), body);
  });
}

// The comments of an imported game's record.
export function written(step) {
  return (step?.comments ?? []).map((comment) => html("article", { class: "comment written" }, html("header", {}, html("b", {}, say("study.written"))), html("div", { class: "prose" }, comment)));
}

export function button(text, press, attributes = {}) {
  const made = html("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

// Toggle buttons of the reader's own glyphs, by family.
export function glyphs(table, chosen, press) {
  const families = {};
  for (const [number, { family, sign }] of Object.entries(table)) {
    const on = chosen.includes(Number(number));
    families[family] ??= [];
    families[family].push(button(sign, () => press(Number(number)), { "aria-pressed": String(on), title: say(`study.glyph_${number}`), "aria-label": say(`study.glyph_${number}`) }));
  }
  return Object.entries(families).map(([family, buttons]) => html("div", { class: "family", role: "group", "aria-label": say(`study.family_${family}`) }, ...buttons));
}

// The glyphs of all authors; an owner may remove the marks of others.
export function marks(note, table, me, owns, remove) {
  const others = (mark) => owns && mark.author.id !== me;
  return (note?.marks ?? [])
    .filter((mark) => mark.glyphs.length || (others(mark) && mark.markers.length))
    .map((mark) => {
      const name = named(mark);
      const away = others(mark) ? button("✕", () => remove(mark), { "aria-label": say("study.remove_marks", { name }) }) : null;
      const said = mark.glyphs.map((number) => say(`study.glyph_${number}`)).join(", ");
      return html("p", { class: "marks" }, html("b", {}, mark.glyphs.map((number) => table[number].sign).join(" ")), said ? ` ${name}: ${said} ` : ` ${name} `, away);
    });
}

export function markers(note) {
  return (note?.marks ?? []).flatMap((mark) => mark.markers);
}

export function ownMarks(note, me) {
  return (note?.marks ?? []).find((mark) => mark.author.id === me && mark.credit === null) ?? { glyphs: [], markers: [] };
}
