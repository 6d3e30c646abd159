import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { openRecording, type RunResult } from "../../src/index.js";
import { resultOf } from "../../src/report/index.js";
import { play, receiverThat, type TestReceiver } from "../end-to-end/support.js";

/** A day of 32 phones: texts, calls, an outage, replies of the receiver and of people. */
export const fleetDay = `
name: A fleet on a real engine
seed: 7
starts: 2026-03-04T06:00:00.000Z
lasts: 40m
# No attempt ends by a timeout on a busy machine.
receiver: { timeout: 10m }
handsets:
  clinic: { count: 32, phone: "+2507880{00000}", battery: 60%..90%, network: LTE }
people:
  farmers: { count: 96, of: clinic, phone: "+2507811{00000}", replies: { chance: 50%, after: 10s..2m, with: [yes, no] } }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, "HELP", "maize 12kg"] } }
    rate: 12/m
  - calls: { from: farmers, to: clinic, talks: { exp: 60s } }
    rate: 60/h
story:
  - at: 10m
    network: { of: clinic/9, type: none, for: 15m }
expect:
  - events.mo_sms > 300
  - ledger.gap == 0
`;

/** Replies to one text in five; the answer depends on the event only. */
export function answerTo(body: string, response: ServerResponse): void {
  const event = new URLSearchParams(body);
  const phone = event.get("phone") ?? "";
  const hasReply = event.get("event") === "mo_sms" && Number(phone.slice(-2)) % 5 === 0;
  // A server that closes idle connections may reset one that a process without processor time has just used.
  response.writeHead(200, { connection: "close" });
  response.end(hasReply ? JSON.stringify({ urn: [`tel:${phone}`], text: "welcome" }) : "{}");
}

export async function startReceiver(): Promise<TestReceiver> {
  return receiverThat(answerTo);
}

/** The result of the run that is not divided. */
export async function wholeRun(): Promise<RunResult> {
  const receiver = await startReceiver();
  return (await play(fleetDay, { receiver: receiver.url })).result;
}

/** Puts a command `handset` into `folder/bin`: the build of this checkout. */
export function installCommand(folder: string): void {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nunset LD_LIBRARY_PATH\nexec "${process.execPath}" "${resolve("dist/bin/handset.js")}" "$@"\n`;
  writeFileSync(join(bin, "handset"), script);
  chmodSync(join(bin, "handset"), 0o755);
}

export function resultIn(path: string): RunResult {
  const reader = openRecording(path);
  try {
    return resultOf(reader);
  } finally {
    reader.close();
  }
}

/** The log of a task, for the message of a failed assertion. */
export function logOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return `${path} does not exist`;
  }
}
