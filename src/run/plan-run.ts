import { LabError } from "../base/index.js";
import { abortIfPossible, refuseLateness, refuseWallTime } from "../expect/index.js";
import { allowedHosts, DEFAULT_CONNECTIONS } from "../http/index.js";
import { type Pace, prepareScenarioFakes, refuseUrl } from "../lab/index.js";
import { checksOf, type Scenario } from "../scenario/index.js";
import { receiverOf } from "./delivery-targets.js";
import { refuseConflicts } from "./option-conflicts.js";
import type { FoundPart } from "./part/found-part.js";
import { checkPart } from "./part/part-option.js";
import { refuseToPart } from "./part/refuse-to-part.js";
import type { RunOptions } from "./run-options.js";

/** A run whose scenario and options have been checked; nothing is open yet. */
export interface RunPlan {
  readonly scenario: Scenario;
  readonly fakes: Awaited<ReturnType<typeof prepareScenarioFakes>>;
  readonly pace: Pace;
  /** Absent: the whole fleet. */
  readonly shard: FoundPart | undefined;
  /** Whether the run may post to an address. */
  readonly isAllowed: (url: string) => boolean;
  /** Where events go: a URL, `bundled` or `none`. */
  readonly receiver: string;
  /** `--recording none`: nothing is written to disk. */
  readonly keepsNothing: boolean;
  /** Whether the API, or the load of account files, reads the rows while the run plays. */
  readonly isRead: boolean;
}

/**
 * Checks a scenario and the options of its run.
 *
 * @throws LabError `bad-options`, `bad-fake`, `host-not-allowed`, `crosses-parts`
 */
export async function planRun(given: Scenario, options: RunOptions): Promise<RunPlan> {
  const { api, accounts: data = [], settleMs: settle } = options;
  refuseConflicts({ shard: options.shard, api, data, settle });
  const started = startedAt(given, options);
  const scenario = options.abort === true ? { ...started, expect: started.expect.map(abortIfPossible) } : started;
  const fakes = await prepareScenarioFakes(scenario);
  const pace = paceOf(scenario, options);
  if (pace.kind === "lockstep") refuseWallTime(scenario.expect);
  if (pace.kind === "max") refuseLateness(scenario.expect);
  const shard = options.shard && checkPart(options.shard);
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const receiver = receiverOf(scenario, options);
  for (const url of [...urlsOf(scenario, receiver), ...checkedUrls(scenario)]) if (!isAllowed(url)) refuseUrl(url);
  if (shard !== undefined) refuseToPart(scenario, { ...options, shard, receiver, pace });
  const keepsNothing = options.recording === "none";
  const isRead = api !== undefined || data.length > 0;
  return { scenario, fakes, pace, shard, isAllowed, receiver, keepsNothing, isRead };
}

/** The scenario with `starts: now` replaced by `startAtMs`, so that all parts start at the same instant. */
function startedAt(scenario: Scenario, { startAtMs }: RunOptions): Scenario {
  if (startAtMs === undefined || !scenario.startsNow) return scenario;
  return { ...scenario, cast: { ...scenario.cast, startsAtMs: startAtMs } };
}

function paceOf(scenario: Scenario, { pace = "lockstep", connections }: RunOptions): Pace {
  if (connections !== undefined && !(Number.isSafeInteger(connections) && connections >= 1)) {
    throw new LabError("bad-options", `connections must be a whole number >= 1, got ${connections}`);
  }
  if (pace === "lockstep") return { kind: "lockstep", lookaheadMs: scenario.lookaheadMs };
  if (pace === "max")
    return { kind: "max", connections: connections ?? scenario.receiver?.connections ?? DEFAULT_CONNECTIONS };
  const speed = typeof pace === "number" ? pace : Number(/^(\d+(?:\.\d+)?)x$/.exec(pace)?.[1]);
  if (!(speed > 0)) {
    throw new LabError("bad-options", `the pace must be lockstep, max, or a speed such as 1x or 60x, got '${pace}'`);
  }
  return { kind: "paced", speed };
}

/** Every address that the scenario's checks ask, beside those at the receiver. */
function checkedUrls(scenario: Scenario): string[] {
  return checksOf(scenario).flatMap(({ ask }) => (ask.kind === "http" && !ask.url.startsWith("/") ? [ask.url] : []));
}

/** Every address that the run may post to. */
function urlsOf(scenario: Scenario, receiver: string): string[] {
  if (receiver === "none") return [];
  const ofGroups = scenario.cast.handsets.flatMap((group) =>
    group.receiver === undefined || group.receiver === "none" ? [] : group.receiver,
  );
  return receiver === "bundled" ? ofGroups : [receiver, ...ofGroups];
}
