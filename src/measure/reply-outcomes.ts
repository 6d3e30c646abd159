import { eventId } from "./event-name.js";

/** Answers that were meant to send a message and were ignored for one reason. Plain JSON. */
export interface IgnoredReplies {
  /** The stable word of the reason: `no-recipient`. */
  readonly reason: string;
  readonly count: number;
  /** Id of the first event that was answered so: `3/17`. */
  readonly event: string;
  /** The beginning of that answer. */
  readonly answer: string;
}

/** An ignored answer. */
export interface IgnoredAnswer {
  readonly reason: string;
  readonly channel: number;
  readonly number: number;
  /** The beginning of the answer's body. */
  readonly body: Uint8Array | null;
}

/** Counts the replies of a receiver: those that sent messages, and ignored answers that were meant to. */
export class ReplyOutcomes {
  readonly #ignored = new Map<string, { count: number; readonly event: string; readonly answer: string }>();
  #valid = 0;
  /** One-entry cache: successive equal answers can share one array. */
  #lastBody: Uint8Array | null = null;
  #lastIsMeant = false;

  /** Replies that sent a message. */
  get valid(): number {
    return this.#valid;
  }

  /** By reason, the most frequent first. */
  get ignored(): IgnoredReplies[] {
    return [...this.#ignored]
      .map(([reason, found]) => ({ reason, ...found, count: Math.round(found.count) }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }

  recordValid(count = 1): void {
    this.#valid += count;
  }

  /**
   * Counts an ignored answer unless it is evidently no reply: `OK`, a page of HTML, `{"status": "ok"}`.
   *
   * @param weight - number of answers that it represents; may be a fraction
   */
  recordIgnored({ reason, channel, number, body }: IgnoredAnswer, weight = 1): void {
    if (!this.#isMeant(reason, body)) return;
    const known = this.#ignored.get(reason);
    if (known !== undefined) known.count += weight;
    else this.#ignored.set(reason, { count: weight, event: eventId({ channel, number }), answer: textOf(body) });
  }

  #isMeant(reason: string, body: Uint8Array | null): boolean {
    if (!isUnclear(reason)) return true;
    if (body === null || body !== this.#lastBody) this.#lastIsMeant = isMeantAsReply(reason, textOf(body));
    this.#lastBody = body;
    return this.#lastIsMeant;
  }
}

const unclear: ReadonlySet<string> = new Set(["not-json", "not-an-object", "no-text", "body-too-long"]);

/** Only the body shows whether an answer that was ignored for this reason was meant as a reply. */
export function isUnclear(reason: string): boolean {
  return unclear.has(reason);
}

/** Keys under which receivers put the words of a reply by mistake. */
const wordKeys = ["message", "body", "content", "msg", "sms", "reply", "answer", "response"];

/** Whether an answer was meant to send a message, for the reasons in `unclear`. One that is too long never is. */
function isMeantAsReply(reason: string, body: string): boolean {
  // An object that JSON does not allow: single quotes, a comma at the end, cut off.
  if (reason === "not-json") return /^\s*\{\s*['"]?\w+['"]?\s*:/.test(body) && /['"]?\btext['"]?\s*:/.test(body);
  const json = parsed(body);
  if (reason === "not-an-object")
    return Array.isArray(json) && json.some((one) => isObject(one) && isText(one["text"]));
  return reason === "no-text" && isObject(json) && namesRecipient(json) && wordKeys.some((key) => isText(json[key]));
}

function namesRecipient(json: Readonly<Record<string, unknown>>): boolean {
  return ["urn", "phone", "contact"].some((key) => key in json);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function textOf(body: Uint8Array | null): string {
  return body === null ? "" : new TextDecoder().decode(body).trim();
}
