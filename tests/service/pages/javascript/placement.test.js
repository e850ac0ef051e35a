import assert from "node:assert/strict";
import test from "node:test";
import { Placement } from "../../../../service/pages/static/play/placement.js";

const island = [{ tile: "indigo", colonists: 0, nobles: 0 }, { tile: "corn", colonists: 0, nobles: 0 }];
const city = [{ building: "small_indigo_plant", colonists: 0, nobles: 0, circles: 1 }];
const position = { players: [{ island, city }] };
const slots = { places: { indigo: 1, corn: 1, small_indigo_plant: 1 }, colonists: 2, nobles: 0, to_place: 2 };
const placement = () => new Placement(slots, position, 0);

test("as many people are placed as have to be", () => {
  assert.equal(placement().placed, 2);
  assert.equal(placement().left("colonists"), 0);
});

test("a move names each place with its people", () => {
  const made = placement();
  made.clear();
  made.put("corn", "colonists");
  assert.equal(made.text, "place corn=1");
});

test("a full place takes no other person", () => {
  const made = placement();
  made.clear();
  assert.equal(made.put("corn", "colonists"), true);
  assert.equal(made.put("corn", "colonists"), false);
});

test("a person moves from a place to another one", () => {
  const made = placement();
  made.clear();
  made.put("corn", "colonists");
  assert.equal(made.move("corn", "indigo"), true);
  assert.deepEqual(made.at.indigo, { colonists: 1, nobles: 0 });
  assert.equal(made.count("corn"), 0);
});

test("a preview shows people where they would stand", () => {
  const made = placement();
  made.clear();
  made.put("corn", "colonists");
  const [player] = made.preview().players;
  assert.deepEqual(player.island.map(({ colonists }) => colonists), [0, 1]);
  assert.equal(player.san_juan.colonists, 1);
});
