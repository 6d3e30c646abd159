import { expect, it } from "vitest";
import { type EventFields, TraitFinder } from "../../src/report/special/traits.js";

const HOUR_MS = 3_600_000;

function event(
  fields: Readonly<Record<string, string>>,
  { channel = 1, timeMs }: Partial<EventFields> = {},
): EventFields {
  return {
    channel,
    type: "mo_sms",
    fields: new Map(Object.entries({ phone: "+250788000001", text: "hello", ...fields })),
    timeMs,
    copy: undefined,
    missingSent: undefined,
  };
}

/** The traits of an event after one of channel 1 at 100 h. */
function traitsAfterOne(one: EventFields): string[] {
  const finder = new TraitFinder();
  finder.remember(event({}, { timeMs: 100 * HOUR_MS }));
  return finder.traitsOf(one).map(({ text }) => text);
}

it.each<[what: string, event: EventFields, traits: string[]]>([
  ["nothing", event({ text: "hi" }), []],
  ["a repeated text", event({}), ["repeats the last text of its person"]],
  [
    "a new phone and person",
    event({ phone: "+250788000002" }, { channel: 2 }),
    ["is the first about its person", "is the first of its phone"],
  ],
  ["a name", event({ phone: "Airtel" }), ["has a phone that is no number", "is the first about its person"]],
  [
    "a time before the last",
    event({ text: "hi" }, { timeMs: 98 * HOUR_MS }),
    ["has a time 2 h before an earlier event of its phone"],
  ],
  ["a time just before the last", event({ text: "hi" }, { timeMs: 99.95 * HOUR_MS }), []],
  ["a time far ahead", event({ text: "hi" }, { timeMs: 150 * HOUR_MS }), ["has a time 2 d 2 h after all before"]],
  ["a time a day ahead", event({ text: "hi" }, { timeMs: 124 * HOUR_MS }), []],
])("an event with %s", (_, one, traits) => {
  expect(traitsAfterOne(one)).toEqual(traits);
});

it("the first event has no time that is out of order", () => {
  const texts = new TraitFinder().traitsOf(event({}, { timeMs: 5 * HOUR_MS })).map(({ text }) => text);
  expect(texts).toEqual(["is the first about its person", "is the first of its phone"]);
});
