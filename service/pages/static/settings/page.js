// The page of the own settings: shows a choice at once, before it is saved, and lets the sounds be heard.

import { byId } from "../elements_by_id.js";
import { setting, show } from "../own_settings.js";
import { play } from "../sounds.js";

const NAMES = ["theme", "motion", "colours", "sounds", "volume", "confirm"];
const form = byId("appearance", HTMLFormElement);
const listen = byId("listen", HTMLButtonElement);

form.addEventListener("change", ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement} */ (target);
  document.documentElement.dataset[name] = value;
});
listen.hidden = !globalThis.AudioContext;
listen.addEventListener("click", () => play("turn", Number(setting("volume"))));

// The other tabs follow when the choice was saved.
if (document.querySelector(".done")) for (const name of NAMES) show({ [name]: setting(name) });
