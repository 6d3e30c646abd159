import type { EventType } from "../../../wire/index.js";
import { answerWords, type Exchange, isAccepted } from "../client.js";
import { type AuditContext, refusedText } from "../context.js";
import { type EffectRecord, instantOf, markerOf, recordsOf } from "../effects.js";
import { type AuditTrial, fault, type Outcome, passed, untested } from "../trial.js";
import { noEffects } from "./doubles.js";

const losses = "docs/reference/handset.md#duplicates-and-losses";
const states = "docs/reference/handset.md#message-states";

const PROOFS = 3;

/** Plays reports about one message of a new person. */
async function play(
  context: AuditContext,
  types: readonly EventType[],
): Promise<{ readonly exchanges: Exchange[]; readonly records: readonly EffectRecord[] }> {
  const { phone } = context.person();
  const sms = context.id();
  const exchanges: Exchange[] = [];
  for (const [index, type] of types.entries()) {
    exchanges.push(await context.post(context.body(type, { phone, sms, time: context.nowMs + index * 5000 })));
  }
  if (context.effects === undefined) return { exchanges, records: [] };
  // Many applications keep a report under the id of its message alone.
  const markers = [markerOf(phone), String(sms)];
  await context.effects.readWhen((now) => recordsOf(now, markers).length > 0);
  return { exchanges, records: await context.effects.settledRecords(markers) };
}

/** A trial of the answers to a sequence of reports, each of which is accepted alone. */
function sequence(
  head: Pick<AuditTrial, "id" | "title" | "severity" | "why" | "field" | "about">,
  types: readonly EventType[],
): AuditTrial {
  const run = async (context: AuditContext): Promise<Outcome> => {
    for (const type of new Set(types)) {
      // In order, as most reports come.
      const { exchanges } = await play(context, type === "mt_dlvd" ? ["mt_sent", "mt_dlvd"] : [type]);
      const refused = exchanges.find((exchange) => !isAccepted(exchange));
      if (refused !== undefined) return untested(`an ordinary ${type} is answered with ${answerWords(refused)}`);
    }
    let last: Outcome = passed;
    for (let proof = 0; proof < PROOFS; proof++) {
      const { exchanges } = await play(context, types);
      const failed = exchanges.find((exchange) => !isAccepted(exchange));
      if (failed === undefined) return passed;
      last = fault(
        `${types.join(", ")} of one message: ${types[exchanges.indexOf(failed)]} is answered with ${answerWords(failed)}`,
        exchanges,
      );
    }
    return last;
  };
  return { ...head, run };
}

/** The leaves of the records that are words, by their places. Places that occur more than once are left out. */
function wordsOf(records: readonly EffectRecord[]): Map<string, string> {
  const words = new Map<string, string>();
  const seen = new Set<string>();
  for (const { place, leaves } of records) {
    for (const [leaf, value] of leaves) {
      const at = `${place}${leaf}`;
      if (typeof value !== "string" || instantOf(value) !== undefined) continue;
      if (seen.has(at)) words.delete(at);
      else words.set(at, value);
      seen.add(at);
    }
  }
  return words;
}

/** A word that says how far a message is: after mt_sent alone, and after mt_dlvd alone. */
interface StatusPlace {
  readonly at: string;
  readonly sent: string;
  readonly delivered: string;
}

async function statusPlace(context: AuditContext): Promise<StatusPlace | undefined> {
  const words = async (types: readonly EventType[]): Promise<Map<string, string>> =>
    wordsOf((await play(context, types)).records);
  const [sent, sentAgain] = [await words(["mt_sent"]), await words(["mt_sent"])];
  // A receiver may ignore a report of delivery that comes alone.
  for (const types of [["mt_dlvd"], ["mt_sent", "mt_dlvd"]] as const) {
    const [one, two] = [await words(types), await words(types)];
    for (const [at, word] of sent) {
      const delivered = one.get(at);
      // The same for each message of its kind, so neither a phone nor an id.
      if (delivered === undefined || delivered === word) continue;
      if (sentAgain.get(at) === word && two.get(at) === delivered) return { at, sent: word, delivered };
    }
  }
  return undefined;
}

/** A trial of what is kept after reports in an order. */
async function tryStatus(context: AuditContext, types: readonly EventType[]): Promise<Outcome> {
  if (context.effects === undefined) return untested(noEffects);
  for (const type of ["mt_sent", "mt_dlvd"] as const) {
    const control = await context.control(type);
    if (!control.isAccepted) return untested(refusedText(type, control));
  }
  const status = await statusPlace(context);
  if (status === undefined) return untested("the effects do not tell a sent message from a delivered one");
  for (let proof = 0; ; proof++) {
    const { exchanges, records } = await play(context, types);
    const kept = wordsOf(records).get(status.at);
    if (kept !== status.sent || !exchanges.every(isAccepted)) return passed;
    if (proof + 1 < PROOFS - 1) continue;
    const place = status.at.replace(/^\./, "");
    return fault(
      `after ${types.join(", ")} ${place} is ${JSON.stringify(kept)}, and ${JSON.stringify(status.delivered)} for a delivered message`,
      exchanges,
    );
  }
}

/** Reports about outgoing texts: before, without and after each other. */
export const reportTrials: readonly AuditTrial[] = [
  sequence(
    {
      id: "delivered-before-sent",
      title: "mt_dlvd before mt_sent fails",
      severity: "high",
      why: "A delivery report overtakes the last segment's callback, and retries overtake nothing.",
      field: losses,
      about: "mt_dlvd, then mt_sent of one message: both must be accepted",
    },
    ["mt_dlvd", "mt_sent"],
  ),
  sequence(
    {
      id: "report-after-failure",
      title: "Reports after a failure fail",
      severity: "medium",
      why: "A phone that gave a text up may send it later, and the network may deliver it.",
      field: states,
      about: "mt_sent, mt_fail, mt_dlvd, mt_sent of one message: each must be accepted",
    },
    ["mt_sent", "mt_fail", "mt_dlvd", "mt_sent"],
  ),
  sequence(
    {
      id: "delivered-twice",
      title: "Repeated reports fail",
      severity: "medium",
      why: "Phones report each part of a long text, and repeat reports whose answers were lost.",
      field: losses,
      about: "mt_sent, mt_dlvd, mt_dlvd of one message at different times: each must be accepted",
    },
    ["mt_sent", "mt_dlvd", "mt_dlvd"],
  ),
  {
    id: "status-goes-back",
    title: "A delivered message becomes a sent one",
    severity: "high",
    why: "Reports come in any order: who trusts the last one sends again what was delivered.",
    field: states,
    about: "mt_dlvd, then mt_sent of one message: it must be kept as delivered",
    run: (context) => tryStatus(context, ["mt_dlvd", "mt_sent"]),
  },
  {
    id: "delivery-lost",
    title: "mt_dlvd after mt_sent is lost",
    severity: "high",
    why: "Both reports have the id of the message: a key without the type takes the second for a copy.",
    field: "docs/reference/webhook.md#retries",
    about: "mt_sent, then mt_dlvd of one message: it must be kept as delivered",
    run: (context) => tryStatus(context, ["mt_sent", "mt_dlvd"]),
  },
  {
    id: "call-zero-missed",
    title: "An answered call of 0 seconds is kept as a missed one",
    severity: "low",
    why: "The type says what a call was; a call that is hung up at once lasts 0 seconds.",
    field: "docs/reference/webhook.md#call-events",
    about: "mo_call with a duration of 0, beside mo_call and mo_miss: it must be kept as mo_call is",
    run: tryZeroCall,
  },
];

async function tryZeroCall(context: AuditContext): Promise<Outcome> {
  if (context.effects === undefined) return untested(noEffects);
  const keep = async (
    type: EventType,
    duration: number,
  ): Promise<{ exchange: Exchange; words: Map<string, string> }> => {
    const person = context.person();
    const exchange = await context.post(context.body(type, { phone: person.phone, duration }));
    await context.recordsFor(person);
    return { exchange, words: wordsOf(await context.settledRecords(person)) };
  };
  for (let proof = 0; ; proof++) {
    const [answered, missed, zero] = [await keep("mo_call", 30), await keep("mo_miss", 0), await keep("mo_call", 0)];
    if (![answered, missed, zero].every(({ exchange }) => isAccepted(exchange))) return untested("calls are refused");
    const control = await keep("mo_call", 45);
    const places = [...answered.words].filter(
      ([at, word]) => control.words.get(at) === word && missed.words.has(at) && missed.words.get(at) !== word,
    );
    if (places.length === 0) return untested("the effects do not tell an answered call from a missed one");
    const wrong = places.find(([at]) => zero.words.get(at) === missed.words.get(at));
    if (wrong === undefined) return passed;
    if (proof > 0)
      return fault(`${wrong[0].replace(/^\./, "")} is ${JSON.stringify(zero.words.get(wrong[0]))}`, [zero.exchange]);
  }
}
