// The page of running games: the front game live with a curve of what spectators may know, and the list, renewed.

import { get } from "../api.js";
import { byId } from "../elements_by_id.js";
import { LiveBoard } from "../live_board.js";
import { chart } from "../replay/chart.js";
import { html } from "../replay/elements.js";
import { openSeries, rowsWithoutBoards } from "../replay/open_series.js";
import { FACTS, outlined } from "../replay/outline.js";
import { playerTabs } from "../replay/players.js";
import { explain } from "../rules/popovers.js";
import { inLanguage, say } from "../words.js";

const EVERY = 30_000; // milliseconds between two readings of the list
const LONGEST = 2000; // steps of the curve
const setting = JSON.parse(document.getElementById("setting")?.textContent ?? "null");
let steps = [];
let names = []; // of the seats, as the board shows them

// Draws the curve of what spectators may know; the numbers at the lines are those of the seats on the board.
function curve() {
  const name = chosenSeries();
  const rows = rowsWithoutBoards(setting.game, name, steps, names.length);
  document.getElementById("chart").replaceChildren(chart(rows, rows.length - 1, say(`board.series_${name}`)));
}

// Returns the series that the reader chose; offers those that spectators may know.
function chosenSeries() {
  const series = byId("series", HTMLSelectElement);
  const known = openSeries(setting.game, steps);
  if ([...series.options].map(({ value }) => value).join() !== known.join()) {
    const { value } = series;
    series.replaceChildren(...known.map((name) => html("option", { value: name }, say(`board.series_${name}`))));
    series.value = known.includes(value) ? value : known[0];
  }
  return series.value;
}

function drawn(step, position, seats) {
  playerTabs(document.getElementById("board"), seats, 0, position.turn?.seat);
  if (typeof step.back_to === "number") steps = steps.filter(({ version }) => version <= step.back_to);
  else if (!steps.some(({ version }) => version >= step.version)) steps = [...steps, step].slice(-LONGEST);
  names = seats;
  curve();
}

async function start() {
  steps = outlined(await get(`/v1/games/${setting.id}/outline?facts=${FACTS}`)).slice(-LONGEST);
  byId("series").addEventListener("change", curve);
  const live = new LiveBoard(setting, drawn, () => (byId("over").hidden = false));
  document.querySelector(".front .title").append(explain(document.getElementById("board"), () => live.shown()));
  live.start();
}

// Renews the list while the page is looked at, but not under the focus of a reader.
async function renew() {
  const shown = document.getElementById("others");
  if (document.hidden || shown.contains(document.activeElement)) return;
  const answer = await fetch(inLanguage("/watch"), { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById("others");
  if (!found) return;
  for (const game of found.querySelectorAll("li")) game.hidden = game.dataset.game === setting?.id;
  shown.replaceChildren(...found.childNodes);
}

if (setting) start().catch(() => setTimeout(() => location.reload(), EVERY)); // the game was hidden or cannot be reached
setInterval(() => renew().catch(() => {}), EVERY);
