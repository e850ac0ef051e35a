// Who switches the language stays at the same moment: the part of the address that no server sees goes along.

for (const form of document.querySelectorAll("form.languages")) {
  form.addEventListener("submit", () => {
    form.elements.back.value = location.pathname + location.search + location.hash;
  });
}
