// Makers of elements: whatever text comes in stays text, it is never read as markup.

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

// A drawing that says in words what it shows.
export function picture(width, height, label, ...children) {
  const attributes = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label };
  return svg("svg", attributes, svg("title", {}, label), ...children);
}

// A picture of things that each say what they are.
export function display(width, height, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group" }, ...children);
}

// A sign beside a word that says the same.
export function sign(glyph) {
  return html("span", { "aria-hidden": "true" }, `${glyph} `);
}

export function group(x, y, ...children) {
  return svg("g", { transform: `translate(${x} ${y})` }, ...children);
}

export function box(x, y, width, height, kind, radius = 5) {
  return svg("rect", { x, y, width, height, rx: radius, class: kind });
}

const SIZE = 10.2; // the type of names on a board, as replay.css sets it: drawn at 0.9 it is still 9 pixels high
const pen = document.createElement("canvas").getContext("2d");

// The width of a text in the type of the board.
function measured(text, size) {
  pen.font = `700 ${size}px system-ui, "DejaVu Sans", sans-serif`;
  return pen.measureText(text).width;
}

// A text that would be wider than `wide` is condensed to it; its height stays.
export function words(x, y, text, kind = "", anchor = "middle", wide = null, size = SIZE) {
  const long = wide !== null && measured(text, size) > wide;
  return svg("text", { x, y, class: kind, "text-anchor": anchor, textLength: long && wide, lengthAdjust: long && "spacingAndGlyphs" }, String(text));
}

// A text on as many lines as it needs, centred on a point; a word wider than `wide` is condensed.
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

// A piece of the board under a name: what differs under the same name in two boards has changed.
export function part(key, value, node) {
  node.dataset.part = key;
  node.dataset.value = JSON.stringify(value);
  return node;
}

// A part of a row whose things slide along: one that lay elsewhere in it has not changed.
export function sliding(row, at, value, node) {
  node.dataset.row = row;
  return part(`${row}.${at}`, value, node);
}

export function panel(title, kind, ...children) {
  return html("section", { class: `panel ${kind}`, "aria-label": title }, html("h2", {}, title), ...children);
}
