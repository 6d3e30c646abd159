import { escapeForm, parseForm } from "../../wire/index.js";
import type { FieldAnswer, FieldEvent } from "../field-event.js";
import { type Pseudonyms, secretName } from "./pseudonyms.js";

/** `keep-texts`: numbers, names, UUIDs and tokens are replaced, texts and answers stay. */
export type PseudonymMode = "on" | "keep-texts";

/** What a field's value is. */
type Kind = "kept" | "plain" | "phone" | "text" | "name" | "json" | "uuid" | "secret" | "other";

/** Fields whose values are numbers, times and words of the service. */
const plainKeys =
  "event relayer channel sms id call status direction time occurred_on duration power_level power_status power_source " +
  "battery unsent network_type pending_message_count retry_message_count last_seen flow flow_base_language " +
  "step run channel_uuid flow_uuid";

const kinds = new Map<string, Kind>([
  ["flow_name", "kept"],
  ...plainKeys.split(" ").map((key): [string, Kind] => [key, "plain"]),
  ...[
    "phone",
    "relayer_phone",
    "channel_phone",
    "urn",
    "urns",
    "msisdn",
    "to",
    "from",
    "sender",
    "recipient",
    "number",
  ].map((key): [string, Kind] => [key, "phone"]),
  ...["text", "message", "reply", "msg", "content", "body", "value", "input", "rule_value"].map(
    (key): [string, Kind] => [key, "text"],
  ),
  ...["contact_name", "name", "first_name", "last_name"].map((key): [string, Kind] => [key, "name"]),
  ...["contact", "contact_uuid", "uuid"].map((key): [string, Kind] => [key, "uuid"]),
  ...["values", "steps", "extra"].map((key): [string, Kind] => [key, "json"]),
]);

const uuidText = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const anyUuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** Values that tell nothing about anybody: short numbers, times, one word of the service. */
const plainValue = /^(?:-?\d{1,19}(?:\.\d{1,6})?|\d{4}-\d\d-\d\d[T+ ]?[\d:.%A3a]*(?:Z|%2B\d\d.*)?|[A-Za-z_]{1,24})?$/;
/** The same for a field that nobody knows: a word could be a name. */
const plainUnknown =
  /^(?:-?\d{1,6}(?:\.\d{1,6})?|\d{4}-\d\d-\d\d(?:[T ][\d:.]+)?(?:Z|[+-]\d\d:?\d\d)?|true|false|null)?$/;

/** Raw pairs of a body with their pseudonyms; a fuller cache is emptied. */
const CACHED_MAX = 50_000;

/** Replaces what tells about people and secrets in events. Bytes that need no change stay as they are. */
export class EventPseudonyms {
  readonly #pseudonyms: Pseudonyms;
  readonly #keepsTexts: boolean;
  readonly #pairs = new Map<string, string>();
  readonly #paths = new Map<string, string>();

  constructor(pseudonyms: Pseudonyms, mode: PseudonymMode) {
    this.#pseudonyms = pseudonyms;
    this.#keepsTexts = mode === "keep-texts";
  }

  event(event: FieldEvent): FieldEvent {
    const { body, path, answer, retries } = event;
    return {
      ...event,
      body: this.#form(body, "other"),
      ...(path !== undefined && { path: this.path(path) }),
      ...(answer !== undefined && { answer: this.#answer(answer) }),
      ...(retries !== undefined && {
        retries: retries.map((retry) => ({ ...retry, answer: this.#answer(retry.answer) })),
      }),
    };
  }

  /** A path with its query: long mixed segments and unknown parameters may be tokens. */
  path(path: string): string {
    let found = this.#paths.get(path);
    if (found === undefined) {
      const [place = "", query] = path.split(/\?(.*)/s);
      const segments = place.split("/").map((segment) => {
        if (uuidText.test(segment)) return this.#pseudonyms.uuid(segment);
        const isToken = segment.length >= 12 && /\d/.test(segment) && /[a-z]/i.test(segment);
        return isToken || /^\+?\d{7,}$/.test(segment) ? this.#pseudonyms.secret(segment) : segment;
      });
      found = segments.join("/") + (query === undefined ? "" : `?${this.#form(query, "secret")}`);
      if (this.#paths.size >= CACHED_MAX) this.#paths.clear();
      this.#paths.set(path, found);
    }
    return found;
  }

  /** @param unknown - kind of fields that the service does not post */
  #form(body: string, unknown: Kind): string {
    return body
      .split("&")
      .map((pair) => this.#pair(pair, unknown))
      .join("&");
  }

  #pair(pair: string, unknown: Kind): string {
    const mark = pair.indexOf("=");
    if (mark === -1) return pair === "" ? pair : escapeForm(this.#pseudonyms.secret(decoded(pair)));
    const key = pair.slice(0, mark);
    const kind = kinds.get(key) ?? (secretName.test(key) ? "secret" : unknown);
    if (kind === "plain" && plainValue.test(pair.slice(mark + 1))) return pair;
    const cacheKey = kind === unknown ? `${unknown} ${pair}` : pair;
    let found = this.#pairs.get(cacheKey);
    if (found === undefined) {
      const value = decoded(pair.slice(mark + 1));
      const replaced = this.#value(value, kind);
      found = replaced === value ? pair : `${key}=${escapeForm(replaced)}`;
      if (this.#pairs.size >= CACHED_MAX) this.#pairs.clear();
      this.#pairs.set(cacheKey, found);
    }
    return found;
  }

  #value(value: string, kind: Kind): string {
    const all = this.#pseudonyms;
    switch (kind) {
      case "kept":
        return value;
      case "plain":
        return plainValue.test(value) || uuidText.test(value) ? value : this.#value(value, "other");
      case "phone":
        return all.address(value);
      case "text":
        return this.#keepsTexts ? value : this.#text(value);
      case "name":
        return all.words(value);
      case "uuid":
        return uuidText.test(value) ? all.uuid(value) : this.#value(value, "other");
      case "json":
        return this.#json(value) ?? this.#value(value, "other");
      case "secret":
        return /^\d{0,3}$/.test(value) ? value : uuidText.test(value) ? all.uuid(value) : all.secret(value);
      case "other":
        if (plainUnknown.test(value)) return value;
        if (uuidText.test(value)) return all.uuid(value);
        if (/^\+?\d{7,15}$/.test(value) || /^tel:/i.test(value)) return all.address(value);
        return this.#json(value) ?? all.secret(value);
    }
  }

  #text(value: string): string {
    const uuids = value.replace(anyUuid, (one) => this.#pseudonyms.uuid(one));
    return uuids === value ? this.#pseudonyms.text(value) : this.#aroundUuids(value);
  }

  #aroundUuids(value: string): string {
    let out = "";
    let at = 0;
    for (const { 0: one, index } of value.matchAll(anyUuid)) {
      out += this.#pseudonyms.text(value.slice(at, index)) + this.#pseudonyms.uuid(one);
      at = index + one.length;
    }
    return out + this.#pseudonyms.text(value.slice(at));
  }

  #answer(answer: FieldAnswer): FieldAnswer {
    const { body } = answer;
    if (body === undefined || this.#keepsTexts) return answer;
    return { ...answer, body: this.#json(body) ?? this.#text(body) };
  }

  /** JSON text with replaced values; undefined: it is not an object or a list. Its white space is not kept. */
  #json(text: string): string | undefined {
    if (!/^\s*[[{]/.test(text)) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      const replaced = this.#inside(value, "text");
      return JSON.stringify(value) === JSON.stringify(replaced) ? text : JSON.stringify(replaced);
    } catch {
      return undefined;
    }
  }

  #inside(value: unknown, kind: Kind): unknown {
    if (typeof value === "string") return this.#value(value, kind);
    if (typeof value === "number") {
      const digits = String(value);
      return kind !== "plain" && /^\d{10,15}$/.test(digits) ? Number(this.#pseudonyms.phone(digits)) : value;
    }
    if (Array.isArray(value)) return value.map((one: unknown) => this.#inside(one, kind));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => [key, this.#inside(inner, kindInJson(key))]),
    );
  }
}

/** `label` and `category` name questions and classes of answers. */
function kindInJson(key: string): Kind {
  if (key === "label" || key === "category" || key === "node" || key === "node_uuid") return "kept";
  return kinds.get(key) ?? (secretName.test(key) ? "secret" : "text");
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return parseForm(`=${text}`)[0]?.[1] ?? "";
}
