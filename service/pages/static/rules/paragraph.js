// The way from a refusal to the paragraph of the rules that it rests on.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

// Returns a failed request in words, with the link to the paragraph where a rule refuses.
export function told(problem) {
  return [problem.message, ...paragraph(problem.problem?.rule_page)];
}

// Returns the link to a paragraph, after a space; nothing where no rule is named.
export function paragraph(page) {
  if (!page) return [];
  return [" ", html("a", { class: "rule-page", href: page, target: "_blank", rel: "noopener" }, `${say("rules.rules")} ${page.split("#")[1]}`)];
}
