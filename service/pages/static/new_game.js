// The form of a new game shows what belongs to what is chosen: a name for a named player, times for a clock.

import { byId } from "./elements_by_id.js";

const form = byId("new", HTMLFormElement);

function fit() {
  for (let at = 0; form.elements[`seat${at}`]; at++) form.elements[`name${at}`].hidden = form.elements[`seat${at}`].value !== "person";
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(form.clock.value);
}

form.addEventListener("change", fit);
fit();
