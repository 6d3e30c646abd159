import type { Cause } from "../../src/field/causes/cause.js";
import type { Planted } from "./random-day.js";

/** What the causes of a generated day say of what was planted. */
export interface Judgement {
  readonly found: readonly Planted[];
  readonly missed: readonly Planted[];
  /** Causes of which nothing was planted. */
  readonly invented: readonly Cause[];
}

const minute = 60_000;

/** Compares causes with what was planted: each within its true limits, each of its kind and value. */
export function judge(planted: readonly Planted[], causes: readonly Cause[]): Judgement {
  const found = planted.filter((one) => causes.some((cause) => isOf(cause, one)));
  return {
    found,
    missed: planted.filter((one) => !found.includes(one)),
    invented: causes.filter((cause) => !planted.some((one) => isOf(cause, one) || isPartOf(cause, one))),
  };
}

/** A phone's first sign of life comes this long after its trouble at most: a way back to the network, and a sync. */
const backMs = 30_000;

const pollMs = 10 * minute;

function isOf({ verb, relayer, fromMs, toMs = fromMs, args }: Cause, one: Planted): boolean {
  if (relayer !== (isOfNoPhone(one) ? undefined : one.relayer) || verb !== verbs[one.kind]) return false;
  if (isOfNoPhone(one)) return fromMs > one.fromMs - 1_000 && toMs < one.toMs + 1_000;
  if (one.kind === "lost-answer") return fromMs > one.fromMs - 1_000 && fromMs < one.fromMs + 15 * minute;
  // Nothing tells when a phone was switched off: between the row before and the first text that the carrier held.
  const beforeMs = one.kind === "coverage" || one.kind === "reboot" ? 3 * minute + (one.toMs - one.fromMs) / 4 : 1_000;
  // A silent phone polled at any time within ten minutes before its trouble, and shows at its next row.
  const earlyMs = one.isSilent === true ? pollMs : beforeMs;
  const lateMs = one.isSilent === true ? Infinity : backMs;
  const isWithin = fromMs > one.fromMs - earlyMs && toMs < one.toMs + lateMs && toMs > fromMs;
  const isLong = Math.min(toMs, one.toMs) - Math.max(fromMs, one.fromMs) > (one.toMs - one.fromMs) / 4;
  if (one.kind === "network" || one.kind === "coverage" || one.kind === "reboot") return isWithin && isLong;
  if (one.kind === "clock") {
    return isWithin && isLong && Math.abs(Number.parseInt(args["skew"] ?? "", 10) * 1_000 - (one.value ?? 0)) <= 2_000;
  }
  // A phone tells its battery at its next sync, within ten minutes.
  if (one.kind === "battery") {
    const level = Number.parseInt(args["level"] ?? "", 10);
    return fromMs > one.fromMs - 2_000 && fromMs < one.fromMs + 11 * minute && Math.abs(level - (one.value ?? 0)) <= 1;
  }
  return fromMs > one.fromMs - 2_000 && fromMs < one.toMs;
}

const verbs: Readonly<Record<Planted["kind"], Cause["verb"]>> = {
  network: "network",
  coverage: "coverage",
  "lost-answer": "sync",
  clock: "clock",
  battery: "battery",
  mains: "power",
  reboot: "reboot",
  receiver: "receiver",
  delivery: "delivery",
};

function isOfNoPhone({ kind }: Planted): boolean {
  return kind === "receiver" || kind === "delivery";
}

/** A battery that was planted is one without mains. */
function isPartOf({ verb, relayer, fromMs }: Cause, one: Planted): boolean {
  return (
    one.kind === "battery" &&
    verb === "power" &&
    relayer === one.relayer &&
    fromMs > one.fromMs - 2_000 &&
    fromMs < one.toMs
  );
}
