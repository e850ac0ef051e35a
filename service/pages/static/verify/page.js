// The page: takes a file and a policy, checks V1 to V5 here, and the other checks by the service on request.

import { byId } from "../elements_by_id.js";
import { inLanguage, say } from "../words.js";
import { isArchive, readArchive } from "./archive.js";
import { verify } from "./bundle.js";
import { Wrong } from "./canonical.js";
import { Policy } from "./notes.js";

const form = byId("examination", HTMLFormElement);
const verdict = byId("verdict");
const rows = new Map([...document.querySelectorAll("[data-check]")].map((row) => [row.dataset.check, row]));
const HERE = ["V1", "V2", "V3", "V4", "V5"];
const MOST_NAMED = 20; // refuted bundles of an archive that are named
const SERVICE_VERDICTS = { valid: "service_valid", "valid with remarks": "service_remarks", undecided: "service_undecided" };

// One check: the number of bundles by outcome, and the reasons for missing outcomes.
class Tally {
  constructor() {
    this.counts = new Map();
    this.reasons = new Set();
  }

  add(status, why = null) {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    if (why) this.reasons.add(why);
  }

  // The gravest outcome; a check passed when it passed in every bundle it applies to.
  show(row) {
    const graver = ["failed", "not_checked", "not_reached", "passed", "not_applicable"];
    const status = graver.find((each) => this.counts.has(each));
    const all = [...this.counts].reduce((sum, [each, count]) => sum + (each === "not_applicable" ? 0 : count), 0);
    const more = all > 1 ? ` (${say("verify.of_bundles", { count: this.counts.get(status), all })})` : "";
    row.dataset.status = status;
    const why = status === "not_checked" && this.reasons.size ? `: ${[...this.reasons].join(" ")}` : "";
    row.querySelector("[data-answer]").textContent = say(`verify.${status}`) + more + why;
  }
}

function clear() {
  for (const row of rows.values()) {
    row.dataset.status = "";
    row.querySelector("[data-answer]").textContent = "";
  }
}

// The sentences of a verdict: phrases of the page, and reasons of checks in English.
function showVerdict(sentences, lists = []) {
  verdict.replaceChildren(...sentences.map((text) => element("p", text)));
  for (const [title, items] of lists) {
    if (items.length) verdict.append(element("h2", say(title)), list(items));
  }
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
  clear();
  showVerdict([say("verify.examining")]);
  try {
    await examineFile(new Uint8Array(await form.file.files[0].arrayBuffer()));
  } catch (problem) {
    showVerdict([say("verify.failed_to_read", { reason: problem.message })]);
  }
}

async function examineFile(data) {
  if (!globalThis.crypto?.subtle) return showVerdict([say("verify.insecure")]);
  const given = form.policy.value.trim();
  const policy = given === "" ? null : await Policy.read(`${given}\n`);
  const archive = isArchive(data);
  const bundles = archive ? await unpacked(data) : [{ data }];
  if (bundles === null) return null;
  const { wrong, open } = await examineHere(bundles, policy);
  if (wrong.length) return showVerdict(wrong.slice(0, MOST_NAMED));
  const here = open ? "verify.open" : "verify.sound";
  const [sentences, lists] = form.ask.checked ? await askService(data, archive) : [[say("verify.not_asked")], []];
  return showVerdict([say(here), ...(archive ? [say("verify.of_archive", { n: bundles.length })] : []), ...sentences], lists);
}

async function unpacked(data) {
  try {
    return await readArchive(data);
  } catch (fault) {
    if (!(fault instanceof Wrong)) throw fault;
    showVerdict([say("verify.no_archive"), english(fault.message)]);
    return null;
  }
}

// V1 to V5 of each bundle, by the scripts of this page alone.
async function examineHere(bundles, policy) {
  const tallies = new Map(HERE.map((code) => [code, new Tally()]));
  const wrong = [];
  let open = false;
  for (const { stream, data } of bundles) {
    const reached = new Set();
    const found = await verify(data, policy, (code, why) => {
      reached.add(code);
      if (why === "no_game" && stream) tallies.get(code).add("not_applicable");
      else tallies.get(code).add(why === null ? "passed" : "not_checked", why && say(`verify.${why}`));
      open ||= why !== null && !(why === "no_game" && stream);
    });
    if (found.failed) wrong.push(...complaint(found, stream));
    for (const code of HERE) if (!reached.has(code)) tallies.get(code).add(code === found.failed ? "failed" : "not_reached");
  }
  for (const [code, tally] of tallies) tally.show(rows.get(code));
  return { wrong, open };
}

function complaint({ failed, event, says }, stream) {
  return [...(stream ? [say("verify.bundle_of", { stream })] : []), wrongAt(failed, event), english(says)];
}

const wrongAt = (code, event) => (event === null ? say("verify.wrong", { code }) : say("verify.wrong_at", { code, event }));

// The service's outcome of V6 to V13, its verdict and its limits; reports where it differs about V1 to V5.
async function askService(data, archive) {
  const type = archive ? "application/zip" : "application/json";
  const response = await fetch(inLanguage("/v1/verify"), { method: "POST", body: data, headers: { "Content-Type": type } });
  if (!response.ok) return [[say("verify.unanswered", { status: response.status })], []];
  const report = await response.json();
  if (report.refused) return [[say("verify.service_wrong"), report.refused], []];
  const reports = report.games ?? [report];
  const failures = reports.filter(({ failure }) => failure);
  const differs = failures.find(({ failure }) => HERE.includes(failure.code))?.failure;
  if (differs) return [[say("verify.disagree", { code: differs.code }), differs.sentence], []];
  markTheirs(reports);
  const complaints = failures.slice(0, MOST_NAMED).flatMap(({ stream, failure: { code, seq, sentence } }) => {
    return [...(stream ? [say("verify.bundle_of", { stream })] : []), wrongAt(code, seq), sentence];
  });
  const sentence = say(`verify.${SERVICE_VERDICTS[report.verdict] ?? "service_wrong"}`);
  const each = (name) => [...new Set(reports.flatMap((one) => one[name]))];
  return [[sentence, ...complaints], [["verify.remarks", each("remarks")], ["verify.not_proved", each("notes")]]];
}

function markTheirs(reports) {
  const tallies = new Map();
  for (const { code, status, why_not: why } of reports.flatMap(({ checks }) => checks)) {
    if (!tallies.has(code)) tallies.set(code, new Tally());
    tallies.get(code).add(status.replaceAll(" ", "_"), why);
  }
  for (const [code, tally] of tallies) if (!HERE.includes(code)) tally.show(rows.get(code));
}

form.addEventListener("submit", examine);
