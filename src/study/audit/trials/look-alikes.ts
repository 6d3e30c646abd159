import type { EventType } from "../../../wire/index.js";
import { answerWords, type Exchange, isAccepted, isFailure } from "../client.js";
import { type AuditContext, type EventChanges, refusedText, SECOND_PHONE, SECOND_RELAYER } from "../context.js";
import { type Effects, isMore, markerOf, recordsOf, recordsText } from "../effects.js";
import { type AuditTrial, fault, type Outcome, passed, untested } from "../trial.js";
import { losses, noEffects, PROOFS, retries } from "./doubles.js";

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

interface Distinct {
  readonly type: EventType;
  readonly first: EventChanges;
  /** The second one, as the trial sends it. */
  readonly second: EventChanges;
  /** The second one, as nobody takes it for a copy: shows that the effects would show it. */
  readonly control: EventChanges;
  readonly secondType?: EventType;
}

async function tryDistinct(context: AuditContext, pairFor: (context: AuditContext) => Distinct): Promise<Outcome> {
  for (let proof = 0; ; proof++) {
    const pair = pairFor(context);
    const { type, secondType = type } = pair;
    const { first, second, control } = withTexts(pair, await context.words.textsThatBothShow());
    for (const one of [type, secondType]) {
      const asked = await context.control(one);
      if (!asked.isAccepted) return untested(refusedText(one, asked));
    }
    const shows = await showsSecond(context, { type, first, second: control, secondType });
    if (!shows.exchanges.every(isAccepted)) return untested("two events of a person are not both accepted");
    // Who keeps the last value alone may rightly keep another one than the event that came last.
    if (shows.isShown && !shows.isAdded) return untested("the effects keep one value of a person, not each event");
    const tried = await showsSecond(context, { type, first, second, secondType });
    const wrong = wrongAnswer(tried.exchanges);
    if (wrong !== undefined) {
      if (proof + 1 === PROOFS) return fault(wrong, tried.exchanges);
      continue;
    }
    if (!shows.isShown)
      return untested(
        context.effects === undefined ? noEffects : `a second ${secondType} of a person does not show in the effects`,
      );
    if (tried.isShown || !tried.exchanges.every(isAccepted)) return passed;
    if (proof + 1 === PROOFS)
      return fault("both are accepted, and the effects show the first one alone", tried.exchanges);
  }
}

/** The pair with texts of a word that the receiver knows. A pair of equal texts stays: such a repeat may rightly show nothing. */
function withTexts({ type, first, second, control }: Distinct, texts: readonly [string, string] | undefined) {
  if (texts === undefined || type !== "mo_sms" || second["text"] === undefined) return { first, second, control };
  const [one, two] = texts;
  return { first: { ...first, text: one }, second: { ...second, text: two }, control: { ...control, text: two } };
}

/** What is wrong with the answer to the second event, where the one to the second control is right. */
function wrongAnswer([one, two]: readonly Exchange[]): string | undefined {
  if (one === undefined || two === undefined || !isAccepted(one)) return undefined;
  if (isFailure(two)) return `the second one is answered with ${answerWords(two)}`;
  return undefined;
}

async function showsSecond(
  context: AuditContext,
  {
    type,
    first,
    second,
    secondType,
  }: { type: EventType; first: EventChanges; second: EventChanges; secondType: EventType },
): Promise<{ readonly isShown: boolean; readonly isAdded: boolean; readonly exchanges: Exchange[] }> {
  const person = context.person();
  const markers = [markerOf(person.phone)];
  const shown = (effects: Effects): string => recordsText(effects, markers);
  const one = await context.post(context.body(type, { phone: person.phone, ...first }));
  if (context.effects !== undefined) await context.effects.readWhen((now) => shown(now) !== "[]");
  const earlier = await context.effects?.readSettled(shown);
  const before = shown(earlier);
  const two = await context.post(context.body(secondType, { phone: person.phone, ...second }));
  const after = await context.effects?.readWhen((now) => shown(now) !== before);
  const isAdded = isMore(recordsOf(earlier, markers), recordsOf(after, markers));
  return { isShown: shown(after) !== before, isAdded, exchanges: [one, two] };
}

function distinct(
  head: Pick<AuditTrial, "id" | "title" | "severity" | "why" | "field" | "about">,
  pairFor: (context: AuditContext) => Distinct,
): AuditTrial {
  return { ...head, run: (context) => tryDistinct(context, pairFor) };
}

/** Events that look like copies, and are none. */
export const lookAlikeTrials: readonly AuditTrial[] = [
  distinct(
    {
      id: "repeat-swallowed",
      title: "A true repeat is swallowed",
      severity: "medium",
      why: "People write the same word again, such as YES to another question; only the id tells.",
      field: "docs/reference/handset.md#field-reports",
      about: "two texts with the same words, an hour apart, with ids of their own: both must show",
    },
    (context) => ({
      type: "mo_sms",
      first: { time: context.nowMs - 2 * HOUR_MS },
      second: { time: context.nowMs - HOUR_MS },
      control: { time: context.nowMs - HOUR_MS, text: "Another text altogether, of eight words or so." },
    }),
  ),
  distinct(
    {
      id: "same-second",
      title: "A second text within one second is lost",
      severity: "medium",
      why: "Phones that come back deliver many texts at once, and their times have whole seconds.",
      field: losses,
      about: "two different texts of one person in one second: both must show",
    },
    (context) => ({
      type: "mo_sms",
      first: { time: context.nowMs - 1000 },
      second: { time: context.nowMs - 1000, text: "Another text altogether, of eight words or so." },
      control: { time: context.nowMs, text: "Another text altogether, of eight words or so." },
    }),
  ),
  distinct(
    {
      id: "older-text",
      title: "A text that is older than the last one is lost",
      severity: "high",
      why: "The inbox of a phone is read newest first, and retries come after newer texts.",
      field: "docs/reference/handset.md#field-reports",
      about: "two texts of one person, the newer one first: both must show",
    },
    (context) => ({
      type: "mo_sms",
      first: { time: context.nowMs },
      second: { time: context.nowMs - 10 * 60_000, text: "Another text altogether, of eight words or so." },
      control: { time: context.nowMs + 60_000, text: "Another text altogether, of eight words or so." },
    }),
  ),
  distinct(
    {
      id: "same-id-other-phone",
      title: "The same id of another phone is lost",
      severity: "medium",
      why: "The key of an event has the relayer: ids may repeat at another one.",
      field: retries,
      about: "two texts with one id, of two relayers: both must show",
    },
    (context) => {
      const sms = context.id();
      const other = {
        relayer: SECOND_RELAYER,
        relayerPhone: SECOND_PHONE,
        text: "Another text altogether, of eight words or so.",
      };
      return { type: "mo_sms", first: { sms }, second: { ...other, sms }, control: { ...other, sms: context.id() } };
    },
  ),
  distinct(
    {
      id: "same-id-other-type",
      title: "A call with the id of a text is lost",
      severity: "medium",
      why: "Texts and calls count their ids apart: the key of an event has its type.",
      field: retries,
      about: "a text, and a missed call with the same number as its id: both must show",
    },
    (context) => {
      const sms = context.id();
      return {
        type: "mo_sms",
        secondType: "mo_miss",
        first: { sms },
        second: { call: sms },
        control: { call: context.id() },
      };
    },
  ),
  distinct(
    {
      id: "flow-step-again",
      title: "The second visit of a flow's step is lost",
      severity: "medium",
      why: "A flow that loops posts the same step again, with one value more.",
      field: retries,
      about: "a flow event, and the same step with a value more: both must show",
    },
    (context) => {
      const step = `5a7c1f0e-0000-4000-8000-${String(context.id()).padStart(12, "0")}`;
      const value = { label: "Age", category: "Number", value: "15", text: "15", time: context.nowMs };
      const more = { label: "Water Source", category: "River", value: "3", text: "3 the river", time: context.nowMs };
      const values = [value, more];
      const other = `5a7c1f0e-0000-4000-8000-${String(context.id()).padStart(12, "0")}`;
      return {
        type: "flow",
        first: { step, values: [value] },
        second: { step, values },
        control: { step: other, values },
      };
    },
  ),
];
