import { isListening } from "../../lab/index.js";
import type { EventType, Spelling } from "../../wire/index.js";
import {
  answerWords,
  type Exchange,
  isAccepted,
  isFailure,
  meansReply,
  type PostChanges,
  replyOf,
  replyText,
} from "./client.js";
import { type AuditContext, type Control, type EventChanges, isInstant, type Person, refusedText } from "./context.js";
import { type EffectRecord, hasText, instantOf } from "./effects.js";
import { type AuditTrial, fault, observed, type Outcome, passed, type Severity, untested } from "./trial.js";

/** What must show in the effects after an event that was accepted. */
export type Kept =
  /** Nothing: an application may ignore it. */
  | "nothing"
  /** The person. */
  | "person"
  /** The person, and exactly this text. */
  | { readonly text: string }
  /** The person, and this instant: milliseconds since 1970. */
  | { readonly timeMs: number };

/** An event that differs from the ordinary one of its type in one point. */
export interface Variant {
  readonly type: EventType;
  readonly changes?: (context: AuditContext) => EventChanges;
  /** Changes the encoded body. */
  readonly rewrite?: (body: string) => string;
  readonly spelling?: Spelling;
  readonly post?: PostChanges;
  /** What a refusal (4xx, 503) is: a fault where the contract has such events, else the application's decision. */
  readonly refusal: "fault" | "observed";
  readonly keeps: (context: AuditContext) => Kept;
  /** Whether an application may accept it and keep nothing. */
  readonly mayIgnore?: true;
  /** Whether it is played alone, so that a receiver that ends by it is not blamed on another trial. */
  readonly isAlone?: true;
}

/** How often a variant must fail, each time with a control that passes, before the receiver is accused. */
const PROOFS = 3;

/** A trial that compares a variant with the ordinary event of its type. */
export function variantTrial(head: Omit<AuditTrial, "run" | "isAlone">, variant: Variant): AuditTrial {
  return {
    ...head,
    ...(variant.isAlone === true && { isAlone: true }),
    run: (context) => runVariant(context, variant),
  };
}

/** What is wrong with the answer to a variant or with what was kept. */
interface Problem {
  readonly seen: string;
  readonly exchange: Exchange;
  readonly severity?: Severity;
}

async function runVariant(context: AuditContext, variant: Variant): Promise<Outcome> {
  let control = await context.control(variant.type);
  if (!control.isAccepted) return untested(refusedText(variant.type, control));
  const exchanges: Exchange[] = [];
  let last: Problem | undefined;
  for (let proof = 0; proof < PROOFS; proof++) {
    if (proof > 0) control = await context.askControl(variant.type);
    if (!control.isAccepted) return untested("the receiver fails at ordinary events too, now and then");
    const found = await tryVariant(context, variant, control);
    if (found === undefined) return passed;
    if ("kind" in found) return found;
    if (variant.isAlone === true && found.exchange.status === null) {
      const isGone = !(await isListening(context.client.url.href));
      if (isGone) return fault(`${found.seen}, and nothing listens any more`, [found.exchange]);
    }
    exchanges.push(found.exchange);
    last = found;
  }
  return last === undefined ? passed : fault(last.seen, exchanges.slice(0, 1), last.severity);
}

async function tryVariant(
  context: AuditContext,
  variant: Variant,
  control: Control,
): Promise<Problem | Outcome | undefined> {
  const person = context.person();
  const encoded = context.body(variant.type, { phone: person.phone, ...variant.changes?.(context) }, variant.spelling);
  const exchange = await context.post(variant.rewrite?.(encoded) ?? encoded, variant.post);
  if (isFailure(exchange)) return { seen: `it is answered with ${answerWords(exchange)}`, exchange };
  if (!isAccepted(exchange)) {
    if (variant.refusal === "observed") return observed(`it is refused with ${answerWords(exchange)}`);
    return { seen: `it is refused with ${answerWords(exchange)}`, exchange };
  }
  const lost = lostReply(exchange, control);
  if (lost !== undefined) return { seen: lost, exchange, severity: "medium" };
  return checkKept(context, { variant, person, exchange, control });
}

/** Why the service ignores the reply to the variant; undefined: it accepts it, or ignores the ordinary reply as well. */
function lostReply(exchange: Exchange, control: Control): string | undefined {
  const reply = replyOf(exchange);
  if (reply.kind !== "ignored" || !meansReply(exchange) || replyOf(control.exchange).kind !== "reply") return undefined;
  return `it is accepted, and the service ignores the reply: ${reply.detail}`;
}

async function checkKept(
  context: AuditContext,
  about: { variant: Variant; person: Person; exchange: Exchange; control: Control },
): Promise<Problem | Outcome | undefined> {
  const { variant, person, exchange, control } = about;
  const keeps = variant.keeps(context);
  if (keeps === "nothing") return undefined;
  const text = typeof keeps === "object" && "text" in keeps ? keeps.text : undefined;
  const echo = replyText(exchange);
  // A reply may be cut: only short texts must come back whole.
  if (text !== undefined && control.echoes && echo !== undefined && text.length <= 120 && !echo.includes(text)) {
    if (echo.includes(text.trim())) return observed("spaces at the ends of a text are stripped");
    return { seen: `the reply repeats the text as ${JSON.stringify(echo.slice(0, 160))}`, exchange };
  }
  if (!control.isKept) return undefined;
  const records = await context.recordsFor(person);
  if (records.length === 0 && variant.mayIgnore === true) return observed("it is accepted and not kept");
  if (records.length === 0) {
    return { seen: "it is accepted, and the effects show nothing of it", exchange, severity: "high" };
  }
  if (text !== undefined && control.keepsText) return checkText(text, records, exchange);
  if (typeof keeps === "object" && "timeMs" in keeps) return checkTime(keeps.timeMs, records, control, exchange);
  return undefined;
}

function checkText(text: string, records: readonly EffectRecord[], exchange: Exchange): Problem | Outcome | undefined {
  if (hasText(records, text)) return undefined;
  if (hasText(records, text.trim())) return observed("spaces at the ends of a text are stripped");
  if (hasText(records, text.normalize("NFC"))) return observed("texts are kept in Unicode's composed form");
  const kept = records
    .flatMap(({ leaves }) => [...leaves])
    .find(([place, value]) => typeof value === "string" && /text|body|message|content/i.test(place));
  const words = kept === undefined ? "is not kept" : `is kept as ${JSON.stringify(String(kept[1]).slice(0, 120))}`;
  return { seen: `the text ${words}${kept === undefined ? "" : lengthWords(String(kept[1]), text)}`, exchange };
}

function lengthWords(kept: string, text: string): string {
  return kept.length === text.length ? "" : ` (${kept.length} of ${text.length} letters)`;
}

function checkTime(
  timeMs: number,
  records: readonly EffectRecord[],
  control: Control,
  exchange: Exchange,
): Problem | undefined {
  if (control.timePlaces.size === 0) return undefined;
  const all = records.flatMap(({ place, leaves }) =>
    [...leaves].map(([leaf, value]) => ({ at: `${place}${leaf}`, value })),
  );
  if (all.some(({ value }) => isInstant(value, timeMs))) return undefined;
  const other = all.find(({ at, value }) => control.timePlaces.has(at) && instantOf(value) !== undefined);
  const read = other && instantOf(other.value);
  if (read === undefined) return undefined;
  const hours = Math.round(((read - timeMs) / 3_600_000) * 10) / 10;
  return { seen: `its time is kept as ${new Date(read).toISOString()}, ${Math.abs(hours)} h off`, exchange };
}
