import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Closers, LabError } from "../base/index.js";
import { DEFAULT_CONNECTIONS } from "../http/index.js";
import { receiverOf, startReceiverCommand } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import { CONFIDENCE } from "./knee.js";
import type { StudyOptions, StudyResult } from "./options.js";
import { boundsMs, passLines } from "./pass-condition.js";
import { httpProbes } from "./probe-port.js";
import { StudyRunner } from "./study-runner.js";
import { Recovery } from "./recovery.js";
import { findVaried, readOrThrow, type StudySource } from "./vary.js";

/** The default condition of a passed trial. */
export const DEFAULT_PASS = "delivery.p99 < 500ms";

/** The result of a capacity study. */
export interface Study {
  readonly name: string;
  readonly receiver: string;
  /** Events are sent when they are due, even if the receiver is slow. */
  readonly model: "open";
  readonly speed: number;
  readonly pass: readonly string[];
  readonly confidence: number;
  readonly lateMs: number;
  readonly results: readonly StudyResult[];
  /** Why the study ended early: the receiver, which had answered, is gone. */
  readonly problem?: string;
}

/** Limits of the default p99 lateness; a tenth of the shortest bound lies between them. */
const LATE_MS = 50;
const LEAST_LATE_MS = 5;

/**
 * Finds the capacity of a receiver: plays a scenario repeatedly with different values, in the open model.
 *
 * @throws LabError `bad-options` for a value that cannot be varied, `no-receiver` if it does not answer before the first
 *   trial, and the errors of `runScenario`
 */
export async function studyCapacity(options: StudyOptions): Promise<Study> {
  const pass = passLines(options.pass ?? DEFAULT_PASS);
  if (pass.length === 0) throw new LabError("bad-options", "the condition to pass is empty");
  const source: StudySource = { ...options.source, set: [...options.source.set, `expect=${JSON.stringify(pass)}`] };
  const base = readOrThrow(source, []);
  const receiver = receiverUrl(base, options);
  const varied = options.vary.map((request) => findVaried(request, source, base));
  const lateMs = options.lateMs ?? Math.max(LEAST_LATE_MS, Math.min(LATE_MS * 10, ...boundsMs(pass)) / 10);
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const ca = base.receiver?.ca;
  const recovery = new Recovery({
    url: receiver,
    probes: httpProbes({
      url: receiver,
      headers: base.receiver?.headers ?? {},
      ca,
      ...signal,
    }),
    allowHosts: options.allowHosts ?? [],
    coolDownMs: options.coolDownMs ?? 500,
    patienceMs: options.recoverMs ?? 60_000,
    ...signal,
  });
  const closers = new Closers();
  try {
    const command = await startReceiverCommand(receiver, options, closers);
    const folder = options.keep ?? mkdtempSync(join(tmpdir(), "handset-capacity-"));
    if (options.keep === undefined) closers.push(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(folder, { recursive: true });
    const own = base.receiver?.connections ?? DEFAULT_CONNECTIONS;
    const player = new StudyRunner({
      ...options,
      connections: options.connections ?? own,
      isFixed: options.connections !== undefined || own !== DEFAULT_CONNECTIONS,
      source,
      pass,
      lateMs,
      receiver,
      runningCommand: command,
      folder,
      recovery,
    });
    await recovery.measureCalm(options.waitMs ?? 0);
    const results: StudyResult[] = [];
    for (const one of varied) {
      results.push(await player.studyValue(one, base));
      // After a stop, or without the receiver, no further value is begun.
      if (options.signal?.aborted === true || player.problem !== undefined) break;
    }
    const { problem } = player;
    return {
      name: base.name,
      receiver,
      model: "open",
      speed: options.speed ?? 1,
      pass,
      confidence: CONFIDENCE,
      lateMs,
      results,
      problem,
    };
  } finally {
    await closers.close();
  }
}

function receiverUrl(scenario: Scenario, options: StudyOptions): string {
  const url = receiverOf(scenario, options);
  if (/^https?:/i.test(url)) return url;
  throw new LabError("bad-options", "a capacity study needs the URL of your receiver", {
    hint: "name it: --receiver http://127.0.0.1:8080/events, or start it: -- COMMAND",
  });
}
