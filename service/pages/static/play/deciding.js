// From a chosen move to a played one: tries it, asks for confirmation when it cannot be undone, plays it once.

export class Deciding {
  // `page` shows questions and failures; `asks` tells which moves are confirmed: "all", "final" or "none".
  constructor(table, view, page) {
    this.table = table;
    this.view = view;
    this.page = page;
    this.busy = null;
  }

  choose(offer) {
    return this.alone(() => this.weigh(offer));
  }

  commit(move) {
    return this.alone(() => this.make(move));
  }

  // Leaves the chosen move as an answer, which the service plays now and whenever it is legal at this decision.
  always(move) {
    return this.alone(async () => {
      this.view.before = this.table.position;
      const { version } = this.table.summary;
      await this.page.leave(move);
      await this.page.made(version + 1);
    });
  }

  // Handles one click for a board; ignores a second click on the same board.
  async alone(deed) {
    const { version } = this.table.summary;
    if (this.busy === version) return;
    this.busy = version;
    this.page.wait(true);
    try {
      await deed();
    } catch (problem) {
      this.page.fail(problem);
    } finally {
      if (this.busy === version) {
        this.busy = null;
        this.page.wait(false);
      }
    }
  }

  async weigh(offer) {
    this.page.complain("");
    const [no] = offer.label ? [] : await this.table.refusals([offer.move]); // composed in an editor
    if (no) return this.page.complain(no.sentence, no.rule_page);
    const trial = await this.table.try(offer.move);
    const known = { label: offer.label ?? trial.move, effect: offer.effect ?? "", move: trial.move };
    const final = this.isFinal(trial);
    const asks = this.page.asks();
    if (asks !== "all" && !(asks === "final" && final)) return this.make(known);
    this.view.chosen = { ...known, trial, final };
    return this.page.ask();
  }

  // Draws cannot be undone, and bots and the end of the game answer at once.
  isFinal({ chance, turn }) {
    if (chance === "hidden" || !turn) return true;
    return turn.seat !== this.table.seat && Boolean(this.table.summary.seats[turn.seat].bot);
  }

  async make({ move }) {
    this.view.before = this.table.position;
    const { version } = await this.table.play(move);
    this.page.complain("");
    await this.page.made(version);
  }
}
