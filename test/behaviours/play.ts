import { parseScenario } from "../../src/index.js";
import type { LedgerReport } from "../../src/ledger/index.js";
import type { Answers } from "../support/answers.js";
import type { HandsetView } from "../../src/world/index.js";
import { type Played, type PlayedEvent, type PlayedSync, playInMemory } from "../support/played-in-memory.js";

/** What one story showed. Times are `h:mm:ss` from the start, cut to seconds. */
export interface Behaviour {
  /** The events, or those of some types: `0:10:03 mt_sent hello`. Of calls the duration, of alarms level and status. */
  readonly told: (...types: string[]) => string[];
  /** What a person's phone showed: `0:10:05 hello`. */
  readonly heard: (person?: keyof typeof persons) => string[];
  /** Times of the requests that reached the service from the first phone. */
  readonly syncTimes: () => string[];
  readonly events: readonly PlayedEvent[];
  readonly syncs: readonly PlayedSync[];
  /** Status letters of the messages of the service, oldest first: `S`, `D`. */
  readonly statuses: string;
  readonly ledger: LedgerReport;
  /** The first phone at the end, or at a step `note`. */
  readonly phone: (at?: string) => HandsetView;
  readonly all: Played;
}

/** Phone numbers of the people whom each story has. */
export const persons = { ada: "+250781100001", ben: "+250781100002" } as const;

/**
 * Settings without chance: a push takes 1 s, a segment 2 s at the radio, a refusal no time, rejoining 10 s. With the
 * link's latency of 100 ms a message that is queued at 0 s is on air at 3.2 s and reported at 3.3 s.
 */
const exact = {
  "push-after": "1s",
  "push-loses": "0%",
  "sent-after": "2s",
  "failed-after": "0s",
  "rejoin-after": "10s",
  "held-gap": "200ms",
};

/** A handset whose profile has no chance. @param settings - of the profile; `more` - keys of the handset */
export function handset(profile: string | number, settings: object = {}, more: object = {}): string {
  return JSON.stringify({ phone: "+250788000001", profile: { preset: profile, ...exact, ...settings }, ...more });
}

const usual = {
  seed: "1",
  starts: "2026-03-04T06:00:00.000Z",
  lasts: "6h",
  carriers: "{ mtn: { delay: 2s, reports-after: 5s } }",
  handsets: `{ clinic: ${handset("plain")} }`,
  people: `{ ada: { phone: "${persons.ada}", of: clinic }, ben: { phone: "${persons.ben}", of: clinic } }`,
};

/** Plays a scenario. Keys that it leaves out are the usual ones; each phone's link takes 100 ms one way. */
export async function play(text: string, how: { readonly receiver?: Answers } = {}): Promise<Behaviour> {
  const missing = Object.entries(usual).filter(([key]) => !new RegExp(`^${key}:`, "m").test(text));
  const whole = [
    "name: Behaviour",
    ...missing.map(([key, value]) => `${key}: ${value}`),
    text.replace(/^story: *\n/m, "story:\n  - { at: 0s, network: { of: clinic, latency: 100ms } }\n"),
  ].join("\n");
  const { scenario, diagnostics } = parseScenario(whole, { file: "behaviour.yaml", nowMs: 0 });
  if (scenario === undefined) throw new Error(`${JSON.stringify(diagnostics, null, 2)}\n${whole}`);
  const played = await playInMemory(scenario, how);
  const { events, syncs, messages, totals, phones, looks } = played;
  if (totals.ledger.texts.gap !== 0 || totals.ledger.calls.gap !== 0) {
    throw new Error(`the ledger does not close: ${JSON.stringify(totals.ledger)}`);
  }
  return {
    told: (...types) =>
      events
        .filter(({ type }) => types.length === 0 || types.includes(type))
        .map((event) => `${clock(event.atMs)} ${event.type} ${essence(event)}`),
    heard: (person = "ada") =>
      messages
        .filter(({ phone }) => phone === persons[person])
        .flatMap(({ text: body, shownAtMs }) => shownAtMs.map((atMs) => ({ atMs, body })))
        .sort((one, other) => one.atMs - other.atMs)
        .map(({ atMs, body }) => `${clock(atMs)} ${shortened(body)}`),
    syncTimes: () => syncs.filter(({ channel }) => channel === 1).map(({ atMs }) => clock(atMs)),
    events,
    syncs,
    statuses: messages.map(({ status }) => status).join(""),
    ledger: totals.ledger,
    phone: (at) => {
      const seen = at === undefined ? phones : looks.find(({ text: note }) => note === at)?.phones;
      const [view] = seen?.values() ?? [];
      if (view === undefined) throw new Error(`no phone at ${at ?? "the end"}`);
      return view;
    },
    all: played,
  };
}

function essence({ type, fields }: PlayedEvent): string {
  if (type === "alarm") return `${fields["power_level"]} % ${fields["power_status"]}`;
  const { text, duration } = fields;
  return text === undefined ? `${duration} s` : shortened(text);
}

function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 19)}…` : text;
}

/** An instant or a duration as `h:mm:ss`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (count: number): string => String(count).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
