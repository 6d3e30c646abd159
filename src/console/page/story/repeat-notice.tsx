import { useEffect, useState } from "preact/hooks";
import { beginsAgainAtMs, connection, story } from "../connection/state.js";
import { Button, Icon } from "../design/index.js";
import { pauseClock } from "./story-actions.js";
import "./repeat-notice.css";

const NOTICE_MS = 15_000;

/** Announces the restart of a repeating scenario, with a button that pauses the clock instead. */
export function RepeatNotice() {
  const leftMs = useLeftMs(beginsAgainAtMs.value);
  if (leftMs === undefined || leftMs > NOTICE_MS || connection.value !== "live") return null;
  return (
    <div class="story-repeat design-row" role="status">
      <Icon name="repeat" />
      <p>
        <strong>{story.value?.name ?? "The scenario"} ends and begins again</strong>
        <span aria-hidden="true" class="design-number">
          {" "}
          in {Math.ceil(leftMs / 1000)} s
        </span>
        <span class="story-repeat-why design-muted">. Changes by hand are then lost.</span>
      </p>
      <Button size="small" icon="pause" onPress={pauseClock}>
        Pause and keep it
      </Button>
    </div>
  );
}

/** Counts down to an instant. */
function useLeftMs(atMs: number | undefined): number | undefined {
  const [nowMs, setNow] = useState(Date.now);
  const isCounting = atMs !== undefined;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isCounting]);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
}
