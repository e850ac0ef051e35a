// The pages of the service use parts of this client: `npm run pages` writes them there.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const PAGES = new URL("../../../../../service/pages/static/client/", import.meta.url);
const BUILT = new URL("../../dist/", import.meta.url);

for (const name of readdirSync(PAGES)) {
  test(`the pages have ${name} as it is built`, () => {
    assert.equal(readFileSync(new URL(name, PAGES), "utf8"), readFileSync(new URL(name, BUILT), "utf8"));
  });
}
