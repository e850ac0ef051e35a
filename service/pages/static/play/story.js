// What has happened: the log, the number of the round, the roles by round.

import { byId } from "../elements_by_id.js";
import { endPanel } from "../end/panel.js";
import { choices } from "../replay/choices.js";
import { html } from "../replay/elements.js";
import * as tale from "../replay/tale.js";
import { say } from "../words.js";
import { rematch } from "./consent.js";
import { Log } from "./log.js";
import { LogStart } from "./log_start.js";
import { searching } from "./log_search.js";
import { offer } from "./regions.js";

const NEXT = { kept: true, facts: [], turn: null, seat: null, version: null }; // the decision to come, which may begin a round

// Returns the function that shows the story of the table.
export function storyTeller(setting, act) {
  const log = new Log(byId("log"), setting);
  const start = new LogStart(() => log.show(start.table.story, null));
  const searchAgain = searching(byId("log"), (begins) => start.readAll(begins));
  return (table) => {
    setting.read = (versions) => table.readVersions(versions);
    log.show(table.story, table.steps[table.own - 1]);
    start.show(table);
    searchAgain();
    if (table.steps.length) showRounds(table, setting);
    if (table.account && !byId("end").childElementCount) byId("end").replaceChildren(ending(table, setting, act));
  };
}

function showRounds(table, setting) {
  const rounds = tale.rounds([...table.steps, ...(table.over ? [] : [NEXT])]);
  const { round } = rounds.at(-1);
  byId("round").textContent = tale.roundName(table.position.phase?.name === "draft" ? 0 : round);
  if (!setting.names.roles) return;
  const drawn = choices(table.steps, rounds, table.steps.length - 1, setting);
  for (const link of drawn.querySelectorAll("a")) link.href = `/games/${setting.id}${link.getAttribute("href")}`;
  byId("roles-by-round").replaceChildren(drawn);
  offer("rounds");
}

function ending(table, setting, act) {
  const link = (version) => `/games/${setting.id}#${version}`;
  const replay = html("a", { class: "button", href: link(table.steps.at(-1).version) }, say("end.replay"));
  return endPanel(table.account, table.steps, setting, link, [...(table.joined ? [rematch(act)] : []), replay]);
}

// The roles that a seat has taken in this round.
export function rolesOf(table, seat, setting) {
  return (table.position.players[seat].role ?? []).map((role) => setting.names.roles[role]);
}
