// Search in the log: lists the lines that contain all words, typed with or without accents.
// Of a long game the lines that are missing are read first, in parts.

import { byId } from "../elements_by_id.js";
import { plain, wordsOf } from "../rules/plain.js";
import { say } from "../words.js";

// Starts the search; the function that it returns repeats it for lines that came in. `readAll` reads the missing lines.
export function searching(list, readAll) {
  const field = byId("log-search", HTMLInputElement);
  const repeat = () => {
    const words = wordsOf(field.value);
    let found = 0;
    for (const line of list.children) {
      const text = plain(line.textContent);
      line.hidden = !words.every((word) => text.includes(word));
      if (!line.hidden) found++;
    }
    if (!words.length) list.scrollTop = list.scrollHeight; // at the newest line, as before the search
    byId("log-found").textContent = words.length ? say("play_page.found", { n: found }) : "";
  };
  field.addEventListener("input", async () => {
    if (wordsOf(field.value).length) await readAll(() => (byId("log-found").textContent = say("play_page.reading_log")));
    repeat();
  });
  return () => field.value && repeat();
}
