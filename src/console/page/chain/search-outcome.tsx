import type { MinimisedBug } from "../../protocol/index.js";
import { resetRequest } from "../bug/reset-field.jsx";
import { Note } from "../design/index.js";
import { formatCount, formatCounted } from "../format/index.js";

/** How far a search for the smallest failing input is, then what it found. */
export function SearchOutcome({ small, problem }: { readonly small: MinimisedBug; readonly problem: string | null }) {
  const { events, before, ending, words } = small;
  if (problem !== null) return <Note tone="warning">{problem}</Note>;
  if (ending === null) {
    return (
      <>
        <p>{progressOf(small)}</p>
        <progress
          class="chain-progress"
          max={Math.log(before + 1)}
          value={Math.log(before + 1) - Math.log(events)}
          aria-label="Requests that are not needed"
        />
      </>
    );
  }
  return (
    <Note tone={ending === "found" ? "good" : "warning"}>
      {words.join(" ")}
      {ending !== "found" &&
        (resetRequest.value.trim() === ""
          ? " Reset it before each play, or start it again for each play in a terminal: both are below."
          : " A terminal can start it again for each play: the command is below.")}
    </Note>
  );
}

function progressOf({ phase, trials, events, before }: MinimisedBug): string {
  const left = `${formatCount(events)} of ${formatCounted(before, "request")} left after ${formatCounted(trials, "trial")}`;
  switch (phase) {
    case "first play":
      return `Plays the ${formatCounted(before, "request")} as they were recorded`;
    case "simplify":
      return `Writes the rest plainly: ${left}`;
    case "last round":
      return `Proves that none can go: ${left}`;
    default:
      return `Leaves requests out: ${left}`;
  }
}
