// The frame that a page of another site takes over: size and first step are chosen, the text is copied.

const box = document.getElementById("embedding");
const snippet = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("embed-snippet"));

function choice(id) {
  return /** @type {HTMLSelectElement} */ (document.getElementById(id));
}

// Writes the frame again; the step that is shown is the one that the address names.
function write() {
  const { dataset } = choice("embed-size").selectedOptions[0];
  const asked = new URLSearchParams();
  if (choice("embed-size").value !== "medium") asked.set("size", choice("embed-size").value);
  if (/** @type {HTMLInputElement} */ (document.getElementById("embed-here")).checked && location.hash) asked.set("at", location.hash.slice(1));
  const query = asked.size ? `?${asked}` : "";
  const title = snippet.dataset.title.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  snippet.value = `<iframe src="${snippet.dataset.url}${query.replaceAll("&", "&amp;")}" title="${title}" width="${dataset.width}" height="${dataset.height}" loading="lazy" style="border:0;max-width:100%"></iframe>`;
}

async function copy() {
  const said = document.getElementById("embed-copied");
  try {
    await navigator.clipboard.writeText(snippet.value);
    said.textContent = said.dataset.said;
  } catch {
    snippet.select(); // to be copied by hand
  }
}

if (snippet) {
  for (const id of ["embed-size", "embed-here"]) choice(id).addEventListener("change", write);
  box.addEventListener("toggle", write);
  document.getElementById("embed-copy").addEventListener("click", copy);
}
