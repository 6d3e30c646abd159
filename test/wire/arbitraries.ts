import fc from "fast-check";
import { flowValues, text, time, whole, zonedTime } from "../../src/wire/events/field-codecs.js";
import type { EventField } from "../../src/wire/events/event-fields.js";
import { eventFields, eventTypes, type EventType, type FormPair, type KnownEvent } from "../../src/wire/index.js";

/** Any UTF-16 units: controls, every script, emoji, halves of surrogate pairs. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", "💧", "\ud83d", "\udca7x", "a b+c%26&=:~*'()!"),
);

export const anyPairs: fc.Arbitrary<FormPair[]> = fc.array(fc.tuple(anyText, anyText));

/** Whole milliseconds between 2000 and 2100. */
const instant = fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 });
const flowValue = fc.record(
  {
    label: anyText,
    category: anyText,
    value: anyText,
    text: anyText,
    time: instant,
    node: anyText,
    ruleValue: anyText,
  },
  { requiredKeys: ["label", "category", "value", "text", "time"] },
);

/** Values of a field, by its codec. A codec that lists its words needs no entry. */
const contents = new Map<unknown, fc.Arbitrary<unknown>>([
  [text, anyText],
  [whole, fc.maxSafeInteger()],
  [time, instant],
  [zonedTime, instant],
  [flowValues, fc.array(flowValue, { maxLength: 4 })],
]);

/** Fields that hold less than their codec can carry: a language is a key of a historic flow's JSON. */
const narrower = new Map<string, fc.Arbitrary<unknown>>([
  ["flowBaseLanguage", fc.oneof(fc.constantFrom("base", "eng"), fc.string())],
]);

function contentOf({ property, codec }: EventField): fc.Arbitrary<unknown> {
  const content =
    narrower.get(property) ?? (codec.words === undefined ? contents.get(codec) : fc.constantFrom(...codec.words));
  if (content === undefined) throw new Error(`${property}: no arbitrary for its codec (${codec.expected})`);
  return content;
}

/** Any event of a type. Fields that the reference's tables lack may be absent, unless `isWhole` asks for all. */
export function anyEventOf(type: EventType, { isWhole = false } = {}): fc.Arbitrary<KnownEvent> {
  const fields = eventFields[type];
  const shape = Object.fromEntries(fields.map((field) => [field.property, contentOf(field)]));
  const required = fields.filter(({ table }) => isWhole || table !== undefined);
  return fc.record(shape, {
    requiredKeys: required.map(({ property }) => property),
  }) as unknown as fc.Arbitrary<KnownEvent>;
}

export const anyEvent: fc.Arbitrary<KnownEvent> = fc.oneof(...eventTypes.map((type) => anyEventOf(type)));
