import { readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openRecording, type RecordingReader, runScenario, type RunOptions } from "../../src/index.js";
import { parse } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { serveHttp } from "../support/server.js";

/** Counts that a receiver with a planted fault keeps itself. */
export interface Counted {
  /** Requests received. */
  got: number;
  /** Requests that the fault affected. */
  bad: number;
}

/**
 * A receiver that handles some requests by `fault`, and answers all others with `{}`.
 *
 * @param fault - called with the number of the request, from 1; true: it has handled the request
 */
export async function receiverWithFault(
  fault: (nth: number, response: ServerResponse) => boolean,
): Promise<{ url: string; counted: Counted }> {
  const counted: Counted = { got: 0, bad: 0 };
  const { url } = await serveHttp((request, response) => {
    request.resume();
    request.on("end", () => {
      counted.got++;
      if (fault(counted.got, response)) counted.bad++;
      else response.setHeader("content-type", "application/json").end("{}");
    });
  });
  return { url, counted };
}

const story = `
name: Load
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 20m
receiver: { url: "http://127.0.0.1:1/", timeout: 1s }
service: { preset: documented, attempts: 2, waits: [30s] }
handsets:
  clinic: { count: 5, phone: "+2507880{00000}", network: LTE }
  school: { count: 3, phone: "+2507890{00000}", network: LTE }
people:
  farmers: { count: 40, of: clinic, phone: "+2507811{00000}" }
  pupils: { count: 30, of: school, phone: "+2507911{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: "hello" }
    rate: 20/m
  - texts: { from: pupils, to: school, body: "<b>hi</b>" }
    rate: 10/m
story:
  - at: 5m
    network: { of: clinic/1..2, type: none, for: 2m }
`;

/** Plays about 600 events against a receiver; the recording is deleted after the test. */
export async function recorded(
  receiver: string,
  options: RunOptions & { readonly set?: readonly string[] } = {},
): Promise<RecordingReader> {
  const path = join(temporaryFolder(), "run.db");
  const { set, ...rest } = options;
  await runScenario(parse(story, set), { receiver, recording: path, ...rest });
  const recording = openRecording(path);
  onTestFinished(() => recording.close());
  return recording;
}

let sound: Promise<{ bytes: Buffer; counted: Counted }> | undefined;

/** Like `recorded`, in lockstep without a fault: the run is played once, and each call gets a copy. */
export async function recordedSound(): Promise<{ recording: RecordingReader; counted: Counted }> {
  sound ??= (async () => {
    const { url, counted } = await receiverWithFault(() => false);
    const path = join(temporaryFolder(), "run.db");
    await runScenario(parse(story), { receiver: url, recording: path });
    return { bytes: readFileSync(path), counted };
  })();
  const { bytes, counted } = await sound;
  const path = join(temporaryFolder(), "run.db");
  writeFileSync(path, bytes);
  const recording = openRecording(path);
  onTestFinished(() => recording.close());
  return { recording, counted };
}
