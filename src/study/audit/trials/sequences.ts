import type { EventType } from "../../../wire/index.js";
import { answerWords, type Exchange, isFailure } from "../client.js";
import { type AuditContext, type EventChanges, refusedText } from "../context.js";
import { type AuditTrial, fault, type Outcome, passed, untested } from "../trial.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How often a sequence must fail, each time with new people and handsets. */
const PROOFS = 2;

type Step = readonly [type: EventType, changes: EventChanges];

type StepsFor = (context: AuditContext) => readonly Step[];

/** Events in an order, and the same without what is special about them. */
interface Sequence {
  readonly steps: StepsFor;
  /** If these fail as well, the fault is another one, which `seeAlso` finds. */
  readonly control: StepsFor;
  /** Id of the trial that finds what fails in the control. */
  readonly seeAlso?: string;
}

/** A trial of events in an order: a receiver may refuse or ignore each, and must not fail at one. */
function sequence(
  head: Pick<AuditTrial, "id" | "title" | "severity" | "why" | "field" | "about">,
  { steps, control, seeAlso }: Sequence,
): AuditTrial {
  const run = async (context: AuditContext): Promise<Outcome> => {
    for (const type of new Set(steps(context).map(([one]) => one))) {
      const asked = await context.control(type);
      if (!asked.isAccepted) return untested(refusedText(type, asked));
    }
    let last: Outcome = passed;
    for (let proof = 0; proof < PROOFS; proof++) {
      const { exchanges, failed } = await playSteps(context, steps(context));
      if (failed === undefined) return passed;
      const without = await playSteps(context, control(context));
      if (without.failed !== undefined) {
        const where = seeAlso === undefined ? "" : `: see ${seeAlso}`;
        return untested(`the same events fail without what the trial is about${where}`);
      }
      const number = exchanges.length;
      last = fault(
        `event ${number} of ${steps(context).length} (${failed.type}) is answered with ${answerWords(failed.exchange)}`,
        exchanges,
      );
    }
    return last;
  };
  return { ...head, run };
}

/** Plays steps for a new person, up to the first failure. */
async function playSteps(
  context: AuditContext,
  steps: readonly Step[],
): Promise<{
  readonly exchanges: Exchange[];
  readonly failed: { readonly type: EventType; readonly exchange: Exchange } | undefined;
}> {
  const { phone } = context.person();
  const exchanges: Exchange[] = [];
  for (const [type, changes] of steps) {
    const exchange = await context.post(context.body(type, { phone, ...changes }));
    exchanges.push(exchange);
    if (isFailure(exchange)) return { exchanges, failed: { type, exchange } };
  }
  return { exchanges, failed: undefined };
}

/** A handset of one proof, which no other trial knows. */
function handset(context: AuditContext): { readonly relayer: number; readonly relayerPhone: string } {
  const id = context.id();
  return { relayer: id, relayerPhone: `+1206${String(id % 10_000_000).padStart(7, "0")}` };
}

const handsets = "docs/reference/webhook.md#message-events";

/** Texts at some instants. */
const textsAt = (times: readonly number[]): Step[] => times.map((time) => ["mo_sms", { time }]);

const DAY_MS = 24 * HOUR_MS;

/** Events of one person or one handset, in the order in which they happen. */
export const sequenceTrials: readonly AuditTrial[] = [
  sequence(
    {
      id: "texts-over-clock-change",
      title: "A text after the end of daylight saving fails",
      severity: "high",
      why: "Wall clocks go back by an hour in autumn, and events do not.",
      field: "docs/reference/webhook.md#value-types",
      about: "two texts of one person, two minutes apart, around the end of daylight saving in Europe, then in America",
    },
    {
      steps: () =>
        textsAt([
          Date.UTC(2025, 9, 26, 0, 59, 5, 250),
          Date.UTC(2025, 9, 26, 1, 1, 5, 250),
          Date.UTC(2025, 10, 2, 5, 59, 5, 250),
          Date.UTC(2025, 10, 2, 6, 1, 5, 250),
        ]),
      control: () =>
        textsAt([
          Date.UTC(2025, 9, 20, 0, 59, 5, 250),
          Date.UTC(2025, 9, 20, 1, 1, 5, 250),
          Date.UTC(2025, 9, 27, 5, 59, 5, 250),
          Date.UTC(2025, 9, 27, 6, 1, 5, 250),
        ]),
      seeAlso: "person-several-texts",
    },
  ),
  sequence(
    {
      id: "person-several-texts",
      title: "The third text of a person within an hour fails",
      severity: "high",
      why: "People write several short texts, one after the other.",
      field: "docs/reference/handset.md#field-reports",
      about: "three texts of one person, ten minutes apart: none may fail",
    },
    {
      steps: ({ nowMs }) => severalTexts([40, 30, 20].map((minutes) => nowMs - minutes * MINUTE_MS)),
      control: ({ nowMs }) => severalTexts([3, 2, 1].map((days) => nowMs - days * DAY_MS)),
      seeAlso: "person-texts-each-day",
    },
  ),
  sequence(
    {
      id: "person-texts-each-day",
      title: "The third text of a person fails",
      severity: "high",
      why: "People write again, on another day.",
      field: "docs/reference/handset.md#field-reports",
      about: "three texts of one person, a day apart, beside those of three people: none may fail",
    },
    {
      steps: ({ nowMs }) => severalTexts([3, 2, 1].map((days) => nowMs - days * DAY_MS)),
      control: (context) =>
        severalTexts([3, 2, 1].map((days) => context.nowMs - days * DAY_MS)).map(([type, changes]) => [
          type,
          { ...changes, phone: context.person().phone },
        ]),
    },
  ),
  sequence(
    {
      id: "person-four-handsets",
      title: "A person who writes to several handsets crashes the receiver",
      severity: "medium",
      why: "People keep every number that they were ever given.",
      field: handsets,
      about: "a text of one person to each of four handsets, beside four texts to one handset: none may fail",
    },
    {
      steps: (context) => [1, 2, 3, 4].map((): Step => ["mo_sms", handset(context)]),
      control: (context) => {
        const one = handset(context);
        return [1, 2, 3, 4].map((): Step => ["mo_sms", one]);
      },
      seeAlso: "person-several-texts",
    },
  ),
  sequence(
    {
      id: "handset-new-number",
      title: "A handset with a new number crashes the receiver",
      severity: "medium",
      why: "A handset gets a new SIM, and keeps its id.",
      field: handsets,
      about: "two texts of one handset, the second with another relayer_phone: none may fail",
    },
    {
      steps: (context) => {
        const first = handset(context);
        const { relayerPhone } = handset(context);
        return [
          ["mo_sms", first],
          ["mo_sms", { ...first, relayerPhone }],
        ];
      },
      control: (context) => {
        const first = handset(context);
        return [
          ["mo_sms", first],
          ["mo_sms", first],
        ];
      },
    },
  ),
  sequence(
    {
      id: "caller-withheld-again",
      title: "A second call from a withheld number crashes the receiver",
      severity: "medium",
      why: "All callers who withhold their number look like one person.",
      field: "docs/reference/handset.md#call-log",
      about: "two missed calls whose phone is empty, an hour apart, beside two of one person: none may fail",
    },
    {
      steps: ({ nowMs }) => [
        ["mo_miss", { phone: "", time: nowMs - 2 * HOUR_MS }],
        ["mo_miss", { phone: "", time: nowMs - HOUR_MS }],
      ],
      control: ({ nowMs }) => [
        ["mo_miss", { time: nowMs - 2 * HOUR_MS }],
        ["mo_miss", { time: nowMs - HOUR_MS }],
      ],
      seeAlso: "caller-again",
    },
  ),
  sequence(
    {
      id: "caller-again",
      title: "A second missed call of a person fails",
      severity: "high",
      why: "Who is not heard calls again.",
      field: "docs/reference/handset.md#call-log",
      about: "two missed calls of one person, an hour apart, beside those of two people: none may fail",
    },
    {
      steps: ({ nowMs }) => [
        ["mo_miss", { time: nowMs - 2 * HOUR_MS }],
        ["mo_miss", { time: nowMs - HOUR_MS }],
      ],
      control: (context) => [
        ["mo_miss", { time: context.nowMs - 2 * HOUR_MS }],
        ["mo_miss", { time: context.nowMs - HOUR_MS, phone: context.person().phone }],
      ],
    },
  ),
  sequence(
    {
      id: "call-missed-then-answered",
      title: "A call that is answered soon after a missed one crashes the receiver",
      severity: "medium",
      why: "Who is not heard calls again at once.",
      field: "docs/reference/handset.md#call-log",
      about: "a missed call, and an answered one of the same person 20 s later: none may fail",
    },
    {
      steps: ({ nowMs }) => [
        ["mo_miss", { time: nowMs - 2 * MINUTE_MS }],
        ["mo_call", { time: nowMs - 2 * MINUTE_MS + 20_000, duration: 35 }],
      ],
      control: (context) => [
        ["mo_miss", { time: context.nowMs - 2 * MINUTE_MS }],
        ["mo_call", { time: context.nowMs - 2 * MINUTE_MS + 20_000, duration: 35, phone: context.person().phone }],
      ],
    },
  ),
  sequence(
    {
      id: "call-then-text",
      title: "A text soon after a missed call fails",
      severity: "high",
      why: "Who is not heard writes.",
      field: "docs/reference/handset.md#call-log",
      about: "a missed call, and a text of the same person a minute later: none may fail",
    },
    {
      steps: ({ nowMs }) => [
        ["mo_miss", { time: nowMs - 2 * MINUTE_MS }],
        ["mo_sms", { time: nowMs - MINUTE_MS }],
      ],
      control: (context) => [
        ["mo_miss", { time: context.nowMs - 2 * MINUTE_MS }],
        ["mo_sms", { time: context.nowMs - MINUTE_MS, phone: context.person().phone }],
      ],
    },
  ),
  sequence(
    {
      id: "alarm-then-events",
      title: "An event of a handset after its alarm fails",
      severity: "high",
      why: "A phone with a low battery still relays: its last texts and calls count.",
      field: "docs/reference/handset.md#status-report",
      about:
        "an alarm of a handset with 4 %, then a call, a text and a report of it, beside an alarm of another handset: none may fail",
    },
    {
      steps: (context) => alarmThenEvents(context, handset(context)),
      control: (context) => {
        const one = handset(context);
        return alarmThenEvents(context, one).map(([type, changes]) =>
          type === "alarm" ? [type, { ...changes, ...handset(context) }] : [type, changes],
        );
      },
    },
  ),
  sequence(
    {
      id: "alarms-low-again",
      title: "Repeated alarms of a low battery crash the receiver",
      severity: "medium",
      why: "A phone that nobody charges reports a low battery again and again.",
      field: "docs/reference/handset.md#status-report",
      about: "four alarms of one handset with 15, 9, 8 and 7 %, beside those of four handsets: none may fail",
    },
    {
      steps: (context) => {
        const one = handset(context);
        return lowAlarms(context, () => one);
      },
      control: (context) => lowAlarms(context, () => handset(context)),
    },
  ),
  sequence(
    {
      id: "events-newest-first",
      title: "Events that come newest first fail",
      severity: "high",
      why: "A phone that comes back reads its inbox newest first, and what was delayed comes after what was not.",
      field: "docs/reference/handset.md#field-reports",
      about:
        "a text, a call, a report, an alarm and a text of one person and handset, each an hour older than the one before: none may fail",
    },
    {
      steps: (context) => mixedEvents(context, [1, 2, 3, 4, 5]),
      control: (context) => mixedEvents(context, [5, 4, 3, 2, 1]),
    },
  ),
  ...(
    [
      ["alarm", "alarm", "last_seen"],
      ["mo_miss", "call", "time"],
      ["mt_dlvd", "report", "time"],
      ["flow", "flow", "the time of a value"],
    ] as const
  ).map(([type, name, what]) =>
    sequence(
      {
        id: `time-leap-day-${name}`,
        title: `An event of type ${type} on 29 February fails`,
        severity: "medium",
        why: "It comes every four years, and then for everybody at the same time.",
        field: "docs/reference/webhook.md#value-types",
        about: `${type} on 29 February, by ${what}, beside one of 27 February: it must not fail`,
      },
      {
        steps: (context) => [eventAt(type, Date.UTC(2024, 1, 29, 12, 30, 5, 250) + (context.id() % 30_000) * 1000)],
        control: (context) => [eventAt(type, Date.UTC(2024, 1, 27, 12, 30, 5, 250) + (context.id() % 30_000) * 1000)],
      },
    ),
  ),
];

/** Texts of one person with different words. */
function severalTexts(times: readonly number[]): Step[] {
  return times.map((time, index) => [
    "mo_sms",
    { time, text: `Text ${index + 1} of this person, among others that came.` },
  ]);
}

function lowAlarms(context: AuditContext, handsetFor: () => EventChanges): Step[] {
  return [15, 9, 8, 7].map((powerLevel, index) => [
    "alarm",
    {
      ...handsetFor(),
      powerLevel,
      lastSeen: context.nowMs - (4 - index) * HOUR_MS - (context.id() % 1000) * 1000,
    },
  ]);
}

function alarmThenEvents(context: AuditContext, one: EventChanges): Step[] {
  const { nowMs } = context;
  return [
    ["alarm", { ...one, powerLevel: 4, lastSeen: nowMs - HOUR_MS - (context.id() % 1000) * 1000 }],
    ["mo_miss", { ...one, time: nowMs - 30 * MINUTE_MS }],
    ["mo_sms", { ...one, time: nowMs - 20 * MINUTE_MS }],
    ["mt_sent", { ...one, time: nowMs - 10 * MINUTE_MS }],
  ];
}

/** Events of each kind, each some hours old. */
function mixedEvents(context: AuditContext, hours: readonly number[]): Step[] {
  const one = handset(context);
  const at = (index: number): number => context.nowMs - (hours[index] ?? 0) * HOUR_MS;
  return [
    ["mo_sms", { ...one, time: at(0) }],
    ["mo_miss", { ...one, time: at(1) }],
    ["mt_sent", { ...one, time: at(2) }],
    ["alarm", { ...one, lastSeen: at(3) - (context.id() % 1000) * 1000 }],
    ["mo_sms", { ...one, time: at(4), text: "Another text altogether, of eight words or so." }],
  ];
}

function eventAt(type: "alarm" | "mo_miss" | "mt_dlvd" | "flow", ms: number): Step {
  if (type === "alarm") return [type, { lastSeen: ms }];
  if (type !== "flow") return [type, { time: ms }];
  return [type, { values: [{ label: "Age", category: "Number", value: "15", text: "15", time: ms }] }];
}
