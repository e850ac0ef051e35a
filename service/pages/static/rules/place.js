// Keeps a paragraph in its place while examples above it are drawn, until the reader moves on.

const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"]; // of the reader

export class Place {
  // `text`: what grows; the paragraph that the address names is held from the beginning.
  constructor(text) {
    this.held = null;
    this.block = "start";
    new ResizeObserver(() => this.held?.scrollIntoView({ block: this.block, behavior: "instant" })).observe(text);
    for (const kind of MOVES) addEventListener(kind, () => (this.held = null), { passive: true });
    addEventListener("hashchange", () => this.hold(named()));
    this.hold(named());
  }

  // Goes to a paragraph and holds it at the upper edge, or in the middle of the window.
  hold(node, block = "start") {
    this.held = node;
    this.block = block;
    node?.scrollIntoView({ block, behavior: "instant" });
  }
}

// Returns the paragraph of the address; anchors are plain letters in every language.
function named() {
  return document.getElementById(location.hash.slice(1));
}
