import assert from "node:assert/strict";
import test from "node:test";
import { lots } from "../../../../service/pages/static/replay/city.js";
import { targets } from "../../../../service/pages/static/play/targets.js";
import { path } from "../../../../service/pages/static/study/parts.js";

test("a part of a board has the name of the position's document", () => {
  const position = { trading_house: ["corn"], players: [{ island: [{ tile: "corn" }, { tile: "indigo" }, { tile: "corn" }] }] };
  assert.equal(path("row.2", position), "plantations.face_up[2]");
  assert.equal(path("house.0", position), "trading_house[0]");
  assert.equal(path("house.1", position), "trading_house");
  assert.equal(path("players.0.island.corn.2", position), "players[0].island[2]");
});

test("a move is made where its parts are drawn", () => {
  assert.deepEqual(targets("puerto_rico", "role mayor", {}, 0), ["roles.mayor"]);
  assert.deepEqual(targets("spice_road", "buy 3", {}, 0), ["merchant_row.2"]);
});

test("a large building takes two lots", () => {
  const { placed, free } = lots(["guild_hall", "office"], { guild_hall: { large: true }, office: { large: false } });
  assert.deepEqual(placed.get("guild_hall"), [3, 0, 2, 1]);
  assert.deepEqual(placed.get("office"), [0, 0, 1, 1]);
  assert.equal(free.length, 9);
});
