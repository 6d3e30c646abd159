import type { EventType } from "../../../wire/index.js";
import { encodeForm, parseForm } from "../../../wire/index.js";
import { answerWords, type Exchange, isAccepted, isFailure, replyText } from "../client.js";
import { type AuditContext, type EventChanges, type Person, refusedText, RELAYER_PHONE } from "../context.js";
import {
  countsRequests,
  isMore,
  doubledBy,
  looksAlike,
  type EffectRecord,
  type Effects,
  markerOf,
  placeWords,
} from "../effects.js";
import { RawConnection } from "../raw.js";
import { textOf } from "../words.js";
import { type AuditTrial, fault, observed, type Outcome, passed, untested } from "../trial.js";

export const retries = "docs/reference/webhook.md#retries";
export const losses = "docs/reference/handset.md#duplicates-and-losses";

/** How often a double must happen before the receiver is accused, each time with a new person. */
export const PROOFS = 2;

/** Events between an event and its late copy, and the hours of their times. */
const LATER_EVENTS = 64;
const LATER_HOURS = 6;

/** How the copy is sent. @returns its answers */
type SendCopy = (context: AuditContext, body: string) => Promise<Exchange[]>;

const onceMore: SendCopy = async (context, body) => [await context.post(body, { note: "the same event again" })];

interface DoubleOptions {
  readonly type: EventType;
  readonly changes?: (context: AuditContext) => EventChanges;
  readonly send?: (context: AuditContext, body: string) => Promise<Exchange>;
  readonly copy?: SendCopy;
}

export const noEffects = 'its effects cannot be seen: give --effects "GET URL" of a page that shows what was kept';

/** Sends copies at the same moment: the first one is part of them. */
async function tryParallel(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  // An application may need longer for one word than for another, so the race may be in one of them only.
  const words = context.judgesReplies ? (await context.words.all()).slice(0, PARALLEL_WORDS) : [];
  const texts = [await context.words.textThatShows(), ...words.map(({ word }) => textOf(word, 7))];
  let last: Outcome = passed;
  for (const text of new Set(texts)) {
    last = await parallelCopies(context, text === undefined ? {} : { text });
    if (last.kind === "fault") return last;
  }
  return last;
}

async function parallelCopies(context: AuditContext, words: EventChanges): Promise<Outcome> {
  const single = context.person();
  await context.post(context.body("mo_sms", { phone: single.phone, ...words }));
  const model = context.effects && (await context.recordsFor(single), await context.settledRecords(single));
  const faults: Outcome[] = [];
  for (let round = 0; round < PARALLEL_ROUNDS; round++) {
    const person = context.person();
    const body = context.body("mo_sms", { phone: person.phone, ...words });
    const note = "at the same moment";
    const exchanges = await Promise.all(Array.from({ length: COPIES }, () => context.post(body, { note })));
    const failed = exchanges.find(isFailure);
    const replies = exchanges.map(replyText).filter((one) => one !== undefined);
    const records = await context.settledRecords(person);
    const doubled = model === undefined ? undefined : doubledAgainst(model, records);
    if (doubled !== undefined) faults.push(fault(`${COPIES} copies at the same moment: ${doubled}`, exchanges));
    else if (replies.some((one) => replies.some((other) => isNextNumber(one, other)))) {
      faults.push(
        fault(`the answers count the copies: ${JSON.stringify(replies.map((one) => one.slice(0, 40)))}`, exchanges),
      );
    } else if (context.judgesReplies && replies.length > 1) {
      faults.push(fault(`${replies.length} of ${COPIES} copies are answered with a reply`, exchanges));
    } else if (failed !== undefined) {
      faults.push(fault(`a copy is answered with ${answerWords(failed)}`, exchanges, "medium"));
    }
  }
  if (faults.length >= PROOFS && faults[0] !== undefined) return faults[0];
  const isSeen = (model !== undefined && model.length > 0) || context.judgesReplies;
  return isSeen ? passed : untested(noEffects);
}

/** Words with which copies are sent at the same moment where replies are judged. */
const PARALLEL_WORDS = 3;

/** Copies that are sent at once, and how often. */
const COPIES = 4;
const PARALLEL_ROUNDS = 4;

async function tryDouble(context: AuditContext, options: DoubleOptions): Promise<Outcome> {
  const control = await context.control(options.type);
  if (!control.isAccepted) return untested(refusedText(options.type, control));
  let last: Outcome = passed;
  for (let proof = 0; proof < PROOFS; proof++) {
    last = await doubleOnce(context, options);
    if (last.kind !== "fault") return last;
  }
  return last;
}

async function doubleOnce(
  context: AuditContext,
  { type, changes, send, copy = onceMore }: DoubleOptions,
): Promise<Outcome> {
  const person = context.person();
  const text = type === "mo_sms" ? await context.words.textThatShows() : undefined;
  const body = context.body(type, { phone: person.phone, ...(text !== undefined && { text }), ...changes?.(context) });
  const before = await context.effects?.readSettled();
  const first = await (send?.(context, body) ?? context.post(body));
  if (send === undefined && !isAccepted(first))
    return untested("the receiver fails at ordinary events too, now and then");
  const after = await settledAfter(context, before);
  const copies = await copy(context, body);
  const exchanges = [first, ...copies];
  const hadReply = replyText(first);
  for (const again of copies) {
    const reply = replyText(again);
    if (reply === undefined || hadReply === undefined) continue;
    if (isNextNumber(hadReply, reply))
      return fault(
        `the answer to the copy counts it: ${JSON.stringify(reply.slice(0, 80))} after ${JSON.stringify(hadReply.slice(0, 80))}`,
        exchanges,
      );
    if (context.judgesReplies)
      return fault(`the copy is answered with a reply again: ${JSON.stringify(reply.slice(0, 120))}`, exchanges);
  }
  if (context.effects === undefined) {
    return context.judgesReplies && hadReply !== undefined ? passed : untested(noEffects);
  }
  if (JSON.stringify(before) === JSON.stringify(after))
    return untested(`an ordinary ${type} does not show in the effects`);
  const again = await context.effects.readSettled();
  const markers = type === "alarm" ? [markerOf(RELAYER_PHONE)] : [markerOf(person.phone)];
  const doubled = doubledBy([before, after, again], markers);
  if (doubled !== undefined) return fault(doubled, exchanges);
  const repeated = copies.map(replyText).find((text) => text !== undefined);
  return hadReply === undefined || repeated === undefined
    ? passed
    : observed(`the copy is answered with a reply again: ${JSON.stringify(repeated.slice(0, 120))}`);
}

/** The effects after an event, when they differ from before and no longer change. */
async function settledAfter(context: AuditContext, before: Effects): Promise<Effects> {
  if (context.effects === undefined) return undefined;
  await context.effects.readWhen((now) => now !== before);
  return context.effects.readSettled();
}

/** Whether a text repeats another one, and only one number in it is greater by one. Times of day do not count. */
function isNextNumber(before: string, after: string): boolean {
  const [a, b] = [before, after].map((text) => text.split(/(?<![\d:.])(\d{1,6})(?![\d:.]*\d)/)) as [string[], string[]];
  if (a.length !== b.length) return false;
  const differing = a.flatMap((part, index) => (part === b[index] ? [] : [[part, b[index] ?? ""] as const]));
  const [one] = differing;
  if (differing.length !== 1 || one === undefined) return false;
  return /^\d+$/.test(one[0]) && Number(one[1]) === Number(one[0]) + 1;
}

function double(
  head: Pick<AuditTrial, "id" | "title" | "severity" | "why" | "field" | "about">,
  options: DoubleOptions,
): AuditTrial {
  return { ...head, isAlone: true, run: (context) => tryDouble(context, options) };
}

const twice =
  "A person is registered, paid or answered twice. The service repeats an event whenever an answer is lost.";

/** A copy with a new id: only a failure at it is a fault, as its id says that it is another event. */
async function tryNewId(context: AuditContext, type: "mo_sms" | "mo_miss"): Promise<Outcome> {
  const control = await context.control(type);
  if (!control.isAccepted) return untested(refusedText(type, control));
  for (let proof = 0; ; proof++) {
    const { phone } = context.person();
    const text = type === "mo_sms" ? await context.words.textThatShows() : undefined;
    const changes = { phone, ...(text !== undefined && { text }) };
    const first = await context.post(context.body(type, changes));
    const before = context.effects && (await context.recordsFor({ phone }), await context.settledRecords({ phone }));
    const again = await context.post(context.body(type, changes), { note: "the same with a new id" });
    if (isFailure(again)) {
      if (proof + 1 < PROOFS) continue;
      return fault(`the copy is answered with ${answerWords(again)}`, [first, again]);
    }
    if (before === undefined || before.length === 0) return passed;
    const after = await context.settledRecords({ phone });
    return isMore(before, after)
      ? observed(`${type === "mo_sms" ? "a text" : "a call"} that a phone tells twice, with a new id, acts twice`)
      : passed;
  }
}

/** Copies that a receiver must accept. */
async function tryRefusal(context: AuditContext): Promise<Outcome> {
  for (const type of ["mo_sms", "mt_sent", "mo_miss", "alarm", "flow"] as const) {
    if (!(await context.control(type)).isAccepted) continue;
    const body = context.body(type, { phone: context.person().phone });
    const first = await context.post(body);
    if (!isAccepted(first)) continue;
    const again = await context.post(body, { note: "the same event again" });
    if (isAccepted(again)) continue;
    // A failure may come by chance: then the next copy is accepted.
    const third = await context.post(body, { note: "the same event a third time" });
    const other = await context.askControl(type);
    if (isAccepted(third) || !other.isAccepted) continue;
    return fault(`a copy of ${type} is answered with ${answerWords(again)}`, [first, again, third]);
  }
  return passed;
}

/** How many ordinary texts are sent to see one fail. */
const ORDINARY_TEXTS = 12;
const ATTEMPTS = 4;

async function tryFailures(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  let failures = 0;
  let model: readonly EffectRecord[] | undefined;
  const failed: { readonly person: Person; readonly exchanges: readonly Exchange[] }[] = [];
  for (let count = 0; count < ORDINARY_TEXTS; count++) {
    const person = context.person();
    const body = context.body("mo_sms", { phone: person.phone });
    const exchanges = [await context.post(body)];
    while (!isAccepted(exchanges.at(-1) as Exchange) && exchanges.length < ATTEMPTS) {
      exchanges.push(await context.post(body, { note: "the service's retry" }));
    }
    if (exchanges.length === 1) model ??= await context.settledRecords(person);
    else {
      failures++;
      if (isAccepted(exchanges.at(-1) as Exchange)) failed.push({ person, exchanges });
    }
  }
  if (failures === 0) return passed;
  if (context.effects === undefined)
    return untested(`${failures} of ${ORDINARY_TEXTS} ordinary texts failed, and ${noEffects}`);
  if (model === undefined || model.length === 0) return untested("ordinary texts do not show in the effects");
  const verdicts: Outcome[] = [];
  for (const { person, exchanges } of failed) {
    const records = await context.settledRecords(person);
    const begin = `the first attempt of an ordinary text failed with ${answerWords(exchanges[0] as Exchange)}`;
    const missing = model.find(({ place }) => !records.some((record) => record.place === place));
    if (missing !== undefined) {
      const seen = `${begin}, its retry was accepted, and ${placeWords(missing.place)} lacks it`;
      verdicts.push(fault(seen, exchanges));
      continue;
    }
    const doubled = doubledAgainst(model, records);
    if (doubled !== undefined) verdicts.push(fault(`${begin}, and its retry acted again: ${doubled}`, exchanges));
  }
  return verdicts.length >= Math.min(PROOFS, failed.length) && verdicts[0] !== undefined
    ? verdicts[0]
    : observed(`${failures} of ${ORDINARY_TEXTS} ordinary texts failed at first, and did no harm`);
}

/** Two events of one person that a receiver must not take for one. */
const HOUR_MS = 3_600_000;

/** Copies of events. */
export const doublesTrials: readonly AuditTrial[] = [
  {
    id: "duplicate-refused",
    title: "A copy of an event is answered as a failure",
    severity: "medium",
    why: "The service takes the answer for a failure and repeats the event, which was done already, to the end.",
    field: retries,
    about: "an ordinary event of five types, each three times: a copy must be accepted",
    run: tryRefusal,
  },
  double(
    {
      id: "duplicate-acts-twice",
      title: "A retry of a text acts twice",
      severity: "high",
      why: twice,
      field: retries,
      about: "a text and the same text again: the copy must change no effect",
    },
    { type: "mo_sms" },
  ),
  ...(
    [
      ["mo_miss", "a missed call", "call"],
      ["mt_sent", "a sent report", "sent"],
      ["mt_dlvd", "a delivery report", "delivered"],
      ["alarm", "an alarm", "alarm"],
      ["flow", "a flow event", "flow"],
    ] as const
  ).map(([type, what, name]) =>
    double(
      {
        id: `duplicate-${name}-acts-twice`,
        title: `A copy of ${what} acts twice`,
        severity: type === "mo_miss" || type === "flow" ? "high" : "medium",
        why: "Phones repeat reports and calls when the answer to a sync is lost, and the service repeats events.",
        field: losses,
        about: `${what} (${type}) twice: the copy must change no effect`,
      },
      { type },
    ),
  ),
  double(
    {
      id: "duplicate-other-order",
      title: "A retry with its fields in another order acts twice",
      severity: "high",
      why: "A retry has the same fields and values; their order may differ.",
      field: retries,
      about: "a text, and the same with its fields in the reverse order: the copy must change no effect",
    },
    {
      type: "mo_sms",
      copy: async (context, body) => [
        await context.post(encodeForm(parseForm(body).toReversed()), { note: "the same fields in the reverse order" }),
      ],
    },
  ),
  {
    id: "duplicate-parallel",
    title: "Copies at the same moment act more than once",
    severity: "high",
    why: "Two attempts meet when the first one is slow: check and insert must be one step.",
    field: losses,
    about: `a text ${COPIES} times at the same moment on as many connections: together they must act once`,
    isAlone: true,
    run: tryParallel,
  },
  double(
    {
      id: "duplicate-after-timeout",
      title: "A retry after a lost answer acts twice",
      severity: "high",
      why: twice,
      field: losses,
      about:
        "a text whose connection closes before the answer is read, then the same text: the copy must change no effect",
    },
    {
      type: "mo_sms",
      send: async (context, body) => {
        context.client.spend(1);
        const connection = new RawConnection(context.client);
        await connection.write([connection.head(body) + body]);
        await connection.hears(context.client.timeoutMs);
        connection.close();
        const failure = "the answer was not read";
        return { sent: { body }, status: null, body: "", headers: {}, failure, ms: 0 };
      },
    },
  ),
  double(
    {
      id: "duplicate-later",
      title: "A copy that comes hours and many events later acts twice",
      severity: "high",
      why: "A retry comes 5 to 15 minutes later, a phone's repeated report hours later: by then a cache has forgotten the event.",
      field: retries,
      about: `a text, ${LATER_EVENTS} texts of other people over the ${LATER_HOURS} hours after it, and the same text: the copy must change no effect`,
    },
    {
      type: "mo_sms",
      changes: ({ nowMs }) => ({ time: nowMs - LATER_HOURS * HOUR_MS }),
      copy: async (context, body) => {
        await fillers(context, body);
        return onceMore(context, body);
      },
    },
  ),
  ...(
    [
      ["mo_sms", "text", "a text"],
      ["mo_miss", "call", "a missed call"],
    ] as const
  ).map(([type, name, what]): AuditTrial => ({
    id: `new-id-${name}`,
    title: `A copy of ${what} with a new id fails`,
    severity: "medium",
    why: "A phone whose sync got no answer tells the service again, which gives it another id: phone, words and time are the same.",
    field: losses,
    about: `${what}, and the same with a new id: it must not fail; whether it acts again is observed`,
    isAlone: true,
    run: (context) => tryNewId(context, type),
  })),
  {
    id: "failed-acts-twice",
    title: "A retry after the receiver's own failure goes wrong",
    severity: "high",
    why: "A receiver that acts and then fails gets the event again; one that marks it as done and then fails loses it.",
    field: retries,
    about: `${ORDINARY_TEXTS} ordinary texts; those that fail are repeated as the service does: each must act once`,
    isAlone: true,
    run: tryFailures,
  },
];

/** Posts events of other people. */
async function fillers(context: AuditContext, exceptBody: string): Promise<void> {
  const bodies = Array.from({ length: LATER_EVENTS }, (_, index) =>
    context.body("mo_sms", {
      phone: context.person().phone,
      time: context.nowMs - LATER_HOURS * HOUR_MS * (1 - (index + 1) / LATER_EVENTS),
    }),
  );
  const rest = bodies.filter((body) => body !== exceptBody);
  while (rest.length > 0) await Promise.all(rest.splice(0, 8).map((body) => context.post(body)));
}

/** What a person has more than the one whose event came once. */
function doubledAgainst(model: readonly EffectRecord[], records: readonly EffectRecord[]): string | undefined {
  for (const place of new Set(records.map((record) => record.place))) {
    const of = (all: readonly EffectRecord[]): EffectRecord[] => all.filter((record) => record.place === place);
    const [one, now] = [of(model), of(records)];
    const name = placeWords(place);
    if (one.length === 1 && (now.length === 2 || (now.length > 2 && looksAlike(now)))) {
      return `${name} has ${now.length} records of it`;
    }
    if (one.length !== 1 || now.length !== 1) continue;
    for (const [leaf, value] of now[0]?.leaves ?? []) {
      if (one[0]?.leaves.get(leaf) === 1 && value === 2 && !countsRequests.test(leaf))
        return `${name}${leaf} is 2, not 1`;
    }
  }
  return undefined;
}
