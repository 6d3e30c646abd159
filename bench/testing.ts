import type { IncomingMessage, ServerResponse } from "node:http";
import { startLab } from "../src/testing/index.js";
import { medianOf, printTable } from "./table.js";

const ROUNDS = 30;

/** Answers each text with a text. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const fields = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  if (fields.get("event") !== "mo_sms") return void response.end();
  response.end(JSON.stringify({ urn: [`tel:${fields.get("phone")}`], text: "welcome" }));
}

/** How long a test waits for a lab: the first one, the next ones, a reset, and a text with its answer. */
export async function benchTesting(): Promise<void> {
  const first = await timed(() => startLab({ receiver: answer }));
  await first.result.close();
  const starts: number[] = [];
  const resets: number[] = [];
  const texts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, result: lab } = await timed(() => startLab({ receiver: answer }));
    starts.push(ms);
    const person = lab.person("+250788123456");
    person.texts("clinic", "join");
    texts.push((await timed(() => person.hears("welcome"))).ms);
    resets.push((await timed(() => lab.reset())).ms);
    await lab.close();
  }
  printTable(
    ["handset-lab/testing", "median ms", "most ms", "target"],
    [
      ["the first startLab() of a process", first.ms.toFixed(1), first.ms.toFixed(1), "150"],
      ["further startLab()", medianOf(starts).toFixed(1), Math.max(...starts).toFixed(1), "150"],
      ["lab.reset()", medianOf(resets).toFixed(1), Math.max(...resets).toFixed(1), "10"],
      ["a text, its answer heard", medianOf(texts).toFixed(1), Math.max(...texts).toFixed(1), ""],
    ],
  );
}

async function timed<T>(act: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const begin = performance.now();
  const result = await act();
  return { ms: performance.now() - begin, result };
}
