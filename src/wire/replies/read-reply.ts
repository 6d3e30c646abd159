import { normalisePhone, phoneKind } from "../text/phone.js";
import type { Reply, ReplyReading, ReplyRefusal } from "./reply.js";
import { formatUrn, parseUrn, telUrn, withoutDisplay } from "../text/urn.js";

/** Maximum length of a reply's text in code points (docs/reference/webhook.md#json-replies). */
const replyTextMax = 480;
/** Maximum count of numbers under the historic key `phone` (docs/reference/webhook.md#json-replies). */
const replyPhonesMax = 100;
/** Longer bodies are ignored unread; 480 characters and 200 recipients fit several times. */
export const replyBytesMax = 65_536;

/** Options of `readReply`. */
export interface ReplyOptions {
  /** Accepts a reply without recipient, which goes to the sender: its `urns` and `contacts` are empty. */
  readonly replyToSender: boolean;
  /** Length of the whole body if `body` is only its beginning. */
  readonly bodyBytes?: number;
}

/**
 * Reads the body of an accepted answer (docs/reference/webhook.md#json-replies). Never throws: a body that is
 * not a reply is `ignored` with a reason. A reply with one invalid part is ignored as a whole; unknown keys are
 * skipped.
 */
export function readReply(body: string | Uint8Array, options: ReplyOptions): ReplyReading {
  if ((options.bodyBytes ?? body.length) > replyBytesMax) {
    return ignored("body-too-long", `the body is longer than ${replyBytesMax} bytes`);
  }
  if (isEmptyObject(body)) return none;
  // trim() also takes off a byte order mark.
  const text = (typeof body === "string" ? body : decoder.decode(body)).trim();
  if (text === "") return none;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // A broken character is not quoted: most of a picture are.
    const what = text.includes("\uFFFD") ? "neither JSON nor UTF-8 text" : `not JSON: ${excerpt(text)}`;
    return ignored("not-json", `the body is ${what}`);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return ignored("not-an-object", `a reply is a JSON object, not ${excerpt(text)}`);
  }
  const members = Object.entries(json);
  if (members.length === 0) return none;
  // Null and an empty list count as absent.
  const given = members.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  return readMembers(new Map<string, unknown>(given), options);
}

const none: ReplyReading = { kind: "none" };
const decoder = new TextDecoder();

/** Whether a body is `{}`, the usual answer in a load test: a fast path without JSON parsing. */
function isEmptyObject(body: string | Uint8Array): boolean {
  return typeof body !== "string" && body.length === 2 && body[0] === 0x7b && body[1] === 0x7d;
}

function readMembers(members: ReadonlyMap<string, unknown>, options: ReplyOptions): ReplyReading {
  const refusal = refuseText(members.get("text"));
  if (refusal !== undefined) return refusal;
  if (members.has("urn") && members.has("phone")) {
    return ignored("urn-and-phone", "'urn' and 'phone' are two spellings of one thing: give one of them");
  }
  const fromUrns = readList(members, "urn", readUrn);
  if (!fromUrns.ok) return ignored("bad-urn", fromUrns.detail);
  const fromPhones = readList(members, "phone", readPhone);
  if (!fromPhones.ok) return ignored("bad-urn", fromPhones.detail);
  const fromContacts = readList(members, "contact", readContact);
  if (!fromContacts.ok) return ignored("bad-contact", fromContacts.detail);

  const urns = [...fromUrns.values, ...fromPhones.values];
  const contacts = fromContacts.values;
  if (urns.length + contacts.length === 0 && !options.replyToSender) {
    return ignored("no-recipient", "neither 'urn' nor 'contact' names a recipient");
  }
  const channel = members.get("channel");
  const reply: Reply = {
    urns,
    contacts,
    text: wellFormed(String(members.get("text"))),
    ...(typeof channel === "number" && Number.isSafeInteger(channel) && { channel }),
  };
  return { kind: "reply", reply };
}

function refuseText(text: unknown): ReplyReading | undefined {
  if (text === undefined) return ignored("no-text", "there is no 'text'");
  if (typeof text !== "string") return ignored("bad-text", `'text' must be a string, got ${describe(text)}`);
  if (text.trim() === "") return ignored("no-text", "'text' is empty");
  const length = Array.from(text).length;
  if (length <= replyTextMax) return undefined;
  return ignored("text-too-long", `'text' has ${length} characters, at most ${replyTextMax} are allowed`);
}

type ListReading =
  { readonly ok: true; readonly values: readonly string[] } | { readonly ok: false; readonly detail: string };

/** Reads one element of a recipient list; undefined when it is invalid. */
interface ElementReader {
  readonly expected: string;
  readonly countMax?: number;
  read(text: string): string | undefined;
}

const readUrn: ElementReader = {
  expected: "a URN such as tel:+12065550142",
  read: (text) => {
    const urn = parseUrn(text);
    return urn === undefined ? undefined : withoutDisplay(formatUrn(urn));
  },
};

const readPhone: ElementReader = {
  expected: "a phone number such as +12065550142",
  countMax: replyPhonesMax,
  read: (text) => {
    const trimmed = text.trim();
    const phone = normalisePhone(trimmed) ?? (phoneKind(trimmed) === "short-code" ? trimmed : undefined);
    return phone === undefined ? undefined : telUrn(phone);
  },
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const readContact: ElementReader = {
  expected: "the UUID of a contact",
  read: (text) => {
    const lower = text.trim().toLowerCase();
    return uuid.test(lower) ? lower : undefined;
  },
};

/** The elements of a list without duplicates; a single value counts as a list of one (historic tolerance). */
function readList(members: ReadonlyMap<string, unknown>, key: string, reader: ElementReader): ListReading {
  const given = members.get(key);
  const elements: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? given : [given];
  if (reader.countMax !== undefined && elements.length > reader.countMax) {
    return { ok: false, detail: `'${key}' has ${elements.length} elements, at most ${reader.countMax} are allowed` };
  }
  const values = new Set<string>();
  for (const [index, element] of elements.entries()) {
    const value = typeof element === "string" ? reader.read(element) : undefined;
    if (value === undefined) {
      const path = Array.isArray(given) ? `${key}[${index}]` : key;
      return { ok: false, detail: `'${path}' must be ${reader.expected}, got ${describe(element)}` };
    }
    values.add(value);
  }
  return { ok: true, values: [...values] };
}

function ignored(reason: ReplyRefusal, detail: string): ReplyReading {
  return { kind: "ignored", reason, detail };
}

/** A JSON value in a few words. Arrays and objects are not printed, because deep nesting could overflow the stack. */
function describe(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return excerpt(JSON.stringify(value));
}

/** Replaces lone surrogates, which JSON can express and UTF-8 cannot. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** The beginning of a text, on one line. */
function excerpt(text: string): string {
  const line = wellFormed(text).replace(/[\s\p{Cc}]+/gu, " ");
  return line.length <= 60 ? line : `${wellFormed(line.slice(0, 60))}…`;
}
