import type { ExpectationView } from "../../protocol/index.js";
import { Badge, EmptyState, type IconName, Panel, type Tone } from "../design/index.js";
import { formatElapsed } from "../format/index.js";
import { Time } from "./time.jsx";
import "./expectation-list.css";

/** Words for the state of an expectation, as in the terminal and the report. */
const looks: Readonly<
  Record<ExpectationView["state"], { readonly word: string; readonly icon: IconName; readonly tone: Tone }>
> = {
  held: { word: "Held", icon: "check", tone: "good" },
  failed: { word: "Broken", icon: "cross", tone: "bad" },
  waiting: { word: "Open", icon: "clock", tone: "neutral" },
};

/** The expectations of the scenario, their states, and the observations. All times count from the scenario's start. */
export function ExpectationsPanel({ expectations }: { readonly expectations: readonly ExpectationView[] }) {
  return (
    <Panel
      title="Expectations"
      about={
        <>
          Conditions that the scenario must meet. Times count from its start, <Time atMs={0} show="moment" />.
        </>
      }
      actions={(["held", "failed", "waiting"] as const).map((state) => {
        const { word, icon, tone } = looks[state];
        const count = expectations.filter((one) => one.state === state).length;
        return (
          count > 0 && (
            <Badge key={state} tone={tone} icon={icon}>
              {`${count} ${word.toLowerCase()}`}
            </Badge>
          )
        );
      })}
    >
      <ExpectationList expectations={expectations} />
    </Panel>
  );
}

function ExpectationList({ expectations }: { readonly expectations: readonly ExpectationView[] }) {
  if (expectations.length === 0) {
    return (
      <EmptyState icon="check" title="No expectations">
        Steps with “expect” in a scenario’s story, and “expect” at its end, appear here.
      </EmptyState>
    );
  }
  return (
    <ul role="list">
      {expectations.map(({ text, state, seen, untilMs }, index) => {
        const { word, icon, tone } = looks[state];
        return (
          <li key={index} class="expectation">
            <Badge tone={tone} icon={icon}>
              {word}
            </Badge>
            <div class="expectation-words">
              <code>{text}</code>
              <span class="design-muted">
                {seen !== null && <>Seen: {seen.endsWith("…") ? seen : `${seen}.`} </>}
                {state === "waiting" &&
                  (untilMs === null ? "Decided at the end." : `Decided by ${formatElapsed(untilMs).padStart(8, "0")}.`)}
              </span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
