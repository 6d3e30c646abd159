import { Document, Scalar, visit } from "yaml";
import { scenarioLanguage } from "./language.js";
import { readYaml, sourceOf } from "./sheet/document.js";
import { Problems } from "./sheet/problems.js";
import { isMap, type RawValue } from "./sheet/raw-value.js";
import { applySets } from "./sheet/set.js";

/** A scenario as it is written: maps, lists, and scalars in their spelling. */
export type WrittenTree = Readonly<Record<string, RawValue>>;

/** Reads a scenario without interpreting it; undefined: it is not well-formed, or no map. */
export function writtenTree(text: string, set: readonly string[] = []): WrittenTree | undefined {
  const problems = new Problems();
  const read = readYaml(sourceOf("scenario", text), problems);
  const tree = read && applySets(read, set, { problems, language: scenarioLanguage });
  return tree === undefined || problems.hasErrors || !isMap(tree.value) ? undefined : tree.value;
}

/**
 * A tree as YAML. Scalars are written as they are spelled: a phone number keeps its quotes, a count has none. U+FFFD is
 * escaped, because a file that has one counts as broken UTF-8.
 */
export function writtenYaml(tree: WrittenTree): string {
  const document = new Document(tree, { schema: "failsafe", aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, scalar) {
      if (String(scalar.value).includes("\uFFFD")) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document
    .toString({ nullStr: "", lineWidth: 0, collectionStyle: "any" })
    .replaceAll("\uFFFD", String.raw`\uFFFD`);
}
