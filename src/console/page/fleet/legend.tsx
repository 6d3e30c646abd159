import type { ComponentChildren } from "preact";
import { handsetStates } from "../../protocol/index.js";
import { BatteryIcon, Button, Icon, Popover, SignalIcon } from "../design/index.js";
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
          <h3>Marks</h3>
          <dl>
            <Mark mark={<span class="fleet-legend-text" />}>A text has rung in. On cards it is a bubble.</Mark>
            <Mark mark={<span class="fleet-legend-event" />}>
              An event has left for the receiver. On cards it is an arrow.
            </Mark>
            <Mark mark={<strong>3 ≡</strong>}>Messages and reports that wait on the phone; coloured from 5.</Mark>
            <Mark mark={<span class="fleet-legend-queue" />}>
              The same in small cells: a bar at the right, from 5, 20, 100 and 500. A small cell fades when a text rings
              in or an event leaves.
            </Mark>
            <Mark mark={<BatteryIcon percent={60} label="Battery" />}>
              The battery’s level; on cards with a plug while it charges: <Icon name="plug" label="plugged in" />.
            </Mark>
            <Mark mark={<SignalIcon level={3} label="Network" />}>The data network, on cards with its name.</Mark>
            <Mark mark={<span class="fleet-legend-open" />}>The handset that is open beside the fleet.</Mark>
          </dl>
        </div>
      )}
    </Popover>
  );
}

function Mark({ mark, children }: { readonly mark: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{mark}</dt>
      <dd>{children}</dd>
    </div>
  );
}
