// The parts of the board to click for a move, by their names in the drawing.

const GOODS = ["corn", "indigo", "sugar", "tobacco", "coffee"];

export function targets(game, move, position, seat) {
  const [verb, ...rest] = move.split(" ");
  return [...new Set(WAYS[game][verb]?.(rest, position, seat) ?? [])];
}

const WAYS = {
  puerto_rico: {
    role: ([role]) => [`roles.${role}`],
    draft: ([building]) => [`market.${building}`],
    build: ([building]) => [`market.${building}`],
    draw: () => ["face_down"],
    take: ([tile], position) => taken(tile, position),
    forest: ([tile], position) => (tile ? lying(tile, position) : ["stack.forest"]),
    plant: ([tile], position) => (tile ? lying(tile, position) : ["face_down"]),
    unplant: ([tile], position, seat) => standing(tile === "forest" ? "forest" : tile, position, seat),
    pick: () => ["colonist_ship"],
    bonus: (goods) => named(goods).map((good) => `supply.${good}`),
    sell: ([good], _, seat) => [`players.${seat}.goods.${good}`],
    ship: ([good, hold], position, seat) => [`ships.${position.ships.findIndex((ship) => ship.capacity === Number(hold))}`, `players.${seat}.goods.${good}`],
    wharf: ([good], _, seat) => [`players.${seat}.goods.${good}`, `players.${seat}.city.wharf`],
    small_wharf: (_, __, seat) => [`players.${seat}.city.small_wharf`],
    supply: (goods, _, seat) => named(goods).map((good) => `players.${seat}.goods.${good}`),
    store: (goods, _, seat) => named(goods).map((good) => `players.${seat}.goods.${good}`),
    guest: (places, position, seat) => places.flatMap((place) => circles(place.split("@").at(-1), position, seat)),
  },
  spice_road: {
    play: ([card], _, seat) => [`players.${seat}.hand.${card}`],
    buy: ([place]) => [`merchant_row.${Number(place) - 1}`],
    claim: ([place]) => [`point_row.${Number(place) - 1}`],
    rest: (_, __, seat) => [`players.${seat}.played`],
  },
};

function named(goods) {
  return goods.map((part) => part.split("=")[0]).filter((part) => GOODS.includes(part));
}

function taken(tile, position) {
  return tile === "quarry" || tile === "forest" ? [`stack.${tile}`] : lying(tile, position);
}

function lying(good, position) {
  return position.plantations.face_up.flatMap((face, at) => (face === good ? [`row.${at}`] : []));
}

function standing(kind, position, seat) {
  const tiles = position.players[seat].island.filter(({ tile }) => tile === kind);
  return tiles.map((_, at) => `players.${seat}.island.${kind}.${at + 1}`);
}

function circles(place, position, seat) {
  const built = position.players[seat].city.some(({ building }) => building === place);
  return built ? [`players.${seat}.city.${place}`] : standing(place, position, seat);
}

// Moves that a reader of the board may wish for, to ask why they are not legal.
export function wishes(decision, position, seat) {
  return (WISHES[decision] ?? (() => []))(position, seat);
}

const WISHES = {
  "D-ROLE": (position) => Object.keys(position.roles).map((role) => `role ${role}`),
  "D-SET-TAKE": () => [...GOODS, "quarry"].map((tile) => `take ${tile}`),
  "D-BLD": (position) => Object.entries(position.supply.buildings).map(([building]) => `build ${building}`),
  "D-CRA-PRIV": () => GOODS.map((good) => `bonus ${good}`),
  "D-TRD": (position, seat) => owned(position, seat).map((good) => `sell ${good}`),
  "D-CAP-LOAD": (position, seat) => owned(position, seat).flatMap((good) => position.ships.map(({ capacity }) => `ship ${good} ${capacity}`)),
  action: (position, seat) => [
    ...position.players[seat].hand.map((card) => `play ${card}`),
    ...position.point_row.map((_, at) => `claim ${at + 1}`),
    ...position.merchant_row.flatMap((_, at) => (at > cubes(position, seat) ? [`buy ${at + 1}`] : [])),
    "rest",
  ],
};

function cubes(position, seat) {
  return Object.values(position.players[seat].caravan).reduce((total, number) => total + number, 0);
}

function owned(position, seat) {
  return GOODS.filter((good) => position.players[seat].goods[good]);
}
