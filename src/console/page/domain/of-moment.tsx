import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { moment } from "../connection/moment.js";
import { pastFailure } from "../connection/past-state.js";
import { noMoments, ShownMomentsContext } from "../connection/shown-moment.js";
import { Time } from "./time.jsx";
import "./of-moment.css";

/**
 * A part of the page whose answers arrive after a change of the moment. While they are of another moment, the part is
 * dimmed and names that moment.
 */
export function OfMoment({ children }: { readonly children: ComponentChildren }) {
  const shown = useMemo(noMoments, []);
  const others = [...shown.value.values()].filter((ofMs) => ofMs !== moment.value);
  const isBehind = others.length > 0;
  // The present must not be shown under a time of the past, not even in grey.
  const isOfNow = others.some((ofMs) => ofMs === undefined);
  return (
    <ShownMomentsContext.Provider value={shown}>
      {isBehind && (
        <p class="of-moment" role="status">
          {!isOfNow && (
            <>
              Below is <Instant atMs={others[0]} />.{" "}
            </>
          )}
          <Instant atMs={moment.value} isFirst /> {pastFailure.value === undefined ? "follows." : "cannot be shown."}
        </p>
      )}
      <div
        class={isOfNow ? "of-moment-hidden" : isBehind ? "of-moment-behind" : "of-moment-shown"}
        aria-busy={isBehind}
      >
        {children}
      </div>
    </ShownMomentsContext.Provider>
  );
}

function Instant({ atMs, isFirst = false }: { readonly atMs: number | undefined; readonly isFirst?: boolean }) {
  if (atMs === undefined) return <>{isFirst ? "Now" : "now"}</>;
  return <Time atMs={atMs} show="moment" />;
}
