import type { LintRule } from "../rule.js";

/** Nodes that no path from the first node reaches. Only the first of those that follow each other is listed. */
export const unreachableNode: LintRule = {
  name: "unreachable-node",
  level: "warning",
  summary: "a node that no path from the start of the flow reaches",
  *check({ definition, reachable }) {
    const lost = definition.nodes.filter(({ uuid }) => !reachable.has(uuid));
    const entered = new Set(
      lost.flatMap(({ uuid, exits }) =>
        exits.flatMap(({ destination }) => (destination === null || destination === uuid ? [] : [destination])),
      ),
    );
    const listed = new Set<string>();
    // Nodes that none leads to come first, then those of rings.
    const heads = [...lost.filter(({ uuid }) => !entered.has(uuid)), ...lost];
    for (const head of heads) {
      if (listed.has(head.uuid)) continue;
      let behind = -1;
      const visits = [head];
      for (let node = visits.pop(); node !== undefined; node = visits.pop()) {
        if (listed.has(node.uuid) || reachable.has(node.uuid)) continue;
        listed.add(node.uuid);
        behind++;
        for (const { destination } of node.exits) {
          const next = definition.nodesByUuid.get(destination ?? "");
          if (next !== undefined) visits.push(next);
        }
      }
      const more = behind === 0 ? "" : `, nor to the ${behind === 1 ? "node" : `${behind} nodes`} after it`;
      yield {
        node: head.uuid,
        text: `nothing leads to this node${more}`,
        fix: "connect it, or delete it",
      };
    }
  },
};
