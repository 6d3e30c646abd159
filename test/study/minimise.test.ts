import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFailureCondition } from "../../src/expect/index.js";
import { importFieldLog } from "../../src/run/index.js";
import { type Minimised, minimiseRequests, type MinimiseOptions, renderMinimised } from "../../src/study/index.js";
import { temporaryFolder } from "../support/folder.js";
import { type Bug, buggyReceiver, type Line, plantedDay, TOGETHER, writeDay } from "./planted-bugs.js";

function conditionOf(...texts: readonly string[]): MinimiseOptions["condition"] {
  const read = readFailureCondition(texts);
  if ("fault" in read) throw new Error(read.fault.message);
  return "auto" in read ? read : read.condition;
}

async function minimise(
  lines: readonly Line[] | string,
  bug: Bug,
  options: Partial<Omit<MinimiseOptions, "condition">> & { readonly while?: readonly string[] } = {},
): Promise<Minimised> {
  const { url } = await buggyReceiver(bug);
  const { while: texts = ["status 500"], ...rest } = options;
  return minimiseRequests({
    path: typeof lines === "string" ? lines : writeDay(lines),
    receiver: url,
    reset: "POST /reset",
    condition: conditionOf(...texts),
    timeLimitMs: 600_000,
    ...rest,
  });
}

/** Ordinary events around a trigger. */
const EVENTS = process.env["NIGHTLY"] === "1" ? 1000 : 100;

const textsOf = ({ events }: Minimised): (string | null)[] =>
  events.map(({ body }) => new URLSearchParams(body).get("text"));
const list = (state: Map<string, unknown>, key: string): string[] => {
  const known = (state.get(key) as string[] | undefined) ?? [];
  state.set(key, known);
  return known;
};

/** Trigger by trigger: what is planted, the bug, and how few events show it. */
const triggers: readonly {
  readonly name: string;
  readonly planted: Parameters<typeof plantedDay>[1];
  readonly bug: Bug;
  readonly optimum: number;
  readonly while?: readonly string[];
  readonly also?: (result: Minimised) => void;
}[] = [
  {
    name: "a character in a text",
    planted: [[0.8, { event: "mo_sms", text: "Die große Straße ist zu" }]],
    bug: ({ text = "" }) => (text.includes("ß") ? "fails" : undefined),
    optimum: 1,
    also: (result) => expect(textsOf(result)).toEqual(["ß"]),
  },
  {
    name: "a text that is too long",
    planted: [[0.7, { event: "mo_sms", text: "the bridge is gone ".repeat(12) }]],
    bug: ({ text = "" }) => (text.length > 160 ? "fails" : undefined),
    optimum: 1,
    also: (result) => expect(textsOf(result)[0]?.length).toBeLessThan(230),
  },
  {
    name: "a missing field",
    planted: [[0.6, { phone: undefined, event: "mo_sms" }]],
    bug: ({ phone }) => (phone === undefined ? "fails" : undefined),
    optimum: 1,
  },
  {
    name: "an hour that a change to summer time leaves out",
    planted: [[0.6, { event: "mo_sms", time: "2026-03-29T02:17:31.000Z" }]],
    bug: ({ time = "" }) => (time.startsWith("2026-03-29T02") ? "fails" : undefined),
    optimum: 1,
    also: ({ events }) => expect(events[0]?.body).toContain("2026-03-29T02%3A17%3A00"),
  },
  {
    name: "the third text of a person within an hour",
    planted: [0.5, 0.55, 0.6].map((share) => [share, { event: "mo_sms", phone: "+250788999999" }] as const),
    bug: ({ event, phone = "", time = "" }, state) => {
      if (event !== "mo_sms" || phone !== "+250788999999") return undefined;
      const times = list(state, phone);
      times.push(time);
      return times.filter((one) => Date.parse(time) - Date.parse(one) < 3_600_000).length >= 3 ? "fails" : undefined;
    },
    optimum: 3,
    also: (result) => expect(new Set(textsOf(result)).size).toBeGreaterThan(0),
  },
  {
    name: "two requests of one person at the same moment",
    planted: [
      [0.5, { event: "mo_sms", phone: TOGETHER }],
      [0.5, { event: "mo_sms", phone: TOGETHER }, { with_previous: true }],
    ],
    bug: ({ phone = "" }, _state, open) => (open.filter((one) => one === phone).length > 1 ? "fails" : undefined),
    optimum: 2,
    also: ({ events }) => expect(events.map((event) => event.with)).toEqual([undefined, "previous"]),
  },
  {
    name: "a delivery report before its mt_sent: the two are apart",
    planted: [[0.6, { event: "mt_dlvd", sms: "77" }]],
    bug: ({ event, sms = "" }, state) => {
      if (event === "mt_sent") state.set(sms, true);
      return event === "mt_dlvd" && !state.has(sms) ? "fails" : undefined;
    },
    optimum: 1,
  },
  {
    name: "the number of a message that comes again with another text",
    planted: [
      [0.2, { event: "mo_sms", sms: "77", text: "first" }],
      [0.9, { event: "mo_sms", sms: "77", text: "second" }],
    ],
    bug: ({ event, sms = "", text }, state) => {
      if (event !== "mo_sms") return undefined;
      const known = state.get(sms);
      state.set(sms, text);
      return known !== undefined && known !== text ? "fails" : undefined;
    },
    optimum: 2,
  },
  {
    name: "an order: a person who joins again after stopping",
    planted: [
      [0.1, { event: "mo_sms", phone: "+250788999999", text: "stop" }],
      [0.8, { event: "mo_sms", phone: "+250788999999", text: "join" }],
    ],
    bug: ({ phone = "", text = "" }, state) => {
      if (text === "stop") state.set(phone, true);
      return text === "join" && state.has(phone) ? "fails" : undefined;
    },
    optimum: 2,
    also: (result) => expect(textsOf(result)).toEqual(["stop", "join"]),
  },
  {
    name: "something that was armed and not disarmed: a removal can end the failure",
    planted: [
      [0.1, { event: "mo_sms", text: "arm" }],
      [0.2, { event: "mo_sms", text: "disarm" }],
      [0.3, { event: "mo_sms", text: "arm" }],
      [0.8, { event: "mo_sms", text: "fire" }],
    ],
    bug: ({ text = "" }, state) => {
      if (text === "arm") state.set("armed", true);
      if (text === "disarm") state.delete("armed");
      return text === "fire" && state.has("armed") ? "fails" : undefined;
    },
    optimum: 2,
  },
  {
    name: "five ordinary events of five people, far from each other",
    planted: [0.1, 0.3, 0.5, 0.7, 0.9].map(
      (share, index) =>
        [share, { event: "mo_sms", sms: `${90 + index}`, phone: `+25078199999${index}`, text: "hello" }] as const,
    ),
    bug: ({ sms = "" }, state) => {
      if (["90", "91", "92", "93", "94"].includes(sms)) state.set(sms, true);
      return state.size === 5 ? "fails" : undefined;
    },
    optimum: 5,
  },
  {
    name: "three alarms of any phones",
    planted: [0.2, 0.3, 0.75].map(
      (share, index) => [share, { event: "alarm", relayer: `${index}`, phone: undefined, text: undefined }] as const,
    ),
    bug: ({ event }, state) => {
      if (event !== "alarm") return undefined;
      const count = Number(state.get("alarms") ?? 0) + 1;
      state.set("alarms", count);
      return count >= 3 ? "fails" : undefined;
    },
    optimum: 3,
  },
  {
    name: "a person hears twice of one event that is repeated",
    while: ["hears-twice"],
    planted: [
      [0.3, { event: "mo_sms", sms: "77", phone: "+250788999999", text: "join", time: "2026-03-04T07:00:00Z" }],
      [0.7, { event: "mo_sms", sms: "77", phone: "+250788999999", text: "join", time: "2026-03-04T07:00:00Z" }],
    ],
    bug: ({ text }) => (text === "join" ? { reply: "Welcome" } : undefined),
    optimum: 2,
  },
  {
    name: "a reply with other words",
    while: ["reply /sorry/i of mo_sms"],
    planted: [[0.5, { event: "mo_sms", text: "report -1" }]],
    bug: ({ event, text = "" }) =>
      event === "mo_sms" ? { reply: text.includes("-") ? "Sorry, again please" : "Thanks" } : undefined,
    optimum: 1,
  },
  {
    name: "no reply to one text",
    while: ["no reply of mo_sms"],
    planted: [[0.5, { event: "mo_sms", text: "join\u0000now" }]],
    bug: ({ event, text = "" }) => (event === "mo_sms" && !text.includes("\u0000") ? { reply: "Thanks" } : undefined),
    optimum: 1,
    also: (result) => expect(textsOf(result)).toEqual(["\u0000"]),
  },
  {
    name: "a closed connection",
    while: ["closed"],
    planted: [[0.4, { event: "mo_sms", text: "crash" }]],
    bug: ({ text }) => (text === "crash" ? "closes" : undefined),
    optimum: 1,
  },
  {
    name: "what the application knows after all: a count of repeated texts",
    while: ["check { http: GET /state, json: .doubles == null }"],
    planted: [
      [0.3, { event: "mo_sms", sms: "77", text: "order 9" }],
      [0.6, { event: "mo_sms", sms: "77", text: "order 9" }],
    ],
    bug: ({ event, sms = "" }, state) => {
      if (event !== "mo_sms") return undefined;
      const seen = list(state, "seen");
      if (seen.includes(sms)) state.set("doubles", sms);
      seen.push(sms);
      return undefined;
    },
    optimum: 2,
  },
];

describe("a trigger among ordinary events is found, and nothing else", () => {
  test.each(triggers)("$name", async ({ planted, bug, optimum, while: texts, also }) => {
    const result = await minimise(plantedDay(EVENTS, planted), bug, texts === undefined ? {} : { while: texts });
    expect(result).toMatchObject({ reproduced: true, oneMinimal: true, contaminated: false, failed: 11, of: 11 });
    expect(result.events).toHaveLength(optimum);
    expect(result.trials).toBeLessThanOrEqual(120);
    also?.(result);
  });
});

test("of 1,000 events, too", async () => {
  const [hour] = triggers.filter(({ name }) => name.startsWith("the third text"));
  if (hour === undefined) throw new Error("no such trigger");
  const planted = [0.5, 0.51, 0.52].map((share) => [share, { event: "mo_sms", phone: "+250788999999" }] as const);
  const result = await minimise(plantedDay(1000, planted), hour.bug);
  expect(result).toMatchObject({ oneMinimal: true, before: { events: 1000 }, after: { events: 3 } });
});

test("a timeout is found without waiting for it in each trial", async () => {
  const bug: Bug = ({ text }) => (text === "slow" ? "hangs" : undefined);
  const day = plantedDay(100, [[0.6, { event: "mo_sms", text: "slow" }]]);
  const result = await minimise(day, bug, { while: ["timeout"], timeoutMs: 100 });
  expect(result).toMatchObject({ oneMinimal: true, after: { events: 1 }, condition: "timeout" });
});

const third: Bug = ({ event, phone = "" }, state) => {
  if (event !== "mo_sms") return undefined;
  const count = Number(state.get(phone) ?? 0) + 1;
  state.set(phone, count);
  return count >= 6 ? "fails" : undefined;
};

test("without a reset, a receiver that remembers is named, and gives no result", async () => {
  const result = await minimise(plantedDay(300, []), third, { reset: undefined });
  expect(result).toMatchObject({ contaminated: true, oneMinimal: false, events: [] });
  expect(result.contamination).toMatch(/played again/);
});

test("without a reset, a failure that needs no memory is found", async () => {
  const bug: Bug = ({ text = "" }) => (text.includes("ß") ? "fails" : undefined);
  const day = plantedDay(300, [[0.5, { event: "mo_sms", text: "Straße" }]]);
  expect(await minimise(day, bug, { reset: undefined })).toMatchObject({ contaminated: false, after: { events: 1 } });
});

test("without a reset, what an earlier play left behind is not taken for needless", async () => {
  // Help after a join fails; the join of the first play is remembered, so the help alone fails in all later ones.
  const bug: Bug = ({ event, phone = "", text = "" }, state) => {
    if (event !== "mo_sms") return undefined;
    if (text === "join me") state.set(phone, true);
    return text === "help me" && state.has(phone) ? "fails" : undefined;
  };
  const phone = "+250788999999";
  const day = plantedDay(300, [
    [0.3, { event: "mo_sms", phone, text: "join me" }],
    [0.6, { event: "mo_sms", phone, text: "help me" }],
  ]);
  const result = await minimise(day, bug, { reset: undefined });
  expect(result).toMatchObject({ contaminated: true, oneMinimal: false, events: [] });
  expect(result.contamination).toContain("what earlier plays left behind");
  expect(await minimise(day, bug)).toMatchObject({ contaminated: false, oneMinimal: true, after: { events: 2 } });
});

test("another failure on the way is kept as another, and never becomes the result", async () => {
  // Without its mt_sent each mt_dlvd gets a 500, too; the failure that is asked for is that of one with a certain number.
  const bug: Bug = ({ event, sms = "" }, state) => {
    if (event === "mt_sent") state.set(sms, true);
    if (event !== "mt_dlvd") return undefined;
    return !state.has(sms) || sms === "77" ? "fails" : undefined;
  };
  const day = plantedDay(300, [
    [0.3, { event: "mt_sent", sms: "77" }],
    [0.6, { event: "mt_dlvd", sms: "77" }],
  ]);
  const result = await minimise(day, bug);
  expect(result.events.map(({ type }) => type)).toEqual(["mt_sent", "mt_dlvd"]);
  expect(result.notes.join()).toMatch(/mt_sent stays/);
  const teapot: Bug = ({ text, sms }) => (text === "menu" ? { status: 503 } : sms === "77" ? "fails" : undefined);
  const other = await minimise(day, teapot);
  expect(other.after.events).toBe(1);
  expect(other.others.map(({ condition }) => condition).join()).toContain("status 503");
});

test("what does not fail is said", async () => {
  const result = await minimise(plantedDay(50, []), () => undefined);
  expect(result).toMatchObject({ reproduced: false, failed: 0, of: 11, events: [] });
  const page = { colour: false, width: 200, next: [] };
  expect(renderMinimised(result, page)).not.toContain("--time-limit");
  const short = await minimise(plantedDay(50, []), () => undefined, { timeLimitMs: 1 });
  expect(short).toMatchObject({ reproduced: false, failed: 0, of: 1 });
  expect(renderMinimised(short, page)).toContain("the time limit allowed no further play");
});

test("auto takes what the log shows, or what the receiver does now", async () => {
  const bug: Bug = ({ sms }) => (sms === "77" ? { status: 404 } : undefined);
  const day = plantedDay(80, [[0.5, { event: "mo_sms", sms: "77" }, { status: 404 }]]);
  const shown = await minimise(day, bug, { while: [] });
  expect(shown).toMatchObject({ condition: "status 404 of mo_sms", after: { events: 1 } });
  expect(shown.took).toMatch(/the log has this answer to event 41/);
  const now = await minimise(
    day.map((line) => ({ ...line, status: undefined })),
    bug,
    { while: [] },
  );
  expect(now).toMatchObject({ condition: "status 404 of mo_sms", after: { events: 1 } });
  expect(now.took).toMatch(/the receiver answers event 41 so now/);
});

test("a flaky failure is measured with its interval, and still found", async () => {
  let draws = 0;
  // Fails at two of three tries.
  const bug: Bug = ({ text }) => (text === "mango" && ++draws % 3 !== 0 ? "fails" : undefined);
  const result = await minimise(plantedDay(200, [[0.5, { event: "mo_sms", text: "mango" }]]), bug);
  expect(result.events).toHaveLength(1);
  expect(result.failed).toBeLessThan(11);
  expect(result.rate.low).toBeLessThan(result.failed / 11);
  expect(result.rate.high).toBeGreaterThan(result.failed / 11);
});

test("a pseudonymised recording minimises to the same events", async () => {
  // The bug knows the numbers, which pseudonyms keep, so they show which events are left.
  const bug: Bug = ({ event, phone, sms = "", text = "" }, state) => {
    const known = list(state, `${event} ${phone}`);
    known.push(sms);
    return sms === "70072" && text.length === 23 && known.includes("70071") ? "fails" : undefined;
  };
  const path = writeDay(
    plantedDay(200, [
      [0.2, { event: "mo_sms", sms: "70071", phone: "+250788999999", text: "hello" }],
      [0.7, { event: "mo_sms", sms: "70072", phone: "+250788999999", text: "the bridge is gone, sir" }],
    ]),
  );
  const recording = join(temporaryFolder(), "day.db");
  const { log } = await importFieldLog([path], { recording, pseudonyms: "on" });
  log.close();
  const open = await minimise(path, bug);
  const pseudonymised = await minimise(recording, bug);
  const left = ({ events }: Minimised): unknown[] =>
    events.map(({ type, body }) => [type, new URLSearchParams(body).get("sms")]);
  expect(left(open)).toEqual([
    ["mo_sms", "70071"],
    ["mo_sms", "70072"],
  ]);
  expect(left(pseudonymised)).toEqual(left(open));
  expect(pseudonymised).toMatchObject({ oneMinimal: true, before: { events: 200 } });
  expect(pseudonymised.events.map(({ body }) => body).join()).not.toContain("999999");
});
