// Sign-in by OAuth 2.1: authorisation code with PKCE for pages and programs with a browser, device code for command lines.

import { Refused, Unreachable } from "./problems.js";
import { type Fetch, sleep } from "./sending.js";

/** A token that a player allowed, with the scopes and the end that it has. */
export interface Grant {
  token: string;
  /** The scopes, separated by spaces: no more than were asked for. */
  scope: string;
  /** The token that renews this one, used once; null for a device. */
  refresh: string | null;
  /** The time at which the token ends, in milliseconds since 1970. */
  ends: number;
}

/** What a program keeps while the player is away on the page of the service, such as in `sessionStorage`. Plain data. */
export interface Pending {
  state: string;
  verifier: string;
  redirect: string;
  issuer: string;
}

/** A login that the player confirms with a code, on any machine. */
export interface DeviceCode {
  /** The code to show. */
  code: string;
  /** The page on which the player enters it. */
  page: string;
  /** The same page with the code filled in. */
  complete: string;
}

export interface SignInSettings {
  /** The address to which the browser returns, as it is registered. */
  redirect?: string;
  /** The scopes: read, play, host, annotate. */
  scopes?: readonly string[];
  fetch?: Fetch;
}

/** OAuth refused: `error` is the reason by RFC 6749, such as `access_denied` or `invalid_grant`. */
export class SignInRefused extends Refused {
  readonly error: string;

  constructor(error: string, description = "", status = 401) {
    super({ type: `oauth#${error}`, title: error, status, detail: description || error });
    this.name = "SignInRefused";
    this.error = error;
  }
}

const ANSWER_WITHIN = 30_000; // milliseconds
const RENEWED_BEFORE = 60_000; // milliseconds before the end of a token
const SLOWER = 5; // seconds that `slow_down` adds (RFC 8628)
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** Signs players in for a program that is registered at the page `/programs` of the service. */
export class SignIn {
  readonly url: string;
  readonly #program: string;
  readonly #settings: SignInSettings;

  constructor(url: string, program: string, settings: SignInSettings = {}) {
    this.url = new URL(url).href.replace(/\/+$/, "");
    this.#program = program;
    this.#settings = settings;
  }

  /** Begins: send the browser to `address`, and keep `pending` until it returns. */
  async begin(): Promise<{ address: string; pending: Pending }> {
    const { redirect = "" } = this.#settings;
    const verifier = randomText();
    const pending: Pending = { state: randomText(), verifier, redirect, issuer: await this.#issuer() };
    const asked = { response_type: "code", client_id: this.#program, redirect_uri: redirect, scope: this.#scope(), state: pending.state };
    const query = new URLSearchParams({ ...asked, code_challenge: await challengeOf(verifier), code_challenge_method: "S256" });
    return { address: `${this.url}/oauth/authorize?${query}`, pending };
  }

  /** Finishes with the address to which the browser returned. Raises SignInRefused; so it does for an answer to another question. */
  async finish(returned: string | URL, pending: Pending): Promise<Grant> {
    const told = new URL(returned, pending.redirect).searchParams;
    if (told.get("state") !== pending.state) throw new SignInRefused("wrong_state", "the answer belongs to another question");
    if (told.get("iss") !== pending.issuer) throw new SignInRefused("wrong_issuer", "the answer comes from another service");
    const error = told.get("error");
    if (error !== null) throw new SignInRefused(error, told.get("error_description") ?? "");
    const sent = { grant_type: "authorization_code", code: told.get("code") ?? "", redirect_uri: pending.redirect, code_verifier: pending.verifier };
    return grantIn(await this.#send("/oauth/token", sent));
  }

  /** Renews a grant. A refresh token is used once: keep what is returned before you use it, and renew in one place. */
  async renew(grant: Grant): Promise<Grant> {
    if (grant.refresh === null) throw new SignInRefused("invalid_grant", "this grant has no refresh token");
    return grantIn(await this.#send("/oauth/token", { grant_type: "refresh_token", refresh_token: grant.refresh }));
  }

  /** Ends a grant: its token and its refresh token are worth nothing any more. */
  async revoke(grant: Grant): Promise<void> {
    await this.#send("/oauth/revoke", { token: grant.refresh ?? grant.token });
  }

  /** Returns the token source of a Client: renews a minute before the end, once for all who ask; `keep` hears of each new grant first. */
  tokens(grant: Grant, keep: (grant: Grant) => void | Promise<void>): () => Promise<string> {
    let current = grant;
    let renewing: Promise<void> | null = null;
    const renew = async () => {
      const renewed = await this.renew(current);
      await keep(renewed);
      current = renewed;
    };
    return async () => {
      if (current.refresh !== null && Date.now() > current.ends - RENEWED_BEFORE) await (renewing ??= renew().finally(() => (renewing = null)));
      return current.token;
    };
  }

  /** Signs in without a browser of its own: `show` tells the player the code; returns when the player has allowed it. */
  async byDevice(show: (shown: DeviceCode) => void, signal?: AbortSignal): Promise<Grant> {
    const begun = await this.#send("/oauth/device_authorization", { scope: this.#scope() }, signal);
    show({ code: String(begun.user_code), page: String(begun.verification_uri), complete: String(begun.verification_uri_complete) });
    const asked = { grant_type: DEVICE_GRANT, device_code: String(begun.device_code) };
    const ends = Date.now() + 1000 * Number(begun.expires_in);
    for (let interval = Number(begun.interval ?? SLOWER); Date.now() < ends; ) {
      await sleep(1000 * interval, signal);
      try {
        return grantIn(await this.#send("/oauth/token", asked, signal));
      } catch (problem) {
        signal?.throwIfAborted();
        if (!(problem instanceof SignInRefused)) continue; // the answer was lost
        if (problem.error === "slow_down" || problem.status >= 500) interval += SLOWER;
        else if (problem.error !== "authorization_pending") throw problem;
      }
    }
    throw new SignInRefused("expired_token", "nobody entered the code in time");
  }

  #scope(): string {
    return (this.#settings.scopes ?? ["read"]).join(" ");
  }

  /** Returns the name of the service, which its answers have to carry (RFC 9207). */
  async #issuer(): Promise<string> {
    const { fetch: request = fetch } = this.#settings;
    const answer = await request(`${this.url}/.well-known/oauth-authorization-server`, { signal: AbortSignal.timeout(ANSWER_WITHIN) }).catch(unreachable);
    const { issuer } = (await answer.json().catch(() => ({}))) as { issuer?: unknown };
    if (typeof issuer !== "string") throw new SignInRefused("server_error", "the service does not say who it is", answer.status);
    return issuer;
  }

  /** Sends a form once: a code or a refresh token that came twice would end the consent. */
  async #send(path: string, form: Record<string, string>, signal?: AbortSignal): Promise<Record<string, unknown>> {
    const { fetch: request = fetch } = this.#settings;
    const deadline = AbortSignal.timeout(ANSWER_WITHIN);
    const body = new URLSearchParams({ client_id: this.#program, ...form });
    const sent = { method: "POST", body, credentials: "omit" as const, signal: signal ? AbortSignal.any([signal, deadline]) : deadline };
    const answer = await request(`${this.url}${path}`, sent).catch(unreachable);
    const told = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    if (answer.ok) return told;
    const passing = answer.status === 429 || answer.status >= 500;
    throw new SignInRefused(String(told.error ?? "server_error"), String(told.error_description ?? ""), passing ? answer.status : 401);
  }
}

function unreachable(cause: unknown): never {
  throw new Unreachable(cause);
}

function grantIn(told: Record<string, unknown>): Grant {
  const refresh = typeof told.refresh_token === "string" ? told.refresh_token : null;
  return { token: String(told.access_token), scope: String(told.scope), refresh, ends: Date.now() + 1000 * Number(told.expires_in) };
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
