import { useEffect, useMemo, useState } from "preact/hooks";
import { useRequest } from "../../connection/use-request.js";
import { Button, EmptyState, Note, Panel, RequestNote, ViewHead } from "../../design/index.js";
import { formatCount } from "../../format/index.js";
import { isPresenting } from "../../navigation/presenting.js";
import { goTo } from "../../navigation/routes.js";
import { NoRecord } from "../details/no-record.jsx";
import { StartFlowDialog } from "../actions/start-flow-dialog.jsx";
import { linkToService } from "../links.js";
import { RunsPanel } from "../lists/runs-list.jsx";
import type { FlowGraph } from "../../../protocol/index.js";
import { FlowCanvas } from "./flow-canvas.jsx";
import { readGraph, wallGraph } from "./graph.js";
import { layOut } from "./layout.js";
import { NodeList } from "./node-list.jsx";
import { pathOnGraph } from "./run-path.js";
import { RunPanel } from "./run-panel.jsx";
import { NO_RUN, useShownRun } from "./use-shown-run.js";
import "./flow-page.css";

/** A flow's graph with its counts, and one contact's path. */
export function FlowPage({ uuid, query }: { readonly uuid: string; readonly query: URLSearchParams }) {
  const encoded = encodeURIComponent(uuid);
  const whole = useRequest(`/flow-graph?flow=${encoded}`);
  const counts = useRequest(`/flow-graph?flow=${encoded}&definition=false`, { every: 2000 });
  const runUuid = useShownRun(uuid, query.get("run"));
  const run = useRequest(runUuid === undefined ? undefined : `/flow-run?run=${encodeURIComponent(runUuid)}`, {
    every: 1000,
  });
  const [isStarting, setIsStarting] = useState(false);
  const [selected, setSelected] = useState<string>();
  const flow = whole.data;
  const nodes = useMemo(() => readGraph(flow?.definition), [flow]);
  const isOnWall = isPresenting.value;
  const layout = useMemo(() => layOut(isOnWall ? wallGraph(nodes) : nodes), [nodes, isOnWall]);
  const path = useMemo(() => (run.data === undefined ? undefined : pathOnGraph(nodes, run.data)), [nodes, run.data]);
  // When the run advances, its current node replaces the selected one.
  useEffect(() => setSelected(undefined), [runUuid, run.data?.path.length]);
  const back = { href: linkToService("flows"), label: "Flows" };
  if (flow === undefined) return <NoRecord noun="flow" request={whole} icon="flow" back={back} />;
  const known = counts.data ?? flow;
  const byNode = new Map(known.nodes.map((node) => [node.uuid, node]));
  return (
    <>
      <ViewHead
        title={flow.name}
        about={runsWords(known)}
        back={back}
        actions={
          <Button kind="main" icon="play" onPress={() => setIsStarting(true)}>
            Start this flow
          </Button>
        }
      />
      {flow.problem !== null && <Note tone="warning">This flow cannot run, so it has no graph: {flow.problem}</Note>}
      {!counts.isLoading && <RequestNote request={counts} />}
      {nodes.length === 0 ? (
        flow.problem === null && (
          <EmptyState icon="flow" title="This flow has no nodes">
            <p>A contact who is started in it completes it at once.</p>
          </EmptyState>
        )
      ) : (
        <div class="service-flow design-grid">
          <FlowCanvas
            layout={layout}
            counts={byNode}
            path={path}
            selected={selected}
            onSelect={setSelected}
            name={flow.name}
          />
          <div class="service-flow-side design-stack">
            <RunPanel
              run={run.data}
              error={run.error}
              isLoading={run.isLoading}
              nodes={nodes}
              unknownSteps={path?.unknownSteps ?? 0}
              onClose={() => goTo(linkToService("flows", uuid, { run: NO_RUN }))}
              onSelect={setSelected}
            />
            {!isOnWall && (
              <Panel title="Nodes in words" about="The nodes of the graph as a list.">
                <NodeList nodes={nodes} counts={byNode} path={path} selected={selected} onSelect={setSelected} />
              </Panel>
            )}
          </div>
        </div>
      )}
      <RunsPanel
        title="Runs of this flow"
        about="Open one to follow the contact on the graph."
        path={`runs.json?paths=false&flow=${encoded}`}
        hasFlow={false}
        selected={runUuid}
      />
      {isStarting && <StartFlowDialog flow={uuid} onClose={() => setIsStarting(false)} />}
    </>
  );
}

function runsWords({ counted_runs: counted, all_runs: all }: FlowGraph): string {
  if (all === 0) return "No run yet.";
  const words = `${formatCount(all)} ${all === 1 ? "run" : "runs"}`;
  return counted < all ? `${words}; the counts are of the last ${formatCount(counted)}.` : `${words}.`;
}
