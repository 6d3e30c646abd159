import { get as getPlain } from "node:http";
import { get as getTls } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { performance } from "node:perf_hooks";
import { LabError } from "../../base/index.js";
import { parseTimestamp } from "../../wire/index.js";
import { requireTime } from "./client.js";

/** A leaf of a record: where it is, and its value. */
export type Leaves = ReadonlyMap<string, string | number | boolean | null>;

/** What the application keeps about somebody or something: an object of its effects. */
export interface EffectRecord {
  /** Where it is, with `*` for the place in a list and for keys that carry a marker. */
  readonly place: string;
  readonly leaves: Leaves;
}

/** The effects at one moment. */
export type Effects = unknown;

/** How long an application may take until an event shows in its effects: wall milliseconds. */
const SETTLE_MOST_MS = 3000;
/** Least time that effects must stay equal to count as settled. */
const QUIET_MS = 15;
const POLL_MS = 10;

/** Where effects are read. */
export interface EffectsSource {
  /** For messages. */
  readonly name: string;
  /** Whether a change is under way. */
  readonly isBusy: boolean;
  /** Why it has shown no effect so far; undefined: it has, or it cannot tell. */
  readonly silence: string | undefined;
  /** JSON. @throws LabError `bad-options` when there is none */
  read(): Promise<string>;
}

const pageHint = '--effects "GET URL" names an address that shows what the application has kept, as JSON';

/** A page of the receiver that shows its effects. */
export class EffectsPage implements EffectsSource {
  readonly name: string;
  readonly isBusy = false;
  readonly silence = undefined;

  constructor(url: string) {
    this.name = url;
  }

  async read(): Promise<string> {
    const { status, body } = await getText(this.name).catch((error: unknown) => {
      throw new LabError("bad-options", `${this.name} does not answer`, { hint: pageHint, cause: error });
    });
    if (status !== 200) throw new LabError("bad-options", `${this.name} answers with ${status}`, { hint: pageHint });
    return body;
  }
}

/** Reads the effects of a receiver. */
export class EffectsReader {
  readonly #source: EffectsSource;
  readonly #untilMs: number;
  /** The longest time that an event took to show. */
  #settleMs = 0;
  #lastText: string | undefined;
  #last: Effects;

  /** @param untilMs - time limit of the audit, by `performance.now()` */
  constructor(source: EffectsSource, untilMs = Infinity) {
    this.#source = source;
    this.#untilMs = untilMs;
  }

  /** @throws LabError `bad-options` when no JSON is there */
  async read(): Promise<Effects> {
    const text = await this.#source.read();
    // Equal texts give the same object, so that effects can be compared by identity.
    if (text === this.#lastText) return this.#last;
    try {
      this.#last = JSON.parse(text) as unknown;
      this.#lastText = text;
      return this.#last;
    } catch (error) {
      throw new LabError("bad-options", `${this.#source.name} shows no JSON`, { hint: pageHint, cause: error });
    }
  }

  /**
   * The effects, when a condition holds; else as they are after the longest time that an event may take. An application
   * that queues events shows them late.
   */
  async readWhen(holds: (effects: Effects) => boolean): Promise<Effects> {
    const begin = performance.now();
    for (let reads = 1; ; reads++) {
      const effects = await this.read();
      const waitedMs = performance.now() - begin;
      requireTime(this.#untilMs);
      if (holds(effects)) {
        // The first read shows it: the application acts before it answers.
        if (reads > 1) this.#settleMs = Math.max(this.#settleMs, waitedMs);
        return effects;
      }
      if (waitedMs > Math.min(SETTLE_MOST_MS, Math.max(1000, 10 * this.#settleMs))) return effects;
      await sleep(POLL_MS);
    }
  }

  /**
   * The effects when they no longer change.
   *
   * @param partOf - the part that must not change, as a text; default: all, which other trials change as well
   */
  async readSettled(partOf?: (effects: Effects) => string): Promise<Effects> {
    const quietMs = Math.min(SETTLE_MOST_MS, Math.max(QUIET_MS, 3 * this.#settleMs));
    let before = await this.read();
    for (let tries = 0; ; tries++) {
      await sleep(quietMs);
      requireTime(this.#untilMs);
      const effects = await this.read();
      const isSame = effects === before || (partOf !== undefined && partOf(effects) === partOf(before));
      if ((isSame && !this.#source.isBusy) || tries > 5) return effects;
      before = effects;
    }
  }

  /** The records that carry some markers, when they no longer change. */
  async settledRecords(markers: readonly string[]): Promise<EffectRecord[]> {
    return recordsOf(await this.readSettled((effects) => recordsText(effects, markers)), markers);
  }
}

/** The records that carry some markers, as a text that is equal for equal records. */
export function recordsText(effects: Effects, markers: readonly string[]): string {
  return JSON.stringify(recordsOf(effects, markers).map(({ leaves }) => [...leaves]));
}

/** Reads a page. `fetch` takes twice the time for large ones. */
function getText(url: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith("https:") ? getTls : getPlain;
    const request = get(url, { timeout: 10_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") });
      });
    });
    request.on("timeout", () => request.destroy(new Error("no answer within 10 s")));
    request.on("error", reject);
  });
}

/** Whether a value names somebody: a phone number with or without its plus sign, or an id. */
export function markerOf(phone: string): string {
  return phone.replace(/^\+/, "");
}

/** The records that carry one of some markers, as a value or as their key. */
export function recordsOf(effects: Effects, markers: readonly string[]): EffectRecord[] {
  const found: EffectRecord[] = [];
  const carries = (value: unknown): boolean =>
    (typeof value === "string" || typeof value === "number") &&
    markers.some((marker) => String(value).includes(marker));
  const visit = (value: unknown, place: string): void => {
    if (Array.isArray(value)) {
      for (const element of value) {
        if (isTuple(element) && element.filter(carries).length === 1) {
          found.push({ place: `${place}[*]`, leaves: leavesOf(element) });
          continue;
        }
        if (typeof element !== "object" && carries(element)) {
          found.push({ place: `${place}[*]`, leaves: new Map([["", element as string | number]]) });
        } else visit(element, `${place}[*]`);
      }
      return;
    }
    if (typeof value !== "object" || value === null) return;
    const entries = Object.entries(value);
    if (entries.some(([, child]) => carries(child))) {
      found.push({ place, leaves: leavesOf(value) });
      return;
    }
    for (const [key, child] of entries) {
      if (!carries(key)) visit(child, `${place}.${key}`);
      else if (typeof child === "object" && child !== null) {
        found.push({ place: `${place}.*`, leaves: leavesOf(child) });
      } else found.push({ place: `${place}.*`, leaves: new Map([["", child as string | number | boolean | null]]) });
    }
  };
  visit(effects, "");
  return found;
}

/** Whether an element of a list is a row of few plain values, such as a key and its state. */
function isTuple(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.length < 9 &&
    value.every((part) => typeof part !== "object" || part === null)
  );
}

/** All leaves of a value, by their places. */
export function leavesOf(value: unknown): Leaves {
  const leaves = new Map<string, string | number | boolean | null>();
  const visit = (child: unknown, place: string): void => {
    if (typeof child === "object" && child !== null) {
      for (const [key, grandchild] of Object.entries(child)) visit(grandchild, `${place}.${key}`);
    } else leaves.set(place, child as string | number | boolean | null);
  };
  visit(value, "");
  return leaves;
}

/** Whether a leaf has a text, alone or as a part of it. */
export function hasText(records: readonly EffectRecord[], text: string): boolean {
  return records.some(({ leaves }) => [...leaves.values()].some((value) => value === text));
}

/** The instant that a leaf may be, in milliseconds since 1970; undefined: it is none. */
export function instantOf(value: string | number | boolean | null): number | undefined {
  if (typeof value === "number") {
    if (value > 1e8 && value < 1e10) return value * 1000;
    return value > 1e11 && value < 1e13 ? value : undefined;
  }
  if (typeof value !== "string") return undefined;
  const spaced = value.replace(/^(\d{4}-\d\d-\d\d) /, "$1T");
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(spaced)) return undefined;
  const ms = parseTimestamp(spaced) ?? Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(spaced) ? spaced : `${spaced}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Names of counts that a right application raises for a copy as well. */
export const countsRequests =
  /attempt|deliveries|retr(?:y|ies)|dup|copies|copy|request|hits|tries|seen|received|posts|again|ignored|skipped|version|revision|updated/i;

/** What a copy of an event has done to the effects, compared with what the event itself did. */
export function doubledBy(
  [before, after, again]: readonly [Effects, Effects, Effects],
  markers: readonly string[],
): string | undefined {
  const [r0, r1, r2] = [before, after, again].map((effects) => recordsOf(effects, markers)) as [
    EffectRecord[],
    EffectRecord[],
    EffectRecord[],
  ];
  if (r1.length === 0) return doubledCount(leavesOf(before), leavesOf(after), leavesOf(again));
  const places = new Set(r2.map(({ place }) => place));
  for (const place of places) {
    const [c0, c1, c2] = [r0, r1, r2].map((records) => records.filter((one) => one.place === place)) as [
      EffectRecord[],
      EffectRecord[],
      EffectRecord[],
    ];
    if (c1.length > c0.length && c2.length > c1.length && looksAlike(c2)) {
      // An alarm is found by its phone, which other events have as well.
      const of = c1.length === 1 ? "of it" : "with its number";
      return `${placeWords(place)} has ${c2.length} records ${of}, and had ${c1.length} before the copy`;
    }
    if (c1.length === 1 && c2.length === 1 && c0.length <= 1) {
      const counted = doubledCount(c0[0]?.leaves ?? new Map(), c1[0]?.leaves ?? new Map(), c2[0]?.leaves ?? new Map());
      if (counted !== undefined) return `${place.replace(/^\./, "")}${counted}`;
    }
  }
  return undefined;
}

/** A place as a finding names it. */
export function placeWords(place: string): string {
  return place === "[*]" ? "the list" : place.replace(/^\./, "");
}

/** Whether the last record has the same words as the one before: a log of copies would mark it. */
export function looksAlike(records: readonly EffectRecord[]): boolean {
  const words = ({ leaves }: EffectRecord): string =>
    JSON.stringify(
      [...leaves].filter(
        ([place, value]) =>
          typeof value === "boolean" ||
          (typeof value === "string" && instantOf(value) === undefined && !/id$/i.test(place)),
      ),
    );
  const seen = new Set<string>();
  for (const record of records) {
    const key = words(record);
    if (/dup|copy|again|ignored|retry/i.test(key)) continue;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

/** A number, or the length of a list, that grew by the same for the copy as for the event. */
function doubledCount(before: Leaves, after: Leaves, again: Leaves): string | undefined {
  for (const [place, value] of again) {
    if (typeof value !== "number" || countsRequests.test(place)) continue;
    const [v0, v1] = [before.get(place) ?? 0, after.get(place) ?? 0];
    if (typeof v0 !== "number" || typeof v1 !== "number") continue;
    const step = v1 - v0;
    if (step > 0 && value - v1 === step && step < 1_000_000)
      return `${place} went from ${v1} to ${value} with the copy`;
  }
  return undefined;
}

/** Whether records have more than before: further ones, further values, or a larger count. */
export function isMore(before: readonly EffectRecord[], after: readonly EffectRecord[]): boolean {
  const valuesIn = (records: readonly EffectRecord[]): number =>
    records.reduce((sum, { leaves }) => sum + leaves.size, 0);
  if (after.length > before.length || valuesIn(after) > valuesIn(before)) return true;
  return after.some(({ place, leaves }, index) => {
    const earlier = before[index];
    if (earlier?.place !== place) return false;
    return [...leaves].some(([leaf, value]) => {
      const was = earlier.leaves.get(leaf);
      return typeof value === "number" && typeof was === "number" && value === was + 1 && !countsRequests.test(leaf);
    });
  });
}
