import { type ReceiverBug, receiverBugs, startReceiver } from "../../../receiver/index.js";
import { auditReceiver } from "../audit.js";
import type { AuditOptions } from "../options.js";
import type { AuditResult } from "../result.js";
import { unseenBugs } from "./unseen.js";

/** What the audit found at the bundled receiver with one of its bugs. */
export interface Mutant {
  readonly name: string;
  readonly story: string;
  readonly isFound: boolean;
  /** Ids of the findings. */
  readonly findings: readonly string[];
  /** Why no audit can see it; undefined: one can. */
  readonly unseen?: string;
}

/** The audit at the bundled receiver with each of its bugs. */
export interface MutantsResult {
  readonly mutants: readonly Mutant[];
  /** Of the bugs that can be seen, the share that was found: 0 to 1. */
  readonly score: number;
  readonly found: number;
  readonly of: number;
  /** Findings at the bundled receiver without a bug: each is a false accusation. */
  readonly falseFindings: readonly string[];
  readonly seconds: number;
}

/** Options of `auditMutants`. */
export interface MutantsOptions {
  /** Default: all. */
  readonly bugs?: readonly ReceiverBug[];
  /** Bugs that are audited at the same time; default 4. */
  readonly together?: number;
  readonly onMutant?: (done: number, of: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The timeout that takes the service's place, so that a bug that hangs is found soon. Wall milliseconds. */
const TIMEOUT_MS = 2000;

/** Requests of each audit: too few for five hundred events at once, which need seconds and find nothing more. */
const BUDGET = 499;

/** Of each audit: far more than it takes, so that a busy machine changes no result. Wall milliseconds. */
const TIME_LIMIT_MS = 600_000;

/** Audits the bundled receiver with each of its bugs, and without one. */
export async function auditMutants(options: MutantsOptions = {}): Promise<MutantsResult> {
  const bugs = options.bugs ?? receiverBugs;
  const begin = performance.now();
  const right = await auditBundled([]);
  const queue = [...bugs];
  const mutants = new Map<string, Mutant>();
  const worker = async (): Promise<void> => {
    for (let bug = queue.shift(); bug !== undefined; bug = queue.shift()) {
      options.signal?.throwIfAborted();
      const { findings } = await auditBundled([bug.name], { stopsAtFirst: true });
      const { name, story } = bug;
      const unseen = unseenBugs[name];
      const ids = findings.map(({ id }) => id);
      mutants.set(name, {
        name,
        story,
        isFound: ids.length > 0,
        findings: ids,
        ...(unseen !== undefined && { unseen }),
      });
      options.onMutant?.(mutants.size, bugs.length);
    }
  };
  await Promise.all(Array.from({ length: options.together ?? 4 }, worker));
  const all = bugs.flatMap(({ name }) => mutants.get(name) ?? []);
  const visible = all.filter(({ unseen }) => unseen === undefined);
  const found = visible.filter(({ isFound }) => isFound).length;
  return {
    mutants: all,
    score: visible.length === 0 ? 1 : found / visible.length,
    found,
    of: visible.length,
    falseFindings: right.findings.map(({ id, seen }) => `${id}: ${seen}`),
    seconds: Math.round((performance.now() - begin) / 100) / 10,
  };
}

async function auditBundled(bugs: readonly string[], options: AuditOptions = {}): Promise<AuditResult> {
  const receiver = await startReceiver({ logbook: { bugs } });
  try {
    return await auditReceiver(receiver.url, {
      effects: `GET ${receiver.url}_handset-lab/effects`,
      budget: BUDGET,
      timeLimitMs: TIME_LIMIT_MS,
      timeoutMs: TIMEOUT_MS,
      watchesHost: false,
      ...options,
    });
  } finally {
    await receiver.close();
  }
}
