import type { ExactRequest } from "../../scenario/index.js";
import { encodeForm, type FormPair, parseForm } from "../../wire/index.js";

/** Fields with a person's number. */
const phoneKeys: ReadonlySet<string> = new Set(["phone", "urn"]);

/** Fields with the number of a message, a call or an event. */
const idKeys: ReadonlySet<string> = new Set(["id", "sms", "call", "message_id", "call_id", "event_id"]);

/** Added to each id: larger than those of a log, and far from 2^32. */
const ID_SHIFT = 100_000_000;

/**
 * The same requests of other people: each person gets another number with the same country and length, each message and
 * call another id; equal ones stay equal. A receiver that remembers nothing answers them as it answers the original
 * ones; one that remembers earlier plays has not met these people.
 *
 * @param round - other people in each round
 */
export function ofOtherPeople(requests: readonly ExactRequest[], round: number): ExactRequest[] {
  return requests.map((request) => {
    const pairs = parseForm(request.body);
    const others = pairs.map(([key, value]): FormPair => {
      if (phoneKeys.has(key)) return [key, otherNumber(value, round)];
      return idKeys.has(key) && /^[1-9]\d{0,8}$/.test(value)
        ? [key, String(Number(value) + ID_SHIFT + round)]
        : [key, value];
    });
    const isSame = others.every(([, value], place) => value === pairs[place]?.[1]);
    return isSame ? request : { ...request, body: encodeForm(others) };
  });
}

/** Another number: its last digits are shifted, all by the same, so that different numbers stay different. */
function otherNumber(text: string, round: number): string {
  return text.replace(/\d{4}$/, (digits) => String((Number(digits) + 3571 + 101 * round) % 10_000).padStart(4, "0"));
}
