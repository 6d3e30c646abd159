import { type FormPair, parseForm } from "../wire/index.js";

/** One request as the receiver saw it. */
export interface ReceivedEvent {
  /** Milliseconds since 1970, by the wall clock. */
  readonly at: number;
  readonly method: string;
  /** Path and query as they came. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's pairs in their order. */
  readonly pairs: readonly FormPair[];
  /** The type; empty when the body names none. */
  readonly event: string;
  /** What makes two deliveries the same event (webhook.md 6.2); null when the body does not say. */
  readonly key: string | null;
  /** Whether the same key came before, whatever was answered then. */
  readonly duplicate: boolean;
  /** How often this event has come by now: 1 for the first time. An event without key is known by its whole body. */
  readonly times: number;
  /** What is answered: a status, or the way of misbehaving. */
  readonly answers: string;
}

/** What the body of an event says, as far as a receiver needs it. */
export interface EventBody {
  readonly pairs: readonly FormPair[];
  readonly event: string;
  readonly key: string | null;
  /** The first value of a field. */
  readonly field: (name: string) => string | undefined;
}

/** Reads any body: what is not form-encoded gives odd pairs and no key, never an error. */
export function readBody(body: Buffer): EventBody {
  const pairs = parseForm(body.toString("utf8"));
  const fields = new Map(pairs.toReversed());
  const field = (name: string): string | undefined => fields.get(name);
  const event = field("event") ?? "";
  return { pairs, event, key: keyOf(event, field), field };
}

/** The key by which receivers find duplicates (webhook.md 6.2), in the spellings that a body can have. */
function keyOf(event: string, field: (name: string) => string | undefined): string | null {
  const relayer = field("relayer") ?? field("channel");
  switch (event) {
    case "mo_sms":
    case "mt_sent":
    case "mt_dlvd":
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

/** How many values a flow has collected: the same step comes again with more. */
function countOf(values: string | undefined): string | undefined {
  if (values === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(values);
    if (Array.isArray(list)) return String(list.length);
  } catch {
    // Not JSON: its length in characters tells two states apart as well.
  }
  return String(values.length);
}
