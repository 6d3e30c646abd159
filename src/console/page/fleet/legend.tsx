import { handsetStates } from "../../protocol/index.js";
import { Button, Popover } from "../design/index.js";
import { stateLooks } from "../domain/handset-state.js";
import { StateGlyph } from "../domain/state-glyph.jsx";
import "./legend.css";

/** Hint on selecting several handsets. */
export const pointerWays = "Drag, Ctrl+click or Shift+click selects several, a group's label its group.";

/** A button that explains the shapes and colours. */
export function Legend() {
  return (
    <Popover
      align="end"
      trigger={({ isOpen, toggle }) => (
        <Button kind="quiet" icon="help" isPressed={isOpen} onPress={toggle}>
          Legend
        </Button>
      )}
    >
      {() => (
        <div class="fleet-legend" tabIndex={0} role="region" aria-label="Legend">
          <dl>
            {handsetStates.map((state) => (
              <div key={state}>
                <dt>
                  <StateGlyph state={state} /> {stateLooks[state].label}
                </dt>
                <dd>{stateLooks[state].about}</dd>
              </div>
            ))}
          </dl>
          <p>
            A handset has the worst state that applies, in this order. A triangle beside another state is an open alarm.
          </p>
          <p>A click opens a handset. {pointerWays} Arrows, Enter and Space do the same.</p>
          <p>
            In small cells a bar at the right shows the phone’s queue: from 5, 20, 100 and 500. A cell fades briefly
            when a text arrives or an event is sent.
          </p>
        </div>
      )}
    </Popover>
  );
}
