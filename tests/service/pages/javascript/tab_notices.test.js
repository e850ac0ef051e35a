// Quiet hours as an open tab heeds them: by the clock of their zone, also over midnight.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { isQuiet } = await import("../../../../service/pages/static/settings/tab_notices.js");
const night = { from: "22:30", until: "07:00" };

for (const [quiet, zone, at, expected] of [
  [night, "Europe/Prague", "2026-11-19T21:29Z", false],
  [night, "Europe/Prague", "2026-11-19T21:30Z", true],
  [night, "Europe/Prague", "2026-11-20T05:59Z", true],
  [night, "Europe/Prague", "2026-11-20T06:00Z", false],
  [{ from: "12:00", until: "13:00" }, "UTC", "2026-11-19T12:30Z", true],
  [{ from: "12:00", until: "13:00" }, "UTC", "2026-11-19T13:00Z", false],
  [{ from: "08:00", until: "08:00" }, "UTC", "2026-11-19T08:00Z", false],
  [{ from: "23:00", until: "01:00" }, "UTC", "2026-11-20T00:00Z", true],
  [null, "UTC", "2026-11-19T08:00Z", false],
]) {
  test(`${quiet ? `${quiet.from} to ${quiet.until}` : "no quiet hours"} in ${zone} at ${at}`, () => {
    assert.equal(isQuiet(quiet, zone, new Date(at)), expected);
  });
}
