// Shows the fields of the new game's form that its choices need: names of players, times of clocks.

import { byId } from "./elements_by_id.js";

const NAMED = new Set(["person", "here"]); // seats that are given by a name
const form = byId("new", HTMLFormElement);

function showNeededFields() {
  for (let at = 0; form.elements[`seat${at}`]; at++) form.elements[`name${at}`].hidden = !NAMED.has(form.elements[`seat${at}`].value);
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(form.clock.value);
}

form.addEventListener("change", showNeededFields);
showNeededFields();
