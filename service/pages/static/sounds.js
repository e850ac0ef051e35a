// Sounds, made by the browser itself: for the reader's turn and for moves of others, as the reader chose.

import { setting } from "./own_settings.js";

const NOTES = { turn: [523.25, 659.25, 783.99], move: [392] }; // Hz
const LENGTH = 0.16; // seconds of a note
const LOUDEST = 0.3;
let context = null;

// Plays the sound of the reader's turn, or of a move of another player, where it is switched on.
/** @param {"turn" | "move"} what */
export function sound(what) {
  const wanted = setting("sounds");
  if (wanted === "all" || (wanted === "turn" && what === "turn")) play(what, Number(setting("volume")));
}

// Plays a sound at a volume from 0 to 100. Before the first click or key on a page, browsers refuse and complain.
/**
 * @param {"turn" | "move"} what
 * @param {number} volume
 */
export function play(what, volume) {
  if (!volume || !globalThis.AudioContext || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  NOTES[what].forEach((pitch, at) => note(pitch, context.currentTime + at * LENGTH * 0.8, (volume / 100) * LOUDEST));
}

function note(pitch, start, loud) {
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(start + LENGTH);
}
