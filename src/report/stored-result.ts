import { accounts } from "../ledger/index.js";
import { attemptOutcomes } from "../measure/index.js";

/**
 * Shape of a JSON value: a kind of scalar, `each` item of a list, `all` values of an object, or an object with named
 * keys.
 */
type StoredShape =
  | "text"
  | "number"
  | "number or null"
  | "boolean"
  | { readonly each: StoredShape }
  | { readonly all: StoredShape }
  | Keys;

/** The shape of each key of an object; a name that ends with `?` may be absent. */
interface Keys {
  readonly keys: Readonly<Record<string, StoredShape>>;
}

const percentiles: StoredShape = all(["p50", "p95", "p99", "max"], "number or null");

const account: StoredShape = {
  keys: {
    in: "number",
    copies: { all: "number" },
    delivered: "number",
    failed: "number",
    queued: "number",
    lost: { all: "number" },
    gap: "number",
  },
};

const part: StoredShape = {
  keys: { events: "number", attempts: "number", latencyMs: percentiles, "serviceMs?": percentiles },
};

const underWay: StoredShape = {
  keys: { channel: "number", number: "number", type: "text", try: "number", isRead: "boolean" },
};

const outage: StoredShape = {
  keys: {
    receiver: "text",
    answers: "number",
    lastAnswerMs: "number",
    fromMs: "number",
    untilMs: "number or null",
    isAbsent: "boolean",
    errors: { all: "number" },
    underWay: { each: underWay },
    underWayCount: "number",
  },
};

/** `RunResult` as it is stored. */
const result: StoredShape = {
  keys: {
    name: "text",
    seed: "number",
    "shard?": "text",
    "shardFoundBy?": "text",
    "start?": {
      keys: {
        folder: "text",
        atMs: "number",
        clockOffsetMs: "number",
        clockUncertaintyMs: "number",
        waitedMs: "number",
        lateMs: "number",
      },
    },
    "flowCalls?": { keys: { answered: "number", failed: "number" } },
    digest: "text",
    virtualMs: "number",
    "drain?": { keys: { limitMs: "number", tookMs: "number", isEmpty: "boolean" } },
    wallMs: "number",
    "cast?": { keys: { handsets: "number", people: "number" } },
    events: { all: "number" },
    attempts: all(attemptOutcomes, "number"),
    replies: { keys: { valid: "number", ignored: "number", reasons: { all: "number" } } },
    latencyMs: percentiles,
    "deliveryMs?": percentiles,
    "serviceMs?": percentiles,
    "latenessMs?": percentiles,
    ledger: all(accounts, account),
    lost: "number",
    queued: "number",
    "blocked?": { each: { keys: { of: "text", why: "text", waiting: "number" } } },
    alarms: "number",
    expectations: { each: { keys: { text: "text", held: "boolean", seen: "text" } } },
    "receiver?": { keys: { command: "text", exitCode: "number or null", stderr: "text", stdout: "text" } },
    problems: { each: "text" },
    "warnings?": { each: "text" },
    "model?": "text",
    "fellBehind?": "boolean",
    "punctuality?": { keys: { fellBehind: "boolean", lateShare: "number", seconds: "number", lateSeconds: "number" } },
    "byType?": { all: part },
    "byGroup?": { all: part },
    "statuses?": { all: "number" },
    "errors?": { all: "number" },
    "retries?": "number",
    "bytes?": { keys: { out: "number", in: "number" } },
    "roundTripMs?": percentiles,
    "roundTripVirtualMs?": percentiles,
    "roundTrips?": { keys: { matched: "number", waiting: "number", "forgotten?": "number" } },
    "doubles?": "number",
    "reordered?": "number",
    "host?": {
      keys: {
        seconds: "number",
        busySeconds: "number",
        busy: { each: { all: "number" } },
        judged: "number",
        leftOut: "number",
      },
    },
    "outages?": { each: outage },
    "findings?": { each: { keys: { kind: "text", weight: "text", text: "text", where: "text", severity: "number" } } },
  },
};

/** Whether the value in a recording has the shape of a run's result. @param value - from JSON.parse */
export function isStoredResult(value: unknown): boolean {
  return hasShape(value, result);
}

function all(names: readonly string[], shape: StoredShape): Keys {
  return { keys: Object.fromEntries(names.map((name) => [name, shape])) };
}

function hasShape(value: unknown, shape: StoredShape): boolean {
  if (shape === "text") return typeof value === "string";
  if (shape === "number or null") return value === null || typeof value === "number";
  if (typeof shape === "string") return typeof value === shape;
  if ("each" in shape) return Array.isArray(value) && value.every((item) => hasShape(item, shape.each));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if ("all" in shape) return Object.values(value).every((one) => hasShape(one, shape.all));
  return Object.entries(shape.keys).every(([name, one]) => {
    const found = (value as Record<string, unknown>)[name.replace("?", "")];
    return (found === undefined && name.endsWith("?")) || hasShape(found, one);
  });
}
