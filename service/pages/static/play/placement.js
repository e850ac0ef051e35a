// The mayor's placement: drags people between San Juan and circles, or sets them by keyboard; starts with a suggestion.

const MADE_OF = { small_indigo_plant: "indigo", indigo_plant: "indigo", small_sugar_mill: "sugar", sugar_mill: "sugar", tobacco_storage: "tobacco", coffee_roaster: "coffee" };
const DEAR = { coffee: 0.5, tobacco: 0.4, sugar: 0.3, indigo: 0.2 };
const FREE = () => ({ colonists: 0, nobles: 0 });

export class Placement {
  constructor({ places, colonists, nobles, to_place: wanted }, position, seat) {
    this.room = places;
    this.own = { colonists, nobles };
    this.wanted = wanted;
    this.position = position;
    this.seat = seat;
    this.suggest();
  }

  // People stay; new ones fill circles where they work.
  suggest() {
    this.at = Object.fromEntries(Object.keys(this.room).map((place) => [place, FREE()]));
    const { island, city } = this.position.players[this.seat];
    for (const { tile, building, colonists, nobles } of [...island, ...city]) {
      const here = this.at[tile ?? building];
      if (here) Object.assign(here, { colonists: here.colonists + colonists, nobles: here.nobles + nobles });
    }
    this.fill();
  }

  clear() {
    for (const place of Object.keys(this.at)) this.at[place] = FREE();
  }

  fill() {
    while (this.placed < this.wanted) {
      const open = Object.keys(this.at).filter((place) => this.free(place));
      const best = open.reduce((one, other) => (this.worth(other) > this.worth(one) ? other : one));
      this.at[best][this.left("colonists") ? "colonists" : "nobles"] += 1;
    }
  }

  // The value of one more person at a place: pairs of plantation and plant first, then others.
  worth(place) {
    const good = MADE_OF[place];
    if (good) return this.pair(this.count(good), this.made(good), this.made(good, true), this.room[good] ?? 0) + DEAR[good];
    if (DEAR[place]) return this.pair(this.made(place), this.count(place), this.room[place], this.made(place, true)) + DEAR[place];
    return { corn: 7, quarry: 4 }[place] ?? 6;
  }

  pair(partners, here, _, partnersRoom) {
    if (partners > here) return 9;
    return partnersRoom > partners && this.wanted - this.placed > 1 ? 5 : 1;
  }

  made(good, room = false) {
    const plants = Object.keys(this.room).filter((place) => MADE_OF[place] === good);
    return plants.reduce((sum, place) => sum + (room ? this.room[place] : this.count(place)), 0);
  }

  count(place) {
    return this.at[place] ? this.at[place].colonists + this.at[place].nobles : 0;
  }

  get placed() {
    return Object.keys(this.at).reduce((sum, place) => sum + this.count(place), 0);
  }

  left(kind) {
    return this.own[kind] - Object.values(this.at).reduce((sum, here) => sum + here[kind], 0);
  }

  free(place) {
    return this.room[place] - this.count(place);
  }

  set(place, kind, number) {
    this.at[place][kind] = number;
  }

  // Adds a person; false when that is not possible.
  put(place, kind) {
    if (!this.free(place) || !this.left(kind)) return false;
    this.at[place][kind] += 1;
    return true;
  }

  take(place) {
    const here = this.at[place];
    const kind = here?.colonists ? "colonists" : "nobles";
    if (!here?.[kind]) return null;
    here[kind] -= 1;
    return kind;
  }

  // Moves a person between places (null: San Juan).
  move(from, to) {
    if (from === to || (to && !this.free(to))) return false;
    const kind = from ? this.take(from) : this.left("colonists") ? "colonists" : "nobles";
    return kind !== null && (!to || this.put(to, kind));
  }

  // Fills a place while there are people and room, else empties it.
  toggle(place, kind) {
    if (!this.put(place, kind) && !this.put(place, kind === "nobles" ? "colonists" : "nobles")) this.at[place] = FREE();
  }

  get text() {
    const filled = Object.entries(this.at).filter(([place]) => this.count(place));
    return ["place", ...filled.map(([place, { colonists, nobles }]) => `${place}=${colonists}${nobles ? `+${nobles}n` : ""}`)].join(" ");
  }

  // Returns the board with the placement.
  preview() {
    const left = Object.fromEntries(Object.entries(this.at).map(([place, here]) => [place, { ...here }]));
    const stand = (space, room) => {
      const here = left[space.tile ?? space.building];
      if (!here) return space;
      const nobles = Math.min(here.nobles, room);
      const colonists = Math.min(here.colonists, room - nobles);
      Object.assign(here, { nobles: here.nobles - nobles, colonists: here.colonists - colonists });
      return { ...space, colonists, nobles };
    };
    const player = this.position.players[this.seat];
    const own = {
      ...player,
      island: player.island.map((space) => stand(space, 1)),
      city: player.city.map((space) => stand(space, space.circles)),
      san_juan: { colonists: this.left("colonists"), nobles: this.left("nobles") },
    };
    return { ...this.position, players: this.position.players.map((other, at) => (at === this.seat ? own : other)) };
  }
}
