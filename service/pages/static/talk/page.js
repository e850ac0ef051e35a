// Table talk on a page without a stream of its own: connects once the reader opens it.

import { byId } from "../elements_by_id.js";
import { Stream } from "../stream.js";
import { say } from "../words.js";
import { Talk } from "./talk.js";

// Returns the talk of a section within a folded panel, which shows how many messages wait.
export function folded(section, about, id, player, stream) {
  const panel = byId("talk-panel", HTMLDetailsElement);
  const count = byId("talk-count");
  const talk = new Talk(section, { about, id, player, unread: (waiting) => (count.textContent = waiting ? ` ${say("talk.unread", { n: waiting })}` : "") });
  let connected = false;
  const connect = () => {
    if (!panel.open || connected) return;
    connected = true;
    talk.noteRead();
    if (stream) new Stream(stream.path, stream.after, (kind, message) => kind === "talk" && talk.hear(message.talk)).whileVisible();
  };
  panel.addEventListener("toggle", connect);
  connect(); // it may have been unfolded before the page was ready
  talk.start();
  return talk;
}
