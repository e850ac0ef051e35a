// Lets this browser take notices: asks for the permission on a click alone.

import { get, send } from "../api.js";
import { byId } from "../elements_by_id.js";

const WORKER = "/static/push_worker.js";
const begin = byId("push-on", HTMLButtonElement);
const end = byId("push-off", HTMLButtonElement);
const state = byId("push-state");

async function registered() {
  return navigator.serviceWorker.register(WORKER, { scope: "/static/" });
}

async function show(failed = "") {
  const registration = await navigator.serviceWorker.getRegistration("/static/");
  const stored = Boolean(await registration?.pushManager.getSubscription()) && Notification.permission === "granted";
  const on = stored && (await get("/v1/me/push")).here; // the service forgets a browser that logs out
  begin.hidden = on || Notification.permission === "denied";
  end.hidden = !on;
  state.textContent = failed || (on ? state.dataset.on : Notification.permission === "denied" ? state.dataset.denied : state.dataset.off);
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return show();
  const { key } = await get("/v1/me/push");
  if (!key) return show(state.dataset.later);
  const registration = await registered();
  await active(registration);
  const known = await registration.pushManager.getSubscription();
  await known?.unsubscribe(); // its key may be another one
  const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const { endpoint, keys } = (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes })).toJSON();
  await send("/v1/me/push", { endpoint, ...keys });
  return show();
}

// Waits until a worker is active; a page outside of its scope has no other way.
async function active({ installing, waiting }) {
  const worker = installing ?? waiting;
  if (worker) await new Promise((done) => worker.addEventListener("statechange", () => worker.state === "activated" && done(), { once: false }));
}

async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration("/static/");
  await (await registration?.pushManager.getSubscription())?.unsubscribe(); // the service hears of it with the next notice
  return show();
}

function quietly(problem) {
  show(problem.message).catch(() => {});
}

if (navigator.serviceWorker && globalThis.PushManager && globalThis.Notification) {
  begin.addEventListener("click", () => subscribe().catch(quietly));
  end.addEventListener("click", () => unsubscribe().catch(quietly));
  show().catch(quietly);
} else state.textContent = state.dataset.none;

// A tab tells of what is chosen for it by notices of this browser alone.
for (const box of document.querySelectorAll("#notices input[value=tab]"))
  box.addEventListener("change", () => /** @type {HTMLInputElement} */ (box).checked && globalThis.Notification?.requestPermission());

const zone = byId("in-zone", HTMLInputElement);
if (zone.dataset.usual === "true") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
