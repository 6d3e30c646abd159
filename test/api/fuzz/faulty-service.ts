import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { onTestFinished } from "vitest";

/** Faults of the small service below; one rule of the fuzzer finds each. */
export const plantedFaults = {
  "a crash at a null character": "server-error",
  "an undocumented status for longer names": "undocumented-status",
  "a count as text": "body-schema",
  "an error that is a sentence under another key": "error-shape",
  "errors of fields by index": "error-shape",
  "an error as a page": "not-json",
  "a door that stands open": "bad-token",
  "a wrong method that is taken for GET": "wrong-method",
  "405 without Allow": "header",
  "a record from a refused request": "state-changed",
  "a deletion by a refused request": "state-changed",
  "a hang-up": "no-answer",
  "a file of the machine": "leak",
} as const;

export type PlantedFault = keyof typeof plantedFaults;

interface Group {
  uuid: string;
  name: string;
  count: number | string;
}

const error = (...codes: number[]): object =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      { description: "refused", content: { "application/json": { schema: { type: "object" } } } },
    ]),
  );
const group = { $ref: "#/components/schemas/group" };
const answer = (code: number, schema: object): object => ({
  [code]: { description: "done", content: { "application/json": { schema } } },
});
const uuid = { in: "query", name: "uuid", schema: { type: "string", format: "uuid" } };

/** The OpenAPI document of the small service, in the form of the real one. */
export const faultyDocument: unknown = {
  openapi: "3.1.0",
  info: { title: "Groups", version: "2" },
  servers: [{ url: "/api" }],
  paths: {
    "/v2/groups.json": {
      get: {
        parameters: [uuid, { in: "query", name: "cursor", schema: { type: "string" } }],
        responses: {
          ...answer(200, {
            type: "object",
            required: ["next", "previous", "results"],
            properties: {
              next: { type: ["string", "null"], format: "uri" },
              previous: { type: ["string", "null"] },
              results: { type: "array", items: group },
            },
          }),
          ...error(403, 404, 406),
        },
      },
      post: {
        parameters: [uuid],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["name"],
                properties: { name: { type: "string", minLength: 1, maxLength: 64 } },
              },
            },
          },
        },
        responses: { ...answer(200, group), ...answer(201, group), ...error(400, 403, 404, 406, 413, 415) },
      },
      delete: {
        parameters: [{ ...uuid, required: true }],
        responses: { 204: { description: "gone" }, ...error(400, 403, 404, 406, 413, 415) },
      },
    },
  },
  components: {
    schemas: {
      group: {
        type: "object",
        required: ["uuid", "name", "count"],
        properties: {
          uuid: { type: "string", format: "uuid" },
          name: { type: "string" },
          count: { type: "integer" },
        },
      },
    },
  },
};

/** A service with one resource that keeps the conventions, except for one fault. */
export async function startFaultyService(fault?: PlantedFault) {
  const groups = new Map<string, Group>();
  /** Every received request. */
  const seen: string[] = [];
  let made = 0;
  const has = (one: PlantedFault): boolean => fault === one;
  const app = fastify({
    bodyLimit: 1_000_000,
    clientErrorHandler: (_error, socket) => {
      const body = '{"detail":"bad request"}';
      const head = `HTTP/1.1 431 x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
      socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
    },
    frameworkErrors: (_error, _request, reply) => void refuse(reply, 404),
  });

  const refuse = (reply: FastifyReply, status: number, text = "refused"): FastifyReply => {
    if (status === 400 && has("an error that is a sentence under another key"))
      return reply.code(400).send({ error: text });
    if (status === 404 && has("an error as a page"))
      return reply.code(404).type("text/html").send("<h1>Not found</h1>");
    return reply.code(status).send({ detail: text });
  };
  const refuseName = (reply: FastifyReply, text: string): FastifyReply =>
    reply.code(400).send({ name: has("errors of fields by index") ? { 0: [text] } : [text] });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((failure: { statusCode?: number }, _request, reply) => refuse(reply, failure.statusCode ?? 500));
  app.setNotFoundHandler((request, reply) => {
    if (has("a file of the machine") && request.url.includes("passwd")) {
      return reply.type("text/plain").send("root:x:0:0:root:/root:/bin/bash");
    }
    return refuse(reply, 404);
  });
  app.addHook("onRequest", async (request, reply) => {
    seen.push(`${request.method} ${request.url}`);
    if (!/\*\/\*|application\/(json|\*)/.test(request.headers.accept ?? "*/*")) return refuse(reply, 406);
    if (request.headers.authorization !== "Token good" && !has("a door that stands open")) return refuse(reply, 403);
    return undefined;
  });

  const list = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const from = Number((request.query as Record<string, string>)["cursor"] ?? 0);
    if (!Number.isSafeInteger(from) || from < 0) return refuse(reply, 404);
    const link = (start: number): string => `http://${request.headers.host ?? ""}/api/v2/groups.json?cursor=${start}`;
    const newest = [...groups.values()].reverse();
    return reply.send({
      next: from + 20 < newest.length ? link(from + 20) : null,
      previous: from > 0 ? link(Math.max(0, from - 20)) : null,
      results: newest.slice(from, from + 20),
    });
  };

  const handle = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const parameter = (request.query as Record<string, string | string[]>)["uuid"];
    const id = Array.isArray(parameter) ? parameter.at(-1) : parameter;
    const found = groups.get(id ?? "");
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method === "GET" || (isOther(method) && has("a wrong method that is taken for GET"))) {
      if (id) return reply.send({ next: null, previous: null, results: found ? [found] : [] });
      return list(request, reply);
    }
    if (method === "DELETE") {
      if (id === undefined) return refuse(reply, 400);
      if (found === undefined) {
        if (has("a deletion by a refused request")) groups.delete([...groups.keys()][0] ?? "");
        return refuse(reply, 404);
      }
      groups.delete(found.uuid);
      return reply.code(204).send();
    }
    if (method === "POST") return save(request, reply, id === undefined ? undefined : (found ?? null));
    return (has("405 without Allow") ? reply : reply.header("allow", "GET, POST, DELETE"))
      .code(405)
      .send({ detail: "no" });
  };

  const save = (request: FastifyRequest, reply: FastifyReply, known: Group | undefined | null): FastifyReply => {
    if (known === null) return refuse(reply, 404);
    const text = (request.body as Buffer | undefined)?.toString() ?? "";
    const type = request.headers["content-type"] ?? "";
    if (text !== "" && !type.toLowerCase().startsWith("application/json")) return refuse(reply, 415);
    let body: unknown;
    try {
      body = text === "" ? {} : JSON.parse(text);
    } catch {
      return refuse(reply, 400, "JSON parse error");
    }
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      return reply.code(400).send({ non_field_errors: ["one object"] });
    }
    const { name } = body as { name?: unknown };
    if (typeof name !== "string") return refuseName(reply, "Not a valid string.");
    if (has("a crash at a null character") && name.includes("\u0000")) return reply.code(500).send("oh");
    if (has("a hang-up") && Buffer.byteLength(name) > name.length) {
      request.raw.socket.destroy();
      return reply.hijack();
    }
    if (name.length > 8 && has("an undocumented status for longer names"))
      return reply.code(422).send({ name: ["Long."] });
    if (name.length > 64) return refuseName(reply, "Too long.");
    const isBlank = name.trim() === "";
    const saved: Group = known ?? { uuid: uuidOf(made), name, count: has("a count as text") ? "0" : 0 };
    if (!isBlank || has("a record from a refused request")) {
      if (known === undefined) made++;
      groups.set(saved.uuid, Object.assign(saved, { name }));
    }
    return isBlank ? refuseName(reply, "May not be blank.") : reply.code(known === undefined ? 201 : 200).send(saved);
  };

  for (const url of ["/api/v2/groups.json", "/api/v2/groups.json/"]) {
    app.route({ method: ["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"], url, handler: handle });
  }
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  return { url: address, token: "good", seen };
}

function isOther(method: string): boolean {
  return !["GET", "POST", "DELETE"].includes(method);
}

function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}
