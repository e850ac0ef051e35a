// The list of moves of a chapter: steps of the game, variations below them, glyphs behind the moves.

import { html } from "../replay/elements.js";
import { did, stepSentence } from "../replay/tale.js";
import { say } from "../words.js";

export class List {
  constructor(glyphs) {
    this.glyphs = glyphs;
  }

  // Lists the moves up to `last`, the place of a question; null: all.
  rows(number, tree, notes, seats, last = null) {
    const rows = [];
    for (const place of tree.trunk) {
      const step = tree.steps.get(place);
      const words = step ? stepSentence(step, seats) : say("study.beginning");
      rows.push(this.row(number, place, words, notes[place], 0, step && !step.kept ? "undone" : "trunk", step?.comments?.length ?? 0));
      for (const { place: at, deep, begins } of last === place ? [] : tree.listed(place)) {
        const node = tree.nodes.get(at);
        rows.push(this.row(number, at, did(seats[node.seat], node.label), notes[at], deep, begins ? "begins" : "goes-on"));
      }
      if (last === place) break;
    }
    return rows;
  }

  // `written`: the number of comments of an imported game's record.
  row(number, place, words, note, deep, kind, written = 0) {
    const comments = written + (note?.comments.length ?? 0);
    const signs = this.signs(note);
    const link = html("a", { href: `#${number}/${place}`, "data-place": place }, words);
    if (signs) link.append(html("b", { class: "signs", title: this.meanings(note) }, ` ${signs}`));
    const said = comments ? html("span", { class: "said", title: say("study.comments_here", { n: comments }) }, ` ❝${comments > 1 ? comments : ""}`) : null;
    if (said) link.append(said);
    const item = html("li", { class: kind }, link);
    item.style.marginInlineStart = `${Math.min(deep, 12) * 0.9}rem`;
    return item;
  }

  numbers(note) {
    return [...new Set((note?.marks ?? []).flatMap(({ glyphs }) => glyphs))];
  }

  signs(note) {
    return this.numbers(note).map((number) => this.glyphs[number]?.sign).join(" ");
  }

  meanings(note) {
    return this.numbers(note).map((number) => say(`study.glyph_${number}`)).join(", ");
  }
}
