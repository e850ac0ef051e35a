// The places of buildings in a city: twelve lots in four columns; a building keeps its lot.

const COLUMNS = 4;
const ROWS = 3;

// Lots by building: [column, row, lots down, lots across]. Large ones stand at the right, two lots high, a fifth one lies.
export function lots(buildings, catalogue) {
  const free = new Set(Array.from({ length: COLUMNS * ROWS }, (_, at) => at)); // column by column
  const large = buildings.filter((name) => catalogue[name].large);
  const placed = new Map(large.map((name, number) => [name, largeLot(number)]));
  for (const [column, row, down, across] of placed.values()) {
    for (let at = 0; at < down * across; at++) free.delete((column + (down > 1 ? 0 : at)) * ROWS + row + (down > 1 ? at : 0));
  }
  for (const name of buildings.filter((one) => !catalogue[one].large)) {
    const at = Math.min(...free);
    free.delete(at);
    placed.set(name, [Math.floor(at / ROWS), at % ROWS, 1, 1]);
  }
  return { placed, free: [...free].map((at) => [Math.floor(at / ROWS), at % ROWS]) };
}

function largeLot(number) {
  return number < COLUMNS ? [COLUMNS - 1 - number, 0, 2, 1] : [2 * (1 - (number - COLUMNS)), ROWS - 1, 1, 2];
}

// Returns the buildings that each seat buys in a game, in order.
export function bought(steps, seats) {
  const built = Array.from({ length: seats }, () => []);
  for (const { kept, facts } of steps) {
    for (const [name, seat, building] of facts) if (kept && name === "building_bought") built[seat].push(building);
  }
  return built;
}
