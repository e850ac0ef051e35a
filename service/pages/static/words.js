// What scripts say, in the language of the page: the same phrases as the page's own.

const told = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const language = document.documentElement.lang;
const forms = new Intl.PluralRules(language);

// The phrase of a key such as "replay.play", filled in.
export function say(key, values = {}) {
  const [subject, name] = key.split(".");
  return fill(told[subject][name], values);
}

// A phrase with its places filled in; a value `n` chooses the plural form.
export function fill(phrase, values = {}) {
  const template = typeof phrase === "string" ? phrase : (phrase[forms.select(Math.abs(values.n))] ?? phrase.other);
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
