import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { Arrangement } from "./arrangement.js";
import type { FleetDesk } from "./fleet-desk.js";
import type { FleetChange } from "./fleet-model.js";
import { HandsetCard } from "./handset-card.jsx";
import { boxOf, eachIn, type GridLayout, type Place } from "./layout.js";
import { useSpanInView } from "./use-span-in-view.js";

/** Length of a pulse, in milliseconds. */
const PULSE_MS = 700;

/** Cards, as elements: those on the screen and near it, and the focused one. */
export function HandsetCards({
  desk,
  arrangement,
  layout,
  surface,
  focused,
}: {
  readonly desk: FleetDesk;
  readonly arrangement: Arrangement;
  readonly layout: GridLayout;
  /** The element that they are in. */
  readonly surface: RefObject<HTMLElement | null>;
  readonly focused: number | undefined;
}) {
  const marks = useMemo(() => new CardMarks(desk.model.count), [desk, desk.model.count]);
  const [, setTick] = useState(0);
  useLayoutEffect(() => {
    const draw = (): void => setTick((before) => before + 1);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = desk.onChange((change) => {
      const now = performance.now();
      marks.end(now);
      marks.add(change, now);
      clearTimeout(timer);
      // A timer ends the last pulses if no further change arrives.
      timer = setTimeout(() => {
        marks.end(performance.now());
        draw();
      }, PULSE_MS + 20);
      draw();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [desk, marks]);
  void desk.selected.value;
  const { top, bottom } = useSpanInView(surface);
  const shown: number[] = [];
  eachIn(layout, { left: 0, top, right: layout.width, bottom }, (position) => {
    const index = arrangement.order[position];
    if (index !== undefined) shown.push(index);
  });
  if (focused !== undefined && !shown.includes(focused)) shown.push(focused);
  const placeOf = placeFinder(arrangement, layout);
  return (
    <>
      {shown.map((index) => {
        const place = placeOf(index);
        return (
          place !== undefined && (
            <HandsetCard
              key={index}
              id={idOf(index)}
              model={desk.model}
              index={index}
              position={arrangement.positions[index] ?? 0}
              count={arrangement.order.length}
              stamp={marks.stamps[index] ?? 0}
              isSelected={desk.selection.has(index)}
              pulses={marks.pulses[index] ?? 0}
              place={place}
            />
          )
        );
      })}
    </>
  );
}

/** Change counters and pulses of cards. */
class CardMarks {
  /** Counts the changes of each handset. */
  readonly stamps: Uint32Array;
  readonly pulses: Uint8Array;
  readonly #ends: Float64Array;
  #pulsing: number[] = [];

  constructor(count: number) {
    this.stamps = new Uint32Array(count);
    this.pulses = new Uint8Array(count);
    this.#ends = new Float64Array(count);
  }

  add({ indexes, count, pulses, isAll }: FleetChange, now: number): void {
    for (let at = 0; at < count; at++) {
      const index = indexes[at] ?? 0;
      this.stamps[index] = (this.stamps[index] ?? 0) + 1;
      const bits = pulses[index] ?? 0;
      if (bits === 0 || isAll) continue;
      if (this.pulses[index] === 0) this.#pulsing.push(index);
      this.pulses[index] = (this.pulses[index] ?? 0) | bits;
      this.#ends[index] = now + PULSE_MS;
    }
  }

  /** Ends the pulses whose time is over. */
  end(now: number): void {
    this.#pulsing = this.#pulsing.filter((index) => {
      if ((this.#ends[index] ?? 0) > now) return true;
      this.pulses[index] = 0;
      return false;
    });
  }
}

/** Returns a function from a handset to the place of its cell; undefined: it is not shown. */
export function placeFinder({ positions }: Arrangement, layout: GridLayout): (index: number) => Place | undefined {
  return (index) => {
    const box = { left: 0, top: 0 };
    const isShown = boxOf(layout, positions[index] ?? -1, box);
    return isShown ? { ...box, width: layout.cell.width, height: layout.cell.height } : undefined;
  };
}

/** The element id of a handset, for `aria-activedescendant`. */
export function idOf(index: number): string {
  return `fleet-handset-${index}`;
}
