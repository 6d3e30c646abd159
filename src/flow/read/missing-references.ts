import type { FlowDefinition } from "../definition.js";
import type { NamedReference } from "../named-reference.js";
import { type FlowReference, flowReferences, type ReferenceKind } from "./flow-references.js";

/** The place of a reference in a flow. */
export interface ReferencePlace {
  /** Null when the reference is outside flows, as in a trigger. */
  readonly flow: NamedReference | null;
  /** UUID; null when the reference is outside flows. */
  readonly node: string | null;
  /** The type of the action or test, or the template. */
  readonly by: string;
  /** For a test: the category that is taken when no other test passes. */
  readonly otherwise?: string;
}

/** Something that flows refer to and that is missing. */
export interface MissingReference {
  readonly kind: ReferenceKind;
  /** Null when the reference is by name only. */
  readonly uuid: string | null;
  /** Name; key of a field or global; level of boundaries. Empty when unknown. */
  readonly name: string;
  readonly places: readonly ReferencePlace[];
}

const kindsOfAccounts: ReadonlySet<ReferenceKind> = new Set(["boundaries", "global", "channel", "contact"]);

/** Whether only an account can have the object, because exports do not contain its kind. */
export function isOfAccount({ kind }: MissingReference): boolean {
  return kindsOfAccounts.has(kind);
}

/** Tells whether an account, or a file, has the object that a reference names. */
export type HasReferred = (reference: FlowReference) => boolean;

/** Units of work (`WorkBudget`) to search a flow, one character of its templates, and one reference. */
const FLOW_UNITS = 30;
const CHARACTER_UNITS = 0.3;
const REFERENCE_UNITS = 3;

/**
 * What flows refer to and the account lacks, each once with all its places, by kind in a fixed order. Voice flows do
 * not run, so they need nothing.
 *
 * @param more - references from outside the flows
 */
export function missingReferences(
  flows: Iterable<FlowDefinition>,
  has: HasReferred,
  more: readonly FlowReference[] = [],
): readonly MissingReference[] {
  const search = searchMissingReferences(flows, has, more);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/**
 * {@link missingReferences} in steps: yields the units of work of each step, so that the caller can interleave other
 * work.
 */
export function* searchMissingReferences(
  flows: Iterable<FlowDefinition>,
  has: HasReferred,
  more: readonly FlowReference[] = [],
): Generator<number, readonly MissingReference[]> {
  const missing = new FoundMissing(has);
  for (const flow of flows) {
    if (flow.type === "voice") continue;
    yield FLOW_UNITS + (flow.work ?? 0);
    for (const { references, length } of flowReferences(flow)) {
      yield length * CHARACTER_UNITS;
      for (const reference of references) {
        missing.add(reference);
        yield REFERENCE_UNITS;
      }
    }
  }
  for (const reference of more) missing.add(reference);
  return missing.byKind();
}

/** Collects what is missing. A file can have tens of thousands of references, so each is looked up by a key. */
class FoundMissing {
  readonly #has: HasReferred;
  readonly #found = new Map<
    string,
    { readonly kind: ReferenceKind; readonly uuid: string | null; name: string; readonly places: ReferencePlace[] }
  >();
  readonly #places = new Set<string>();

  constructor(has: HasReferred) {
    this.#has = has;
  }

  add(reference: FlowReference): void {
    if (this.#has(reference)) return;
    const { kind, uuid = "", name, flow = null, node = null, by, otherwise } = reference;
    const mark = `${kind} ${uuid === "" ? name.toLowerCase() : uuid.toLowerCase()}`;
    const known = this.#found.get(mark);
    const missing = known ?? { kind, uuid: uuid === "" ? null : uuid, name, places: [] };
    if (known === undefined) this.#found.set(mark, missing);
    else if (known.name === "") known.name = name;
    const place = JSON.stringify([mark, flow?.uuid, node, by]);
    if (this.#places.has(place)) return;
    this.#places.add(place);
    missing.places.push({ flow, node, by, otherwise });
  }

  /** Sorted by kind, the most serious first. */
  byKind(): readonly MissingReference[] {
    return [...this.#found.values()].toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  }
}

/** The most serious first. */
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
