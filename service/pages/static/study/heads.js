// The head of a study: chapters, members, title, visibility, and their forms.

import { send } from "../api.js";
import { released } from "../pressed.js";
import { html } from "../replay/elements.js";
import { confirmed } from "../confirmation.js";
import { say } from "../words.js";
import { button } from "./notes.js";
import * as typed from "./typed.js";

export class Heads {
  constructor(desk, editor) {
    this.desk = desk;
    this.editor = editor;
  }

  chapters() {
    const { heading, number } = this.desk.store;
    return heading.chapters.map(({ chapter, title, withheld, lesson }) => {
      const name = withheld ? say("study.withheld") : (title ?? say("study.erased"));
      const link = html("a", { href: `#${chapter}`, "aria-current": chapter === number ? "page" : null }, lesson ? `${name} ?` : name);
      return html("li", {}, link);
    });
  }

  // The forms of owners and writers.
  panel() {
    const { store } = this.desk;
    if (!store.heading.role) return [];
    return [...(store.writes ? [this.newChapter(), this.fromPosition(), this.thisChapter()] : []), ...(store.owns ? [this.study()] : []), this.members()];
  }

  // Sends an edit and renews these forms; a refused edit keeps the typed text.
  async edit(edit, saw) {
    return this.renewed(await this.editor.try(edit, saw));
  }

  async renewed(made) {
    if (!made) return null;
    await released();
    this.desk.renderForms();
    return made;
  }

  form(name, fields, press, of = "") {
    const inside = [html("h3", {}, say(`study.${name}`)), ...fields.filter(Boolean)];
    return typed.form(name, of, { class: "heads" }, inside, async (data) => {
      const made = await press(data).catch(this.desk.fail);
      document.querySelector(`[data-form=${name}] [type=submit]`)?.focus();
      return made;
    });
  }

  text(name, value = "", required = true) {
    return html("input", { type: "text", name, value, maxlength: 200, required: required ? "" : null, "aria-label": say(`study.${name}`), placeholder: say(`study.${name}`) });
  }

  submit(name = "save") {
    return html("button", { type: "submit" }, say(`study.${name}`));
  }

  newChapter() {
    const { store } = this.desk;
    const here = store.chapter && !store.chapter.runs && !store.chapter.withheld ? button(say("study.analyse_here"), () => this.analyseHere().catch(this.desk.fail)) : null;
    return this.form("new_chapter", [this.text("title"), this.text("game_address"), html("div", { class: "row" }, this.submit("add"), here)], async (form) => {
      const id = form.get("game_address").match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)?.[0] ?? form.get("game_address");
      const made = await this.edit({ do: "add_chapter", title: form.get("title"), of: id });
      if (made) location.hash = `#${made[0].chapter}`;
      return made;
    });
  }

  // The form of a new chapter from the shown board.
  async analyseHere() {
    const { store, place } = this.desk;
    const { position } = await store.board(place, "all");
    const { viewer, hides, ...plain } = position;
    const made = await this.edit({ do: "add_chapter", title: say("study.analysis_of", { title: store.chapter.title, place }), game: store.chapter.game, position: plain });
    if (made) location.hash = `#${made[0].chapter}/v0`;
  }

  // The form of a new chapter from a position document.
  fromPosition() {
    const given = html("textarea", { name: "position", rows: 3, required: "", "aria-label": say("study.position"), placeholder: say("study.position") });
    return this.form("from_position", [this.text("title"), given, html("div", { class: "row" }, this.submit("add"))], async (form) => {
      const position = read(form.get("position"));
      const made = await this.edit({ do: "add_chapter", title: form.get("title"), game: position.game, position });
      if (made) location.hash = `#${made[0].chapter}/v0`;
      return made;
    });
  }

  thisChapter() {
    const { chapter } = this.desk.store;
    if (!chapter || chapter.withheld) return null;
    const saw = this.desk.store.heading.version;
    const lesson = html("input", { type: "checkbox", name: "lesson", checked: chapter.lesson ? "" : null });
    const eyes = this.desk.eyesChoice(say("study.eyes"), chapter.eyes);
    eyes.name = "eyes";
    const act = (what, edit) => button(say(`study.${what}`), ({ target }) => {
      typed.discard(target.form); // the chapter has changed since the text was typed
      this.edit({ ...edit, chapter: chapter.chapter });
    });
    const moves = this.places(chapter.chapter).map(([name, before]) => act(name, { do: "change_chapter", before }));
    const remove = button(say("study.delete_chapter"), async ({ target }) => {
      if (!(await this.editor.certain("chapter"))) return;
      typed.discard(target.form);
      await this.renewed(await this.editor.remove({ do: "delete_chapter", chapter: chapter.chapter }));
    });
    return this.form("this_chapter", [this.text("title", chapter.title), eyes, html("label", { class: "switch" }, lesson, say("study.lesson")), html("div", { class: "row" }, this.submit(), ...moves, remove)], (form) => {
      const seen = form.get("eyes");
      return this.edit({ do: "change_chapter", chapter: chapter.chapter, title: form.get("title"), lesson: form.has("lesson"), eyes: seen === "" ? null : /^\d$/.test(seen) ? Number(seen) : seen }, saw);
    }, chapter.chapter);
  }

  // The buttons that move a chapter up and down.
  places(number) {
    const all = this.desk.store.heading.chapters.map(({ chapter }) => chapter);
    const at = all.indexOf(number);
    const earlier = at > 0 ? [["move_earlier", all[at - 1]]] : [];
    return at < all.length - 1 ? [...earlier, ["move_later", all[at + 2] ?? null]] : earlier;
  }

  study() {
    const { heading } = this.desk.store;
    const saw = heading.version;
    const choice = html("select", { name: "visibility", "aria-label": say("study.visibility") }, ...["private", "unlisted", "public"].map((one) => html("option", { value: one, selected: heading.visibility === one ? "" : null }, say(`study.${one}`))));
    const frame = `<iframe src="${location.origin}/studies/${heading.id}/embed" width="900" height="700"></iframe>`;
    const code = heading.visibility === "private" ? null : html("input", { type: "text", readonly: "", value: frame, "aria-label": say("study.frame"), title: say("study.frame") });
    const row = html("div", { class: "row" }, this.submit(), button(say("study.delete_study"), () => this.remove(saw).catch(this.desk.fail)));
    return this.form("the_study", [this.text("title", heading.title ?? ""), choice, code, row], (form) => this.edit({ do: "settle", title: form.get("title"), visibility: form.get("visibility") }, saw));
  }

  // Deletes the study at the version that was seen.
  async remove(saw) {
    if (!(await confirmed(say("study.sure_delete"), say("study.then_deleted"), say("study.delete_study"), say("study.keep_it")))) return;
    const { store } = this.desk;
    await this.left(() => send(`${store.path}?${new URLSearchParams({ saw })}`, null, "DELETE"));
  }

  // Goes to the list of studies after what ends the right to read this one.
  async left(act) {
    if (await this.editor.attempt(() => this.desk.store.leave(act))) location.assign("/studies");
  }

  members() {
    const { heading, owns } = this.desk.store;
    const rows = heading.members.map(({ player, role }) => {
      const leave = owns || player.id === this.desk.setting.player ? button("✕", () => this.dismiss(player), { "aria-label": say("study.remove_member", { name: player.name ?? say("common.forgotten") }) }) : null;
      return html("li", {}, `${player.name ?? say("common.forgotten")} (${say(`study.role_${role}`)}) `, leave);
    });
    const list = html("ul", { class: "members" }, ...rows);
    if (!owns) return html("section", { class: "heads" }, html("h3", {}, say("study.members")), list);
    const role = html("select", { name: "role", "aria-label": say("study.role") }, ...["writer", "reader", "owner"].map((one) => html("option", { value: one }, say(`study.role_${one}`))));
    const add = this.form("members", [this.text("player"), html("div", { class: "row" }, role, this.submit("add"))], (form) => this.edit({ do: "member", player: form.get("player"), role: form.get("role") }));
    return html("div", {}, add, list);
  }

  // Asks for confirmation, because a member cannot return alone.
  async dismiss(player) {
    const leaves = player.id === this.desk.setting.player;
    if (leaves && !(await confirmed(say("study.sure_leave"), say("study.then_leave"), say("study.leave"), say("study.keep_it")))) return;
    const edit = { do: "member", player: player.id, role: null };
    const { path, heading } = this.desk.store;
    if (leaves && heading.visibility === "private") await this.left(() => send(`${path}/edits`, { edits: [edit], saw: heading.version }));
    else await this.edit(edit);
  }

  async clone() {
    const made = await send(`${this.desk.store.path}/clones`, { tickets: this.desk.store.passed });
    location.assign(`/studies/${made.study}`);
  }
}

// Parses a position; throws for other text.
function read(text) {
  try {
    const given = JSON.parse(text);
    const position = given?.position ?? given; // a study's answer wraps the position
    if (typeof position?.game === "string") return position;
  } catch {
    // no JSON either
  }
  throw new Error(say("study.no_position"));
}
