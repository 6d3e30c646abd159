import { literalsOf } from "../../../expression/index.js";
import type { FlowDefinition, FlowNode } from "../../definition.js";
import { nodesFrom } from "../linted-flow.js";
import type { LintRule } from "../rule.js";
import { flowTexts, type FlowText } from "../flow-texts.js";

/** Texts without a translation into a language into which others of the flow are translated. */
export const missingTranslation: LintRule = {
  name: "missing-translation",
  level: "warning",
  summary: "a text without a translation into a language that the flow has",
  *check({ definition, translations, reachable }) {
    const shared = forAllLanguages(definition);
    const texts = [...flowTexts(definition)].filter(
      ({ node, texts: all, isForStaff }) =>
        !isForStaff && reachable.has(node) && shared.has(node) && all.some(needsTranslation),
    );
    for (const [language, translated] of translations) {
      if (notLanguages.has(language)) continue;
      const has = ({ uuid, property, instead = property }: FlowText): boolean =>
        [property, instead].some((one) => (translated.get(uuid)?.[one] ?? []).some((text) => text.trim() !== ""));
      const missing = texts.filter((text) => !has(text));
      // Without any, the language was only begun, or is one of the categories.
      if (missing.length === texts.length) continue;
      const done = texts.length - missing.length;
      if (done < missing.length) {
        yield {
          text: `only ${done} of ${texts.length} texts are translated into ${language}`,
          fix: `translate the others; until then contacts of ${language} get them in ${languageName(definition.language)}`,
          level: "info",
        };
        continue;
      }
      for (const { node, at, path, texts: all } of missing) {
        yield {
          node,
          at,
          path,
          text: `no translation into ${language}: "${shortened(all.find(needsTranslation) ?? "")}"`,
          fix: `translate it; until then contacts of ${language} get the text in ${languageName(definition.language)}`,
        };
      }
    }
  },
};

/**
 * The nodes that contacts of several languages reach. Nodes before those that set the contact's language ask for it, so
 * they are in all languages at once. Branches behind a split by language, or behind one of several languages that nodes
 * set, have texts of their own.
 */
function forAllLanguages(definition: FlowDefinition): ReadonlySet<string> {
  const { nodes } = definition;
  const setters = new Map<string, FlowNode[]>();
  for (const node of nodes) {
    for (const action of node.actions) {
      if (action.type !== "set_contact_language") continue;
      setters.set(action.language, [...(setters.get(action.language) ?? []), node]);
    }
  }
  if (setters.size === 0) return nodesFrom(definition, nodes.slice(0, 1), splitsByLanguage);
  const counts = new Map<string, number>();
  for (const [language, starts] of setters) {
    // A template stands for any language.
    const weight = setters.size === 1 || language.includes("@") ? 2 : 1;
    for (const uuid of nodesFrom(definition, starts, splitsByLanguage))
      counts.set(uuid, (counts.get(uuid) ?? 0) + weight);
  }
  return new Set([...counts].filter(([, count]) => count > 1).map(([uuid]) => uuid));
}

/** Whether a node splits by the language of the contact, or by a field or result that is named for it. */
function splitsByLanguage({ router }: FlowNode): boolean {
  return router?.type === "switch" && router.wait === undefined && /lang|idiom/i.test(router.operand);
}

const notLanguages: ReadonlySet<string> = new Set(["base", "und", ""]);

function languageName(code: string): string {
  return code === "und" ? "the flow's own language" : code;
}

/** Whether a text has words of its own, besides expressions, addresses and numbers. */
function needsTranslation(text: string): boolean {
  const words = literalsOf(text)
    .join(" ")
    .replaceAll(/\bhttps?:\/\/\S+|\b\S+@\S+|\bwww\.\S+/gu, " ");
  return /\p{L}{2,}/u.test(words);
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
