// A small server that answers as a test says.

import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Seen {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}
export type Reply = [status: number, body: string, headers?: Record<string, string>];

/** Serves the next of some answers to each request, the last one for ever. */
export async function serving<T>(replies: Reply[], use: (url: string, seen: Seen[]) => Promise<T>): Promise<T> {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      const [status, text, headers] = replies[Math.min(seen.length, replies.length - 1)] as Reply;
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text || undefined);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
