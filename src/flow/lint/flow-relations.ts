import type { LintedFlow } from "./linted-flow.js";

/** Flows by UUID, and who enters and starts them. */
export class FlowRelations {
  readonly byUuid = new Map<string, LintedFlow>();
  readonly #callers = new Map<string, LintedFlow[]>();
  readonly #parents = new Map<string, LintedFlow[]>();

  constructor(flows: Iterable<LintedFlow>) {
    for (const flow of flows) {
      this.byUuid.set(flow.definition.uuid, flow);
      for (const uuid of flow.entered) append(this.#callers, uuid, flow);
      for (const uuid of flow.started) append(this.#parents, uuid, flow);
    }
  }

  /** The flows that enter this one. */
  callersOf(uuid: string): readonly LintedFlow[] {
    return this.#callers.get(uuid) ?? [];
  }

  /** The flows that can be `@parent` of this one. */
  parentsOf(uuid: string): readonly LintedFlow[] {
    return this.#parents.get(uuid) ?? [];
  }
}

/**
 * The flows of all files as one file sees them. Several files can have versions of the same flow: a file's own counts
 * for it, so that files without a relation do not change each other's findings.
 */
export class FileFlows {
  readonly #own: FlowRelations;
  readonly #all: FlowRelations;

  constructor(own: FlowRelations, all: FlowRelations) {
    this.#own = own;
    this.#all = all;
  }

  find(uuid: string): LintedFlow | undefined {
    return this.#own.byUuid.get(uuid) ?? this.#all.byUuid.get(uuid);
  }

  callersOf(uuid: string): readonly LintedFlow[] {
    return this.#both((relations) => relations.callersOf(uuid));
  }

  parentsOf(uuid: string): readonly LintedFlow[] {
    return this.#both((relations) => relations.parentsOf(uuid));
  }

  #both(flowsOf: (relations: FlowRelations) => readonly LintedFlow[]): readonly LintedFlow[] {
    return [
      ...flowsOf(this.#own),
      ...flowsOf(this.#all).filter(({ definition }) => !this.#own.byUuid.has(definition.uuid)),
    ];
  }
}

function append(lists: Map<string, LintedFlow[]>, key: string, flow: LintedFlow): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [flow]);
  else list.push(flow);
}
