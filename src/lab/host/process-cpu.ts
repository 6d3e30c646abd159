import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { TICK_MS } from "./machine.js";

/** States of a socket in `/proc/net/tcp`: established, and listening. */
const SERVING = new Set(["01", "0A"]);

/** CPU time of a process since its start, milliseconds; undefined: it has ended, or the system does not count it. */
export function cpuMsOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may contain spaces: the fields after it are counted.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/**
 * The processes of this machine that serve TCP ports: those that hold a listening socket, or the server's end of a
 * connection, as the workers of a cluster do. Their children do not count. Processes of other users are found only by
 * root, and none without `/proc`.
 */
export async function processesServing(ports: ReadonlySet<number>): Promise<number[]> {
  const sockets = new Set([
    ...(await socketsOf("/proc/net/tcp", ports)),
    ...(await socketsOf("/proc/net/tcp6", ports)),
  ]);
  if (sockets.size === 0) return [];
  // Usually the bundled receiver, in this process: reading every process of the machine would take longer than a short
  // run.
  if ((await countHeld("self", sockets)) === sockets.size) return [process.pid];
  const pids: number[] = [];
  for (const name of await namesIn("/proc")) {
    if (/^\d+$/.test(name) && (await countHeld(name, sockets)) > 0) pids.push(Number(name));
  }
  return pids;
}

/** The serving sockets of ports, as `/proc/PID/fd` links to them. */
async function socketsOf(path: string, ports: ReadonlySet<number>): Promise<string[]> {
  const text = await readFile(path, "latin1").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [, local = "", , state = "", , , , , , inode = "0"] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.split(":")[1] ?? "", 16);
    return SERVING.has(state) && ports.has(port) && inode !== "0" ? [`socket:[${inode}]`] : [];
  });
}

/** How many of the sockets a process has open. */
async function countHeld(pid: string, sockets: ReadonlySet<string>): Promise<number> {
  const held = new Set<string>();
  for (const file of await namesIn(`/proc/${pid}/fd`)) {
    // A file may be closed meanwhile.
    const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
    if (sockets.has(target)) held.add(target);
  }
  return held.size;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
