import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AccountSize, contactUuid, largeGroup, makeAccount } from "./api-account.js";
import type { Ports, Usage } from "./api-server.js";
import { sendAll, Connection, getRequest, postRequest } from "./http-load.js";
import { medianOf, printTable } from "./table.js";

const SIZE: AccountSize = { contacts: 1_000_000, messages: 1_000_000 };

/** Connections of the client, each with one request at a time. */
const CONNECTIONS = 4;

const ROUNDS = 11;
const GETS = 3000;
const POSTS = 1500;
const PAGES = 12;

/** Number of the late page, which may cost at most 1.2 times the first. */
const LATE_PAGE = 1000;

const TOKEN = "0123456789abcdef0123456789abcdef01234567";

/** Cost of one request: wall time, the server's CPU time and the client's. */
interface Cost {
  readonly wallUs: number;
  readonly cpuUs: number;
  readonly clientUs: number;
}

/** The REST API compared with a minimal server, and late pages compared with first pages. */
export async function benchApi(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  try {
    const database = join(folder, "account.db");
    const startedAt = performance.now();
    await makeAccount(database, SIZE);
    console.log(
      `REST API: ${SIZE.contacts.toLocaleString("en-US")} contacts, ${SIZE.messages.toLocaleString("en-US")} messages, ` +
        `${(statSync(database).size / 2 ** 20).toFixed(0)} MiB on disk, ` +
        `made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
    );
    const server = new ServerProcess(database);
    try {
      const ports = await server.ready();
      await benchRequests(server, ports);
      await benchPages(server, ports.ours);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The child process with both servers. */
class ServerProcess {
  readonly #child: ChildProcess;

  constructor(database: string) {
    const main = fileURLToPath(new URL("main.js", import.meta.url));
    this.#child = fork(main, ["serve-api", database, TOKEN]);
  }

  async ready(): Promise<Ports> {
    const [ports] = (await once(this.#child, "message")) as [Ports];
    return ports;
  }

  /** Cost of each of the `count` requests that `sendRequests` sends. */
  async measureCost(count: number, sendRequests: () => Promise<void>): Promise<Cost> {
    const [cpuBefore, clientBefore, before] = [await this.#cpuUs(), ownCpuUs(), performance.now()];
    await sendRequests();
    const [wallMs, clientUs] = [performance.now() - before, ownCpuUs() - clientBefore];
    const cpuUs = (await this.#cpuUs()) - cpuBefore;
    return { wallUs: (wallMs * 1000) / count, cpuUs: cpuUs / count, clientUs: clientUs / count };
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, "exit");
    if (this.#child.connected) this.#child.disconnect();
    await exited;
  }

  async #cpuUs(): Promise<number> {
    const answer = once(this.#child, "message");
    this.#child.send("usage");
    const [usage] = (await answer) as [Usage];
    return usage.cpuUs;
  }
}

function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** GET of one contact and POST of contacts, compared with a route that runs one statement. */
async function benchRequests(server: ServerProcess, ports: Ports): Promise<void> {
  let posted = 0;
  const minimal = (index: number): object => ({ name: `Posted ${index}`, urns: [`tel:+25072${pad(index)}`] });
  const full = (index: number): object => ({
    name: `Posted ${index}`,
    language: "fra",
    urns: [`tel:+25073${pad(index)}`],
    groups: ["Mothers", "Field staff"],
    fields: { age: "41", village: "Upper Mill", first_dose: "2026-03-05" },
  });
  const empty = { name: "", language: "eng", urns: [], groups: [], fields: {} };
  let requested = 0;
  const uuid = (): string => contactUuid((requested++ * 7919) % SIZE.contacts);
  const kinds = [
    {
      name: "GET of a contact by UUID",
      count: GETS,
      status: 200,
      atMost: 2,
      bare: () => getRequest(`/contacts.json?uuid=${uuid()}`, TOKEN),
      ours: () => getRequest(`/api/v2/contacts.json?uuid=${uuid()}`, TOKEN),
    },
    {
      name: "POST of a contact: name, number",
      count: POSTS,
      status: 201,
      atMost: 4,
      bare: () => postRequest("/contacts.json", TOKEN, { ...empty, ...minimal(posted++) }),
      ours: () => postRequest("/api/v2/contacts.json", TOKEN, minimal(posted++)),
    },
    {
      name: "POST with groups and fields, too",
      count: POSTS,
      status: 201,
      atMost: 4,
      bare: () => postRequest("/contacts.json", TOKEN, full(posted++)),
      ours: () => postRequest("/api/v2/contacts.json", TOKEN, full(posted++)),
    },
  ];
  const connect = (port: number): Connection[] => Array.from({ length: CONNECTIONS }, () => new Connection(port));
  const connections = { bare: connect(ports.bare), ours: connect(ports.ours) };
  const measure = ({ count, status, ...kind }: (typeof kinds)[number], side: "bare" | "ours"): Promise<Cost> => {
    // Built before the measurement, so that the client uses little CPU during it.
    const requests = Array.from({ length: count }, kind[side]);
    return server.measureCost(count, () => sendAll(connections[side], requests, status));
  };
  const rows: string[][] = [];
  for (const kind of kinds) {
    await measure(kind, "bare");
    await measure(kind, "ours");
    const rounds: { readonly bare: Cost; readonly ours: Cost }[] = [];
    // Alternates both servers, so that noise of other processes affects them alike.
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await measure(kind, "bare"), ours: await measure(kind, "ours") });
    }
    const { name, atMost } = kind;
    const median = (side: "bare" | "ours", of: keyof Cost): string =>
      us(medianOf(rounds.map((round) => round[side][of])));
    const ratio = medianOf(rounds.map(({ bare, ours }) => ours.wallUs / bare.wallUs));
    const cpuRatio = medianOf(rounds.map(({ bare, ours }) => ours.cpuUs / bare.cpuUs));
    rows.push(
      [name, "bare", median("bare", "wallUs"), median("bare", "cpuUs"), median("bare", "clientUs"), "", "", ""],
      [
        "",
        "ours",
        median("ours", "wallUs"),
        median("ours", "cpuUs"),
        median("ours", "clientUs"),
        times(ratio),
        times(cpuRatio),
        verdict(ratio, atMost),
      ],
    );
  }
  for (const connection of [...connections.bare, ...connections.ours]) connection.close();
  printTable(["request", "by", "us each", "CPU us", "client's CPU us", "ratio", "of CPU", "at most"], rows);
}

/** The first page of each list and a late one, reached by following `next`. */
async function benchPages(server: ServerProcess, port: number): Promise<void> {
  const lists = [
    { name: "contacts", path: "contacts.json" },
    { name: `contacts of a large group`, path: `contacts.json?group=${largeGroup}` },
    { name: "messages", path: "messages.json" },
    { name: "messages, folder inbox", path: "messages.json?folder=inbox" },
    { name: "messages, folder sent", path: "messages.json?folder=sent" },
    { name: "messages, folder incoming", path: "messages.json?folder=incoming" },
  ];
  const connection = new Connection(port);
  const rows: string[][] = [];
  for (const { name, path } of lists) {
    const first = getRequest(`/api/v2/${path}`, TOKEN);
    const walked = await walkToLatePage(server, connection, first);
    const measure = (request: string): Promise<Cost> =>
      server.measureCost(PAGES, () =>
        sendAll(
          [connection],
          Array.from({ length: PAGES }, () => request),
          200,
        ),
      );
    const rounds: { readonly first: Cost; readonly late: Cost }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ first: await measure(first), late: await measure(walked.request) });
    const ratio = medianOf(rounds.map((round) => round.late.wallUs / round.first.wallUs));
    const cpuRatio = medianOf(rounds.map((round) => round.late.cpuUs / round.first.cpuUs));
    rows.push([
      name,
      ms(medianOf(rounds.map((round) => round.first.wallUs))),
      ms(medianOf(rounds.map((round) => round.late.wallUs))),
      times(ratio),
      times(cpuRatio),
      verdict(ratio, 1.2),
      ms(walked.early.cpuUs),
      times(walked.late.cpuUs / walked.early.cpuUs),
    ]);
  }
  connection.close();
  printTable(
    [
      "list, 250 a page",
      "page 1 ms",
      `page ${LATE_PAGE}`,
      "ratio",
      "of CPU",
      "at most",
      "2-101 CPU ms",
      `last 100 of ${LATE_PAGE}`,
    ],
    rows,
  );
}

/** Follows `next` to the late page. `early` and `late`: mean costs of pages 2 to 101 and of the last 100, each read once. */
async function walkToLatePage(
  server: ServerProcess,
  connection: Connection,
  first: string,
): Promise<{ readonly request: string; readonly early: Cost; readonly late: Cost }> {
  let request = first;
  const pages = (count: number): Promise<Cost> =>
    server.measureCost(count, async () => {
      for (let page = 0; page < count; page++) request = nextRequest((await connection.send(request)).body);
    });
  await pages(1);
  const early = await pages(100);
  await pages(LATE_PAGE - 202);
  const late = await pages(100);
  return { request, early, late };
}

/** The request for the next page. `next` is the first key of a page, so the rest is not parsed. */
function nextRequest(body: Buffer): string {
  const address = /^\{"next":"http:\/\/[^/]+(\/[^"]+)"/.exec(body.toString("utf8", 0, 1000))?.[1];
  if (address === undefined) throw new Error(`the page has no next page: ${body.toString("utf8", 0, 200)}`);
  return getRequest(address, TOKEN);
}

function pad(index: number): string {
  return String(index).padStart(7, "0");
}

function us(value: number): string {
  return value.toFixed(0);
}

function ms(valueUs: number): string {
  return (valueUs / 1000).toFixed(2);
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

function verdict(ratio: number, atMost: number): string {
  return `${atMost}x${ratio <= atMost ? "" : " MISSED"}`;
}
