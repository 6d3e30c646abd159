import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minimiseRequests } from "../src/study/index.js";

const EVENTS = 10_000;
/** Days for each number of planted events. */
const DAYS = 5;

/** Minimises days of 10,000 events in which one to five events of different people, without any structure, fail together. */
export async function benchMinimise(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  let needed: ReadonlySet<string> = new Set();
  let seen = new Set<string>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      if (request.url === "/reset") seen = new Set();
      const id = new URLSearchParams(body).get("sms") ?? "";
      if (needed.has(id)) seen.add(id);
      response.writeHead(needed.size > 0 && seen.size === needed.size ? 500 : 200).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    for (const size of [1, 2, 5]) {
      const rows: { ratio: number; trials: number; seconds: number }[] = [];
      for (let day = 1; day <= DAYS; day++) {
        const path = join(folder, `${size}-${day}.jsonl`);
        writeFileSync(path, dayOf(day));
        needed = new Set(Array.from({ length: size }, (_, index) => `${(day * 7919 + index * 1987) % EVENTS}`));
        const { after, trials, seconds } = await minimiseRequests({
          path,
          receiver,
          reset: "POST /reset",
          condition: { text: "status 500", terms: [{ kind: "status", op: "==", status: 500 }] },
          timeLimitMs: 600_000,
        });
        rows.push({ ratio: after.events / size, trials, seconds });
      }
      const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
      const shown = (["ratio", "trials", "seconds"] as const).map(
        (key) => `${key} ${median(rows.map((row) => row[key]))} (at most ${Math.max(...rows.map((row) => row[key]))})`,
      );
      console.log(`minimise ${EVENTS} events, ${size} needed: ${shown.join(", ")}`);
    }
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}

function dayOf(day: number): string {
  const words = ["hello", "yes", "no", "balance", "report 5", "thanks"];
  return Array.from({ length: EVENTS }, (_, index) => {
    const at = new Date(Date.UTC(2026, 2, 4, 6) + index * 4000).toISOString();
    const person = (index * 7919 * day) % 1999;
    const body = `event=mo_sms&relayer=${1 + (person % 20)}&sms=${index}&phone=%2B2507881${10_000 + person}&text=${encodeURIComponent(words[(index * 31) % 6] ?? "")}&time=${encodeURIComponent(at)}`;
    return `${JSON.stringify({ at, body })}\n`;
  }).join("");
}
