// Where the log of a long game begins: older parts are read by a button, by scrolling, or all of them for a search.

import { Away } from "../api.js";
import { byId } from "../elements_by_id.js";
import { offerMore } from "../replay/step_list.js";

const EDGE = 40; // pixels

export class LogStart {
  // `shown` lists the older steps that were read.
  constructor(shown) {
    this.shown = shown;
    this.table = null;
    this.button = byId("log-earlier");
    this.reading = null;
    const list = byId("log");
    this.button.addEventListener("click", async () => {
      const top = list.firstElementChild;
      await this.read();
      /** @type {HTMLElement | null | undefined} */ (top?.previousElementSibling?.querySelector("a"))?.focus();
    });
    list.addEventListener("scroll", () => list.scrollTop < EDGE && !byId("log-search", HTMLInputElement).value && this.read());
  }

  // Offers what is left out of the log.
  show(table) {
    this.table = table;
    offerMore(this.button, "replay.earlier", table.unread);
  }

  // Reads one more part, or the parts down to a number; one reading at a time.
  async read(number = undefined) {
    if (!this.table || this.table.whole) return;
    this.reading ??= this.table.readOlder(number).finally(() => (this.reading = null));
    try {
      await this.reading;
    } catch (problem) {
      if (!(problem instanceof Away)) throw problem;
    }
    this.shown();
    this.show(this.table);
  }

  // Reads all that is left; `begins` hears when there is something to wait for.
  async readAll(begins) {
    if (this.table?.whole === false) begins();
    await this.reading;
    await this.read(0);
  }
}
