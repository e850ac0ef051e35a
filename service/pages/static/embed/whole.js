// Scales a board so that the whole of it is in the frame; a button shows it enlarged, to be scrolled.

const SCALES = [1, 0.92, 0.85, 0.78, 0.71, 0.65, 0.59, 0.54, 0.49, 0.44, 0.4, 0.36, 0.32, 0.28, 0.25, 0.22, 0.19, 0.16];

export class Whole {
  // `button` enlarges the board.
  constructor(board, button) {
    this.board = board;
    this.button = button;
    button.addEventListener("click", () => this.enlarge(button.getAttribute("aria-pressed") !== "true"));
    window.addEventListener("resize", () => this.fit());
  }

  enlarge(on) {
    this.button.setAttribute("aria-pressed", String(on));
    this.fit();
  }

  // Takes the largest scale at which nothing is cut off: a smaller one gives the board more room to lie side by side.
  fit() {
    const enlarged = this.button.getAttribute("aria-pressed") === "true";
    this.scale(SCALES[0]);
    this.button.hidden = !enlarged && fits(); // nothing is gained by it
    if (!enlarged) SCALES.find((scale) => this.scale(scale));
  }

  // Keeps the scale while the board fits, so that it does not change from step to step.
  keep() {
    if (!fits()) this.fit();
  }

  scale(scale) {
    this.board.style.setProperty("zoom", String(scale));
    return fits();
  }
}

function fits() {
  return document.documentElement.scrollHeight <= window.innerHeight;
}
