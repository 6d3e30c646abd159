import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError } from "../base/index.js";
import { DEFAULT_CONNECTIONS } from "../http/index.js";
import type { Scenario } from "../scenario/index.js";
import { CONFIDENCE } from "./knee.js";
import type { StudyOptions, StudyResult } from "./options.js";
import { boundsMs, passLines } from "./pass.js";
import { Player } from "./player.js";
import { Recovery } from "./recovery.js";
import { findVaried, mustRead, type Source } from "./vary.js";

/** What a receiver has to do where nobody says it: what most people mean by "it holds". */
export const DEFAULT_PASS = "delivery.p99 < 500ms";

/** What a study came to. */
export interface Study {
  readonly name: string;
  readonly receiver: string;
  /** Events are sent when they are due, however slow the receiver is. */
  readonly model: "open";
  readonly speed: number;
  readonly pass: readonly string[];
  readonly confidence: number;
  readonly lateMs: number;
  readonly results: readonly StudyResult[];
  /** Why it ended before all was found out: the receiver was gone, in a sentence. */
  readonly problem?: string;
}

/** At the 99th percentile, where no bound says how much matters. */
const LATE_MS = 50;
const LEAST_LATE_MS = 5;

/**
 * Finds out how much a receiver holds: plays a scenario again and again with another value in it, in the open model.
 *
 * @throws LabError `bad-options` for what cannot be varied, `no-receiver` when it is not there or does not come back after a
 *   trial, and as `runScenario`
 */
export async function studyCapacity(options: StudyOptions): Promise<Study> {
  const pass = passLines(options.pass ?? DEFAULT_PASS);
  if (pass.length === 0) throw new LabError("bad-options", "the condition to pass is empty");
  const source: Source = { ...options.source, set: [...options.source.set, `expect=${JSON.stringify(pass)}`] };
  const base = mustRead(source, []);
  const receiver = receiverOf(base, options.receiver);
  const varied = options.vary.map((request) => findVaried(request, source, base));
  const lateMs = options.lateMs ?? Math.max(LEAST_LATE_MS, Math.min(LATE_MS * 10, ...boundsMs(pass)) / 10);
  const recovery = new Recovery({
    url: receiver,
    headers: base.receiver?.headers ?? {},
    ...(base.receiver?.ca !== undefined && { ca: base.receiver.ca }),
    allowHosts: options.allowHosts ?? [],
    coolDownMs: options.coolDownMs ?? 500,
    patienceMs: options.recoverMs ?? 60_000,
    ...(options.signal !== undefined && { signal: options.signal }),
  });
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), "handset-capacity-"));
  mkdirSync(folder, { recursive: true });
  try {
    const own = base.receiver?.connections ?? DEFAULT_CONNECTIONS;
    const player = new Player({
      ...options,
      connections: options.connections ?? own,
      isFixed: options.connections !== undefined || own !== DEFAULT_CONNECTIONS,
      source,
      pass,
      lateMs,
      receiver,
      folder,
      recovery,
    });
    await recovery.begin(options.waitMs ?? 0);
    const results: StudyResult[] = [];
    for (const one of varied) {
      results.push(await player.study(one, base));
      // What has not begun when it is stopped, or when the receiver is gone, is not begun.
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
      ...(problem !== undefined && { problem }),
    };
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function receiverOf(scenario: Scenario, wanted: string | undefined): string {
  const url = wanted ?? scenario.receiver?.url;
  if (url !== undefined && /^https?:/i.test(url)) return url;
  throw new LabError("bad-options", "a capacity is that of a receiver of yours", {
    hint: "name it: --receiver http://127.0.0.1:8080/events",
  });
}
