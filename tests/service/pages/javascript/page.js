// The little of a page that modules read while they are imported: its language, its phrases, a canvas to measure with.

import { readFileSync } from "node:fs";

const folder = new URL("../../../../service/i18n/words/phrases/", import.meta.url);
const english = (subject) =>
  Object.fromEntries(Object.entries(JSON.parse(readFileSync(new URL(`${subject}.json`, folder), "utf8"))).map(([name, row]) => [name, row.en]));
const words = { textContent: JSON.stringify({ replay: english("replay"), common: english("common"), play: english("play") }) };

globalThis.document ??= {
  documentElement: { lang: "en" },
  getElementById: (id) => (id === "words" ? words : null),
  createElement: () => ({ getContext: () => null }),
  querySelectorAll: () => [],
};
globalThis.MutationObserver ??= class {
  observe() {}
};
