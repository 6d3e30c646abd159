import type { FlowCategory, FlowDefinition, FlowNode } from "../definition.js";
import type { Session } from "../session.js";

/** The parts of a flow that conversations have reached: nodes, and categories of routers, by UUID. */
export class ReachedParts {
  readonly #flow: FlowDefinition;
  readonly #reached = new Set<string>();

  constructor(flow: FlowDefinition) {
    this.#flow = flow;
  }

  has(uuid: string): boolean {
    return this.#reached.has(uuid);
  }

  /** Number of nodes and categories that were reached. */
  get size(): number {
    return this.#reached.size;
  }

  /** Adds what the runs of a session have reached. @returns whether some of it is new */
  add(session: Session): boolean {
    const before = this.#reached.size;
    for (const run of session.runs) {
      if (run.flow.uuid !== this.#flow.uuid) continue;
      for (const step of run.path) {
        const node = this.#flow.nodesByUuid.get(step.node);
        if (node === undefined) continue;
        this.#reached.add(node.uuid);
        if (step.exit === undefined) continue;
        const saved = run.answers.findLast((answer) => answer.node === node.uuid)?.category;
        for (const { uuid } of categoriesOf(node, step.exit, saved)) this.#reached.add(uuid);
      }
    }
    return this.#reached.size > before;
  }
}

/** The categories that can have led to an exit; if several can, the one that was saved. */
function categoriesOf({ router }: FlowNode, exit: string, saved: string | undefined): readonly FlowCategory[] {
  const leading = (router?.categories ?? []).filter((category) => category.exit === exit);
  const named = leading.filter(({ name }) => name === saved);
  return leading.length > 1 && named.length > 0 ? named : leading;
}

/** The parts of a flow that can be reached: its nodes, and the categories of its routers. */
export function partCount({ nodes }: FlowDefinition): number {
  return nodes.reduce((sum, { router }) => sum + 1 + (router?.categories.length ?? 0), 0);
}
