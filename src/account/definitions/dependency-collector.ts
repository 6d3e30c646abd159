import { type JsonMap, mapOf, textOf } from "./json-cursor.js";
import type { FlowDependencies, Mention } from "./flow-summary.js";

/** Collects the references in a definition, each once, in the order of the calls. */
export class DependencyCollector {
  readonly #flows = new Map<string, Mention>();
  readonly #groups = new Map<string, Mention>();
  readonly #labels = new Map<string, Mention>();
  readonly #fields = new Map<string, { key: string; name: string | null }>();
  readonly #resthooks = new Set<string>();

  addFlow(reference: unknown): void {
    addMention(this.#flows, mentionOf(reference));
  }

  /** Adds the groups of a list; ignores entries that are expressions. */
  addGroups(list: unknown): void {
    if (Array.isArray(list)) for (const one of list) addMention(this.#groups, mentionOf(one));
  }

  addLabels(list: unknown): void {
    if (Array.isArray(list)) for (const one of list) addMention(this.#labels, mentionOf(one));
  }

  addField(key: unknown, name?: unknown): void {
    const text = textOf(key);
    if (text === undefined) return;
    const known = this.#fields.get(text);
    if (known === undefined || known.name === null) this.#fields.set(text, { key: text, name: textOf(name) ?? null });
  }

  addResthook(slug: unknown): void {
    const text = textOf(slug);
    if (text !== undefined) this.#resthooks.add(text.toLowerCase());
  }

  collected(): FlowDependencies {
    return {
      flows: [...this.#flows.values()],
      groups: [...this.#groups.values()],
      labels: [...this.#labels.values()],
      fields: [...this.#fields.values()],
      resthooks: [...this.#resthooks],
    };
  }
}

/** Reads a reference: `{uuid, name}`, with an `id` in old definitions, or a bare name. Undefined for expressions. */
export function mentionOf(reference: unknown): Mention | undefined {
  const map: JsonMap = mapOf(reference) ?? { name: reference };
  const uuid = textOf(map["uuid"]) ?? textOf(map["id"]) ?? null;
  const name = textOf(map["name"])?.trim() ?? null;
  if ((uuid === null && name === null) || name?.startsWith("@") === true) return undefined;
  return { uuid, name };
}

function addMention(mentions: Map<string, Mention>, mention: Mention | undefined): void {
  if (mention !== undefined) mentions.set(mention.uuid ?? `name ${mention.name?.toLowerCase() ?? ""}`, mention);
}

/** All texts in a value, at any depth, breadth-first: the places where templates can occur. */
export function* textsIn(value: unknown): Generator<string> {
  let layer: unknown[] = [value];
  while (layer.length > 0) {
    for (const one of layer) if (typeof one === "string") yield one;
    layer = layer.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
}
