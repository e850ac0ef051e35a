// How far the reader is in a guided game: kept in this browser, also without an account.

const KEY = "cabildo-learn-";

// Returns the step that was reached; null before the first one.
export function reached(game) {
  try {
    const step = Number(localStorage.getItem(KEY + game));
    return Number.isInteger(step) && step > 0 ? step : null;
  } catch {
    return null; // the browser keeps nothing for this site
  }
}

export function remember(game, step) {
  try {
    localStorage.setItem(KEY + game, String(step));
  } catch {
    // the address still names the step
  }
}
