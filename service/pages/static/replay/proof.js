// The mark "verified": this browser checks V1 to V5 of the bundle, the service the rest.

import { judged } from "../api.js";
import { refusalIn } from "../client/problems.js";
import { sendUntilAnswered } from "../client/sending.js";
import { inLanguage, say } from "../words.js";
import { html } from "./elements.js";
import { verify } from "../verify/bundle.js";
import { Policy } from "../verify/notes.js";

const STATUS = {
  passed: "replay.passed", failed: "replay.failed", "not checked": "replay.not_checked", "not applicable": "replay.not_applicable",
};
const MARKS = { valid: ["✓", "replay.valid"], "valid with remarks": ["✓", "replay.valid_remarks"], undecided: ["–", "replay.undecided"] };

// Returns the findings of this browser and of the service.
export async function judge(id) {
  const answer = await sendUntilAnswered(inLanguage(`/v1/games/${id}/bundle`), {});
  if (!answer.ok) throw await refusalIn(answer);
  const bundle = new Uint8Array(await answer.arrayBuffer());
  const [own, report] = await Promise.all([judgedHere(bundle), judged(bundle)]);
  return { ...own, report };
}

// A check whose claim was not established here (no policy, no proof) does not count as passed.
async function judgedHere(data) {
  if (!globalThis.crypto?.subtle) return { passed: new Set(), failed: null, safe: false };
  const published = await sendUntilAnswered("/log/policy", {});
  const policy = published.ok ? await Policy.read(await published.text()) : null;
  const passed = new Set();
  const { failed, event, says } = await verify(data, policy, (code, why) => {
    if (why === null) passed.add(code);
  });
  return { passed, failed: failed && { code: failed, event, says }, safe: true };
}

// Renders both verdicts: the mark, each check with its origin, and the limits of the proof.
export function verdict({ passed, failed, safe, report }) {
  const others = report.checks.filter((check) => !passed.has(check.code));
  const wrong = failed ?? failure(report);
  const there = others.filter((check) => check.status === "passed").length;
  const [sign, words] = (wrong ? null : MARKS[report.verdict]) ?? ["✗", "replay.invalid"];
  const mark = html("strong", { class: { "✓": "seal", "✗": "seal broken" }[sign] ?? "seal open" }, `${sign} ${say(words)}`);
  const more = wrong ? complaint(wrong) : say("replay.valid_more", { here: passed.size, there });
  const rows = report.checks.map((check) => row(check, passed, failed));
  const heads = ["check", "asks", "answer"].map((name) => html("th", { scope: "col" }, say(`replay.${name}`)));
  const table = html("div", { class: "scrolled", tabindex: 0 }, html("table", {}, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows)));
  const limits = report.not_proved.map((sentence) => html("li", {}, sentence));
  if (!safe) limits.unshift(html("li", {}, say("replay.unsafe")));
  const alone = html("p", {}, html("a", { href: "/verify" }, say("replay.alone")));
  const open = limits.length ? [html("h2", {}, say("replay.limits")), html("ul", {}, ...limits)] : [];
  return [mark, ` ${more} `, html("details", { open: Boolean(wrong) }, html("summary", {}, say("replay.what_proved")), table, ...open, alone)];
}

function failure(report) {
  const wrong = report.checks.find((check) => check.status === "failed");
  return wrong ? { code: wrong.code, event: report.failure?.seq ?? null, says: report.failure?.sentence ?? wrong.asks } : null;
}

function complaint({ code, event, says }) {
  return say("replay.invalid_more", { code, event: event ? say("replay.at_event", { event }) : "", says });
}

function row(check, passed, failed) {
  const here = passed.has(check.code);
  const status = failed?.code === check.code ? "failed" : here ? "passed" : check.status;
  const who = status === "passed" || status === "failed" ? ` · ${say(here || failed?.code === check.code ? "replay.here" : "replay.there")}` : "";
  const sign = { passed: "✓", failed: "✗" }[status] ?? "–";
  return html(
    "tr",
    { "data-check": check.code, "data-status": status },
    html("th", { scope: "row" }, check.code),
    html("td", {}, say(`replay.${check.code}`)),
    html("td", {}, `${sign} ${say(STATUS[status] ?? "replay.not_examined")}${status === "not checked" ? `: ${check.why_not}` : who}`),
  );
}
