// Sign-in against a small server: what is sent, what is refused, and what is never sent twice.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { Client, type Grant, SignIn, SignInRefused, Unreachable } from "../src/index.js";
import { type Reply, type Seen, serving } from "./serving.js";

const REDIRECT = "http://127.0.0.1:9/back";
const ABOUT: Reply = [200, '{"issuer": "https://games.example"}'];
const TOKEN: Reply = [200, '{"access_token": "cab_1", "refresh_token": "cabr_1", "expires_in": 3600, "scope": "read play"}'];
const refusal = (error: string, status = 400): Reply => [status, JSON.stringify({ error, error_description: `it is ${error}` })];
const form = (seen: Seen | undefined) => Object.fromEntries(new URLSearchParams(seen?.body));
const grant: Grant = { token: "cab_0", scope: "read", refresh: "cabr_0", ends: 0 };

test("a page sends the browser away with a challenge, and gets a grant for the verifier", async () => {
  await serving([ABOUT, TOKEN], async (url, seen) => {
    const signIn = new SignIn(url, "prog_1", { redirect: REDIRECT, scopes: ["read", "play"] });
    const { address, pending } = await signIn.begin();
    const asked = Object.fromEntries(new URL(address).searchParams);
    const { state, code_challenge: challenge, ...others } = asked;
    assert.deepEqual(others, { response_type: "code", client_id: "prog_1", redirect_uri: REDIRECT, scope: "read play", code_challenge_method: "S256" });
    assert.equal(challenge, createHash("sha256").update(pending.verifier).digest("base64url"));
    const kept = JSON.parse(JSON.stringify(pending));
    const told = await signIn.finish(`${REDIRECT}?code=c1&state=${state}&iss=https%3A%2F%2Fgames.example`, kept);
    assert.equal(told.token, "cab_1");
    assert.ok(told.ends > Date.now() + 3_500_000);
    const { code_verifier: verifier, ...sent } = form(seen[1]);
    assert.equal(verifier, pending.verifier);
    assert.deepEqual(sent, { client_id: "prog_1", grant_type: "authorization_code", code: "c1", redirect_uri: REDIRECT });
    assert.equal(seen[1]?.headers.cookie, undefined);
  });
});

test("an answer to another question, of another service or a refusal gets no grant", async () => {
  await serving([ABOUT], async (url, seen) => {
    const signIn = new SignIn(url, "prog_1", { redirect: REDIRECT });
    const { pending } = await signIn.begin();
    const iss = "iss=https%3A%2F%2Fgames.example";
    for (const [query, error] of [
      [`code=c1&state=other&${iss}`, "wrong_state"],
      [`code=c1&state=${pending.state}&iss=https%3A%2F%2Fother.example`, "wrong_issuer"],
      [`code=c1&state=${pending.state}`, "wrong_issuer"],
      [`error=access_denied&state=${pending.state}&${iss}`, "access_denied"],
    ]) {
      await assert.rejects(signIn.finish(`${REDIRECT}?${query}`, pending), { error });
    }
    assert.equal(seen.length, 1); // no code went anywhere
  });
});

test("a token that ends soon is renewed once for all who ask, and kept before it is used", async () => {
  await serving([TOKEN, [200, "{}"]], async (url, seen) => {
    const kept: Grant[] = [];
    const client = new Client(url, { token: new SignIn(url, "prog_1").tokens(grant, (renewed) => void kept.push(renewed)) });
    await Promise.all([client.get("/v1/me"), client.get("/v1/me"), client.get("/v1/games")]);
    assert.deepEqual(seen.map(({ headers }) => headers.authorization), [undefined, "Bearer cab_1", "Bearer cab_1", "Bearer cab_1"]);
    assert.deepEqual(form(seen[0]), { client_id: "prog_1", grant_type: "refresh_token", refresh_token: "cabr_0" });
    assert.equal(kept[0]?.refresh, "cabr_1");
  });
});

test("a refresh token is never sent twice, and an ended consent stops a stream", async () => {
  await serving([refusal("invalid_grant")], async (url, seen) => {
    const signIn = new SignIn(url, "prog_1");
    await assert.rejects(signIn.renew(grant), { error: "invalid_grant", message: "it is invalid_grant" });
    assert.equal(seen.length, 1);
    const client = new Client(url, { token: signIn.tokens(grant, () => undefined) });
    await assert.rejects(client.follow("/v1/me/stream", {}).next(), SignInRefused);
    await assert.rejects(signIn.renew({ ...grant, refresh: null }), { error: "invalid_grant" });
  });
  await assert.rejects(new SignIn("http://127.0.0.1:9", "prog_1").renew(grant), Unreachable);
});

test("a command line shows a code and asks until it is allowed", async () => {
  const begun = { device_code: "d1", user_code: "BCDF-GHJK", verification_uri: "https://x/device", verification_uri_complete: "https://x/device?c=1", expires_in: 60, interval: 0.01 };
  const lasting: Reply = [200, '{"access_token": "cab_2", "expires_in": 10, "scope": "play"}'];
  await serving([[200, JSON.stringify(begun)], refusal("authorization_pending"), refusal("authorization_pending"), lasting], async (url, seen) => {
    const shown: string[] = [];
    const told = await new SignIn(url, "prog_1", { scopes: ["play"] }).byDevice(({ code, page, complete }) => shown.push(code, page, complete));
    assert.deepEqual(shown, ["BCDF-GHJK", "https://x/device", "https://x/device?c=1"]);
    assert.deepEqual([told.token, told.refresh, seen.length], ["cab_2", null, 4]);
    assert.deepEqual(form(seen[0]), { client_id: "prog_1", scope: "play" });
    assert.equal(form(seen[3]).device_code, "d1");
  });
  await serving([[200, JSON.stringify(begun)], refusal("access_denied")], async (url) => {
    await assert.rejects(new SignIn(url, "prog_1").byDevice(() => undefined), { error: "access_denied" });
    const stop = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(new SignIn(url, "prog_1").byDevice(() => undefined, stop), /stopped|does not answer/);
  });
});
