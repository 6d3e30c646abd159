import { useLayoutEffect, useRef } from "preact/hooks";
import { StateBadge } from "../domain/state-badge.jsx";
import { formatCount } from "../format/index.js";
import { clock } from "../connection/state.js";
import { batteryWords, lastSeenWords, networkWords, oddities, queueWords } from "./describe.js";
import type { FleetDesk } from "./fleet-desk.js";
import type { Place } from "./layout.js";
import { nameOf, titleOf } from "./names.js";
import { scrollParent } from "./use-room.js";
import "./handset-tip.css";

/** Gap between cell and tip, CSS pixels. */
const GAP = 6;

/** The facts of a handset beside its tile or cell. @param place - of the cell, in the grid */
export function HandsetTip({
  desk,
  index,
  place,
  width,
}: {
  readonly desk: FleetDesk;
  readonly index: number;
  readonly place: Place;
  /** Width of the grid. */
  readonly width: number;
}) {
  void desk.frame.value;
  const tip = useRef<HTMLDivElement>(null);
  // The tip is above the cell if there is no space below it.
  useLayoutEffect(() => {
    const element = tip.current;
    if (element === null) return;
    element.style.top = `${place.top + place.height + GAP}px`;
    const { bottom, height } = element.getBoundingClientRect();
    const end = Math.min(innerHeight, scrollParent(element).getBoundingClientRect().bottom);
    if (bottom > end && place.top > height) element.style.top = `${place.top - height - GAP}px`;
  }, [index, place.left, place.top, place.height]);
  const { model } = desk;
  const { columns } = model;
  const [title, selector] = [titleOf(model.groups, index), nameOf(model.groups, index)];
  const isAtEnd = place.left > width / 2;
  return (
    <div
      ref={tip}
      class="fleet-tip"
      aria-hidden="true"
      style={isAtEnd ? { right: `${Math.max(0, width - place.left - place.width)}px` } : { left: `${place.left}px` }}
    >
      <div class="fleet-tip-head design-line">
        <strong>{title}</strong>
        {title !== selector && <span class="design-fine for-engineers">{selector}</span>}
        <StateBadge state={model.stateAt(index)} />
      </div>
      <dl class="fleet-tip-facts design-number">
        <Fact name="Battery" value={batteryWords(model, index)} />
        <Fact name="Network" value={networkWords(model, index)} />
        <Fact name="Waiting" value={queueWords(model, index)} />
        <Fact
          name="So far"
          value={`${formatCount(columns.texts[index] ?? 0)} texts in, ${formatCount(columns.events[index] ?? 0)} events`}
        />
        <Fact name="Last seen" value={lastSeenWords(model, index, clock.value?.nowMs)} />
      </dl>
      {oddities(model, index).map((words) => (
        <p key={words} class="fleet-tip-odd">
          {words}
        </p>
      ))}
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
