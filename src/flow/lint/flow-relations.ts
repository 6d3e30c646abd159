/** What decides how flows are related. */
interface RelatedFlow {
  readonly definition: { readonly uuid: string };
  /** UUIDs of the flows that it enters. */
  readonly entered: ReadonlySet<string>;
  /** UUIDs of the flows that it enters, or starts for others. */
  readonly started: ReadonlySet<string>;
}

/** Flows by UUID, and who enters and starts them. */
export class FlowRelations<F extends RelatedFlow> {
  readonly byUuid = new Map<string, F>();
  readonly #callers = new Map<string, F[]>();
  readonly #parents = new Map<string, F[]>();

  constructor(flows: Iterable<F>) {
    for (const flow of flows) {
      this.byUuid.set(flow.definition.uuid, flow);
      for (const uuid of flow.entered) append(this.#callers, uuid, flow);
      for (const uuid of flow.started) append(this.#parents, uuid, flow);
    }
  }

  /** The flows that enter this one. */
  callersOf(uuid: string): readonly F[] {
    return this.#callers.get(uuid) ?? [];
  }

  /** The flows that can be `@parent` of this one. */
  parentsOf(uuid: string): readonly F[] {
    return this.#parents.get(uuid) ?? [];
  }
}

/**
 * The flows of all files as one file sees them. Several files can have versions of the same flow: a file's own counts
 * for it, so that files without a relation do not change each other's findings.
 */
export class FileFlows<F extends RelatedFlow> {
  readonly #own: FlowRelations<F>;
  readonly #all: FlowRelations<F>;

  constructor(own: FlowRelations<F>, all: FlowRelations<F>) {
    this.#own = own;
    this.#all = all;
  }

  find(uuid: string): F | undefined {
    return this.#own.byUuid.get(uuid) ?? this.#all.byUuid.get(uuid);
  }

  callersOf(uuid: string): readonly F[] {
    return this.#both((relations) => relations.callersOf(uuid));
  }

  parentsOf(uuid: string): readonly F[] {
    return this.#both((relations) => relations.parentsOf(uuid));
  }

  #both(flowsOf: (relations: FlowRelations<F>) => readonly F[]): readonly F[] {
    return [
      ...flowsOf(this.#own),
      ...flowsOf(this.#all).filter(({ definition }) => !this.#own.byUuid.has(definition.uuid)),
    ];
  }
}

function append<F>(lists: Map<string, F[]>, key: string, flow: F): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [flow]);
  else list.push(flow);
}
