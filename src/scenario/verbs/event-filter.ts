import {
  compilePattern,
  type EventType,
  eventFields,
  isE164,
  isEventType,
  type KnownEvent,
  namesIn,
  normalisePhone,
  type Spelling,
  spellings,
} from "../../wire/index.js";
import { networkTypes, phoneOf } from "../../world/index.js";
import { type EventFacts, hasNumber } from "../event-facts.js";
import { readSelection, type Selection } from "../fields/values/selector.js";
import type { Pattern } from "../scenario.js";
import { suggest } from "../sheet/nearest.js";
import { describeValue, type Problem } from "../sheet/raw-value.js";
import type { StepContext } from "./verb.js";

/*
 * Checks filters of events, `where: { phone: … }`. A value that the field never has is an error: an expectation with it
 * can never be met. A number outside the cast is a warning where only somebody who acts by hand can cause it.
 */

type EventField = (typeof eventFields)[EventType][number];

/** Reports a filter that can never hold. */
export function checkFilter(type: string, where: Readonly<Record<string, Pattern>>, step: StepContext): void {
  if (!isEventType(type)) return;
  for (const [name, pattern] of Object.entries(where)) {
    // The story's own events have any values.
    if (step.events?.fieldsPosted(type)?.has(name) === true) continue;
    const field = eventFields[type].find((one) => spellings.some((spelling) => namesIn(one, spelling).includes(name)));
    const problem =
      field === undefined
        ? unknownField(type, name)
        : (missingField(type, { name, field }, step.events) ?? impossible(type, { field, pattern, step }));
    if (problem !== undefined) step.reportProblem(["where", name], problem);
  }
}

function unknownField(type: EventType, name: string): Problem {
  const known = new Set(eventFields[type].flatMap((one) => spellings.flatMap((spelling) => namesIn(one, spelling))));
  return { code: "unknown-event", message: `is no field of ${type}`, on: "key", hint: suggest(name, known) };
}

/** A field that the service's spelling lacks. */
function missingField(
  type: EventType,
  { name, field }: { readonly name: string; readonly field: EventField },
  events: EventFacts | undefined,
): Problem | undefined {
  const service = events?.service;
  if (service === undefined) return undefined;
  const { spelling } = service;
  const isLeftOut = spelling === "sample" && field.isOptionalSample === true && !service.sampleStatus;
  const names = isLeftOut ? [] : namesIn(field, spelling);
  if (names.includes(name)) return undefined;
  const others = spellings.filter((one) => namesIn(field, one).includes(name));
  return {
    code: "never-holds",
    message: `is no field of ${type} in the spelling '${spelling}' of the service`,
    on: "key",
    hint: isLeftOut
      ? "write service: { sample-status: true }"
      : names[0] === undefined
        ? `write service: { spelling: ${others[0]} }`
        : `it is called '${names[0]}' there`,
  };
}

interface Filter {
  readonly field: EventField;
  readonly pattern: Pattern;
  readonly step: StepContext;
}

/** A value that the field never has. */
function impossible(type: EventType, { field, pattern, step }: Filter): Problem | undefined {
  const spelling = step.events?.service?.spelling;
  const words = wordsOf(field, spelling);
  if (words !== undefined) return words.some(matcherOf(pattern)) ? undefined : notAmong(words, pattern);
  // What a regular expression matches is not known in general.
  if (pattern.kind === "regexp" || pattern.text === "") return undefined;
  const { text } = pattern;
  if (field.property === "phone") return notPhone(type, text, step);
  if (field.property === "relayerPhone") return notRelayerPhone(text, step);
  if (field.property === "status") return /^[A-Z]$/.test(text) ? undefined : never(text, "a status is one letter");
  if (isWhole(field)) return notWhole(text, { field, step });
  const forms = timeForms(field, spelling);
  if (forms.length === 0 || forms.some((form) => isPartOf(form, text))) return undefined;
  return never(text, `a time is written as ${forms[0]}`, timeHint(text));
}

function never(text: string, why: string, hint?: string): Problem {
  return { code: "never-holds", message: `never holds ${describeValue(text)}: ${why}`, hint };
}

function matcherOf(pattern: Pattern): (text: string) => boolean {
  if (pattern.kind === "contains") return (text) => text.includes(pattern.text);
  const compiled = compilePattern(pattern);
  return typeof compiled === "function" ? compiled : () => true;
}

/** All values of a field, if they can be listed; without a spelling: of all spellings. */
function wordsOf({ property, codec }: EventField, spelling: Spelling | undefined): readonly string[] | undefined {
  if (property === "networkType") return ["", ...networkTypes.map((type) => (type === "none" ? "NONE" : type))];
  if (property === "powerLevel") return Array.from({ length: 102 }, (_, index) => String(index - 1));
  const { words, write, writeHistoric } = codec;
  if (words === undefined) return undefined;
  const historic = (value: unknown): string => (writeHistoric ?? write)(value, noEvent);
  if (spelling === undefined) return words.flatMap((value) => [write(value), historic(value)]);
  return words.map((value) => (spelling === "historic" ? historic(value) : write(value)));
}

/** Codecs of single values write them without a look at the event. */
const noEvent = {} as KnownEvent;

function notAmong(words: readonly string[], pattern: Pattern): Problem {
  const text = pattern.kind === "contains" ? pattern.text : `/${pattern.source}/${pattern.flags}`;
  const named = [...new Set(words.filter((word) => word !== ""))];
  if (named.length > 100) {
    const percent = /^(\d{1,2}|100)\s*%$/.exec(text)?.[1];
    const hint = percent === undefined ? undefined : `write ${percent}`;
    return never(text, "it is whole percent from -1, not known, to 100", hint);
  }
  const why = named.length === 1 ? `it is always ${named[0]}` : `it is one of ${named.join(", ")}`;
  const close = suggest(text, named);
  return never(text, why, close.startsWith("did you mean") ? close : undefined);
}

function isWhole({ codec }: EventField): boolean {
  return codec.read("7", () => undefined) === 7;
}

function notWhole(text: string, { field, step }: Pick<Filter, "field" | "step">): Problem | undefined {
  if (/^-?\d{0,16}$/.test(text)) return undefined;
  const bound = /^[=!<>]+\s*\d+$/.test(text) ? "write the number: a filter does not compare" : undefined;
  const unit = /^(\d+)\s*(s|%|ms|seconds?)$/.exec(text)?.[1];
  const isChannel = field.property === "relayer";
  const hint = (isChannel ? selectorHint(text, step) : undefined) ?? bound ?? (unit && `write ${unit}`);
  return never(text, isChannel ? "it is the number of a channel" : "it is a whole number", hint);
}

function notPhone(type: EventType, text: string, step: StepContext): Problem | undefined {
  const isIncoming = type === "mo_sms" || type === "mo_call" || type === "mo_miss";
  const people = isIncoming ? step.events?.people : undefined;
  const selected = selectorHint(text, step);
  if (text === "withheld") {
    return never(text, "who withholds a number has an empty one", "write /^$/");
  }
  if (/^\+?\d*$/.test(text)) {
    if (!isPartOfNumber(text)) return never(text, "a phone number has 7 to 15 digits, of which the first is not 0");
    if (people === undefined || !text.startsWith("+") || people.some((one) => hasNumber(one, text))) return undefined;
    return step.events?.hasStranger(text) === true ? undefined : stranger(text, "of the people");
  }
  const isSender = people?.some(({ phone }) => phone.digits === 0 && phone.prefix.includes(text));
  // Of an outgoing message, the number may be any that the REST API accepts.
  if (isSender ?? (selected === undefined && isPartOfName(text))) return undefined;
  const clean = normalisePhone(text);
  const why = isPartOfName(text) && selected === undefined ? "nobody has this name" : "it is a phone number";
  return never(text, why, selected ?? (clean === undefined ? undefined : `write "${clean}"`));
}

function notRelayerPhone(text: string, step: StepContext): Problem | undefined {
  if (!/^\+?\d*$/.test(text) || !isPartOfNumber(text)) {
    const clean = normalisePhone(text);
    const hint = selectorHint(text, step) ?? (clean === undefined ? undefined : `write "${clean}"`);
    return never(text, "it is the phone number of a channel", hint);
  }
  const { handsets, changesNumbers } = step.events ?? {};
  if (handsets === undefined || changesNumbers === true || !text.startsWith("+")) return undefined;
  return handsets.some((one) => hasNumber(one, text)) ? undefined : stranger(text, "of the handsets");
}

/** A number that only somebody who acts by hand can cause. */
function stranger(text: string, whose: string): Problem {
  return {
    code: "never-holds",
    message: `is ${describeValue(text)}, a number that none ${whose} has`,
    hint: "correct the number, unless somebody acts with it by hand",
    severity: "warning",
  };
}

function isPartOfNumber(text: string): boolean {
  return text.length <= 16 && (!text.startsWith("+") || text === "+" || isE164(text.padEnd(8, "0")));
}

function isPartOfName(text: string): boolean {
  return /^[\p{L}\p{N} &'+._-]{1,11}$/u.test(text);
}

/** The hint for a selector where the number of a phone belongs; undefined: it selects nobody. */
function selectorHint(text: string, step: StepContext): string | undefined {
  const selection = readSelection()(text.trim(), () => undefined);
  const kind = selection && step.kindOf(selection);
  if (selection === undefined || kind === undefined) return undefined;
  if (kind === "handsets") return `did you mean of: ${selection.text}, beside 'where'?`;
  const number = numberOf(selection, step.events);
  return number === undefined ? "write a phone number, or a part of one" : `write "${number}"`;
}

/** The number of a single selected person. */
function numberOf({ parts }: Selection, events: EventFacts | undefined): string | undefined {
  const [part] = parts;
  const group = events?.people?.find((one) => one.group === part?.group);
  const member = part?.from ?? (group?.count === 1 ? 0 : undefined);
  if (part === undefined || parts.length > 1 || group === undefined || member === undefined) return undefined;
  if (member >= group.count || (part.to ?? member) !== member) return undefined;
  return phoneOf(group.phone, member);
}

/** How a field writes times; empty: it holds no time. Without a spelling: in all spellings. */
function timeForms({ codec }: EventField, spelling: Spelling | undefined): string[] {
  const { write, writeHistoric } = codec;
  const atMs = codec.read("2026-03-04T06:00:00.000", () => undefined);
  if (typeof atMs !== "number") return [];
  const historic = (writeHistoric ?? write)(atMs, noEvent);
  if (spelling === undefined) return [write(atMs), historic];
  return [spelling === "historic" ? historic : write(atMs)];
}

/** Whether a text may be a part of one in which the digits are others. */
function isPartOf(form: string, text: string): boolean {
  const digits = (value: string): string => value.replaceAll(/\d/g, "0");
  return digits(form).includes(digits(text));
}

function timeHint(text: string): string | undefined {
  const isShort = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?$/.test(text);
  return isShort ? `write ${text.replace(" ", "T").replace(/Z$/, "")}` : "write a part of it, such as T06:00";
}
