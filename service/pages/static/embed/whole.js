// Scales a board so that as much of it as can be read is in the frame; the rest is scrolled to. A button shows it enlarged.

const SCALES = [1, 0.92, 0.85, 0.78, 0.71, 0.65, 0.59, 0.54, 0.49, 0.44, 0.4];
const SMALLEST = 9; // pixels of words on the screen

export class Whole {
  // `button` enlarges the board.
  constructor(board, button) {
    this.board = board;
    this.button = button;
    this.smallest = false; // whether a smaller scale would make words too small
    button.addEventListener("click", () => this.enlarge(button.getAttribute("aria-pressed") !== "true"));
    window.addEventListener("resize", () => this.fit());
  }

  enlarge(on) {
    this.button.setAttribute("aria-pressed", String(on));
    this.fit();
  }

  // Takes the largest scale at which nothing is cut off, but none at which words are too small: then the frame scrolls.
  // A smaller scale gives the board more room to lie side by side.
  fit() {
    document.body.classList.remove("scrolls");
    const enlarged = this.button.getAttribute("aria-pressed") === "true";
    let at = 0;
    this.scale(at);
    this.smallest = false;
    while (!enlarged && !fits() && !this.smallest && at + 1 < SCALES.length) {
      this.scale(at + 1);
      this.smallest = smallestWords(this.board) < SMALLEST;
      if (this.smallest) this.scale(at);
      else at++;
    }
    this.button.hidden = !enlarged && at === 0; // nothing is gained by it
    document.body.classList.toggle("scrolls", !fits());
  }

  // Keeps the scale while the board fits or can be read, so that it does not change from step to step.
  keep() {
    if (!fits() && !(this.smallest && smallestWords(this.board) >= SMALLEST)) this.fit();
  }

  scale(at) {
    this.board.style.setProperty("zoom", String(SCALES[at]));
  }
}

function fits() {
  return document.documentElement.scrollHeight <= window.innerHeight;
}

// Returns the size of the smallest words of a board that are seen, in pixels of the screen.
function smallestWords(board) {
  const zoom = Number(board.style.getPropertyValue("zoom"));
  const words = [...board.querySelectorAll("*")].filter((part) => [...part.childNodes].some(isWord) && part.getClientRects().length);
  return Math.min(...words.map((part) => parseFloat(getComputedStyle(part).fontSize) * (part instanceof SVGElement ? drawnAt(part) : zoom)));
}

function isWord({ nodeType, textContent }) {
  return nodeType === Node.TEXT_NODE && textContent.trim() !== "";
}

// Returns the scale at which a part of a drawing is on the screen; what is not drawn itself, such as a title, has none.
function drawnAt(part) {
  const matrix = part instanceof SVGGraphicsElement && part.getScreenCTM();
  return matrix ? Math.hypot(matrix.a, matrix.b) : Infinity;
}
