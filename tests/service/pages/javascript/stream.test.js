import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";

import "./page.js";

const { Stream } = await import("../../../../service/pages/static/stream.js");

const { document } = globalThis;
const CLOSED = 'event: closed\ndata: {"closed": "access_ended", "next": 7}\n\n';

// Runs a server that answers each connection with the next of some answers; returns what the stream and the page did.
async function followed(answers) {
  const notice = { hidden: true };
  const known = document.getElementById;
  document.getElementById = (id) => (id === "access-ended" ? notice : known(id));
  let calls = 0;
  const server = http.createServer((_, response) => {
    const [status, body] = answers[Math.min(calls++, answers.length - 1)];
    response.writeHead(status, { "Content-Type": "text/event-stream" }).end(body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const heard = [];
  const stream = new Stream(`http://127.0.0.1:${server.address().port}/`, 6, (kind, told) => heard.push([kind, told.closed ?? told.seq]));
  stream.wanted = true;
  await stream.run();
  document.getElementById = known;
  await new Promise((done) => server.close(done));
  return { calls, heard, hidden: notice.hidden };
}

test("a stream whose right has ended says why and connects no more", async () => {
  assert.deepEqual(await followed([[200, CLOSED]]), { calls: 1, heard: [["closed", "access_ended"]], hidden: false });
});

test("a stream that broke off connects again, until it is refused", async () => {
  const event = 'id: 7\nevent: moved\ndata: {"seq": 7}\n\n';
  const { calls, heard, hidden } = await followed([[200, event], [503, ""], [401, "{}"]]);
  assert.deepEqual({ calls, heard, hidden }, { calls: 3, heard: [["moved", 7]], hidden: false });
});

test("a finished stream ends without a notice", async () => {
  assert.deepEqual(await followed([[204, undefined]]), { calls: 1, heard: [], hidden: true });
});
