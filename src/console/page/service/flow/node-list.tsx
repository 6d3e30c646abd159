import { formatCounted } from "../../format/index.js";
import type { NodeCounts } from "../../../protocol/index.js";
import type { GraphNode } from "./graph.js";
import type { PathOnGraph } from "./run-path.js";

/** The nodes as an ordered list: actions, tests, exits, and counts. */
export function NodeList({
  nodes,
  counts,
  path,
  selected,
  onSelect,
}: {
  readonly nodes: readonly GraphNode[];
  readonly counts: ReadonlyMap<string, NodeCounts>;
  readonly path: PathOnGraph | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (uuid: string) => void;
}) {
  const placeOf = new Map(nodes.map(({ uuid, place }) => [uuid, place]));
  return (
    <ol class="service-nodes design-stack-tight" role="list" tabIndex={0} aria-label="Nodes">
      {nodes.map((node) => {
        const known = counts.get(node.uuid);
        return (
          <li key={node.uuid} class={node.uuid === selected ? "service-node-selected" : ""}>
            <button
              type="button"
              class="service-node-name design-bare"
              aria-pressed={node.uuid === selected}
              onClick={() => onSelect(node.uuid)}
            >
              Node {node.place}
              {node.place === 1 && ", the entry"}
            </button>
            <span class="design-muted">
              {" "}
              {formatCounted(known?.visits ?? 0, "visit")}
              {(known?.waiting ?? 0) > 0 && `, ${known?.waiting} there now`}
              {path?.current === node.uuid && ", the contact is here"}
              {path?.end === node.uuid && ", the run ended here"}
            </span>
            <ul>
              {node.lines.map(({ text }, index) => (
                <li key={index}>{text}</li>
              ))}
              {node.tests.map((test) => (
                <li key={test} class="design-muted">
                  {test}
                </li>
              ))}
              {node.exits.map(({ uuid, label, destination }) => {
                const taken = known?.exits.find((exit) => exit.uuid === uuid)?.taken;
                return (
                  <li key={uuid}>
                    {label}: {destination === null ? "the flow ends" : `to node ${placeOf.get(destination)}`}
                    <span class="design-muted"> ({taken === null ? "count unknown" : `${taken ?? 0}×`})</span>
                  </li>
                );
              })}
            </ul>
          </li>
        );
      })}
    </ol>
  );
}
