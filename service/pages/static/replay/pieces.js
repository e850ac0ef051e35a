// The pieces of both games; each kind has a shape of its own, so that colour is never the only sign.

import { svg, words } from "./elements.js";

const SHAPES = {
  corn: () => [
    svg("path", { d: "M0 -9C5 -6 5 5 0 9C-5 5 -5 -6 0 -9Z" }),
    svg("path", { d: "M-3.6 -3H3.6M-4 1H4M-3 5H3M0 -9V9", class: "vein" }),
  ],
  indigo: () => [svg("path", { d: "M0 -9L8 0L0 9L-8 0Z" }), svg("path", { d: "M0 -9V9M-8 0H8", class: "vein" })],
  sugar: () => [
    svg("path", { d: "M-7 -4L0 -8L7 -4V4L0 8L-7 4Z" }),
    svg("path", { d: "M-7 -4L0 0L7 -4M0 0V8", class: "vein" }),
  ],
  tobacco: () => [
    svg("path", { d: "M-7 8C-9 -2 -2 -9 8 -8C9 2 2 9 -7 8Z" }),
    svg("path", { d: "M-7 8L6 -6M-2 3V-3M1 0H5", class: "vein" }),
  ],
  coffee: () => [
    svg("ellipse", { rx: 8.5, ry: 6.5, transform: "rotate(-30)" }),
    svg("path", { d: "M-6 4C-2 3 2 -3 6 -4", class: "vein" }),
  ],
  quarry: () => [svg("path", { d: "M-9 7L-5 -4L0 1L4 -8L9 7Z" }), svg("path", { d: "M-2 7L1 2M4 7L5 0", class: "vein" })],
  forest: () => [svg("path", { d: "M0 -9L7 2H3L8 8H-8L-3 2H-7Z" })],
  turmeric: () => [svg("circle", { r: 8 })],
  saffron: () => [svg("path", { d: "M0 -9L8.5 7H-8.5Z" })],
  cardamom: () => [svg("rect", { x: -7.5, y: -7.5, width: 15, height: 15, rx: 2 })],
  cinnamon: () => [svg("path", { d: "M0 -9L2.6 -3L9 -2.8L4 1.3L5.7 8L0 4.2L-5.7 8L-4 1.3L-9 -2.8L-2.6 -3Z" })],
};

const ICONS = {
  settler: "M4 20H20M6 20V11L12 5L18 11V20M10 20V15H14V20M12 5V2M12 2L16 3.5L12 5",
  mayor: "M12 3A4 4 0 1 1 11.9 3ZM4 21C4 15 8 13 12 13C16 13 20 15 20 21Z",
  builder: "M3 21H21V12H3ZM3 12L12 4L21 12M7 21V16H11V21M14 15H18V18H14Z",
  craftsman: "M4 20L13 11M11 5L15 3L21 9L19 13L16 13L11 8Z",
  trader: "M12 3V20M6 20H18M4 7H20M4 7L1.5 13H6.5ZM20 7L17.5 13H22.5Z",
  captain: "M3 15H21L18 20H6ZM11 15V3L18 12H11M9 12V6L5 12H9",
  prospector: "M3 9C8 2 16 2 21 9M12 4.5V21M8 21H16",
};

export function piece(kind, x, y, scale = 1) {
  const shape = (SHAPES[kind] ?? SHAPES.forest)();
  return svg("g", { class: `piece ${kind}`, transform: `translate(${x} ${y}) scale(${scale})` }, ...shape);
}

export function icon(role, x, y, scale = 1) {
  const name = role.split("_")[0];
  const path = svg("path", { d: ICONS[name] ?? ICONS.prospector });
  return svg("g", { class: "icon", transform: `translate(${x} ${y}) scale(${scale})` }, path);
}

// A circle on a tile or building: empty, or with a colonist, or with a noble, who wears a crown.
export function circle(x, y, who, radius = 6) {
  const drawn = [svg("circle", { cx: x, cy: y, r: radius, class: `seat-of-people ${who ?? "nobody"}` })];
  if (who === "noble") {
    const d = `M${x - 4} ${y + 2.5}L${x - 4} ${y - 2.5}L${x - 1.5} ${y}L${x} ${y - 3.5}L${x + 1.5} ${y}L${x + 4} ${y - 2.5}V${y + 2.5}Z`;
    drawn.push(svg("path", { d, class: "crown" }));
  } else if (who === "colonist") {
    drawn.push(svg("circle", { cx: x, cy: y - 1.6, r: 1.9, class: "face" }));
    drawn.push(svg("path", { d: `M${x - 3.2} ${y + 3.6}C${x - 3} ${y} ${x + 3} ${y} ${x + 3.2} ${y + 3.6}Z`, class: "face" }));
  }
  return drawn;
}

export function coin(x, y, text, kind = "doubloon", radius = 9) {
  return [
    svg("circle", { cx: x, cy: y, r: radius, class: `coin ${kind}` }),
    svg("circle", { cx: x, cy: y, r: radius - 2, class: "coin-rim" }),
    words(x, y + radius * 0.38, text, String(text).length > 1 ? "on-coin two" : "on-coin"),
  ];
}

// Victory points lie on a shield.
export function points(x, y, text, scale = 1) {
  const shield = svg("path", { d: "M-9 -9H9V0C9 6 4 9 0 11C-4 9 -9 6 -9 0Z", class: "shield" });
  return svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, shield, words(0, 4, text, "on-shield"));
}

// The number of a seat, from 1, on its colour.
export function badge(x, y, seat, radius = 10) {
  const disc = svg("circle", { cx: x, cy: y, r: radius, class: `badge seat-${seat}` });
  return [disc, words(x, y + radius * 0.38, seat + 1, "on-badge")];
}
