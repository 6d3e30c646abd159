import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Connections of every peer and of the command: one for every ten phones of `bench/load.yaml`. */
export const CONNECTIONS = 100;

/** The body of one event of `bench/load.yaml`; the peers post it repeatedly. */
export const post: string =
  "event=mo_sms&relayer=512&relayer_phone=%2B250780000511&phone=%2B250790005118&text=maize+12kg%2C+road+open" +
  "&time=1772582400000&sms=536870913&direction=I&status=D&channel=512&occurred=2026-03-04T00%3A00%3A00.000Z&x=1234567890123456";

/** Peers from npm, in the newest versions that run on Node 20. The bench installs them. */
const packages = ["autocannon@9.0.0", "artillery@2.0.21"];

export interface Peers {
  /** Folder for their scripts and reports. */
  readonly folder: string;
  readonly url: string;
  readonly body: string;
}

/** Where the peers from npm are installed. */
export const peersFolder: string = fileURLToPath(new URL("../peers", import.meta.url));

export interface Nginx {
  readonly url: string;
  /** CPU time of its worker, milliseconds (Linux only). */
  cpuMs(): number;
  stop(): void;
}

/** Calls `measure` with an nginx that answers every request with 200 and `{}`, and with a temporary folder. */
export async function withNginx(
  measure: (at: { readonly folder: string; readonly nginx: Nginx }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  const nginx = await startNginx(folder);
  try {
    await measure({ folder, nginx });
  } finally {
    nginx.stop();
    rmSync(folder, { recursive: true });
  }
}

async function startNginx(folder: string): Promise<Nginx> {
  const nginx = commandOf("nginx", "/usr/sbin/nginx");
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000; client_body_temp_path ${folder}/body;
  server { listen 127.0.0.1:${port} backlog=4096;
    location / { default_type application/json; return 200 '{}'; } } }
`,
  );
  const child = spawn(nginx, ["-c", file, "-p", folder], { stdio: "ignore" });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}/events`;
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: see ${folder}/nginx.log`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) break;
    await wait(50);
  }
  const worker = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  return {
    url,
    cpuMs() {
      // proc(5): after the process name in parentheses, utime and stime are fields 12 and 13, in 1/100 s.
      const fields = readFileSync(`/proc/${worker}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return 10 * (Number(fields[11]) + Number(fields[12]));
    },
    stop() {
      child.kill("SIGQUIT");
      void ended;
    },
  };
}

/** Installs the peers from npm unless they are installed. */
export function installPeers(): void {
  const folder = peersFolder;
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, "node_modules", ".bin", "artillery"))) return;
  console.log(`Installing ${packages.join(" and ")} …\n`);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], {
    cwd: folder,
    stdio: "ignore",
  });
}

/** Requests a second of wrk with one thread. */
export function wrk({ folder, url, body }: Peers, seconds: number): number {
  const script = join(folder, "post.lua");
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.body = "${body}"\nwrk.headers["content-type"] = "application/x-www-form-urlencoded"\n`,
  );
  const output = run(commandOf("wrk"), ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", script, url]);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(output)?.[1]);
}

/** Requests a second of autocannon with its default of one process. */
export function autocannon({ folder, url, body }: Peers, seconds: number, connections: number = CONNECTIONS): number {
  const output = run(join(folder, "node_modules", ".bin", "autocannon"), [
    "--json", "--connections", String(connections), "--duration", String(seconds), "--method", "POST",
    "--headers", "content-type=application/x-www-form-urlencoded", "--body", body, url,
  ]); // prettier-ignore
  const { requests, duration } = JSON.parse(output) as { requests: { total: number }; duration: number };
  return requests.total / duration;
}

/** Requests a second of `bare-sockets.ts`: an upper bound for a sender in Node. */
export function bareSockets({ url, body }: Peers, seconds: number): number {
  const script = fileURLToPath(new URL("./bare-sockets.js", import.meta.url));
  return Number(run(process.execPath, [script, url, body, String(CONNECTIONS), String(seconds)]));
}

/** Requests a second of Artillery. Each of its users posts 50 times, so that all connections are in use. */
export function artillery({ folder, url, body }: Peers, seconds: number): number {
  const file = join(folder, "artillery.json");
  const users = 60;
  const post = { post: { url, headers: { "content-type": "application/x-www-form-urlencoded" }, body } };
  const { origin } = new URL(url);
  writeFileSync(
    file,
    JSON.stringify({
      config: { target: origin, phases: [{ duration: seconds, arrivalRate: users, maxVusers: CONNECTIONS }] },
      scenarios: [{ flow: [{ loop: [post], count: 50 }] }],
    }),
  );
  const report = join(folder, "artillery-report.json");
  run(join(folder, "node_modules", ".bin", "artillery"), ["run", "--quiet", "--output", report, file]);
  const { aggregate } = JSON.parse(readFileSync(report, "utf8")) as {
    aggregate: { counters: Record<string, number>; firstMetricAt: number; lastMetricAt: number };
  };
  const { counters, firstMetricAt, lastMetricAt } = aggregate;
  return ((counters["http.responses"] ?? 0) * 1000) / (lastMetricAt - firstMetricAt);
}

function run(command: string, args: readonly string[]): string {
  const env = { ...process.env, ARTILLERY_DISABLE_TELEMETRY: "true" };
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command} exited with ${status}: ${stderr.slice(-500)}`);
  return stdout;
}

function commandOf(name: string, path = name): string {
  const { status } = spawnSync(path, ["-v"], { stdio: "ignore" });
  if (status === null)
    throw new Error(`${name} is not installed: apt-get install ${name === "nginx" ? "nginx-light" : name}`);
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
