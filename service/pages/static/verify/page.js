// The page: takes a file and a policy, runs the checks here, says in words what came of it.

import { verify } from "./bundle.js";
import { Policy } from "./notes.js";

const form = document.querySelector("form");
const rows = new Map([...document.querySelectorAll("[data-check]")].map((row) => [row.dataset.check, row]));
const verdict = document.querySelector("#verdict");

function mark(code, word) {
  const row = rows.get(code);
  row.dataset.status = word;
  row.querySelector("output").textContent = word;
}

async function policyOf(form) {
  const given = form.elements.policy.value.trim();
  return given === "" ? null : Policy.read(`${given}\n`);
}

async function examine(event) {
  event.preventDefault();
  for (const code of rows.keys()) mark(code, "");
  verdict.textContent = "examining";
  try {
    const file = form.elements.file.files[0];
    const policy = await policyOf(form);
    const found = await verify(new Uint8Array(await file.arrayBuffer()), policy, (code) => mark(code, "yes"));
    if (found.failed) mark(found.failed, "no");
    verdict.textContent = told(found, policy);
  } catch (problem) {
    verdict.textContent = `This could not be examined: ${problem.message}`;
  }
}

function told({ failed, event, says, bundle }, policy) {
  if (failed) return `Wrong (${failed})${event === null ? "" : `, event ${event}`}: ${says}.`;
  const open = [];
  if (bundle.final === null) open.push("no published checkpoint includes the last event yet");
  if (policy === null) open.push("without a policy it is not known whose signatures these are");
  else if (!bundle.witnessed) open.push("no quorum of witnesses vouches for the log");
  open.push("whether draws, moves, result and clocks follow the rules: cabildo verify examines that");
  return `Nothing is wrong in V1 to V5. Not proved: ${open.join("; ")}.`;
}

form.addEventListener("submit", examine);
