import type { FlowEvent, FlowValue, KnownEvent, PowerSource, PowerStatus } from "./event.js";
import {
  formatTimestamp,
  formatTimestampInForm,
  formatTimestampMicros,
  formatTimestampZoned,
  parseTimestamp,
} from "../text/timestamp.js";

/** Reads and writes one kind of value in an event's body. */
export interface Codec<T> {
  /** Completes the sentence "expected …" in a message. */
  readonly expected: string;
  /** `write` never returns a character that a form escapes. */
  readonly isPlain?: true;
  /** All possible values, if they can be listed. */
  readonly words?: readonly T[];
  /**
   * Reads a value in any spelling.
   *
   * @param get - the body's other values, by key
   * @returns undefined when the text cannot be such a value
   */
  read(this: void, text: string, get: (key: string) => string | undefined): T | undefined;
  write(this: void, value: T): string;
  /** As `write`, form-encoded, if there is a faster way than encoding its result. */
  writeInForm?(this: void, value: T): string;
  /** Writes the historic spelling, if it differs. */
  writeHistoric?(this: void, value: T, event: KnownEvent): string;
}

/** Any text, unchanged. */
export const text: Codec<string> = { expected: "a text", read: (written) => written, write: (value) => value };

/** A whole number; ids may exceed 2^31 (docs/reference/webhook.md#value-types). */
export const whole: Codec<number> = {
  expected: "a whole number",
  isPlain: true,
  read: (written) => {
    const value = /^-?\d{1,16}$/.test(written) ? Number(written) : Number.NaN;
    return Number.isSafeInteger(value) ? value : undefined;
  },
  write: String,
};

/** A time: three fraction digits without a zone; historic: six (docs/reference/webhook.md#value-types). */
export const time: Codec<number> = {
  expected: "a time such as 2026-03-02T08:15:04.250",
  read: parseTimestamp,
  write: formatTimestamp,
  writeInForm: formatTimestampInForm,
  writeHistoric: formatTimestampMicros,
};

/** A time of a historic flow post: six digits and Z (docs/reference/webhook.md#value-types). */
export const zonedTime: Codec<number> = { ...time, writeHistoric: formatTimestampZoned };

/** One of a list of words that consist of letters and `_`. */
export function oneOf<T extends string>(words: readonly T[]): Codec<T> {
  return {
    expected: words.join(" or "),
    isPlain: true,
    words,
    read: (written) => words.find((word) => word === written),
    write: (value) => value,
  };
}

/**
 * The reference has two words for the phone's five codes (docs/reference/handset.md#status-report); historic: the codes
 * themselves.
 */
export const powerStatus: Codec<PowerStatus> = coded<PowerStatus>(
  { CHA: "CHARGING", FUL: "CHARGING", DIS: "DISCHARGING", NOT: "DISCHARGING", UNK: "DISCHARGING" },
  { CHARGING: "CHA", DISCHARGING: "DIS" },
);

/**
 * The reference's words for the phone's codes (docs/reference/handset.md#status-report,
 * docs/reference/webhook.md#alarm-events); historic: the codes themselves.
 */
export const powerSource: Codec<PowerSource> = coded<PowerSource>(
  { BAT: "BATTERY", AC: "AC", USB: "USB", WIR: "WIRELESS" },
  { BATTERY: "BAT", WIRELESS: "WIR" },
);

function coded<T extends string>(words: Readonly<Record<T, string>>, codes: Readonly<Record<string, T>>): Codec<T> {
  const readings = new Map<string, T>(Object.entries(codes));
  const allCodes = Object.keys(words) as T[];
  for (const code of allCodes) readings.set(code, code);
  return {
    expected: [...readings.keys()].join(", "),
    isPlain: true,
    words: allCodes,
    read: (written) => readings.get(written),
    write: (value) => words[value],
    writeHistoric: (value) => value,
  };
}

/** The answers that a flow has collected, as a JSON array (docs/reference/webhook.md#flow-values). */
export const flowValues: Codec<readonly FlowValue[]> = {
  expected: "a JSON array of objects with label, category, value, text and time",
  read: (written, get) => {
    const list = parseJson(written);
    if (!Array.isArray(list)) return undefined;
    const values = list.map((element) => readFlowValue(element, get("flow_base_language")));
    return values.every((value) => value !== undefined) ? values : undefined;
  },
  write: (values) =>
    JSON.stringify(
      values.map((value) => ({
        label: value.label,
        category: value.category,
        value: value.value,
        text: value.text,
        time: formatTimestamp(value.time),
      })),
    ),
  writeHistoric: (values, event) => {
    const language = (event as FlowEvent).flowBaseLanguage ?? "base";
    return pythonJson(
      values.map((value) => ({
        node: value.node,
        label: value.label,
        category: { [language]: value.category },
        text: value.text,
        rule_value: value.ruleValue,
        value: value.value,
        time: formatTimestampZoned(value.time),
      })),
    );
  },
};

/** Keys other than `time` may be missing, as in the original test page. */
function readFlowValue(element: unknown, language: string | undefined): FlowValue | undefined {
  if (typeof element !== "object" || element === null || Array.isArray(element)) return undefined;
  const given = new Map<string, unknown>(Object.entries(element));
  const time = parseTimestamp(asText(given.get("time")));
  if (time === undefined) return undefined;
  const node = given.get("node");
  const ruleValue = given.get("rule_value");
  return {
    label: asText(given.get("label")),
    category: readCategory(given.get("category"), language),
    value: asText(given.get("value")),
    text: asText(given.get("text")),
    time,
    node: node === undefined ? undefined : asText(node),
    ruleValue: ruleValue === undefined ? undefined : asText(ruleValue),
  };
}

/**
 * A text, or historically an object by language: then the flow's base language, else the first
 * (docs/reference/webhook.md#flow-values).
 */
function readCategory(category: unknown, language: string | undefined): string {
  if (typeof category !== "object" || category === null) return asText(category);
  const byLanguage = new Map<string, unknown>(Object.entries(category));
  return asText(byLanguage.get(language ?? "") ?? [...byLanguage.values()][0]);
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return undefined;
  }
}

/** JSON as Python's standard library writes it: a space after `,` and `:`, and `\u` escapes for non-ASCII. */
function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${pythonJson(key)}: ${pythonJson(member)}`).join(", ")}}`;
  }
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
