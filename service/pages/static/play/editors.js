// Editors for choices too many to list: fill in the parts, get a move in the game's notation.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

const GOODS = ["corn", "indigo", "sugar", "tobacco", "coffee"];
const CUBES = { turmeric: "y", saffron: "r", cardamom: "g", cinnamon: "b" };

// The editors of a decision; `choose` gets the text of the move. The mayor's is in placement.js.
export function editors(slots, setting, choose) {
  const found = [];
  if (slots.goods && "kinds" in slots) found.push(store(slots, setting, choose));
  if (slots.small_wharf) found.push(heaps("small_wharf", say("play.small_wharf"), slots.small_wharf, setting, choose));
  if (slots.black_market) found.push(market(slots, setting, choose));
  if (slots.guests) found.push(guests(slots, setting, choose));
  for (const [name, { cubes, of }] of Object.entries(slots).filter(([name]) => name.startsWith("buy "))) found.push(payment(name, cubes, of, setting, choose));
  if (slots.drop) found.push(drop(slots.drop, setting, choose));
  return found;
}

// An editor with a button that is enabled when `isMove` returns true.
function form(title, parts, text, isMove, choose) {
  const send = html("button", { class: "main" }, say("play.choose"));
  const editor = html("form", { class: "editor" }, html("h3", {}, title), ...parts, send);
  const update = () => (send.disabled = !isMove());
  for (const kind of ["click", "change"]) editor.addEventListener(kind, update);
  update();
  editor.addEventListener("submit", (event) => {
    event.preventDefault();
    choose(text());
  });
  return editor;
}

// A number with buttons to step it up and down.
export function counter(label, most, start, changed = (_value) => {}) {
  let value = start;
  const output = html("output", {}, String(value));
  const step = (by, sign, name) => {
    const button = html("button", { type: "button", "aria-label": `${label}: ${name}`, "data-key": `${label} ${sign}` }, sign);
    button.addEventListener("click", () => {
      value = Math.min(most, Math.max(0, value + by));
      output.textContent = String(value);
      changed(value);
    });
    return button;
  };
  const node = html("div", { class: "counter", role: "group", "aria-label": label }, html("span", {}, label), step(-1, "−", say("play.fewer")), output, step(1, "+", say("play.more")), html("small", {}, `/ ${most}`));
  return { node, get value() { return value; } };
}

const total = (counters) => counters.reduce((sum, [, { value }]) => sum + value, 0);

function heaps(verb, title, most, setting, choose, hint = "", isMove = (numbers) => numbers.some(Boolean)) {
  /** @type {[string, {node: Element, value: number}][]} */
  const counters = GOODS.filter((good) => most[good]).map((good) => [good, counter(setting.names.goods[good], most[good], 0)]);
  const text = () => [verb, ...counters.filter(([, { value }]) => value).map(([good, { value }]) => `${good}=${value}`)].join(" ");
  return form(title, [hint ? html("p", {}, hint) : "", ...counters.map(([, { node }]) => node)], text, () => isMove(counters.map(([, { value }]) => value)), choose);
}

// Whole kinds go to the largest heaps, single places to the rest.
function store({ goods, kinds, singles }, setting, choose) {
  const isMove = (kept) => kept.sort((one, other) => other - one).slice(kinds).reduce((sum, number) => sum + number, 0) <= singles;
  return heaps("store", say("play.store"), goods, setting, choose, say("play.store_room", { kinds, singles }), isMove);
}

function options(name, values) {
  const select = html("select", { "aria-label": name }, ...values.map(([value, label]) => html("option", { value }, label)));
  return [html("label", { class: "pick" }, html("span", {}, name), select), select];
}

function placed(text, setting) {
  const [person, place] = text.split("@");
  const where = setting.names.buildings[place] ?? setting.names.tiles[place] ?? say("play.san_juan");
  return `${say(`play.${person}`, { n: 1 })}: ${where}`;
}

function market({ black_market: missing, persons, goods, vp }, setting, choose) {
  const none = ["", "—"];
  const [which, building] = options(say("play.building"), Object.entries(missing).map(([name, n]) => [name, `${setting.names.buildings[name]} (${n})`]));
  const [who, person] = options(say("play.person"), [none, ...persons.map((text) => [text, placed(text, setting)])]);
  const [what, good] = options(say("play.good"), [none, ...goods.map((name) => [name, setting.names.goods[name]])]);
  const [chip, point] = options(say("play.point"), vp ? [none, ["vp", "1"]] : [none]);
  const items = () => [person.value, good.value, point.value].filter(Boolean);
  const text = () => `build ${building.value} black_market=${items().join(",")}`;
  const isMove = () => items().length === missing[building.value];
  return form(say("play.black_market"), [html("p", {}, say("play.black_market_how")), which, who, what, chip], text, isMove, choose);
}

function guests({ guests: { colonists, nobles: guestNobles }, places }, setting, choose) {
  const named = Object.keys(places).map((place) => [place, setting.names.buildings[place] ?? setting.names.tiles[place]]);
  const each = (person) => named.map(([place, name]) => [person === "noble" ? `noble@${place}` : place, `${say(`play.${person}`, { n: 1 })}: ${name}`]);
  const all = [["", "—"], ...(colonists ? each("colonist") : []), ...(guestNobles ? each("noble") : [])];
  const picks = [1, 2].slice(0, colonists + guestNobles).map((n) => options(say("play.guest", { n }), all));
  const text = () => ["guest", ...picks.map(([, select]) => select.value).filter(Boolean)].join(" ");
  const isMove = () => {
    const sent = picks.map(([, { value }]) => value).filter(Boolean);
    const nobles = sent.filter((guest) => guest.startsWith("noble@")).length;
    const to = sent.map((guest) => guest.split("@").at(-1));
    const room = to.every((place) => to.filter((other) => other === place).length <= places[place]);
    return sent.length > 0 && nobles <= guestNobles && sent.length - nobles <= colonists && room;
  };
  return form(say("play.guests"), picks.map(([label]) => label), text, isMove, choose);
}

// A cube for each card to the left, in order.
function payment(name, cubes, of, setting, choose) {
  const kinds = Object.keys(of).map((kind) => [CUBES[kind], setting.names.spices[kind]]);
  const picks = Array.from({ length: cubes }, (_, at) => options(say("play.on_card", { n: at + 1 }), kinds));
  const text = () => `${name} ${picks.map(([, select]) => select.value).join(",")}`;
  const laid = (letter) => picks.filter(([, select]) => select.value === letter).length;
  const isMove = () => Object.entries(of).every(([kind, most]) => laid(CUBES[kind]) <= most);
  return form(say("play.pay_for", { n: Number(name.split(" ")[1]) }), picks.map(([label]) => label), text, isMove, choose);
}

function drop({ cubes, of }, setting, choose) {
  const counters = Object.entries(of).map(([kind, most]) => [CUBES[kind], counter(setting.names.spices[kind], most, 0)]);
  const text = () => ["drop", ...counters.filter(([, { value }]) => value).map(([letter, { value }]) => `${letter}=${value}`)].join(" ");
  return form(say("play.drop", { n: cubes }), counters.map(([, { node }]) => node), text, () => total(counters) === cubes, choose);
}
