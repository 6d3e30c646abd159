import { toLowerCase, wordsOf } from "../../../expression/index.js";
import type { FlowCase } from "../../definition.js";
import type { LintRule } from "../rule.js";

/** Tests that never pass, because an earlier test of another category passes for each such answer. */
export const shadowedTest: LintRule = {
  name: "shadowed-test",
  level: "warning",
  summary: "a test that an earlier test of another category makes useless",
  *check({ definition, translations, reachable }) {
    // Contacts of another language meet other words.
    const isTranslated = ({ uuid }: FlowCase): boolean =>
      [...translations.values()].some((texts) => (texts.get(uuid)?.["arguments"] ?? []).length > 0);
    for (const { uuid: node, router } of definition.nodes) {
      if (router?.type !== "switch" || !reachable.has(node)) continue;
      const nameOf = (uuid: string): string => router.categories.find((one) => one.uuid === uuid)?.name ?? "";
      for (const [index, one] of router.cases.entries()) {
        const earlier = router.cases
          .slice(0, index)
          .findIndex(
            (other) =>
              other.category !== one.category &&
              passesAll(other, one) &&
              (other.type === "has_text" || !(isTranslated(other) || isTranslated(one))),
          );
        const other = router.cases[earlier];
        if (other === undefined) continue;
        yield {
          node,
          at: `test ${index + 1}`,
          path: `router.cases[${index}]`,
          text: `${testText(one)} never decides: test ${earlier + 1} takes its answers first, for '${nameOf(other.category)}'`,
          fix: `change one of the two tests, or move this one before test ${earlier + 1}`,
        };
      }
    }
  },
};

/** Whether every answer that passes `later` passes `earlier` too. Only what is sure without running them. */
function passesAll(earlier: FlowCase, later: FlowCase): boolean {
  const texts = [...earlier.arguments, ...later.arguments];
  if (texts.some((text) => text.includes("@"))) {
    return earlier.type === later.type && earlier.arguments.join("\n") === later.arguments.join("\n");
  }
  if (earlier.type === "has_text" && wordTests.has(later.type)) return true;
  if (earlier.type === "has_any_word" && later.type === "has_any_word") {
    const known = new Set(wordsIn(earlier));
    const words = wordsIn(later);
    return words.length > 0 && words.every((word) => known.has(word));
  }
  return earlier.type === later.type && wordsIn(earlier).join(" ") === wordsIn(later).join(" ") && isPlain(earlier);
}

/** Tests that only a text with letters or digits passes. */
const wordTests: ReadonlySet<string> = new Set([
  "has_any_word",
  "has_all_words",
  "has_phrase",
  "has_only_phrase",
  "has_beginning",
  "has_number",
  "has_number_eq",
  "has_number_between",
]);

/** Tests whose arguments are words or numbers: the same words are the same test. */
function isPlain({ type, arguments: args }: FlowCase): boolean {
  return (wordTests.has(type) || type === "has_only_text") && args.some((text) => text.trim() !== "");
}

function wordsIn({ type, arguments: args }: FlowCase): readonly string[] {
  return type === "has_only_text" ? args : args.flatMap((text) => wordsOf(toLowerCase(text)));
}

function testText({ type, arguments: args }: FlowCase): string {
  const text = args.join(" ").replaceAll(/\s+/g, " ");
  return `${type}${text === "" ? "" : ` "${text.length > 30 ? `${text.slice(0, 29)}…` : text}"`}`;
}
