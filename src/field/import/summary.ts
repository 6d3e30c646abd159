import { decodeEvent, type Spelling } from "../../wire/index.js";
import { factsOf } from "../event-facts.js";
import type { FieldEvent } from "../field-event.js";
import type { FieldLogTotals } from "../log/field-log.js";

/** A handset of a field log. */
export interface FieldHandset {
  /** As events name it: the channel's id, else its UUID or number; empty: they name none. */
  readonly key: string;
  /** Name in recordings: `relayer-31/0`, as `handset events` prints it. */
  readonly name: string;
  /** Its group in a scenario: `relayer-31`. */
  readonly group: string;
  /** Undefined: no event has it. */
  readonly phone: string | undefined;
  readonly events: number;
}

/** What a field log has. */
export interface FieldSummary extends FieldLogTotals {
  /** Spelling of most events; undefined: there is no event. */
  readonly spelling: Spelling | undefined;
  readonly byType: ReadonlyMap<string, number>;
  /** By channel id; those without one after them. */
  readonly handsets: readonly FieldHandset[];
  readonly people: number;
  /** Milliseconds since 1970; undefined: there is no event. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** Events with an answer of the receiver, by status; those without one under its error or `no answer`. */
  readonly answers: ReadonlyMap<string, number>;
  /** How many events the receiver's answer is known of. */
  readonly answered: number;
}

/** Events whose spelling is recognised: recognising it takes ten times as long as reading the event. */
const SPELLED = 200;

/** Counts the events of a log, in any order. */
export class FieldCounts {
  readonly #byType = new Map<string, number>();
  readonly #handsets = new Map<string, { phone: string | undefined; events: number }>();
  readonly #people = new Set<string>();
  readonly #spellings = new Map<Spelling, number>();
  readonly #answers = new Map<string, number>();
  #fromMs: number | undefined;
  #toMs: number | undefined;
  #answered = 0;
  #count = 0;

  /** Events that were counted. */
  get count(): number {
    return this.#count;
  }

  add({ body, atMs, answer }: FieldEvent): void {
    if (this.#fromMs === undefined || atMs < this.#fromMs) this.#fromMs = atMs;
    if (this.#toMs === undefined || atMs > this.#toMs) this.#toMs = atMs;
    const { type, handset = "", handsetPhone, phone } = factsOf(body);
    add(this.#byType, type);
    if (this.#count++ < SPELLED) add(this.#spellings, decodeEvent(body).spelling);
    const known = this.#handsets.get(handset);
    if (known === undefined) this.#handsets.set(handset, { phone: handsetPhone, events: 1 });
    else {
      known.events++;
      known.phone ??= handsetPhone;
    }
    if (phone !== undefined) this.#people.add(phone);
    if (answer === undefined) return;
    this.#answered++;
    add(this.#answers, answer.status === undefined ? (answer.error ?? "no answer") : String(answer.status));
  }

  /** @param handsetOf - the handset as the events of the import name it */
  summary(
    totals: FieldLogTotals,
    handsetOf: (handset: NamedHandset) => NamedHandset = (handset) => handset,
  ): FieldSummary {
    const handsets = Array.from(this.#handsets, ([key, { phone, events }]) => ({
      ...handsetOf({ key, phone }),
      events,
    }));
    return {
      ...totals,
      byType: this.#byType,
      handsets: namedHandsets(handsets),
      people: this.#people.size,
      spelling: [...this.#spellings].toSorted(([, a], [, b]) => b - a)[0]?.[0],
      fromMs: this.#fromMs,
      toMs: this.#toMs,
      answers: this.#answers,
      answered: this.#answered,
    };
  }
}

/** A handset as events name it. */
export type NamedHandset = Pick<FieldHandset, "key" | "phone">;

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function namedHandsets(found: readonly Pick<FieldHandset, "key" | "phone" | "events">[]): FieldHandset[] {
  const numbered = (key: string): number => (/^\d{1,15}$/.test(key) ? Number(key) : Infinity);
  const sorted = found.toSorted(({ key: a }, { key: b }) => {
    const [one, other] = [numbered(a), numbered(b)];
    return one === other ? (a < b ? -1 : 1) : one - other;
  });
  let unnamed = 0;
  return sorted.map(({ key, phone, events }) => {
    const group = Number.isFinite(numbered(key)) ? `relayer-${Number(key)}` : `handset-${++unnamed}`;
    return { key, group, name: `${group}/0`, phone, events };
  });
}
