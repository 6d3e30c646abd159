import { isEventType, type EventType, type KnownEvent, type OtherEvent } from "./event.js";
import { bodyPlan } from "./body-plan.js";
import { eventFields, namesIn, writerOf, type EventField } from "./event-fields.js";
import { encodeForm, parseForm, type FormPair } from "../text/form.js";
import { spellings, type Spelling } from "../presets/preset.js";

/** An event whose fields are absent if the body lacked them or they could not be read. */
export type PartialEvent = Partially<KnownEvent> | OtherEvent;

type Partially<E> = E extends { readonly event: infer T } ? { readonly event: T } & Partial<Omit<E, "event">> : never;

/** The decoded body of an event. */
export interface DecodedEvent {
  readonly event: PartialEvent;
  /** The spelling that reproduces most pairs of the body. `table` for types that the reference does not list. */
  readonly spelling: Spelling;
  /** All pairs, in the body's order. */
  readonly pairs: readonly DecodedPair[];
  /** Pairs that belong to no field: unknown keys, contradicting further values, unreadable values. */
  readonly extra: readonly FormPair[];
  /** Table names of the reference's fields that the event lacks. */
  readonly missing: readonly string[];
  readonly problems: readonly FieldProblem[];
}

/** One pair of a body. */
export interface DecodedPair {
  readonly key: string;
  readonly value: string;
  /** The event's property that holds this value; absent for pairs in `extra`. */
  readonly property?: string;
}

/** A value that is invalid for its field. */
export interface FieldProblem {
  /** The key in the body. */
  readonly field: string;
  readonly value: string;
  /** Completes the sentence "expected …". */
  readonly expected: string;
}

/**
 * Decodes the body of an event in any spelling. Never fails and loses no pair: `encodeDecoded` returns the same pairs
 * in the same order. A body without `event` that has the fields of a historic flow post is decoded as one
 * (docs/reference/webhook.md#flow-fields).
 */
export function decodeEvent(body: string): DecodedEvent {
  const pairs = parseForm(body);
  const values = firstValues(pairs);
  const type = values.get("event") ?? (isFlowPost(values) ? "flow" : "");
  return isEventType(type) ? decodeKnown(type, pairs, values) : decodeOther(type, pairs);
}

/** Encodes a decoded event again. A field that was changed since is written in the body's spelling. */
export function encodeDecoded(decoded: DecodedEvent): string {
  const { event, spelling, pairs } = decoded;
  if ("pairs" in event) return encodeForm(event.pairs);
  const fields = new Map(eventFields[event.event].map((field) => [field.property, field]));
  const values = firstValues(pairs.map(({ key, value }) => [key, value]));
  const get = (key: string): string | undefined => values.get(key);
  return encodeForm(
    pairs.flatMap(({ key, value, property }): FormPair[] => {
      const field = fields.get(property ?? "");
      if (field === undefined) return [[key, value]];
      const now = (event as Readonly<Record<string, unknown>>)[field.property];
      if (now === undefined) return [];
      const write = (content: unknown): string => writerOf(field, spelling)(content, event as KnownEvent);
      // An unchanged value keeps its original form, such as `04.2`, instead of the canonical one.
      return [[key, write(field.codec.read(value, get)) === write(now) ? value : write(now)]];
    }),
  );
}

function decodeOther(type: string, pairs: readonly FormPair[]): DecodedEvent {
  return {
    event: { event: type, pairs },
    spelling: "table",
    pairs: pairs.map(([key, value]) => ({ key, value })),
    extra: [],
    missing: [],
    problems: [],
  };
}

function decodeKnown(type: EventType, body: readonly FormPair[], values: ReadonlyMap<string, string>): DecodedEvent {
  const get = (key: string): string | undefined => values.get(key);
  const fields = fieldsByName(type);
  const event: Record<string, unknown> = { event: type };
  const written = new Map<string, string>();
  const problems: FieldProblem[] = [];
  const pairs = body.map(([key, value]): DecodedPair => {
    const field = fields.get(key);
    if (field === undefined) return { key, value };
    const { property, codec } = field;
    const content = codec.read(value, get);
    if (content === undefined) {
      problems.push({ field: key, value, expected: codec.expected });
      return { key, value };
    }
    const earlier = written.get(property);
    if (earlier === undefined) {
      event[property] = content;
      written.set(property, value);
    } else if (earlier !== value) {
      problems.push({ field: key, value, expected: `${earlier}, as said before` });
      return { key, value };
    }
    return { key, value, property };
  });
  const partial = event as unknown as PartialEvent;
  return {
    event: partial,
    spelling: recogniseSpelling(type, event, values),
    pairs,
    extra: pairs.filter(({ property }) => property === undefined).map(({ key, value }) => [key, value]),
    missing: eventFields[type].flatMap(({ table, property }) =>
      table !== undefined && event[property] === undefined ? [table] : [],
    ),
    problems,
  };
}

function isFlowPost(values: ReadonlyMap<string, string>): boolean {
  return values.has("flow") && values.has("step") && values.has("values");
}

/** The first value of each key. */
function firstValues(pairs: readonly FormPair[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const [key, value] of pairs) if (!values.has(key)) values.set(key, value);
  return values;
}

const fieldsByNameCache = new Map<EventType, ReadonlyMap<string, EventField>>();

/** The fields of an event type, by every name in any spelling; memoised. */
function fieldsByName(type: EventType): ReadonlyMap<string, EventField> {
  let names = fieldsByNameCache.get(type);
  if (names === undefined) {
    names = new Map(
      eventFields[type].flatMap((field) =>
        [...spellings.flatMap((spelling) => namesIn(field, spelling)), ...(field.alias ?? [])].map((key) => [
          key,
          field,
        ]),
      ),
    );
    fieldsByNameCache.set(type, names);
  }
  return names;
}

/**
 * The spelling that reproduces most pairs of a body exactly (so six fraction digits indicate `historic`). On a tie, the
 * spelling with the fewest keys that the body lacks.
 */
function recogniseSpelling(
  type: EventType,
  event: Readonly<Record<string, unknown>>,
  values: ReadonlyMap<string, string>,
): Spelling {
  let best: Spelling = "table";
  let bestSame = -1;
  let bestLacking = 0;
  for (const spelling of spellings) {
    let same = 0;
    let lacking = 0;
    const { steps } = bodyPlan(type, spelling === "sample" ? "sample-with-status" : spelling);
    for (const { key, property, write } of steps) {
      const value = values.get(key);
      const content = event[property];
      if (value === undefined) lacking++;
      else if (content !== undefined && value === write(content, event as unknown as KnownEvent)) same++;
    }
    if (same > bestSame || (same === bestSame && lacking < bestLacking)) {
      [best, bestSame, bestLacking] = [spelling, same, lacking];
    }
  }
  return best;
}
