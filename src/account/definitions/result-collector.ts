import { textOf } from "./json-cursor.js";
import type { FlowResult } from "./flow-summary.js";

/** Collects the results of a flow: merges those with the same key, with all their categories and nodes. */
export class ResultCollector {
  readonly #keyOf: (name: string) => string;
  readonly #found = new Map<string, { name: string; categories: Set<string>; nodes: Set<string> }>();

  constructor(keyOf: (name: string) => string) {
    this.#keyOf = keyOf;
  }

  /** Ignores results without a name. */
  add(name: unknown, categories: readonly unknown[], node: string | undefined): void {
    const text = textOf(name)?.trim();
    if (text === undefined) return;
    const key = this.#keyOf(text);
    const result = this.#found.get(key) ?? { name: text, categories: new Set(), nodes: new Set() };
    this.#found.set(key, result);
    for (const category of categories) {
      const label = textOf(category);
      if (label !== undefined) result.categories.add(label);
    }
    if (node !== undefined) result.nodes.add(node);
  }

  collected(): FlowResult[] {
    return [...this.#found].map(([key, { name, categories, nodes }]) => ({
      key,
      name,
      categories: [...categories],
      nodeUuids: [...nodes],
    }));
  }
}
