// An element that is replaced between press and release of a pointer gets no click, so updates wait for the release.

const LONGEST = 10000; // milliseconds; an unfolded list swallows the release and must not block updates for ever

let pressed = null; // promise of the release

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

// Resolves when no pointer is pressed.
export async function released() {
  while (pressed) await pressed.until;
}
