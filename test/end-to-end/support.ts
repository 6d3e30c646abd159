import type { IncomingMessage, ServerResponse } from "node:http";
import { parseScenario, type RunOptions, type RunOutcome, runScenario, type Scenario } from "../../src/index.js";
import { serveHttp } from "../support/server.js";

/** What an independent receiver got, byte for byte. */
export interface Got {
  readonly path: string;
  readonly body: string;
}

export interface TestReceiver {
  readonly url: string;
  readonly got: Got[];
}

/** A receiver that shares no code with the product. It logs each body before it answers. */
export async function receiverThat(
  answers: (body: string, response: ServerResponse, request: IncomingMessage) => void,
): Promise<TestReceiver> {
  const got: Got[] = [];
  const { url } = await serveHttp((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      got.push({ path: request.url ?? "", body });
      answers(body, response, request);
    });
  });
  return { url: `${url}events?key=secret`, got };
}

export function parse(text: string, set: readonly string[] = []): Scenario {
  const { scenario, diagnostics } = parseScenario(text, { file: "test.yaml", nowMs: 0, set });
  if (scenario === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return scenario;
}

/** Plays a scenario text. Records in memory unless a file is named: a file's own thread costs as much as a small day. */
export function play(text: string, options: RunOptions & { set?: readonly string[] } = {}): Promise<RunOutcome> {
  const { set, recording = ":memory:", ...rest } = options;
  return runScenario(parse(text, set), { recording, ...rest });
}

/** A day in small: texts in, texts out, replies of people, calls, an outage, an alarm. */
export const smallDay = `
name: Small day
seed: 7
starts: 2026-03-04T06:00:00.000Z
lasts: 2h
handsets:
  clinic: { count: 4, phone: "+2507880{00000}", battery: 60%..90%, network: LTE }
people:
  farmers: { count: 40, of: clinic, phone: "+2507811{00000}", replies: { chance: 50%, after: 10s..2m, with: [yes, no] } }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, "HELP", "maize 12kg"] } }
    rate: 3/m
  - sends: { via: clinic, to: farmers, body: "are you well?" }
    rate: 1/m
  - calls: { from: farmers, to: clinic, talks: { exp: 60s } }
    rate: 10/h
story:
  - at: 30m
    network: { of: clinic/1, type: none, for: 40m }
`;
