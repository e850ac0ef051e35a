// Finds rows of the index of the documentation.

/** @typedef {[address: string, title: string, inside: string, excerpt: string, words: string]} Entry */

const TITLE = 8; // points of a word in the title, or as a whole word of the text
const WHOLE = 2;

/**
 * Returns how well a row fits: every word has to be there, as the beginning of a word or anywhere in the title.
 * @param {Entry} entry
 * @param {string[]} wanted
 */
function score([, title, inside, , words], wanted) {
  const named = `${title} ${inside}`.toLowerCase();
  const text = ` ${words} `;
  let sum = 0;
  for (const word of wanted) {
    const inTitle = title.toLowerCase().includes(word) ? TITLE : named.includes(word) ? WHOLE : 0;
    const inText = text.includes(` ${word} `) ? WHOLE : text.includes(` ${word}`) ? 1 : 0;
    if (!inTitle && !inText) return 0;
    sum += inTitle + inText;
  }
  return sum + (title.toLowerCase() === wanted.join(" ") ? TITLE : 0);
}

/**
 * Returns the rows that fit, the best first.
 * @param {Entry[]} rows
 * @param {string} text
 * @param {number} most
 */
export function search(rows, text, most) {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) return [];
  const scored = rows.map((entry, place) => ({ entry, place, points: score(entry, wanted) })).filter(({ points }) => points > 0);
  scored.sort((a, b) => b.points - a.points || a.place - b.place);
  return scored.slice(0, most).map(({ entry }) => entry);
}
