import {
  callFunction,
  defaultNumberFormat,
  DateTimeValue,
  type Environment,
  ErrorValue,
  wordsOf,
} from "../../../expression/index.js";
import type { FlowCase } from "../../definition.js";
import type { LintRule } from "../rule.js";

/** Tests that never pass, or fail, because of their own arguments. */
export const badTest: LintRule = {
  name: "bad-test",
  level: "error",
  summary: "a test whose argument is no number, no pattern or no word, so that it never passes",
  *check({ definition, translations }) {
    const isTranslated = ({ uuid }: FlowCase): boolean =>
      [...translations.values()].some((texts) =>
        (texts.get(uuid)?.["arguments"] ?? []).some((text) => text.trim() !== ""),
      );
    for (const { uuid: node, router } of definition.nodes) {
      if (router?.type !== "switch") continue;
      for (const [index, one] of router.cases.entries()) {
        const said = isTranslated(one) ? undefined : problemOf(one);
        if (said === undefined) continue;
        yield { node, at: `test ${index + 1}`, path: `router.cases[${index}]`, ...said };
      }
    }
  },
};

const numberTests: ReadonlySet<string> = new Set([
  "has_number_eq",
  "has_number_lt",
  "has_number_lte",
  "has_number_gt",
  "has_number_gte",
  "has_number_between",
]);

const environment: Environment = {
  timezone: "UTC",
  dateFormat: "YYYY-MM-DD",
  timeFormat: "tt:mm",
  allowedLanguages: [],
  defaultCountry: undefined,
  numberFormat: defaultNumberFormat,
  random: () => 0,
  now: () => new DateTimeValue(0, 0, "UTC"),
};

function problemOf({ type, arguments: args }: FlowCase): { readonly text: string; readonly fix: string } | undefined {
  if (args.some((text) => text.includes("@"))) return undefined;
  const [first = "", second = ""] = args;
  if (type === "has_pattern") {
    const answer = callFunction(environment, type, ["1", first]);
    if (!(answer instanceof ErrorValue)) return undefined;
    return { text: `has_pattern: the pattern '${first}' cannot be read`, fix: "correct the regular expression" };
  }
  if (numberTests.has(type)) {
    const wrong = args.find((text) => callFunction(environment, "number", [text.trim()]) instanceof ErrorValue);
    if (wrong !== undefined) {
      return { text: `${type}: '${wrong}' is not a number, so the test never passes`, fix: "give it a number" };
    }
    if (type === "has_number_between" && Number(first) > Number(second)) {
      return { text: `${type}: ${first} is more than ${second}, so the test never passes`, fix: "swap them" };
    }
    return undefined;
  }
  if ((type === "has_any_word" || type === "has_beginning") && wordsOf(first).length === 0 && first.trim() === "") {
    return { text: `${type} has no words, so the test never passes`, fix: "give it words, or delete it" };
  }
  return undefined;
}
