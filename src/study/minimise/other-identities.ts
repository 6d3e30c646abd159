import type { ExactRequest } from "../../scenario/index.js";
import {
  channelFields,
  encodeForm,
  type FormPair,
  handsetPhoneFields,
  parseForm,
  subjectFields,
} from "../../wire/index.js";

/** Fields with a person's number. */
const personKeys: ReadonlySet<string> = new Set(["phone", "urn"]);

/** Fields with the number of a message, a call or an event. */
const idKeys: ReadonlySet<string> = new Set([...subjectFields, "message_id", "call_id", "event_id"]);

/** Fields with a handset's number among the channels, and with its phone number. */
const channelKeys: ReadonlySet<string> = new Set(channelFields);
const handsetKeys: ReadonlySet<string> = new Set(handsetPhoneFields);

/** Added to ids: larger than those of a log, and far from 2^32. */
const ID_SHIFT = 100_000_000;
const CHANNEL_SHIFT = 1000;

/** Who is replaced: the people, or the handsets too, which a receiver may know by a list. */
export type Replaced = "people" | "people and handsets";

/**
 * The same requests of others: each person gets another number of the same country and length, each message and call
 * another id; equal ones stay equal. A receiver that remembers nothing answers them as it answers the original ones; one
 * that remembers earlier plays has not met them.
 *
 * @param round - others in each round
 */
export function ofOthers(requests: readonly ExactRequest[], replaced: Replaced, round: number): ExactRequest[] {
  const hasHandsets = replaced === "people and handsets";
  const otherOf = (key: string, value: string): string => {
    if (personKeys.has(key)) return otherNumber(value, round);
    if (idKeys.has(key)) return otherId(value, ID_SHIFT + round);
    if (hasHandsets && channelKeys.has(key)) return otherId(value, CHANNEL_SHIFT * round);
    return hasHandsets && handsetKeys.has(key) ? otherNumber(value, round) : value;
  };
  return requests.map((request) => {
    const pairs = parseForm(request.body);
    const others = pairs.map(([key, value]): FormPair => [key, otherOf(key, value)]);
    const isSame = others.every(([, value], place) => value === pairs[place]?.[1]);
    return isSame ? request : { ...request, body: encodeForm(others) };
  });
}

function otherId(text: string, shift: number): string {
  return /^[1-9]\d{0,8}$/.test(text) ? String(Number(text) + shift) : text;
}

/** Another number: the last digits are shifted, all by the same, so that different numbers stay different. */
function otherNumber(text: string, round: number): string {
  return text.replace(/\d{4}$/, (digits) => String((Number(digits) + 3571 + 101 * round) % 10_000).padStart(4, "0"));
}
