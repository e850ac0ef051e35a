// Requests to a service, with the types of its OpenAPI document.

import { type Following, follow, headersOf, type Message } from "./event_stream.js";
import { refusalIn } from "./problems.js";
import type { paths } from "./schema.js";
import { newKey, type Sending, sendUntilAnswered } from "./sending.js";

export type Method = "get" | "put" | "post" | "delete" | "patch";
/** The addresses that take a method. */
export type PathsWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;

type Path<O> = O extends { parameters: { path: infer T } } ? { path: T } : { path?: never };
type Query<O> = O extends { parameters: { query: infer T } } ? { query: T } : O extends { parameters: { query?: infer T } } ? { query?: T } : object;
type Body<O> = O extends { requestBody: { content: { "application/json": infer T } } }
  ? { body: T }
  : O extends { requestBody?: { content: { "application/json": infer T } } }
    ? { body?: T }
    : { body?: never };
interface Settings {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The key under which the request takes effect once; a new one by default. */
  key?: string;
}
export type Request<O> = Path<O> & Query<O> & Body<O> & Settings;
type Given<O> = object extends Request<O> ? [request?: Request<O>] : [request: Request<O>];

type Success = 200 | 201 | 202 | 204;
/** The document with which the service answers. */
export type Answer<O> = O extends { responses: infer R }
  ? { [S in keyof R & Success]: R[S] extends { content: { "application/json": infer T } } ? T : null }[keyof R & Success]
  : never;

export interface ClientSettings extends Sending {
  /** A token, from `POST /v1/tokens` or the page of the account, or what returns one that is still valid: see `SignIn.tokens`. */
  token?: string | (() => string | Promise<string>);
  /** The language of labels and refusals: en, is, sv, cs, hu. */
  language?: string;
}

type Values = Record<string, unknown>;

/** A client of the service at an address such as `https://play.example.org`. Its methods raise Refused and Unreachable. */
export class Client {
  readonly url: string;
  readonly #settings: ClientSettings;

  constructor(url: string, settings: ClientSettings = {}) {
    this.url = new URL(url).href.replace(/\/+$/, "");
    this.#settings = settings;
  }

  get<P extends PathsWith<"get">>(path: P, ...given: Given<Operation<P, "get">>): Promise<Answer<Operation<P, "get">>> {
    return this.#ask("GET", path, given[0]);
  }

  post<P extends PathsWith<"post">>(path: P, ...given: Given<Operation<P, "post">>): Promise<Answer<Operation<P, "post">>> {
    return this.#ask("POST", path, given[0]);
  }

  put<P extends PathsWith<"put">>(path: P, ...given: Given<Operation<P, "put">>): Promise<Answer<Operation<P, "put">>> {
    return this.#ask("PUT", path, given[0]);
  }

  patch<P extends PathsWith<"patch">>(path: P, ...given: Given<Operation<P, "patch">>): Promise<Answer<Operation<P, "patch">>> {
    return this.#ask("PATCH", path, given[0]);
  }

  delete<P extends PathsWith<"delete">>(path: P, ...given: Given<Operation<P, "delete">>): Promise<Answer<Operation<P, "delete">>> {
    return this.#ask("DELETE", path, given[0]);
  }

  /** Yields the messages of a stream, such as `/v1/games/{game}/events`, and resumes it when it breaks off. */
  follow<P extends PathsWith<"get">>(path: P, given: Path<Operation<P, "get">> & Query<Operation<P, "get">> & Following): AsyncGenerator<Message> {
    const { path: parts, query, headers, ...following } = given as Following & { path?: Values; query?: Values };
    const request = this.#settings.fetch === undefined ? {} : { fetch: this.#settings.fetch };
    return follow(this.#address(path, parts, query), { ...request, ...following, headers: async () => ({ ...(await this.#headers()), ...(await headersOf(headers)) }) });
  }

  async #ask<T>(method: string, path: string, given: (Settings & { path?: unknown; query?: unknown; body?: unknown }) | undefined): Promise<T> {
    const headers: Record<string, string> = { ...(await this.#headers()), Accept: "application/json" };
    if (method !== "GET") headers["Idempotency-Key"] = given?.key ?? newKey();
    const request: RequestInit = { method, headers: { ...headers, ...given?.headers } };
    if (given?.body !== undefined) {
      request.headers = { "Content-Type": "application/json", ...request.headers };
      request.body = JSON.stringify(given.body);
    }
    if (given?.signal) request.signal = given.signal;
    const address = this.#address(path, given?.path as Values | undefined, given?.query as Values | undefined);
    const answer = await sendUntilAnswered(address, request, this.#settings);
    if (!answer.ok) throw await refusalIn(answer);
    return (answer.status === 204 ? null : await answer.json()) as T;
  }

  async #headers(): Promise<Record<string, string>> {
    const { token: source, language } = this.#settings;
    const token = typeof source === "function" ? await source() : source;
    return { ...(token && { Authorization: `Bearer ${token}` }), ...(language && { "Accept-Language": language }) };
  }

  #address(path: string, parts: Values = {}, query: Values = {}): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parts[name])));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) search.append(name, String(one));
    }
    return `${this.url}${filled}${search.size ? `?${search}` : ""}`;
  }
}
