// The reader's own settings, which the service wrote to the page: how it looks, moves, sounds and asks.

const channel = new BroadcastChannel("cabildo-settings");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const USUAL = { theme: "system", motion: "system", colours: "usual", sounds: "off", volume: "50", confirm: "final" };
const heard = new Set();

channel.addEventListener("message", ({ data }) => take(data));

// Returns a setting, such as "theme".
/** @param {string} name */
export function setting(name) {
  return document.documentElement.dataset[name] ?? USUAL[name];
}

// Returns whether pieces move: as the reader chose, or as the system asks.
export function moving() {
  const motion = setting("motion");
  return motion === "on" || (motion !== "off" && !still.matches);
}

// Shows changed settings on this page and in the other tabs; does not store them.
/** @param {Record<string, string | number>} changes */
export function show(changes) {
  take(changes);
  channel.postMessage(changes);
}

// Calls a function after each change of settings, here or in another tab.
/** @param {() => void} handle */
export function whenChanged(handle) {
  heard.add(handle);
}

// Lets a list of values stand for a setting: shows it, and stores what the reader chooses.
/**
 * @param {HTMLSelectElement} list
 * @param {string} name
 * @param {string} [csrf] of a logged-in reader
 */
export function follow(list, name, csrf) {
  const look = () => (list.value = setting(name));
  list.addEventListener("change", () => change({ [name]: list.value }, csrf));
  whenChanged(look);
  look();
}

// Stores changed settings, in the account or, without one, in the browser; shows them in all tabs.
/**
 * @param {Record<string, string>} changes
 * @param {string} [csrf] of a logged-in reader
 */
export function change(changes, csrf = "") {
  show(changes);
  const body = new URLSearchParams({ ...changes, csrf });
  fetch("/account/settings", { method: "POST", body, redirect: "manual" }).catch(() => {}); // it holds here all the same
}

function take(changes) {
  for (const name of Object.keys(USUAL)) if (name in changes) document.documentElement.dataset[name] = String(changes[name]);
  for (const handle of heard) handle();
}
