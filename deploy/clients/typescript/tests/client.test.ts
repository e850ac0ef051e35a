// The client alone: against a small server that answers as a test says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, follow, Refused, Unreachable } from "../src/index.js";
import { type Reply, serving } from "./serving.js";

const PAUSES = [1, 1];
const event = (seq: number, kind = "move_made") => `id: ${seq}\nevent: ${kind}\ndata: {"seq": ${seq}}\n\n`;
const closed = (reason: string) => `event: closed\ndata: {"closed": "${reason}", "next": 1}\n\n`;

async function numbers(url: string, after: number | null = null): Promise<unknown[]> {
  const heard: unknown[] = [];
  for await (const message of follow(url, { after })) heard.push(message.id ?? message.document.closed);
  return heard;
}

test("a request names its path, query, token, language and body", async () => {
  await serving([[200, '{"version": 3}']], async (url, seen) => {
    const client = new Client(`${url}/`, { token: "cab_1", language: "is" });
    const answer = await client.post("/v1/games/{game}/moves", { path: { game: "a/b" }, query: { dry_run: true }, body: { move: "rest", expected: 2 } });
    assert.deepEqual(answer, { version: 3 });
    const [request] = seen;
    assert.equal(request?.url, "/v1/games/a%2Fb/moves?dry_run=true");
    assert.equal(request?.headers.authorization, "Bearer cab_1");
    assert.equal(request?.headers["accept-language"], "is");
    assert.deepEqual(JSON.parse(request?.body ?? ""), { move: "rest", expected: 2 });
  });
});

test("a request without an answer is repeated under the same key", async () => {
  await serving([[503, ""], [429, "{}"], [201, '{"id": "1"}']], async (url, seen) => {
    await new Client(url, { pauses: PAUSES }).post("/v1/games", { body: { game: "spice_road", seats: ["me", "bot:greedy"] } });
    assert.equal(seen.length, 3);
    assert.equal(new Set(seen.map((one) => one.headers["idempotency-key"])).size, 1);
    assert.ok(seen[0]?.headers["idempotency-key"]);
  });
});

test("a refusal tells its reason and its data", async () => {
  const problem = { type: "https://cabildo/problems#illegal_move", title: "No", status: 422, detail: "Not now.", rule: "R-7" };
  await serving([[422, JSON.stringify(problem)]], async (url) => {
    const refused = await new Client(url).get("/v1/me").catch((found: unknown) => found);
    assert.ok(refused instanceof Refused);
    assert.deepEqual([refused.type, refused.status, refused.message, refused.problem.rule], ["illegal_move", 422, "Not now.", "R-7"]);
  });
});

test("an answer of a proxy is a refusal too", async () => {
  await serving([[413, "<html>too large</html>"]], async (url) => {
    await assert.rejects(new Client(url).get("/v1/me"), { name: "Refused", status: 413, type: "about:blank" });
  });
});

test("a service that is not there is unreachable", async () => {
  const gone = await serving([[200, "{}"]], async (url) => url);
  await assert.rejects(new Client(gone, { pauses: PAUSES }).get("/v1/me"), Unreachable);
});

test("an aborted request is not repeated", async () => {
  await serving([[503, ""]], async (url, seen) => {
    const stop = new AbortController();
    const asked = new Client(url, { pauses: [60_000] }).get("/v1/me", { signal: stop.signal });
    while (!seen.length) await new Promise((again) => setTimeout(again, 1));
    stop.abort(new Error("enough"));
    await assert.rejects(asked, /enough/);
    assert.equal(seen.length, 1);
  });
});

test("a stream goes on after the last message it told", async () => {
  const replies: Reply[] = [[200, event(7) + event(8)], [503, ""], [200, ": alive\n\n" + event(9) + closed("access_ended")]];
  await serving(replies, async (url, seen) => {
    assert.deepEqual(await numbers(url, 6), [7, 8, 9, "access_ended"]);
    assert.deepEqual(
      seen.map((one) => one.headers["last-event-id"]),
      ["6", "8", "8"],
    );
  });
});

test("a stream waits as long as the service asks", async () => {
  await serving([[429, "{}", { "Retry-After": "1" }], [200, event(1)], [204, ""]], async (url, seen) => {
    const begun = performance.now();
    assert.deepEqual(await numbers(url), [1]);
    assert.ok(performance.now() - begun >= 1000);
    assert.equal(seen.length, 3);
  });
});

test("a stream without more to tell ends", async () => {
  await serving([[200, event(1) + closed("game_is_over")], [204, ""]], async (url) => {
    assert.deepEqual(await numbers(url), [1, "game_is_over"]);
  });
});

test("a stream that may not be read is refused", async () => {
  await serving([[404, '{"type": "x#not_there", "status": 404}']], async (url) => {
    await assert.rejects(numbers(url), { name: "Refused", type: "not_there" });
  });
});

test("a stream ends when its signal does, also while it waits", async () => {
  await serving([[200, event(1)], [503, ""]], async (url) => {
    const stop = new AbortController();
    const following = follow(url, { signal: stop.signal });
    assert.equal((await following.next()).value?.id, 1);
    stop.abort(new Error("enough"));
    await assert.rejects(following.next(), /enough/);
  });
});
