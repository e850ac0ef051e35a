// What scripts say, in the language of the page: the same catalogue as the page's own words.

const told = JSON.parse(document.getElementById("words").textContent);
export const language = document.documentElement.lang;
const forms = new Intl.PluralRules(language);

// The sentence of a key such as "replay.play", filled in; a value `n` chooses the plural form.
export function say(key, values = {}) {
  const dot = key.indexOf(".");
  const form = told[key.slice(0, dot)][key.slice(dot + 1)];
  const template = typeof form === "string" ? form : (form[forms.select(values.n)] ?? form.other);
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
