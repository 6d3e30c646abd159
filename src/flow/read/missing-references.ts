import type { FlowDefinition } from "../definition.js";
import type { NamedReference } from "../named-reference.js";
import { type FlowReference, flowReferences, type ReferenceKind } from "./flow-references.js";

/** Where something is referred to. */
export interface ReferencePlace {
  /** Null: outside flows, as by a trigger. */
  readonly flow: NamedReference | null;
  /** UUID; null: outside flows. */
  readonly node: string | null;
  /** The type of the action or test, or the template. */
  readonly by: string;
  /** Of a test: the category that every answer takes, unless another test holds. */
  readonly otherwise?: string;
}

/** Something that flows refer to and that is not there. */
export interface MissingReference {
  readonly kind: ReferenceKind;
  /** Null: by name only. */
  readonly uuid: string | null;
  /** Name; key of a field or global; level of boundaries. Empty: unknown. */
  readonly name: string;
  readonly places: readonly ReferencePlace[];
}

const kindsOfAccounts: ReadonlySet<ReferenceKind> = new Set(["boundaries", "global", "channel", "contact"]);

/** Whether only an account can have it: no export holds such parts. */
export function isOfAccount({ kind }: MissingReference): boolean {
  return kindsOfAccounts.has(kind);
}

/** Whether an account, or a file, has what a reference means. */
export type HasReferred = (reference: FlowReference) => boolean;

/**
 * What flows refer to and the account lacks, each once with all its places, by kind in a fixed order. Voice flows do
 * not run, so they need nothing.
 *
 * @param more - references from outside the flows
 */
export function missingReferences(
  flows: readonly FlowDefinition[],
  has: HasReferred,
  more: readonly FlowReference[] = [],
): readonly MissingReference[] {
  const found = new Map<string, { -readonly [K in keyof MissingReference]: MissingReference[K] }>();
  const running = flows.filter(({ type }) => type !== "voice");
  for (const reference of [...running.flatMap(flowReferences), ...more]) {
    if (has(reference)) continue;
    const { kind, uuid = "", name, flow = null, node = null, by, otherwise } = reference;
    const mark = `${kind} ${uuid === "" ? name.toLowerCase() : uuid.toLowerCase()}`;
    const known = found.get(mark);
    const place = { flow, node, by, ...(otherwise !== undefined && { otherwise }) };
    if (known === undefined) found.set(mark, { kind, uuid: uuid === "" ? null : uuid, name, places: [place] });
    else {
      if (known.name === "") known.name = name;
      if (!known.places.some((one) => isSamePlace(one, place))) known.places = [...known.places, place];
    }
  }
  return [...found.values()].toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** The gravest first. */
const kinds: readonly ReferenceKind[] = [
  "flow",
  "trigger flow",
  "boundaries",
  "group",
  "field",
  "global",
  "label",
  "channel",
  "contact",
];

function isSamePlace(a: ReferencePlace, b: ReferencePlace): boolean {
  return a.flow?.uuid === b.flow?.uuid && a.node === b.node && a.by === b.by;
}
