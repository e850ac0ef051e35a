// Shows a running game on the first page: the newest board, in small, and the last step; its pieces explain themselves.

import { byId } from "./elements_by_id.js";
import { LiveBoard } from "./live_board.js";
import { explain } from "./rules/popovers.js";

const live = new LiveBoard(JSON.parse(byId("setting").textContent));
byId("stage-tools").append(explain(byId("board"), () => live.shown(), { taps: false }));
byId("board").addEventListener("click", () => /** @type {HTMLElement} */ (document.querySelector(".stage .to")).click()); // as on the rest of the stage
live.start();
