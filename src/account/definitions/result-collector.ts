import { textOf } from "./json-cursor.js";
import type { FlowResult } from "./flow-summary.js";

/** Collects what a flow saves: results of the same key are one, with the categories and nodes of all. */
export class ResultCollector {
  readonly #keyOf: (name: string) => string;
  readonly #found = new Map<string, { name: string; categories: Set<string>; nodes: Set<string> }>();

  constructor(keyOf: (name: string) => string) {
    this.#keyOf = keyOf;
  }

  /** Nothing is saved without a name. */
  add(name: unknown, categories: readonly unknown[], node: string | undefined): void {
    const text = textOf(name)?.trim();
    if (text === undefined) return;
    const key = this.#keyOf(text);
    const result = this.#found.get(key) ?? { name: text, categories: new Set(), nodes: new Set() };
    this.#found.set(key, result);
    for (const category of categories) {
      const called = textOf(category);
      if (called !== undefined) result.categories.add(called);
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
