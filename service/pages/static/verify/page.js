// The page: takes a file and a policy, examines V1 to V5 here, asks the service for the others when told to.

import { say } from "../words.js";
import { verify } from "./bundle.js";
import { Policy } from "./notes.js";

const form = document.querySelector("#examination");
const verdict = document.querySelector("#verdict");
const rows = new Map([...document.querySelectorAll("[data-check]")].map((row) => [row.dataset.check, row]));
const STATUS = { passed: "yes", failed: "no", "not reached": "not_reached", "not applicable": "not_applicable" };
const HERE = new Set(["V1", "V2", "V3", "V4", "V5"]);
const ZIP = [0x50, 0x4b, 0x03, 0x04];

function mark(code, status) {
  const row = rows.get(code);
  row.dataset.status = status;
  row.querySelector("[data-answer]").textContent = status ? say(`verify.${status}`) : "";
}

// Sentences of a verdict: phrases of the page, and the judges' own words, which are English.
function tell(sentences, open = []) {
  verdict.replaceChildren(...sentences.map((text) => element("p", text)));
  if (open.length) verdict.append(element("h2", say("verify.not_proved")), list(open));
}

function element(name, text) {
  const made = document.createElement(name);
  made.append(text instanceof Node ? text : document.createTextNode(text));
  return made;
}

function english(text) {
  const made = element("span", text);
  made.lang = "en";
  return made;
}

function list(items) {
  const made = document.createElement("ul");
  made.append(...items.map((item) => element("li", item)));
  return made;
}

async function examine(event) {
  event.preventDefault();
  for (const code of rows.keys()) mark(code, "");
  tell([say("verify.examining")]);
  try {
    await examineFile(new Uint8Array(await form.elements.file.files[0].arrayBuffer()));
  } catch (problem) {
    tell([say("verify.failed", { reason: problem.message })]);
  }
}

async function examineFile(data) {
  if (!globalThis.crypto?.subtle) return tell([say("verify.insecure")]);
  if (ZIP.every((byte, at) => data[at] === byte)) return tell([say("verify.archive")]);
  const given = form.elements.policy.value.trim();
  const policy = given === "" ? null : await Policy.read(`${given}\n`);
  const found = await verify(data, policy, (code) => mark(code, "yes"));
  if (found.failed) {
    mark(found.failed, "no");
    return tell([wrong(found.failed, found.event), english(found.says)]);
  }
  const [sentences, open] = form.elements.ask.checked ? await askService(data) : [[say("verify.not_asked")], []];
  tell([say("verify.sound"), ...sentences], [...unproved(found.bundle, policy), ...open]);
}

const wrong = (code, event) => (event === null ? say("verify.wrong", { code }) : say("verify.wrong_at", { code, event }));

function unproved(bundle, policy) {
  if (bundle.final === null) return [say("verify.not_sealed")];
  if (policy === null) return [say("verify.no_policy")];
  return bundle.witnessed ? [] : [say("verify.no_witnesses")];
}

// What the service says of V6 to V13, and what it says is not proved. Where it differs about V1 to V5, that is told.
async function askService(data) {
  const response = await fetch("/v1/verify", { method: "POST", body: data, headers: { "Content-Type": "application/json" } });
  if (!response.ok) return [[say("verify.unanswered", { status: response.status })], []];
  const { checks, failure } = await response.json();
  if (failure && HERE.has(failure.code)) return [[say("verify.disagree", { code: failure.code }), failure.sentence], []];
  const theirs = checks.filter(({ code }) => !HERE.has(code));
  for (const { code, status } of theirs) mark(code, STATUS[status]);
  const open = checks.flatMap(({ remarks }) => remarks).map(({ sentence }) => sentence);
  if (!failure) return [[say("verify.service_sound")], open];
  return [[say("verify.service_wrong"), wrong(failure.code, failure.seq), failure.sentence], open];
}

form.addEventListener("submit", examine);
