import fc from "fast-check";
import { verbs } from "../../src/scenario/verbs/index.js";
import { faults, profiles } from "../../src/world/index.js";
import { troubleNames } from "../../src/wire/index.js";

const minutes = fc.integer({ min: 0, max: 40 }).map((count) => `${count}m`);
const seconds = fc.integer({ min: 0, max: 400 }).map((count) => `${count}s`);
const replyLists = fc.constant([
  { to: "/well/", with: "20..60", after: "5s..1m" },
  { chance: "30%", with: ["yes", "no"] },
]);
const milliseconds = fc.integer({ min: 0, max: 3000 }).map((count) => `${count}ms`);
const duration = fc.oneof(minutes, seconds, milliseconds);
const minutesRange = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 20 }))
  .map(([from, more]) => `${from}m..${from + more}m`);
const longer = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((count) => `${count}m`),
  minutesRange,
  fc.constant({ exp: "10m" }),
);
const range = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 300 }))
  .map(([from, more]) => `${from}s..${from + more}s`);
const share = fc.constantFrom("0%", "5%", "30%", "100%");

const selectors = ["clinic", "clinic/0", "clinic/1..2", "50% of clinic", "50% of all each time", "lone", "all"];
const of = fc.constantFrom<string | string[]>(
  ...selectors,
  ["lone", "clinic/1..2"],
  ["34% of clinic each time", "lone"],
);
const ofOneGroup = fc.constantFrom(
  "clinic",
  "clinic/0",
  "clinic/1..2",
  "50% of clinic",
  "34% of clinic each time",
  "lone",
);
const groupsOfPeople = ["farmers", "farmers/0", "farmers/2..4", "40% of farmers", "40% of farmers each time", "short"];
const who = fc.constantFrom<string | string[]>(...groupsOfPeople, ["short", "farmers/1..3"]);
const body = fc.constantFrom("join", "maize 12kg", "é".repeat(90), "x".repeat(400));

/** An object in which each key is optional. */
function some<T extends Record<string, fc.Arbitrary<unknown>>>(keys: T): fc.Arbitrary<object> {
  return fc.record(keys, { requiredKeys: [] });
}

function step(verb: string, needed: Record<string, fc.Arbitrary<unknown>>, more = {}): fc.Arbitrary<object> {
  return fc.tuple(fc.record(needed), some(more)).map(([must, may]) => ({ [verb]: { ...must, ...may } }));
}

const condition = { for: longer };
/** A duration that does not vary. */
const plainSpan = fc.integer({ min: 1, max: 40 }).map((count) => `${count}m`);
const serviceFault = { for: plainSpan };
const steps: readonly fc.Arbitrary<object>[] = [
  step("text", { from: who, to: of, body }),
  step("call", { from: who, to: of }, { talks: duration }),
  step("call", { from: of, to: who }, { rings: duration }),
  step("call", { from: who, to: of, ends: fc.constantFrom("rejected", "voicemail", "blocked") }, { rings: duration }),
  step("call", { from: fc.constant("hidden"), to: of }, { talks: duration }),
  step("text", { from: fc.constant("hidden"), to: of, body }),
  step("credit", { of, adds: fc.integer({ min: 0, max: 20 }) }),
  step("credit", { of, units: fc.integer({ min: 0, max: 5 }) }),
  step("credit", { of, adds: fc.integer({ min: 0, max: 20 }), slot: fc.constantFrom(1, 2) }),
  step(
    "sim",
    {
      of: ofOneGroup,
      phone: fc.constantFrom("+2507887{0000}", "+2507887{0001}", "+2507880{00000}", "+2507880{00001}"),
    },
    { slot: fc.constantFrom(1, 2), credit: fc.integer({ min: 0, max: 20 }), "sends-with": fc.constantFrom(1, 2) },
  ),
  step("sim", { of, state: fc.constantFrom("none", "ok") }, { ...condition, slot: fc.constantFrom(1, 2) }),
  step("sim", { of, "sends-with": fc.constantFrom(1, 2) }),
  step("call-log", { of, state: fc.constantFrom("read", "cleared") }),
  step("send", { via: of, to: who, body }),
  step("power", { of, mains: fc.constantFrom("on", "off", "usb", "wireless") }, condition),
  step("battery", { of, level: fc.constantFrom("0%", "1%", "9%", "100%", "0%..30%") }),
  step("solar", { of, "per-hour": fc.constantFrom("40%", "10%..60%") }, { ...condition, clouds: share }),
  step("solar", { of, watts: fc.constantFrom(2.5, 20) }, condition),
  step("solar", { of, clouds: fc.constantFrom("90%", "0%..100%") }, condition),
  step("solar", { of, state: fc.constant("off") }, condition),
  step("battery", { of, reports: fc.constantFrom("ok", "unknown", "none") }, condition),
  step(
    "network",
    { of, type: fc.constantFrom("none", "GPRS", "LTE", "WIFI", "HSPA+", "BLUETOOTH") },
    { ...condition, latency: fc.oneof(seconds, range), loses: share },
  ),
  step(
    "network",
    { of, portal: fc.boolean() },
    { ...condition, second: fc.constantFrom("none", "GPRS", "WIFI"), type: fc.constantFrom("none", "LTE") },
  ),
  step("network", { of, latency: fc.oneof(seconds, range) }, condition),
  step("coverage", { of, state: fc.constantFrom("none", "ok") }, condition),
  step(
    "sms-service",
    {
      of,
      state: fc.constantFrom("ok", "no-service", "radio-off", "generic-failure", "limit", "silent", "swallows"),
    },
    condition,
  ),
  step("sms-service", { of, fails: fc.record({ LTE: share, GPRS: share }) }, condition),
  step("sms-service", { of, fails: share }, { ...condition, with: fc.constantFrom("no-service", "limit") }),
  step("sync", {
    of,
    loses: fc.constantFrom("request", "response"),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  step("sync", { of, now: fc.constant(true) }),
  step(
    "service",
    { of },
    {
      ...serviceFault,
      "fails-after": fc.integer({ min: 0, max: 3 }),
      poison: fc.constantFrom("join", "/maize|hello/"),
      doubles: fc.constant(true),
      "offers-incoming": fc.constant(true),
    },
  ).filter((one) => Object.keys(Object.values(one)[0] as object).some((key) => key !== "of" && key !== "for")),
  step("service", { of, "poisons-next": fc.constant(true) }, serviceFault),
  step("service", { of, withholds: fc.constant(true) }, serviceFault),
  step("service", { of, "offers-to": of }, serviceFault),
  step("service", { of, state: fc.constant("ok") }),
  step(
    "delivery",
    {},
    {
      of,
      types: fc.constantFrom(["mo_sms"], ["mt_sent", "mt_dlvd"], ["mo_miss", "alarm"]),
      person: fc.constantFrom("farmers", "farmers/1", "+250788123456"),
      "answers-lost": fc.oneof(share, fc.boolean()),
      "requests-lost": fc.oneof(share, fc.boolean()),
      refused: share,
      delay: range,
      "overtaken-by": fc.constantFrom(1, 3, "1..5"),
      copies: fc.constantFrom(2, "2..4"),
      cut: fc.constantFrom("headers", "body", "answer"),
      slow: fc.constantFrom("20kB/s", "1000000B/s"),
      for: plainSpan,
    },
  ).filter((one) => troubleNames.some((kind) => kind in (Object.values(one)[0] as object))),
  step("delivery", {
    of: fc.constantFrom("clinic/1", "lone"),
    copies: fc.constant(2),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  step("delivery", { of, state: fc.constant("ok") }),
  step("carrier", { of, loses: fc.constantFrom("texts", "messages"), times: fc.integer({ min: 1, max: 4 }) }),
  step("carrier", { of, duplicates: fc.constantFrom("texts", "messages"), times: fc.integer({ min: 1, max: 4 }) }),
  step(
    "carrier",
    { of: fc.constant("net"), delay: range },
    {
      ...condition,
      loses: share,
      duplicates: share,
      "reports-delivery": share,
      expires: fc.oneof(plainSpan, fc.constant("never")),
      carries: fc.constantFrom("10/m", "1/s", "unlimited"),
      "long-texts": fc.constantFrom("whole", "parts", "shuffled"),
      "parts-order": fc.constantFrom("as-sent", "any", "reversed"),
    },
  ),
  step("mast", { of }, { down: fc.oneof(longer, range) }),
  step("mast", { of, state: fc.constant("up") }),
  step("unreachable", { person: who }, { ...condition, state: fc.constantFrom("on", "off") }),
  step("clock", { of, skew: fc.constantFrom("0s", "-12m", "20m", "-3s", "-20516d", "-5m..5m") }, condition),
  step("power-cut", { of }, { ...condition, state: fc.constantFrom("on", "off") }),
  step("airplane", { of }, { ...condition, state: fc.constantFrom("on", "off") }),
  step("pause", { of }, { ...condition, state: fc.constantFrom("on", "off") }),
  step("reboot", { of }, { down: duration }),
  step("kill", { of }, condition),
  step("crash", { of }, { down: duration }),
  step("upgrade", { of }, { down: duration }),
  step("open", { of }),
  step("doze", { of }, { ...condition, state: fc.constantFrom("on", "off") }),
  step("permission", { of, lost: fc.constantFrom("sms", "calls") }, condition),
  step("permission", { of, granted: fc.constantFrom("sms", "calls") }, condition),
  step("reset", { of }, { down: duration }),
  step("reset", { of, releases: fc.constant(true) }, { down: duration, "claimed-again": range }),
  step("register", { of }, { "claimed-again": fc.oneof(longer, range) }),
  step("release", { of }, { "claimed-again": fc.oneof(longer, range) }),
  step("claim", { of, org: fc.integer({ min: 1, max: 3 }) }),
  step("claim", { of }, { phone: fc.constantFrom("none", "+250788000001", "+250788999999") }),
  step(
    "flow",
    { of, person: who, flow: fc.constant(12), name: fc.constant("Harvest") },
    { values: fc.constant([{ label: "crop", text: "maize" }]) },
  ),
  step("event", { of, type: fc.constantFrom("mo_mms", "mo_sms", "alarm") }, { fields: fc.constant({ phone: "+1" }) }),
  step("traffic", { of: fc.constantFrom("texts", "all"), times: fc.constantFrom("3x", "0.5x") }, condition),
  step("traffic", { of: fc.constantFrom("calls", "all"), state: fc.constantFrom("paused", "running") }, condition),
  step("receiver", { answers: fc.constantFrom("ok", 500, 404, "hang", "close", "reply") }, condition),
];

/** Verbs that do nothing to a phone, a person or the receiver. */
const idleVerbs = ["beat", "check", "expect", "note"];

/** Verbs that no random story uses. A new verb must be added to `steps` or `idleVerbs`. */
export function verbsLeftOut(): string[] {
  const used = new Set(steps.flatMap((one) => fc.sample(one, 1).flatMap((sample) => Object.keys(sample))));
  return Object.values(verbs)
    .map(({ name }) => name)
    .filter((name) => !used.has(name) && !idleVerbs.includes(name));
}

const profile = fc
  .tuple(
    fc.constantFrom(...Object.keys(profiles)),
    some({
      "sync-timeout": fc.constantFrom("5s", "30s", "2m"),
      "poll-every": fc.constantFrom("1m", "10m"),
      "repeats-sync": fc.boolean(),
      "flips-network": fc.boolean(),
      "prefers-network": fc.constantFrom("none", "wifi", "data"),
      "prefer-wait": fc.constantFrom("0s", "30s", "5m"),
      "reads-offline": fc.boolean(),
      "toggles-airplane": fc.boolean(),
      "doze-every": fc.constantFrom("1m", "1h"),
      "call-waiting": fc.boolean(),
      batch: fc.constantFrom(1, 3, 50),
      "quiet-from": fc.constantFrom(1, 5),
      "push-loses": share,
      "retry-waits": fc.constant(["1m", "1m", "2m"]),
      "history-rows": fc.constantFrom(0, 2),
      "early-sent-after": fc.constantFrom("1s", "1m"),
      "sent-after": range,
      "drain-per-hour": fc.constantFrom("2%", "60%"),
    }),
  )
  .map(([preset, changes]) => ({ preset, ...changes }));

const handset = fc
  .tuple(
    fc.record({
      profile,
      mains: fc.constantFrom("on", "off", "usb", ["on", "off", "usb"]),
      battery: fc.constantFrom("100%", "3%..40%"),
    }),
    some({
      faults: fc.subarray(Object.keys(faults)),
      packs: fc.integer({ min: 1, max: 3 }),
      network: fc.constantFrom("none", "GPRS", "LTE", { weighted: { none: 1, LTE: 3 } }),
      credit: fc.integer({ min: 0, max: 10 }),
      "second-network": fc.constantFrom("WIFI", "EDGE"),
      sends: fc.boolean(),
      "sms-fails": fc.constantFrom("5%", { LTE: "10%", none: "50%" }),
      clock: fc.constantFrom("-20m..20m", "3s"),
      solar: fc.constantFrom({ watts: 5 }, { "per-hour": "20%..60%", clouds: "0%..100%" }),
      "picks-up": share,
    }),
  )
  .map(([must, may]) => ({ ...must, ...may }));

const carrier = some({
  delay: fc.oneof(range, fc.constant("0s")),
  loses: share,
  duplicates: share,
  refuses: share,
  "reports-early": share,
  "reports-parts": fc.boolean(),
  "reports-delivery": share,
  "reports-after": range,
  expires: plainSpan,
  carries: fc.constantFrom("10/m", "1/s"),
  "long-texts": fc.constantFrom("whole", "parts", "shuffled"),
  "parts-order": fc.constantFrom("as-sent", "any", "reversed"),
});

const service = fc
  .tuple(
    fc.constantFrom("documented", "rapidpro-2016"),
    some({
      attempts: fc.integer({ min: 1, max: 4 }),
      "reply-to-sender": fc.boolean(),
      "clock-window": plainSpan,
      deduplicates: fc.boolean(),
      "deduplicates-calls": fc.boolean(),
      "mt-fail": fc.boolean(),
      "retries-flows": fc.boolean(),
      "keeps-delivered": fc.boolean(),
      "acks-unknown": fc.boolean(),
      "atomic-sync": fc.boolean(),
      "text-max": fc.constantFrom(0, 1, 100),
      "wakes-silent": fc.boolean(),
      "alarm-battery-ends": fc.constantFrom("charging", "level"),
      "number-in-use": fc.constantFrom("accepted", "refused"),
    }),
  )
  .map(([preset, changes]) => ({ preset, ...changes }));

/** A handset group with a second SIM if it has the key `sends`. */
function withSecond(given: object, phone: string): object {
  const { sends, ...group } = given as { readonly sends?: boolean };
  return sends === undefined ? group : { ...group, "second-sim": { phone, sends, credit: 50 } };
}

const rate = fc.constantFrom("3/h", "1/m", "4/m");

const conditionOfStep = fc.constantFrom<object>(
  { event: "mo_sms", of: ["lone", "clinic/1"] },
  { event: "alarm" },
  { hears: "/well|come/", person: "farmers" },
  { queue: "> 2", of: "all" },
  { battery: "< 20%", of: "clinic" },
  { broadcast: "storm" },
);

/** When a step happens. What recurs or varies begins in the first 40 minutes. */
const time: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ after: duration }) },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.oneof(minutes, fc.constantFrom("1m..20m", "06:00")),
      every: fc.constantFrom("7m", "20m", "1h"),
      times: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ at: minutesRange, every: fc.constant("30m"), until: fc.constant("6h") }) },
  {
    // The start is 05:30 on a Wednesday.
    weight: 1,
    arbitrary: fc.record({
      at: fc.constantFrom("06:00", "wed 05:40", "wednesday 05:45..06:05"),
      every: fc.constantFrom("wednesday", "mon..fri", ["wed", "thu"]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.record({ when: conditionOfStep, at: minutes }), some({ within: plainSpan }))
      .map(([must, may]) => ({ ...must, ...may })),
  },
);

/** Verbs that act on nobody: they have one moment, so they do not count from a step whose moments vary. */
const sharedVerbs = ["receiver", "traffic", "carrier"];

/** The steps at their times. */
function storyOf(story: readonly (readonly [object, object])[]): object[] {
  return story.map(([when, what]) => {
    const isShared = sharedVerbs.some((verb) => verb in what);
    return { ...(isShared && "after" in when ? { at: when.after } : when), ...what };
  });
}

/** A random scenario with four phones and nine people, as JSON, which is valid YAML. */
export const randomScenario: fc.Arbitrary<object> = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    service,
    carrier,
    clinic: handset,
    lone: handset,
    replies: fc.option(
      fc.oneof(
        replyLists,
        fc.record({ chance: fc.constantFrom("5%", "40%"), after: range, with: fc.constant(["yes", "no"]) }),
      ),
    ),
    rates: fc.tuple(rate, rate, rate),
    story: fc.array(fc.tuple(time, fc.oneof(...steps)), { maxLength: 25 }),
    endsAfter: fc.integer({ min: 1, max: 120 }),
  })
  .map(({ seed, service: settings, carrier: network, clinic, lone, replies, rates, story, endsAfter }) => {
    const [texts, calls, sends] = rates;
    const until = `${Math.min(endsAfter, 30)}m`;
    const repliesOf = replies === null ? {} : { replies };
    return {
      name: "random",
      seed,
      lasts: `${story.length * 40 + endsAfter}m`,
      starts: "2026-03-04T05:30:00.000Z",
      place: { lat: -1.95, lon: 30.06 },
      service: settings,
      carriers: { net: network },
      handsets: {
        clinic: { count: 3, phone: "+2507880{00000}", ...withSecond(clinic, "+2507886{0000}") },
        lone: { phone: "+250788900000", ...withSecond(lone, "+250788610000") },
      },
      people: {
        farmers: { count: 6, of: "clinic", phone: "+2507811{00000}", "picks-up": "50%", ...repliesOf },
        short: { sender: "MTN", of: "lone", ...repliesOf },
        hidden: { count: 2, phone: "withheld", of: "clinic" },
      },
      traffic: [
        { name: "texts", texts: { from: "farmers", to: "clinic", body: "hello" }, rate: texts, until },
        { name: "calls", calls: { from: "farmers", to: "clinic" }, rate: calls, until },
        { name: "sends", sends: { via: "clinic", to: "farmers", body: "well?" }, rate: sends, until },
      ],
      story: storyOf(story),
    };
  });
