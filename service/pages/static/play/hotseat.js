// Several people at one screen: a cover between their hidden hands, and buttons to hand the table over.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

const SHOWN = "cabildo-shown"; // the person who has lifted the cover, until the page has read it

// Returns whether the page begins behind a cover: nobody of several at this screen has just asked to see this seat.
export function beginsCovered({ screen, player }) {
  if (screen.length < 2) return false;
  const shown = sessionStorage.getItem(SHOWN);
  sessionStorage.removeItem(SHOWN);
  return shown !== player;
}

// Returns who is to lift the first cover: the person to act, else the one whose seat the address names.
export function firstToSee({ screen, turn, player }) {
  return screen.find(({ id }) => id === turn) ?? screen.find(({ id }) => id === player);
}

// Covers the table when another person at this screen is to act. Returns whether it is covered.
export function coverForTurn({ summary, over }, { screen, player }) {
  const next = !over && summary.turn ? summary.seats.find(({ seat }) => seat === summary.turn.seat)?.player?.id : null;
  const person = screen.find(({ id }) => id === next);
  if (!person || person.id === player) return false;
  cover(person);
  return true;
}

// Covers the whole page until the person shows the table.
export function cover({ id, name }) {
  if (document.getElementById("cover")) return;
  const show = html("button", { type: "button", class: "main" }, say("guide.show_table", { name }));
  show.addEventListener("click", () => reveal(id));
  const covered = /** @type {HTMLDialogElement} */ (html("dialog", { id: "cover", "aria-labelledby": "cover-title" }, html("h2", { id: "cover-title" }, say("guide.hand_over", { name })), html("p", {}, say("guide.hand_over_more", { name })), show));
  covered.addEventListener("cancel", (event) => event.preventDefault());
  covered.addEventListener("close", () => covered.showModal()); // a second Escape or "back" closes it all the same
  document.body.append(covered);
  document.querySelector("main")?.setAttribute("hidden", "");
  covered.showModal();
}

// Loads the table as the person sees it.
function reveal(id) {
  sessionStorage.setItem(SHOWN, id);
  const host = JSON.parse(document.getElementById("setting")?.textContent ?? "{}").host;
  location.replace(id === host ? location.pathname : `${location.pathname}?as=${id}`);
}

// The buttons that hand the table over, one for each other person.
export function handOver({ screen, player }) {
  const others = screen.filter(({ id }) => id !== player);
  return others.map((person) => {
    const button = html("button", { type: "button" }, say("guide.hand_over", { name: person.name }));
    button.addEventListener("click", () => cover(person));
    return button;
  });
}
