// Times of the service, written in UTC, become times of the reader's own zone, which they name.

const FORM = /** @type {const} */ ({ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
const ALIKE = { is: "nb" }; // a language that writes times the same way, for browsers that do not know this one

// Returns the language of the page as the reader's own country writes it: dates of en-GB and en-US differ.
function ownVarieties() {
  const language = document.documentElement.lang;
  return [navigator.languages.find((one) => one.split("-")[0] === language) ?? language, ALIKE[language] ?? language];
}

// Returns a time in the zone and the language of the reader, with the zone's name.
/** @param {string} at in ISO 8601 */
export function localTime(at) {
  return new Intl.DateTimeFormat(ownVarieties(), FORM).format(new Date(at));
}

// Writes the times of a page, or of a part of it, in the reader's zone; a tip holds the time in UTC.
export function localise(root) {
  for (const time of root.querySelectorAll("time[datetime*=T]:not([data-local])")) {
    if (Number.isNaN(Date.parse(time.dateTime))) continue;
    time.title ||= `${time.dateTime.slice(0, 10)} ${time.dateTime.slice(11, 16)} UTC`;
    time.dataset.local = "";
    time.textContent = localTime(time.dateTime);
  }
}

localise(document);
new MutationObserver((found) => {
  if (found.some(({ addedNodes }) => [...addedNodes].some((node) => node instanceof Element && (node.matches("time") || node.querySelector("time"))))) localise(document);
}).observe(document.body, { childList: true, subtree: true });
