// Finds the elements of the page by their ids.

/**
 * Returns the element with this id, which has to be of the kind that is asked for.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} [kind] for example HTMLInputElement; any HTML element without it
 * @returns {E | null} null when the page has no such element
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found && kind && !(found instanceof kind)) throw new TypeError(`#${id} is not a ${kind.name}`);
  return /** @type {E | null} */ (found);
}
