// Tells new steps and the reader's next decision: to screen readers, and by sounds.

import { byId } from "../elements_by_id.js";
import { html } from "../replay/elements.js";
import { sound } from "../sounds.js";
import { announcement } from "./log.js";

const KEPT = 30; // announcements that stay readable

export class Announcer {
  constructor(table, setting) {
    this.table = table;
    this.setting = setting;
    this.version = null; // of the last step that was announced
    this.decision = "";
    this.mine = true;
  }

  announce() {
    const { table } = this;
    const begun = this.version === null;
    const fresh = begun ? table.since() : table.story.filter(({ version }) => version > this.version);
    this.version = Math.max(this.version, ...table.story.map(({ version }) => version));
    const lines = fresh.slice(-KEPT).map((step) => announcement(step, this.setting));
    const decision = byId("prompt").textContent;
    const matters = table.mine || table.over || this.mine;
    if (matters && (decision !== this.decision || (lines.length && table.mine))) lines.push(decision);
    const others = fresh.some(({ kind, seat }) => kind === "moved" && seat !== table.seat);
    if (!begun && (others || (table.mine && !this.mine))) sound(table.mine ? "turn" : "move");
    Object.assign(this, { decision, mine: table.mine });
    say(lines);
  }
}

function say(lines) {
  byId("said").append(...lines.map((line) => html("p", {}, line)));
  while (byId("said").childElementCount > KEPT) byId("said").firstChild.remove();
}
