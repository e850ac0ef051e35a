// The worker that a browser wakes for a notice: what it shows, and where a click leads.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const ORIGIN = "https://games.example";
const heard = {};
const shown = [];
const opened = [];
const focused = [];
let tabs = [];

globalThis.addEventListener = (kind, handle) => (heard[kind] = handle);
globalThis.location = { origin: ORIGIN };
globalThis.self = {
  registration: { showNotification: async (title, options) => shown.push([title, options]) },
  clients: { matchAll: async () => tabs, openWindow: async (address) => opened.push(address) },
};
await import("../../../../service/pages/static/push_worker.js");

beforeEach(() => {
  for (const list of [shown, opened, focused]) list.length = 0;
  tabs = [];
});

async function wake(kind, event) {
  const waits = [];
  heard[kind]({ ...event, waitUntil: (promise) => waits.push(promise) });
  await Promise.all(waits);
}

const pushed = (message) => wake("push", { data: message && { json: () => message } });
const clicked = (path) => wake("notificationclick", { notification: { close: () => {}, data: { path } } });
const tab = (url) => ({ url, focus: async () => focused.push(url) });

test("a push is shown, once for each game", async () => {
  await pushed({ title: "2 things are new", body: "one\ntwo", path: "/mine" });
  await pushed({ title: "Your turn", body: "Your turn", path: "/games/7/play" });
  assert.deepEqual(shown, [
    ["2 things are new", { body: "one\ntwo", tag: "/mine", icon: "/static/mark.svg", data: { path: "/mine" } }],
    ["Your turn", { body: "", tag: "/games/7/play", icon: "/static/mark.svg", data: { path: "/games/7/play" } }],
  ]);
});

test("a push that says nothing is not shown", async () => {
  await pushed(null);
  await pushed({ body: "x" });
  assert.deepEqual(shown, []);
});

test("a click opens the page", async () => {
  tabs = [tab(`${ORIGIN}/lobby`)];
  await clicked("/games/7/play");
  assert.deepEqual([opened, focused], [[`${ORIGIN}/games/7/play`], []]);
});

test("a click leads to the tab that shows the page", async () => {
  tabs = [tab(`${ORIGIN}/lobby`), tab(`${ORIGIN}/games/7/play#41`)];
  await clicked("/games/7/play");
  assert.deepEqual([opened, focused], [[], [`${ORIGIN}/games/7/play#41`]]);
});

test("a click leads to no other site", async () => {
  await clicked("https://elsewhere.example/games/7");
  await clicked("//elsewhere.example/games/7");
  assert.deepEqual([opened, focused], [[], []]);
});
