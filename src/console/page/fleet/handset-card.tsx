import { Component } from "preact";
import { BatteryIcon, Icon, SignalIcon } from "../design/index.js";
import { StateBadge } from "../domain/state-badge.jsx";
import { StateGlyph } from "../domain/state-glyph.jsx";
import { formatShort } from "../format/index.js";
import { queueOf } from "./arrangement.js";
import { batteryWords, networkWords, queueWords, signalLevel } from "./describe.js";
import { type FleetModel, pulse } from "./fleet-model.js";
import { stateLooks } from "../domain/handset-state.js";
import type { Place } from "./layout.js";
import { nameOf, titleOf } from "./names.js";
import "./handset-card.css";

interface Props {
  readonly id: string;
  readonly model: FleetModel;
  readonly index: number;
  /** Its place among all, from 0: cards that are off the screen are not in the document. */
  readonly position: number;
  readonly count: number;
  /** Counts the handset's changes. A new number draws the card again. */
  readonly stamp: number;
  readonly isSelected: boolean;
  /** Bits of `pulse`: recent activity. */
  readonly pulses: number;
  readonly place: Place;
}

/** Width of a card from which two states and a queue fit in words, in pixels. Narrower cards show glyphs instead. */
const WORDS_PX = 260;

/** A handset as a card. */
export class HandsetCard extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { stamp, index, position, count, isSelected, pulses, place } = this.props;
    return (
      next.stamp !== stamp ||
      next.index !== index ||
      next.position !== position ||
      next.count !== count ||
      next.isSelected !== isSelected ||
      next.pulses !== pulses ||
      next.place.left !== place.left ||
      next.place.top !== place.top ||
      next.place.width !== place.width
    );
  }

  override render({ id, model, index, position, count, isSelected, pulses, place }: Props) {
    const state = model.stateAt(index);
    const percent = model.columns.battery[index] ?? 0;
    const queue = queueOf(model.columns, index);
    const isNarrow = place.width < WORDS_PX;
    const [title, selector] = [titleOf(model.groups, index), nameOf(model.groups, index)];
    return (
      <div
        id={id}
        role="option"
        aria-selected={isSelected}
        aria-posinset={position + 1}
        aria-setsize={count}
        class={`fleet-card design-stack${state === "off" ? " fleet-card-off" : ""}`}
        style={{
          "--card-fill": `var(${stateLooks[state].fill})`,
          left: `${place.left}px`,
          top: `${place.top}px`,
          width: `${place.width}px`,
          height: `${place.height}px`,
        }}
      >
        <div class="fleet-card-row design-line">
          <span class="fleet-card-name design-cut" title={selector}>
            {title}
          </span>
          {title !== selector && !isNarrow && <span class="design-fine for-engineers">{selector}</span>}
        </div>
        <div class="fleet-card-row design-line">
          <span class="fleet-card-fact design-inline">
            <StateBadge state={state} />
            {state !== "alarm" &&
              model.hasFlag(index, "hasAlarm") &&
              (isNarrow ? <StateGlyph state="alarm" title="Alarm" /> : <StateBadge state="alarm" />)}
          </span>
          <span class="fleet-card-fact design-inline design-number">
            {(pulses & pulse.text) !== 0 && (
              <span class="fleet-flash-in">
                <Icon name="message" />
              </span>
            )}
            {(pulses & pulse.event) !== 0 && (
              <span class="fleet-flash-out">
                <Icon name="send" />
              </span>
            )}
            {queue > 0 && (
              <span class="fleet-card-queue" title={queueWords(model, index)}>
                {formatShort(queue)} {isNarrow && <span aria-hidden>≡</span>}
                <span class={isNarrow ? "design-unseen" : ""}>waiting</span>
              </span>
            )}
          </span>
        </div>
        <div class="fleet-card-row design-line design-number">
          <span class="fleet-card-fact design-inline" title={`Battery ${batteryWords(model, index)}`}>
            <BatteryIcon percent={percent} label="Battery" />
            {percent}%{model.hasFlag(index, "hasMains") && <Icon name="plug" label="plugged in" />}
          </span>
          <span class="fleet-card-fact design-inline" title={networkWords(model, index)}>
            <SignalIcon level={signalLevel(model, index)} label="Network" />
            {signalLevel(model, index) === 0 ? "None" : networkWords(model, index)}
          </span>
        </div>
      </div>
    );
  }
}
