import type { IncomingMessage, ServerResponse } from "node:http";
import { serveHttp } from "../support/server.js";

type Json = Readonly<Record<string, unknown>>;

/** Records of a service by resource; a list that is absent answers 404. */
export interface FakeRecords {
  readonly org?: Json;
  readonly definitions?: Json;
  readonly [list: string]: readonly Json[] | Json | undefined;
}

/** What happens to a request instead of an answer; undefined: nothing. */
export type Interference = (
  path: string,
  count: number,
) =>
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | "cut"
  /** No answer at all. */
  | "silence"
  | undefined;

/** Records on a page. */
const PAGE = 25;

/** Token of the fake service. */
export const fakeToken = "0123456789abcdef0123456789abcdef01234567";

/**
 * A small service of another make on loopback, until the end of the test: its `next` names a host of its own, as behind
 * a proxy, and its errors are those of the real one.
 */
export async function fakeService(
  records: FakeRecords,
  interfere: Interference = () => undefined,
): Promise<{ readonly url: string; readonly token: string; readonly paths: string[] }> {
  const paths: string[] = [];
  const server = await serveHttp((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    paths.push(path);
    const send = (status: number, body: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const done = interfere(path, paths.length);
    if (done === "cut") return void request.socket.destroy();
    if (done === "silence") return;
    if (done !== undefined) return void response.writeHead(done.status, done.headers).end(done.body);
    if (request.headers.authorization !== `Token ${fakeToken}`) return send(403, { detail: "Invalid token" });
    const url = new URL(path, "http://fake");
    const [, name = ""] = /^\/api\/v2\/(\w+)\.json$/.exec(url.pathname) ?? [];
    const found = records[name];
    if (found === undefined) return send(404, { detail: "Not found." });
    if (!Array.isArray(found)) return send(200, found);
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const next =
      from + PAGE < found.length ? `http://rapidpro.internal/api/v2/${name}.json?cursor=${from + PAGE}` : null;
    send(200, { next, previous: null, results: found.slice(from, from + PAGE) });
  });
  return { url: server.url.replace(/\/$/, ""), token: fakeToken, paths };
}

/** Records of `count` contacts, the newest first. */
export function contactRecords(count: number): Json[] {
  return Array.from({ length: count }, (_, i) => ({
    uuid: `c7d2c9f0-0f3b-4a8e-9b7a-${String(count - i).padStart(12, "0")}`,
    name: `Contact ${count - i}`,
    urns: [`tel:+25078${String(8_000_000 + count - i)}`],
    groups: [],
    fields: {},
    created_on: new Date(Date.UTC(2020, 0, 1) + (count - i) * 1000).toISOString(),
  }));
}
