import { memo } from "preact/compat";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../../design/index.js";
import { isPresenting } from "../../navigation/presenting.js";
import type { GraphLayout, PlacedEdge, PlacedNode } from "./layout.js";
import type { NodeCounts } from "../../../protocol/index.js";
import type { PathOnGraph } from "./run-path.js";
import { hasPlainExit, sizes } from "./layout.js";
import { type Camera, fitted, moved, zoomedAt } from "./camera.js";
import { usePointers, useWheel } from "./use-gestures.js";
import "./flow-canvas.css";

/** Pixels that an arrow key moves the graph. */
const KEY_STEP = 60;
const ZOOM_STEP = 1.25;

/**
 * The graph, drawn once; panning and zooming change one transform. Screen readers get the nodes as a list beside it.
 */
export function FlowCanvas({
  layout,
  counts,
  path,
  selected,
  onSelect,
  name,
}: {
  readonly layout: GraphLayout;
  readonly counts: ReadonlyMap<string, NodeCounts>;
  readonly path: PathOnGraph | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (uuid: string) => void;
  readonly name: string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const camera = useRef<Camera>({ x: 0, y: 0, zoom: 1 });
  const [percent, setPercent] = useState(100);
  const apply = useCallback((to: Camera): void => {
    camera.current = to;
    if (sheet.current !== null) sheet.current.style.transform = `translate(${to.x}px, ${to.y}px) scale(${to.zoom})`;
    setPercent(Math.round(to.zoom * 100));
  }, []);
  const fit = useCallback((): void => {
    const box = frame.current?.getBoundingClientRect();
    if (box !== undefined)
      apply(
        fitted(layout, box, {
          entry: layout.nodes.find(({ node }) => node.place === 1),
          isOnWall: isPresenting.peek(),
        }),
      );
  }, [layout, apply]);
  useLayoutEffect(fit, [fit]);
  const zoom = (factor: number): void => {
    const box = frame.current?.getBoundingClientRect();
    if (box !== undefined) apply(zoomedAt(camera.current, factor, { x: box.width / 2, y: box.height / 2 }));
  };

  // The canvas scrolls to a run's current node when it changes, and to a node that is chosen in the list.
  const shown = selected ?? path?.current ?? path?.end;
  useEffect(() => {
    const node = layout.nodes.find((one) => one.node.uuid === shown);
    const box = frame.current?.getBoundingClientRect();
    if (node !== undefined && box !== undefined) apply(moved(camera.current, node, box));
  }, [shown, layout, apply]);

  useWheel(frame, (factor, at) => apply(zoomedAt(camera.current, factor, at)));
  const drag = usePointers(camera, apply);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { x, y, zoom: scale } = camera.current;
    const step = {
      ArrowLeft: [KEY_STEP, 0],
      ArrowRight: [-KEY_STEP, 0],
      ArrowUp: [0, KEY_STEP],
      ArrowDown: [0, -KEY_STEP],
    }[event.key];
    if (step !== undefined) apply({ x: x + (step[0] ?? 0), y: y + (step[1] ?? 0), zoom: scale });
    else if (event.key === "+" || event.key === "=") zoom(ZOOM_STEP);
    else if (event.key === "-") zoom(1 / ZOOM_STEP);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  };
  return (
    <div class="service-canvas">
      <div
        ref={frame}
        class="service-canvas-frame"
        role="group"
        tabIndex={0}
        aria-label={`Graph of ${name}. Arrow keys move it, plus and minus zoom, 0 fits it. The nodes are listed in words beside it.`}
        onKeyDown={onKeyDown}
        {...drag}
      >
        <div ref={sheet} class="service-canvas-sheet" aria-hidden="true">
          <Edges layout={layout} path={path} />
          {layout.nodes.map((placed) => (
            <NodeBox
              key={placed.node.uuid}
              placed={placed}
              counts={counts.get(placed.node.uuid)}
              visits={path?.visits.get(placed.node.uuid) ?? 0}
              takenExits={path?.exits}
              state={stateOf(placed.node.uuid, path)}
              isSelected={placed.node.uuid === selected}
              onSelect={onSelect}
            />
          ))}
        </div>
      </div>
      <div class="service-canvas-tools design-line" role="group" aria-label="Zoom">
        <IconButton icon="minus" label="Zoom out" size="small" kind="plain" onPress={() => zoom(1 / ZOOM_STEP)} />
        <span class="design-number service-canvas-percent">{percent}%</span>
        <IconButton icon="plus" label="Zoom in" size="small" kind="plain" onPress={() => zoom(ZOOM_STEP)} />
        <IconButton icon="reload" label="Fit the graph" size="small" kind="plain" onPress={fit} />
      </div>
    </div>
  );
}

type NodeState = "plain" | "passed" | "current" | "end" | "aside";

function stateOf(uuid: string, path: PathOnGraph | undefined): NodeState {
  if (path === undefined) return "plain";
  if (path.current === uuid) return "current";
  if (path.end === uuid) return "end";
  return path.visits.has(uuid) ? "passed" : "aside";
}

const Edges = memo(function Edges({
  layout,
  path,
}: {
  readonly layout: GraphLayout;
  readonly path: PathOnGraph | undefined;
}) {
  const isTaken = (edge: PlacedEdge): boolean => path?.exits.has(edge.exit) === true;
  // Taken edges are drawn above the others.
  const edges = layout.edges.toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)));
  return (
    <svg class="service-edges" width={layout.width} height={layout.height}>
      <defs>
        {["plain", "taken"].map((kind) => (
          <marker
            key={kind}
            id={`service-arrow-${kind}`}
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path class={`service-arrow-${kind}`} d="M0 0 8 4 0 8Z" />
          </marker>
        ))}
        <marker id="service-stop" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7">
          <circle class="service-stop" cx="4" cy="4" r="3" />
        </marker>
      </defs>
      {edges.map((edge) => {
        const kind = isTaken(edge) ? "taken" : path === undefined ? "plain" : "aside";
        const end = edge.to === null ? "service-stop" : `service-arrow-${kind === "taken" ? "taken" : "plain"}`;
        return (
          <path
            key={`${edge.from} ${edge.exit}`}
            class={`service-edge service-edge-${kind}`}
            d={edge.d}
            marker-end={`url(#${end})`}
          />
        );
      })}
    </svg>
  );
});

const marks = { says: "“", asks: "?", saves: "=", calls: "↗", goes: "→", splits: "⑂" } as const;

const NodeBox = memo(function NodeBox({
  placed: { node, left, top, width, height, rows, cells },
  counts,
  visits,
  takenExits,
  state,
  isSelected,
  onSelect,
}: BoxProps & { readonly onSelect: (uuid: string) => void }) {
  const waiting = counts?.waiting ?? 0;
  return (
    <div
      class={`service-box service-box-${state}${isSelected ? " service-box-selected" : ""}${node.isWaiting ? " service-box-asks" : ""}`}
      style={{ transform: `translate(${left}px, ${top}px)`, inlineSize: `${width}px`, blockSize: `${height}px` }}
      onClick={() => onSelect(node.uuid)}
    >
      <div class="service-box-head design-line">
        <span class="service-box-place">{node.place}</span>
        {visits > 1 && <span>visited {visits}×</span>}
        {waiting > 0 && <span class="service-box-waiting">{waiting} here</span>}
        <span class="service-box-count">{counts?.visits ?? 0}</span>
      </div>
      {node.lines.map(({ kind, text }, index) => (
        <div
          key={index}
          class={`service-box-line service-line-${kind}`}
          style={{ blockSize: `${(rows[index] ?? 1) * sizes.row + sizes.linePadding}px`, "--rows": rows[index] ?? 1 }}
          title={text}
        >
          <span class="service-box-mark">{marks[kind]}</span>
          <span class="service-box-text">{text}</span>
        </div>
      ))}
      <div class={`service-box-exits${hasPlainExit(node) ? " service-box-exits-plain" : ""}`}>
        {node.exits.map((exit, index) => {
          const taken = counts?.exits.find(({ uuid }) => uuid === exit.uuid)?.taken;
          return (
            <div
              key={exit.uuid}
              class={`service-exit${takenExits?.has(exit.uuid) === true ? " service-exit-taken" : ""}`}
              style={{ inlineSize: `${cells[index] ?? 0}px` }}
              title={exit.label}
            >
              {!hasPlainExit(node) && <span class="service-exit-label design-cut">{exit.label}</span>}
              <span class="service-exit-count design-cut">{taken === null ? "?" : (taken ?? 0)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}, sameBox);

interface BoxProps {
  readonly placed: PlacedNode;
  readonly counts: NodeCounts | undefined;
  readonly visits: number;
  readonly takenExits: ReadonlySet<string> | undefined;
  readonly state: NodeState;
  readonly isSelected: boolean;
}

/** Counts are new objects every two seconds. A box is drawn again only if one of its numbers changed. */
function sameBox(a: BoxProps, b: BoxProps): boolean {
  return (
    a.placed === b.placed &&
    a.visits === b.visits &&
    a.takenExits === b.takenExits &&
    a.state === b.state &&
    a.isSelected === b.isSelected &&
    (a.counts === b.counts || JSON.stringify(a.counts) === JSON.stringify(b.counts))
  );
}
