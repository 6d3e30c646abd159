import { useEffect, useState } from "preact/hooks";
import { retryNow } from "../connection/connect.js";
import { clock, connection, lab, retryAtMs } from "../connection/state.js";
import { Button, Icon } from "../design/index.js";
import { formatInstant } from "../format/index.js";
import "./connection-note.css";

/** Warns that the shown state is old, with the reason and the time of the next attempt. */
export function ConnectionNote() {
  const isLost = connection.value === "lost";
  const seconds = useSecondsTo(isLost ? retryAtMs.value : undefined);
  if (!isLost && connection.value !== "silent") return null;
  const facts = lab.value;
  const now = clock.value;
  return (
    <div class="shell-lost design-line" role="alert">
      <Icon name="warning" />
      <p>
        <strong>{isLost ? "The connection to the lab is lost." : "The lab sends nothing."}</strong>{" "}
        {facts !== undefined && now !== undefined && (
          <>The page shows its state at {formatInstant(now.nowMs, facts)}. </>
        )}
        <span class="design-muted" aria-hidden="true">
          {!isLost && "It may be busy with a long step."}
          {isLost && (seconds === undefined || seconds === 0 ? "Trying again…" : `Next try in ${seconds} s.`)}
        </span>
      </p>
      {isLost && (
        <Button size="small" icon="reload" onPress={retryNow}>
          Try now
        </Button>
      )}
    </div>
  );
}

function useSecondsTo(atMs: number | undefined): number | undefined {
  const [, draw] = useState(0);
  useEffect(() => {
    if (atMs === undefined) return undefined;
    const timer = setInterval(() => draw((before) => before + 1), 500);
    return () => clearInterval(timer);
  }, [atMs]);
  return atMs === undefined ? undefined : Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
}
