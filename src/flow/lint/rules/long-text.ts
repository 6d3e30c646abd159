import { segmentsOf } from "../../../wire/index.js";
import { literalsOf } from "../../../expression/index.js";
import { flowTexts } from "../flow-texts.js";
import type { LintRule } from "../rule.js";

/** Messages that need more than one SMS segment. */
export const longText: LintRule = {
  name: "long-text",
  level: "info",
  summary: "a message over one SMS segment: 160 characters, or 70 with letters outside GSM-7",
  *check({ definition, translations }) {
    if (definition.type === "voice") return;
    for (const { node, uuid, at, path, property, texts, isMessage } of flowTexts(definition)) {
      if (!isMessage) continue;
      for (const text of texts) {
        const said = saidOf(text);
        if (said !== undefined) yield { node, at, path, ...said };
      }
      for (const [language, translated] of translations) {
        for (const text of translated.get(uuid)?.[property] ?? []) {
          const said = saidOf(text);
          if (said !== undefined) yield { node, at: `${at} in ${language}`, ...said };
        }
      }
    }
  },
};

/** Characters of one segment by encoding. */
const SEGMENT = { "GSM-7": 160, "UCS-2": 70 } as const;

function saidOf(text: string): { readonly text: string; readonly fix: string } | undefined {
  const literal = literalsOf(text).join("");
  const { count, units, encoding } = segmentsOf(literal);
  if (count < 2) return undefined;
  const least = literal === text ? "" : "at least ";
  const special = encoding === "GSM-7" ? undefined : outsideGsm(literal);
  const because = special === undefined ? "" : ` with '${special}'`;
  return {
    text: `sent as ${least}${count} SMS: ${units} characters, and one SMS has ${SEGMENT[encoding]}${because}`,
    fix: special === undefined ? "shorten it, or accept the cost" : `shorten it, or replace '${special}'`,
  };
}

/** The first character that GSM-7 lacks. */
function outsideGsm(text: string): string | undefined {
  for (const character of text) if (segmentsOf(character).encoding !== "GSM-7") return character;
  return undefined;
}
