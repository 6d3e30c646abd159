import { handsetStates } from "../../protocol/index.js";
import { formatCount } from "../format/index.js";
import type { Arrangement } from "./arrangement.js";
import type { FleetDesk } from "./fleet-desk.js";
import { stateLooks } from "../domain/handset-state.js";
import type { PlacedBlock } from "./layout.js";
import { StateGlyph } from "../domain/state-glyph.jsx";
import "./block-label.css";

/**
 * The label of a block: its name, and the number and states of its handsets. A click selects the block. It is not a tab
 * stop: in the grid, Shift+Space selects the block.
 */
export function BlockLabel({
  placed: { block, left, top, width, cellsTop },
  desk,
  arrangement,
}: {
  readonly placed: PlacedBlock;
  readonly desk: FleetDesk;
  readonly arrangement: Arrangement;
}) {
  void desk.frame.value;
  void desk.selected.value;
  const indexes = arrangement.order.subarray(block.start, block.start + block.count);
  const counts = countStates(desk, indexes);
  const isSelected = indexes.every((index) => desk.selection.has(index));
  const label = block.state === undefined ? block.label : stateLooks[block.state].label;
  return (
    <button
      type="button"
      tabIndex={-1}
      class="fleet-block design-line design-bare"
      aria-pressed={isSelected}
      title={isSelected ? `Remove ${label} from the selection` : `Select the ${formatCount(block.count)} of ${label}`}
      style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${cellsTop - top}px` }}
      onClick={() => desk.selection.toggleAll(indexes)}
    >
      {block.state !== undefined && <StateGlyph state={block.state} />}
      <span class="fleet-block-name design-cut">{label}</span>
      <span class="design-muted design-number">{formatCount(block.count)}</span>
      {block.state === undefined && (
        <span class="fleet-block-counts design-number">
          {handsetStates.map((state, number) => {
            const count = counts[number] ?? 0;
            return (
              count > 0 &&
              state !== "fine" && (
                <span key={state} title={stateLooks[state].label}>
                  <StateGlyph state={state} title={stateLooks[state].label} /> {formatCount(count)}
                </span>
              )
            );
          })}
        </span>
      )}
    </button>
  );
}

function countStates({ model }: FleetDesk, indexes: Uint32Array): Int32Array {
  const counts = new Int32Array(handsetStates.length);
  for (let at = 0; at < indexes.length; at++) {
    const state = model.states[indexes[at] ?? 0] ?? 0;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}
