import { parseScenario } from "../../src/index.js";
import type { FieldEvent } from "../../src/field/field-event.js";
import { playAndRead } from "../support/played-in-memory.js";
import { Answers } from "../support/answers.js";

/** A trouble of a generated day. Instants are milliseconds since 1970. */
export interface Planted {
  readonly kind:
    "network" | "coverage" | "lost-answer" | "clock" | "battery" | "mains" | "reboot" | "receiver" | "delivery";
  /** The channel. */
  readonly relayer: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Milliseconds of a clock, percent of a battery, or a status. */
  readonly value?: number;
  /** Nobody writes to the phone meanwhile: only an alarm tells. */
  readonly isSilent?: boolean;
}

export interface Day {
  readonly text: string;
  readonly planted: readonly Planted[];
  readonly events: readonly FieldEvent[];
  readonly startsAtMs: number;
  readonly lastsMs: number;
}

/** A generator of numbers in [0, 1), the same for the same seed. */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const minute = 60_000;
const startsAtMs = Date.parse("2026-03-04T06:00:00.000Z");
const lastsMs = 6 * 60 * minute;

/** Kinds of trouble that befall one phone. */
export const phoneTroubles = [
  "network",
  "coverage",
  "lost-answer",
  "clock",
  "battery",
  "mains",
  "reboot",
] as const satisfies readonly Planted["kind"][];

/**
 * A random day: some phones and people, texts, answers of the service and calls, and troubles of phones at random times.
 *
 * @param kinds - the troubles to choose from; none: a day without any
 */
export function randomDay(
  seed: number,
  kinds: readonly Planted["kind"][] = phoneTroubles,
): { text: string; planted: Planted[] } {
  const next = numbersOf(seed);
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const phones = int(3, 5);
  const people = phones * int(5, 12);
  const planted: Planted[] = [];
  const steps: { atMs: number; text: string }[] = [];
  for (let relayer = 1; relayer <= phones; relayer++) {
    const of = `clinic/${relayer - 1}`;
    let atMs = int(20, 60) * minute + int(0, 59_999);
    while (kinds.length > 0 && atMs < lastsMs - 90 * minute) {
      const kind = kinds[int(0, kinds.length - 1)] ?? "network";
      const lengths: Partial<Record<Planted["kind"], number>> = {
        network: int(8, 50),
        coverage: int(15, 40),
        clock: int(40, 70),
        reboot: int(2, 4),
      };
      const minutes = lengths[kind] ?? 0;
      const forMs = minutes * minute + int(0, 59_999);
      const at = `${atMs}ms`;
      const toMs = atMs + (minutes === 0 ? 0 : forMs);
      const one = { kind, relayer, fromMs: startsAtMs + atMs, toMs: startsAtMs + toMs };
      if (kind === "network")
        steps.push({ atMs, text: `at: ${at}, network: { of: ${of}, type: none, for: ${forMs}ms }` });
      if (kind === "coverage")
        steps.push({ atMs, text: `at: ${at}, coverage: { of: ${of}, state: none, for: ${forMs}ms }` });
      if (kind === "reboot") steps.push({ atMs, text: `at: ${at}, reboot: { of: ${of}, down: ${forMs}ms }` });
      // Nothing shows an outage in which nobody writes.
      const person = (): string => `farmers/${(relayer - 1) * (people / phones) + int(0, people / phones - 1)}`;
      const texts: Partial<Record<Planted["kind"], number>> = {
        network: int(3, 8),
        coverage: int(4, 8),
        reboot: int(4, 7),
        "lost-answer": 1,
      };
      const writes = texts[kind] ?? 0;
      for (let count = 0; count < writes; count++) {
        const afterMs = kind === "lost-answer" ? 1 : int(1_000, Math.max(1_000, forMs - 10_000));
        steps.push({
          atMs: atMs + afterMs,
          text: `at: ${atMs + afterMs}ms, text: { from: ${person()}, to: ${of}, body: "are you there {n}" }`,
        });
      }
      if (kind === "lost-answer") steps.push({ atMs, text: `at: ${at}, sync: { of: ${of}, loses: response }` });
      if (kind === "clock") {
        const skew = (int(0, 1) === 0 ? 1 : -1) * int(60, 840);
        steps.push({ atMs, text: `at: ${at}, clock: { of: ${of}, skew: ${skew}s, for: ${forMs}ms }` });
        planted.push({ ...one, value: skew * 1000 });
      } else if (kind === "battery") {
        const level = int(6, 20);
        steps.push({ atMs, text: `at: ${at}, power: { of: ${of}, mains: off, for: 40m }` });
        steps.push({ atMs, text: `at: ${at}, battery: { of: ${of}, level: ${level}% }` });
        planted.push({ ...one, value: level, toMs: one.fromMs + 40 * minute });
      } else if (kind === "mains") {
        steps.push({ atMs, text: `at: ${at}, battery: { of: ${of}, level: 25% }` });
        steps.push({ atMs, text: `at: ${at}, power: { of: ${of}, mains: off, for: 80m }` });
        planted.push({ ...one, toMs: one.fromMs + 80 * minute });
      } else planted.push(one);
      atMs = toMs + (kind === "mains" ? 130 : kind === "battery" ? 90 : int(40, 80)) * minute;
    }
  }
  steps.sort((a, b) => a.atMs - b.atMs);
  const text = `name: Random day ${seed}
seed: ${seed}
starts: ${new Date(startsAtMs).toISOString()}
lasts: ${lastsMs}ms
carriers: { net: { delay: 1s..6s, reports-delivery: ${int(70, 100)}% } }
handsets: { clinic: { count: ${phones}, phone: "+2507880{00100}" } }
people: { farmers: { count: ${people}, phone: "+2507811{00000}" } }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, HELP, maize 12kg, "report {n}", "Où est l'eau ?"] } }
    rate: ${phones * int(20, 45)}/h
  - calls: { from: farmers, to: clinic }
    rate: ${phones * 2}/h
  - sends: { via: clinic, to: farmers, body: "market {n}" }
    rate: ${phones * int(3, 10)}/h
story:${steps.length === 0 ? " []" : ""}
${steps.map((one) => `  - { ${one.text} }`).join("\n")}
`;
  return { text, planted };
}

/** Plays a scenario and returns its events as a field log has them: without answers. */
export async function eventsOf(text: string): Promise<FieldEvent[]> {
  const { scenario, diagnostics } = parseScenario(text, { file: "day.yaml", nowMs: 0 });
  if (scenario === undefined) throw new Error(`${JSON.stringify(diagnostics, null, 2)}\n${text}`);
  const { startsAtMs: from } = scenario.cast;
  return playAndRead(scenario, { receiver: new Answers() }, ({ reader }) =>
    Array.from(reader.events(), ({ atMs, body }) => ({ atMs: from + atMs, body }))
      .sort((one, other) => one.atMs - other.atMs)
      .map((event, index) => ({ ...event, place: index + 1 })),
  );
}

/** A random day with its log. */
export async function playedDay(seed: number, kinds?: readonly Planted["kind"][]): Promise<Day> {
  const { text, planted } = randomDay(seed, kinds);
  return { text, planted, events: await eventsOf(text), startsAtMs, lastsMs };
}
