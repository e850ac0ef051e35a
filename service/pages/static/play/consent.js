// Undo, resignation, abort, rematch: alone where it is allowed, else by consent.

import { html } from "../replay/elements.js";
import { confirmed } from "../confirmation.js";
import { say } from "../words.js";
import { proposed } from "./pauses.js";

function button(words, act, kind = "") {
  const node = html("button", { type: "button", class: kind }, words);
  node.addEventListener("click", act);
  return node;
}

// The buttons for actions besides moves; `act` sends them.
export function actionButtons(table, act) {
  if (table.over) return table.account ? [] : [rematch(act)]; // beside the points, where there are some
  const back = [];
  const hosted = table.summary.tournament !== null; // directors decide in tournaments, players agree elsewhere
  if (table.undoable) back.push(button(say("play.undo"), () => act("undo")));
  else if (table.returnable && !table.summary.offer && !hosted) back.push(button(say("play.take_back"), () => act("take-back", { to: table.before() })));
  const leave = async (what) => (await confirmed(say(`play.sure_${what}`), say(`play.then_${what}`), say(`play.${what}`), say("play.cancel"))) && act(what);
  const abort = hosted || table.summary.offer ? [] : [button(say("play.abort"), () => leave("abort"))];
  return [...back, button(say("play.resign"), () => leave("resign")), ...abort];
}

// The same seats and options again; the others are asked.
export function rematch(act) {
  return button(say("end.rematch"), () => act("rematch"), "main");
}

// The proposal of another seat, with buttons to agree and decline.
export function offer(table, names, act) {
  const { offer: made } = table.summary;
  if (!made || table.over) return [];
  const name = names[made.seat];
  const sentence = made.what === "pause" ? proposed(made, name) : say(made.what === "abort" ? "play.offers_abort" : "play.offers_take_back", { name });
  const proposal = html("p", {}, html("strong", {}, sentence));
  if (made.seat === table.seat) return [proposal, html("div", { class: "row" }, html("p", {}, say("play.waits_for_answers")), button(say("play.withdraw"), () => act("offer/withdrawal")))];
  if (made.agreed.includes(table.seat)) return [proposal, html("p", {}, say("play.waits_for_answers"))];
  const { version: expected } = table.summary; // the answer is valid for this version only
  const answer = (agrees) => act("offer", { agrees, expected });
  const certain = async () => made.what !== "abort" || confirmed(say("play.sure_agree"), say("play.then_agree"), say("play.agree"), say("play.keep_game"));
  const agree = async () => (await certain()) && answer(true);
  return [proposal, html("div", { class: "row" }, button(say("play.agree"), agree, "main"), button(say("play.decline"), () => answer(false)))];
}
