import type { EventType } from "../../../wire/index.js";
import { answerWords, type Exchange, isFailure } from "../client.js";
import { type AuditContext, type EventChanges, refusedText } from "../context.js";
import { type AuditTrial, fault, type Outcome, passed, untested } from "../trial.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How often a sequence must fail, each time with new people and handsets. */
const PROOFS = 2;

type Step = readonly [type: EventType, changes: EventChanges];

/** A trial of events in an order: a receiver may refuse or ignore each, and must not fail at one. */
function sequence(
  head: Pick<AuditTrial, "id" | "title" | "severity" | "why" | "field" | "about">,
  stepsFor: (context: AuditContext) => readonly Step[],
): AuditTrial {
  const run = async (context: AuditContext): Promise<Outcome> => {
    let last: Outcome = passed;
    for (let proof = 0; proof < PROOFS; proof++) {
      const { phone } = context.person();
      const steps = stepsFor(context);
      const exchanges: Exchange[] = [];
      for (const [type, changes] of steps) {
        const control = proof === 0 ? await context.control(type) : undefined;
        if (control?.isAccepted === false) return untested(refusedText(type, control));
        exchanges.push(await context.post(context.body(type, { phone, ...changes })));
        if (isFailure(exchanges.at(-1) as Exchange)) break;
      }
      const failed = exchanges.at(-1);
      const type = steps[exchanges.length - 1]?.[0];
      if (failed === undefined || type === undefined || !isFailure(failed)) return passed;
      if (!(await context.askControl(type)).isAccepted)
        return untested("the receiver fails at ordinary events too, now and then");
      last = fault(`event ${exchanges.length} (${type}) is answered with ${answerWords(failed)}`, exchanges);
    }
    return last;
  };
  return { ...head, run };
}

/** A handset of one proof, which no other trial knows. */
function handset(context: AuditContext): { readonly relayer: number; readonly relayerPhone: string } {
  const id = context.id();
  return { relayer: id, relayerPhone: `+1206${String(id % 10_000_000).padStart(7, "0")}` };
}

const handsets = "docs/reference/webhook.md#message-events";

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
    () => [
      ["mo_sms", { time: Date.UTC(2025, 9, 26, 0, 59, 5, 250) }],
      ["mo_sms", { time: Date.UTC(2025, 9, 26, 1, 1, 5, 250) }],
      ["mo_sms", { time: Date.UTC(2025, 10, 2, 5, 59, 5, 250) }],
      ["mo_sms", { time: Date.UTC(2025, 10, 2, 6, 1, 5, 250) }],
    ],
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
    ({ nowMs }) =>
      [40, 30, 20].map((minutes): Step => [
        "mo_sms",
        { time: nowMs - minutes * MINUTE_MS, text: `Text ${minutes} of this person, among others that came.` },
      ]),
  ),
  sequence(
    {
      id: "person-four-handsets",
      title: "A person who writes to several handsets crashes the receiver",
      severity: "medium",
      why: "People keep every number that they were ever given.",
      field: handsets,
      about: "a text of one person to each of four handsets: none may fail",
    },
    (context) => [1, 2, 3, 4].map((): Step => ["mo_sms", handset(context)]),
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
    (context) => {
      const first = handset(context);
      const { relayerPhone } = handset(context);
      return [
        ["mo_sms", first],
        ["mo_sms", { ...first, relayerPhone }],
      ];
    },
  ),
  sequence(
    {
      id: "caller-withheld-again",
      title: "A second call from a withheld number crashes the receiver",
      severity: "medium",
      why: "All callers who withhold their number look like one person.",
      field: "docs/reference/handset.md#call-log",
      about: "two missed calls whose phone is empty, an hour apart: none may fail",
    },
    ({ nowMs }) => [
      ["mo_miss", { phone: "", time: nowMs - 2 * HOUR_MS }],
      ["mo_miss", { phone: "", time: nowMs - HOUR_MS }],
    ],
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
    ({ nowMs }) => [
      ["mo_miss", { time: nowMs - 2 * MINUTE_MS }],
      ["mo_call", { time: nowMs - 2 * MINUTE_MS + 20_000, duration: 35 }],
    ],
  ),
  sequence(
    {
      id: "alarms-low-again",
      title: "Repeated alarms of a low battery crash the receiver",
      severity: "medium",
      why: "A phone that nobody charges reports a low battery again and again.",
      field: "docs/reference/handset.md#status-report",
      about: "four alarms of one handset with 15, 9, 8 and 7 %: none may fail",
    },
    (context) => {
      const one = handset(context);
      return [15, 9, 8, 7].map((powerLevel, index): Step => [
        "alarm",
        { ...one, powerLevel, lastSeen: context.nowMs - (4 - index) * HOUR_MS - (context.id() % 1000) * 1000 },
      ]);
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
        about: `${type} on 29 February, by ${what}: it must not fail`,
      },
      (context) => {
        const ms = Date.UTC(2024, 1, 29, 12, 30, 5, 250) + (context.id() % 30_000) * 1000;
        if (type === "alarm") return [[type, { lastSeen: ms }]];
        if (type !== "flow") return [[type, { time: ms }]];
        return [[type, { values: [{ label: "Age", category: "Number", value: "15", text: "15", time: ms }] }]];
      },
    ),
  ),
];
