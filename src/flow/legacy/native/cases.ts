import { migrateTemplate } from "../expressions/migrate-template.js";
import { type LegacyJson, textOf } from "../json.js";
import { readTexts } from "../texts.js";
import { groupOrLabel } from "./references.js";
import { type NativeWriter, writeText } from "./writer.js";

/** The native test of a rule: type and arguments. */
interface NativeTest {
  readonly type: string;
  readonly arguments: readonly string[];
  /** Days from today, which the editor shows for date tests. */
  readonly days?: number;
}

/** @param uuid - of the case, for translations of its arguments */
type TestForm = (test: LegacyJson, uuid: string, writer: NativeWriter) => NativeTest | undefined;

const template = (value: unknown): string => migrateTemplate(textOf(value));

const plain =
  (type: string): TestForm =>
  () => ({ type, arguments: [] });

const withTemplates =
  (type: string, ...keys: readonly string[]): TestForm =>
  (test) => ({ type, arguments: keys.map((key) => template(test[key])) });

const withText =
  (type: string, rewrite?: (text: string) => string): TestForm =>
  (test, uuid, writer) => {
    const texts = readTexts(test["test"]);
    return { type, arguments: [writeText(writer, texts, uuid, "arguments", rewrite)] };
  };

const withDate =
  (type: string): TestForm =>
  (test) => {
    const text = textOf(test["test"]);
    const [, sign = "", count = "0"] = /@\(date\.today\s+([-+])\s+(\d+)\)/.exec(text) ?? [];
    return { type, arguments: [migrateTemplate(text, { keepsDates: true })], days: Number(sign + count) || 0 };
  };

/** A test without a native form never matches: its rule keeps a category, but gets no case. */
const never: TestForm = () => undefined;

const forms: Readonly<Record<string, TestForm>> = {
  between: withTemplates("has_number_between", "min", "max"),
  contains: withText("has_all_words"),
  contains_any: withText("has_any_word"),
  contains_only_phrase: withText("has_only_phrase"),
  contains_phrase: withText("has_phrase"),
  date: plain("has_date"),
  date_after: withDate("has_date_gt"),
  date_before: withDate("has_date_lt"),
  date_equal: withDate("has_date_eq"),
  district: withTemplates("has_district", "test"),
  eq: withTemplates("has_number_eq", "test"),
  false: never,
  gt: withTemplates("has_number_gt", "test"),
  gte: withTemplates("has_number_gte", "test"),
  has_email: plain("has_email"),
  in_group: ({ test }) => {
    const { uuid = "", name, name_match: match } = groupOrLabel(test);
    return { type: "has_group", arguments: [textOf(uuid), textOf(name ?? match)] };
  },
  interrupted_status: never,
  lt: withTemplates("has_number_lt", "test"),
  lte: withTemplates("has_number_lte", "test"),
  not_empty: plain("has_text"),
  number: plain("has_number"),
  phone: plain("has_phone"),
  // Patterns are not templates.
  regex: withText("has_pattern", (pattern) => pattern),
  starts: withText("has_beginning"),
  state: plain("has_state"),
  subflow: (test) => ({ type: "has_only_text", arguments: [textOf(test["exit_type"])] }),
  ward: withTemplates("has_ward", "district", "state"),
  webhook_status: ({ status }) => ({
    type: "has_only_text",
    arguments: [status === "success" ? "Success" : "Failure"],
  }),
  // A failed transfer takes the default category.
  airtime_status: (test) =>
    test["exit_status"] === "success" ? { type: "has_category", arguments: ["Success"] } : undefined,
  "": never,
};

/** Whether a type of tests has a native form. */
export function isKnownTest(type: string): boolean {
  return Object.hasOwn(forms, type);
}

/**
 * The native form of a rule's test (docs/reference/flows.md#legacy-to-native).
 *
 * @param uuid - of the case
 * @returns undefined when the test needs no case
 */
export function writeTest(test: LegacyJson, uuid: string, writer: NativeWriter): NativeTest | undefined {
  return forms[textOf(test["type"])]?.(test, uuid, writer);
}
