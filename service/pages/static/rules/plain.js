// Text as searches compare it: one may type without capitals and accents.

const LETTERS = { ð: "d", þ: "th", æ: "ae" }; // letters that are no others with an accent

// Returns a text in lower case without accents.
export function plain(text) {
  return text.toLocaleLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[ðþæ]/g, (letter) => LETTERS[letter]);
}

// Returns the words of a question.
export function wordsOf(question) {
  return plain(question).split(/\s+/).filter(Boolean);
}
