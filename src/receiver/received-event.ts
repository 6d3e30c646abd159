import { type FormPair, parseForm } from "../wire/index.js";

/** One request, as received. */
export interface ReceivedEvent {
  /** Milliseconds since 1970, by the wall clock. */
  readonly at: number;
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's pairs in their order. */
  readonly pairs: readonly FormPair[];
  /** The type; empty when the body names none. */
  readonly event: string;
  /** The idempotency key of the event (docs/reference/webhook.md#retries); null when the body lacks its fields. */
  readonly key: string | null;
  /** Whether a request with the same key came before, whatever its answer was. */
  readonly duplicate: boolean;
  /** Number of deliveries of this event so far, this one included. Without a key, its whole body identifies it. */
  readonly times: number;
  /** The answer: a status, or an answer mode. */
  readonly answers: string;
}

/** The parts of an event's body that a receiver needs. */
export interface EventBody {
  readonly pairs: readonly FormPair[];
  readonly event: string;
  readonly key: string | null;
  /** The first value of a field. */
  readonly field: (name: string) => string | undefined;
}

/** Parses any body without error; one that is not form-encoded gives meaningless pairs and no key. */
export function readBody(body: Buffer): EventBody {
  return readPairs(parseForm(body.toString("utf8")));
}

/** The parts of an event whose pairs are decoded already. */
export function readPairs(pairs: readonly FormPair[]): EventBody {
  const fields = new Map(pairs.toReversed());
  const field = (name: string): string | undefined => fields.get(name);
  const event = field("event") ?? "";
  return { pairs, event, key: keyOf(event, field), field };
}

/**
 * The idempotency key of an event (docs/reference/webhook.md#retries). Fields may have either of their two names
 * (`relayer` or `channel`).
 */
function keyOf(event: string, field: (name: string) => string | undefined): string | null {
  const relayer = field("relayer") ?? field("channel");
  switch (event) {
    case "mo_sms":
    case "mt_sent":
    case "mt_dlvd":
    case "mt_fail":
      return joined(event, relayer, field("sms") ?? field("id"));
    case "mo_miss":
    case "mo_call":
    case "mt_call":
    case "mt_miss":
      return joined(event, relayer, field("call") ?? field("id"));
    case "alarm":
      return joined(event, relayer, field("last_seen"));
    case "flow":
      return joined(event, field("phone"), field("flow"), field("step"), countOf(field("values")));
    default:
      return null;
  }
}

function joined(...parts: readonly (string | undefined)[]): string | null {
  return parts.includes(undefined) ? null : parts.join(" ");
}

/** Count of the values that a flow has collected; the same step comes again with more values. */
function countOf(values: string | undefined): string | undefined {
  if (values === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(values);
    if (Array.isArray(list)) return String(list.length);
  } catch {
    // Not JSON: the length of the text serves instead of the count.
  }
  return String(values.length);
}
