// Creates elements; text is never parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

export function html(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(3).filter((child) => child !== undefined && child !== null));
  return node;
}

// A drawing with a label.
export function picture(width, height, label, ...children) {
  const attributes = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label };
  return svg("svg", attributes, svg("title", {}, label), ...children);
}

// A group of parts with labels of their own.
export function display(width, height, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group" }, ...children);
}

// A decorative sign beside a word with the same meaning.
export function sign(glyph) {
  return html("span", { "aria-hidden": "true" }, `${glyph} `);
}

export function group(x, y, ...children) {
  return svg("g", { transform: `translate(${x} ${y})` }, ...children);
}

export function box(x, y, width, height, kind, radius = 5) {
  return svg("rect", { x, y, width, height, rx: radius, class: kind });
}

const SIZE = 10.8; // the type of names on a board, as replay.css sets it: drawn at 0.86 it is still 9 pixels high
const pen = document.createElement("canvas").getContext("2d");

// The width of a text in the type of the board.
function measured(text, size) {
  pen.font = `700 ${size}px system-ui, "DejaVu Sans", sans-serif`;
  return pen.measureText(text).width;
}

// Condenses a text to the width `wide`; keeps its height.
export function words(x, y, text, kind = "", anchor = "middle", wide = null, size = SIZE) {
  const long = wide !== null && measured(text, size) > wide;
  return svg("text", { x, y, class: kind, "text-anchor": anchor, textLength: long && wide, lengthAdjust: long && "spacingAndGlyphs" }, String(text));
}

// A text on several lines, centred on a point; a word wider than `wide` is condensed.
export function wrapped(x, y, text, wide, kind = "", leading = 10.5) {
  const lines = [];
  for (const word of String(text).split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measured(longer, SIZE) <= wide) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const top = y - ((lines.length - 1) * leading) / 2;
  return lines.map((line, number) => words(x, top + number * leading, line, kind, "middle", wide));
}

// A part of the board with a name; parts that differ between two boards are marked as changed.
export function part(key, value, node) {
  node.dataset.part = key;
  node.dataset.value = JSON.stringify(value);
  return node;
}

// A part of a row that slides: a card that moved within the row has not changed.
export function sliding(row, at, value, node) {
  node.dataset.row = row;
  return part(`${row}.${at}`, value, node);
}

export function panel(title, kind, ...children) {
  return html("section", { class: `panel ${kind}`, "aria-label": title }, html("h2", {}, title), ...children);
}
