import { Document, isMap, isSeq, type Node, Scalar, visit } from "yaml";
import type { WrittenTree } from "../written-tree.js";
import { commentOf } from "./story-comment.js";
import type { SeenFailure } from "./exact-request.js";

/** A map or list of at most this many characters stands on one line. */
const LINE = 110;

/** What a bug file that is a scenario has beside the scenario. */
export interface ScenarioBug {
  /** Its story: the comment at the head of the file. */
  readonly story: string;
  readonly about: string;
  /** Bounds that the scenario does not have: what is right. */
  readonly expect: readonly string[];
  /** Checks that it does not have, in their spelling. */
  readonly checks: readonly Readonly<Record<string, string>>[];
  readonly seen: SeenFailure;
  readonly versions: Readonly<Record<string, string>>;
}

/** Writes a scenario as a bug file, as a person would: a step and a group on a line. */
export function writeScenarioBug(tree: WrittenTree, bug: ScenarioBug): string {
  const { name: _name, about: _about, seed, starts, lasts, expect = [], checks = [], ...rest } = tree;
  const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const expectations = [...listed(expect), ...bug.expect];
  const asked = [...listed(checks), ...bug.checks];
  const document = new Document(
    {
      about: bug.about,
      ...(seed !== undefined && { seed }),
      ...(starts !== undefined && { starts }),
      lasts,
      ...rest,
      ...(expectations.length > 0 && { expect: expectations }),
      ...(asked.length > 0 && { checks: asked }),
      seen: spelled(bug.seen),
      versions: bug.versions,
    },
    { schema: "failsafe", aliasDuplicateObjects: false },
  );
  visit(document, {
    Scalar(_, scalar) {
      if (String(scalar.value).startsWith("+")) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  for (const pair of isMap(document.contents) ? document.contents.items : []) {
    const { value } = pair;
    if (isMap(value)) {
      // A group, and the value of a key such as `versions`.
      for (const { value: inner } of value.items) putOnOneLine(inner as Node | null);
      if (value.items.every(({ value: inner }) => !isMap(inner) && !isSeq(inner))) putOnOneLine(value);
    } else if (isSeq(value)) for (const item of value.items) putOnOneLine(item as Node);
  }
  return `${commentOf(bug.story)}\n${document.toString({ nullStr: "", lineWidth: 0, flowCollectionPadding: true })}`;
}

/** The failure with plain texts only: this schema knows no numbers. */
function spelled(seen: SeenFailure): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(seen).map(([key, value]) => [key, String(value)]));
}

function putOnOneLine(node: Node | null): void {
  if (!isMap(node) && !isSeq(node)) return;
  const { length } = JSON.stringify(node.toJSON());
  if (length <= LINE) node.flow = true;
  else if (isMap(node)) for (const { value } of node.items) putOnOneLine(value as Node | null);
}
