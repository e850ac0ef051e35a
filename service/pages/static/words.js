// The phrases of scripts, in the language of the page.

const phrases = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const language = document.documentElement.lang;
const forms = new Intl.PluralRules(language);

// Returns an address whose answer has its words in the language of the page, whatever the browser chose elsewhere.
export function inLanguage(path) {
  const [address, query = ""] = path.split("?");
  if (new URLSearchParams(query).has("language")) return path;
  return `${address}?${query && `${query}&`}language=${language}`;
}

// Returns the phrase of a key such as "replay.play", filled in.
export function say(key, values = {}) {
  const [subject, name] = key.split(".");
  return fill(phrases[subject][name], values);
}

// Returns a phrase with its placeholders filled in; the value `n` selects the plural form.
export function fill(phrase, values = {}) {
  const template = typeof phrase === "string" ? phrase : (phrase[forms.select(Math.abs(values.n))] ?? phrase.other);
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
