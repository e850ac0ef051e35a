// The contribution of the reader's seat to the deal: entropy in clear, or a commitment, its reveal, and links.

import { hex } from "../verify/bytes.js";
import { say } from "../words.js";
import { get, Refused, send } from "../api.js";
import { able, commitmentOf, entropyOf, randomSecret, Vault } from "./vault.js";

const OPEN = 1;
const SEALED = 2;
const CHAINED = 3;
const NOT_SEALED = "not_sealed";
const SEALING = 600; // milliseconds until the log has usually sealed commitments

export class Deal {
  constructor(path, player) {
    this.path = path;
    this.player = player;
    this.vault = new Vault(player);
    this.missing = false;
  }

  // Returns the fields that take a chair.
  seatFields(summary) {
    return summary.chance.level === OPEN ? { entropy: hex(randomSecret()) } : this.promise(summary);
  }

  // The commitment follows when it is required.
  promise({ chance: { level } }) {
    return level >= SEALED && able ? { commits: true } : {};
  }

  seat({ seats }) {
    return seats.find(({ player }) => player?.id === this.player);
  }

  // Returns whether the seat still owes a commitment or a reveal.
  owes(summary) {
    const seat = this.seat(summary);
    if (summary.status !== "open" || !seat || !able) return false;
    return seat.commitment ? summary.chance.closed !== null && !seat.entropy : seat.promised;
  }

  // Sends what the seat owes, in one tab only; returns whether the table has to be reloaded.
  async sendOwed(summary) {
    await this.findSecret(summary);
    if (!this.owes(summary) || this.missing) return false;
    return navigator.locks.request(`cabildo-deal-${summary.id}`, async () => {
      const now = await get(this.path);
      if (this.owes(now)) await (this.seat(now).commitment ? this.reveal(now) : this.commit(now));
      return true;
    });
  }

  async commit(summary) {
    const { id, chance } = summary;
    const { chair } = this.seat(summary);
    const secret = this.vault.newest();
    const contribution = { commitment: await commitmentOf(id, chair, await entropyOf(secret, id, chair)), echo: chance.commitment };
    if (chance.level === CHAINED) [contribution.chain] = await this.vault.chain(secret, id, chair);
    await send(`${this.path}/seats`, contribution);
  }

  // Reveals the committed entropy after the log has sealed all commitments.
  async reveal(summary) {
    const seat = this.seat(summary);
    await new Promise((sealed) => setTimeout(sealed, SEALING));
    try {
      await send(`${this.path}/entropy`, { entropy: await entropyOf(await this.vault.secretOf(summary.id, seat), summary.id, seat.chair) });
    } catch (refused) {
      if (refused.type !== NOT_SEALED) throw refused;
    }
  }

  // Finds out whether this browser has the secret behind the seat's commitment.
  async findSecret(summary) {
    const seat = this.seat(summary);
    const waits = (summary.status === "open" && !seat?.entropy) || (summary.status === "running" && seat?.link);
    this.missing = Boolean(waits && seat?.commitment) && !(able && (await this.vault.secretOf(summary.id, seat)));
  }

  // Returns the next link of the seat's chain, if it has one.
  async link(summary) {
    const seat = this.seat(summary);
    if (!seat?.link) return {};
    const secret = able ? await this.vault.secretOf(summary.id, seat) : undefined;
    if (!secret) throw new Refused({ sentence: say("play.secret_missing") });
    return { link: (await this.vault.chain(secret, summary.id, seat.chair))[seat.link.number + 1] };
  }
}
