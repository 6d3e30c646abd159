import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";

/** A receiver that is right, in a style of its own. */
export interface RightReceiver {
  readonly url: string;
  readonly effects?: string;
  readonly close: () => Promise<void>;
}

type Handle = (form: URLSearchParams, response: ServerResponse) => void;

/** A receiver of plain Node. */
export async function plain(handle: Handle, effects?: () => unknown): Promise<RightReceiver> {
  const server = createServer((request: IncomingMessage, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(effects?.() ?? {}));
      return;
    }
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => handle(new URLSearchParams(body), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    ...(effects !== undefined && { effects: `GET ${url}` }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function keyOf(form: URLSearchParams): string {
  const get = (name: string): string => form.get(name) ?? "";
  const id = get("sms") || get("call") || get("id") || get("last_seen");
  return [get("event"), get("relayer") || get("channel"), id, get("phone"), get("step"), get("values").length].join(
    " ",
  );
}

const isCall = (form: URLSearchParams): boolean => /_(?:call|miss)$/.test(form.get("event") ?? "");

/** Accepts everything with an empty 200 and keeps nothing. */
export const acceptsAll = (): Promise<RightReceiver> => plain((_, response) => response.end());

/** Answers 204. */
export const answers204 = (): Promise<RightReceiver> =>
  plain((_, response) => {
    response.statusCode = 204;
    response.end();
  });

/** Answers 201 with JSON that is no reply. */
export const answers201 = (): Promise<RightReceiver> =>
  plain((form, response) => {
    response.writeHead(201, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: "ok", event: form.get("event") }));
  });

/** Ignores calls, refuses strangers with 403: it takes texts of its own people only. */
export const refusesStrangers = (): Promise<RightReceiver> =>
  plain((form, response) => {
    const isStranger = form.get("event") === "mo_sms";
    response.statusCode = isStranger ? 403 : 200;
    response.end(isStranger ? "unknown sender" : "ok");
  });

/** Ignores calls and counts texts. */
export const ignoresCalls = (): Promise<RightReceiver> => {
  const seen = new Set<string>();
  return plain(
    (form, response) => {
      if (!isCall(form)) seen.add(keyOf(form));
      response.end("OK");
    },
    () => ({ events: seen.size }),
  );
};

/** Queues events and answers at once. The queue is worked off later. It also counts requests and copies. */
export const queues = (): Promise<RightReceiver> => {
  const seen = new Set<string>();
  const people: Record<string, { texts: number; deliveries: number; last: string | null }> = {};
  let requests = 0;
  return plain(
    (form, response) => {
      response.end();
      requests++;
      setTimeout(() => {
        const key = keyOf(form);
        const person = (people[form.get("phone") ?? ""] ??= { texts: 0, deliveries: 0, last: null });
        person.deliveries++;
        if (seen.has(key)) return;
        seen.add(key);
        person.texts++;
        person.last = form.get("text");
      }, 30);
    },
    () => ({ requests, people }),
  );
};

/** Keeps rows under a unique key; replies with a copy of the text, also to a copy. */
export const uniqueRows = (): Promise<RightReceiver> => {
  const rows = new Map<string, Record<string, string>>();
  return plain(
    (form, response) => {
      const get = (name: string): string | null => form.get(name);
      if (!rows.has(keyOf(form))) rows.set(keyOf(form), Object.fromEntries(form));
      response.setHeader("content-type", "application/json");
      if (get("event") !== "mo_sms" || !/^\+\d+$/.test(get("phone") ?? "")) {
        response.end();
        return;
      }
      const text = Array.from(`You wrote: ${get("text") ?? ""}`)
        .slice(0, 480)
        .join("");
      response.end(JSON.stringify({ urn: [`tel:${get("phone")}`], text }));
    },
    () => [...rows.values()],
  );
};

/** Fastify with its parser of forms. */
export async function fastifyForm(): Promise<RightReceiver> {
  const app = Fastify();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  const log: unknown[] = [];
  const seen = new Set<string>();
  app.post("/events", async (request) => {
    const form = new URLSearchParams(request.body as Record<string, string>);
    const isCopy = seen.has(keyOf(form));
    seen.add(keyOf(form));
    // A log of requests that marks copies.
    log.push({ ...Object.fromEntries(form), duplicate: isCopy, receivedAt: new Date().toISOString() });
    return { ok: true };
  });
  app.get("/effects", async () => log);
  const at = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url: `${at}/events`, effects: `GET ${at}/effects`, close: () => app.close() };
}
