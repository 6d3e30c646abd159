import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { serve } from "../src/index.js";
import { Connection } from "../src/store/sqlite/connection.js";

/** Ports of both servers; the first message from their process. */
export interface Ports {
  readonly ours: number;
  readonly bare: number;
}

/** CPU time of the process until now, microseconds; its answer to any message. */
export interface Usage {
  readonly cpuUs: number;
}

/** Body of a POST to the bare server. */
interface PostedContact {
  readonly name: string;
  readonly language: string;
  readonly urns: readonly string[];
  readonly groups: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Serves an account, and a minimal server of contacts for comparison: both in this process, with the same SQLite
 * settings. Sends the ports to the parent process, and the CPU time for each message from it. Exits when the parent
 * disconnects.
 */
export async function serveForBench(database: string, token: string): Promise<void> {
  const served = await serve({
    database,
    receiver: "none",
    tokens: [{ role: "administrator", token, isActive: true }],
  });
  const bare = bareServer(database);
  await bare.listen({ host: "127.0.0.1", port: 0 });
  const address = bare.server.address();
  const ports: Ports = {
    ours: Number(new URL(served.url).port),
    bare: typeof address === "object" ? (address?.port ?? 0) : 0,
  };
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system } satisfies Usage);
  });
  process.on("disconnect", () => {
    void bare
      .close()
      .then(() => served.close())
      .then(() => process.exit());
  });
  process.send?.(ports);
}

/** A route that reads the same contacts and one that inserts into a separate table, each with one prepared statement. */
function bareServer(database: string): FastifyInstance {
  const reading = tuned(new Connection(database, { readonly: true }));
  const writing = tuned(new Connection(`${database}.bare`));
  writing.exec("PRAGMA journal_mode = WAL");
  writing.exec(`CREATE TABLE contact (row INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, name TEXT, language TEXT,
    urns TEXT NOT NULL, groups TEXT NOT NULL, fields TEXT NOT NULL) STRICT`);
  const select = reading.prepare("SELECT * FROM contact WHERE uuid = ?");
  const insert = writing.prepare("INSERT INTO contact VALUES (NULL, ?, ?, ?, ?, ?, ?)");
  const server = Fastify();
  server.get<{ Querystring: { uuid: string } }>("/contacts.json", (request, reply) => {
    reply.send(select.get(request.query.uuid));
  });
  server.post<{ Body: PostedContact }>("/contacts.json", ({ body }, reply) => {
    const { name, language, urns, groups, fields } = body;
    const uuid = randomUUID();
    insert.run(uuid, name, language, JSON.stringify(urns), JSON.stringify(groups), JSON.stringify(fields));
    reply.code(201).send({ uuid, name, language, urns, groups, fields });
  });
  return server;
}

/** Applies the settings of the store (`src/store/sqlite/`). */
function tuned(database: Connection): Connection {
  database.exec("PRAGMA page_size = 8192");
  database.exec("PRAGMA synchronous = OFF");
  database.exec("PRAGMA cache_size = -32768");
  database.exec("PRAGMA wal_autocheckpoint = 4096");
  database.exec("PRAGMA mmap_size = 2147418112");
  return database;
}
