// The talk of a tournament on its pages.

import { byId } from "../elements_by_id.js";
import { folded } from "./page.js";

const section = byId("talk");
const { tournament, version, player } = section.dataset;
folded(section, "tournament", tournament, player || null, { path: `/v1/tournaments/${tournament}/events?talk=true`, after: Number(version) });
