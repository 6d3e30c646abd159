import type { Scenario } from "../../src/index.js";
import { parseScenario } from "../../src/index.js";
import type { FieldEvent } from "../../src/field/field-event.js";
import type { HttpRequest, HttpResult, HttpSender } from "../../src/http/index.js";
import type { ReceiverSwitch } from "../../src/lab/receiver-switch.js";
import { playAndRead } from "../support/played-in-memory.js";
import { numbersOf, type Planted } from "./random-day.js";

/** Days that differ from the random days by which the causes were tuned. */
export const unlikeKinds = [
  "forty",
  "busy",
  "night",
  "replies",
  "slow-carrier",
  "bursts",
  "overlaps",
  "2017",
  "2024",
  "delivery",
  "moody",
  "no-credit",
] as const;
export type UnlikeKind = (typeof unlikeKinds)[number];

/** A request of a log: one try of an event. */
export interface LoggedTry {
  readonly atMs: number;
  readonly body: string;
  /** Absent: no answer. */
  readonly status: number | undefined;
  readonly tookMs: number;
  readonly answer: string;
}

export interface UnlikeDay {
  readonly text: string;
  readonly planted: readonly Planted[];
  readonly tries: readonly LoggedTry[];
}

const minute = 60_000;
const hour = 60 * minute;
const startsAtMs = Date.parse("2026-03-04T05:30:00.000Z");

interface Shape {
  readonly phones: number;
  readonly hours: number;
  /** Texts of a phone in an hour. */
  readonly texts: number;
  readonly sends: number;
  readonly calls: number;
  readonly profile: string;
  readonly carrier: string;
  readonly traffic: string;
}

/**
 * A random day of a kind, with troubles or without.
 */
export function unlikeDay(kind: UnlikeKind, seed: number, isClean: boolean): { text: string; planted: Planted[] } {
  const next = numbersOf(seed * 31 + unlikeKinds.indexOf(kind));
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const shape = shapeOf(kind, int);
  const { phones, hours } = shape;
  const spanMs = hours * hour;
  const people = phones * (kind === "busy" ? 40 : 4);
  const planted: Planted[] = [];
  const steps: { atMs: number; text: string }[] = [];
  const step = (atMs: number, text: string): void => void steps.push({ atMs, text });
  const person = (relayer: number): string =>
    `farmers/${(relayer - 1) * (people / phones) + int(0, people / phones - 1)}`;
  const plant = (what: Planted["kind"], relayer: number, atMs: number, forMs: number, value?: number): void =>
    void planted.push({
      kind: what,
      relayer,
      fromMs: startsAtMs + atMs,
      toMs: startsAtMs + atMs + forMs,
      ...(value !== undefined && { value }),
    });
  const writes = (relayer: number, atMs: number, forMs: number, count: number): void => {
    for (let n = 0; n < count; n++) {
      const at = atMs + int(1_000, Math.max(1_001, forMs - 8_000));
      step(at, `text: { from: ${person(relayer)}, to: clinic/${relayer - 1}, body: "water {n} at ${seed}" }`);
    }
  };
  const network = (relayer: number, atMs: number, forMs: number, count: number): void => {
    step(atMs, `network: { of: clinic/${relayer - 1}, type: none, for: ${forMs}ms }`);
    writes(relayer, atMs, forMs, count);
    plant("network", relayer, atMs, forMs);
  };
  const lostAnswer = (relayer: number, atMs: number, count: number): void => {
    // Twenty rows that waited come in one sync, whose answer gets lost.
    if (count > 1) {
      network(relayer, atMs - 15 * minute, 15 * minute, count);
      step(atMs - 1, `sync: { of: clinic/${relayer - 1}, loses: response }`);
    } else {
      step(atMs, `sync: { of: clinic/${relayer - 1}, loses: response }`);
      step(atMs + 1, `text: { from: ${person(relayer)}, to: clinic/${relayer - 1}, body: "again {n}" }`);
    }
    plant("lost-answer", relayer, atMs - 1, 0);
  };
  const clock = (relayer: number, atMs: number, forMs: number): void => {
    const skew = (int(0, 1) === 0 ? 1 : -1) * int(60, 840);
    step(atMs, `clock: { of: clinic/${relayer - 1}, skew: ${skew}s, for: ${forMs}ms }`);
    writes(relayer, atMs, forMs, 5);
    plant("clock", relayer, atMs, forMs, skew * 1000);
  };
  const battery = (relayer: number, atMs: number): void => {
    const level = int(6, 20);
    step(atMs, `power: { of: clinic/${relayer - 1}, mains: off, for: 40m }`);
    step(atMs, `battery: { of: clinic/${relayer - 1}, level: ${level}% }`);
    plant("battery", relayer, atMs, 40 * minute, level);
  };
  const receiver = (atMs: number, forMs: number, answers: string): void => {
    step(atMs, `receiver: { answers: ${answers}, for: ${forMs}ms }`);
    plant("receiver", 0, atMs, forMs, Number(answers) || 0);
  };
  if (!isClean) {
    const some = shuffled(
      Array.from({ length: phones }, (_, index) => index + 1),
      next,
    );
    // A phone has one trouble at a time.
    const take = (): number | undefined => some.pop();
    const mid = (): number => Math.floor(spanMs * (0.2 + next() * 0.5));
    if (kind === "forty") {
      const atMs = mid();
      const forMs = int(20, 50) * minute;
      const first = int(1, 28);
      for (let relayer = first; relayer < first + 12; relayer++) network(relayer, atMs, forMs, 2);
      const others = some.filter((relayer) => relayer < first || relayer >= first + 12);
      const [one = 1, two = 2, three = 3, four = 4, five = 5, six = 6] = others;
      lostAnswer(one, mid(), 20);
      clock(two, mid(), 50 * minute);
      battery(three, mid());
      clock(four, mid(), 60 * minute);
      network(five, mid(), int(10, 40) * minute, 4);
      const silentMs = mid();
      step(silentMs, `network: { of: clinic/${six - 1}, type: none, for: 70m }`);
      plant("network", six, silentMs, 70 * minute);
      planted.push({ ...(planted.pop() as Planted), isSilent: true });
      receiver(mid(), int(8, 15) * minute, ["500", "400", "503", "hang"][int(0, 3)] ?? "500");
    } else if (kind === "overlaps") {
      const atMs = mid();
      const forMs = int(15, 40) * minute;
      // A village: all phones of one mast; and the receiver fails while they are away.
      for (let relayer = 1; relayer <= Math.ceil(phones / 2); relayer++) network(relayer, atMs, forMs, int(3, 6));
      receiver(atMs + forMs / 3, 10 * minute, "500");
      // A battery that dies, and boots again when it is charged.
      const dead = phones;
      step(atMs, `power: { of: clinic/${dead - 1}, mains: off, for: 60m }`);
      step(atMs, `battery: { of: clinic/${dead - 1}, level: 9% }`);
      step(atMs + 20 * minute, `battery: { of: clinic/${dead - 1}, level: 0% }`);
      writes(dead, atMs + 21 * minute, 38 * minute, 8);
      plant("battery", dead, atMs, 60 * minute, 9);
      plant("reboot", dead, atMs + 20 * minute, 50 * minute);
      clock(phones - 1, atMs + forMs / 2, 50 * minute);
    } else if (kind === "delivery") {
      const atMs = mid();
      step(atMs, `delivery: { of: clinic, types: [mo_sms], answers-lost: true, for: 20m }`);
      plant("delivery", 0, atMs, 20 * minute);
      network(1, mid(), 20 * minute, 5);
    } else if (kind === "no-credit") {
      step(mid(), `credit: { of: clinic/0, units: 0 }`);
      network(phones, mid(), 20 * minute, 5);
    } else {
      for (const what of shuffled(["network", "lost", "clock", "battery", "receiver", "network"], next)) {
        if (what === "receiver") {
          if (kind !== "moody")
            receiver(mid(), int(8, 15) * minute, ["500", "hang", "slow", "close"][int(0, 3)] ?? "500");
          continue;
        }
        const relayer = take();
        if (relayer === undefined) continue;
        if (what === "network") network(relayer, mid(), int(10, 50) * minute, int(3, 8));
        else if (what === "lost") lostAnswer(relayer, mid(), int(0, 1) === 0 ? 1 : int(5, 20));
        else if (what === "clock") clock(relayer, mid(), int(40, 70) * minute);
        else battery(relayer, mid());
      }
    }
  }
  steps.sort((one, other) => one.atMs - other.atMs);
  const text = `name: Unlike day ${kind} ${seed}
seed: ${seed}
starts: ${new Date(startsAtMs).toISOString()}
lasts: ${spanMs}ms
carriers: { net: ${shape.carrier} }
handsets: { clinic: { count: ${phones}, phone: "+2507880{00100}", profile: ${shape.profile} } }
people: { farmers: { count: ${people}, phone: "+2507811{00000}" } }
traffic:
${shape.traffic}
story:${steps.length === 0 ? " []" : ""}
${steps.map((one) => `  - { at: ${one.atMs}ms, ${one.text} }`).join("\n")}
`;
  return { text, planted };
}

function shapeOf(kind: UnlikeKind, int: (from: number, to: number) => number): Shape {
  const base = {
    phones: 6,
    hours: 8,
    texts: 15,
    sends: 5,
    calls: 1,
    profile: "plain",
    carrier: "{ delay: 1s..6s, reports-delivery: 90% }",
  };
  const kinds: Partial<Record<UnlikeKind, Partial<Shape>>> = {
    forty: { phones: 40, hours: 7, texts: 0.45, sends: 0.15, calls: 0.05 },
    busy: { phones: 2 + int(0, 1), hours: 4, texts: 250, sends: 100, calls: 5 },
    night: { phones: 6, hours: 24, texts: 8, sends: 2, calls: 0.3 },
    "slow-carrier": {
      carrier: "{ delay: { exp: 40s }, loses: 2%, duplicates: 1%, reports-delivery: 60%, reports-after: { exp: 3m } }",
    },
    2017: { profile: "{ preset: 2017, push-loses: 10% }" },
    2024: { profile: "{ preset: 2024, push-loses: 10% }" },
  };
  const shape = { ...base, ...kinds[kind] };
  const { phones, texts, sends, calls } = shape;
  const diurnal = kind === "night" ? ", shape: diurnal" : "";
  const arrivals = kind === "bursts" ? ", arrivals: burst, every: 30m" : "";
  return {
    ...shape,
    traffic: [
      `  - { texts: { from: farmers, to: clinic, body: { pick: [join, HELP, maize 12kg, "report {n}", "Où est l'eau ?"] } }, rate: ${Math.max(1, Math.round(phones * texts))}/h${diurnal}${arrivals} }`,
      `  - { calls: { from: farmers, to: clinic }, rate: ${Math.max(1, Math.round(phones * calls))}/h${diurnal} }`,
      `  - { sends: { via: clinic, to: farmers, body: "market {n}" }, rate: ${Math.max(1, Math.round(phones * sends))}/h${diurnal}${arrivals} }`,
    ].join("\n"),
  };
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, by: next() }))
    .sort((one, other) => one.by - other.by)
    .map(({ item }) => item);
}

/** A receiver in the process that takes some time, fails when the story says so, and may reply. */
class FieldReceiver implements HttpSender, ReceiverSwitch {
  readonly connections = 50;
  readonly originMs = performance.now();
  readonly waitingForConnection = 0;
  readonly notDue = 0;
  readonly #kind: UnlikeKind;
  readonly #next: () => number;
  #mode = "ok";
  #status = 200;

  constructor(kind: UnlikeKind, seed: number) {
    this.#kind = kind;
    this.#next = numbersOf(seed + 99);
  }

  post({ body }: HttpRequest, done: (exchange: HttpResult) => void): void {
    queueMicrotask(() => done(this.#exchange(body)));
  }

  answer({ answers, status = 200 }: Parameters<ReceiverSwitch["answer"]>[0]): Promise<void> {
    this.#mode = answers;
    this.#status = status;
    return Promise.resolve();
  }

  withdrawUnsent(): void {}

  close(): void {}

  #exchange(body: string): HttpResult {
    const tookMs = 5 + Math.floor(30 * this.#next());
    if (this.#mode === "hang") return resultOf({ error: "ETIMEDOUT", tookMs: 5_000 });
    if (this.#mode === "close") return resultOf({ error: "ECONNRESET", tookMs });
    if (this.#mode === "status") return resultOf({ status: this.#status, tookMs });
    // It refuses some events at random, which is no state.
    if (this.#kind === "moody" && this.#next() < 0.08) return resultOf({ status: 500, tookMs });
    if (this.#kind === "moody" && this.#next() < 0.08) return resultOf({ status: 200, tookMs: 3_000 });
    const replies = ["replies", "overlaps"].includes(this.#kind) && body.includes("event=mo_sms") && this.#next() < 0.7;
    const answer = replies ? JSON.stringify({ text: "thanks, we have got it" }) : "";
    return resultOf({ status: 200, answer, tookMs: this.#mode === "slow" ? 2_000 + tookMs : tookMs });
  }
}

function resultOf(given: { status?: number; error?: string; answer?: string; tookMs: number }): HttpResult {
  const { status = null, error = null, answer = "", tookMs } = given;
  return {
    sentWallMs: 1,
    postedWallMs: 1,
    durationMs: tookMs,
    status,
    error,
    headers: null,
    body: new TextEncoder().encode(answer),
    bodyBytes: answer.length,
    redirects: [],
  };
}

/** Plays a day and returns its requests, retries too, in the order of time. */
export async function triesOf(text: string, kind: UnlikeKind, seed: number): Promise<LoggedTry[]> {
  const { scenario, diagnostics } = parseScenario(text, { file: "day.yaml", nowMs: 0 });
  if (scenario === undefined) throw new Error(`${JSON.stringify(diagnostics, null, 2)}\n${text}`);
  return playedTries(scenario, new FieldReceiver(kind, seed));
}

function playedTries(scenario: Scenario, receiver: FieldReceiver): Promise<LoggedTry[]> {
  const { startsAtMs: from } = scenario.cast;
  return playAndRead(scenario, { receiver: receiver as never }, ({ reader }) => {
    const bodies = new Map([...reader.events()].map((event) => [`${event.channel}/${event.number}`, event.body]));
    return [...reader.attempts()]
      .map(({ channel, number, dueAtMs, status, durationMs, body }) => ({
        atMs: from + dueAtMs,
        body: bodies.get(`${channel}/${number}`) ?? "",
        status: status ?? undefined,
        tookMs: durationMs,
        answer: body === null ? "" : new TextDecoder().decode(body),
      }))
      .sort((one, other) => one.atMs - other.atMs);
  });
}

export async function playedUnlikeDay(kind: UnlikeKind, seed: number, isClean = false): Promise<UnlikeDay> {
  const { text, planted } = unlikeDay(kind, seed, isClean);
  const tries = await triesOf(text, kind, seed);
  // What gets lost on the way back is not lost in the receiver's own log.
  const logged = kind === "delivery" ? tries.map((one) => ({ ...one, status: one.status ?? 200 })) : tries;
  return { text, planted, tries: logged };
}

/** Its events as a log with all answers has them. */
export function asFieldEvents(tries: readonly LoggedTry[]): FieldEvent[] {
  return tries.map(({ atMs, body, status, tookMs, answer }, index) => ({
    place: index + 1,
    atMs,
    body,
    answer: status === undefined ? { tookMs, error: "timeout" } : { status, tookMs, body: answer },
  }));
}
