import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AccountSize, contactUuid, largeGroup, makeAccount } from "./api-account.js";
import type { Ports, Usage } from "./api-server.js";
import { askAll, Connection, getRequest, postRequest } from "./http-load.js";
import { benchStart } from "./start.js";
import { medianOf, printTable } from "./table.js";

const SIZE: AccountSize = { contacts: 1_000_000, messages: 1_000_000 };

/** Connections that ask at once, each waiting for its answer. */
const CONNECTIONS = 4;

const ROUNDS = 11;
const GETS = 3000;
const POSTS = 1500;
const PAGES = 12;

/** The page that must cost what the first one costs. */
const FAR = 1000;

const TOKEN = "0123456789abcdef0123456789abcdef01234567";

/** What one request costs: wall time beside others, the server's CPU time and the client's. */
interface Cost {
  readonly wallUs: number;
  readonly cpuUs: number;
  readonly clientUs: number;
}

/** The REST API beside the barest server there can be; far pages beside first ones; from start to first answer. */
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
    const server = new Server(database);
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
  await benchStart();
}

/** The process that serves. */
class Server {
  readonly #child: ChildProcess;

  constructor(database: string) {
    const main = fileURLToPath(new URL("main.js", import.meta.url));
    this.#child = fork(main, ["serve-api", database, TOKEN]);
  }

  async ready(): Promise<Ports> {
    const [ports] = (await once(this.#child, "message")) as [Ports];
    return ports;
  }

  /** What each of so many requests costs. */
  async cost(count: number, ask: () => Promise<void>): Promise<Cost> {
    const [cpuBefore, clientBefore, before] = [await this.#cpuUs(), ownCpuUs(), performance.now()];
    await ask();
    const [wallMs, clientUs] = [performance.now() - before, ownCpuUs() - clientBefore];
    const cpuUs = (await this.#cpuUs()) - cpuBefore;
    return { wallUs: (wallMs * 1000) / count, cpuUs: cpuUs / count, clientUs: clientUs / count };
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, "exit");
    if (this.#child.connected) this.#child.disconnect();
    await gone;
  }

  async #cpuUs(): Promise<number> {
    const told = once(this.#child, "message");
    this.#child.send("usage");
    const [usage] = (await told) as [Usage];
    return usage.cpuUs;
  }
}

function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** One contact by its UUID, and contacts posted, beside a route that runs one statement. */
async function benchRequests(server: Server, ports: Ports): Promise<void> {
  let posted = 0;
  const minimal = (index: number): object => ({ name: `Posted ${index}`, urns: [`tel:+25072${pad(index)}`] });
  const full = (index: number): object => ({
    name: `Posted ${index}`,
    language: "fra",
    urns: [`tel:+25073${pad(index)}`],
    groups: ["Mothers", "Field staff"],
    fields: { age: "41", village: "Upper Mill", first_dose: "2026-03-05" },
  });
  const emptied = { name: "", language: "eng", urns: [], groups: [], fields: {} };
  let asked = 0;
  const uuid = (): string => contactUuid((asked++ * 7919) % SIZE.contacts);
  const kinds = [
    {
      name: "GET of a contact by UUID",
      count: GETS,
      status: 200,
      must: 2,
      bare: () => getRequest(`/contacts.json?uuid=${uuid()}`, TOKEN),
      ours: () => getRequest(`/api/v2/contacts.json?uuid=${uuid()}`, TOKEN),
    },
    {
      name: "POST of a contact: name, number",
      count: POSTS,
      status: 201,
      must: 4,
      bare: () => postRequest("/contacts.json", TOKEN, { ...emptied, ...minimal(posted++) }),
      ours: () => postRequest("/api/v2/contacts.json", TOKEN, minimal(posted++)),
    },
    {
      name: "POST with groups and fields, too",
      count: POSTS,
      status: 201,
      must: 4,
      bare: () => postRequest("/contacts.json", TOKEN, full(posted++)),
      ours: () => postRequest("/api/v2/contacts.json", TOKEN, full(posted++)),
    },
  ];
  const connect = (port: number): Connection[] => Array.from({ length: CONNECTIONS }, () => new Connection(port));
  const connections = { bare: connect(ports.bare), ours: connect(ports.ours) };
  const measure = ({ count, status, ...kind }: (typeof kinds)[number], side: "bare" | "ours"): Promise<Cost> => {
    // Made before the clock runs: the client has little to do then.
    const requests = Array.from({ length: count }, kind[side]);
    return server.cost(count, () => askAll(connections[side], requests, status));
  };
  const rows: string[][] = [];
  for (const kind of kinds) {
    await measure(kind, "bare");
    await measure(kind, "ours");
    const rounds: { readonly bare: Cost; readonly ours: Cost }[] = [];
    // In turns, so that a neighbour's noise falls on both.
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await measure(kind, "bare"), ours: await measure(kind, "ours") });
    }
    const { name, must } = kind;
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
        verdict(ratio, must),
      ],
    );
  }
  for (const connection of [...connections.bare, ...connections.ours]) connection.close();
  printTable(["request", "by", "us each", "CPU us", "client's CPU us", "ratio", "of CPU", "must"], rows);
}

/** The first page of a list and the thousandth, which is walked to. */
async function benchPages(server: Server, port: number): Promise<void> {
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
    const walked = await walk(server, connection, first);
    const ask = (request: string): Promise<Cost> =>
      server.cost(PAGES, () =>
        askAll(
          [connection],
          Array.from({ length: PAGES }, () => request),
          200,
        ),
      );
    const rounds: { readonly first: Cost; readonly far: Cost }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push({ first: await ask(first), far: await ask(walked.far) });
    const ratio = medianOf(rounds.map((round) => round.far.wallUs / round.first.wallUs));
    const cpuRatio = medianOf(rounds.map((round) => round.far.cpuUs / round.first.cpuUs));
    rows.push([
      name,
      ms(medianOf(rounds.map((round) => round.first.wallUs))),
      ms(medianOf(rounds.map((round) => round.far.wallUs))),
      times(ratio),
      times(cpuRatio),
      verdict(ratio, 1.2),
      ms(walked.early.cpuUs),
      times(walked.late.cpuUs / walked.early.cpuUs),
    ]);
  }
  connection.close();
  printTable(
    ["list, 250 a page", "page 1 ms", `page ${FAR}`, "ratio", "of CPU", "must", "2-101 CPU ms", `last 100 of ${FAR}`],
    rows,
  );
}

/** Follows `next` to the far page. `early` and `late`: the first and last hundred pages on the way, each seen for the first time. */
async function walk(
  server: Server,
  connection: Connection,
  first: string,
): Promise<{ readonly far: string; readonly early: Cost; readonly late: Cost }> {
  let request = first;
  const pages = (count: number): Promise<Cost> =>
    server.cost(count, async () => {
      for (let page = 0; page < count; page++) request = nextOf((await connection.ask(request)).body);
    });
  await pages(1);
  const early = await pages(100);
  await pages(FAR - 202);
  const late = await pages(100);
  return { far: request, early, late };
}

/** `next` comes first in a page, so that nobody has to read the rest. */
function nextOf(body: Buffer): string {
  const address = /^\{"next":"http:\/\/[^/]+(\/[^"]+)"/.exec(body.toString("utf8", 0, 1000))?.[1];
  if (address === undefined) throw new Error(`there is no next page: ${body.toString("utf8", 0, 200)}`);
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

function verdict(ratio: number, must: number): string {
  return `${must}x${ratio <= must ? "" : " MISSED"}`;
}
