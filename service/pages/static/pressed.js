// What is replaced between the press and the release of a pointer never hears the click: what comes in waits for that.

const LONGEST = 10000; // milliseconds; a list that unfolds swallows the release, and must not hold things up for ever

let pressed = null; // who waits for the release

function press({ button }) {
  if (button !== 0 || pressed) return;
  let resume;
  const until = new Promise((resolve) => (resume = resolve));
  const longest = setTimeout(release, LONGEST);
  pressed = { until, longest, resume };
}

function release() {
  clearTimeout(pressed?.longest);
  pressed?.resume();
  pressed = null;
}

addEventListener("pointerdown", press, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release), true); // after the click

// Once no pointer is pressed.
export async function released() {
  while (pressed) await pressed.until;
}
