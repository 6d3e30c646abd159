import type { ExpectationView } from "../../protocol/index.js";
import { Badge, EmptyState, type IconName, Panel, type Tone } from "../design/index.js";
import { lab } from "../connection/state.js";
import { formatElapsed, formatInstant } from "../format/index.js";
import { expectationSentence } from "./expectation-words.js";
import { nameOfHandset } from "./handset-name.jsx";
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
      about="Conditions that the scenario must meet."
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
              <Wanted text={text} untilMs={untilMs} />
              <span class="design-muted">
                {seen !== null && <>Seen: {seen.endsWith("…") ? byClock(seen) : `${byClock(seen)}.`} </>}
                {state === "waiting" && untilMs === null && "Decided at the end."}
              </span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** The condition as a sentence, with its text in the scenario below; or only the text. */
function Wanted({ text, untilMs }: Pick<ExpectationView, "text" | "untilMs">) {
  const by = untilMs === null ? undefined : clockTime(untilMs);
  const sentence = expectationSentence(text, { by, nameOf: nameOfHandset });
  if (sentence !== undefined) {
    return (
      <>
        <span>{sentence}</span>
        <code class="expectation-code for-engineers">{text}</code>
      </>
    );
  }
  return (
    <>
      <code>{text}</code>
      {by !== undefined && <span>By {by}</span>}
    </>
  );
}

function clockTime(atMs: number): string {
  const frame = lab.value;
  if (frame === undefined) return formatElapsed(atMs);
  const isFirstDay = formatInstant(atMs, frame, "day") === formatInstant(0, frame, "day");
  return formatInstant(atMs, frame, isFirstDay ? "minute" : "date-time");
}

/** What was seen has times from the start, as in the terminal: the page has a clock. */
function byClock(seen: string): string {
  const frame = lab.value;
  if (frame === undefined) return seen;
  return seen.replace(/\b(\d{2,}):(\d\d):(\d\d)\b/g, (_, hours: string, minutes: string, seconds: string) =>
    formatInstant(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000, frame),
  );
}
