// Sends the forms of the reference and shows the answers; what a request needs first is found or made before it.

import { byId } from "../elements_by_id.js";
import { randomSecret } from "../play/vault.js";
import { hex } from "../verify/bytes.js";
import { inLanguage, say } from "../words.js";
import { beginning, fill, isOpen, NotPrepared, prepare } from "./trials.js";

const setting = JSON.parse(byId("setting", HTMLScriptElement).textContent ?? "{}");
const token = byId("token", HTMLInputElement);
token.value = sessionStorage.getItem("token") ?? "";
token.addEventListener("change", () => sessionStorage.setItem("token", token.value));
const DAY = 86_400_000;
const LONGEST = 20_000; // characters of a body that the form shows
const FORM = "application/x-www-form-urlencoded";

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-path]"))) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!("asks" in form.dataset) || confirm(say("trials.ask"))) send(form);
  });
  form.addEventListener("reset", () => (output(form).hidden = true));
}

/** @param {HTMLFormElement} form */
function output(form) {
  return /** @type {HTMLOutputElement} */ (form.querySelector("output"));
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const shown = output(form);
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button.main"));
  shown.hidden = false;
  shown.textContent = "...";
  button.disabled = true; // a second click would send it twice
  const before = [];
  try {
    await fillIn(form, before);
    const [path, options] = request(form);
    const response = await fetch(inLanguage(path), options);
    const { text, whole } = await beginning(response);
    const status = `${response.status} ${response.statusText}\n${headers(response)}\n\n`;
    shown.textContent = `${made(before)}${status}${told(response, text)}${whole ? "" : `\n${say("trials.goes_on")}`}`;
    if (response.status === 201) remember(form.dataset.path, text);
  } catch (problem) {
    shown.textContent = made(before) + sentence(/** @type {Error} */ (problem));
  } finally {
    button.disabled = false;
  }
}

/** Finds or makes what the fields leave open, as `$game`. @param {HTMLFormElement} form @param {string[]} before */
async function fillIn(form, before) {
  const fields = [...form.elements].filter((field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement);
  const open = fields.filter((field) => isOpen(field.value));
  if (!open.length) return;
  const random = crypto.getRandomValues(new Uint32Array(1))[0].toString(16).padStart(8, "0");
  const entropy = hex(randomSecret());
  const values = { ...setting.samples, random, entropy, tomorrow: new Date(Date.now() + DAY).toISOString() };
  await prepare(JSON.parse(form.dataset.needs ?? "[]"), setting.recipes, values, async (method, path, more) => {
    const reader = more.as ? {} : own(method, "session" in form.dataset);
    const who = more.as === "bot" ? { Authorization: `Bearer ${values.bot_token}` } : reader;
    const response = await fetch(inLanguage(path), sent(method, { ...who, ...(more.accept ? { Accept: more.accept } : {}) }, more.body, more.as));
    before.push(`${method} ${path} ${response.status}`);
    const text = await response.text();
    const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
    return { status: response.status, value: isJson && text ? JSON.parse(text) : text };
  });
  for (const field of open) {
    const filled = field.dataset.in === "body" ? JSON.stringify(fill(JSON.parse(field.value), values), null, 2) : String(fill(field.value, values));
    field.dataset.filled = filled;
    if (filled.length < LONGEST) field.value = filled;
  }
}

/** @param {HTMLFormElement} form @returns {[string, RequestInit]} */
function request(form) {
  const { method = "GET", path: pattern = "" } = form.dataset;
  const query = new URLSearchParams();
  const more = {};
  let path = pattern;
  let body;
  const put = {
    path: (name, value) => (path = path.replace(`{${name}}`, encodeURIComponent(value))),
    query: (name, value) => query.append(name, value),
    header: (name, value) => (more[name] = value),
    body: (_, value) => (body = JSON.parse(value)),
  };
  for (const field of /** @type {any} */ (form.elements)) {
    const value = isOpen(field.value ?? "") ? (field.dataset.filled ?? field.value) : field.value;
    if (field.dataset.in && value) put[field.dataset.in]?.(field.name, value);
  }
  const who = "anonymous" in form.dataset ? {} : own(method, "session" in form.dataset);
  const as = "anonymous" in form.dataset && form.dataset.path !== "/v1/session" ? "nobody" : undefined;
  return [query.size ? `${path}?${query}` : path, sent(method, { ...who, ...more }, body, as, form.dataset.type)];
}

/** Who asks: the token, or the session of this browser. @param {string} method @param {boolean} [session] */
function own(method, session = false) {
  if (token.value && !session) return { Authorization: `Bearer ${token.value}` };
  return setting.csrf && method !== "GET" ? { "X-CSRF-Token": setting.csrf } : {};
}

/** @returns {RequestInit} */
function sent(method, more, body, as, type = "application/json") {
  const options = { method, headers: { ...more }, credentials: /** @type {RequestCredentials} */ (as ? "omit" : "same-origin") };
  if (body === undefined) return options;
  const written = type === FORM ? String(new URLSearchParams(body)) : JSON.stringify(body);
  return { ...options, headers: { ...more, "Content-Type": type }, body: written };
}

/** @param {string[]} before */
function made(before) {
  return before.length ? `${say("trials.sent_before")}\n${before.join("\n")}\n\n` : "";
}

/** @param {Error} problem */
function sentence(problem) {
  if (!(problem instanceof NotPrepared)) return say("trials.not_sent", { reason: problem.message });
  const { status, value } = problem.answer;
  const detail = /** @type {any} */ (value)?.detail ?? "";
  if (status < 400) return say("trials.none_found", { request: problem.request });
  return status === 401 ? say("trials.sign_in") : say("trials.not_made", { request: problem.request, status, detail });
}

/** @param {string | undefined} path @param {string} text */
function remember(path, text) {
  if (path !== "/v1/players" || token.value || setting.csrf) return;
  token.value = JSON.parse(text).token;
  sessionStorage.setItem("token", token.value);
}

/** @param {Response} response */
function headers(response) {
  return [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
}

/** @param {Response} response @param {string} text */
function told(response, text) {
  const type = response.headers.get("Content-Type") ?? "";
  if (/zip|octet-stream/.test(type)) return say("trials.file", { type, size: text.length });
  const isDocument = type.includes("json") && !type.includes("ndjson");
  return isDocument && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
}
