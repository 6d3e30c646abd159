import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useEffect, useMemo } from "preact/hooks";

/** Moments of the answers that a part of the page shows; undefined: now. */
export type ShownMoments = Signal<ReadonlyMap<object, number | undefined>>;

/** Context in which the requests of a part of the page register the moment of their answers: see `OfMoment`. */
export const ShownMomentsContext = createContext<ShownMoments | undefined>(undefined);

/** An empty list for a part of the page. */
export function noMoments(): ShownMoments {
  return signal(new Map());
}

/** Registers the moment of the shown answer. @param ofMs - undefined: of now; `none`: no answer is shown */
export function useShownMoment(ofMs: number | undefined | "none"): void {
  const shown = useContext(ShownMomentsContext);
  const key = useMemo(() => ({}), []);
  useEffect(() => {
    if (shown === undefined || ofMs === "none") return undefined;
    shown.value = new Map([...shown.peek(), [key, ofMs]]);
    return () => {
      shown.value = new Map([...shown.peek()].filter(([each]) => each !== key));
    };
  }, [shown, key, ofMs]);
}
