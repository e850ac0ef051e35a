// Whole sign-ins at the running service at CABILDO_URL, with a player who logs in there and allows them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, type Grant, Refused, SignIn, SignInRefused } from "../../src/index.js";

const url = process.env.CABILDO_URL ?? "";
const REDIRECT = "http://127.0.0.1:9/back";
const scopes = ["read", "play"] as const;

/** A player with a browser that is logged in. */
class Player {
  #cookie = "";
  #csrf = "";

  async logIn(): Promise<void> {
    const account = { name: `TypeScript ${Date.now()}`, password: "a long password" };
    await new Client(url).post("/v1/players", { body: account });
    const answer = await this.send("/v1/session", JSON.stringify(account), "application/json");
    this.#cookie = (answer.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
    this.#csrf = ((await answer.json()) as { csrf: string }).csrf;
  }

  async register(): Promise<string> {
    const answer = await this.send("/v1/programs", JSON.stringify({ name: "A program", redirects: [REDIRECT] }), "application/json");
    return ((await answer.json()) as { client_id: string }).client_id;
  }

  /** Answers the question of a page, and returns where the browser goes then. */
  async allow(address: string, form: URLSearchParams): Promise<string> {
    form.set("csrf", this.#csrf);
    form.set("answer", "allow");
    const answer = await this.send(address, String(form), "application/x-www-form-urlencoded");
    assert.ok([200, 303].includes(answer.status), await answer.clone().text());
    return answer.headers.get("Location") ?? "";
  }

  send(path: string, body: string, kind: string): Promise<Response> {
    const headers = { "Content-Type": kind, Cookie: this.#cookie, "X-CSRF-Token": this.#csrf };
    return fetch(url + path, { method: "POST", redirect: "manual", headers, body });
  }
}

test("a program gets a token by code, renews it and ends it", { timeout: 60_000 }, async () => {
  const player = new Player();
  await player.logIn();
  const signIn = new SignIn(url, await player.register(), { redirect: REDIRECT, scopes });
  const { address, pending } = await signIn.begin();
  const returned = await player.allow("/oauth/authorize", new URL(address).searchParams);
  const first = await signIn.finish(returned, pending);
  assert.equal(first.scope, "read play");

  const kept: Grant[] = [];
  const client = new Client(url, { token: signIn.tokens({ ...first, ends: 0 }, (grant) => void kept.push(grant)) });
  const me = await client.get("/v1/me");
  assert.match(me.name ?? "", /^TypeScript/);
  const [renewed] = kept;
  assert.ok(renewed && renewed.token !== first.token);

  await signIn.revoke(renewed);
  await assert.rejects(new Client(url, { token: renewed.token, pauses: [] }).get("/v1/me"), (problem) => problem instanceof Refused && problem.status === 401);
  await assert.rejects(signIn.renew(renewed), { error: "invalid_grant" });
});

test("a code that somebody else's verifier brings is worth nothing", { timeout: 60_000 }, async () => {
  const player = new Player();
  await player.logIn();
  const signIn = new SignIn(url, await player.register(), { redirect: REDIRECT, scopes });
  const { address, pending } = await signIn.begin();
  const returned = await player.allow("/oauth/authorize", new URL(address).searchParams);
  await assert.rejects(signIn.finish(returned, { ...pending, verifier: "x".repeat(43) }), SignInRefused);
});

test("a command line gets a token by the code that the player enters", { timeout: 60_000 }, async () => {
  const player = new Player();
  await player.logIn();
  const signIn = new SignIn(url, await player.register(), { scopes });
  let allowed: Promise<string> | undefined;
  const grant = await signIn.byDevice(({ code }) => (allowed = player.allow("/oauth/device/answer", new URLSearchParams({ user_code: code }))));
  await allowed;
  assert.deepEqual([grant.refresh, grant.scope], [null, "read play"]);
  assert.match((await new Client(url, { token: grant.token }).get("/v1/me")).name ?? "", /^TypeScript/);
});
