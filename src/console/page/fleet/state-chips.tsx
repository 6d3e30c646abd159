import { handsetStates, type HandsetState } from "../../protocol/index.js";
import { formatCount } from "../format/index.js";
import type { FleetDesk } from "./fleet-desk.js";
import { stateLooks } from "../domain/handset-state.js";
import { StateGlyph } from "../domain/state-glyph.jsx";
import "./state-chips.css";

/** The number of handsets in each state, as filters. A handset may be in several states. */
export function StateChips({
  desk,
  chosen,
  onChoose,
}: {
  readonly desk: FleetDesk;
  readonly chosen: readonly HandsetState[];
  readonly onChoose: (states: readonly HandsetState[]) => void;
}) {
  void desk.frame.value;
  return (
    <div class="fleet-chips" role="group" aria-label="Show only handsets in these states">
      {handsetStates.toReversed().map((state) => {
        const isChosen = chosen.includes(state);
        const count = desk.model.counts[handsetStates.indexOf(state)] ?? 0;
        const { label, about } = stateLooks[state];
        return (
          <button
            key={state}
            type="button"
            class={`fleet-chip design-inline${count === 0 ? " fleet-chip-none" : ""}`}
            aria-pressed={isChosen}
            title={about}
            onClick={() => onChoose(isChosen ? chosen.filter((one) => one !== state) : [...chosen, state])}
          >
            <StateGlyph state={state} />
            {label}
            <span class="fleet-chip-count design-number">{formatCount(count)}</span>
          </button>
        );
      })}
    </div>
  );
}
