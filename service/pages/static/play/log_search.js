// Search in the log: lists the lines that contain all words.

import { byId } from "../elements_by_id.js";
import { say } from "../words.js";

// Starts the search; the function that it returns repeats it for lines that came in.
export function searching(list) {
  const field = byId("log-search", HTMLInputElement);
  const repeat = () => {
    const words = field.value.toLocaleLowerCase().split(" ").filter(Boolean);
    let found = 0;
    for (const line of list.children) {
      const text = line.textContent.toLocaleLowerCase();
      line.hidden = !words.every((word) => text.includes(word));
      if (!line.hidden) found++;
    }
    byId("log-found").textContent = words.length ? say("play_page.found", { n: found }) : "";
  };
  field.addEventListener("input", repeat);
  return () => field.value && repeat();
}
